//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is no regular file, or too large, is refused at once by every command that reads a file.
func TestOnlyRegularFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "huge"), nil, 0o600))
	require.NoError(t, os.Truncate(filepath.Join(dir, "huge"), 1<<40))
	forms := []string{"discard | FILE", "run | --resume | FILE", "run | --import | FILE"}
	for _, name := range []string{"replay", "predict", "export", "branch"} {
		forms = append(forms, reading[name]...)
	}
	for file, want := range map[string]string{
		"pipe": "it is a pipe", "huge": "it has 1048576 MiB", dir: "it is a folder", "/dev/zero": "it is a device"} {
		for _, form := range forms {
			if out, errs, status := try(t, dir, words(form, file)...); status != 1 || out != "" ||
				!strings.Contains(errs, want) {
				t.Errorf("%s with %s: status %d, %q; want %q", form, file, status, errs, want)
			}
		}
	}
	if _, errs, status := try(t, dir, "list", "sessions", "--dir", "."); status != 0 {
		t.Errorf("listing a folder with a pipe: %d, %s", status, errs)
	}
}

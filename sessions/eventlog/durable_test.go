package eventlog

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What is created, renamed or replaced is on the disk with its name when the call returns: the text before the folder
// that names it, and new folders too.
func TestNamesAreSynced(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows cannot flush folders")
	}
	defer func(usual func(*os.File) error) { fsync = usual }(fsync)
	for label, c := range map[string]struct {
		do   func() error
		want string // folders and files that are flushed, in their order
	}{
		"create in new folders": {func() error {
			f, err := Create("p/q/s.jsonl", grown(t, "a").Events())
			return errors.Join(err, f.Close())
		}, "p . p/q"},
		"create": {func() error {
			f, err := Create("s.jsonl", grown(t, "a").Events())
			return errors.Join(err, f.Close())
		}, "."},
		"replace":              {func() error { return Replace("a/x", []byte("new"), 0o600) }, "a/temp a"},
		"rename":               {func() error { return Rename("a/x", "a/y") }, "a"},
		"rename elsewhere":     {func() error { return Rename("a/x", "b/y") }, "b a"},
		"move":                 {func() error { return Move("a/x", "b/y") }, "b a"},
		"folder that is there": {func() error { return MakeDir("a", 0o755) }, ""},
	} {
		dir := t.TempDir()
		t.Chdir(dir)
		if err := errors.Join(os.Mkdir("a", 0o755), os.Mkdir("b", 0o755),
			os.WriteFile("a/x", []byte("old"), 0o600)); err != nil {
			t.Fatal(err)
		}
		var list []string
		fsync = func(f *os.File) error {
			name, err := filepath.Abs(f.Name())
			if err == nil {
				name, err = filepath.Rel(dir, name)
			}
			if strings.HasPrefix(filepath.Base(name), ".tmp-") {
				name = filepath.Join(filepath.Dir(name), "temp")
			}
			list = append(list, filepath.ToSlash(name))
			return err
		}
		if err := c.do(); err != nil || strings.Join(list, " ") != c.want {
			t.Errorf("%s: flushed %q, want %q (%v)", label, list, c.want, err)
		}
		fsync = func(*os.File) error { return syscall.EINVAL }
		assert.NoError(t, SyncDir("a"), "a file system that flushes no folder")
		fsync = func(*os.File) error { return errFull }
		if err := SyncDir("a"); !errors.Is(err, errFull) {
			t.Errorf("a folder that cannot be flushed: %v", err)
		}
		if err := Replace("a/z", nil, 0o600); !errors.Is(err, errFull) {
			t.Errorf("a text that cannot be flushed: %v", err)
		}
		if names, err := filepath.Glob("a/*"); err != nil || slices.Contains(names, "a/z") {
			t.Errorf("%s: left %q, %v", label, names, err)
		}
		if hidden, _ := filepath.Glob("a/.tmp-*"); hidden != nil {
			t.Errorf("%s: left %q", label, hidden)
		}
	}
}

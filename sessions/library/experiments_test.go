package library

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file is written whole, never over another one that was not to be replaced, and nothing is left beside it.
func TestKeepExperiment(t *testing.T) {
	dir := t.TempDir()
	path, folder := filepath.Join(dir, "a.toml"), filepath.Join(dir, "folder")
	link := filepath.Join(dir, "link.toml")
	require.NoError(t, errors.Join(os.Mkdir(folder, 0o700), os.Symlink(path, link)))
	for _, c := range []struct {
		path, text string
		over       bool
		there, bad bool
		want       string // in the file
	}{
		{path, "one", false, false, false, "one"},
		{path, "two", false, true, true, "one"},
		{path, "three", true, false, false, "three"},
		{link, "four", false, true, true, "three"},
		{link, "five", true, false, false, "five"},
		{folder, "six", false, true, true, "five"},
		{folder, "seven", true, false, true, "five"},
		{filepath.Join(dir, "none", "a.toml"), "eight", false, false, true, "five"},
	} {
		err := SaveExperiment(c.path, []byte(c.text), c.over)
		if (err != nil) != c.bad || errors.Is(err, ErrExists) != c.there {
			t.Errorf("%s: %v", c.text, err)
		}
		if got, _ := os.ReadFile(path); string(got) != c.want {
			t.Errorf("after %s the file has %q, want %q", c.text, got, c.want)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 3 {
		t.Errorf("%v, %v", left, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().IsRegular() {
		t.Errorf("the link is no link any more: %v", err)
	}
}

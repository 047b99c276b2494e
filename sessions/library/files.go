package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"bandscope/sessions/eventlog"
	"bandscope/sessions/fitcache"
	"bandscope/sessions/sanitize"
)

// trashName is the folder, inside of a folder of sessions, that deleted ones are moved to.
const trashName = "trash"

// sibling is the path of a session with another name in the same folder. A name is no path.
func sibling(path, name string) (string, error) {
	name = strings.TrimSuffix(strings.TrimSpace(name), ".jsonl")
	switch {
	case name == "":
		return "", errors.New("a session needs a name")
	case len(name) > 200:
		return "", fmt.Errorf("the name has %d bytes; the maximum is 200", len(name))
	case strings.ContainsAny(name, `/\`) || strings.HasPrefix(name, ".") || name != sanitize.Text(name):
		return "", fmt.Errorf("a name must not contain slashes or control characters, or begin with a dot, got %q", name)
	case runtime.GOOS == "windows" && !filepath.IsLocal(name):
		return "", fmt.Errorf("%q is a device or a drive on Windows; choose another name", name)
	}
	return filepath.Join(filepath.Dir(path), name+".jsonl"), nil
}

// Rename gives the file of a session another name in its folder, which no file has yet. It returns the new path.
func Rename(path, name string) (string, error) {
	target, err := sibling(path, name)
	if err != nil {
		return "", err
	}
	return target, move(path, target)
}

// move renames a file to a path where nothing is. The fits that are kept beside a session go with it.
func move(from, target string) error {
	err := eventlog.Move(from, target)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already; choose another name", filepath.Base(target))
	}
	if err == nil {
		_ = os.Rename(fitcache.StorePath(from), fitcache.StorePath(target)) // there may be none
	}
	return err
}

// Copy copies a session under another name in its folder. It returns the new path. When the context ends it is given
// up, and nothing is left.
func Copy(ctx context.Context, path, name string) (target string, err error) {
	target, err = sibling(path, name)
	if err != nil {
		return "", err
	}
	in, err := eventlog.OpenRegular(path, eventlog.MaxFile)
	if err != nil {
		return "", err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return "", err
	}
	temp, err := eventlog.WriteTemp(target, eventlog.WithContext(ctx, in), info.Mode().Perm())
	if err != nil {
		return "", err
	}
	defer os.Remove(temp) // gone where all went well
	return target, move(temp, target)
}

// MoveToTrash moves a file, of a session or of something else that is kept as one, to the trash folder beside it. It
// returns where it lies there, from where Restore brings it back.
func MoveToTrash(path string) (string, error) {
	dir := filepath.Join(filepath.Dir(path), trashName)
	if err := eventlog.MakeDir(dir, 0o755); err != nil {
		return "", err
	}
	ending := filepath.Ext(path)
	base := strings.TrimSuffix(filepath.Base(path), ending)
	for i := 1; ; i++ {
		target := filepath.Join(dir, base+ending)
		if i > 1 {
			target = filepath.Join(dir, fmt.Sprintf("%s-%d%s", base, i, ending))
		}
		if _, err := os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
			return target, move(path, target)
		}
	}
}

// Restore moves a file out of the trash. It returns where it lies then.
func Restore(path string) (string, error) {
	target := filepath.Join(filepath.Dir(filepath.Dir(path)), filepath.Base(path))
	return target, move(path, target)
}

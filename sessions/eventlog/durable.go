package eventlog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// fsync flushes an open file or folder to the disk.
var fsync = (*os.File).Sync

// SyncDir flushes the names in a folder to the disk, so that a file that was created or renamed there keeps its name
// after a power loss. It does nothing on file systems that cannot flush a folder.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // this system cannot open a folder for flushing
	}
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("flushing the folder: %w", err)
	}
	err = fsync(d)
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	err = errors.Join(err, d.Close())
	if err != nil {
		return fmt.Errorf("flushing the folder: %w", err)
	}
	return nil
}

// MakeDir makes a folder with the folders above it, and flushes their names to the disk. It does nothing if the folder
// exists.
func MakeDir(dir string, mode os.FileMode) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	top := dir // the highest folder that is new
	for parent := filepath.Dir(top); !exists(parent) && parent != top; parent = filepath.Dir(top) {
		top = parent
	}
	if exists(dir) {
		return os.MkdirAll(dir, mode) // the error says what it is instead
	}
	if err := os.MkdirAll(dir, mode); err != nil {
		return err
	}
	for made := dir; ; made = filepath.Dir(made) {
		if err := SyncDir(filepath.Dir(made)); err != nil || made == top {
			return err
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Rename renames a file, replacing the one that has the new name, and flushes both folders to the disk.
func Rename(from, target string) error {
	if err := os.Rename(from, target); err != nil {
		return err
	}
	err := SyncDir(filepath.Dir(target))
	if !SamePath(filepath.Dir(from), filepath.Dir(target)) {
		err = errors.Join(err, SyncDir(filepath.Dir(from)))
	}
	return err
}

// WriteTemp writes a text to a new hidden file next to a path and flushes it to the disk. The caller renames or removes
// the file. After an error there is no file.
func WriteTemp(path string, text io.Reader, mode os.FileMode) (temp string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, text)
	err = errors.Join(err, f.Chmod(mode))
	if err == nil {
		err = fsync(f)
	}
	err = errors.Join(err, f.Close())
	if err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// Replace replaces the contents of a file atomically: a reader, also after a power loss, finds either the old text or
// the new one.
func Replace(path string, text []byte, mode os.FileMode) error {
	temp, err := WriteTemp(path, bytes.NewReader(text), mode)
	if err != nil {
		return err
	}
	defer os.Remove(temp) // already renamed if there was no error
	return Rename(temp, path)
}

//go:build !windows

package eventlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Lock is the lock of a file.
type Lock = flock.Flock

// NewLock is the lock of a file, which is not created by locking it. It is opened for writing, as some systems need.
func NewLock(path string) *Lock { return flock.New(path, flock.SetFlag(os.O_RDWR)) }

// Move renames a file to a path that must not exist: it makes a link, which fails if the path exists, then removes the
// old name. It flushes both folders to the disk. The error wraps fs.ErrExist if the path exists.
func Move(from, target string) error {
	if err := os.Link(from, target); err != nil {
		if _, other := os.Lstat(target); errors.Is(err, fs.ErrExist) || !errors.Is(other, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w", target, fs.ErrExist)
		}
		return Rename(from, target) // a file system without links
	}
	if err := SyncDir(filepath.Dir(target)); err != nil { // before the old name is removed
		return err
	}
	return errors.Join(os.Remove(from), SyncDir(filepath.Dir(from)))
}

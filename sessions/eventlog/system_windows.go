package eventlog

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// Lock is the lock of a file, of one byte far behind the end of the largest log. Windows keeps other programs, and other
// handles of this one, from reading and writing the bytes that are locked, so none of the log may be.
type Lock struct {
	path string
	file *os.File // nil while the file is not locked
}

// NewLock is the lock of a file, which is not created by locking it.
func NewLock(path string) *Lock { return &Lock{path: path} }

// region is the byte that is locked.
func region() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 1 << 30} }

// TryLock locks the file; it is false if another program, or another lock, has locked it.
func (l *Lock) TryLock() (bool, error) {
	if l.file != nil {
		return true, nil
	}
	file, err := os.OpenFile(l.path, os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err = windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, region())
	if err == nil {
		l.file = file
		return true, nil
	}
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		err = nil
	}
	return false, errors.Join(err, file.Close())
}

// Unlock unlocks the file. It does nothing if the file is not locked.
func (l *Lock) Unlock() error {
	if l.file == nil {
		return nil
	}
	err := windows.UnlockFileEx(windows.Handle(l.file.Fd()), 0, 1, 0, region())
	err = errors.Join(err, l.file.Close())
	l.file = nil
	return err
}

// Stat is the identity of the file that is locked.
func (l *Lock) Stat() (fs.FileInfo, error) {
	if l.file == nil {
		return nil, fs.ErrClosed
	}
	return l.file.Stat()
}

// Move renames a file to a path that must not exist. The error wraps fs.ErrExist if the path exists, and nothing has
// changed if a program has the file open.
func Move(from, target string) error {
	source, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	name, err := windows.UTF16PtrFromString(target)
	if err != nil {
		return err
	}
	if err := windows.MoveFileEx(source, name, windows.MOVEFILE_WRITE_THROUGH); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: target, Err: err}
	}
	return nil
}

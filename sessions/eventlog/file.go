package eventlog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/gofrs/flock"
)

// disk is what is asked of a file that is appended to; an *os.File has it.
type disk interface {
	io.WriteCloser
	Sync() error
	Stat() (fs.FileInfo, error)
	Truncate(size int64) error
}

// ErrReadOnly is returned by Append where the file cannot be written to: it is damaged, or locked by another process,
// or may not be written, or a disk failed.
var ErrReadOnly = errors.New("the file is read-only here")

// File is a log's file, open for appending and locked while it is. One at a time appends and closes; the others may
// only ask.
type File struct {
	path         string
	file         disk // nil where the file is only read
	lock         *flock.Flock
	writable     atomic.Bool
	opened       fs.FileInfo // which file it was when it was opened; its size is that of the file now
	size         int64       // in bytes, as far as this program has read and written it
	syncDeferred bool        // lines are not flushed one act at a time
	noNewline    bool        // the file does not end in a line feed
	torn         string      // the hash of the last line if it was cut off; empty if it is whole
}

// LockedError is the error about a file that another process writes to.
type LockedError struct {
	Path string
	By   string // who that is, as far as the system tells; empty where it does not
	Err  error  // what went wrong besides; nil for nothing
}

// Error says who has the file, and what to do.
func (l *LockedError) Error() string {
	text := "another process"
	if l.By != "" {
		text += " (" + l.By + ")"
	}
	text += " is writing to this file; close it there and try again, until then it is read-only here"
	if l.Err != nil {
		text += "\n" + l.Err.Error()
	}
	return text
}

// Unwrap is what went wrong besides.
func (l *LockedError) Unwrap() error { return l.Err }

// OpenFile makes a file writable: locked against other processes, and open for appending. It is to be done before the
// file is read, so that what is read is all there is. The error says why the file, which is returned all the same, can
// only be read.
func OpenFile(path string) (*File, error) {
	f := &File{path: path}
	info, err := os.Stat(path) // a pipe would be waited for
	if err == nil {
		err = checkRegular(path, info, MaxFile)
	}
	if err != nil {
		return f, err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return f, fmt.Errorf("%w: it cannot be written (%w)", ErrReadOnly, err)
	}
	lock := flock.New(path)
	if ok, err := lock.TryLock(); err != nil || !ok {
		return f, &LockedError{Path: path, By: lockHolder(file), Err: errors.Join(err, file.Close())}
	}
	if err := f.identify(file); err != nil {
		return f, errors.Join(err, file.Close(), lock.Unlock())
	}
	f.file, f.lock = file, lock
	f.writable.Store(true)
	return f, nil
}

// Create makes a new file, which must not exist, in a folder that is made if need be, and writes events into it. It
// stays open and locked.
func Create(path string, events []*Event) (*File, error) {
	f, err := create(path, events)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s exists already; choose another name", path)
	}
	return f, err
}

// create is Create; the error wraps fs.ErrExist where the file exists.
func create(path string, events []*Event) (*File, error) {
	if err := MakeDir(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("making the folder: %w", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, file: file, lock: flock.New(path)}
	f.writable.Store(true)
	if err = f.identify(file); err == nil {
		err = f.begin(events)
	}
	if err != nil {
		f.Close()
		os.Remove(path) // made here, and not whole
		return nil, fmt.Errorf("writing %s: %w", path, err)
	}
	return f, nil
}

// begin locks a new file and writes the events into it.
func (f *File) begin(events []*Event) error {
	if ok, err := f.lock.TryLock(); err != nil {
		return fmt.Errorf("locking the file: %w", err)
	} else if !ok {
		return errors.New("locking the file: another process has locked it")
	}
	w := bufio.NewWriter(f.file)
	for _, e := range events {
		w.Write(e.Line)
		w.WriteByte('\n')
		f.size += int64(len(e.Line)) + 1
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.file.Sync(); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(f.path))
}

// Path is where the file is.
func (f *File) Path() string { return f.path }

// Writable reports whether the file can be appended to.
func (f *File) Writable() bool { return f.writable.Load() }

// Torn is the hash of the file's last line if that was cut off: the next event to be appended is a Resumed mark that
// names it. It is empty if the line is whole.
func (f *File) Torn() string { return f.torn }

// ResumeFrom takes note of how a file that was opened was found to end.
func (f *File) ResumeFrom(found *Contents) { f.noNewline, f.torn = found.NoNewline, found.Torn }

// Append writes the lines of events and sees them onto the disk. If it fails, none of them is in the file. The error is
// a Lost where the path is no longer that of the file, or somebody else has written to it: then nothing is appended to
// it any more.
func (f *File) Append(events []*Event) error {
	if !f.writable.Load() {
		return ErrReadOnly
	}
	var buf []byte
	if f.noNewline {
		buf = append(buf, '\n')
	}
	for _, e := range events {
		buf = append(append(buf, e.Line...), '\n')
	}
	if err := f.checkUnchanged(); err != nil {
		return err
	}
	n, err := f.file.Write(buf)
	if err == nil && !f.syncDeferred {
		err = f.file.Sync()
	}
	if err != nil {
		return errors.Join(err, f.rollBack(n))
	}
	f.size += int64(n)
	f.noNewline, f.torn = false, ""
	return f.checkUnchanged() // what is in a file that nobody finds is not on record
}

// DeferSync leaves the lines that are appended from now on to the system, which writes them to the disk in its own
// time, until Flush.
func (f *File) DeferSync() { f.syncDeferred = true }

// Flush sees the lines onto the disk that were appended since Hold, and those that are appended later at once. If it
// fails, nothing more is written. The error is a Lost as of Append.
func (f *File) Flush() error {
	f.syncDeferred = false
	if !f.writable.Load() {
		return nil // nothing was appended after what is there, or what went wrong was returned
	}
	if err := f.file.Sync(); err != nil {
		f.writable.Store(false)
		return err
	}
	return f.checkUnchanged()
}

// rollBack removes the n bytes that were written of lines that did not fit, as on a full disk, or may not be on the
// disk. If that fails too, nothing more is written.
func (f *File) rollBack(n int) error {
	if n == 0 {
		return nil
	}
	info, err := f.file.Stat()
	if err == nil {
		err = f.file.Truncate(info.Size() - int64(n))
	}
	f.writable.Store(err == nil)
	return err
}

// Close releases the file, which is only read from then on. The error is a Lost where another program has replaced or
// removed the file.
func (f *File) Close() error {
	if f.file == nil {
		return nil
	}
	var err error
	if f.writable.Load() {
		err = f.checkUnchanged()
	}
	f.writable.Store(false)
	err = errors.Join(err, f.file.Close(), f.lock.Unlock())
	f.file = nil
	return err
}

// SamePath reports whether two paths are of one place.
func SamePath(a, b string) bool {
	x, errX := filepath.Abs(a)
	y, errY := filepath.Abs(b)
	return errX == nil && errY == nil && x == y
}

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
	"time"
)

// disk is the part of *os.File that File needs.
type disk interface {
	io.WriteCloser
	Sync() error
	Stat() (fs.FileInfo, error)
	Truncate(size int64) error
}

// ErrReadOnly is returned by Append if the file cannot be written: it is damaged, locked by another process or not
// writable, or the disk failed.
var ErrReadOnly = errors.New("the file is read-only here")

// File is the file of a log, open for appending and locked. Only one goroutine at a time may append or close; the
// others may only ask for its state.
type File struct {
	path         string
	file         disk // nil if the file is only read
	lock         *Lock
	writable     atomic.Bool
	opened       fs.FileInfo // the identity of the file when it was opened
	inTurn       bool        // the file is locked by this program
	turnSince    time.Time   // when it was locked
	syncDeferred bool        // lines are not flushed after every act
	damaged      bool        // lines could not be read when it was opened
	noNewline    bool        // the file does not end in a line feed
	torn         string      // the hash of the last line if it was cut off; empty if it is whole
	end          int64       // of the file in bytes, as this program knows it
	size         int64       // the same without a last line that was cut off
	lastID       string      // of the last line that is known
	lastAt       int64       // where that begins
}

// LockedError is the error about a file that another process writes to.
type LockedError struct {
	Path string
	By   string // the other process, if the system knows it
	Err  error  // a further error; nil if there is none
}

// Error names the process with the file, and the remedy.
func (l *LockedError) Error() string {
	text := "another process"
	if l.By != "" {
		text += " (" + l.By + ")"
	}
	text += fmt.Sprintf(" has been writing to this file for more than %v; close it there and try again", TurnPatience)
	if l.Err != nil {
		text += "\n" + l.Err.Error()
	}
	return text
}

// Unwrap is the further error.
func (l *LockedError) Unwrap() error { return l.Err }

// OpenFile opens a file for appending. Call it before reading the file, and read as far as Limit: what lies behind it is
// read with the next turn. If the file can only be read, OpenFile returns it with an error that says why; if another
// program is writing to it at the moment, the error is a LockedError.
func OpenFile(path string) (*File, error) {
	f := &File{path: path}
	info, err := Stat(path) // reading a pipe would block
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
	if err := f.identify(file); err != nil {
		return f, errors.Join(err, file.Close())
	}
	lock := NewLock(path)
	if ok, err := lock.TryLock(); err != nil || !ok {
		return f, &LockedError{Path: path, By: lockHolder(f.opened), Err: errors.Join(err, file.Close())}
	}
	info, err = file.Stat() // while no line is written
	err = errors.Join(err, lock.Unlock())
	if err != nil {
		return f, errors.Join(err, file.Close())
	}
	f.file = file
	f.lock = lock
	f.end = info.Size()
	f.writable.Store(true)
	return f, nil
}

// FollowFile is a file that is only read, to follow what other programs append to it.
func FollowFile(path string) (*File, error) {
	info, err := Stat(path)
	return &File{path: path, opened: info}, err
}

// Limit is a reader of the part of the file that was there when it was opened.
func (f *File) Limit(in io.Reader) io.Reader {
	if f.file == nil {
		return in
	}
	return io.LimitReader(in, f.end)
}

// Create makes a new file, which must not exist, in a folder that is made if necessary, and writes events into it. It
// stays open.
func Create(path string, events []*Event) (*File, error) {
	f, err := create(path, events)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s exists already; choose another name", path)
	}
	return f, err
}

// create is Create; the error wraps fs.ErrExist if the file exists.
func create(path string, events []*Event) (*File, error) {
	if err := MakeDir(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("making the folder: %w", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, file: file, lock: NewLock(path)}
	f.writable.Store(true)
	err = f.identify(file)
	if err == nil {
		err = f.begin(events)
	}
	if err != nil {
		f.Close()
		os.Remove(path) // an incomplete file of our own
		return nil, fmt.Errorf("writing %s: %w", path, err)
	}
	return f, nil
}

// begin locks a new file and writes the events into it.
func (f *File) begin(events []*Event) error {
	if err := f.acquire(); err != nil {
		return fmt.Errorf("locking the file: %w", err)
	}
	defer f.lock.Unlock()
	w := bufio.NewWriter(f.file)
	for _, e := range events {
		w.Write(e.Line)
		w.WriteByte('\n')
		f.written(e)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.file.Sync(); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(f.path))
}

// written notes that the line of an event is at the end of the file.
func (f *File) written(e *Event) {
	f.lastID, f.lastAt = e.ID, f.end
	f.end += int64(len(e.Line)) + 1
	f.size = f.end
}

// Path is the path of the file.
func (f *File) Path() string { return f.path }

// Writable reports whether the file can be appended to.
func (f *File) Writable() bool { return f.writable.Load() }

// Torn is the hash of the last line if it was cut off, for the KindResumed mark that precedes the next event. It is
// empty if the line is complete.
func (f *File) Torn() string { return f.torn }

// ResumeFrom sets the state of an opened file from its contents.
func (f *File) ResumeFrom(found *Contents) {
	f.noNewline = found.NoNewline
	f.torn = found.Torn
	f.damaged = len(found.Problems) > 0
	f.size = found.size
	f.lastID = found.lastID
	f.lastAt = found.lastAt
	if f.file == nil { // it was read without a turn
		f.end = f.size
	}
}

// Append writes the lines of events and flushes them to the disk. The caller has the turn. If it fails, none of them is
// in the file. It returns a LostError if the path is no longer that of the file, or its end is not where it was; then
// nothing is appended any more.
func (f *File) Append(events []*Event) error {
	switch {
	case !f.writable.Load():
		return ErrReadOnly
	case !f.inTurn:
		return errors.New("appending to the file needs a turn")
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
	if f.noNewline {
		f.end++
	}
	for _, e := range events {
		f.written(e)
	}
	f.noNewline, f.torn = false, ""
	return f.checkUnchanged() // a file without a name is lost
}

// DeferSync lets the system write the lines that are appended from now on to the disk in its own time, until Flush.
func (f *File) DeferSync() { f.syncDeferred = true }

// Flush flushes the lines since DeferSync to the disk, and ends DeferSync and the turn. If it fails, nothing more is
// written. Like Append, it can return a LostError.
func (f *File) Flush() error {
	f.syncDeferred = false
	if !f.writable.Load() {
		return f.End() // nothing to flush, or the error was returned before
	}
	if err := f.file.Sync(); err != nil {
		f.writable.Store(false)
		return errors.Join(err, f.End())
	}
	return errors.Join(f.checkUnchanged(), f.End())
}

// rollBack removes the last n bytes: lines that were written in part, as on a full disk, or that may not be on the
// disk. If that fails too, nothing more is written.
func (f *File) rollBack(n int) error {
	if n == 0 {
		return nil
	}
	info, err := f.file.Stat()
	if err == nil {
		size := info.Size() - int64(n)
		err = f.file.Truncate(size)
		if errors.Is(err, fs.ErrPermission) {
			err = os.Truncate(f.path, size) // on Windows, a file that is open for appending cannot be truncated
		}
	}
	f.writable.Store(err == nil)
	return err
}

// Close closes and unlocks the file. It returns a LostError if another program has replaced or removed the file.
func (f *File) Close() error {
	if f.file == nil {
		return nil
	}
	var err error
	if f.writable.Load() {
		err = f.checkUnchanged()
	}
	f.writable.Store(false)
	f.inTurn = false
	err = errors.Join(err, f.file.Close(), f.lock.Unlock())
	f.file = nil
	return err
}

// SamePath reports whether two paths are the same file name.
func SamePath(a, b string) bool {
	x, errX := filepath.Abs(a)
	y, errY := filepath.Abs(b)
	return errX == nil && errY == nil && x == y
}

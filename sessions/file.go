package sessions

import (
	"bufio"
	"context"
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

// logFile is a session's file, open for appending and locked while it is. Whoever has the turn to record uses it; the others only see whether it is
// writable.
type logFile struct {
	path     string
	file     disk // nil where the file is only read
	lock     *flock.Flock
	writable atomic.Bool
	unended  bool   // the file does not end in a line feed
	torn     string // the hash of the last line if it was cut off; empty if it is whole
}

// append writes the lines of events and sees them onto the disk. If it fails, none of them is in the file.
func (f *logFile) append(events []*event) error {
	if !f.writable.Load() {
		return errors.New("the file is read-only here; w saves the session elsewhere")
	}
	var buf []byte
	if f.unended {
		buf = append(buf, '\n')
	}
	for _, e := range events {
		buf = append(append(buf, e.line...), '\n')
	}
	n, err := f.file.Write(buf)
	if err == nil {
		err = f.file.Sync()
	}
	if err != nil {
		return errors.Join(err, f.takeBack(n))
	}
	f.unended, f.torn = false, ""
	return nil
}

// takeBack removes the n bytes that were written of lines that did not fit, as on a full disk, or may not be on the disk. If that fails too,
// nothing more is written.
func (f *logFile) takeBack(n int) error {
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

// open makes the file writable: locked against other processes, and open for appending. The error says why it can only be
// read.
func (f *logFile) open() error {
	file, err := os.OpenFile(f.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return fmt.Errorf("the file can be read but not written (%w): w saves the session elsewhere", err)
	}
	lock := flock.New(f.path)
	if ok, err := lock.TryLock(); err != nil || !ok {
		return errors.Join(errors.New("another process is writing to this file: it is read-only here, w saves the session elsewhere"), err, file.Close())
	}
	f.file, f.lock = file, lock
	f.writable.Store(true)
	return nil
}

// close releases the file, which is only read from then on.
func (f *logFile) close() error {
	if f.file == nil {
		return nil
	}
	f.writable.Store(false)
	err := errors.Join(f.file.Close(), f.lock.Unlock())
	f.file = nil
	return err
}

// SaveAs writes the whole session to a new file, which must not exist, and appends every further event to it. The file
// before, if there was one, stays as it is.
func (s *Session) SaveAs(path string) error {
	s.acts.Lock() // so that nothing is recorded meanwhile
	defer s.acts.Unlock()
	s.mu.Lock()
	before, order, closed := s.file, s.order, s.closed
	s.mu.Unlock()
	if closed {
		return ErrClosed
	}
	if before != nil && samePath(before.path, path) && before.writable.Load() {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("making the folder: %w", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already; choose another name", path)
	}
	if err != nil {
		return err
	}
	next := &logFile{path: path, file: file, lock: flock.New(path)}
	next.writable.Store(true)
	if err := next.begin(order); err != nil {
		next.close()
		os.Remove(path) // made here, and not whole
		return fmt.Errorf("writing %s: %w", path, err)
	}
	s.mu.Lock()
	s.file = next
	s.mu.Unlock()
	if before == nil {
		return nil
	}
	return before.close()
}

// begin locks a new file and writes the events into it.
func (f *logFile) begin(events []*event) error {
	if ok, err := f.lock.TryLock(); err != nil || !ok {
		return fmt.Errorf("locking it: %w", cmpErr(err, errors.New("another process has it")))
	}
	w := bufio.NewWriter(f.file)
	for _, e := range events {
		w.Write(e.line)
		w.WriteByte('\n')
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.file.Sync()
}

func cmpErr(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

func samePath(a, b string) bool {
	x, errX := filepath.Abs(a)
	y, errY := filepath.Abs(b)
	return errX == nil && errY == nil && x == y
}

// Open reads a session and stands where it was left. It is appended to unless it is damaged, locked by another process or
// may not be written; Notices says so. Nothing that is in the file is ever changed.
func Open(path string) (*Session, error) { return OpenContext(context.Background(), path) }

// OpenContext is Open, given up when a context ends.
func OpenContext(ctx context.Context, path string) (*Session, error) {
	in, err := OpenRegular(path, maxSession)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	file := &logFile{path: path}
	locked := file.open() // before reading, so that what is read is all there is
	s, err := load(ctx, in, file)
	if err != nil {
		file.close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if locked != nil {
		s.notices = append(s.notices, locked.Error())
	}
	return s, nil
}

// load makes the session of what is in a file. A damaged file is released.
func load(ctx context.Context, in io.Reader, file *logFile) (*Session, error) {
	s, r, err := scan(ctx, in)
	if err != nil {
		return nil, err
	}
	s.file = file
	file.unended, file.torn = r.unended, r.torn
	if r.torn != "" {
		s.notices = append(s.notices, fmt.Sprintf(
			"line %d was not written to its end; everything before it is here, and the session goes on", r.lines))
	}
	if len(r.problems) > 0 {
		s.notices = append(s.notices, r.damage(), "the file is left as it is: w saves what can be read elsewhere")
		return s, file.close()
	}
	return s, nil
}

package sessions

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// maxLine bounds the length of a line in bytes; a longer one is skipped without being held in memory.
const maxLine = 16 << 20

// logFile is a session's file, open for appending and locked while it is.
type logFile struct {
	path     string
	file     *os.File // nil where the file is only read
	lock     *flock.Flock
	writable bool
	torn     bool // the file does not end in a line feed
}

// append writes one line and sees it onto the disk.
func (f *logFile) append(line []byte) error {
	if !f.writable {
		return errors.New("the file is read-only here; w saves the session elsewhere")
	}
	buf := make([]byte, 0, len(line)+2)
	if f.torn {
		buf = append(buf, '\n')
	}
	buf = append(append(buf, line...), '\n')
	if n, err := f.file.Write(buf); err != nil {
		f.torn = f.torn || n > 0
		return err
	}
	f.torn = false
	return f.file.Sync()
}

func (f *logFile) close() error {
	var err error
	if f.file != nil {
		err = f.file.Close()
	}
	if f.lock != nil {
		if e := f.lock.Unlock(); err == nil {
			err = e
		}
	}
	return err
}

// SaveAs writes the whole session to a new file, which must not exist, and appends every further event to it. The file
// before, if there was one, stays as it is.
func (s *Session) SaveAs(path string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil && samePath(s.file.path, path) && s.file.writable {
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
	next := &logFile{path: path, file: file, writable: true, lock: flock.New(path)}
	if err := next.begin(s.order); err != nil {
		next.close()
		os.Remove(path) // made here, and not whole
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if s.file != nil {
		err = s.file.close()
	}
	s.file = next
	return err
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
func Open(path string) (*Session, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := reader{events: map[string]*event{}}
	if err := r.read(f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s, err := r.session()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s.notices = append(s.notices, r.notices()...)
	s.attach(path, &r)
	return s, nil
}

// attach opens the file for appending, if that is safe.
func (s *Session) attach(path string, r *reader) {
	s.file = &logFile{path: path, torn: r.unended}
	if len(r.problems) > 0 {
		s.notices = append(s.notices, "the file is left as it is: w saves what can be read elsewhere")
		return
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		s.notices = append(s.notices, fmt.Sprintf("the file can be read but not written (%v): w saves the session elsewhere", err))
		return
	}
	lock := flock.New(path)
	if ok, err := lock.TryLock(); err != nil || !ok {
		file.Close()
		s.notices = append(s.notices, "another process is writing to this file: it is read-only here, w saves the session elsewhere")
		return
	}
	s.file.file, s.file.lock, s.file.writable = file, lock, true
}

// reader reads a log line by line and keeps what is whole.
type reader struct {
	header   header
	root     *event
	events   map[string]*event
	order    []*event
	elapsed  float64 // seconds from the start to the last event
	problems []string
	torn     string // why the last line is not whole; it was being written when the program ended
	unended  bool   // the last line has no line feed
	lines    int
}

func (r *reader) read(f io.Reader) error {
	in := bufio.NewReaderSize(f, 1<<16)
	for {
		line, ended, err := readLine(in)
		if err != nil && !errors.Is(err, errLongLine) {
			if errors.Is(err, io.EOF) {
				break
			}
			return fmt.Errorf("line %d: %w", r.lines+1, err)
		}
		r.lines++
		if err == nil && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err == nil {
			err = r.take(line)
		}
		if r.root == nil {
			return fmt.Errorf("line 1: %w", err)
		}
		r.unended = !ended
		if err == nil {
			continue
		}
		if !ended {
			r.torn = fmt.Sprintf("line %d was not written to its end (%v)", r.lines, err)
			continue
		}
		r.problems = append(r.problems, fmt.Sprintf("line %d is damaged: %v", r.lines, err))
	}
	if r.root == nil {
		return errors.New("the file is empty")
	}
	return nil
}

var errLongLine = fmt.Errorf("it is longer than %d MiB", maxLine>>20)

// readLine reads a line without its line feed; ended is false if there was none. A line that is too long is skipped.
func readLine(in *bufio.Reader) (line []byte, ended bool, err error) {
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if !long {
			line = append(line, part...)
		}
		if len(line) > maxLine {
			long, line = true, nil
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || len(line) == 0 && !long):
			return nil, false, err
		case long:
			return nil, err == nil, errLongLine
		}
		return bytes.TrimSuffix(line, []byte("\n")), err == nil, nil
	}
}

// take adds one line.
func (r *reader) take(line []byte) error {
	id, rest, err := split(line)
	if err != nil {
		if r.root == nil {
			return fmt.Errorf("this is no %s: %w", formatName, err)
		}
		return err
	}
	if r.root == nil {
		return r.takeHeader(id, rest, line)
	}
	var body eventBody
	if err := json.Unmarshal(rest, &body); err != nil {
		return err
	}
	if _, twice := r.events[id]; twice {
		return errors.New("it stands here a second time")
	}
	parent := r.events[body.Parent]
	if parent == nil {
		return fmt.Errorf("the event %q that it follows cannot be read", body.Parent)
	}
	r.elapsed += max(body.Dt, 0)
	r.add(&event{id: id, parent: parent, kind: body.Kind, data: body.Data, line: bytes.Clone(line), depth: parent.depth + 1})
	return nil
}

func (r *reader) add(e *event) {
	r.events[e.id] = e
	r.order = append(r.order, e)
}

func (r *reader) takeHeader(id string, rest, line []byte) error {
	if err := json.Unmarshal(rest, &r.header); err != nil {
		return err
	}
	if r.header.Format != formatName {
		return fmt.Errorf("this is no %s: its format is %q", formatName, r.header.Format)
	}
	major, _, _ := strings.Cut(r.header.Version, ".")
	n, err := strconv.Atoi(major)
	if err != nil {
		return fmt.Errorf("the format version %q is no number", r.header.Version)
	}
	if n > formatMajor {
		return fmt.Errorf("it is written in format version %s, this program reads up to %d: a newer bandscope is needed",
			r.header.Version, formatMajor)
	}
	r.root = &event{id: id, kind: "header", line: bytes.Clone(line)}
	r.add(r.root)
	return nil
}

// session makes the session of what was read. Events that cannot be applied are problems, like lines that cannot be read.
func (r *reader) session() (*Session, error) {
	cfg, dropped := r.header.Config.known()
	set, err := resolve(cfg)
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	started, err := time.Parse(time.RFC3339, r.header.Started)
	if err != nil {
		started = time.Time{}
	}
	s := &Session{setup: set, root: r.root, events: r.events, order: r.order, started: started, now: time.Now, notices: dropped}
	s.last = s.now()
	for at := s.place(r.order[len(r.order)-1]); at != nil; at = at.parent {
		if s.tip = s.branchEnd(at); s.stand(at) == nil {
			return s, nil
		}
		r.problems = append(r.problems, fmt.Sprintf("event %s (%s) cannot be applied", at.id, at.kind))
	}
	return nil, errors.New("nothing in it can be applied")
}

// branchEnd is the end of the branch that was written last among those that pass through an event.
func (s *Session) branchEnd(at *event) *event {
	for i := len(s.order) - 1; i >= 0; i-- {
		if e := s.order[i]; e.kind != kindVisited && within(at, e) {
			return e
		}
	}
	return at
}

// notices says what was not whole.
func (r *reader) notices() []string {
	var n []string
	if r.torn != "" {
		n = append(n, r.torn+"; everything before it is here, and the session goes on")
	}
	if len(r.problems) > 0 {
		first := r.problems[0]
		if more := len(r.problems) - 1; more > 0 {
			first += fmt.Sprintf(" (and %d more)", more)
		}
		n = append(n, fmt.Sprintf("%s; %d of %d lines can be read", first, len(r.order), r.lines))
	}
	return n
}

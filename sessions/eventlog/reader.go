package eventlog

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// MaxLine bounds the length of a line in bytes; a longer one is skipped without being held in memory.
const MaxLine = 16 << 20

// Contents is the intact part of a log, and the problems of the rest.
type Contents struct {
	Header
	Tree      *Tree
	Elapsed   time.Duration // from the start to the last event
	Lines     int
	Problems  []string // problems, a sentence each
	Torn      string   // the hash of the last line if it is incomplete, because the program ended while it wrote
	NoNewline bool     // the last line has no line feed

	size   int64  // bytes up to the end of the last line that was not cut off
	lastID string // of the last line that can be read
	lastAt int64  // where it begins
}

// Damage describes the problems, and how many lines can be read.
func (f *Contents) Damage() string {
	first := f.Problems[0]
	if rest := len(f.Problems) - 1; rest > 0 {
		first += fmt.Sprintf(" (and %d more)", rest)
	}
	return fmt.Sprintf("%s; %d of %d lines can be read", first, len(f.Tree.events), f.Lines)
}

// Read reads a log and keeps the intact lines. It returns an error if the header cannot be read, and the errors of the
// reader and of the context.
func Read(ctx context.Context, in io.Reader) (*Contents, error) {
	r := reader{Contents: &Contents{}}
	if err := r.read(WithContext(ctx, in)); err != nil {
		return nil, err
	}
	r.Elapsed = time.Duration(r.seconds * float64(time.Second))
	return r.Contents, nil
}

// Count reads the data that a list needs: the first line, whose header it returns, and the number of events of each
// kind, damaged or not.
func Count(ctx context.Context, in io.Reader, kinds ...string) (header json.RawMessage, n []int, err error) {
	lines := bufio.NewReaderSize(WithContext(ctx, in), 1<<16)
	line, _, err := readLine(lines)
	if errors.Is(err, io.EOF) {
		return nil, nil, errEmpty
	}
	r := reader{Contents: &Contents{}}
	if err == nil {
		err = r.take(line)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("line 1: %w", err)
	}
	n = make([]int, len(kinds))
	marks := make([][]byte, len(kinds))
	for i, kind := range kinds {
		marks[i] = []byte(`"kind":"` + kind + `"`) // inside a text the quotation marks would be escaped
	}
	for {
		line, _, err := readLine(lines)
		if errors.Is(err, io.EOF) {
			return r.Tree.Root().Data, n, nil
		}
		if err != nil && !errors.Is(err, errLongLine) {
			return nil, nil, err
		}
		for i, mark := range marks {
			if bytes.Contains(line, mark) {
				n[i]++
			}
		}
	}
}

var (
	errEmpty    = errors.New("the file is empty")
	errLongLine = fmt.Errorf("it is longer than %d MiB", MaxLine>>20)
)

// reader reads a log line by line.
type reader struct {
	*Contents
	seconds float64 // from the start to the last event
	damaged string  // the hash of the previous line if it is damaged
}

func (r *reader) read(f io.Reader) error {
	in := bufio.NewReaderSize(f, 1<<16)
	for offset := int64(0); ; {
		line, ended, err := readLine(in)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, errLongLine) {
			return fmt.Errorf("line %d: %w", r.Lines+1, err)
		}
		r.Lines++
		r.NoNewline = !ended
		start := offset
		offset += int64(len(line))
		if ended {
			offset++
		}
		if err == nil && len(bytes.TrimSpace(line)) == 0 {
			r.size = offset
			continue
		}
		if err == nil {
			err = r.take(line)
		}
		if r.Tree == nil {
			return fmt.Errorf("line 1: %w", err)
		}
		r.judge(line, ended, err)
		if r.Torn == "" {
			r.size = offset
		}
		if err == nil {
			r.lastID, r.lastAt = string(line[len(`{"id":"`):][:idLength]), start
		}
	}
	if r.Tree == nil {
		return errEmpty
	}
	return nil
}

// judge adds the problem of a line: the last line without a line feed was cut off, any other is damaged.
func (r *reader) judge(line []byte, ended bool, err error) {
	r.damaged = ""
	switch {
	case err == nil:
	case !ended && !errors.Is(err, errLongLine):
		r.Torn = hashFor(line)
	default:
		r.Problems = append(r.Problems, fmt.Sprintf("line %d is damaged: %v", r.Lines, err))
		r.damaged = hashFor(line)
	}
}

// readLine reads a line without its line feed; ended is false if there was none. A line that is too long is skipped.
func readLine(in *bufio.Reader) (line []byte, ended bool, err error) {
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if !long {
			line = append(line, part...)
		}
		if len(line) > MaxLine {
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
		if edited := describeCorruption(line); edited != "" {
			err = errors.New(edited)
		}
		if r.Tree == nil {
			return fmt.Errorf("this is not a %s: %w", formatName, err)
		}
		return err
	}
	if r.Tree == nil {
		return r.takeHeader(id, rest, line)
	}
	e, err := newEvent(id, rest, line, r.Tree.Find)
	if err != nil || r.Tree.Find(id) != nil { // a duplicate of an event, as after merging two copies of a log
		return err
	}
	r.seconds += max(e.dt, 0)
	r.Tree.Add(e)
	if e.Kind == KindResumed {
		return r.forgive(e)
	}
	return nil
}

// parseEvent reads a line as an event after one that find knows by its id.
func parseEvent(line []byte, find func(id string) *Event) (*Event, error) {
	id, rest, err := split(line)
	if err != nil {
		return nil, err
	}
	return newEvent(id, rest, line, find)
}

// newEvent is the event of a line with an id and without it.
func newEvent(id string, rest, line []byte, find func(id string) *Event) (*Event, error) {
	var b body
	if err := json.Unmarshal(rest, &b); err != nil {
		return nil, err
	}
	parent := find(b.Parent)
	if parent == nil {
		return nil, fmt.Errorf("its parent event %q cannot be read", b.Parent)
	}
	e := &Event{ID: id, Parent: parent, Kind: b.Kind, Data: b.Data, Line: bytes.Clone(line), Depth: parent.Depth + 1,
		dt: b.Dt, since: seconds(b.Dt)}
	if b.By != nil {
		e.By = b.By.Clean()
	}
	return e, nil
}

// describeCorruption describes typical changes of a line by a text editor; it is empty if there is none.
func describeCorruption(line []byte) string {
	switch {
	case bytes.HasPrefix(line, []byte("\xef\xbb\xbf")):
		return "it starts with a byte-order mark, which some editors add; save it as UTF-8 without one"
	case bytes.HasPrefix(line, []byte("\xff\xfe")), bytes.HasPrefix(line, []byte("\xfe\xff")):
		return "it is UTF-16; save it as UTF-8 without a byte-order mark"
	case bytes.HasSuffix(line, []byte("\r")):
		return "it ends with a carriage return, as on Windows; save it with LF line endings"
	}
	return ""
}

// forgive removes the problem of the previous line if the program continued after that line was cut off.
func (r *reader) forgive(e *Event) error {
	var d ResumedData
	if err := json.Unmarshal(e.Data, &d); err != nil {
		return err
	}
	if r.damaged != "" && d.Torn == r.damaged {
		r.Problems = r.Problems[:len(r.Problems)-1]
	}
	return nil
}

func (r *reader) takeHeader(id string, rest, line []byte) error {
	if err := json.Unmarshal(rest, &r.Header); err != nil {
		return err
	}
	if r.Format != formatName {
		return fmt.Errorf("this is not a %s: its format is %q", formatName, r.Format)
	}
	major, _, _ := strings.Cut(r.Version, ".")
	n, err := strconv.Atoi(major)
	if err != nil {
		return fmt.Errorf("the format version %q is not a number", r.Version)
	}
	if n > formatMajor {
		return fmt.Errorf("it has format version %s, but this program reads versions up to %d; use a newer bandscope",
			r.Version, formatMajor)
	}
	r.Tree = treeWithRoot(id, rest, bytes.Clone(line))
	return nil
}

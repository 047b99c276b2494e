package sessions

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

// maxLine bounds the length of a line in bytes; a longer one is skipped without being held in memory.
const maxLine = 16 << 20

// reader reads a log line by line and keeps what is whole.
type reader struct {
	ctx      context.Context
	header   header
	root     *event
	events   map[string]*event
	order    []*event
	elapsed  float64 // seconds from the start to the last event
	problems []string
	unended  bool   // the last line has no line feed
	torn     string // the hash of the last line, if it is not whole: it was being written when the program ended
	damaged  string // the hash of the line before the one that is read, if it is damaged
	lines    int
}

func (r *reader) read(f io.Reader) error {
	in := bufio.NewReaderSize(f, 1<<16)
	for {
		line, ended, err := readLine(in)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, errLongLine) {
			return fmt.Errorf("line %d: %w", r.lines+1, err)
		}
		r.lines++
		r.unended = !ended
		if err == nil && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err == nil {
			err = r.take(line)
		}
		if r.root == nil {
			return fmt.Errorf("line 1: %w", err)
		}
		r.judge(line, ended, err)
	}
	if r.root == nil {
		return errors.New("the file is empty")
	}
	return nil
}

// judge notes what is wrong with a line: it was cut off if it is the last and has no end, else it is damaged.
func (r *reader) judge(line []byte, ended bool, err error) {
	r.damaged = ""
	switch {
	case err == nil:
	case !ended && !errors.Is(err, errLongLine):
		r.torn = hashOf(line)
	default:
		r.problems = append(r.problems, fmt.Sprintf("line %d is damaged: %v", r.lines, err))
		r.damaged = hashOf(line)
	}
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
		if edited := editedBy(line); edited != "" {
			err = errors.New(edited)
		}
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
	if r.events[id] != nil {
		return nil // the same event again, as after merging two copies of a log
	}
	parent := r.events[body.Parent]
	if parent == nil {
		return fmt.Errorf("the event %q that it follows cannot be read", body.Parent)
	}
	r.elapsed += max(body.Dt, 0)
	e := &event{id: id, parent: parent, kind: body.Kind, data: body.Data, line: bytes.Clone(line), depth: parent.depth + 1}
	r.add(e)
	if e.kind == kindResumed {
		return r.forgive(e)
	}
	return nil
}

// editedBy says what a program that takes the log for a text of its own has done to a line; empty if nothing like it.
func editedBy(line []byte) string {
	switch {
	case bytes.HasPrefix(line, []byte("\xef\xbb\xbf")):
		return "it begins with a byte-order mark, which some editors add: save it as UTF-8 without one"
	case bytes.HasPrefix(line, []byte("\xff\xfe")), bytes.HasPrefix(line, []byte("\xfe\xff")):
		return "it is UTF-16: save it as UTF-8 without a byte-order mark"
	case bytes.HasSuffix(line, []byte("\r")):
		return "it ends in a carriage return, as lines do on Windows: save it with LF alone"
	}
	return ""
}

// forgive takes back the complaint about the line before, if it was cut off and the program went on after it.
func (r *reader) forgive(e *event) error {
	var d resumedData
	if err := json.Unmarshal(e.data, &d); err != nil {
		return err
	}
	if r.damaged != "" && d.Torn == r.damaged {
		r.problems = r.problems[:len(r.problems)-1]
	}
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
	set, err := find(cfg, true)
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	if set.unread != nil {
		dropped = append(dropped, set.unread.Error())
	}
	if set.measure, err = r.header.Range.read(set.problem); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	r.root.state = set.state(r.root.id)
	s := &Session{evaluation: newTurn(), setup: set, lesson: r.header.Lesson, root: r.root, events: r.events, order: r.order, now: time.Now, notices: dropped}
	s.started, s.last = s.now(), s.now()
	if started, err := time.Parse(time.RFC3339, r.header.Started); err == nil {
		s.started, s.last = started, started.Add(time.Duration(r.elapsed*float64(time.Second)))
	}
	for _, e := range r.order {
		s.annotate(e)
	}
	at := s.standing(r.order[len(r.order)-1])
	if s.tip, err = r.applied(s, s.branchEnd(at)); err != nil {
		return nil, err
	}
	if at.depth > s.tip.depth {
		at = s.tip
	}
	return s, s.stand(at)
}

// applied goes from an event towards the root until it finds one that can be applied. What cannot is a problem, like a line
// that cannot be read. The error is that of the context, as it may take long.
func (r *reader) applied(s *Session, tip *event) (*event, error) {
	for _, e := range chain(tip) {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		if _, err := s.stateAt(e); err != nil {
			r.problems = append(r.problems, err.Error())
			break
		}
	}
	for tip.state == nil {
		tip = tip.parent
	}
	return tip, nil
}

// branchEnd is the end of the branch that was written last among those that pass through an event.
func (s *Session) branchEnd(at *event) *event {
	for i := len(s.order) - 1; i >= 0; i-- {
		if e := s.order[i]; !e.mark() && within(at, e) {
			return e
		}
	}
	return at
}

// damage says what is damaged, and what is not.
func (r *reader) damage() string {
	first := r.problems[0]
	if more := len(r.problems) - 1; more > 0 {
		first += fmt.Sprintf(" (and %d more)", more)
	}
	return fmt.Sprintf("%s; %d of %d lines can be read", first, len(r.order), r.lines)
}

package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"bandscope/sessions"
	"bandscope/sessions/log"
)

// SaveAs writes the whole session to a new file, which must not exist, and appends every further event to it. The file before, if there was one, stays as it is.
func (s *Session) SaveAs(path string) error {
	s.acts.Lock() // so that nothing is recorded meanwhile
	defer s.acts.Unlock()
	s.mu.Lock()
	before, events, closed := s.file, s.tree.Events(), s.closed
	s.mu.Unlock()
	if closed {
		return sessions.ErrClosed
	}
	if before != nil && log.SamePath(before.Path(), path) && before.Writable() {
		return nil
	}
	next, err := log.Create(path, events)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.file = next
	s.mu.Unlock()
	if before == nil {
		return nil
	}
	if err := before.Close(); !errors.As(err, new(*log.Lost)) { // what it had is in the new one
		return err
	}
	return nil
}

// rescue goes on in a new file where an error says that the session's file is lost; made are events that are not on record yet. The caller holds the turn.
func (s *Session) rescue(failed error, made []*log.Event) error {
	s.mu.Lock()
	before, events := s.file, s.tree.Events()
	s.mu.Unlock()
	next, notice, err := log.Rescue(failed, append(events, made...))
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.file, s.notices = next, append(slices.Clip(s.notices), notice)
	listener, closed := s.listener, s.closed
	s.mu.Unlock()
	if listener != nil && !closed { // Close returns it
		listener(notice)
	}
	return before.Close()
}

// Open reads a session of a lab and stands where it was left. It is appended to unless it is damaged, locked by another process or may not be written; Notices says
// so. Nothing that is in the file is ever changed. It is given up when the context ends.
func Open(ctx context.Context, path string) (*Session, error) {
	file, locked := log.OpenFile(path) // before reading, so that what is read is all there is
	in, err := log.OpenRegular(path, log.MaxFile)
	if err != nil {
		file.Close()
		return nil, err
	}
	defer in.Close()
	s, found, err := load(ctx, in)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s.file = file
	file.GoOn(found)
	if found.Torn != "" {
		s.notices = append(s.notices, fmt.Sprintf("line %d was not written to its end; everything before it is here, and the session goes on", found.Lines))
	}
	if len(found.Problems) > 0 {
		s.notices = append(s.notices, found.Damage(), "the file is left as it is")
		return s, file.Close()
	}
	if locked != nil {
		s.notices = append(s.notices, locked.Error())
	}
	return s, nil
}

// Peek reads a session of a lab as it is at the moment, for a look only: its file is neither locked nor written to, and what is done with the session stays in memory.
func Peek(ctx context.Context, path string) (*Session, error) {
	in, err := log.OpenRegular(path, log.MaxFile)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	s, found, err := load(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if found.Torn != "" {
		s.notices = append(s.notices, fmt.Sprintf("line %d has no end: it was cut off, or is being written; everything before it is here", found.Lines))
	}
	if len(found.Problems) > 0 {
		s.notices = append(s.notices, found.Damage())
	}
	return s, nil
}

// Read makes a session of a log, in memory. What cannot be read of it is an error.
func Read(ctx context.Context, in io.Reader) (*Session, error) {
	s, found, err := load(ctx, in)
	if err == nil && len(found.Problems) > 0 {
		err = errors.New(found.Damage())
	}
	return s, err
}

// load makes the session of a log, and tells what was found besides. Events that cannot be applied are problems, like lines that cannot be read.
func load(ctx context.Context, in io.Reader) (*Session, *log.Found, error) {
	found, err := log.Read(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	s, err := begun(found)
	if err != nil {
		return nil, nil, fmt.Errorf("line 1: %w", err)
	}
	at := found.Tree.Left()
	s.tip = s.applied(found)
	if at.Depth > s.tip.Depth {
		at = s.tip
	}
	return s, found, s.stand(at)
}

// begun is the session of a log before its first event is applied.
func begun(found *log.Found) (*Session, error) {
	var h header
	if err := json.Unmarshal(found.Tree.Root().Data, &h); err != nil {
		return nil, err
	}
	if h.Lab.Name == "" {
		return nil, errors.New("this is the session of an optimizer and of no lab")
	}
	l, err := Find(h.Lab.Name)
	if err != nil {
		return nil, err
	}
	s := &Session{lab: l, lesson: h.Lesson, platform: h.Platform, now: time.Now}
	if s.params, err = known(l, h.Lab.Params); err != nil {
		return nil, err
	}
	for _, key := range h.Lab.Columns {
		s.cols = append(s.cols, l.Column(key))
	}
	s.started, s.last = s.now(), s.now()
	if started, err := time.Parse(time.RFC3339, h.Started); err == nil {
		s.started, s.last = started, started.Add(found.Elapsed)
	}
	s.grow(found.Tree)
	return s, nil
}

// applied is the end of the branch on which the log was left, or the last event before it that can be applied; the first one that cannot is a problem, like a line that
// cannot be read.
func (s *Session) applied(found *log.Found) *log.Event {
	tip := s.tree.End(s.tree.Left())
	f := &fold{lab: s.lab, cols: s.cols, runs: []course{begin(s.params)}}
	for _, e := range tip.Way()[1:] {
		if err := s.apply(f, e); err != nil {
			found.Problems = append(found.Problems, err.Error())
			return e.Parent
		}
	}
	return tip
}

// Glimpse is as much of a session of a lab as a list tells.
type Glimpse struct {
	Lab   string
	Seed  uint64
	Steps int // updates on record, of the longest run
}

// Glance reads as much of a log as a list tells.
func Glance(ctx context.Context, in io.Reader) (Glimpse, error) {
	s, _, err := load(ctx, in)
	if err != nil {
		return Glimpse{}, err
	}
	g := Glimpse{Lab: s.lab.Name, Seed: uint64(s.params.Int(s.lab.Seed))}
	branches := s.tree.Branches()
	for _, b := range slices.Backward(branches) {
		g.Steps = max(g.Steps, s.steps(b.End))
	}
	return g, nil
}

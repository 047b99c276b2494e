package sessions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"bandscope/sessions/log"
)

// SaveAs writes the whole session to a new file, which must not exist, and appends every further event to it. The file
// before, if there was one, stays as it is.
func (s *Session) SaveAs(path string) error {
	s.acts.Lock() // so that nothing is recorded meanwhile
	defer s.acts.Unlock()
	s.mu.Lock()
	before, events, closed := s.file, s.tree.Events(), s.closed
	s.mu.Unlock()
	if closed {
		return ErrClosed
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

// Open reads a session and stands where it was left. It is appended to unless it is damaged, locked by another process or
// may not be written; Notices says so. Nothing that is in the file is ever changed.
func Open(path string) (*Session, error) { return OpenContext(context.Background(), path) }

// OpenContext is Open, given up when a context ends.
func OpenContext(ctx context.Context, path string) (*Session, error) {
	file, locked := log.OpenFile(path) // before reading, so that what is read is all there is
	in, err := log.OpenRegular(path, log.MaxFile)
	if err != nil {
		file.Close()
		return nil, err
	}
	defer in.Close()
	return opened(ctx, path, in, file, locked)
}

// opened is the session in a file that is read, and written to unless that is locked.
func opened(ctx context.Context, path string, in io.Reader, file *log.File, locked error) (*Session, error) {
	s, err := load(ctx, in, file)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if locked != nil {
		s.notices = append(s.notices, locked.Error())
	} else if err := s.complete(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// complete records what is observed where all is told of a point and the program ended before its observation was written.
func (s *Session) complete() error {
	if !s.file.Writable() || !slices.ContainsFunc(s.state.Out, Iteration.complete) {
		return nil
	}
	_, err := s.act(func() ([]entry, error) { return s.state.settle(), nil })
	return err
}

// OpenToWrite is Open for whoever has something to record: while another process writes to the file it waits, so long at the most, and a session that can only
// be read is an error. That of a file which is still locked then is a log.Locked.
func OpenToWrite(ctx context.Context, path string, wait time.Duration) (*Session, error) {
	file, locked := log.OpenFile(path)
	for until := time.Now().Add(wait); errors.As(locked, new(*log.Locked)) && time.Now().Before(until); {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(retry):
		}
		file, locked = log.OpenFile(path)
	}
	in, err := log.OpenRegular(path, log.MaxFile)
	if err != nil {
		file.Close()
		return nil, err
	}
	defer in.Close()
	if locked != nil {
		return nil, fmt.Errorf("%s: %w", path, locked)
	}
	s, err := opened(ctx, path, in, file, nil)
	if err != nil {
		return nil, err
	}
	if !file.Writable() {
		return nil, errors.Join(fmt.Errorf("%s: nothing can be recorded: %w: %s", path, log.ErrReadOnly, strings.Join(s.notices, "; ")), s.Close())
	}
	return s, nil
}

// retry is how long to wait for the lock on a file before the next try.
const retry = 20 * time.Millisecond

// load makes the session of what is in a file. A damaged file is released.
func load(ctx context.Context, in io.Reader, file *log.File) (*Session, error) {
	s, found, err := read(ctx, in)
	if err != nil {
		return nil, err
	}
	s.file = file
	file.GoOn(found)
	if found.Torn != "" {
		s.notices = append(s.notices, fmt.Sprintf(
			"line %d was not written to its end; everything before it is here, and the session goes on", found.Lines))
	}
	if len(found.Problems) > 0 {
		s.notices = append(s.notices, found.Damage(), "the file is left as it is")
		return s, file.Close()
	}
	return s, nil
}

// Peek reads a session as it is at the moment, for a look only: its file is neither locked nor written to, whoever else writes to it, and
// what is done with the session stays in memory. Notices says what is damaged.
func Peek(ctx context.Context, path string) (*Session, error) {
	in, err := log.OpenRegular(path, log.MaxFile)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	s, found, err := read(ctx, in)
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

// Glance reads as much of a log as a list tells: what the session was begun with, and how many suggestions, but for those that were rejected, and observations are on record over all
// branches.
func Glance(ctx context.Context, in io.Reader) (cfg Config, suggested, observed int, err error) {
	first, counts, err := log.Count(ctx, in, kindSuggested, kindObserved, kindRejected)
	if err != nil {
		return Config{}, 0, 0, err
	}
	var h header
	if err := json.Unmarshal(first, &h); err != nil {
		return Config{}, 0, 0, fmt.Errorf("line 1: %w", err)
	}
	if h.Lab != nil {
		return Config{}, 0, 0, h.Lab.refused()
	}
	return h.Config, counts[0] - counts[2], counts[1], nil
}

// Read makes a session of a log that is whole, in memory.
func Read(ctx context.Context, in io.Reader) (*Session, error) {
	s, _, err := read(ctx, in)
	return s, err
}

// Detach is a copy of the session as it is now, standing where it stands: it has no file, and what is done with it leaves the session alone.
func (s *Session) Detach(ctx context.Context) (*Session, error) {
	s.mu.Lock()
	events, at, tip := s.tree.Events(), s.at.ID, s.tip.ID
	s.mu.Unlock()
	copied, err := Read(ctx, bytes.NewReader(lines(events)))
	if err != nil {
		return nil, err
	}
	copied.tip = copied.tree.Find(tip)
	return copied, copied.stand(copied.tree.Find(at))
}

// Lines are what is on record from a line on, as it would stand in a file, and how many lines there are now: the first is line 0, the header.
func (s *Session) Lines(from int) (text []byte, count int) {
	s.mu.Lock()
	events := s.tree.Events()
	s.mu.Unlock()
	return lines(events[min(from, len(events)):]), len(events)
}

func lines(events []*log.Event) (text []byte) {
	for _, e := range events {
		text = append(append(text, e.Line...), '\n')
	}
	return text
}

// read makes the session of a log, and tells what was found besides. Events that cannot be applied are problems, like lines that cannot be read.
func read(ctx context.Context, in io.Reader) (*Session, *log.Found, error) {
	found, err := log.Read(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	s, err := begun(found)
	if errors.Is(err, ErrLab) {
		return nil, nil, err
	}
	if err != nil {
		return nil, nil, fmt.Errorf("line 1: %w", err)
	}
	at := found.Tree.Left()
	if s.tip, err = s.applied(ctx, found); err != nil {
		return nil, nil, err
	}
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
	if h.Lab != nil {
		return nil, h.Lab.refused()
	}
	cfg, dropped := h.Config.known()
	set, err := find(cfg, true)
	if err != nil {
		return nil, err
	}
	if set.unread != nil {
		dropped = append(dropped, set.unread.Error())
	}
	if set.measure, err = h.Range.read(set.problem); err != nil {
		return nil, err
	}
	s := &Session{evaluation: semaphore.NewWeighted(1), setup: set, lesson: h.Lesson, task: h.Task, now: time.Now, notices: dropped}
	s.started, s.last = s.now(), s.now()
	if started, err := time.Parse(time.RFC3339, h.Started); err == nil {
		s.started, s.last = started, started.Add(found.Elapsed)
	}
	s.grow(found.Tree)
	return s, nil
}

// applied is the end of the branch on which the log was left, or the last event before it that can be applied; the first one that cannot is a
// problem, like a line that cannot be read. The error is that of the context, as it may take long.
func (s *Session) applied(ctx context.Context, found *log.Found) (*log.Event, error) {
	tip := s.tree.End(s.tree.Left())
	for _, e := range tip.Way() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, err := s.folds.at(e); err != nil {
			found.Problems = append(found.Problems, err.Error())
			return e.Parent, nil
		}
	}
	return tip, nil
}

package sessions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// Open reads a session and restores its position. New events are appended unless the file is damaged, locked by another
// process or not writable; Notices says so. Existing lines are never changed. It stops when the context ends.
func Open(ctx context.Context, path string) (*Session, error) {
	return recordComplete(withFits(path)(recorder.Open(ctx, path, fromLog)))
}

// OpenProtected is Open for a screen: nothing is recorded before Continue, or before SaveAs makes a copy. See Protect.
func OpenProtected(ctx context.Context, path string) (*Session, error) {
	s, err := recorder.Open(ctx, path, fromLog)
	if err == nil {
		s.Protect()
	}
	return withFits(path)(s, err)
}

// Continue ends the protection, and records what the program did not write before it ended.
func (s *Session) Continue() error {
	s.Recorder.Continue()
	return s.keepFits(s.Path()).recordComplete()
}

// OpenForWriting is Open for callers that record: while another process writes to the file, it waits for at most the
// given time, and a session that can only be read is an error. The error of a file that is still locked is an
// eventlog.LockedError.
func OpenForWriting(ctx context.Context, path string, wait time.Duration) (*Session, error) {
	return recordComplete(withFits(path)(recorder.OpenForWriting(ctx, path, wait, fromLog)))
}

// withFits returns a function that passes an opened session on with the fits beside its file.
func withFits(path string) func(*Session, error) (*Session, error) {
	return func(s *Session, err error) (*Session, error) {
		if err != nil {
			return s, err
		}
		return s.keepFits(path), nil
	}
}

// recordComplete is OpenForWriting's and Open's last step, which closes the session if it fails.
func recordComplete(s *Session, err error) (*Session, error) {
	if err != nil {
		return s, err
	}
	if err := s.recordComplete(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// recordComplete records an observation that is fully reported but missing, because the program ended before it was
// written.
func (s *Session) recordComplete() error {
	if !s.rec.File.Writable() || !slices.ContainsFunc(s.rec.State().Pending, Iteration.complete) {
		return nil
	}
	_, err := s.rec.Act(func() ([]recorder.Entry, error) { return s.rec.State().observeComplete(), nil })
	return err
}

// OpenReadOnly reads a session as it is now: its file is neither locked nor written to, and may be written by others;
// changes to the session stay in memory. Notices reports damage.
func OpenReadOnly(ctx context.Context, path string) (*Session, error) {
	return withFits(path)(recorder.OpenReadOnly(ctx, path, fromLog))
}

// OpenToFollow is OpenReadOnly for callers that follow, by AwaitEvents, what others write. Nothing can be recorded.
func OpenToFollow(ctx context.Context, path string) (*Session, error) {
	return withFits(path)(recorder.OpenToFollow(ctx, path, fromLog))
}

// ReadSummary reads as much of a log as a list tells: what the session was begun with, and how many suggestions, but
// for those that were rejected, and observations are on record over all branches.
func ReadSummary(ctx context.Context, in io.Reader) (cfg Config, suggested, observed int, err error) {
	first, counts, err := eventlog.Count(ctx, in, kindSuggested, kindObserved, kindRejected)
	if err != nil {
		return Config{}, 0, 0, err
	}
	var h header
	if err := json.Unmarshal(first, &h); err != nil {
		return Config{}, 0, 0, fmt.Errorf("line 1: %w", err)
	}
	if err := h.checkKind(); err != nil {
		return Config{}, 0, 0, err
	}
	return h.Config, counts[0] - counts[2], counts[1], nil
}

// ErrClass is returned for the file of a class, which package class reads.
var ErrClass = errors.New("this is the record of a class, not a session")

// checkKind reports that the header is of a file that is no session of an optimizer.
func (h header) checkKind() error {
	switch {
	case h.Class != nil:
		return ErrClass
	case h.Training != nil:
		return h.Training.unsupported()
	}
	return nil
}

// Read makes a session of a log, in memory, as far as it is whole.
func Read(ctx context.Context, in io.Reader) (*Session, error) {
	s, _, err := recorder.Read(ctx, in, fromLog)
	return s, err
}

// Detach is a copy of the session at its current position: it has no file, and changes to it do not affect the session.
func (s *Session) Detach(ctx context.Context) (*Session, error) {
	s.rec.Lock()
	place, tip := s.rec.At.ID, s.rec.Tip.ID
	s.rec.Unlock()
	text, _ := s.Lines(0)
	copied, err := Read(ctx, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	copied.rec.Tip = copied.rec.Tree.Find(tip)
	return copied, copied.rec.MoveTo(copied.rec.Tree.Find(place))
}

// fromLog is the session of a log before its first event is applied.
func fromLog(found *eventlog.Contents) (*Session, error) {
	var h header
	if err := json.Unmarshal(found.Tree.Root().Data, &h); err != nil {
		return nil, err
	}
	if err := h.checkKind(); err != nil {
		return nil, err
	}
	cfg, dropped := h.Config.dropUnknownParams()
	set, err := find(cfg, true)
	if err != nil {
		return nil, err
	}
	if set.readErr != nil {
		dropped = append(dropped, set.readErr.Error())
	}
	set.outcomeRange, err = h.Range.read(set.problem)
	if err != nil {
		return nil, err
	}
	s := newSession(set)
	s.lesson, s.task = h.Lesson, h.Task
	s.rec.Rules = s.rules()
	s.rec.AddNotices(dropped...)
	return s, nil
}

package recorder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"bandscope/sessions/eventlog"
)

// Session is a session that embeds a Recorder.
type Session interface {
	Close() error
	Notices() []string
	load(ctx context.Context, found *eventlog.Contents) error
	attach(file *eventlog.File, found *eventlog.Contents, locked error) error
	noteDamage(found *eventlog.Contents)
}

// Begin makes the session of what was found, with a record that has its rules and no events.
type Begin[T Session] = func(*eventlog.Contents) (T, error)

// Open reads a session and stands where it was left. It is appended to unless it is damaged, locked by another
// process or may not be written; Notices says so. Nothing that is in the file is ever changed. It is given up when
// the context ends. begin makes the session of what was found, with a record that has its rules and no events.
func Open[T Session](ctx context.Context, path string, begin Begin[T]) (T, error) {
	file, locked := eventlog.OpenFile(path) // before reading, so that what is read is all there is
	return open(ctx, path, file, locked, begin)
}

func open[T Session](ctx context.Context, path string, file *eventlog.File, locked error, begin Begin[T]) (T, error) {
	var none T
	in, err := eventlog.OpenRegular(path, eventlog.MaxFile)
	if err != nil {
		file.Close()
		return none, err
	}
	defer in.Close()
	s, found, err := Read(ctx, in, begin)
	if err == nil {
		err = s.attach(file, found, locked)
	}
	if err != nil {
		file.Close()
		return none, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// OpenForWriting is Open for whoever has something to record: while another process writes to the file it waits, so
// long at the most, and a session that can only be read is an error. That of a file which is still locked then is a
// eventlog.LockedError.
func OpenForWriting[T Session](ctx context.Context, path string, wait time.Duration, begin Begin[T]) (none T,
	err error) {
	file, locked := eventlog.OpenFile(path)
	for until := time.Now().Add(wait); errors.As(locked, new(*eventlog.LockedError)) && time.Now().Before(until); {
		select {
		case <-ctx.Done():
			return none, ctx.Err()
		case <-time.After(lockRetry):
		}
		file, locked = eventlog.OpenFile(path)
	}
	s, err := open(ctx, path, file, locked, begin)
	switch {
	case err != nil:
		return none, err
	case locked != nil:
		return none, errors.Join(fmt.Errorf("%s: %w", path, locked), s.Close())
	case !file.Writable():
		err = fmt.Errorf("%s: nothing can be recorded: %w: %s", path, eventlog.ErrReadOnly,
			strings.Join(s.Notices(), "; "))
		return none, errors.Join(err, s.Close())
	}
	return s, nil
}

// lockRetry is how long to wait for the lock on a file before the next try.
const lockRetry = 20 * time.Millisecond

// OpenReadOnly reads a session as it is at the moment, for a look only: its file is neither locked nor written to,
// whoever else writes to it, and what is done with the session stays in memory. Notices says what is damaged.
func OpenReadOnly[T Session](ctx context.Context, path string, begin Begin[T]) (none T, err error) {
	in, err := eventlog.OpenRegular(path, eventlog.MaxFile)
	if err != nil {
		return none, err
	}
	defer in.Close()
	s, found, err := Read(ctx, in, begin)
	if err != nil {
		return none, fmt.Errorf("%s: %w", path, err)
	}
	s.noteDamage(found)
	return s, nil
}

// Read makes the session of a log in memory, and returns what was found. Events that cannot be applied are problems,
// like lines that cannot be read.
func Read[T Session](ctx context.Context, in io.Reader, begin Begin[T]) (s T, found *eventlog.Contents, err error) {
	if found, err = eventlog.Read(ctx, in); err != nil {
		return s, nil, err
	}
	if s, err = begin(found); err != nil {
		return s, nil, fmt.Errorf("line 1: %w", err)
	}
	return s, found, s.load(ctx, found)
}

// load takes in the events that were found, and stands where the log was left.
func (r Recorder[S]) load(ctx context.Context, found *eventlog.Contents) (err error) {
	rec := r.rec
	rec.Started, rec.Last = rec.Now(), rec.Now()
	if started, err := time.Parse(time.RFC3339, found.Started); err == nil {
		rec.Started, rec.Last = started, started.Add(found.Elapsed)
	}
	rec.setTree(found.Tree)
	at := found.Tree.LastPosition()
	if rec.Tip, err = rec.lastApplicableEvent(ctx, found); err != nil {
		return err
	}
	if at.Depth > rec.Tip.Depth {
		at = rec.Tip
	}
	return rec.MoveTo(at)
}

// lastApplicableEvent is the end of the branch on which the log was left, or the last event before it that can be
// applied; the first one that cannot is a problem, like a line that cannot be read. The error is that of the context,
// as it may take long.
func (r *Record[S]) lastApplicableEvent(ctx context.Context, found *eventlog.Contents) (*eventlog.Event, error) {
	tip := r.Tree.End(r.Tree.LastPosition())
	for _, e := range tip.PathFromRoot() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, err := r.Fold(e); err != nil {
			found.Problems = append(found.Problems, err.Error())
			return e.Parent, nil
		}
	}
	return tip, nil
}

// attach appends to a file from here on, which is released if it is damaged.
func (r Recorder[S]) attach(file *eventlog.File, found *eventlog.Contents, locked error) (err error) {
	r.rec.File = file
	file.ResumeFrom(found)
	if found.Torn != "" {
		r.rec.AddNotices(fmt.Sprintf(
			"line %d is incomplete; everything before it was read, and the session continues", found.Lines))
	}
	if len(found.Problems) > 0 {
		r.rec.AddNotices(found.Damage(), "the file is not changed")
		err = file.Close()
	}
	if locked != nil {
		r.rec.AddNotices(locked.Error())
	}
	return err
}

// noteDamage notes what is damaged in a file that is only looked at.
func (r Recorder[S]) noteDamage(found *eventlog.Contents) {
	if found.Torn != "" {
		r.rec.AddNotices(fmt.Sprintf(
			"line %d is incomplete: it was cut off, or is being written; everything before it was read", found.Lines))
	}
	if len(found.Problems) > 0 {
		r.rec.AddNotices(found.Damage())
	}
}

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

// Begin makes a session from the contents of a log, with a record that has its rules and no events.
type Begin[T Session] = func(*eventlog.Contents) (T, error)

// Open reads a session and goes to its last position. It appends to the file unless the file is damaged, locked by
// another process or not writable; Notices says so. It never changes existing lines. It stops when the context ends.
// begin makes the session, with a record that has its rules and no events.
func Open[T Session](ctx context.Context, path string, begin Begin[T]) (T, error) {
	file, locked, err := openFile(ctx, path, eventlog.TurnPatience)
	if err != nil {
		var none T
		return none, err
	}
	return open(ctx, path, file, locked, begin)
}

// openFile opens the file of a session before it is read, so that no line is missed. While another program is writing it
// waits, at most as long as wait. locked is why the file cannot be written; err is the error of the context.
func openFile(ctx context.Context, path string, wait time.Duration) (file *eventlog.File, locked, err error) {
	file, locked = eventlog.OpenFile(path)
	for until := time.Now().Add(wait); errors.As(locked, new(*eventlog.LockedError)) && time.Now().Before(until); {
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(lockRetry):
		}
		file, locked = eventlog.OpenFile(path)
	}
	return file, locked, nil
}

func open[T Session](ctx context.Context, path string, file *eventlog.File, locked error, begin Begin[T]) (T, error) {
	var none T
	in, err := eventlog.OpenRegular(path, eventlog.MaxFile)
	if err != nil {
		file.Close()
		return none, err
	}
	defer in.Close()
	s, found, err := Read(ctx, file.Limit(in), begin)
	if err == nil {
		err = s.attach(file, found, locked)
	}
	if err != nil {
		file.Close()
		return none, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// OpenForWriting is Open for callers that record. While another process writes to the file it waits, at most as long as
// wait. It returns an error if the session can only be read, an eventlog.LockedError if the file is still locked.
func OpenForWriting[T Session](ctx context.Context, path string, wait time.Duration, begin Begin[T]) (none T,
	err error) {
	file, locked, err := openFile(ctx, path, wait)
	if err != nil {
		return none, err
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

// lockRetry is the time between two tries to lock a file.
const lockRetry = 3 * time.Millisecond

// OpenReadOnly reads a session as it is at the moment. It neither locks nor writes the file; changes of the session
// stay in memory. Notices describes damage.
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

// OpenToFollow is OpenReadOnly for callers that follow what other programs append to the file. Nothing can be recorded.
func OpenToFollow[T Session](ctx context.Context, path string, begin Begin[T]) (none T, err error) {
	file, err := eventlog.FollowFile(path)
	if err != nil {
		return none, err
	}
	return open(ctx, path, file, nil, begin)
}

// Read makes a session in memory from a log, and returns the contents of the log. Events that cannot be applied are
// problems, like lines that cannot be read.
func Read[T Session](ctx context.Context, in io.Reader, begin Begin[T]) (s T, found *eventlog.Contents, err error) {
	found, err = eventlog.Read(ctx, in)
	if err != nil {
		return s, nil, err
	}
	s, err = begin(found)
	if err != nil {
		return s, nil, fmt.Errorf("line 1: %w", err)
	}
	return s, found, s.load(ctx, found)
}

// load applies the events of a log and goes to its last position.
func (r Recorder[S]) load(ctx context.Context, found *eventlog.Contents) (err error) {
	rec := r.rec
	rec.Started, rec.Last = rec.Now(), rec.Now()
	if started, err := time.Parse(time.RFC3339, found.Started); err == nil {
		rec.Started, rec.Last = started, started.Add(found.Elapsed)
	}
	rec.setTree(found.Tree)
	lastPosition := found.Tree.LastPosition()
	rec.Tip, err = rec.lastApplicableEvent(ctx, found)
	if err != nil {
		return err
	}
	if lastPosition.Depth > rec.Tip.Depth {
		lastPosition = rec.Tip
	}
	return rec.MoveTo(lastPosition)
}

// lastApplicableEvent is the end of the branch of the last position, or the last event before it that can be applied;
// the first one that cannot is a problem, like a line that cannot be read. It returns the error of the context.
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

// attach appends to a file from here on; it closes a damaged one.
func (r Recorder[S]) attach(file *eventlog.File, found *eventlog.Contents, locked error) (err error) {
	r.rec.File = file
	file.ResumeFrom(found)
	if found.Torn != "" {
		r.rec.AddNotices(fmt.Sprintf(
			"line %d is incomplete; everything before it was read, and the session continues", found.Lines))
	}
	if len(found.Problems) > 0 {
		r.rec.AddNotices(found.Damage(), "the file is not changed")
		file.GiveUp()
		err = file.Close()
	}
	if locked != nil {
		r.rec.AddNotices(locked.Error())
	}
	return err
}

// noteDamage adds notices on the damage in a file that is opened read-only.
func (r Recorder[S]) noteDamage(found *eventlog.Contents) {
	if found.Torn != "" {
		r.rec.AddNotices(fmt.Sprintf(
			"line %d is incomplete: it was cut off, or is being written; everything before it was read", found.Lines))
	}
	if len(found.Problems) > 0 {
		r.rec.AddNotices(found.Damage())
	}
}

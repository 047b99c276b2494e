package recorder

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"bandscope/sessions/eventlog"
)

// Act records the entries that decide returns, after the current event; decide is called with the lock held. Act
// returns the last event, nil if there are no entries. The entries are written to the file together or not at all.
func (r *Record[S]) Act(decide func() ([]Entry, error)) (*eventlog.Event, error) {
	return r.ActAfter(func() (*eventlog.Event, []Entry, error) {
		entries, err := decide()
		return r.At, entries, err
	})
}

// ActAfter is Act after the event that decide returns. If the session has moved meanwhile, it stays where it is.
func (r *Record[S]) ActAfter(decide func() (*eventlog.Event, []Entry, error)) (*eventlog.Event, error) {
	r.turn.Lock()
	defer r.turn.Unlock()
	return r.record(decide)
}

// record does an act, in a turn of the file: what other programs have appended is added first, so that decide sees the
// present state. The caller holds the turn of the session.
func (r *Record[S]) record(decide func() (*eventlog.Event, []Entry, error)) (*eventlog.Event, error) {
	r.Lock()
	file, closed := r.File, r.closed
	r.Unlock()
	var noTurn error // of a file that is lost or read-only; it matters if there is something to write
	if file != nil && !closed {
		noTurn = r.begin(file)
		if noTurn != nil && !errors.As(noTurn, new(*eventlog.LostError)) && !errors.Is(noTurn, eventlog.ErrReadOnly) {
			return nil, fmt.Errorf("writing %s: %w", file.Path(), noTurn)
		}
		defer file.End()
	}
	r.Lock()
	made, now, err := r.prepare(decide)
	r.Unlock()
	if err == nil && len(made) > 0 && file != nil {
		err = noTurn
		if err == nil {
			err = file.Append(made)
		}
		if err != nil {
			err = r.rescue(err, made)
		}
		if err != nil {
			err = fmt.Errorf("writing %s: %w", file.Path(), err)
		}
	}
	r.Lock()
	defer r.Unlock()
	if err != nil {
		for _, e := range made {
			delete(r.points, e)
		}
		return nil, err
	}
	if len(made) == 0 {
		return nil, nil
	}
	r.Last = now
	for _, e := range made {
		r.add(e)
		switch {
		case e.IsMark():
		case r.At == e.Parent:
			r.At, r.Tip = e, e
		case r.Tip == e.Parent: // the session has moved back meanwhile, so the event is ahead of it
			r.Tip = e
		}
	}
	return made[len(made)-1], nil
}

// add adds an event to the tree.
func (r *Record[S]) add(e *eventlog.Event) {
	r.Tree.Add(e)
	r.annotate(e)
}

// prepare makes the events of the entries, each with its state; it returns those made even if it fails. After a line
// that was cut off, a mark comes first. The caller holds the lock.
func (r *Record[S]) prepare(decide func() (*eventlog.Event, []Entry, error)) (made []*eventlog.Event, last time.Time,
	err error) {
	last = r.Last
	if r.closed {
		return nil, last, ErrClosed
	}
	after, entries, err := decide()
	if err != nil || len(entries) == 0 {
		return nil, last, err
	}
	if r.protected {
		return nil, last, ErrProtected
	}
	if r.File != nil && r.File.Torn() != "" {
		entries = slices.Insert(slices.Clip(entries), 0,
			Entry{Kind: eventlog.KindResumed, Data: eventlog.ResumedData{Torn: r.File.Torn()}})
	}
	for i := 0; i < len(entries); i++ {
		d, now := entries[i], r.Now()
		e, err := r.Tree.Next(after, d.Kind, d.Data, cmp.Or(d.By, r.actor, r.author), now.Sub(last))
		if err != nil {
			return made, last, fmt.Errorf("a %s event: %w", d.Kind, err)
		}
		st, err := r.Fold(e)
		if err != nil {
			return made, last, err
		}
		made, last = append(made, e), now
		if !e.IsMark() {
			after = e
		}
		if r.Rules.FollowUps != nil {
			entries = slices.Insert(entries, i+1, r.Rules.FollowUps(*st, d.Kind)...)
		}
	}
	return made, last, nil
}

// RecordTogether does several acts, such as the rows of a table, and flushes them to disk once, when it returns,
// together with acts of other goroutines. If it fails, some of them may be missing from the file.
func (r Recorder[S]) RecordTogether(do func() error) error {
	rec := r.rec
	rec.turn.Lock()
	if rec.File != nil {
		rec.File.DeferSync() // and of the turns of the file, as few as others can bear
	}
	rec.turn.Unlock()
	err := do()
	rec.turn.Lock()
	defer rec.turn.Unlock()
	if rec.File == nil {
		return err
	}
	flushed := rec.File.Flush()
	if flushed != nil {
		flushed = rec.rescue(flushed, nil)
	}
	return errors.Join(err, flushed)
}

// rescue continues in a new file if the error says that the file of the session is lost; made are the events that are
// not recorded yet. The caller holds the turn.
func (r *Record[S]) rescue(failed error, made []*eventlog.Event) error {
	r.Lock()
	before, events := r.File, r.Tree.Events()
	r.Unlock()
	next, notice, err := eventlog.Rescue(failed, append(events, made...))
	if err != nil {
		return err
	}
	r.Lock()
	r.File = next
	r.AddNotices(notice)
	listener, closed := r.listener, r.closed
	r.Unlock()
	if listener != nil && !closed { // Close returns it
		listener(notice)
	}
	return before.Close()
}

// SaveAs writes the whole session to a new file, which must not exist, and appends every further event to it. The
// previous file, if there is one, does not change.
func (r Recorder[S]) SaveAs(path string) error {
	rec := r.rec
	rec.turn.Lock() // so that nothing is recorded meanwhile
	defer rec.turn.Unlock()
	rec.Lock()
	before := rec.File
	events := rec.Tree.Events()
	closed := rec.closed
	rec.Unlock()
	if closed {
		return ErrClosed
	}
	if before != nil && eventlog.SamePath(before.Path(), path) && before.Writable() {
		return nil
	}
	next, err := eventlog.Create(path, events)
	if err != nil {
		return err
	}
	rec.Lock()
	rec.File = next
	rec.protected = false
	rec.Unlock()
	if before == nil {
		return nil
	}
	if err := before.Close(); !errors.As(err, new(*eventlog.LostError)) { // the new file has all of it
		return err
	}
	return nil
}

// Protect makes acts fail with ErrProtected, and Close leave the file as it is, until Continue or SaveAs.
func (r Recorder[S]) Protect() {
	r.rec.Lock()
	defer r.rec.Unlock()
	r.rec.protected = true
}

// Protected reports whether the session is protected, and could otherwise be recorded in its file.
func (r Recorder[S]) Protected() bool {
	r.rec.Lock()
	defer r.rec.Unlock()
	return r.rec.protected && r.rec.File != nil && r.rec.File.Writable()
}

// Continue ends the protection: acts are recorded in the file again.
func (r Recorder[S]) Continue() error {
	r.rec.Lock()
	defer r.rec.Unlock()
	r.rec.protected = false
	return nil
}

// Close closes the session and its file. If the current event is not the last one, Close marks it in the file, so that
// opening the file returns to it. It also marks that a person has seen on a screen what others recorded last. From then on every act returns ErrClosed, also one that is running; reading still
// works. Closing again does nothing. Close returns an error if another program took the file away and the session is in
// a new one.
func (r Recorder[S]) Close() error {
	rec := r.rec
	rec.turn.Lock()
	defer rec.turn.Unlock()
	rec.Lock()
	closed := rec.closed
	moved := !closed && !rec.protected && rec.File != nil && rec.File.Writable() && (rec.Tree.LastPosition() != rec.At || rec.seesNews())
	rec.Unlock()
	if closed {
		return nil
	}
	var err error
	if moved {
		err = rec.visit()
	}
	rec.Lock()
	rec.closed = true
	close(rec.shut)
	rec.Unlock()
	if rec.File == nil {
		return err
	}
	ended := rec.File.Close()
	if errors.As(ended, new(*eventlog.LostError)) {
		ended = rec.rescue(ended, nil)
		if ended == nil {
			ended = errors.Join(errors.New(rec.notices[len(rec.notices)-1]), rec.File.Close())
		}
	}
	return errors.Join(err, ended)
}

// seesNews reports whether the author sees on a screen what another known author recorded last.
func (r *Record[S]) seesNews() bool {
	events := r.Tree.Events()
	last := events[len(events)-1].By
	return r.author.OnScreen() && last.Known() && !last.SamePerson(r.author)
}

// visit marks the current event as the place where the session was closed. The caller holds the turn.
func (r *Record[S]) visit() error {
	_, err := r.record(func() (*eventlog.Event, []Entry, error) {
		if r.Tree.LastPosition() == r.At && !r.seesNews() {
			return nil, nil, nil
		}
		return r.At, []Entry{{Kind: eventlog.KindVisited, Data: struct{}{}}}, nil
	})
	if errors.As(err, new(*eventlog.LockedError)) { // the place is no result
		return nil
	}
	return err
}

// Lines are the recorded lines from a line on, as in a file, and the number of lines; line 0 is the header.
func (r Recorder[S]) Lines(from int) (text []byte, count int) {
	r.rec.Lock()
	events := r.rec.Tree.Events()
	r.rec.Unlock()
	for _, e := range events[min(from, len(events)):] {
		text = append(append(text, e.Line...), '\n')
	}
	return text, len(events)
}

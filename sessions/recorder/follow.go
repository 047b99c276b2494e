package recorder

import (
	"context"
	"errors"

	"bandscope/sessions/eventlog"
)

// Several programs can have the file of a session open. Each takes its turn to append, and adds what the others have
// appended to its own tree of events: before each act, and with Refresh.

// Refresh adds the events that other programs have appended to the file since the last act. A session at the end of its
// branch follows them; one that has moved back stays where it is. Refresh needs no turn of the file. A DamagedError says
// that a line of another program cannot be read or applied: then the session is read-only.
func (r Recorder[S]) Refresh() error {
	rec := r.rec
	rec.turn.Lock()
	defer rec.turn.Unlock()
	rec.Lock()
	file, closed := rec.File, rec.closed
	rec.Unlock()
	if file == nil || closed {
		return nil
	}
	added, err := file.Follow(rec.Tree)
	if errors.As(err, new(*eventlog.LostError)) && file.Writable() { // the next act writes the session to another file
		err = nil
	}
	return rec.adopt(added, err)
}

// Arrivals are the events that other programs have appended since Arrivals was called last, as far as they are on the
// current branch.
func (r *Record[S]) Arrivals() (list []*eventlog.Event) {
	path := r.PathToTip()
	for _, e := range r.arrivals {
		if e.Kind == eventlog.KindAnnotated || !e.IsMark() && e.Depth < len(path) && path[e.Depth] == e {
			list = append(list, e)
		}
	}
	r.arrivals = nil
	return list
}

// MovedByOthers reports whether the session has moved on from an event, by its ID, only because other programs recorded
// events after it.
func (r *Record[S]) MovedByOthers(from string) bool {
	e := r.At
	for ; e != nil && e.ID != from; e = e.Parent {
		if !e.Foreign {
			return false
		}
	}
	return e != nil && e != r.At
}

// begin takes the turn of the file, and adds what others have appended. After an error there is no turn. The caller
// holds the turn of the session.
func (r *Record[S]) begin(file Journal) error {
	added, err := file.Begin(r.Tree)
	err = r.adopt(added, err)
	if err != nil {
		return errors.Join(err, file.End())
	}
	return nil
}

// adopt adds events of other programs to the tree, and passes on the error with which they were read. The caller holds
// the turn of the session.
func (r *Record[S]) adopt(added []*eventlog.Event, err error) error {
	r.Lock()
	for _, e := range added {
		if _, wrong := r.Fold(e); wrong != nil && !e.IsMark() {
			err = &eventlog.DamagedError{Path: r.File.Path(), Err: wrong}
			break
		}
		r.add(e)
		r.Last = r.Started.Add(e.Elapsed)
		r.arrivals = append(r.arrivals, e)
		if e.IsMark() || e.Parent != r.Tip {
			continue
		}
		if r.At == r.Tip {
			r.At = e
		}
		r.Tip = e
	}
	listener := r.listener
	if !errors.As(err, new(*eventlog.DamagedError)) {
		listener = nil
	} else {
		r.File.GiveUp()
		r.AddNotices(err.Error())
	}
	r.Unlock()
	if listener != nil {
		listener(err.Error())
	}
	return err
}

// Await waits until other programs have appended to the session's file, and adds what they appended, as Refresh does; it
// returns at once if there are arrivals that nobody has taken yet. It returns ErrClosed when the session is closed, and
// the errors of Refresh and of the context. Only one goroutine may wait.
func (r Recorder[S]) Await(ctx context.Context) error {
	return r.await(ctx, func() bool { return len(r.rec.arrivals) > 0 })
}

// AwaitEvents waits until more than so many events are on record, by this program or another one. It adds what others
// have appended, and returns the errors of Await; any number of goroutines may wait.
func (r Recorder[S]) AwaitEvents(ctx context.Context, count int) error {
	return r.await(ctx, func() bool { return len(r.rec.Tree.Events())-1 > count })
}

// await waits for the file until a condition holds, which is called with the lock held.
func (r Recorder[S]) await(ctx context.Context, holds func() bool) error {
	rec := r.rec
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-rec.shut:
			cancel()
		case <-ctx.Done():
		}
	}()
	var w *eventlog.Watcher
	defer func() {
		if w != nil {
			w.Close()
		}
	}()
	for {
		if path := r.Path(); w == nil || w.Path() != path {
			if w != nil {
				w.Close()
			}
			w = eventlog.NewWatcher(path) // before the file is read, so that nothing is missed
		}
		if err := r.Refresh(); err != nil {
			return err
		}
		rec.Lock()
		closed, done := rec.closed, holds()
		rec.Unlock()
		switch {
		case closed:
			return ErrClosed
		case done:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		}
		w.Wait(ctx)
	}
}

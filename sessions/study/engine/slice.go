package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"bandscope/model/parallel"
	"bandscope/sessions/safe"
	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
)

const (
	tries     = 3                      // how often a cell is tried that fails
	deaths    = 10                     // how often a slice is begun whose workers end in the midst of it
	busy      = 250 * time.Millisecond // after which a job is asked for again that found all cores taken
	elsewhere = time.Minute            // the same, of a cell of another program
	again     = 2 * time.Second        // the same, where the database failed
	patience  = 3 * time.Second        // how long a worker that is to end tries to hand over
	firstTry  = 100 * time.Millisecond // between tries to hand over; it doubles
	lastTry   = 5 * time.Second
	maxError  = 4000 // bytes of an error that are kept
)

// slicer works slices.
type slicer[T any] struct {
	river.WorkerDefaults[job]
	*process
	db database[T]
}

// Timeout says that the queue ends no slice: it ends by itself, and a step takes what it takes.
func (s *slicer[T]) Timeout(*river.Job[job]) time.Duration { return -1 }

// NextRetry is when a job is tried again that the database failed.
func (s *slicer[T]) NextRetry(*river.Job[job]) time.Time { return time.Now().Add(again) }

// Work works one slice. An error is the database's, and the queue tries again; what is wrong with the cell is noted with it.
func (s *slicer[T]) Work(ctx context.Context, rj *river.Job[job]) error {
	if s.soft.Err() != nil {
		return river.JobSnooze(0)
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	default:
		return river.JobSnooze(busy)
	}
	defer s.look()
	turn := store.Turn{Study: rj.Args.Study, Cell: rj.Args.Cell, Part: rj.Args.Part, Job: rj.ID, Attempt: rj.Attempt, Worker: s.name, Program: s.program}
	claimed, foreign, err := s.claim(ctx, turn)
	switch {
	case errors.Is(err, store.ErrTaken):
		return nil
	case err != nil:
		return err
	case foreign != nil:
		s.tell(foreign.Error())
		return river.JobSnooze(elsewhere)
	}
	run := s.kept.take(turn.Study, turn.Cell, turn.Part)
	var text []byte
	if run == nil {
		if text, err = s.store.LogOf(context.WithoutCancel(ctx), turn.Study, turn.Cell); err != nil {
			return err
		}
	}
	var slice store.Slice
	parallel.Alongside(func() { run, slice = s.slice(run, claimed, text) })
	err = s.handOver(ctx, rj, turn, claimed.Keep, slice)
	if errors.Is(err, store.ErrTaken) {
		s.tell(fmt.Sprintf("%s: a slice took so long without a sign of life, or the database to answer, that it is no longer this worker's; it counts where it was handed over", claimed.Cell))
		return nil
	}
	if err == nil && slice.Error == "" && slice.Status == study.Waiting {
		s.kept.put(turn.Study, turn.Cell, turn.Part+1, run)
	}
	return err
}

// claim takes the slice; foreign is not nil if the cell belongs to another program.
func (s *slicer[T]) claim(ctx context.Context, turn store.Turn) (claimed store.Claimed, foreign *store.ForeignCell, err error) {
	err = s.db.transact(ctx, func(t T) error {
		claimed, err = store.Claim(ctx, s.db.wrap(t), turn)
		if errors.As(err, &foreign) {
			return nil // what it noted counts
		}
		return err
	})
	return claimed, foreign, err
}

// slice steps a run, which is begun by its log so far unless this process has it still, until the slice is over or the run is, or the worker is to end; what is done then is what is
// handed over.
func (s *process) slice(run course, claimed store.Claimed, text []byte) (course, store.Slice) {
	began := time.Now()
	out := store.Slice{Status: study.Waiting, Steps: store.AsBefore}
	err := claimed.Wrong
	switch {
	case err != nil:
	case claimed.Claims > deaths:
		err = fmt.Errorf("%d workers ended in the midst of this slice: it may take more memory than they have", claimed.Claims-1)
	default:
		err = caught(func() (err error) {
			if run == nil {
				run, err = s.begin(s.soft, claimed.Cell, text)
			}
			if err == nil {
				out.Before = run.trace()
			}
			return err
		})
	}
	if err == nil {
		err = caught(func() error { return s.steps(run, began) })
		if broken := caught(func() error {
			out.Trace, out.Lines = run.trace(), run.lines()
			out.Steps = run.steps()
			return nil
		}); broken != nil {
			err = broken
		}
	}
	out.Seconds = time.Since(began).Seconds()
	switch {
	case err != nil && s.soft.Err() == nil:
		if out.Error = safe.Redacted(err.Error()); len(out.Error) > maxError {
			out.Error = strings.ToValidUTF8(out.Error[:maxError], "") + " …"
		}
		if claimed.Attempts+1 >= tries || claimed.Claims > deaths || claimed.Wrong != nil {
			out.Status = study.Failed
		}
		s.tell(fmt.Sprintf("%s: %v", claimed.Cell, firstLine(err)))
	case err == nil && run.over():
		out.Status = study.Done
	}
	return run, out
}

// caught is the error of what is done, also if it panics.
func caught(do func() error) (err error) {
	if p := parallel.Catch(func() { err = do() }); p != nil {
		return p
	}
	return err
}

// steps steps a run until the slice is over: before a step that would likely end after its time.
func (s *process) steps(run course, began time.Time) error {
	var longest time.Duration
	for done := 0; !run.over() && s.soft.Err() == nil; done++ {
		lasted := time.Since(began)
		if done > 0 && s.enough(done, lasted+longest) {
			return nil
		}
		if err := run.step(s.soft); err != nil {
			return err
		}
		longest = max(longest, time.Since(began)-lasted)
	}
	return nil
}

// handOver hands a slice over. While the database cannot take it, as on a full disk, it is tried again; a worker that is to end tries for a while.
func (s *slicer[T]) handOver(ctx context.Context, rj *river.Job[job], turn store.Turn, keep study.Keep, slice store.Slice) error {
	ctx = context.WithoutCancel(ctx)
	var ending time.Time
	for wait := firstTry; ; wait = min(2*wait, lastTry) {
		err := s.db.transact(ctx, func(t T) error {
			if slice.Status == study.Waiting {
				j := job{turn.Study, turn.Cell, turn.Part + 1}
				next, err := river.ClientFromContext[T](ctx).InsertTx(ctx, t, j, j.options(goesOn))
				if err != nil {
					return err
				}
				slice.Next = next.Job.ID
			}
			if err := store.Put(ctx, s.db.wrap(t), turn, keep, slice); err != nil {
				return err
			}
			return complete(ctx, t, rj)
		})
		if err == nil || errors.Is(err, store.ErrTaken) {
			return err
		}
		s.tell(fmt.Sprintf("%s: a slice waits to be written: %v", s.store, err))
		if s.soft.Err() != nil && ending.IsZero() {
			ending = time.Now().Add(patience)
		}
		if !ending.IsZero() && time.Now().After(ending) {
			return fmt.Errorf("a slice of %.0f s could not be written to %s, and is worked anew: %w", math.Ceil(slice.Seconds), s.store, err)
		}
		ended := s.soft.Done()
		if !ending.IsZero() {
			ended = nil // known
		}
		select {
		case <-time.After(wait):
		case <-ended: // tried at once, and often from here on
			wait = firstTry / 2
		}
	}
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

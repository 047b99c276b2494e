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
	var run course
	var slice store.Slice
	parallel.Alongside(func() { run, slice = s.slice(turn, claimed) })
	err = s.handOver(ctx, rj, turn, claimed.Keep, slice)
	if errors.Is(err, store.ErrTaken) {
		s.tell(fmt.Sprintf("%s: a slice took so long without a sign of life that another worker has it now; it counts there", claimed.Cell))
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

// slice steps the cell until the slice is over or the run is, or the worker is to end; what is done then is what is handed over.
func (s *process) slice(turn store.Turn, claimed store.Claimed) (run course, out store.Slice) {
	began := time.Now()
	err := func() (err error) {
		if claimed.Claims > deaths {
			return fmt.Errorf("%d workers ended in the midst of this slice: it may take more memory than they have", claimed.Claims-1)
		}
		if p := parallel.Catch(func() { run, err = s.open(turn, claimed) }); p != nil {
			return p
		}
		if err != nil {
			return err
		}
		out.Before = run.trace()
		if p := parallel.Catch(func() { err = s.steps(run, began) }); p != nil {
			return p
		}
		return err
	}()
	if run != nil {
		out.Trace, out.Steps, out.Lines = run.trace(), run.steps(), run.lines()
	}
	out.Seconds = time.Since(began).Seconds()
	out.Status = study.Waiting
	switch {
	case err != nil && s.soft.Err() == nil:
		if out.Error = err.Error(); len(out.Error) > maxError {
			out.Error = strings.ToValidUTF8(out.Error[:maxError], "") + " …"
		}
		if claimed.Attempts+1 >= tries || claimed.Claims > deaths {
			out.Status = study.Failed
		}
		s.tell(fmt.Sprintf("%s: %v", claimed.Cell, firstLine(err)))
	case err == nil && run.over():
		out.Status = study.Done
	}
	return run, out
}

// open is the run as this process left it, if it had the slice before, or as its log says.
func (s *process) open(turn store.Turn, claimed store.Claimed) (course, error) {
	if run := s.kept.take(turn.Study, turn.Cell, turn.Part); run != nil {
		return run, nil
	}
	text, err := s.store.LogOf(s.soft, turn.Study, turn.Cell)
	if err != nil {
		return nil, err
	}
	return s.begin(s.soft, claimed.Cell, text)
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
		time.Sleep(wait)
	}
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

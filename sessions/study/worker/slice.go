package worker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"bandscope/model/parallel"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study/store"
)

const (
	tries     = 3                      // how often a step is tried that fails
	deaths    = 10                     // how often a slice is begun whose workers end in the midst of it
	busy      = 250 * time.Millisecond // after which a job is asked for again that found all cores taken
	elsewhere = time.Minute            // the same, of a cell of another program
	again     = 2 * time.Second        // the same, where the database failed
	soon      = 100 * time.Millisecond // the same, where a step failed
	patience  = 3 * time.Second        // how long a worker that is to end tries to hand over
	firstTry  = 100 * time.Millisecond // between tries to hand over; it doubles
	lastTry   = 5 * time.Second
	maxError  = 4000 // bytes of an error that are kept
)

// slicer works slices.
type slicer struct {
	river.WorkerDefaults[store.Job]
	*process
}

// Timeout says that the queue ends no slice: it ends by itself, and a step takes what it takes.
func (s *slicer) Timeout(*river.Job[store.Job]) time.Duration { return -1 }

// NextRetry is when a slice is tried again that failed.
func (s *slicer) NextRetry(*river.Job[store.Job]) time.Time { return time.Now().Add(soon) }

// Work works one slice. An error is the cell's; where the database failed, or there is nothing to do now, the job is
// snoozed.
func (s *slicer) Work(ctx context.Context, job *river.Job[store.Job]) error {
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
	cell, text, run, err := s.begun(context.WithoutCancel(ctx), job.Args)
	switch {
	case err != nil:
		s.tell(err.Error())
		return river.JobSnooze(again)
	case cell.Ended:
		return nil
	case cell.Program != "" && cell.Program != s.store.Program:
		s.tell(fmt.Sprintf("%s was begun by bandscope %s, which alone goes on with it", cell.Cell, cell.Program))
		return river.JobSnooze(elsewhere)
	}
	var slice store.Slice
	parallel.Alongside(func() { run, slice, err = s.slice(run, job, cell, text) })
	if err != nil {
		slice.Error = shortened(err)
		s.tell(fmt.Sprintf("%s: %v", cell.Cell, firstLine(err)))
	}
	if slice.Steps <= cell.Steps && !slice.Over { // nothing to hand over
		failures, _ := store.Failures(job.JobRow)
		switch {
		case err == nil:
			return river.JobSnooze(0)
		case cell.Wrong != nil || s.died(job) >= deaths || cell.Failures+failures+1 >= tries:
			return river.JobCancel(errors.New(slice.Error))
		}
		return errors.New(slice.Error)
	}
	return s.handOver(ctx, job, cell, run, slice)
}

// begun is a cell as it is kept: its run where this process has it still, else its session so far.
func (s *slicer) begun(ctx context.Context, j store.Job) (cell store.Run, text []byte, run course, err error) {
	if cell, err = s.store.Run(ctx, j); err != nil || cell.Ended {
		return cell, nil, nil, err
	}
	if run = s.kept.take(j, cell.Steps); run == nil {
		text, err = s.store.LogOf(ctx, j)
	}
	return cell, text, run, err
}

// died is how many workers ended in the midst of a slice.
func (s *slicer) died(job *river.Job[store.Job]) int {
	failures, _ := store.Failures(job.JobRow)
	return job.Attempt - 1 - failures
}

// slice steps a run, which is begun by its log so far unless this process has it still, until the slice is over or the
// run is, or the worker is to end. The error is that of a step.
func (s *slicer) slice(run course, job *river.Job[store.Job], cell store.Run, text []byte) (course, store.Slice,
	error) {
	began := time.Now()
	out := store.Slice{}
	if cell.Wrong != nil {
		return run, out, cell.Wrong
	}
	if n := s.died(job); n >= deaths {
		return run, out, fmt.Errorf("%d workers ended in the midst of this slice: it may take more memory than they "+
			"have", n)
	}
	err := caught(func() (err error) {
		if run == nil {
			run, err = s.begin(s.soft, cell.Cell, text)
		}
		if err == nil {
			out.Before = run.trace()
		}
		return err
	})
	if err == nil {
		err = caught(func() error { return s.steps(run, began) })
		if broken := caught(func() error {
			out.Trace, out.Lines, out.Over = run.trace(), run.lines(), err == nil && run.over()
			out.Steps = run.steps()
			return nil
		}); broken != nil {
			err = broken
		}
	}
	if out.Seconds = time.Since(began).Seconds(); s.soft.Err() != nil {
		err = nil // of a step that was given up
	}
	return run, out, err
}

// caught is the error of what is done, also if it panics.
func caught(do func() error) (err error) {
	if p := parallel.Catch(func() { err = do() }); p != nil {
		return p
	}
	return err
}

// steps steps a run until the slice is over: before a step that would likely end after its time.
func (s *slicer) steps(run course, began time.Time) error {
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

// handOver hands a slice over. While the database cannot take it, as on a full disk, it is tried again; a worker that
// is to end tries for a while.
func (s *slicer) handOver(ctx context.Context, job *river.Job[store.Job], cell store.Run, run course,
	slice store.Slice) error {
	ctx = context.WithoutCancel(ctx)
	var ending time.Time
	for wait := firstTry; ; wait = min(2*wait, lastTry) {
		err := s.store.HandOver(ctx, job, cell, slice)
		switch {
		case errors.Is(err, store.ErrTaken):
			s.tell(fmt.Sprintf("%s: a slice took so long without a sign of life, or the database to answer, that it "+
				"is no longer this worker's; it counts where it was handed over", cell.Cell))
			return nil
		case err == nil && slice.Error == "" && !slice.Over:
			s.kept.put(job.Args, run)
			return nil
		case err == nil:
			return nil
		}
		s.tell(fmt.Sprintf("%s: a slice waits to be written: %v", s.store, err))
		if s.soft.Err() != nil && ending.IsZero() {
			ending = time.Now().Add(patience)
		}
		if !ending.IsZero() && time.Now().After(ending) {
			s.tell(fmt.Sprintf("a slice of %.0f s could not be written to %s, and is worked anew: %v",
				math.Ceil(slice.Seconds), s.store, err))
			return river.JobSnooze(again)
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

// shortened is the text of an error as it is kept.
func shortened(err error) string {
	text := sanitize.Redacted(err.Error())
	if len(text) > maxError {
		text = strings.ToValidUTF8(text[:maxError], "") + " …"
	}
	return text
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

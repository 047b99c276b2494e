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
	maxStepTries      = 3                      // attempts at a step that fails
	maxWorkerDeaths   = 10                     // attempts at a slice whose workers die
	busyDelay         = 250 * time.Millisecond // delay of a job that found all cores taken
	otherVersionDelay = time.Minute            // delay of a cell of another version
	programDelay      = 15 * time.Second       // delay of a cell that needs a program
	databaseDelay     = 2 * time.Second        // delay after an error of the database
	stepDelay         = 100 * time.Millisecond // delay after a failed step
	handOverTimeout   = 3 * time.Second        // how long a worker that must end tries to commit
	minHandOverDelay  = 100 * time.Millisecond // between tries to commit; it doubles
	maxHandOverDelay  = 5 * time.Second
	maxError          = 4000 // bytes of an error that are kept
)

// slicer runs slices.
type slicer struct {
	river.WorkerDefaults[store.Job]
	*process
}

// Timeout is -1: the queue ends no slice, because a slice ends on its own, and a step may take long.
func (s *slicer) Timeout(*river.Job[store.Job]) time.Duration { return -1 }

// NextRetry is the time of the next attempt after a failure.
func (s *slicer) NextRetry(*river.Job[store.Job]) time.Time { return time.Now().Add(stepDelay) }

// Work runs one slice. An error is the cell's; after an error of the database, or if there is nothing to do now, the
// job is snoozed.
func (s *slicer) Work(ctx context.Context, job *river.Job[store.Job]) error {
	if s.stopping.Err() != nil {
		return river.JobSnooze(0)
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	default:
		return river.JobSnooze(busyDelay)
	}
	defer s.requestCheck()
	defer s.working(job.ID)()
	cell, text, run, err := s.load(context.WithoutCancel(ctx), job.Args)
	switch {
	case err != nil:
		s.reportOnce(err.Error())
		return river.JobSnooze(databaseDelay)
	case cell.Ended:
		return nil
	case cell.Program != "" && cell.Program != s.store.Program:
		s.reportOnce(fmt.Sprintf("%s was started by bandscope %s, and only that version can continue it", cell.Cell,
			cell.Program))
		return river.JobSnooze(otherVersionDelay)
	}
	if flag := cell.NeedsFlag(cell.Own...); flag != "" {
		s.reportOnce(fmt.Sprintf("%s waits, because its method is a program: start the worker with %s", cell.Cell, flag))
		return river.JobSnooze(otherVersionDelay)
	}
	if missing := s.missing(cell); missing != "" {
		s.reportOnce(fmt.Sprintf("%s waits for a worker with a program: --exec '%s=COMMAND'", cell.Cell, missing))
		return river.JobSnooze(s.programDelay)
	}
	computed, err := s.compute(s.stopping)
	if err != nil { // the worker must end, or gets no more computing time
		closeRun(run)
		return river.JobSnooze(busyDelay)
	}
	var slice store.Slice
	parallel.Alongside(func() { run, slice, err = s.slice(run, job, cell, text) })
	computed()
	if err != nil {
		slice.Error = errorText(err)
		s.reportOnce(fmt.Sprintf("%s: %v", cell.Cell, firstLine(err)))
	}
	if slice.Steps <= cell.Steps && !slice.Over { // nothing to commit
		closeRun(run)
		failures, _ := store.Failures(job.JobRow)
		switch {
		case err == nil:
			return river.JobSnooze(0)
		case cell.Err != nil || s.deathCount(job) >= maxWorkerDeaths || cell.Failures+failures+1 >= maxStepTries:
			return river.JobCancel(errors.New(slice.Error))
		}
		return errors.New(slice.Error)
	}
	return s.handOver(ctx, job, cell, run, slice)
}

// load reads a cell, and its run from the cache or else its session so far.
func (s *slicer) load(ctx context.Context, j store.Job) (cell store.Run, text []byte, run cellRun, err error) {
	cell, err = s.store.Run(ctx, j)
	if err != nil || cell.Ended {
		return cell, nil, nil, err
	}
	run = s.cache.take(j, cell.Steps)
	if run == nil && cell.Steps > 0 { // before its first step it has no session
		text, err = s.store.LogByJob(ctx, j)
	}
	return cell, text, run, err
}

// deathCount is the number of workers that died during a slice.
func (s *slicer) deathCount(job *river.Job[store.Job]) int {
	failures, _ := store.Failures(job.JobRow)
	return job.Attempt - 1 - failures
}

// slice steps a run until the slice or the run is over, or the worker must end. If run is nil, it is opened from its
// log so far. The error is that of a step.
func (s *slicer) slice(run cellRun, job *river.Job[store.Job], cell store.Run, text []byte) (cellRun, store.Slice,
	error) {
	began := time.Now()
	out := store.Slice{}
	if cell.Err != nil {
		return run, out, cell.Err
	}
	if n := s.deathCount(job); n >= maxWorkerDeaths {
		return run, out, fmt.Errorf("%d workers ended during this slice; it may need more memory than they have", n)
	}
	err := recoverPanic(func() (err error) {
		if run == nil {
			run, err = s.begin(s.stopping, cell, text)
		}
		if err == nil {
			out.Before = run.trace()
		}
		return err
	})
	if err == nil {
		err = recoverPanic(func() error { return s.steps(run, began) })
		if broken := recoverPanic(func() error {
			out.Trace = run.trace()
			out.Lines = run.lines()
			out.Over = err == nil && run.finished()
			out.Steps = run.steps()
			return nil
		}); broken != nil {
			err = broken
		}
	}
	out.Seconds = time.Since(began).Seconds()
	if s.stopping.Err() != nil {
		err = nil // of a cancelled step
	}
	return run, out, err
}

// recoverPanic calls do, and returns a panic as an error.
func recoverPanic(do func() error) (err error) {
	if p := parallel.Catch(func() { err = do() }); p != nil {
		return p
	}
	return err
}

// steps steps a run until the slice is over: it stops before a step that would likely end too late.
func (s *slicer) steps(run cellRun, began time.Time) error {
	var longest time.Duration
	for done := 0; !run.finished() && s.stopping.Err() == nil; done++ {
		lasted := time.Since(began)
		if done > 0 && s.sliceOver(done, lasted+longest) {
			return nil
		}
		if err := run.step(s.stopping); err != nil {
			return err
		}
		longest = max(longest, time.Since(began)-lasted)
	}
	return nil
}

// handOver commits a slice. It tries again while the database cannot take it, as on a full disk; a worker that must end
// tries for handOverTimeout.
func (s *slicer) handOver(ctx context.Context, job *river.Job[store.Job], cell store.Run, run cellRun,
	slice store.Slice) error {
	ctx = context.WithoutCancel(ctx)
	cached := false
	defer func() {
		if !cached {
			closeRun(run)
		}
	}()
	var ending time.Time
	for wait := minHandOverDelay; ; wait = min(2*wait, maxHandOverDelay) {
		err := s.store.HandOver(ctx, job, cell, slice)
		switch {
		case errors.Is(err, store.ErrTaken):
			s.reportOnce(fmt.Sprintf("%s: another worker took this slice, because this one or the database did not respond for too long; the result of the other worker counts", cell.Cell))
			return nil
		case err == nil && slice.Error == "" && !slice.Over:
			s.cache.put(job.Args, run)
			cached = true
			return nil
		case err == nil:
			return nil
		}
		s.reportOnce(fmt.Sprintf("%s: cannot write a slice yet, trying again: %v", s.store, err))
		if s.stopping.Err() != nil && ending.IsZero() {
			ending = time.Now().Add(handOverTimeout)
		}
		if !ending.IsZero() && time.Now().After(ending) {
			s.reportOnce(fmt.Sprintf("a slice of %.0f s could not be written to %s and will run again: %v",
				math.Ceil(slice.Seconds), s.store, err))
			return river.JobSnooze(databaseDelay)
		}
		ended := s.stopping.Done()
		if !ending.IsZero() {
			ended = nil // known
		}
		select {
		case <-time.After(wait):
		case <-ended: // try at once, and often from now on
			wait = minHandOverDelay / 2
		}
	}
}

// errorText is the text of an error for the database.
func errorText(err error) string {
	text := sanitize.Redact(err.Error())
	if len(text) > maxError {
		text = strings.ToValidUTF8(text[:maxError], "") + " …"
	}
	return text
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

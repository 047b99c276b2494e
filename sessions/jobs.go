package sessions

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/semaphore"

	"bandscope/optimizers/search"
	"bandscope/sessions/recorder"
)

// Run does up to n iterations at the end of the current branch with up to the given number of simultaneous evaluations,
// and calls onResult for each when it is recorded, in the order in which they end. Pending points are evaluated first,
// the oldest first; new suggestions take the points that are pending by then into account. It ends early when the cost
// budget is spent or all points of a finite space are evaluated. After an error it begins nothing more; running
// evaluations are awaited and recorded, unless the context ends: then their points stay pending.
func (s *Session) Run(ctx context.Context, n, jobs int, progress Progress, onResult func(Iteration) error) error {
	if jobs <= 1 {
		for range n {
			if s.budgetSpent() {
				return nil
			}
			it, err := s.Step(ctx, progress)
			if err == nil && !it.Incomplete() {
				err = onResult(it)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return s.newRunners(jobs, progress).run(ctx, n, onResult)
}

// ErrNothingBetter says that the optimizer expects no improvement anywhere.
var ErrNothingBetter = errors.New(search.StopNote)

// RunWhilePromising is Run, but it ends with ErrNothingBetter at a suggestion of which nothing better is expected. That
// suggestion stays pending.
func (s *Session) RunWhilePromising(ctx context.Context, n, jobs int, progress Progress,
	onResult func(Iteration) error) error {
	r := s.newRunners(max(jobs, 1), progress)
	r.promising = true
	return r.run(ctx, n, onResult)
}

// run does up to n iterations.
func (r *runners) run(ctx context.Context, n int, onResult func(Iteration) error) error {
	s := r.session
	s.Last()
	if err := s.evaluation.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.evaluation.Release(1)
	var failed error
	for begun := 0; ; {
		for failed == nil && begun < n && r.points() < r.jobs && !s.budgetSpent() {
			err := r.begin(ctx)
			if search.IsExhausted(err) && len(r.running) > 0 {
				break // the points that are left are being evaluated
			}
			failed = err
			begun++
		}
		if len(r.running) == 0 {
			return failed
		}
		e := <-r.ends
		if e.part {
			r.running[e.id]--
			continue
		}
		delete(r.running, e.id)
		if e.err == nil && !e.it.Incomplete() {
			e.err = onResult(e.it)
		}
		if failed == nil {
			failed = e.err
		}
	}
}

// budgetSpent says whether the session has cost all that it may cost, or its space has no more points.
func (s *Session) budgetSpent() bool {
	st := s.State()
	return st.Exhausted() || st.Config.CostBudget > 0 && st.StopReason() != ""
}

// runners evaluate at once.
type runners struct {
	session   *Session
	progress  Progress
	jobs      int                 // how many points are evaluated at once
	promising bool                // end when nothing better is expected
	slots     *semaphore.Weighted // an evaluation has one
	running   map[string]int      // of each running evaluation, by its id, the number of points without a result
	ends      chan jobResult

	mu sync.Mutex // held while recording, so that ends are sent in the order of the records
}

// newRunners are runners for up to the given number of points at once.
func (s *Session) newRunners(jobs int, progress Progress) *runners {
	return &runners{session: s, progress: progress, jobs: jobs, slots: semaphore.NewWeighted(int64(jobs)),
		running: map[string]int{}, ends: make(chan jobResult)}
}

// points is how many are being evaluated.
func (r *runners) points() (n int) {
	for _, points := range r.running {
		n += points
	}
	return n
}

// jobResult is the result of a pending suggestion, or a signal that one of its points has a result.
type jobResult struct {
	id   string
	part bool
	it   Iteration
	err  error
}

// begin starts the evaluation of the oldest pending suggestion that is not being evaluated, or else of a new one.
func (r *runners) begin(ctx context.Context) error {
	it, err := r.next(ctx)
	if err != nil {
		return err
	}
	if r.promising && it.NothingBetter() {
		return ErrNothingBetter
	}
	r.running[it.ID] = len(it.pendingPoints())
	go func() {
		ev, err := r.session.evaluate(ctx, it, r.slots, r.progress, func() {
			r.ends <- jobResult{id: it.ID, part: true}
		})
		r.mu.Lock()
		defer r.mu.Unlock()
		e := jobResult{id: it.ID, err: err}
		if err == nil {
			e.it, e.err = ev.tell()
		}
		r.ends <- e
	}()
	return nil
}

// next is the next suggestion to evaluate. If other results arrive during the search, it searches again.
func (r *runners) next(ctx context.Context) (Iteration, error) {
	for {
		before := r.session.State()
		for _, it := range before.Pending {
			if _, under := r.running[it.ID]; !under && it.evaluatedHere() {
				return it, nil
			}
		}
		it, err := r.session.Ask(ctx, r.progress)
		if !errors.Is(err, recorder.ErrMoved) || r.session.State().reportCount() == before.reportCount() {
			return it, err
		}
	}
}

// reportCount is the number of reports so far.
func (st State) reportCount() int {
	n := len(st.Iterations)
	for _, it := range st.Pending {
		n += it.told
	}
	return n
}

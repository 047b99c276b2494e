package sessions

import (
	"context"
	"errors"
	"sync"
)

// Run does up to n iterations at the end of the current branch with up to that many evaluations at once, and tells each when it is recorded, in the order in
// which they end. What is out is evaluated first, the oldest first; what is asked for is asked for beside all that is out then. It ends early when the cost is
// spent that the session may cost. After an error nothing more is begun; what is under way is waited for and recorded, unless the context ends:
// then its points stay out.
func (s *Session) Run(ctx context.Context, n, jobs int, progress Progress, told func(Iteration) error) error {
	if jobs <= 1 {
		for range n {
			if s.spent() {
				return nil
			}
			it, err := s.Step(ctx, progress)
			if err == nil {
				err = told(it)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	s.Last()
	if err := s.evaluation.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.evaluation.Release(1)
	r := runners{session: s, progress: progress, under: map[string]bool{}, ends: make(chan ended, jobs)}
	var failed error
	for begun := 0; ; {
		for failed == nil && begun < n && len(r.under) < jobs && !s.spent() {
			if err := r.begin(ctx); err != nil {
				failed = err
			} else {
				begun++
			}
		}
		if len(r.under) == 0 {
			return failed
		}
		e := <-r.ends
		delete(r.under, e.id)
		if e.err == nil {
			e.err = told(e.it)
		}
		if failed == nil {
			failed = e.err
		}
	}
}

// spent says whether the session has cost all that it may cost.
func (s *Session) spent() bool {
	st := s.State()
	return st.Config.CostBudget > 0 && st.Over() != ""
}

// runners evaluate at once.
type runners struct {
	session  *Session
	progress Progress
	under    map[string]bool // what is being evaluated, by its id
	ends     chan ended

	mu sync.Mutex // of whoever records, so that the ends are told in the order in which they are recorded
}

// ended is what came of an evaluation.
type ended struct {
	id  string
	it  Iteration
	err error
}

// begin has the oldest point evaluated that is out and is not being evaluated, otherwise one that is asked for.
func (r *runners) begin(ctx context.Context) error {
	it, err := r.next(ctx)
	if err != nil {
		return err
	}
	r.under[it.ID] = true
	go func() {
		outcomes, err := r.session.evaluate(ctx, it, r.progress)
		r.mu.Lock()
		defer r.mu.Unlock()
		e := ended{id: it.ID, err: err}
		if err == nil {
			e.it, e.err = r.session.Tell(it.ID, outcomes...)
		}
		r.ends <- e
	}()
	return nil
}

// next is what is to be evaluated. What came of others while it was being found is known then; it is found anew, as often as something did.
func (r *runners) next(ctx context.Context) (Iteration, error) {
	for {
		before := r.session.State()
		for _, it := range before.Out {
			if !r.under[it.ID] && !it.Begun() { // who told a part tells the rest
				return it, nil
			}
		}
		it, err := r.session.Ask(ctx, r.progress)
		if !errors.Is(err, ErrMoved) || len(r.session.State().Iterations) == len(before.Iterations) {
			return it, err
		}
	}
}

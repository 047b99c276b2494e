package sessions

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"golang.org/x/sync/semaphore"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/sessions/recorder"
)

// Step does one iteration. If iterations are recorded ahead on this branch, it goes forward to the next of them.
// Otherwise it evaluates the oldest pending point without a result, or else the optimizer's suggestion, which is
// recorded before its evaluation; the result is recorded after it. A move during the evaluation keeps the new position,
// and the result is recorded where it belongs; a move before it makes Step return recorder.ErrMoved. If the evaluation
// fails with an error, the pending iteration is returned with it. If only other programs recorded meanwhile, Step begins
// again; it leaves the points that they asked for to them.
func (s *Session) Step(ctx context.Context, progress Progress) (it Iteration, err error) {
	err = s.follow(ctx, func() (head string, err error) {
		it, head, err = s.step(ctx, progress)
		return head, err
	})
	return it, err
}

// step is Step once, in the state after the event head.
func (s *Session) step(ctx context.Context, progress Progress) (it Iteration, head string, err error) {
	s.rec.Lock()
	if s.rec.Closed() {
		s.rec.Unlock()
		return Iteration{}, "", recorder.ErrClosed
	}
	if s.ahead() > 0 {
		defer s.rec.Unlock()
		for done := len(s.rec.State().Iterations); len(s.rec.State().Iterations) == done; {
			if !s.rec.Forward() {
				return Iteration{}, "", errors.New("the next recorded iteration cannot be read")
			}
		}
		return s.rec.State().Iterations[len(s.rec.State().Iterations)-1], "", nil
	}
	if st, err := s.rec.Fold(s.rec.Tip); err == nil && len(st.Pending) > len(s.rec.State().Pending) {
		// the suggestion that is pending ahead is next
		s.rec.MoveTo(s.rec.Tip)
	}
	st := s.snapshot()
	s.rec.Unlock()
	if i := st.oldestPending(); i >= 0 {
		it, err := s.askAndTell(ctx, progress, func() (Iteration, error) {
			return st.Pending[i], s.checkPending(st.Head, st.Pending[i].ID)
		})
		if errors.Is(err, ErrAlreadyTold) { // another program evaluated it too
			err = fmt.Errorf("%w: %w", err, recorder.ErrMoved)
		}
		return it, st.Head, err
	}
	ask, err := s.suggestion(ctx, st, progress)
	if err != nil {
		return Iteration{}, st.Head, err
	}
	it, err = s.askAndTell(ctx, progress, ask)
	if errors.Is(err, ErrAlreadyTold) { // a program that was started meanwhile evaluated it too
		if done, out := s.State().iteration(it.ID); done.ID != "" && !out {
			return done, st.Head, nil
		}
	}
	return it, st.Head, err
}

// oldestPending is the index of the oldest pending suggestion with a point to evaluate here, from 0; −1 if there is
// none.
func (st State) oldestPending() int {
	return slices.IndexFunc(st.Pending, Iteration.evaluatedHere)
}

// evaluatedHere reports whether a pending suggestion has a point to evaluate by this program.
func (it Iteration) evaluatedHere() bool { return !it.Foreign && len(it.pendingPoints()) > 0 }

// checkPending returns an error if the session has moved, or if the suggestion with the id is not pending any more.
func (s *Session) checkPending(event, id string) error {
	s.rec.Lock()
	defer s.rec.Unlock()
	if s.rec.At.ID != event {
		return recorder.ErrMoved
	}
	_, _, err := s.findPending(id)
	return err
}

// newIteration makes the iteration of a suggestion, in the problem's units and directions.
func (st State) newIteration(sug optimizers.Suggestion, spent time.Duration) Iteration {
	it := Iteration{By: st.Spec.Name, Seconds: math.Round(spent.Seconds()*1e6) / 1e6, Note: sug.Note,
		Weights: sug.Weights, State: sug.State}
	n, _ := sug.X.Dims()
	inputs := make([][]float64, n)
	for i := range n {
		if sug.Inputs != nil {
			inputs[i] = slices.Clone(sug.Inputs[i])
			continue
		}
		x := st.Problem.Domain.FromUnit(mat.Row(nil, i, sug.X))
		for j, v := range st.Bounds {
			x[j] = v.Clamp(x[j])
		}
		inputs[i] = x
	}
	mean := sug.Mean
	if mean != nil {
		mean = st.Problem.Objectives[0].Transform().InvertAll(mean)
	}
	it.Points = pointsAt(inputs, mean, sug.SD, sug.Acquisition)
	return it
}

// Query evaluates a point that a person chose, in the problem's units; it is an iteration like any other. If the
// evaluation cannot be done, the point stays pending and is returned with the error.
func (s *Session) Query(ctx context.Context, x []float64) (Iteration, error) {
	return s.askAndTell(ctx, nil, func() (Iteration, error) { return s.AskPoint(x) })
}

// askAndTell evaluates the suggestion of ask and reports its result. One call evaluates at a time; the others wait, and
// find that the session has moved on.
func (s *Session) askAndTell(ctx context.Context, progress Progress, ask func() (Iteration, error)) (Iteration, error) {
	if err := s.evaluation.Acquire(ctx, 1); err != nil {
		return Iteration{}, err
	}
	defer s.evaluation.Release(1)
	it, err := ask()
	if err != nil {
		return Iteration{}, err
	}
	ev, err := s.evaluate(ctx, it, semaphore.NewWeighted(1), progress, nil)
	if err != nil {
		return it, err
	}
	result, err := ev.tell()
	if err != nil {
		return it, err
	}
	return result, nil
}

package sessions

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"golang.org/x/sync/semaphore"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/sessions/recorder"
)

// Step does one iteration. If iterations are recorded ahead on this branch it goes on to the next of them, exactly as
// it was. If points are out the oldest of which nothing is told is evaluated, otherwise what the optimizer suggests;
// that is recorded before it is evaluated, and what came of it after. Whoever goes elsewhere during the evaluation
// stays there, and the outcome is recorded where it belongs; who did so before gets recorder.ErrMoved. If the
// evaluation cannot be done, what is out now is returned with the error.
func (s *Session) Step(ctx context.Context, progress Progress) (Iteration, error) {
	s.rec.Lock()
	if s.rec.Closed() {
		s.rec.Unlock()
		return Iteration{}, recorder.ErrClosed
	}
	if s.ahead() > 0 {
		defer s.rec.Unlock()
		for done := len(s.rec.State().Iterations); len(s.rec.State().Iterations) == done; {
			if !s.rec.Forward() {
				return Iteration{}, errors.New("the next recorded iteration cannot be read")
			}
		}
		return s.rec.State().Iterations[len(s.rec.State().Iterations)-1], nil
	}
	if st, err := s.rec.Fold(s.rec.Tip); err == nil && len(st.Pending) > len(s.rec.State().Pending) {
		// what is out ahead is next
		s.rec.MoveTo(s.rec.Tip)
	}
	st := s.snapshot()
	s.rec.Unlock()
	if i := st.oldestPending(); i >= 0 {
		return s.askAndTell(ctx, progress, func() (Iteration, error) {
			return st.Pending[i], s.checkPending(st.Head, st.Pending[i].ID)
		})
	}
	ask, err := s.suggestion(ctx, st, progress)
	if err != nil {
		return Iteration{}, err
	}
	return s.askAndTell(ctx, progress, ask)
}

// oldestPending is where among what is out the oldest is of which nothing is told, from 0; −1 if there is none. Who
// told some of a point tells the rest.
func (st State) oldestPending() int {
	return slices.IndexFunc(st.Pending, func(it Iteration) bool { return len(it.pendingPoints()) > 0 })
}

// checkPending says why what was out under an id where the session stood is not to be evaluated.
func (s *Session) checkPending(at, id string) error {
	s.rec.Lock()
	defer s.rec.Unlock()
	if s.rec.At.ID != at {
		return recorder.ErrMoved
	}
	_, _, err := s.findPending(id)
	return err
}

// newIteration makes the iteration of a suggestion, in the problem's units and directions.
func (st State) newIteration(sug optimizers.Suggestion, spent time.Duration) Iteration {
	it := Iteration{By: st.Spec.Name, Seconds: math.Round(spent.Seconds()*1e6) / 1e6, Note: sug.Note,
		Weights: sug.Weights}
	n, _ := sug.X.Dims()
	inputs := make([][]float64, n)
	for i := range n {
		x := st.Problem.Domain.FromUnit(mat.Row(nil, i, sug.X))
		for j, v := range st.Bounds { // to the last digit
			x[j] = min(max(x[j], v.Low), v.High)
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
// evaluation cannot be done it is out, and returned with the error.
func (s *Session) Query(ctx context.Context, x []float64) (Iteration, error) {
	return s.askAndTell(ctx, nil, func() (Iteration, error) { return s.AskPoint(x) })
}

// askAndTell evaluates what ask gives out, and tells what came of it. One evaluates at a time; the others wait, and
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
	told, err := ev.tell()
	if err != nil {
		return it, err
	}
	return told, nil
}

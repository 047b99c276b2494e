package sessions

import (
	"context"
	"errors"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/sessions/log"
)

// Step does one iteration. If iterations are recorded ahead on this branch it goes on to the next of them, exactly as it was;
// otherwise the optimizer suggests, the problem is evaluated, and both are recorded: what is to be evaluated before it is, what came of it after. Whoever
// goes elsewhere during the evaluation stays there, and the outcome is recorded where it belongs; who did so before gets ErrMoved.
func (s *Session) Step(ctx context.Context, progress Progress) (Iteration, error) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return Iteration{}, ErrClosed
	}
	if s.ahead() > 0 {
		defer s.mu.Unlock()
		for done := len(s.state.Iterations); len(s.state.Iterations) == done; {
			if !s.forward() {
				return Iteration{}, errors.New("the next iteration on record cannot be read")
			}
		}
		return s.state.Iterations[len(s.state.Iterations)-1], nil
	}
	at, st := s.at, s.snapshot()
	s.mu.Unlock()
	sug, spent, err := s.fits.of(st).suggest(ctx, st, progress)
	if err != nil {
		return Iteration{}, err
	}
	return s.askAndTell(ctx, func() ([]entry, error) {
		switch {
		case s.at != at:
			return nil, ErrMoved
		case st.Pending != nil:
			return nil, nil
		}
		return []entry{suggested(st.pointsOf(sug, spent))}, nil
	})
}

// pointsOf makes the iteration of a suggestion, in the problem's units and directions.
func (st State) pointsOf(sug optimizers.Suggestion, spent time.Duration) Iteration {
	sign := st.Problem.Objectives[0].Direction.Sign()
	it := Iteration{By: st.Spec.Name, Seconds: math.Round(spent.Seconds()*1e6) / 1e6, Note: sug.Note,
		SD: sug.SD, Acquisition: sug.Acquisition, Weights: sug.Weights}
	n, _ := sug.X.Dims()
	for i := range n {
		x := st.Problem.Domain.FromUnit(mat.Row(nil, i, sug.X))
		for j, v := range st.Bounds { // to the last digit
			x[j] = min(max(x[j], v.Low), v.High)
		}
		it.X = append(it.X, x)
	}
	for _, m := range sug.Mean {
		it.Mean = append(it.Mean, sign*m)
	}
	return it
}

// Query evaluates a point that a person chose, in the problem's units; it is an iteration like any other.
func (s *Session) Query(ctx context.Context, x []float64) (Iteration, error) {
	if err := s.setup.problem.Domain.Check(x); err != nil {
		return Iteration{}, err
	}
	return s.askAndTell(ctx, func() ([]entry, error) {
		if s.state.Pending != nil {
			return nil, errors.New("a suggested point waits for its evaluation: step first")
		}
		return []entry{suggested(Iteration{By: ByPerson, X: [][]float64{x}})}, nil
	})
}

// suggested records what is to be evaluated.
func suggested(it Iteration) entry {
	return entry{kindSuggested, suggestedData{X: log.CastRows[log.Float](it.X), By: it.By, Mean: log.Cast[log.Float](it.Mean), SD: log.Cast[log.Float](it.SD),
		Acquisition: log.Cast[log.Float](it.Acquisition), Weights: log.Cast[log.Float](it.Weights), Seconds: log.Float(it.Seconds), Note: it.Note}}
}

// askAndTell records the suggestion that decide asks for, unless it asks for none and one is pending; evaluates it, and records what came of it. One
// evaluates at a time; the others wait, and find that the session has moved on.
func (s *Session) askAndTell(ctx context.Context, decide func() ([]entry, error)) (Iteration, error) {
	if s.setup.unread != nil {
		return Iteration{}, s.setup.unread
	}
	release, err := s.evaluation.take(ctx)
	if err != nil {
		return Iteration{}, err
	}
	defer release()
	var pending *log.Event
	e, err := s.act(func() ([]entry, error) {
		pending = s.tree.Find(s.state.waiting)
		return decide()
	})
	if err != nil {
		return Iteration{}, err
	}
	if e == nil {
		e = pending
	}
	st := s.stateOf(e)
	outcomes, err := s.evaluate(ctx, *st.Pending)
	if err != nil {
		return Iteration{}, err
	}
	d, err := st.observation(*st.Pending, outcomes)
	if err != nil {
		return Iteration{}, err
	}
	return s.tell(e, d)
}

// tell records what came of a suggestion: at the end of the current branch if that waits for it, otherwise where it was suggested.
func (s *Session) tell(suggestion *log.Event, d observedData) (Iteration, error) {
	e, err := s.actAfter(func() (*log.Event, []entry, error) {
		after := suggestion
		if st, err := s.folds.at(s.tip); err == nil && st.Pending != nil && st.waiting == suggestion.ID {
			after = s.tip
		}
		return after, []entry{{kindObserved, d}}, nil
	})
	if err != nil {
		return Iteration{}, err
	}
	done := s.stateOf(e).Iterations
	return done[len(done)-1], nil
}

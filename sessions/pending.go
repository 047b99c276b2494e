package sessions

import (
	"context"
	"slices"

	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// removePending takes what is out under an id, which is no longer out then; without an id it is the latest.
func (st *State) removePending(id string) (Iteration, error) {
	i := len(st.Pending) - 1
	if id != "" {
		i = st.pendingIndex(id)
	}
	if i < 0 {
		return Iteration{}, ErrNotPending
	}
	it := st.Pending[i]
	st.Pending = slices.Concat(st.Pending[:i], st.Pending[i+1:]) // earlier states keep theirs
	if len(st.Pending) == 0 {
		st.Pending = nil
	}
	return it, nil
}

// pendingIndex is where among what is out an id is, from 0; −1 if it is not out.
func (st State) pendingIndex(id string) int {
	return slices.IndexFunc(st.Pending, func(it Iteration) bool { return it.ID == id })
}

// pendingRef is how an event names what is out: by its id, unless it is the latest.
func (st State) pendingRef(id string) string {
	if st.pendingIndex(id) == len(st.Pending)-1 {
		return ""
	}
	return id
}

// Ask records what the method suggests to be evaluated besides what is out already, in the problem's units. Its points
// are out from then on, under the ID of what is returned, until Tell says what came of them: in any order, after any
// time, also in another session over the same file. Whoever stands elsewhere by the time gets recorder.ErrMoved.
func (s *Session) Ask(ctx context.Context, progress Progress) (Iteration, error) {
	st := s.State()
	ask, err := s.suggestion(ctx, st, progress)
	if err != nil {
		return Iteration{}, err
	}
	return ask()
}

// suggestion finds what is to be evaluated next where the session stood, and returns what records it.
func (s *Session) suggestion(ctx context.Context, st State, progress Progress) (func() (Iteration, error), error) {
	sug, spent, err := st.propose(ctx, &s.fits, progress)
	if err != nil {
		return nil, err
	}
	return func() (Iteration, error) {
		return s.recordSuggestion(func() (Iteration, error) {
			if s.rec.At.ID != st.Head {
				return Iteration{}, recorder.ErrMoved
			}
			return st.newIteration(sug, spent), nil
		})
	}, nil
}

// AskPoint records that a point which a person names is to be evaluated, in the problem's units; one that breaks a
// constraint is refused.
func (s *Session) AskPoint(x []float64) (Iteration, error) {
	if err := s.setup.problem.Domain.Check(x); err != nil {
		return Iteration{}, err
	}
	if err := s.setup.problem.CheckConstraints(x); err != nil {
		return Iteration{}, err
	}
	return s.recordSuggestion(func() (Iteration, error) {
		return Iteration{By: ByPerson, Points: pointsAt([][]float64{slices.Clone(x)}, nil, nil, nil)}, nil
	})
}

// recordSuggestion records what decide, which is called with the lock held, says is to be evaluated.
func (s *Session) recordSuggestion(decide func() (Iteration, error)) (Iteration, error) {
	if s.setup.readErr != nil {
		return Iteration{}, s.setup.readErr
	}
	e, err := s.rec.Act(func() ([]recorder.Entry, error) {
		it, err := decide()
		if err != nil {
			return nil, err
		}
		return []recorder.Entry{suggestionEntry(it)}, nil
	})
	if err != nil {
		return Iteration{}, err
	}
	out := s.stateAt(e).Pending
	return out[len(out)-1], nil
}

// numbers are a value of each point; nil where no point has one.
func numbers(it Iteration, of func(Point) float64) []eventlog.Float {
	list := Column(it, of)
	if !anyKnown(list) {
		return nil
	}
	return eventlog.Cast[eventlog.Float](list)
}

// suggestionEntry records what is to be evaluated.
func suggestionEntry(it Iteration) recorder.Entry {
	return recorder.Entry{Kind: kindSuggested,
		Data: suggestedData{X: eventlog.CastRows[eventlog.Float](it.Inputs()), By: it.By,
			Mean:        numbers(it, func(pt Point) float64 { return pt.Mean }),
			SD:          numbers(it, func(pt Point) float64 { return pt.SD }),
			Acquisition: numbers(it, func(pt Point) float64 { return pt.Acquisition }),
			Weights:     eventlog.Cast[eventlog.Float](it.Weights),
			Seconds:     eventlog.Float(it.Seconds), Note: it.Note, Batch: it.Batch.data()}}
}

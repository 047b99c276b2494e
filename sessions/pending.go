package sessions

import (
	"context"
	"slices"

	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// removePending removes and returns the pending suggestion with an id; without an id, the latest one.
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

// pendingIndex is the index of an id among the pending suggestions, from 0; −1 if it is not pending.
func (st State) pendingIndex(id string) int {
	return slices.IndexFunc(st.Pending, func(it Iteration) bool { return it.ID == id })
}

// pendingRef is how an event refers to a pending suggestion: by its id, unless it is the latest.
func (st State) pendingRef(id string) string {
	if st.pendingIndex(id) == len(st.Pending)-1 {
		return ""
	}
	return id
}

// Ask records the next suggestion of the method, given the points that are pending already. Its points are in the
// problem's units and are pending from then on, under the ID of the result, until Tell reports their results: in any
// order, after any time, also in another session over the same file. If the session has moved meanwhile, the error is
// recorder.ErrMoved; if only other programs recorded meanwhile, Ask begins again.
func (s *Session) Ask(ctx context.Context, progress Progress) (it Iteration, err error) {
	err = s.follow(ctx, func() (string, error) {
		st := s.State()
		ask, err := s.suggestion(ctx, st, progress)
		if err == nil {
			it, err = ask()
		}
		return st.Head, err
	})
	return it, err
}

// suggestion finds the next suggestion in a state, and returns a function that records it.
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
	p := s.State().Problem
	if err := p.Domain.Check(x); err != nil {
		return Iteration{}, err
	}
	if err := p.CheckConstraints(x); err != nil {
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
		return []recorder.Entry{s.suggestionEntry(it)}, nil
	})
	if err != nil {
		return Iteration{}, err
	}
	out := s.stateAt(e).Pending
	return out[len(out)-1], nil
}

// numbers are a value of each point; nil where no point has one.
func numbers(it Iteration, apply func(Point) float64) []eventlog.Float {
	list := Column(it, apply)
	if !anyKnown(list) {
		return nil
	}
	return eventlog.Cast[eventlog.Float](list)
}

// suggestionEntry is the record of a suggestion.
func (s *Session) suggestionEntry(it Iteration) recorder.Entry {
	seconds := it.Seconds
	if s.untimed {
		seconds = 0
	}
	return recorder.Entry{Kind: kindSuggested,
		Data: suggestedData{X: eventlog.CastRows[eventlog.Float](it.Inputs()), By: it.By,
			Mean:        numbers(it, func(pt Point) float64 { return pt.Mean }),
			SD:          numbers(it, func(pt Point) float64 { return pt.SD }),
			Acquisition: numbers(it, func(pt Point) float64 { return pt.Acquisition }),
			Weights:     eventlog.Cast[eventlog.Float](it.Weights),
			Seconds:     eventlog.Float(seconds), Note: it.Note, Batch: it.Batch.data(), State: newStateData(it.State)}}
}

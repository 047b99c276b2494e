package sessions

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bandscope/optimizers"
	"bandscope/sessions/fitcache"
	"bandscope/sessions/recorder"
)

// Progress is called with the name of a long computation and its progress; it may be called from any goroutine.
type Progress = func(subject string, done, total int)

// Snapshot is a session at one moment: state and timeline are taken together, and belief and suggestion are those of
// that state, even if the session has moved since.
type Snapshot struct {
	session  *Session
	state    State
	timeline recorder.Timeline
}

// Snapshot takes a snapshot of the session. A snapshot after an act or a move has its effect.
func (s *Session) Snapshot() Snapshot {
	s.rec.Lock()
	defer s.rec.Unlock()
	return Snapshot{s, s.snapshot(), s.rec.Timeline()}
}

// State is the state there.
func (v Snapshot) State() State { return v.state }

// Timeline is the branch that it lies on.
func (v Snapshot) Timeline() recorder.Timeline { return v.timeline }

// Branches lists the branches of the session, as they are now.
func (v Snapshot) Branches() ([]Branch, error) { return v.session.Branches() }

// Belief is what the optimizer believes there. It is kept, so that asking again costs nothing; callers that ask at once
// share one fit.
func (v Snapshot) Belief(ctx context.Context, progress Progress) (optimizers.Belief, error) {
	return v.state.believe(ctx, &v.session.fits, progress)
}

// Next is the point that Step would evaluate, in the unit cube: the oldest pending one, the next point of the initial
// design, or the suggestion of the model.
func (v Snapshot) Next(ctx context.Context, progress Progress) (optimizers.Suggestion, error) {
	return v.state.next(ctx, &v.session.fits, progress)
}

// State is the current state of the session.
func (s *Session) State() State {
	s.rec.Lock()
	defer s.rec.Unlock()
	return s.snapshot()
}

// Belief is the optimizer's model in the current state, as of a Snapshot.
func (s *Session) Belief(ctx context.Context, progress Progress) (optimizers.Belief, error) {
	return s.State().believe(ctx, &s.fits, progress)
}

// Next is what Step would evaluate, in the unit cube, as of a Snapshot.
func (s *Session) Next(ctx context.Context, progress Progress) (optimizers.Suggestion, error) {
	return s.State().next(ctx, &s.fits, progress)
}

// snapshot is the current state, with the state of its file. The caller holds the lock.
func (s *Session) snapshot() State {
	st := *s.rec.State()
	st.Place = s.rec.Place(s.ahead())
	if len(s.takenOver) > 0 {
		st.Pending = slices.Clone(st.Pending)
		for i := range st.Pending {
			st.Pending[i].Foreign = st.Pending[i].Foreign && !s.takenOver[st.Pending[i].ID]
		}
	}
	return st
}

// believe is what the optimizer believes of a state.
func (st State) believe(ctx context.Context, cache *fitcache.Cache, progress Progress) (optimizers.Belief, error) {
	return cache.Believe(ctx, st.modelID, st.Spec, st.Input(), progress)
}

// propose finds the optimizer's suggestion in a state, given the pending points, and the time it took.
func (st State) propose(ctx context.Context, cache *fitcache.Cache, progress Progress) (optimizers.Suggestion,
	time.Duration, error) {
	key := st.modelID
	for _, it := range st.Pending {
		key += " " + it.ID
		if it.told > 0 { // perhaps that it was evaluated elsewhere
			key += fmt.Sprintf("+%d", it.told)
		}
	}
	return cache.Suggest(ctx, key, st.Spec, st.inputWithPending(), progress)
}

// next is the next point to evaluate in a state: the oldest pending one, or a suggestion.
func (st State) next(ctx context.Context, cache *fitcache.Cache, progress Progress) (optimizers.Suggestion, error) {
	i := st.oldestPending()
	if i < 0 {
		sug, _, err := st.propose(ctx, cache, progress)
		return sug, err
	}
	if err := ctx.Err(); err != nil {
		return optimizers.Suggestion{}, err
	}
	it := st.Pending[i]
	st.Pending = st.Pending[i : i+1]
	return optimizers.Suggestion{X: st.PendingPoints(), Note: it.Note}, nil
}

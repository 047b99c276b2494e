package sessions

import (
	"context"
	"fmt"
	"time"

	"bandscope/optimizers"
	"bandscope/sessions/fitcache"
	"bandscope/sessions/recorder"
)

// Progress is told what a long computation is doing and how far it is; it may be called from any goroutine.
type Progress = func(what string, done, total int)

// Snapshot is where a session stood at one moment: state and timeline are taken at once, and belief and suggestion are
// of that state, wherever the session has gone since.
type Snapshot struct {
	session  *Session
	state    State
	timeline recorder.Timeline
}

// Snapshot takes where the session stands; what an act or a move left behind is seen by one of them after it.
func (s *Session) Snapshot() Snapshot {
	s.rec.Lock()
	defer s.rec.Unlock()
	return Snapshot{s, s.snapshot(), s.rec.Timeline()}
}

// State is the state there.
func (v Snapshot) State() State { return v.state }

// Timeline is the branch that it lies on.
func (v Snapshot) Timeline() recorder.Timeline { return v.timeline }

// Belief is what the optimizer believes there. It is kept, so that asking again costs nothing; callers that ask at once
// share one fit.
func (v Snapshot) Belief(ctx context.Context, progress Progress) (optimizers.Belief, error) {
	return v.state.believe(ctx, &v.session.fits, progress)
}

// Next is what Step would evaluate there, in the unit cube: the oldest that is out, the next point of the initial
// design, or what the belief suggests.
func (v Snapshot) Next(ctx context.Context, progress Progress) (optimizers.Suggestion, error) {
	return v.state.next(ctx, &v.session.fits, progress)
}

// State is where the session stands.
func (s *Session) State() State {
	s.rec.Lock()
	defer s.rec.Unlock()
	return s.snapshot()
}

// Belief is what the optimizer believes where the session stands, as of a Snapshot.
func (s *Session) Belief(ctx context.Context, progress Progress) (optimizers.Belief, error) {
	return s.State().believe(ctx, &s.fits, progress)
}

// Next is what Step would evaluate, in the unit cube, as of a Snapshot.
func (s *Session) Next(ctx context.Context, progress Progress) (optimizers.Suggestion, error) {
	return s.State().next(ctx, &s.fits, progress)
}

// snapshot is the state where the session stands, with what is known of its file. The caller holds the lock.
func (s *Session) snapshot() State {
	st := *s.rec.State()
	st.Place = s.rec.Place(s.ahead())
	return st
}

// believe is what the optimizer believes of a state.
func (st State) believe(ctx context.Context, kept *fitcache.Cache, progress Progress) (optimizers.Belief, error) {
	return kept.Believe(ctx, st.modelID, st.Spec, st.Input(), progress)
}

// propose finds what the optimizer suggests in a state, besides what is out there, and tells how long it took.
func (st State) propose(ctx context.Context, kept *fitcache.Cache, progress Progress) (optimizers.Suggestion,
	time.Duration, error) {
	key := st.modelID
	for _, it := range st.Pending {
		key += " " + it.ID
		if it.told > 0 { // perhaps that it was evaluated elsewhere
			key += fmt.Sprintf("+%d", it.told)
		}
	}
	return kept.Suggest(ctx, key, st.Spec, st.inputWithPending(), progress)
}

// next is what would be evaluated next in a state: what is out, the oldest first, or what is suggested.
func (st State) next(ctx context.Context, kept *fitcache.Cache, progress Progress) (optimizers.Suggestion, error) {
	i := st.oldestPending()
	if i < 0 {
		sug, _, err := st.propose(ctx, kept, progress)
		return sug, err
	}
	if err := ctx.Err(); err != nil {
		return optimizers.Suggestion{}, err
	}
	it := st.Pending[i]
	st.Pending = st.Pending[i : i+1]
	return optimizers.Suggestion{X: st.PendingPoints(), Note: it.Note}, nil
}

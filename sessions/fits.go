package sessions

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/sessions/safe"
)

// Progress is told what a long computation is doing and how far it is; it may be called from any goroutine.
type Progress = func(what string, done, total int)

// turn is had by one at a time; who waits for it can be cancelled.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

// take waits for the turn; the caller calls the returned function when it is done.
func (t turn) take(ctx context.Context) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case t <- struct{}{}:
		return func() { <-t }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// fit keeps what was computed from one state: the belief, and what is to be evaluated next. Who asks while it is computed waits, and shares it.
type fit struct {
	turn   turn // of whoever computes
	belief optimizers.Belief
	before optimizers.Belief // of the fit that was used before, which may serve; nil once that is settled
	next   *optimizers.Suggestion
	fitted time.Duration // to fit the belief
	spent  time.Duration // to find the suggestion, with the fit
}

// keptFits is how many fits are kept: that of where one stands, and a few to step back and forth.
const keptFits = 4

// fits holds the fits that were used last. It may be used from several goroutines.
type fits struct {
	mu    sync.Mutex
	byID  map[string]*fit // by the event that the belief depends on, and what is out where the next point is asked for
	order []string        // the last used is at the end
}

// of is the fit under a key, a new one if it is not kept.
func (f *fits) of(id string) *fit {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.Index(f.order, id); i >= 0 {
		f.order = append(slices.Delete(f.order, i, i+1), id)
		return f.byID[id]
	}
	if f.byID == nil {
		f.byID = map[string]*fit{}
	}
	if len(f.order) == keptFits {
		delete(f.byID, f.order[0])
		f.order = f.order[1:]
	}
	next := &fit{turn: newTurn()}
	if n := len(f.order); n > 0 {
		next.before = f.byID[f.order[n-1]].bequeath()
	}
	f.byID[id] = next
	f.order = append(f.order, id)
	return next
}

// believe returns the belief about a state, and fits it if nobody has.
func (f *fits) believe(ctx context.Context, st State, progress Progress) (optimizers.Belief, error) {
	of := f.of(st.model)
	release, err := of.turn.take(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return of.believe(ctx, st.Spec, st.Input(), progress)
}

// believe fits the belief once. The caller has the turn.
func (f *fit) believe(ctx context.Context, spec *optimizers.Spec, in optimizers.Input, progress Progress) (optimizers.Belief, error) {
	if f.belief != nil {
		return f.belief, nil
	}
	in.Progress = progress
	start := time.Now()
	if b, ok := f.carry(in); ok {
		f.belief = b
		return b, nil
	}
	b, err := spec.Fit(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", spec.Name, err)
	}
	f.belief = b
	f.fitted = time.Since(start)
	return b, nil
}

// bequeath is the belief of a fit, or the one that it was left itself; nil if there is none or somebody is computing.
func (f *fit) bequeath() optimizers.Belief {
	select {
	case f.turn <- struct{}{}:
		defer func() { <-f.turn }()
	default:
		return nil
	}
	if f.belief != nil {
		return f.belief
	}
	return f.before
}

// carry takes the belief of the fit before over, where it serves.
func (f *fit) carry(in optimizers.Input) (optimizers.Belief, bool) {
	c, ok := f.before.(optimizers.Carrier)
	f.before = nil
	if !ok {
		return nil, false
	}
	return c.Carry(in)
}

// next is what would be evaluated next in a state, in the unit cube: what is out, the oldest first, or what is suggested.
func (f *fits) next(ctx context.Context, st State, progress Progress) (optimizers.Suggestion, error) {
	if len(st.Out) == 0 {
		sug, _, err := f.suggest(ctx, st, progress)
		return sug, err
	}
	if err := ctx.Err(); err != nil {
		return optimizers.Suggestion{}, err
	}
	it := st.Out[0]
	st.Out = st.Out[:1]
	return optimizers.Suggestion{X: st.OutPoints(), Note: it.Note}, nil
}

// suggest returns the suggestion in a state, besides what is out there, and how long it took to find.
func (f *fits) suggest(ctx context.Context, st State, progress Progress) (optimizers.Suggestion, time.Duration, error) {
	key := st.model
	for _, it := range st.Out {
		key += " " + it.ID
	}
	return f.of(key).suggest(ctx, st, progress)
}

// suggest is that of a fit.
func (f *fit) suggest(ctx context.Context, st State, progress Progress) (optimizers.Suggestion, time.Duration, error) {
	if err := ctx.Err(); err != nil {
		return optimizers.Suggestion{}, 0, err
	}
	in := st.asking()
	if search.InDesign(in) {
		sug, err := search.InitialPoint(ctx, in)
		sug.Note = safe.Text(sug.Note)
		return sug, 0, err
	}
	release, err := f.turn.take(ctx)
	if err != nil {
		return optimizers.Suggestion{}, 0, err
	}
	defer release()
	if f.next == nil {
		before := f.fitted // a belief that is there already took its time too
		start := time.Now()
		sug, err := f.find(ctx, st.Spec, in, progress)
		if err != nil {
			return optimizers.Suggestion{}, 0, err
		}
		f.spent = before + time.Since(start)
		f.next = &sug
	}
	return *f.next, f.spent, nil
}

// insteadNote begins the note of a suggestion that failed.
const insteadNote = "a random point in place of a suggestion that failed: "

// find asks the method for the next points. A method that fails does not stop the session: a random point is suggested in its place, with
// the reason. The caller has the turn.
func (f *fit) find(ctx context.Context, spec *optimizers.Spec, in optimizers.Input, progress Progress) (optimizers.Suggestion, error) {
	b, err := f.believe(ctx, spec, in, progress)
	if err == nil {
		var sug optimizers.Suggestion
		if sug, err = b.Suggest(ctx); err == nil {
			return sug, nil
		}
		err = fmt.Errorf("%s: %w", spec.Name, err)
	}
	if ctx.Err() != nil {
		return optimizers.Suggestion{}, err
	}
	return optimizers.Suggestion{X: search.RandomPoint(in, "in place of a failed suggestion"), Note: insteadNote + safe.Text(err.Error())}, nil
}

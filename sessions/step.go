package sessions

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/functions/stream"
	"bandscope/optimizers"
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

// place keeps what was computed for one place of the log: the belief, and what is to be evaluated next.
type place struct {
	turn   turn // of whoever computes
	belief optimizers.Belief
	before optimizers.Belief // of the place that was used before, which may serve; nil once that is settled
	next   *optimizers.Suggestion
	fitted time.Duration // to fit the belief
	spent  time.Duration // to find the suggestion, with the fit
}

// keptPlaces is how many places are kept: where one stands, and a few to step back and forth.
const keptPlaces = 4

// places holds the places that were used last.
type places struct {
	byID  map[string]*place
	order []string // the last used is at the end
}

// at returns the place of an id, a new one if it is not kept.
func (p *places) at(id string) *place {
	if p.byID == nil {
		p.byID = map[string]*place{}
	}
	for i, known := range p.order {
		if known == id {
			p.order = append(append(p.order[:i:i], p.order[i+1:]...), id)
			return p.byID[id]
		}
	}
	if len(p.order) == keptPlaces {
		delete(p.byID, p.order[0])
		p.order = p.order[1:]
	}
	pl := &place{turn: newTurn()}
	if len(p.order) > 0 {
		pl.before = p.byID[p.order[len(p.order)-1]].bequeath()
	}
	p.byID[id] = pl
	p.order = append(p.order, id)
	return pl
}

// here is the place where the session stands, with its state. The caller holds the lock.
func (s *Session) here() (*place, State) { return s.places.at(s.state.model), s.snapshot() }

// Belief is what the optimizer believes where the session stands. It is kept, so that asking again costs nothing; callers
// that ask at once share one fit.
func (s *Session) Belief(ctx context.Context, progress Progress) (optimizers.Belief, error) {
	s.mu.Lock()
	p, st := s.here()
	s.mu.Unlock()
	release, err := p.turn.take(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return p.fit(ctx, st, progress)
}

// fit fits the belief once. The caller holds the place.
func (p *place) fit(ctx context.Context, st State, progress Progress) (optimizers.Belief, error) {
	if p.belief != nil {
		return p.belief, nil
	}
	in := st.Input()
	in.Progress = progress
	start := time.Now()
	if b, ok := p.carry(in); ok {
		p.belief = b
		return b, nil
	}
	b, err := st.Spec.Fit(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", st.Spec.Name, err)
	}
	p.belief = b
	p.fitted = time.Since(start)
	return b, nil
}

// bequeath is the belief of a place, or the one that it was left itself; nil if there is none or somebody is computing.
func (p *place) bequeath() optimizers.Belief {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	default:
		return nil
	}
	if p.belief != nil {
		return p.belief
	}
	return p.before
}

// carry takes the belief of the place before over, where it serves.
func (p *place) carry(in optimizers.Input) (optimizers.Belief, bool) {
	c, ok := p.before.(optimizers.Carrier)
	p.before = nil
	if !ok {
		return nil, false
	}
	return c.Carry(in)
}

// Next is what Step would evaluate, in the unit cube: the suggestion that is pending, the next point of the initial design,
// or what the belief suggests.
func (s *Session) Next(ctx context.Context, progress Progress) (optimizers.Suggestion, error) {
	s.mu.Lock()
	p, st := s.here()
	s.mu.Unlock()
	sug, _, err := p.suggest(ctx, st, progress)
	return sug, err
}

// suggest returns the suggestion in the place's state and how long it took to find.
func (p *place) suggest(ctx context.Context, st State, progress Progress) (optimizers.Suggestion, time.Duration, error) {
	if err := ctx.Err(); err != nil {
		return optimizers.Suggestion{}, 0, err
	}
	if st.Pending != nil {
		return pendingSuggestion(st), 0, nil
	}
	if in := st.Input(); optimizers.InDesign(in) {
		sug, err := optimizers.InitialPoint(ctx, in)
		sug.Note = Sanitize(sug.Note)
		return sug, 0, err
	}
	release, err := p.turn.take(ctx)
	if err != nil {
		return optimizers.Suggestion{}, 0, err
	}
	defer release()
	if p.next == nil {
		before := p.fitted // a belief that is there already took its time too
		start := time.Now()
		sug, err := p.find(ctx, st, progress)
		if err != nil {
			return optimizers.Suggestion{}, 0, err
		}
		p.spent = before + time.Since(start)
		p.next = &sug
	}
	return *p.next, p.spent, nil
}

// insteadNote begins the note of a suggestion that failed.
const insteadNote = "a random point in place of a suggestion that failed: "

// find asks the method for the next points. A method that fails does not stop the session: a random point is suggested in its place, with
// the reason. The caller holds the place.
func (p *place) find(ctx context.Context, st State, progress Progress) (optimizers.Suggestion, error) {
	b, err := p.fit(ctx, st, progress)
	if err == nil {
		var sug optimizers.Suggestion
		if sug, err = b.Suggest(ctx); err == nil {
			return sug, nil
		}
		err = fmt.Errorf("%s: %w", st.Spec.Name, err)
	}
	if ctx.Err() != nil {
		return optimizers.Suggestion{}, err
	}
	return optimizers.Suggestion{X: optimizers.RandomPoint(st.Input(), "in place of a failed suggestion"), Note: insteadNote + Sanitize(err.Error())}, nil
}

func pendingSuggestion(st State) optimizers.Suggestion {
	x := mat.NewDense(len(st.Pending.X), st.Problem.Dim(), nil)
	for i, row := range st.Pending.X {
		x.SetRow(i, st.Problem.Domain.ToUnit(row))
	}
	return optimizers.Suggestion{X: x, Note: st.Pending.Note}
}

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
	at := s.at
	p, st := s.here()
	s.mu.Unlock()
	sug, spent, err := p.suggest(ctx, st, progress)
	if err != nil {
		return Iteration{}, err
	}
	return s.evaluate(ctx, func() ([]entry, error) {
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
	return s.evaluate(ctx, func() ([]entry, error) {
		if s.state.Pending != nil {
			return nil, errors.New("a suggested point waits for its evaluation: step first")
		}
		return []entry{suggested(Iteration{By: ByPerson, X: [][]float64{x}})}, nil
	})
}

// suggested records what is to be evaluated.
func suggested(it Iteration) entry {
	return entry{kindSuggested, suggestedData{X: castRows[Float](it.X), By: it.By, Mean: cast[Float](it.Mean), SD: cast[Float](it.SD),
		Acquisition: cast[Float](it.Acquisition), Weights: cast[Float](it.Weights), Seconds: Float(it.Seconds), Note: it.Note}}
}

// evaluate records the suggestion that decide asks for, unless it asks for none and one is pending; evaluates it, and records what came of it. One
// evaluates at a time; the others wait, and find that the session has moved on.
func (s *Session) evaluate(ctx context.Context, decide func() ([]entry, error)) (Iteration, error) {
	if s.setup.unread != nil {
		return Iteration{}, s.setup.unread
	}
	release, err := s.evaluation.take(ctx)
	if err != nil {
		return Iteration{}, err
	}
	defer release()
	var pending *event
	e, err := s.act(func() ([]entry, error) {
		pending = s.events[s.state.waiting]
		return decide()
	})
	if err != nil {
		return Iteration{}, err
	}
	if e == nil {
		e = pending
	}
	d, err := e.state.outcome(ctx)
	if err != nil {
		return Iteration{}, err
	}
	return s.tell(e, d)
}

// tell records what came of a suggestion: at the end of the current branch if that waits for it, otherwise where it was suggested.
func (s *Session) tell(suggestion *event, d observedData) (Iteration, error) {
	e, err := s.actAfter(func() (*event, []entry, error) {
		after := suggestion
		if st, err := s.stateAt(s.tip); err == nil && st.Pending != nil && st.waiting == suggestion.id {
			after = s.tip
		}
		return after, []entry{{kindObserved, d}}, nil
	})
	if err != nil {
		return Iteration{}, err
	}
	return e.state.Iterations[len(e.state.Iterations)-1], nil
}

// outcome evaluates the pending suggestion.
func (st State) outcome(ctx context.Context) (observedData, error) {
	var d observedData
	for i, x := range st.Pending.X {
		if err := ctx.Err(); err != nil {
			return d, err
		}
		truth, err := st.Problem.Evaluate(x)
		if err != nil {
			return d, err
		}
		y := append([]float64(nil), truth...)
		if noise := st.Config.Noise; noise > 0 {
			rng := stream.New(st.Config.Seed, len(st.Iterations), "observation noise", uint64(i))
			for k := range y {
				y[k] += noise * rng.NormFloat64()
			}
		}
		d.Truth, d.Y = append(d.Truth, cast[Float](truth)), append(d.Y, cast[Float](y))
		d.Failed = append(d.Failed, !functions.Finite(y))
		if cost := st.Problem.Cost; cost != nil {
			c := cost.Func(x)
			if !(c > 0) || math.IsInf(c, 1) {
				return d, fmt.Errorf("the cost %q is %g at %v; it must be positive and finite", cost.Text, c, x)
			}
			d.Cost = append(d.Cost, Float(c))
		}
	}
	return d, nil
}

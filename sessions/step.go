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

// place keeps what was computed for one place of the log: the belief, and what is to be evaluated next.
type place struct {
	turn   chan struct{} // holds a token while nobody computes
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
	pl := &place{turn: make(chan struct{}, 1)}
	if len(p.order) > 0 {
		pl.before = p.byID[p.order[len(p.order)-1]].bequeath()
	}
	pl.turn <- struct{}{}
	p.byID[id] = pl
	p.order = append(p.order, id)
	return pl
}

// here is the place where the session stands, with its state. The caller holds the lock.
func (s *Session) here() (*place, State) { return s.places.at(s.state.model), s.snapshot() }

// hold waits for the place's turn; the caller calls the returned function when it is done.
func (p *place) hold(ctx context.Context) (func(), error) {
	select {
	case <-p.turn:
		return func() { p.turn <- struct{}{} }, ctx.Err()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Belief is what the optimizer believes where the session stands. It is kept, so that asking again costs nothing; callers
// that ask at once share one fit.
func (s *Session) Belief(ctx context.Context, progress Progress) (optimizers.Belief, error) {
	s.mu.Lock()
	p, st := s.here()
	s.mu.Unlock()
	release, err := p.hold(ctx)
	if release != nil {
		defer release()
	}
	if err != nil {
		return nil, err
	}
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
	case <-p.turn:
		defer func() { p.turn <- struct{}{} }()
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
	if x, ok := optimizers.InitialPoint(st.Input()); ok {
		return optimizers.Suggestion{X: mat.NewDense(1, len(x), x)}, 0, nil
	}
	release, err := p.hold(ctx)
	if release != nil {
		defer release()
	}
	if err != nil {
		return optimizers.Suggestion{}, 0, err
	}
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
	return optimizers.Suggestion{X: optimizers.RandomPoint(st.Input(), "in place of a failed suggestion"), Note: "a random point in place of a suggestion that failed: " + Sanitize(err.Error())}, nil
}

func pendingSuggestion(st State) optimizers.Suggestion {
	x := mat.NewDense(len(st.Pending.X), st.Problem.Dim(), nil)
	for i, row := range st.Pending.X {
		x.SetRow(i, st.Problem.Domain.ToUnit(row))
	}
	return optimizers.Suggestion{X: x, Note: st.Pending.Note}
}

// Step does one iteration. If iterations are recorded ahead on this branch it goes on to the next of them, exactly as it was;
// otherwise the optimizer suggests, the problem is evaluated, and both are recorded.
func (s *Session) Step(ctx context.Context, progress Progress) (Iteration, error) {
	s.mu.Lock()
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
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at != at {
		return Iteration{}, ErrMoved
	}
	if s.state.Pending != nil {
		return s.observe(*s.state.Pending)
	}
	return s.observe(s.pointsOf(sug, spent))
}

// pointsOf makes the iteration of a suggestion, in the problem's units and directions.
func (s *Session) pointsOf(sug optimizers.Suggestion, spent time.Duration) Iteration {
	sign := s.setup.problem.Objectives[0].Direction.Sign()
	it := Iteration{By: s.state.Spec.Name, Seconds: math.Round(spent.Seconds()*1e6) / 1e6, Note: sug.Note,
		SD: sug.SD, Acquisition: sug.Acquisition, Weights: sug.Weights}
	n, _ := sug.X.Dims()
	for i := range n {
		x := s.setup.problem.Domain.FromUnit(mat.Row(nil, i, sug.X))
		for j, v := range s.state.Bounds { // to the last digit
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
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.setup.problem.Domain.Check(x); err != nil {
		return Iteration{}, err
	}
	if err := ctx.Err(); err != nil {
		return Iteration{}, err
	}
	if s.state.Pending != nil {
		return Iteration{}, errors.New("a suggested point waits for its evaluation: step first")
	}
	return s.observe(Iteration{By: ByPerson, X: [][]float64{x}})
}

// recordSuggestion records what is to be evaluated. The caller holds the lock.
func (s *Session) recordSuggestion(it Iteration) error {
	return s.record(kindSuggested, suggestedData{X: castRows[Float](it.X), By: it.By, Mean: cast[Float](it.Mean), SD: cast[Float](it.SD),
		Acquisition: cast[Float](it.Acquisition), Weights: cast[Float](it.Weights), Seconds: Float(it.Seconds), Note: it.Note})
}

// observe records the suggestion, unless it is recorded already, evaluates it, and records what came of it. The caller holds
// the lock.
func (s *Session) observe(it Iteration) (Iteration, error) {
	if s.state.Pending == nil {
		if err := s.recordSuggestion(it); err != nil {
			return Iteration{}, err
		}
	}
	var d observedData
	for i, x := range it.X {
		truth, err := s.setup.problem.Evaluate(x)
		if err != nil {
			return Iteration{}, err
		}
		y := append([]float64(nil), truth...)
		if noise := s.setup.config.Noise; noise > 0 {
			rng := stream.New(s.setup.config.Seed, len(s.state.Iterations), "observation noise", uint64(i))
			for k := range y {
				y[k] += noise * rng.NormFloat64()
			}
		}
		d.Truth, d.Y = append(d.Truth, cast[Float](truth)), append(d.Y, cast[Float](y))
		d.Failed = append(d.Failed, !functions.Finite(y))
		if cost := s.setup.problem.Cost; cost != nil {
			c := cost.Func(x)
			if !(c > 0) || math.IsInf(c, 1) {
				return Iteration{}, fmt.Errorf("the cost %q is %g at %v; it must be positive and finite", cost.Text, c, x)
			}
			d.Cost = append(d.Cost, Float(c))
		}
	}
	if err := s.record(kindObserved, d); err != nil {
		return Iteration{}, err
	}
	return s.state.Iterations[len(s.state.Iterations)-1], nil
}

package sessions

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/sessions/fitcache"
)

// Suggestion is a suggestion on record, with the state that it was made in.
type Suggestion struct {
	Before    State
	Iteration Iteration // without its result
}

// Suggestions lists the suggestions on the current branch. The states before them use no fits that are kept beside the
// session.
func (s *Session) Suggestions() ([]Suggestion, error) {
	s.rec.Lock()
	defer s.rec.Unlock()
	var list []Suggestion
	for _, e := range s.rec.PathToTip() {
		if e.Kind != kindSuggested || e.Parent == nil {
			continue
		}
		st, err := s.rec.Fold(e)
		if err != nil {
			return nil, err
		}
		before, err := s.rec.Fold(e.Parent)
		if err != nil {
			return nil, err
		}
		list = append(list, Suggestion{before.withoutCache(), st.Pending[len(st.Pending)-1]})
	}
	return list, nil
}

// Recompute computes the suggestion again in the state before it, as Step does; it caches nothing.
func (m Suggestion) Recompute(ctx context.Context) (Iteration, error) {
	if m.Iteration.Batch != nil {
		return m.Before.recomputeBatchPoint(ctx, *m.Iteration.Batch)
	}
	sug, spent, err := m.Before.propose(ctx, &fitcache.Cache{}, nil)
	if err != nil {
		return Iteration{}, err
	}
	return m.Before.newIteration(sug, spent), nil
}

// Perturb is the suggestion after the same data, but each value, and each number of an input, is the next
// floating-point number above or below it; inputs that are equal in a variable stay so. Different patterns choose
// differently which.
func (m Suggestion) Perturb(pattern uint64) Suggestion {
	rng := rand.New(rand.NewPCG(pattern, 0))
	side := func() float64 { return math.Inf(1 - 2*rng.IntN(2)) }
	nudged := func(row []float64, move func(k int, v float64) float64) []float64 {
		row = slices.Clone(row)
		for k, v := range row {
			row[k] = move(k, v)
		}
		return row
	}
	domain := m.Before.Problem.Domain
	inputs := make([]map[float64]float64, len(domain))
	for j := range inputs {
		inputs[j] = map[float64]float64{}
	}
	m.Before.Iterations = slices.Clone(m.Before.Iterations)
	for i := range m.Before.Iterations {
		it := &m.Before.Iterations[i]
		it.Points = slices.Clone(it.Points)
		for p, pt := range it.Points {
			it.Points[p].Y = nudged(pt.Y, func(_ int, v float64) float64 { return math.Nextafter(v, side()) })
		}
		for p, pt := range it.Points {
			it.Points[p].X = nudged(pt.X, func(j int, v float64) float64 {
				d := domain[j]
				if _, known := inputs[j][v]; !known {
					inputs[j][v] = v
					if d.Kind == functions.Real {
						inputs[j][v] = min(max(math.Nextafter(v, side()), d.Low), d.High)
					}
				}
				return inputs[j][v]
			})
		}
	}
	return m
}

// Acquisition is the acquisition of the belief that the suggestion is made from again, at points in the problem's
// units, and whether less of it is better. The error wraps optimizers.ErrUnsupported where nothing is chosen by one.
func (m Suggestion) Acquisition(ctx context.Context, points [][]float64) (values []float64, lower bool, err error) {
	in := m.Before.inputWithPending()
	if search.InDesign(in) {
		return nil, false, fmt.Errorf("the initial design: %w", optimizers.ErrUnsupported)
	}
	var cache fitcache.Cache
	b, err := cache.Believe(ctx, m.Before.modelID, m.Before.Spec, in, nil)
	if err != nil {
		return nil, false, err
	}
	x := mat.NewDense(len(points), in.Dim, nil)
	for i, p := range points {
		x.SetRow(i, m.Before.Problem.Domain.ToUnit(p))
	}
	values, err = b.Acquisition(ctx, x)
	return values, b.Legend().LowerIsBetter, err
}

// Outcome evaluates a point of the suggestion again with the problem's own evaluator and the session's noise; it keeps
// nothing. The error is ErrNoEvaluator (wrapped) if the problem has none.
func (m Suggestion) Outcome(ctx context.Context, point int, progress Progress) (functions.Outcome, error) {
	p, cfg := m.Before.Problem, m.Before.Config
	evaluator := p.Evaluator()
	if evaluator == nil {
		return functions.Outcome{}, fmt.Errorf("%s: %w", p.Name, ErrNoEvaluator)
	}
	o, err := m.Iteration.evaluatePoint(ctx, point, evaluator, p, progress)
	if err == nil && cfg.Noise > 0 {
		o = m.Iteration.addNoise(point, o, p, cfg)
	}
	return o, err
}

// IsFallback reports whether the points are random ones, in place of a suggestion that failed.
func (it Iteration) IsFallback() bool { return fitcache.IsFallback(it.Note) }

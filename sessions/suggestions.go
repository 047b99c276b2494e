package sessions

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bandscope/functions"
	"bandscope/sessions/fits"
)

// Suggestion is a suggestion on record, with the state that it was made in.
type Suggestion struct {
	Before    State
	Iteration Iteration // without what came of it
}

// Suggestions lists what was suggested on the current branch.
func (s *Session) Suggestions() ([]Suggestion, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Suggestion
	for _, e := range s.tip.Way() {
		if e.Kind != kindSuggested || e.Parent == nil {
			continue
		}
		st, err := s.folds.at(e)
		if err != nil {
			return nil, err
		}
		list = append(list, Suggestion{*s.folds[e.Parent], st.Out[len(st.Out)-1]})
	}
	return list, nil
}

// Again suggests anew in the state before, by the way that Step takes; nothing is kept.
func (m Suggestion) Again(ctx context.Context) (Iteration, error) {
	if m.Iteration.Batch != nil {
		return m.Before.batchAgain(ctx, *m.Iteration.Batch)
	}
	sug, spent, err := m.Before.propose(ctx, &fits.Fits{}, nil)
	if err != nil {
		return Iteration{}, err
	}
	return m.Before.pointsOf(sug, spent), nil
}

// Nudged is the suggestion after the same data, but each value is the next floating-point number above or below it. Different patterns choose differently which.
func (m Suggestion) Nudged(pattern uint64) Suggestion {
	rng := rand.New(rand.NewPCG(pattern, 0))
	m.Before.Iterations = slices.Clone(m.Before.Iterations)
	for i, it := range m.Before.Iterations {
		y := make([][]float64, len(it.Y))
		for p, row := range it.Y {
			y[p] = slices.Clone(row)
			for k, v := range row {
				y[p][k] = math.Nextafter(v, math.Inf(1-2*rng.IntN(2)))
			}
		}
		m.Before.Iterations[i].Y = y
	}
	return m
}

// Outcome evaluates a point of the suggestion anew by the problem's own evaluator, with the session's noise; nothing is kept. It is ErrNoEvaluator (wrapped) where
// the problem has none.
func (m Suggestion) Outcome(ctx context.Context, point int, progress Progress) (functions.Outcome, error) {
	p, cfg := m.Before.Problem, m.Before.Config
	by := p.Evaluator()
	if by == nil {
		return functions.Outcome{}, fmt.Errorf("%s: %w", p.Name, ErrNoEvaluator)
	}
	o, err := m.Iteration.evaluated(ctx, point, by, p, progress)
	if err == nil && cfg.Noise > 0 {
		o = m.Iteration.noisy(point, o, p, cfg)
	}
	return o, err
}

// Instead reports whether the points are random ones, in place of a suggestion that failed.
func (it Iteration) Instead() bool { return fits.Instead(it.Note) }

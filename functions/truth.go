package functions

import (
	"errors"
	"fmt"

	"bandscope/functions/numfmt"
)

// ErrNoTruth is returned (wrapped) if a problem has no truth: its values are only known from evaluations.
var ErrNoTruth = errors.New("the true values are unknown")

// Truth is known for test functions and not for experiments: their values without noise, at no cost, and the best of
// these values. Screens draw it, and regret is computed from it; callers handle problems without one.
type Truth struct {
	// Value takes an input in the domain's units to the values of all that is measured, without noise. It is called
	// from several goroutines at once.
	Value func(x []float64) []float64

	Optimum *Optimum // of the one objective, within all limits; nil where it is unknown
	Front   *Front   // of several objectives; nil where it is unknown
}

// Optimum is the best value of a single objective, if known.
type Optimum struct {
	Value float64     `json:"value"`       // in the problem's own units and direction
	X     [][]float64 `json:"x,omitempty"` // the places where it is reached, as far as they are known
}

// Front is the Pareto front of several objectives, if known.
type Front struct {
	Points   func(count int) [][]float64 // about so many points of it, in the objectives' units and directions
	Computed bool                        // it was searched for, as no closed form is known
}

// Optimum is the best value of the single objective; nil if unknown, as for an experiment.
func (p *Problem) Optimum() *Optimum {
	if p.Truth == nil {
		return nil
	}
	return p.Truth.Optimum
}

// Front is the Pareto front; nil if unknown, as for an experiment.
func (p *Problem) Front() *Front {
	if p.Truth == nil {
		return nil
	}
	return p.Truth.Front
}

// TrueValues are the values of all outputs at an input, in their own units and directions and without noise; values
// that are not finite are returned as they are. The error reports an invalid x, or is ErrNoTruth.
func (p *Problem) TrueValues(x []float64) ([]float64, error) {
	if p.Truth == nil {
		return nil, fmt.Errorf("%s: %w", p.Name, ErrNoTruth)
	}
	if err := p.Domain.Check(x); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	y := p.Truth.Value(x)
	if len(y) != len(p.Objectives)+len(p.Limits) {
		return nil, fmt.Errorf("%s: the function returned %s, but the problem has %s", p.Name,
			numfmt.Count(len(y), "value"), p.OutputSummary())
	}
	return y, nil
}

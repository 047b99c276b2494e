package functions

import (
	"context"
	"fmt"
	"math"
)

// Evaluator takes a point to what comes of it: at once, as a test function does, in a minute, as a program does, or in two days, as a person does.
type Evaluator interface {
	// Evaluate evaluates an input in the domain's units, and stops soon after the context ends. An evaluation that gives no finite value is an outcome;
	// an error says that it could not be done, and that the point still waits. It may be called from several goroutines at once.
	Evaluate(ctx context.Context, x []float64) (Outcome, error)
}

// Outcome is what came of the evaluation of one point, in the problem's own units and directions.
type Outcome struct {
	Values []float64 // of each objective; not all finite, or none at all, where it failed
	Truth  []float64 // those without noise; nil where nobody knows them
	Cost   float64   // 0 where it was not measured: what the problem declares counts
	Reason string    // why it failed, if anybody knows
}

// Settled is the outcome as it counts for the problem: with a value of every objective, NaN where it failed without any, and with the declared cost where
// none was measured. The error says what is wrong with it, in which case there is no outcome at all.
func (p *Problem) Settled(x []float64, o Outcome) (Outcome, error) {
	if len(o.Values) == 0 && o.Reason != "" {
		for range p.Objectives {
			o.Values = append(o.Values, math.NaN())
		}
	}
	k := len(p.Objectives)
	if len(o.Values) != k {
		return o, fmt.Errorf("%s: the evaluation gave %d values, %s has %d objectives", p.Name, len(o.Values), p.Name, k)
	}
	if o.Truth != nil && len(o.Truth) != k {
		return o, fmt.Errorf("%s: the evaluation gave %d values and %d without noise", p.Name, len(o.Values), len(o.Truth))
	}
	if o.Reason != "" && Finite(o.Values) {
		return o, fmt.Errorf("%s: the evaluation gave %v and failed as well (%s)", p.Name, o.Values, o.Reason)
	}
	if o.Cost != 0 && !positive(o.Cost) {
		return o, fmt.Errorf("%s: the evaluation cost %g; a cost is positive and finite", p.Name, o.Cost)
	}
	if o.Cost == 0 {
		var err error
		o.Cost, err = p.CostAt(x)
		return o, err
	}
	return o, nil
}

// CostAt is what an evaluation is declared to cost; 1 where all cost the same. The error tells of a cost that is not positive and finite.
func (p *Problem) CostAt(x []float64) (float64, error) {
	if p.Cost == nil {
		return 1, nil
	}
	c := p.Cost.Func(x)
	if !positive(c) {
		return c, fmt.Errorf("the cost %q is %g at %s; it must be positive and finite", p.Cost.Text, c, p.Domain.Text(x))
	}
	return c, nil
}

func positive(v float64) bool { return v > 0 && !math.IsInf(v, 1) }

// Evaluator is that of the problem's own truth, without noise; nil where there is none.
func (p *Problem) Evaluator() Evaluator {
	if p.Truth == nil {
		return nil
	}
	return itself{p}
}

// itself evaluates a test function by its truth.
type itself struct{ problem *Problem }

// Evaluate asks the truth.
func (e itself) Evaluate(_ context.Context, x []float64) (Outcome, error) {
	y, err := e.problem.TrueValues(x)
	return Outcome{Values: y, Truth: y}, err
}

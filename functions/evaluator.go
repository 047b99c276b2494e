package functions

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"bandscope/functions/numfmt"
)

// Evaluator evaluates points: at once, as a test function does, in a minute, as a program does, or in two days, as a
// person does.
type Evaluator interface {
	// Evaluate evaluates an input in the domain's units, and stops soon after the context ends. An evaluation that
	// gives no finite value is an outcome; an error says that it could not be done, and that the point still waits. It
	// may be called from several goroutines at once.
	Evaluate(ctx context.Context, x []float64) (Outcome, error)
}

// Outcome is the result of the evaluation of one point, in the problem's own units and directions.
type Outcome struct {
	// of all that is measured, as of Problem.Measured; not all finite, or none at all, where it failed
	Values  []float64
	SE      []float64 // the standard error of each value, NaN where it is unknown; nil where none is
	At      []float64 // where it was evaluated, if elsewhere than it was suggested; nil there
	Truth   []float64 // the values without noise; nil if unknown
	Cost    float64   // 0 where it was not measured: what the problem declares counts
	Reason  string    // why it failed, if anybody knows
	Note    string    // a remark
	Block   string    // the plate, day or batch that it was measured in; empty for none
	Partial bool      // a value that is NaN did not fail but is not known yet
}

// Errors of outcomes, which those of Settled and Problem.Outcome wrap.
var (
	ErrMissing   = errors.New("a value is missing")
	ErrNotFinite = errors.New("the value is not finite; report a failure with its reason instead")
)

// NormalizeOutcome is the outcome as the problem counts it: with a value of every output, NaN if it failed or is not
// known yet, and with the declared cost if none was measured and nothing is missing. The error reports an invalid
// outcome.
func (p *Problem) NormalizeOutcome(x []float64, o Outcome) (Outcome, error) {
	if len(o.Values) == 0 && (o.Reason != "" || o.Partial) {
		for range p.Outputs() {
			o.Values = append(o.Values, math.NaN())
		}
	}
	k := len(p.Outputs())
	if len(o.Values) != k {
		err := fmt.Errorf("%s: the evaluation returned %s, but %s has %s", p.Name, numfmt.Count(len(o.Values), "value"),
			p.Name, p.OutputSummary())
		if len(o.Values) < k {
			err = fmt.Errorf("%w: %w", ErrMissing, err)
		}
		return o, err
	}
	if o.Truth != nil && len(o.Truth) != k {
		return o, fmt.Errorf("%s: the evaluation returned %s, but %s without noise", p.Name,
			numfmt.Count(len(o.Values), "value"), numfmt.Count(len(o.Truth), "value"))
	}
	if o.Reason != "" && Finite(o.Values) {
		return o, fmt.Errorf("%s: the evaluation returned both values %v and a failure (%s)", p.Name, o.Values,
			o.Reason)
	}
	if err := p.checkStandardErrors(o); err != nil {
		return o, err
	}
	if o.At != nil {
		if err := p.Domain.Check(o.At); err != nil {
			return o, fmt.Errorf("invalid point of an evaluation: %w", err)
		}
		x = o.At
	}
	if o.Cost != 0 && !positive(o.Cost) {
		return o, fmt.Errorf("%s: the cost of an evaluation must be positive and finite, got %g", p.Name, o.Cost)
	}
	o.Partial = o.Partial && o.Reason == "" && !Finite(o.Values)
	if o.Cost == 0 && !o.Partial {
		var err error
		o.Cost, err = p.CostAt(x)
		return o, err
	}
	return o, nil
}

// checkStandardErrors returns the error of an outcome's standard errors, if any.
func (p *Problem) checkStandardErrors(o Outcome) error {
	measured := p.Outputs()
	if o.SE != nil && len(o.SE) != len(measured) {
		return fmt.Errorf("%s: there are %d standard errors, but %s has %s", p.Name, len(o.SE), p.Name,
			p.OutputSummary())
	}
	for k, se := range o.SE {
		name := measured[k].Name
		switch {
		case math.IsNaN(se):
		case !positive(se):
			return fmt.Errorf("the standard error of %s must be positive and finite, got %g", name, se)
		case !Finite(o.Values[k : k+1]):
			return fmt.Errorf("%s has a standard error but no value: %w", name, ErrMissing)
		}
	}
	return nil
}

// Warnings are the unlikely values of an outcome, one sentence each, which a person should confirm before reporting it;
// nil if there are none.
func (p *Problem) Warnings(o Outcome) []string {
	var list []string
	with := func(v float64, unit string) string { return strings.TrimSpace(numfmt.Exact(v) + " " + unit) }
	for k, ob := range p.Outputs() {
		if ob.Range == nil || k >= len(o.Values) || !Finite(o.Values[k:k+1]) {
			continue
		}
		low := ob.Range[0]
		high := ob.Range[1]
		g := ob.Transform()
		if v := o.Values[k]; v < low || v > high {
			list = append(list, fmt.Sprintf("%s: %s is outside the expected range %s to %s", ob.Name, with(v, ob.Unit),
				numfmt.Exact(low), numfmt.Exact(high)))
		}
		if o.SE != nil && g.ApplySE(o.Values[k], o.SE[k]) > g.ToScale(high)-g.ToScale(low) {
			list = append(list, fmt.Sprintf("%s: the standard error %s is larger than the expected range %s to %s", ob.Name, with(o.SE[k], ob.Unit), numfmt.Exact(low), numfmt.Exact(high)))
		}
	}
	return list
}

// CostAt is the declared cost of an evaluation; 1 if all evaluations cost the same. The error reports a cost that is
// not positive and finite.
func (p *Problem) CostAt(x []float64) (float64, error) {
	if p.Cost == nil {
		return 1, nil
	}
	c := p.Cost.Func(x)
	if !positive(c) {
		return c, fmt.Errorf("the cost %q is %g at %s; it must be positive and finite", p.Cost.Text, c,
			p.Domain.Text(x))
	}
	return c, nil
}

func positive(v float64) bool { return v > 0 && !math.IsInf(v, 1) }

// Evaluator is the problem's own evaluator; for a test function that of its truth, without noise; nil if there is none.
func (p *Problem) Evaluator() Evaluator {
	switch {
	case p.BuiltinEvaluator != nil:
		return p.BuiltinEvaluator
	case p.Truth != nil:
		return truthEvaluator{p}
	}
	return nil
}

// truthEvaluator evaluates a test function by its truth.
type truthEvaluator struct{ problem *Problem }

// Evaluate asks the truth.
func (e truthEvaluator) Evaluate(_ context.Context, x []float64) (Outcome, error) {
	y, err := e.problem.TrueValues(x)
	return Outcome{Values: y, Truth: y}, err
}

// PointID says which point of a session an evaluation is of; the zero value is of none.
type PointID struct {
	Point int `json:"point"` // its number while it is pending, from 1
	// of a batch, whose points share the number, its own from 1; 0 where there is a single point
	Batch int `json:"batch,omitempty"`
	// its step if all earlier suggestions are reported first, from 1; the points of a batch share it
	Step int `json:"step"`

	// as it is at this point, after objectives were added or dropped; nil is as the evaluator knows it
	Problem *Problem `json:"-"`
}

// String is the point's name, as 7, or 7.2 in a batch.
func (p PointID) String() string {
	if p.Batch == 0 {
		return strconv.Itoa(p.Point)
	}
	return fmt.Sprintf("%d.%d", p.Point, p.Batch)
}

// The context carries the PointID of an evaluation and the listener for its log lines; most evaluators need neither.
type (
	pointIDKey  struct{}
	listenerKey struct{}
)

// WithPointID is a context for the evaluation of a point of a session.
func WithPointID(ctx context.Context, p PointID) context.Context {
	return context.WithValue(ctx, pointIDKey{}, p)
}

// PointIDFrom is the place that an evaluator was given with its context.
func PointIDFrom(ctx context.Context) PointID {
	p, _ := ctx.Value(pointIDKey{}).(PointID)
	return p
}

// WithListener is a context for evaluations whose log lines are passed to hear: text from outside, unfiltered, from any
// goroutine.
func WithListener(ctx context.Context, hear func(line string)) context.Context {
	return context.WithValue(ctx, listenerKey{}, hear)
}

// LogLine passes a line to the listener, if there is one.
func LogLine(ctx context.Context, line string) {
	if hear, ok := ctx.Value(listenerKey{}).(func(string)); ok {
		hear(line)
	}
}

package optimizers

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/numfmt"
	"bandscope/optimizers/param"
)

// Limit is a quantity that must lie between bounds, in its own unit and direction.
type Limit struct {
	Name      string
	Min       float64 // −∞ where it has no lower bound
	Max       float64 // +∞ where it has no upper one
	Noise     float64 // declared standard deviation of its observations; 0 if not known
	Objective int     // its objective, if it is one; −1 otherwise
	Log       bool    // bounds and values are decimal logarithms of the quantity
}

// Excess is the violation of the bounds by a value, in its unit; within them it is minus the distance to the nearest
// bound.
func (l Limit) Excess(v float64) float64 { return math.Max(v-l.Max, l.Min-v) }

// IsFeasible reports whether datum i was observed within all limits.
func (in Input) IsFeasible(i int) bool {
	for k, l := range in.Limits {
		if l.Excess(in.Data.Limits.At(i, k)) > 0 {
			return false
		}
	}
	return true
}

// LimitHandling is how a method handles limits on measured quantities.
type LimitHandling int

// The ways to handle limits.
const (
	LimitsUnsupported   LimitHandling = iota + 1 // not supported
	LimitsByProbability                          // the acquisition function times the probability that all limits are met
	LimitsByDraws                                // a sample of each limit's process
	LimitsByBounds                               // optimistic bounds of the limits' processes
	LimitsIgnored                                // results are ignored
	LimitsByProgram                              // the program gets the limits and the measured quantities
)

// LimitsKey is the key of the parameter with which a method chooses how it handles limits.
const LimitsKey = "limits"

// The values of this parameter.
const (
	LimitsProbability = "probability" // LimitsByProbability
	LimitsBounds      = "bounds"      // LimitsByBounds
)

// LimitsFor is how the method handles limits with these parameters.
func (s Spec) LimitsFor(p param.Set) LimitHandling {
	if p.Has(LimitsKey) && p.Choice(LimitsKey) == LimitsBounds {
		return LimitsByBounds
	}
	return s.Limits
}

// Excess is the violation of the limits by a model or a sample of it at the rows of X, in standard deviations of the
// data; 0 where all limits are met.
type Excess func(ctx context.Context, X *mat.Dense) ([]float64, error)

// Feasibility is the model of the limits of an input, and how its method handles them.
type Feasibility interface {
	// Handling is how the method handles the limits.
	Handling() LimitHandling
	// FeasibleData are the observations within all limits, as observed or, if observations are noisy, according to the
	// model.
	FeasibleData() []bool
	// LogProbability is the logarithm of the probability that all limits are met at the rows of X.
	LogProbability(ctx context.Context, X *mat.Dense) ([]float64, error)
	// ApproximateLogProbability is a cheap approximation of LogProbability.
	ApproximateLogProbability(ctx context.Context, X *mat.Dense) ([]float64, error)
	// LogProbabilityGradient is LogProbability at x, with its gradient.
	LogProbabilityGradient(x, grad []float64) float64
	// ApproximateGradient is a cheap approximation of LogProbabilityGradient; nil if climbs are to do without, as those
	// of earlier sessions did.
	ApproximateGradient() func(x, grad []float64) float64
	// LimitProbabilities are the probabilities that each single limit is met at the rows of X.
	LimitProbabilities(ctx context.Context, X *mat.Dense) ([][]float64, error)
	// SampleExcess is the excess of functions sampled jointly over the domain, other ones for other numbers.
	SampleExcess(numbers ...uint64) (Excess, error)
	// OptimisticExcess is the excess of the means moved by a number of standard deviations towards feasible values.
	OptimisticExcess(deviations float64) Excess
	// Facts are the facts to show.
	Facts() []Fact
}

// FeasibilityModeler is a belief with a model of the limits.
type FeasibilityModeler interface {
	// Feasibility is nil where there are no limits.
	Feasibility() Feasibility
}

// FeasibilityFor is the model of the limits of a belief; nil if it has none.
func FeasibilityFor(b Belief) Feasibility {
	if b, ok := b.(FeasibilityModeler); ok {
		return b.Feasibility()
	}
	return nil
}

// AnyFeasible reports whether some observation is within all limits; true if there are no limits.
func (in Input) AnyFeasible() bool {
	return in.Feasible == nil || slices.Contains(in.Feasible.FeasibleData(), true)
}

// Text formats the bounds, as "≤ 80", in the unit of the quantity.
func (l Limit) Text() string {
	format := numfmt.Exact
	if l.Log {
		format = func(v float64) string { return numfmt.Format(math.Pow(10, v)) }
	}
	switch {
	case math.IsInf(l.Min, -1):
		return "≤ " + format(l.Max)
	case math.IsInf(l.Max, 1):
		return "≥ " + format(l.Min)
	}
	return format(l.Min) + " to " + format(l.Max)
}

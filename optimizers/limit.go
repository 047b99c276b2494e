package optimizers

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/numfmt"
)

// Limit is a quantity that is to lie between bounds, in its own unit and direction.
type Limit struct {
	Name      string
	Min       float64 // −∞ where it has no lower bound
	Max       float64 // +∞ where it has no upper one
	Noise     float64 // standard deviation of its observations, as it is declared; 0 where it is not known
	Objective int     // the objective that it is; −1 where it is none
	Log       bool    // bounds and values are decimal logarithms of what is measured
}

// Excess is how far a value is beyond the bounds, in its unit; 0 or less within them, where it is minus the distance to
// the nearest one.
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

// LimitHandling is how a method keeps to limits on what is measured.
type LimitHandling int

// The ways to keep to limits.
const (
	LimitsUnsupported   LimitHandling = iota + 1 // problems with limits are refused
	LimitsByProbability                          // the acquisition times the probability to be within all limits
	LimitsByDraws                                // a draw of each limit's process
	LimitsByBounds                               // optimistic bounds of the limits' processes
	LimitsIgnored                                // no result is looked at
)

// Excess is how far what is believed of the limits, or was drawn of it, is beyond them at the rows of X, in standard
// deviations of the data; 0 where it is beyond none.
type Excess func(ctx context.Context, X *mat.Dense) ([]float64, error)

// Feasibility is what is believed of the limits of an input, and how its method keeps to them.
type Feasibility interface {
	// Way is how the method keeps to them.
	Handling() LimitHandling
	// Met are the data within all limits, by observation or, where observations are noisy, as it is believed.
	FeasibleData() []bool
	// LogProbability is the logarithm of the probability that all limits are met at the rows of X.
	LogProbability(ctx context.Context, X *mat.Dense) ([]float64, error)
	// Slope is that at x, with its gradient.
	LogProbabilityGradient(x, grad []float64) float64
	// Parts are the probabilities of each limit by itself at the rows of X.
	LimitProbabilities(ctx context.Context, X *mat.Dense) ([][]float64, error)
	// Drawn is the excess of functions that are drawn jointly over the domain, others for other numbers.
	SampleExcess(numbers ...uint64) (Excess, error)
	// Within is the excess of the means moved by so many standard deviations towards what meets the limits.
	OptimisticExcess(deviations float64) Excess
	// Facts tell what was learned.
	Facts() []Fact
}

// FeasibilityModeler is a belief that knows what is believed of limits.
type FeasibilityModeler interface {
	// Feasibility is nil where there are no limits.
	Feasibility() Feasibility
}

// FeasibilityFor is what a belief knows of limits; nil where that is nothing.
func FeasibilityFor(b Belief) Feasibility {
	if b, ok := b.(FeasibilityModeler); ok {
		return b.Feasibility()
	}
	return nil
}

// AnyFeasible reports whether some datum is within all limits; true where there are none.
func (in Input) AnyFeasible() bool {
	return in.Feasible == nil || slices.Contains(in.Feasible.FeasibleData(), true)
}

// Text tells the bounds, as "≤ 80", in the unit of what is measured.
func (l Limit) Text() string {
	told := numfmt.Exact
	if l.Log {
		told = func(v float64) string { return numfmt.Format(math.Pow(10, v)) }
	}
	switch {
	case math.IsInf(l.Min, -1):
		return "≤ " + told(l.Max)
	case math.IsInf(l.Max, 1):
		return "≥ " + told(l.Min)
	}
	return told(l.Min) + " to " + told(l.Max)
}

// Package optimizers is the contract between the methods, which choose the next point, and the rest of the program:
// what a method is told (Input), what it holds to be true (Belief) and would do next (Suggestion), and how it is
// declared (Spec). A belief may have more to show, each an interface of its own that a caller asks for: WarmStarter,
// Spectrum, Scalarizer, ParetoSolver, Constrained. The methods themselves are in the packages below this one, their
// list in package registry; whoever adds one needs this package and acquisition or search. No method, no algorithm, no
// session and no screen lives here.
//
// Everything is internal: inputs are points of the unit cube, every objective is minimized, and is its logarithm where
// factors count (Input.Gauges). A method is a pure function of its Input: the same data, parameters, seed and step give
// the same belief and the same suggestion, whatever was looked at in between.
package optimizers

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/numfmt"
	"bandscope/functions/rng"
	"bandscope/functions/transform"
	"bandscope/model"
	"bandscope/model/preference"
	"bandscope/optimizers/param"
	"bandscope/optimizers/space"
)

// ErrUnsupported is returned (wrapped) by a belief that lacks what it is asked for, such as a band.
var ErrUnsupported = errors.New("this method does not support it")

// IgnoreUnsupported is nil for an error that wraps ErrUnsupported, and otherwise the error.
func IgnoreUnsupported(err error) error {
	if errors.Is(err, ErrUnsupported) {
		return nil
	}
	return err
}

// Data is what has been observed so far.
type Data struct {
	X       *mat.Dense // n×d points of the unit cube; nil while n is 0
	Y       *mat.Dense // n×K values, minimized; nil while n is 0
	SE      *mat.Dense // n×K standard errors of the values, NaN where one is not known; nil where none is
	Limits  *mat.Dense // n×L values of what has limits, as of Input.Limits; nil while n or L is 0
	LimitSE *mat.Dense // n×L standard errors of those, NaN where one is not known; nil like Limits
	Failed  *mat.Dense // points whose evaluation gave no finite value; nil if none
}

// Len is the number of observations n.
func (d Data) Len() int {
	if d.X == nil {
		return 0
	}
	n, _ := d.X.Dims()
	return n
}

// Column returns a copy of objective k's values, length n.
func (d Data) Column(k int) []float64 {
	if d.Y == nil {
		return nil
	}
	return mat.Col(nil, k, d.Y)
}

// Input is all that a method may depend on.
type Input struct {
	Dim        int       // d
	Objectives int       // K
	Data       Data      //
	Step       int       // iterations before this one, done or out: the first suggestion has Step 0
	Budget     int       // T, the planned number of iterations
	Seed       uint64    // the session's seed
	Params     param.Set //

	// Domain says which inputs take levels only, and which constraints are known; nil: all are real numbers, without
	// constraints.
	Domain *space.Domain

	// Where the next point may lie, as a person narrowed it: bounds in the unit cube, nil for all of it, and points
	// that were rejected.
	Low, High []float64
	Avoid     [][]float64

	// Out are the points that are being evaluated and have no outcome yet, m×d in the unit cube; nil if there are none.
	Pending *mat.Dense

	// Apart is how far the next point is to be from those that are out, in some number of the unit cube, or else it
	// differs in a level; 0: as the method needs.
	MinDistance float64

	// Lo and Hi are the frozen range of the minimized objectives: the outcome 1, and the outcome 0; nil: that of the
	// initial design.
	Lo, Hi []float64

	// Widths are those of the variables in their own units, or of one on a logarithmic scale in natural logarithms, in
	// which lengths are told; nil: all 1. Factors says which are such, nil: none. Nothing is computed with them.
	Widths  []float64
	Factors []bool

	// Noise is the standard deviation of each objective's observations, as it is declared; 0 where it is not known,
	// nil: nowhere.
	Noise []float64

	// Expected is what each minimized objective is declared to range over, from its least to its greatest value; nil
	// where nobody said.
	Expected [][]float64

	// LimitHandling are what has limits, in the order of the columns of Data.LimitHandling; nil where nothing has.
	Limits []Limit

	// Clipped are the values that Winsorize replaced in Data; nil where there are none.
	Clipped []Clip

	// LearnFailures says that failures are to be learned as a limit of their own, where there are enough of them.
	LearnFailures bool

	// Feasible is what is believed of them. It is made of the data by who calls a method's Fit; nil where there are no
	// limits, or nothing is known of them.
	Feasible Feasibility

	Transforms []transform.Transform // of each objective, how its own values are counted here; nil: all as they are
	Regions    map[string]string     // priors over weights by the name of the region that they aim at

	// Cost is what an evaluation at a point of the unit cube costs, positive and the same on a step of what takes
	// levels; nil where all cost the same.
	Cost func(u []float64) float64

	// Fidelity says which input is how faithful an evaluation is; nil where all are evaluations of what is to be
	// minimized.
	Fidelity *Fidelity

	// Answers are what a person said of pairs of outcomes, in [0, 1] over the frozen range, for methods with a prior
	// over weights.
	Answers []preference.Answer

	// Progress, if not nil, is told what a long computation is doing and how far it is. It may be called from any
	// goroutine.
	Progress func(what string, done, total int)
}

// ErrorHandling are the standard deviations of the noise of an objective's observations as far as they are known: the
// standard error that came with one, or else what is declared of all; NaN where neither is known, and nil where none
// is.
func (in Input) Errors(objective int) []float64 {
	declared := math.NaN()
	if in.Noise != nil && in.Noise[objective] > 0 {
		declared = in.Noise[objective]
	}
	errors, known := make([]float64, in.Data.Len()), false
	for i := range errors {
		errors[i] = declared
		if in.Data.SE != nil && !math.IsNaN(in.Data.SE.At(i, objective)) {
			errors[i] = in.Data.SE.At(i, objective)
		}
		known = known || !math.IsNaN(errors[i])
	}
	if !known {
		return nil
	}
	return errors
}

// Scale standardizes the first n values of an objective: by their own mean and standard deviation, or as long as there
// are fewer than two and it is declared what to expect, by the middle of that range and a quarter of its width, so that
// two standard deviations of a belief before any data are the range.
func (in Input) Scale(objective, n int) model.Standardizer {
	if n < 2 && objective < len(in.Expected) && in.Expected[objective] != nil {
		lo, hi := in.Expected[objective][0], in.Expected[objective][1]
		return model.Standardizer{Mean: lo + (hi-lo)/2, SD: (hi - lo) / 4}
	}
	return model.Standardize(in.Data.Column(objective)[:n])
}

// Length tells a length along a variable, given in the unit cube, in the variable's own unit; along a logarithmic scale
// it is a factor, as "×3.2".
func (in Input) Length(j int, length float64) string {
	if in.Widths != nil {
		length *= in.Widths[j]
	}
	if in.Factors != nil && in.Factors[j] {
		return "×" + numfmt.Format(math.Exp(length))
	}
	return numfmt.Format(length)
}

// Deviation tells the standard deviation of an objective's values in its own unit; where their logarithms count it is a
// factor, as "×1.3".
func (in Input) Deviation(objective int, sd float64) string {
	if in.Transforms == nil {
		return numfmt.Format(sd)
	}
	return in.Transforms[objective].FormatDifference(sd, numfmt.Format)
}

// Fidelity is an input at whose full value an evaluation is one of the objective itself, and elsewhere one of something
// like it.
type Fidelity struct {
	Index int
	Full  float64 // of the unit cube
	Text  string  // as it is shown: "l = 5"
}

// SetFull brings a point to full fidelity, in place.
func (f *Fidelity) SetFull(x []float64) []float64 {
	if f != nil {
		x[f.Index] = f.Full
	}
	return x
}

// IsFull reports whether a point has full fidelity.
func (f *Fidelity) IsFull(x []float64) bool { return f == nil || math.Abs(x[f.Index]-f.Full) < 1e-9 }

// Stream returns the random stream of a purpose at this step.
func (in Input) Stream(purpose string, more ...uint64) *rand.Rand {
	return rng.New(in.Seed, in.Step, purpose, more...)
}

// Report calls Progress if there is one.
func (in Input) Report(what string, done, total int) {
	if in.Progress != nil {
		in.Progress(what, done, total)
	}
}

// CostAt is what an evaluation at a point of the unit cube costs; 1 where all cost the same.
func (in Input) CostAt(u []float64) float64 {
	if in.Cost == nil {
		return 1
	}
	return in.Cost(u)
}

// Package optimizers is the contract between the methods, which choose the next point, and the rest of the program: the
// input of a method (Input), what it believes (Belief), what it suggests (Suggestion) and how it is declared (Spec). A
// belief may offer more through interfaces of its own that callers check for: WarmStarter, Spectrum, Scalarizer,
// ParetoSolver, Constrained. The methods are in the packages below this one, and package registry lists them. To add a
// method, use this package and acquisition or search. This package contains no method, no algorithm, no session and no
// screen.
//
// Everything is internal: inputs are points of the unit cube, and every objective is minimized, or its logarithm if
// Input.Transforms says so. A method is a pure function of its Input: the same data, parameters, seed and step give the
// same belief and the same suggestion, whatever was computed in between.
package optimizers

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/rng"
	"bandscope/functions/transform"
	"bandscope/model"
	"bandscope/model/preference"
	"bandscope/optimizers/param"
	"bandscope/optimizers/space"
)

// ErrUnsupported is returned (wrapped) by a belief that does not have the requested quantity, such as a band.
var ErrUnsupported = errors.New("this method does not support it")

// IgnoreUnsupported is nil for an error that wraps ErrUnsupported, and otherwise the error.
func IgnoreUnsupported(err error) error {
	if errors.Is(err, ErrUnsupported) {
		return nil
	}
	return err
}

// Data holds the observations so far.
type Data struct {
	X       *mat.Dense // n×d points of the unit cube; nil while n is 0
	Y       *mat.Dense // n×K values, minimized; nil while n is 0
	SE      *mat.Dense // n×K standard errors of the values, NaN where one is not known; nil where none is
	Limits  *mat.Dense // n×L values of the limited quantities, as in Input.Limits; nil while n or L is 0
	LimitSE *mat.Dense // n×L standard errors of those, NaN where one is not known; nil like Limits
	Failed  *mat.Dense // points whose evaluation gave no finite value; nil if none

	// Blocks has the block of each observation, such as its plate or day, as an index of BlockNames; −1 for an
	// observation without one, nil if no shift of blocks is to be estimated.
	Blocks     []int
	BlockNames []string

	// Imports are the ranges of observations that were made before the session and added to it together, from the first
	// one of each up to, but not, the last, in order; nil if there are none. See Input.Imports.
	Imports [][2]int

	FailedAfter []int // how many observations came before each of Failed; nil where that is not known
}

// Len is the number of observations n.
func (d Data) Len() int {
	if d.X == nil {
		return 0
	}
	n, _ := d.X.Dims()
	return n
}

// Select is the data of some observations, in the order of their rows. Failed evaluations belong to none.
func (d Data) Select(rows []int) Data {
	pick := func(m *mat.Dense) *mat.Dense {
		if m == nil || len(rows) == 0 {
			return nil
		}
		_, columns := m.Dims()
		inputs := mat.NewDense(len(rows), columns, nil)
		for k, i := range rows {
			inputs.SetRow(k, m.RawRowView(i))
		}
		return inputs
	}
	inputs := Data{X: pick(d.X), Y: pick(d.Y), SE: pick(d.SE), Limits: pick(d.Limits), LimitSE: pick(d.LimitSE),
		BlockNames: d.BlockNames}
	if d.Blocks != nil {
		for _, i := range rows {
			inputs.Blocks = append(inputs.Blocks, d.Blocks[i])
		}
	}
	return inputs
}

// Column returns a copy of objective k's values, length n.
func (d Data) Column(k int) []float64 {
	if d.Y == nil {
		return nil
	}
	return mat.Col(nil, k, d.Y)
}

// Input is everything that a method may depend on.
type Input struct {
	Dim        int       // d
	Objectives int       // K
	Data       Data      //
	Step       int       // iterations before this one, evaluated or pending: the first suggestion has Step 0
	Budget     int       // T, the planned number of iterations
	Seed       uint64    // the session's seed
	Params     param.Set //

	// Domain says which inputs take levels only, and which constraints are known; nil: all inputs are real numbers
	// without constraints.
	Domain *space.Domain

	// The region of the next point, as the user narrowed it: bounds in the unit cube, nil for all of it, and points
	// that were discarded.
	Low, High []float64
	Avoid     [][]float64

	// Pending are the points that are being evaluated and have no outcome yet, m×d in the unit cube; nil if there are
	// none.
	Pending *mat.Dense

	// MinDistance is the smallest distance between the next point and the pending ones in at least one number of the
	// unit cube, unless they differ in a level; 0: as the method needs.
	MinDistance float64

	// Lo and Hi are the frozen range of the minimized objectives: outcome 1 and outcome 0; nil: the range of the
	// initial design.
	Lo, Hi []float64

	// Widths are the widths of the variables in their own units, or in natural logarithms for a logarithmic scale.
	// Lengths are formatted with them; nil: all 1. Factors marks the variables with a logarithmic scale, nil: none.
	// They are not used in computations.
	Widths  []float64
	Factors []bool

	// Noise is the declared standard deviation of each objective's observations; 0 where it is not known, nil: none is
	// known.
	Noise []float64

	// Noisy says that evaluations are known to be noisy, so that a repeated one has another result.
	Noisy bool

	// Expected is the declared range of each minimized objective, from its smallest to its largest value; nil if not
	// declared.
	Expected [][]float64

	// FixedScale says that values are scaled by the declared ranges alone, however many observations there are, so that
	// the prior does not depend on them.
	FixedScale bool

	// Limits are the quantities with limits, in the order of the columns of Data.Limits; nil if there are none.
	Limits []Limit

	// Clipped are the values that Winsorize replaced in Data; nil where there are none.
	Clipped []Clip

	// LearnFailures says that failures are modeled as a limit of their own, if there are enough of them.
	LearnFailures bool

	// Feasible is the model of the limits. The caller of a method's Fit makes it from the data; nil if there are no
	// limits, or no data about them.
	Feasible Feasibility

	Transforms []transform.Transform // of each objective, from its own values to the ones here; nil: unchanged
	Regions    map[string]string     // priors over weights by the name of the region that they aim at

	// Warp is the scale on which the values of the only objective in Data lie, if a method has transformed them; nil:
	// unchanged.
	Warp *Warp

	// Cost is the cost of an evaluation at a point of the unit cube, positive and constant on each step of a variable
	// with levels; nil if all evaluations cost the same.
	Cost func(u []float64) float64

	// Fidelity says which input is the fidelity of an evaluation; nil if all evaluations are of the objective itself.
	Fidelity *Fidelity

	// Answers are the user's preferences between pairs of outcomes, in [0, 1] over the frozen range, for methods with a
	// prior over weights.
	Answers []preference.Answer

	// Fits keeps fits on which later ones build, for other processes; nil: they are made again.
	Fits FitStore

	// Source is the problem in its own units, for methods in another process; nil for an input that no session made.
	Source *Source

	// Progress, if not nil, is called with the current part of a long computation and how far it is. It may be called
	// from any goroutine.
	Progress func(subject string, done, total int)
}

// Errors are the standard deviations of the noise of an objective's observations as far as they are known: the standard
// error that came with an observation, or else the declared noise; NaN where neither is known, and nil if none is.
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

// Scale standardizes the first n values of an objective by their mean and standard deviation. With fewer than two
// values and a declared range, it uses the middle of that range and a quarter of its width, so that ±2 standard
// deviations of the prior cover the range.
func (in Input) Scale(objective, n int) model.Standardizer {
	if n < 2 && objective < len(in.Expected) && in.Expected[objective] != nil {
		return in.expectedScale(objective)
	}
	return in.ScaleOf(objective, in.Data.Column(objective)[:n])
}

// ScaleOf standardizes values of an objective by their mean and standard deviation or, if the scale is fixed, as Scale
// does without values.
func (in Input) ScaleOf(objective int, values []float64) model.Standardizer {
	if in.FixedScale && objective < len(in.Expected) && in.Expected[objective] != nil {
		return in.expectedScale(objective)
	}
	return model.Standardize(values)
}

// expectedScale is the scale of the declared range of an objective.
func (in Input) expectedScale(objective int) model.Standardizer {
	lo, hi := in.Expected[objective][0], in.Expected[objective][1]
	return model.Standardizer{Mean: lo + (hi-lo)/2, SD: (hi - lo) / 4}
}

// Length formats a length along a variable, given in the unit cube, in the unit of the variable; along a logarithmic
// scale it is a factor, as "×3.2".
func (in Input) Length(j int, length float64, number func(float64) string) string {
	length *= in.Domain.LengthUnit(j)
	if in.Widths != nil {
		length *= in.Widths[j]
	}
	if in.Factors != nil && in.Factors[j] {
		return "×" + number(math.Exp(length))
	}
	return number(length)
}

// Deviation formats the standard deviation of an objective's values in its own unit; if the objective counts by its
// logarithm it is a factor, as "×1.3".
func (in Input) Deviation(objective int, sd float64, number func(float64) string) string {
	if in.Transforms == nil {
		return number(sd)
	}
	return in.Transforms[objective].FormatDifference(sd, number)
}

// Fidelity is an input at whose full value an evaluation is one of the objective itself, and elsewhere of an
// approximation of it.
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
func (in Input) Stream(purpose string, keys ...uint64) *rand.Rand {
	return rng.New(in.Seed, in.Step, purpose, keys...)
}

// Report calls Progress if there is one.
func (in Input) Report(subject string, done, total int) {
	if in.Progress != nil {
		in.Progress(subject, done, total)
	}
}

// CostAt is the cost of an evaluation at a point of the unit cube; 1 if all evaluations cost the same.
func (in Input) CostAt(u []float64) float64 {
	if in.Cost == nil {
		return 1
	}
	return in.Cost(u)
}

// Package optimizers holds how the next point is chosen: the contract between an optimizer and the rest of the program,
// the registry, and one file per method. It knows no session and no screen.
//
// Everything here is internal: inputs are points of the unit cube, every objective is minimized. A method is a pure
// function of its Input: the same data, parameters, seed and step give the same belief and the same suggestion, whatever
// was looked at in between.
package optimizers

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/stream"
	"bandscope/model/preference"
	"bandscope/optimizers/param"
)

// ErrAbsent is returned (wrapped) by a belief that lacks what it is asked for, such as a band.
var ErrAbsent = errors.New("this method has none")

// Data is what has been observed so far.
type Data struct {
	X      *mat.Dense // n×d points of the unit cube; nil while n is 0
	Y      *mat.Dense // n×K values, minimized; nil while n is 0
	Failed *mat.Dense // points whose evaluation gave no finite value; nil if none
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

	// Where the next point may lie, as a person narrowed it: bounds in the unit cube, nil for all of it, and points that were rejected.
	Low, High []float64
	Avoid     [][]float64

	// Out are the points that are being evaluated and have no outcome yet, m×d in the unit cube; nil if there are none.
	Out *mat.Dense

	// Lo and Hi are the frozen range of the minimized objectives: the outcome 1, and the outcome 0; nil: that of the initial design.
	Lo, Hi []float64

	// Widths are those of the variables in their own units, in which lengths are told; nil: all 1. Nothing is computed with them.
	Widths []float64

	Signs   []float64         // of each objective, +1 if its own values are minimized and −1 if they are maximized; nil: all +1
	Regions map[string]string // priors over weights by the name of the region that they aim at

	// Cost is what an evaluation at a point of the unit cube costs, positive; nil where all cost the same.
	Cost func(u []float64) float64

	// Fidelity says which input is how faithful an evaluation is; nil where all are evaluations of what is to be minimized.
	Fidelity *Fidelity

	// Answers are what a person said of pairs of outcomes, in [0, 1] over the frozen range, for methods with a prior over weights.
	Answers []preference.Answer

	// Progress, if not nil, is told what a long computation is doing and how far it is. It may be called from any goroutine.
	Progress func(what string, done, total int)
}

// Space is where the next point may lie.
func (in Input) Space() Space { return Space{Dim: in.Dim, Low: in.Low, High: in.High, Avoid: in.Avoid} }

// width is that of a variable in its own units.
func (in Input) width(j int) float64 {
	if in.Widths == nil {
		return 1
	}
	return in.Widths[j]
}

// Fidelity is an input at whose full value an evaluation is one of the objective itself, and elsewhere one of something like it.
type Fidelity struct {
	Index int
	Full  float64 // of the unit cube
	Text  string  // as it is shown: "l = 5"
}

// raise brings a point to full fidelity, in place.
func (f *Fidelity) raise(x []float64) []float64 {
	if f != nil {
		x[f.Index] = f.Full
	}
	return x
}

// reached reports whether a point has full fidelity.
func (f *Fidelity) reached(x []float64) bool { return f == nil || math.Abs(x[f.Index]-f.Full) < 1e-9 }

// Stream returns the random stream of a purpose at this step.
func (in Input) Stream(purpose string, more ...uint64) *rand.Rand {
	return stream.New(in.Seed, in.Step, purpose, more...)
}

// Report calls Progress if there is one.
func (in Input) Report(what string, done, total int) {
	if in.Progress != nil {
		in.Progress(what, done, total)
	}
}

// Suggestion is the next point, or batch of points, to evaluate.
type Suggestion struct {
	X           *mat.Dense // B×d
	Mean, SD    []float64  // what the belief says of objective 0 at each point; nil where it says nothing
	Acquisition []float64  // at each point; nil where the method has none
	Weights     []float64  // λ that the point was chosen with, of several objectives; nil where there is none
	Note        string     // anything a person should know, such as "repeats an earlier point"
}

// Band is a mean with a standard deviation at n inputs.
type Band struct{ Mean, SD []float64 }

// Fact is something that a belief learned, to be shown beside the parameters: a fitted lengthscale, a training loss. It is told in the units
// of the problem.
type Fact struct{ Name, Value string }

// FactWeights is the name of the fact that tells the weights of this step, one an objective in their order.
const FactWeights = "λ of this step"

// The roles that a parameter can have: what the rest of the program asks a method for, whatever the method calls it.
const (
	RolePrior         param.Role = "prior over weights" // a Text: the law of the weights of several objectives, which a person steers; see PriorOf
	RoleScalarization param.Role = "scalarization"      // a Choice: how weights make one value of several objectives
)

// Legend names what a belief can show. An empty name means that the method has no such thing.
type Legend struct {
	Band        string // what the band is: "±2 sd of the Gaussian-process posterior"
	Mean        string // what the mean line is
	Samples     string // what one sample is: "posterior sample", "trained network"
	Used        string // what the marked function is: "the network that chooses"
	Acquisition string // what the acquisition is, and which end is better: "log EI, higher is better"
	Lower       bool   // lower acquisition is better
	Draws       int    // how many draws the band is made of; 0 where it is known exactly
	Facts       []Fact
	Scaled      []Fact   // those of them that the model counts in other units, in these: of inputs the unit cube's, of values standard deviations of the data
	Warnings    []string // what went wrong and was dealt with: jitter, failed restarts
}

// Belief is what an optimizer holds to be true after the data that it was fitted to. Its methods may be called from several
// goroutines; they stop soon after their context is cancelled. Asking for one thing never changes another.
type Belief interface {
	// Legend names what this belief can show.
	Legend() Legend
	// Suggest returns the next points to evaluate.
	Suggest(ctx context.Context) (Suggestion, error)
	// Predict returns the band of each objective at the rows of X (n×d).
	Predict(ctx context.Context, X *mat.Dense) ([]Band, error)
	// Samples returns count jointly drawn surrogate functions of each objective at the rows of X, as count×n matrices.
	// Another draw number gives other functions.
	Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error)
	// Used returns, of each objective, the one function that the suggestion was made with, at the rows of X.
	Used(ctx context.Context, X *mat.Dense) ([][]float64, error)
	// Acquisition returns the acquisition at the rows of X.
	Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error)
}

// Spec declares a method.
type Spec struct {
	Name    string       // what -o takes
	Title   string       // as it is shown
	Family  string       // the group in which it is listed
	Summary string       // one line
	Source  string       // paper and algorithm
	Params  []param.Decl // in the order of the editor
	Multi   bool         // it optimizes any number of objectives; others take one

	// Judge are parameters that problems of several objectives have in addition: the method does not use them, its results are judged by them.
	Judge []param.Decl

	// Fit builds the belief from the data; with no data, the prior.
	Fit func(ctx context.Context, in Input) (Belief, error)

	// Check, if not nil, says what is wrong with parameters for a problem, beyond what each declares for itself.
	Check func(in Input) error
}

// Declared are the parameters of the method for a problem of so many objectives.
func (s Spec) Declared(objectives int) []param.Decl {
	if objectives < 2 || len(s.Judge) == 0 {
		return s.Params
	}
	return append(slices.Clone(s.Judge), s.Params...)
}

// Fits reports whether the method optimizes problems of so many objectives.
func (s Spec) Fits(objectives int) bool { return s.Multi || objectives < 2 }

// Steered reports whether the method's search follows the prior over weights, rather than being judged by it alone.
func (s Spec) Steered() bool {
	return s.Multi && slices.ContainsFunc(s.Params, func(d param.Decl) bool { return d.Role == RolePrior })
}

// Weigher is a belief that chooses under one draw of the weights of several objectives.
type Weigher interface {
	// Weights are the λ of the next point, one an objective; nil where there are none yet.
	Weights() []float64
}

// Carrier is a belief that can be carried over to other parameters of the same data for less than a new fit.
type Carrier interface {
	// Carry returns exactly what a fit of in would give, or false if this belief does not serve.
	Carry(in Input) (Belief, bool)
}

// absent is embedded by beliefs; it lacks everything.
type absent struct{}

func (absent) Predict(context.Context, *mat.Dense) ([]Band, error) { return nil, ErrAbsent }
func (absent) Samples(context.Context, *mat.Dense, int, uint64) ([]*mat.Dense, error) {
	return nil, ErrAbsent
}
func (absent) Used(context.Context, *mat.Dense) ([][]float64, error)      { return nil, ErrAbsent }
func (absent) Acquisition(context.Context, *mat.Dense) ([]float64, error) { return nil, ErrAbsent }

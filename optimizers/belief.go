package optimizers

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

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

// Fact is something that a belief learned, to be shown beside the parameters: a fitted lengthscale, a training loss. It
// is told in the units of the problem.
type Fact struct{ Name, Value string }

// FactWeights is the name of the fact that tells the weights of this step, one an objective in their order.
const FactWeights = "λ of this step"

// FactLengthscale is the name of the fact that tells the lengthscales of a kernel, one a variable, in their order.
const FactLengthscale = "lengthscale"

// Legend names what a belief can show. An empty name means that the method has no such thing.
type Legend struct {
	Band          string // what the band is: "±2 sd of the Gaussian-process posterior"
	Mean          string // what the mean line is
	Samples       string // what one sample is: "posterior sample", "trained network"
	Used          string // what the marked function is: "the network that chooses"
	Acquisition   string // what the acquisition is, and which end is better: "log EI, higher is better"
	LowerIsBetter bool   // lower acquisition is better
	Draws         int    // how many draws the band is made of; 0 where it is known exactly
	Facts         []Fact
	// those of them that the model counts in other units, in these: of inputs the unit cube's, of values standard
	// deviations of the data
	Scaled   []Fact
	Warnings []string // what went wrong and was dealt with: jitter, failed restarts
}

// Belief is what an optimizer holds to be true after the data that it was fitted to. Its methods may be called from
// several goroutines; they stop soon after their context is cancelled. Asking for one thing never changes another.
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

// Scalarizer is a belief that chooses under one draw of the weights of several objectives.
type Scalarizer interface {
	// Weights are the λ of the next point, one an objective; nil where there are none yet.
	Weights() []float64
}

// WarmStarter is a belief that can be reused with other parameters of the same data for less than a new fit.
type WarmStarter interface {
	// WarmStart returns exactly what a fit of in would give, or false if this belief does not serve.
	WarmStart(in Input) (Belief, bool)
}

// Unsupported is embedded by beliefs: each optional method returns ErrUnsupported.
type Unsupported struct{}

func (Unsupported) Predict(context.Context, *mat.Dense) ([]Band, error) { return nil, ErrUnsupported }

func (Unsupported) Samples(context.Context, *mat.Dense, int, uint64) ([]*mat.Dense, error) {
	return nil, ErrUnsupported
}

func (Unsupported) Used(context.Context, *mat.Dense) ([][]float64, error) { return nil, ErrUnsupported }

func (Unsupported) Acquisition(context.Context, *mat.Dense) ([]float64, error) {
	return nil, ErrUnsupported
}

// Theory is what a belief's covariance function says of the data, whatever their values are: how much is learned, and
// how smooth the functions are.
type Theory struct {
	Kernel string  // the covariance function
	Noise2 float64 // σ², in the kernel's units
	// the same as it is told: of a fitted process σ in the objective's units, of networks their parameter
	Noise       string
	Gain        []float64 // information gain ½ log det(I + σ⁻²K) after each of the n data (Srinivas et al. 2010)
	Eigenvalues []float64 // of K, the greatest first, length n
	Evidence    *Evidence // the marginal likelihood over a hyper-parameter; nil where the method has none to show
}

// Evidence is the log marginal likelihood of the data over one hyper-parameter.
type Evidence struct {
	Name    string    // of the hyper-parameter
	At, Log []float64 // the curve
	Current float64   // the value in use
	Best    float64   // the maximizer
}

// Spectrum is a belief with a covariance function.
type Spectrum interface {
	// Theory returns what the covariance function says of the data; the error says what went wrong, such as too few
	// data.
	Theory(ctx context.Context) (Theory, error)
}

// Residuals are what is left of the data of one objective by what the other data predict, in the units of the minimized
// objective: a prediction for each datum, in their order, from all others, its noise included, and Z = (y − Mean)/SD,
// which is a standard normal where the model understands the data.
type Residuals struct{ Mean, SD, Z []float64 }

// LeaveOneOuter is a belief that predicts each datum from all others without a new fit.
type LeaveOneOuter interface {
	// LeaveOneOut returns the residuals of each objective, with the hyper-parameters of all data; the error is
	// ErrUnsupported where the belief has none.
	LeaveOneOut(ctx context.Context) ([]Residuals, error)
}

// FitReport is what a belief knows of its own fit. Each method answers with one value an objective, in the units of the
// minimized objective; one that knows nothing of it answers with NaN.
type FitReport interface {
	// NoiseSD is the standard deviation of the noise of an observation to come, whose own is not known; 0 where the
	// belief has none.
	NoiseSD() []float64
	// LogEvidence is the log marginal likelihood of the values, as they are standardized. The error is that of the
	// context.
	LogEvidence(ctx context.Context) ([]float64, error)
	// Lengthscales are those of the inputs, in the unit cube: one an input, NaN of a choice and of one that has none;
	// nil where the belief has none at all.
	Lengthscales() [][]float64
}

// Constrained is a belief that may not choose everywhere.
type Constrained interface {
	// Feasible reports at which rows of X the next point may lie; nil if everywhere.
	Feasible(ctx context.Context, X *mat.Dense) ([]bool, error)
}

// FrontPoint is a point of a front that is believed in: where it is in the unit cube, and its objectives, minimized.
type FrontPoint struct{ X, Y []float64 }

// ParetoSolver is a belief about several objectives that has fronts.
type ParetoSolver interface {
	// ExpectedFront is the Pareto front of the posterior means.
	ExpectedFront(ctx context.Context) ([]FrontPoint, error)
	// DrawnFronts are the Pareto fronts of so many joint posterior draws of the objectives, always the same ones.
	DrawnFronts(ctx context.Context, count int) ([][]FrontPoint, error)
}

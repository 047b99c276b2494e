package optimizers

import (
	"context"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Suggestion is the next point, or batch of points, to evaluate.
type Suggestion struct {
	X           *mat.Dense // B×d
	Mean, SD    []float64  // prediction of objective 0 at each point; nil if there is none
	Acquisition []float64  // at each point; nil where the method has none
	Weights     []float64  // λ with which the point was chosen, for several objectives; nil if there is none
	Note        string     // a note for the user, such as "repeats an earlier point"

	Inputs [][]float64 // the points in the problem's units, to the last digit; nil: X converted
	State  *State      // of a program, to be recorded with the suggestion; nil for none
}

// Band is a mean with a standard deviation at n inputs.
type Band struct {
	Mean, SD []float64
	Warped   *WarpedBand // the band on the scale on which it is normal; nil: it is normal itself
}

// Fact is a quantity that a belief learned, shown next to the parameters in the units of the problem: a fitted
// lengthscale, a training loss.
type Fact struct {
	Name, Value string
	Estimates   []Estimate // the numbers of a hyperparameter, one for each of its variables; nil for another quantity
}

// Estimate is a fitted hyperparameter, or the median and the central 90 % of its posterior draws.
type Estimate struct {
	Variable         int     // the number of the variable that it belongs to, from 1; 0 for none
	Value, Low, High float64 // for inputs in the unit cube and standardized values; equal if it is fitted
	Min, Max         float64 // the range of the fit, which is a logarithmic scale
	// the value and the interval in the unit of the problem; without an interval if it is fitted
	Text, Interval string
}

// String is the value with its interval: "0.2 (0.1–0.4)".
func (e Estimate) String() string {
	if e.Interval == "" {
		return e.Text
	}
	return e.Text + " (" + e.Interval + ")"
}

// NewFact returns the fact about a hyperparameter.
func NewFact(name string, estimates ...Estimate) Fact {
	texts := make([]string, len(estimates))
	for i, e := range estimates {
		texts[i] = e.String()
	}
	return Fact{name, JoinFirst(texts), estimates}
}

// JoinFirst joins values; if there are more than four, only the first three.
func JoinFirst(values []string) string {
	if len(values) > 4 {
		return strings.Join(values[:3], " ") + " …"
	}
	return strings.Join(values, " ")
}

// FactWeights is the name of the fact with the weights of this step, one for each objective in their order.
const FactWeights = "λ of this step"

// FactLengthscale is the name of the fact with the lengthscales of a kernel, one for each variable in their order.
const FactLengthscale = "lengthscale"

// FactKernel and FactAcquisition are the names of the facts that name the kernel and the acquisition function.
const (
	FactKernel      = "kernel"
	FactAcquisition = "acquisition"
)

// FactBand is the name of the fact about the calibration of the band.
const FactBand = "band"

// FactInducing is the name of the fact with the number of inducing points.
const FactInducing = "inducing points"

// FactSubstitute is the name of the fact that says whose band is drawn, for a method without one of its own.
const FactSubstitute = "band of"

// Legend names what a belief can show. An empty name means that the method has no such thing.
type Legend struct {
	Band          string // what the band is: "±2 sd of the Gaussian-process posterior"
	Mean          string // what the mean line is
	Samples       string // what one sample is: "posterior sample", "trained network"
	Used          string // what the marked function is: "the network that picks the next point"
	Acquisition   string // what the acquisition is, and which end is better: "log EI, higher is better"
	LowerIsBetter bool   // lower acquisition is better
	NonNegative   bool   // no acquisition is below 0, as of an expected improvement: ratios of values have a meaning
	Learns        bool   // it measures what an evaluation teaches, not how good the result is
	PerCost       bool   // it is per unit of the cost of an evaluation
	Draws         int    // number of draws in the band; 0 if it is known exactly
	// number of posterior draws of the hyperparameters over which the band and the acquisition function are averaged; 0
	// if the hyperparameters are fitted
	HyperparameterDraws int
	// how the posterior is approximated, as a part of a sentence; empty if it is computed exactly
	Inference string
	Kernel    string // the covariance function in words; empty for a model without one
	Facts     []Fact
	Warnings  []string // problems that were handled: jitter, failed restarts

	Meaning string // what the band ("It") means and how well calibrated it is, in one sentence; empty for none
	// if the belief is that of another method, whose and why, as a sentence without a period; empty otherwise
	Substitute string
}

// WithUncalibrated is the legend of a band whose width is not fitted to errors of predictions: meaning says in a
// sentence what the band is, and a fact warns next to the drawing.
func (l Legend) WithUncalibrated(meaning string) Legend {
	l.Meaning = meaning
	l.Facts = append(l.Facts, Fact{Name: FactBand, Value: "not calibrated"})
	return l
}

// DescribeIntegration says what the band and the acquisition function are averaged over; it is empty if the
// hyperparameters are fitted.
func (l Legend) DescribeIntegration() string {
	if l.HyperparameterDraws == 0 {
		return ""
	}
	return fmt.Sprintf("averaged over %d posterior draws of the hyperparameters", l.HyperparameterDraws)
}

// Belief is an optimizer's model of the problem after fitting the data. Its methods may be called from several
// goroutines and stop soon after their context is cancelled. No call changes the result of another.
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

// Scalarizer is a belief that chooses points with one sample of the weights of several objectives.
type Scalarizer interface {
	// Weights are the λ of the next point, one for each objective; nil if there are none yet.
	Weights() []float64
}

// WarmStarter is a belief that can be reused with other parameters of the same data for less than a new fit.
type WarmStarter interface {
	// WarmStart returns exactly what a fit of in returns, or false if this belief cannot be reused.
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

// Theory is what a belief's covariance function says about the data, whatever their values: the information gain, and
// how smooth the functions are.
type Theory struct {
	Kernel string  // the covariance function
	Noise2 float64 // σ², in the kernel's units
	// Noise2 as text: for a fitted process σ in the objective's units, for networks their parameter
	Noise       string
	Gain        []float64 // information gain ½ log det(I + σ⁻²K) after each of the n data (Srinivas et al. 2010)
	Eigenvalues []float64 // of K, the largest first, length n
	Evidence    *Evidence // the marginal likelihood over a hyperparameter; nil if the method has none
}

// Evidence is the log marginal likelihood of the data over one hyperparameter.
type Evidence struct {
	Name    string    // of the hyperparameter
	At, Log []float64 // the curve
	Current float64   // the value in use
	Best    float64   // the maximizer
}

// Spectrum is a belief with a covariance function.
type Spectrum interface {
	// Theory returns the spectrum of the covariance function; the error gives the reason if there is none, such as too
	// few data.
	Theory(ctx context.Context) (Theory, error)
}

// Residuals are the leave-one-out residuals of one objective, in the units of the minimized objective: a prediction for
// each observation, in their order, from all others, including its noise, and Z = (y − Mean)/SD, which is standard
// normal if the model is right.
type Residuals struct {
	Mean, SD, Z []float64
	Warped      *WarpedBand // the predictions on the scale on which they are normal; nil: they are normal themselves
}

// LeaveOneOuter is a belief that predicts each observation from all others without a new fit.
type LeaveOneOuter interface {
	// LeaveOneOut returns the residuals of each objective, with the hyperparameters of all data; the error is
	// ErrUnsupported if the belief has none.
	LeaveOneOut(ctx context.Context) ([]Residuals, error)
}

// FitReport describes the fit of a belief. Each method returns one value for each objective, in the units of the
// minimized objective, and NaN for an unknown value.
type FitReport interface {
	// NoiseSD is the standard deviation of the noise of a new observation without a standard error of its own; 0 if the
	// belief has none.
	NoiseSD() []float64
	// LogEvidence is the log marginal likelihood of the standardized values. The error is that of the context.
	LogEvidence(ctx context.Context) ([]float64, error)
	// Lengthscales are the lengthscales in the unit cube: one for each input, NaN for a choice and for an input without
	// one; nil if the belief has none at all.
	Lengthscales() [][]float64
}

// Constrained is a belief that cannot choose every point.
type Constrained interface {
	// Feasible reports which rows of X the next point may lie at; nil: all.
	Feasible(ctx context.Context, X *mat.Dense) ([]bool, error)
}

// ObjectivePredictor is a belief about several objectives that predicts one of them without the others.
type ObjectivePredictor interface {
	// PredictObjective returns the band of an objective at the rows of X, as Belief.Predict does.
	PredictObjective(ctx context.Context, X *mat.Dense, objective int) (Band, error)
}

// PredictObjective returns the band of an objective of a belief at the rows of X.
func PredictObjective(ctx context.Context, b Belief, X *mat.Dense, objective int) (Band, error) {
	if b, ok := b.(ObjectivePredictor); ok {
		return b.PredictObjective(ctx, X, objective)
	}
	bands, err := b.Predict(ctx, X)
	if err != nil {
		return Band{}, err
	}
	return bands[objective], nil
}

// FrontPoint is a point of a Pareto front of the model: its position in the unit cube, and its minimized objectives.
type FrontPoint struct{ X, Y []float64 }

// ParetoSolver is a belief about several objectives that can compute Pareto fronts.
type ParetoSolver interface {
	// ExpectedFront is the Pareto front of the posterior means.
	ExpectedFront(ctx context.Context) ([]FrontPoint, error)
	// DrawnFronts are the Pareto fronts of count joint posterior samples of the objectives. They are always the same.
	DrawnFronts(ctx context.Context, count int) ([][]FrontPoint, error)
}

package diagnostics

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/functions/pareto"
	"bandscope/functions/transform"
	"bandscope/optimizers"
	"bandscope/optimizers/inspection"
	"bandscope/sessions"
)

// Summary summarizes the model at one place of a session. It is not changed after it is made.
type Summary struct {
	Objectives []ObjectiveSummary
	Validated  bool      // the model has leave-one-out predictions
	Inference  string    // how the model is approximated; empty if inference is exact
	Outliers   []Outlier // the largest first
	Caveat     string    // why the model cannot be trusted for stopping; empty if it can
	Front      []Result  // for several objectives: the results that no other dominates
	// for several objectives: the front of the model's means; nil if the belief has none
	MeanFront []Prediction
}

// Normal is a mean with a standard deviation. On a log scale, the mean is the median and the deviation that of the
// decimal logarithm.
type Normal struct{ Mean, SD float64 }

// ObjectiveSummary summarizes one objective.
type ObjectiveSummary struct {
	functions.Objective
	Best      *Result     // the best result within all limits; nil for none
	ModelBest *Prediction // the best by the model's mean; nil without a band
	// how much better ModelBest is than Best on the objective's scale, negative if worse; NaN if one of them is missing
	Gain float64
	// why ModelBest is an extrapolation, such as "4 standard deviations of the results better than the best result"; empty
	// if it is none
	Extrapolation string
	Improvement   *Improvement // nil without a band or data
	// probability, according to the model, that all limits are met at Best and at ModelBest; 1 without limits
	BestFeasible, ModelFeasible float64
	// first-order Sobol' index of the model's mean for every variable (with constraints: see inspection.Sensitivity); nil
	// without a band, from too few results, or if the mean is constant
	Sensitivity []float64
}

// Result is an evaluated point.
type Result struct {
	Step, Point int    // the iteration, from 1, and the point in its batch, from 0
	Label       string // the number of its suggestion, and in a batch its place there, such as "7.2"
	Block       string // the plate or day of the measurement; empty for none
	X, Y        []float64
	Predictions []Normal // at the point, of every objective; nil without a band
}

// Prediction is a point of the domain with the prediction there, of one objective or of each.
type Prediction struct {
	X       []float64
	Normals []Normal
}

// Improvement is the largest expected improvement of another evaluation.
type Improvement struct {
	Value float64 // in the objective's unit, or on a log scale as a decimal logarithm
	// of the declared range, or else of the range of the results; NaN if there is none
	Share     float64
	Reference string // which of the two ranges
}

// Source is a place of a session with its model.
type Source interface {
	State() sessions.State
	Belief(context.Context, sessions.Progress) (optimizers.Belief, error)
}

// MaxSensitivityDim is the largest number of variables for which the sensitivity is computed: its cost grows with the
// number of variables.
const MaxSensitivityDim = 12

// Summarize summarizes the model at a place of a session. The summary is cached with the session. Parts that the model
// does not support are left out; the error is that of the fit, or of the context.
func Summarize(ctx context.Context, s Source, progress sessions.Progress) (*Summary, error) {
	st := s.State()
	if a := CachedSummary(st); a != nil {
		return a, nil
	}
	j, err := newSummarizer(ctx, s, progress)
	if err != nil {
		return nil, err
	}
	a, err := j.summarize(j.predictions, j.objectives, j.sensitivity, j.leaveOut, j.fronts)
	if err == nil {
		summariesFor(st).put(st, a)
	}
	return a, err
}

// SummarizeBest is Summarize without the sensitivities and, with several objectives, without the best of each. It is
// cheaper, and not cached.
func SummarizeBest(ctx context.Context, s Source, progress sessions.Progress) (*Summary, error) {
	if a := CachedSummary(s.State()); a != nil {
		return a, nil
	}
	j, err := newSummarizer(ctx, s, progress)
	if err != nil {
		return nil, err
	}
	parts := []func(*Summary) error{j.predictions, j.leaveOut, j.fronts}
	if len(j.state.Problem.Objectives) == 1 {
		parts = append(parts, j.objectives)
	}
	return j.summarize(parts...)
}

// caveat is why the model at a place of a session cannot be trusted for stopping; empty if it can.
func caveat(ctx context.Context, s Source, progress sessions.Progress) (string, error) {
	if a := CachedSummary(s.State()); a != nil {
		return a.Caveat, nil
	}
	j, err := newSummarizer(ctx, s, progress)
	if err != nil {
		return "", err
	}
	a, err := j.summarize(j.leaveOut)
	if err != nil {
		return "", err
	}
	return a.Caveat, nil
}

// newSummarizer fits the model if necessary.
func newSummarizer(ctx context.Context, s Source, progress sessions.Progress) (*summarizer, error) {
	st := s.State()
	b, err := s.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	if progress != nil {
		progress("summarizing the model", 0, 0)
	}
	displayed, err := DisplayedBelief(ctx, st, b, progress)
	if err != nil {
		return nil, err
	}
	return &summarizer{ctx, st, st.Input(), b, Results(st), displayed}, nil
}

// summarize fills in parts of a summary, in order.
func (j summarizer) summarize(parts ...func(*Summary) error) (*Summary, error) {
	a := &Summary{Inference: j.belief.Legend().Inference,
		Objectives: make([]ObjectiveSummary, len(j.state.Problem.Objectives))}
	for k, o := range j.state.Problem.Objectives {
		a.Objectives[k] = ObjectiveSummary{Objective: o, Gain: math.NaN(), BestFeasible: 1, ModelFeasible: 1}
	}
	for _, part := range parts {
		if err := part(a); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// summarizer summarizes one belief.
type summarizer struct {
	ctx     context.Context
	state   sessions.State
	input   optimizers.Input
	belief  optimizers.Belief
	results []Result // in the order of the input's data

	displayed optimizers.Belief // with recalibrated bands, if these are
}

// Results are the points with a value of every objective, in the order of the data.
func Results(st sessions.State) []Result {
	var all []Result
	for _, it := range st.Iterations {
		for i, pt := range it.Points {
			if it.IncompleteAt(i) || pt.Failed {
				continue
			}
			r := Result{Step: it.Step, Point: i, Label: fmt.Sprint(it.Number), Block: pt.Block, X: pt.X,
				Y: pt.Y}
			if len(it.Points) > 1 {
				r.Label += fmt.Sprintf(".%d", i+1)
			}
			all = append(all, r)
		}
	}
	return all
}

// predictions fills in the predictions at the results.
func (j summarizer) predictions(*Summary) error {
	if len(j.results) == 0 {
		return nil
	}
	bands, err := j.displayed.Predict(j.ctx, j.input.Data.X)
	if err != nil {
		return optimizers.IgnoreUnsupported(err)
	}
	for i := range j.results {
		j.results[i].Predictions = j.normals(bands, i)
	}
	return nil
}

// normals are the bands at one of their inputs, in the objectives' own directions.
func (j summarizer) normals(bands []optimizers.Band, i int) []Normal {
	all := make([]Normal, len(bands))
	for k, b := range bands {
		all[k] = Normal{j.gauge(k).Invert(b.Mean[i]), b.SD[i]}
	}
	return all
}

func (j summarizer) gauge(k int) transform.Transform {
	return j.state.Problem.Objectives[k].Transform()
}

// objectives fills in the best of each, observed and by the model, and the expected improvement.
func (j summarizer) objectives(a *Summary) error {
	for k := range a.Objectives {
		o := &a.Objectives[k]
		best, err := j.best(o, k)
		if optimizers.IgnoreUnsupported(err) != nil {
			return err
		}
		if o.Best != nil {
			var err error
			o.BestFeasible, err = j.feasible(j.state.Problem.Domain.ToUnit(o.Best.X))
			if err != nil {
				return err
			}
		}
		if o.ModelBest == nil {
			continue
		}
		o.ModelFeasible, err = j.feasible(best)
		if err != nil {
			return err
		}
		if o.Best == nil {
			continue
		}
		left, err := inspection.MaxImprovement(j.ctx, j.input, j.belief, k)
		if err != nil {
			return err
		}
		o.Improvement = j.improvement(k, left.Value)
	}
	return nil
}

// best fills in the best of an objective, observed and by the model, and returns the latter in the unit cube.
func (j summarizer) best(o *ObjectiveSummary, k int) ([]float64, error) {
	g := j.gauge(k)
	var values []float64
	for i, r := range j.results {
		values = append(values, g.Apply(r.Y[k]))
		if !j.state.Problem.Feasible(r.Y) {
			continue
		}
		if o.Best == nil || values[i] < g.Apply(o.Best.Y[k]) {
			o.Best = &j.results[i]
		}
	}
	best, err := inspection.MinimizeMean(j.ctx, j.input, j.displayed, k)
	if err != nil {
		return nil, err
	}
	o.ModelBest = &Prediction{X: j.state.Problem.Domain.FromUnit(best.X),
		Normals: []Normal{{g.Invert(best.Mean), best.SD}}}
	if o.Best != nil {
		o.Gain = g.Apply(o.Best.Y[k]) - best.Mean
		o.Extrapolation = extrapolation(o.Gain, best.SD, values)
	}
	return best.X, nil
}

// A best mean beyond the best result is an extrapolation if it lies farther beyond it than maxGainSDs standard deviations
// of the results, or if its own standard deviation is larger than maxBandSDs of them.
const (
	maxGainSDs = 2
	maxBandSDs = 0.5
)

// extrapolation says why a mean that is better than the best of some values by a gain is an extrapolation, or is empty
// if it is none.
func extrapolation(gain, sd float64, values []float64) string {
	if len(values) < 2 || gain <= 0 {
		return ""
	}
	switch spread := stat.StdDev(values, nil); {
	case !(gain > 1e-9*math.Abs(slices.Min(values))):
		return ""
	case gain > maxGainSDs*spread:
		return fmt.Sprintf("%s standard deviations of the results better than the best result",
			numfmt.Format(round1(min(gain/spread, maxTimes))))
	case sd > maxBandSDs*spread:
		return "its standard deviation is more than half that of the results"
	}
	return ""
}

// feasible is the probability that all limits are met at a point of the unit cube, without that of failures; 1 without
// limits.
func (j summarizer) feasible(u []float64) (float64, error) {
	f := optimizers.FeasibilityFor(j.belief)
	if f == nil || len(j.input.Limits) == 0 {
		return 1, nil
	}
	each, err := f.LimitProbabilities(j.ctx, mat.NewDense(1, len(u), u))
	if err != nil {
		return 1, err
	}
	p := 1.0
	for k := range j.input.Limits {
		p *= each[k][0]
	}
	return p, nil
}

// ProbablyFeasible says how likely limits are met, if that is not nearly certain: "within limits with a probability of
// 87 %"; otherwise it is empty.
func ProbablyFeasible(p float64) string {
	if p >= 0.995 {
		return ""
	}
	return "within limits with a probability of " + Percent(p)
}

// improvement is an improvement of an objective, with its share of the declared range or of the range of the results.
func (j summarizer) improvement(k int, value float64) *Improvement {
	if r := j.input.Expected[k]; r != nil {
		return &Improvement{value, value / (r[1] - r[0]), "the expected range"}
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range j.input.Data.Column(k) {
		lo, hi = min(lo, v), max(hi, v)
	}
	share := math.NaN()
	if hi > lo {
		share = value / (hi - lo)
	}
	return &Improvement{value, share, "the spread of the results"}
}

// sensitivity fills in the first-order Sobol' indices of the model's means.
func (j summarizer) sensitivity(a *Summary) error {
	if !hasImportances(j.input) {
		return nil
	}
	all, err := inspection.Sensitivity(j.ctx, j.input, j.belief)
	if err != nil {
		return optimizers.IgnoreUnsupported(err)
	}
	for k, s := range all {
		if s.Variance > 0 {
			a.Objectives[k].Sensitivity = s.First
		}
	}
	return nil
}

// fronts fills in the fronts of several objectives.
func (j summarizer) fronts(a *Summary) error {
	if len(a.Objectives) < 2 || len(j.results) == 0 {
		return nil
	}
	var ys [][]float64
	var owner []Result
	for _, r := range j.results {
		if !j.state.Problem.Feasible(r.Y) {
			continue
		}
		y := make([]float64, len(a.Objectives))
		for k := range y {
			y[k] = j.gauge(k).Apply(r.Y[k])
		}
		ys, owner = append(ys, y), append(owner, r)
	}
	for _, i := range pareto.Front(ys) {
		a.Front = append(a.Front, owner[i])
	}
	f, ok := j.belief.(optimizers.ParetoSolver)
	if !ok {
		return nil
	}
	front, err := f.ExpectedFront(j.ctx)
	if err != nil || len(front) == 0 {
		return optimizers.IgnoreUnsupported(err)
	}
	x := mat.NewDense(len(front), j.input.Dim, nil)
	for i, p := range front {
		x.SetRow(i, p.X)
	}
	bands, err := j.displayed.Predict(j.ctx, x)
	if err != nil {
		return optimizers.IgnoreUnsupported(err)
	}
	for i, p := range front {
		a.MeanFront = append(a.MeanFront, Prediction{j.state.Problem.Domain.FromUnit(p.X), j.normals(bands, i)})
	}
	return nil
}

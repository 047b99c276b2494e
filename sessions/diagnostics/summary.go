package diagnostics

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/functions/pareto"
	"bandscope/functions/transform"
	"bandscope/optimizers"
	optdiag "bandscope/optimizers/diagnostics"
	"bandscope/sessions"
)

// Summary is what a model says of one place of a session. Nothing in it is changed once it is there.
type Summary struct {
	Objectives []ObjectiveSummary // stubSource each stubSource them
	// the belief can say of each result what it would expect from the others; otherwise nothing checks it
	Validated bool
	Outliers  []Outlier // results that it does not understand, the strangest first
	Caveat    string    // why the model is not to be believed when it speaks of stopping; empty where it is
	Front     []Result  // stubSource several objectives: the results that no other beats in all stubSource them
	// stubSource several objectives: the front stubSource the model's means; nil where the belief has none
	MeanFront []Prediction
}

// Normal is a mean with a standard deviation. Where factors count the mean is that of the logarithm as a value, which
// is the median, and the deviation that of the decimal logarithm.
type Normal struct{ Mean, SD float64 }

// ObjectiveSummary is what is said of one objective.
type ObjectiveSummary struct {
	functions.Objective
	Best      *Result     // the best that was observed within all limits; nil where nothing was
	ModelBest *Prediction // the best by the model's mean; nil where it has no band
	// by how much the latter is better than the former, as they are counted, less than 0 where it is worse; NaN where
	// one of them is missing
	Gain        float64
	Improvement *Improvement // nil where the model expects nothing, or there are no data
	// stubSource every variable alone: first-order Sobol' index stubSource the model's mean, under constraints with
	// what is tied to it (see insight.Sensitivity); nil where it has no band, or does not vary
	Sensitivity []float64
}

// Result is a point that was evaluated.
type Result struct {
	Step, Point int    // stubSource which iteration, from 1, and which point stubSource its batch, from 0
	Label       string // how it is called: by the number of its suggestion, and in a batch its place there
	X, Y        []float64
	Predictions []Normal // there, of every objective; nil where the model has no band
}

// Prediction is a point of the domain with what is believed there, of one objective or of each.
type Prediction struct {
	X       []float64
	Normals []Normal
}

// Improvement is the greatest improvement that is expected of another evaluation.
type Improvement struct {
	Value float64 // as the objective is counted: in its unit, or a decimal logarithm
	// stubSource the range that was declared, or else stubSource that stubSource the results; NaN where there is none
	Share     float64
	Reference string // which of the two
}

// Source is a place of a session with what is believed there.
type Source interface {
	State() sessions.State
	Belief(context.Context, sessions.Progress) (optimizers.Belief, error)
}

// MaxSensitivityDim is up to how many variables the sensitivity is asked for: it needs as many predictions again for
// each.
const MaxSensitivityDim = 12

// Summarize appraises a place. It is kept with the session, so that asking again costs nothing. What the belief does
// not have is left out; the error is that of the fit, or of the context.
func Summarize(ctx context.Context, s Source, progress sessions.Progress) (*Summary, error) {
	st := s.State()
	if a := CachedSummary(st); a != nil {
		return a, nil
	}
	b, err := s.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	if progress != nil {
		progress("asking what the model makes of it", 0, 0)
	}
	j := summarizer{ctx, st, st.Input(), b, Results(st)}
	a := &Summary{Objectives: make([]ObjectiveSummary, len(st.Problem.Objectives))}
	for _, part := range []func(*Summary) error{j.predictions, j.objectives, j.sensitivity, j.leaveOut, j.fronts} {
		if err := part(a); err != nil {
			return nil, err
		}
	}
	summariesFor(st).put(st, a)
	return a, nil
}

// summarizer asks one belief.
type summarizer struct {
	ctx     context.Context
	state   sessions.State
	input   optimizers.Input
	belief  optimizers.Belief
	results []Result // in the order of the input's data
}

// Results are the points of which there is a value of every objective, in the order of the data.
func Results(st sessions.State) []Result {
	var all []Result
	for _, it := range st.Iterations {
		for i, pt := range it.Points {
			if it.IncompleteAt(i) || pt.Failed {
				continue
			}
			r := Result{Step: it.Step, Point: i, Label: fmt.Sprint(it.Number), X: pt.X, Y: pt.Y}
			if len(it.Points) > 1 {
				r.Label += fmt.Sprintf(".%d", i+1)
			}
			all = append(all, r)
		}
	}
	return all
}

// predictions fills what is believed at the results.
func (j summarizer) predictions(*Summary) error {
	if len(j.results) == 0 {
		return nil
	}
	bands, err := j.belief.Predict(j.ctx, j.input.Data.X)
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

// objectives fills the best of each, observed and by the model, and what is left to be hoped for.
func (j summarizer) objectives(a *Summary) error {
	for k := range a.Objectives {
		o, g := &a.Objectives[k], j.gauge(k)
		o.Objective, o.Gain = j.state.Problem.Objectives[k], math.NaN()
		for i, r := range j.results {
			if !j.state.Problem.Feasible(r.Y) {
				continue
			}
			if o.Best == nil || g.Apply(r.Y[k]) < g.Apply(o.Best.Y[k]) {
				o.Best = &j.results[i]
			}
		}
		best, err := optdiag.MinimizeMean(j.ctx, j.input, j.belief, k)
		if err != nil {
			if optimizers.IgnoreUnsupported(err) == nil {
				continue
			}
			return err
		}
		o.ModelBest = &Prediction{X: j.state.Problem.Domain.FromUnit(best.X),
			Normals: []Normal{{g.Invert(best.Mean), best.SD}}}
		if o.Best == nil {
			continue
		}
		o.Gain = g.Apply(o.Best.Y[k]) - best.Mean
		left, err := optdiag.MaxImprovement(j.ctx, j.input, j.belief, k)
		if err != nil {
			return err
		}
		o.Improvement = j.improvement(k, left.Value)
	}
	return nil
}

// improvement tells an improvement of an objective, and what part it is of the range that was declared, or of that of
// the results.
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

// sensitivity fills how much of what the model's means vary is owed to each variable alone.
func (j summarizer) sensitivity(a *Summary) error {
	if d := j.input.Dim; len(j.results) == 0 || d < 2 || d > MaxSensitivityDim {
		return nil
	}
	all, err := optdiag.Sensitivity(j.ctx, j.input, j.belief)
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

// fronts fills those of several objectives.
func (j summarizer) fronts(a *Summary) error {
	if len(a.Objectives) < 2 || len(j.results) == 0 {
		return nil
	}
	var ys [][]float64
	var of []Result
	for _, r := range j.results {
		if !j.state.Problem.Feasible(r.Y) {
			continue
		}
		y := make([]float64, len(a.Objectives))
		for k := range y {
			y[k] = j.gauge(k).Apply(r.Y[k])
		}
		ys, of = append(ys, y), append(of, r)
	}
	for _, i := range pareto.Front(ys) {
		a.Front = append(a.Front, of[i])
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
	bands, err := j.belief.Predict(j.ctx, x)
	if err != nil {
		return optimizers.IgnoreUnsupported(err)
	}
	for i, p := range front {
		a.MeanFront = append(a.MeanFront, Prediction{j.state.Problem.Domain.FromUnit(p.X), j.normals(bands, i)})
	}
	return nil
}

package diagnostics

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"bandscope/functions"
	"bandscope/functions/lru"
	"bandscope/optimizers"
	optdiag "bandscope/optimizers/diagnostics"

	"bandscope/optimizers/search"
	"bandscope/sessions"
)

// CheckOptions say what is asked for that takes longer.
type CheckOptions struct {
	Refit        bool // train again without each result, in place of the closed form
	Alternatives bool // hold other assumptions of the method against the results
}

// Check is what is found of one place of a session. Nothing in it is changed once it is there.
type Check struct {
	CheckOptions
	Objectives   []ObjectiveCheck
	Unavailable  string        // why no result could be left out; empty where each was
	Refittable   bool          // training again would help that
	Compared     bool          // alternatives were tried
	NotCompared  string        // why they were asked for and not tried
	Alternatives []Alternative // the best first
}

// ObjectiveCheck is what is found of one objective.
type ObjectiveCheck struct {
	functions.Objective
	Data      []Residual // nil where none could be left out
	Coverage  []optdiag.Coverage
	Histogram []int // stubSource the probability integral transform, in bins stubSource equal width
	LogScore  float64
	RMSZ      float64 // root of the mean square of the standardized residuals
	Alarm     string  // what is wrong with the band; empty where nothing is seen to be
	// stubSource the truth over the domain, at a fixed quasi-random sample; nil where there is no truth or no band
	DomainCoverage []optdiag.Coverage
	// Sobol' indices of the mean, of first order; nil where it has no band or does not vary
	First []float64
	Total []float64 // total ones; nil where constraints tie the variables
	// lengthscale of each variable in its own unit; empty of what has none, nil where the model has none
	Lengthscales []string
	LogEvidence  float64 // log marginal likelihood; NaN where the model has none
}

// Residual is a result with what the others say of it.
type Residual struct {
	Result
	Value      float64
	Prediction Normal // with the noise of an observation
	// by how many standard deviations the value is above what is expected, as a quantile of the normal law
	Z       float64
	Outlier bool
}

// HistogramBins is how many the histogram of the probability integral transform has.
const HistogramBins = 10

// checkKey is that of a session's checks.
type checkKey struct{}

// maxCached is how many summaries, and how many checks, are kept with a session.
const maxCached = 8

func checksFor(st sessions.State) *lru.Cache[string, *Check] {
	return st.Memoize(checkKey{}, func() any {
		return lru.New[string](maxCached, func(*Check) int { return 1 })
	}).(*lru.Cache[string, *Check])
}

func checkName(st sessions.State, o CheckOptions) string { return fmt.Sprint(st.ModelID(), " ", o) }

// CachedCheck is the check of a state if it was made; nil otherwise.
func CachedCheck(st sessions.State, o CheckOptions) *Check {
	c, _ := checksFor(st).Get(checkName(st, o))
	return c
}

// CheckModel finds whether a place can be believed. It is kept with the session, so that asking again costs nothing.
func CheckModel(ctx context.Context, s Source, o CheckOptions, progress sessions.Progress) (*Check, error) {
	st := s.State()
	if r := CachedCheck(st, o); r != nil {
		return r, nil
	}
	b, err := s.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	e := checker{ctx, st, st.Input(), b, progress}
	e.in.Progress, e.in.Pending = progress, nil
	r := &Check{CheckOptions: o, Objectives: make([]ObjectiveCheck, len(st.Problem.Objectives))}
	for k := range r.Objectives {
		r.Objectives[k] = ObjectiveCheck{Objective: st.Problem.Objectives[k], LogScore: math.NaN(), RMSZ: math.NaN(),
			LogEvidence: math.NaN()}
	}
	for _, part := range []func(*Check) error{
		e.leaveOut, e.alternatives, e.fitReport, e.sensitivity, e.domainCoverage} {
		if err := part(r); err != nil {
			return nil, err
		}
	}
	checksFor(st).Put(checkName(st, o), r)
	return r, nil
}

// checker asks one belief.
type checker struct {
	ctx      context.Context
	state    sessions.State
	in       optimizers.Input
	belief   optimizers.Belief
	progress sessions.Progress
}

// leaveOut fills what the others say of each result.
func (e checker) leaveOut(r *Check) error {
	title := e.state.Spec.Title
	if n := e.in.Data.Len(); n < 2 {
		r.Unavailable = "to leave one out takes two results"
		return nil
	}
	var held []optdiag.Predictions
	var err error
	if r.Refit {
		held, err = optdiag.LeaveOneOutRefit(e.ctx, e.in, e.state.Spec.Fit)
	} else {
		held, err = optdiag.LeaveOneOut(e.ctx, e.in, e.belief)
	}
	if err != nil {
		if optimizers.IgnoreUnsupported(err) != nil {
			return err
		}
		_, noBand := e.belief.Predict(e.ctx, e.in.Data.X)
		if r.Unavailable, r.Refittable = title+
			" has no closed form for a result that is left out: it has to be trained again without each",
			!r.Refit && noBand == nil; noBand != nil {
			r.Unavailable = title + " has no band to be held against the results"
		}
		return nil
	}
	results := Results(e.state)
	for k, h := range held {
		r.Objectives[k].setPredictions(h, results, k)
	}
	return nil
}

// setPredictions fills an objective by what was said of its values, in its own direction.
func (o *ObjectiveCheck) setPredictions(h optdiag.Predictions, results []Result, k int) {
	g := o.Transform()
	if alarm, wrong := h.Alarm(); wrong {
		o.Alarm = alarm.String()
	}
	o.Coverage, o.LogScore, o.RMSZ = h.Coverage(), h.LogScore(), h.RMSZ()
	own := optdiag.Predictions{Z: make([]float64, len(h.Z))}
	for i, z := range h.Z {
		own.Z[i] = g.Sign * z
		o.Data = append(o.Data, Residual{Result: results[i], Value: results[i].Y[k],
			Prediction: Normal{Mean: g.Invert(h.Mean[i]), SD: h.SD[i]},
			Z:          own.Z[i], Outlier: math.Abs(z) > OutlierSD})
	}
	o.Histogram = own.Histogram(HistogramBins)
}

// alternatives fills what other assumptions explain.
func (e checker) alternatives(r *Check) error {
	if !r.CheckOptions.Alternatives {
		return nil
	}
	if r.Unavailable != "" {
		r.NotCompared = r.Unavailable
		return nil
	}
	how := optdiag.ClosedFormFunc(e.state.Spec.Fit)
	if r.Refit {
		how = optdiag.RefitFunc(e.state.Spec.Fit)
	}
	all, now, err := optdiag.CompareAlternatives(e.ctx, e.in, how)
	if err != nil {
		return err
	}
	r.Compared = true
	for _, a := range all {
		r.Alternatives = append(r.Alternatives,
			Alternative{Alternative: a, Name: a.Decl.Key, Label: a.Decl.Label, Value: a.Decl.Format(a.Value),
				Better: a.Better(e.in.Data.Len())})
	}
	for k := range e.state.Problem.Objectives {
		if err := e.compareScale(r, k, how, now); err != nil {
			return err
		}
	}
	slices.SortStableFunc(r.Alternatives, func(a, b Alternative) int { return cmp.Compare(b.Gain, a.Gain) })
	return nil
}

// fitReport fills what the belief knows of its own fit.
func (e checker) fitReport(r *Check) error {
	of, ok := e.belief.(optimizers.FitReport)
	if !ok {
		return nil
	}
	evidence, err := of.LogEvidence(e.ctx)
	if err != nil {
		return err
	}
	lengths := of.Lengthscales()
	for k := range r.Objectives {
		o := &r.Objectives[k]
		if k < len(evidence) {
			o.LogEvidence = evidence[k]
		}
		if k >= len(lengths) {
			continue
		}
		o.Lengthscales = make([]string, e.in.Dim)
		for j, l := range lengths[k] {
			if !math.IsNaN(l) {
				o.Lengthscales[j] = e.in.Length(j, l)
			}
		}
	}
	return nil
}

// sensitivity fills what the means depend on.
func (e checker) sensitivity(r *Check) error {
	if d := e.in.Dim; e.in.Data.Len() == 0 || d < 2 || d > MaxSensitivityDim {
		return nil
	}
	e.report("asking what the mean depends on")
	all, err := optdiag.Sensitivity(e.ctx, e.in, e.belief)
	if err != nil {
		return optimizers.IgnoreUnsupported(err)
	}
	for k, s := range all {
		if s.Variance > 0 {
			r.Objectives[k].First, r.Objectives[k].Total = s.First, s.Total
		}
	}
	return nil
}

func (e checker) report(what string) {
	if e.progress != nil {
		e.progress(what, 0, 0)
	}
}

// domainCoverage fills how much of the truth lies inside of the bands over the domain.
func (e checker) domainCoverage(r *Check) error {
	if e.state.Problem.Truth == nil {
		return nil
	}
	e.report("holding the band against the truth")
	over, err := PredictDomain(e.ctx, e.state, e.belief)
	if err != nil {
		return optimizers.IgnoreUnsupported(err)
	}
	for k, h := range over {
		if len(h.Y) > 0 {
			r.Objectives[k].DomainCoverage = h.CoverageShares()
		}
	}
	return nil
}

// PredictDomain holds what is believed of each objective against the truth over the space of a state, at a fixed
// quasi-random sample; the error wraps ErrUnsupported where there is no band.
func PredictDomain(ctx context.Context, st sessions.State, b optimizers.Belief) ([]optdiag.Predictions, error) {
	p := st.Problem
	return optdiag.PredictDomain(ctx, search.NewSpace(st.Input()), b, func(u []float64) ([]float64, bool) {
		y, err := p.TrueValues(p.Domain.FromUnit(u))
		if err != nil || !functions.Finite(y) {
			return nil, false
		}
		counted := make([]float64, len(p.Objectives))
		for k, o := range p.Objectives {
			counted[k] = o.Transform().Apply(y[k])
		}
		return counted, true
	})
}

// CoverageAlarm is what is wrong with the bands of a place by its results, in one line; empty where nothing is seen to
// be, or where the model has no closed form that says so without training again.
func CoverageAlarm(ctx context.Context, s Source) string {
	st := s.State()
	b, err := s.Belief(ctx, nil)
	if err != nil {
		return ""
	}
	held, err := optdiag.LeaveOneOut(ctx, st.Input(), b)
	if err != nil {
		return ""
	}
	for k, h := range held {
		alarm, wrong := h.Alarm()
		switch {
		case wrong && len(held) > 1:
			return st.Problem.Objectives[k].Name + ": " + alarm.String()
		case wrong:
			return alarm.String()
		}
	}
	return ""
}

// CachedOutliers are the results that the model does not understand, by a report that somebody asked for, however it
// was made.
func CachedOutliers(st sessions.State) (all []Outlier) {
	for _, o := range []CheckOptions{{Refit: true}, {Refit: true, Alternatives: true}, {}, {Alternatives: true}} {
		r := CachedCheck(st, o)
		if r == nil || r.Unavailable != "" {
			continue
		}
		for k, o := range r.Objectives {
			for _, d := range o.Data {
				if d.Outlier {
					all = append(all, Outlier{Result: d.Result, Objective: k, Z: d.Z})
				}
			}
		}
		return all
	}
	return nil
}

// Recommendation is the alternative that is suggested: the best of those that are better by more than their
// uncertainty; nil where none is.
func (r *Check) Recommendation() *Alternative {
	if i := slices.IndexFunc(r.Alternatives, func(a Alternative) bool { return a.Better }); i >= 0 {
		return &r.Alternatives[i]
	}
	return nil
}

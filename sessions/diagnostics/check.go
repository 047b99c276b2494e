package diagnostics

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"bandscope/functions"
	"bandscope/functions/lru"
	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/inspection"

	"bandscope/optimizers/search"
	"bandscope/sessions"
)

// CheckOptions are the slow parts of a check.
type CheckOptions struct {
	Refit        bool // retrain without each result, instead of the closed form
	Alternatives bool // compare with other assumptions of the method
	Brief        bool // only what the verdict depends on: without the sensitivity
}

// Check is a check of the model at one place of a session. It is not changed after it is made.
type Check struct {
	CheckOptions
	Objectives   []ObjectiveCheck
	Integration  string        // what the band is averaged over; empty if the hyperparameters are fitted
	Inference    string        // how the model is approximated; empty if inference is exact
	Meaning      string        // of the bands, and how well calibrated they are; empty for none
	Unavailable  string        // why there is no leave-one-out; empty if there is
	Refittable   bool          // retraining would help
	Compared     bool          // alternatives were tried
	NotCompared  string        // why requested alternatives were not tried
	Alternatives []Alternative // the best first
	Verdict      Verdict
}

// ObjectiveCheck is the check of one objective.
type ObjectiveCheck struct {
	functions.Objective
	Data      []Residual // nil without leave-one-out
	Coverage  []inspection.Coverage
	Histogram []int // of the probability integral transform, in bins of equal width
	LogScore  float64
	RMSZ      float64 // root mean square of the standardized residuals
	Alarm     string  // a problem of the band; empty for none
	// of the truth over the domain, at a fixed quasi-random sample; nil without a truth or a band
	DomainCoverage []inspection.Coverage
	BandFactor     float64 // of the recalibration of DomainCoverage; 0 without recalibration
	// first-order Sobol' indices of the mean; nil without a band, from too few results, or if the mean is constant
	First []float64
	Total []float64 // total indices; nil if constraints couple the variables
	// the same for functions that the model draws, with an interval; nil if it draws none
	Importances []Importance
	// lengthscale of each variable in its own unit, empty if it has none; nil if the model has none
	Lengthscales []string
	LogEvidence  float64 // log marginal likelihood; NaN if the model has none
	Blocks       *Blocks // shifts of plates and days; nil without any
	NoBlocks     string  // why there are none, although results have blocks; empty otherwise

	misfit misfit
	alarm  inspection.Alarm // Alarm; without a count for none

	extrapolation string  // as in ObjectiveSummary; computed only for a model that is right at the results
	bestMean      float64 // if it is an extrapolation
}

// Residual is a result with its leave-one-out prediction.
type Residual struct {
	Result
	Value      float64
	Prediction Normal // with the noise of an observation
	// how many standard deviations the value lies above the prediction, as a quantile of the normal distribution
	Z       float64
	Outlier bool
}

// HistogramBins is the number of bins of the histogram of the probability integral transform.
const HistogramBins = 10

// checkKey is the key of a session's checks.
type checkKey struct{}

// maxCached bounds how many summaries, and how many checks, are cached with a session.
const maxCached = 16

func checksFor(st sessions.State) *lru.Cache[string, *Check] {
	return st.Memoize(checkKey{}, func() any {
		return lru.New[string](maxCached, func(*Check) int { return 1 })
	}).(*lru.Cache[string, *Check])
}

func checkName(st sessions.State, o CheckOptions) string { return fmt.Sprint(st.ModelID(), " ", o) }

// CachedCheck is the cached check of a state; nil if there is none.
func CachedCheck(st sessions.State, o CheckOptions) *Check {
	c, _ := checksFor(st).Get(checkName(st, o))
	return c
}

// CheckModel checks the model at a place of a session. The check is cached with the session.
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
	brief := o
	brief.Brief = true
	r := CachedCheck(st, brief)
	if r == nil {
		r, err = e.brief(brief)
		if err != nil {
			return nil, err
		}
		checksFor(st).Put(checkName(st, brief), r)
	}
	if o.Brief {
		return r, nil
	}
	full := *r
	full.CheckOptions, full.Objectives = o, slices.Clone(r.Objectives)
	if err := e.sensitivity(&full); err != nil {
		return nil, err
	}
	checksFor(st).Put(checkName(st, o), &full)
	return &full, nil
}

// brief is a check with its verdict, but without the sensitivity.
func (e checker) brief(o CheckOptions) (*Check, error) {
	l := e.belief.Legend()
	r := &Check{CheckOptions: o, Integration: l.DescribeIntegration(), Inference: l.Inference,
		Objectives: make([]ObjectiveCheck, len(e.state.Problem.Objectives))}
	for k := range r.Objectives {
		r.Objectives[k] = ObjectiveCheck{Objective: e.state.Problem.Objectives[k], LogScore: math.NaN(),
			RMSZ: math.NaN(), LogEvidence: math.NaN()}
	}
	for _, part := range []func(*Check) error{e.leaveOut, e.alternatives, e.fitReport, e.blocks,
		e.domainCoverage, e.extrapolations} {
		if err := part(r); err != nil {
			return nil, err
		}
	}
	r.Verdict = e.judge(r)
	return r, nil
}

// extrapolations fills in which best means are extrapolations, where no other verdict is worse.
func (e checker) extrapolations(r *Check) error {
	displayed, err := DisplayedBelief(e.ctx, e.state, e.belief, e.progress)
	if err != nil {
		return err
	}
	s := summarizer{e.ctx, e.state, e.state.Input(), e.belief, Results(e.state), displayed}
	for k := range r.Objectives {
		o := &r.Objectives[k]
		if v := (judging{e.state, r, o}).verdict(); v.Kind != VerdictBelievable {
			continue
		}
		summary := ObjectiveSummary{Objective: o.Objective}
		if _, err := s.best(&summary, k); err != nil {
			return optimizers.IgnoreUnsupported(err)
		}
		if summary.Extrapolation != "" {
			o.extrapolation, o.bestMean = summary.Extrapolation, summary.ModelBest.Normals[0].Mean
		}
	}
	return nil
}

// checker checks one belief.
type checker struct {
	ctx      context.Context
	state    sessions.State
	in       optimizers.Input
	belief   optimizers.Belief
	progress sessions.Progress
}

// leaveOut fills in the leave-one-out predictions.
func (e checker) leaveOut(r *Check) error {
	title := e.state.Spec.Title
	if n := e.in.Data.Len(); n < 2 {
		r.Unavailable = "leave-one-out needs at least 2 results"
		return nil
	}
	var held []inspection.Predictions
	var err error
	if r.Refit {
		held, err = inspection.LeaveOneOutRefit(e.ctx, e.in, e.state.Spec.Fit)
	} else {
		held, err = inspection.LeaveOneOut(e.ctx, e.in, e.belief)
	}
	if err != nil {
		if optimizers.IgnoreUnsupported(err) != nil {
			return err
		}
		_, noBand := e.belief.Predict(e.ctx, e.in.Data.X)
		r.Unavailable, r.Refittable = title+
			" has no closed form for leave-one-out: it must be retrained without each result",
			!r.Refit && noBand == nil
		if noBand != nil {
			r.Unavailable = title + " has no band to compare with the results"
		}
		return nil
	}
	results := Results(e.state)
	for k, h := range held {
		r.Objectives[k].setPredictions(h, results, k)
	}
	return nil
}

// setPredictions fills in the predictions of an objective's values, in its own direction.
func (o *ObjectiveCheck) setPredictions(h inspection.Predictions, results []Result, k int) {
	g := o.Transform()
	if alarm, wrong := h.Alarm(); wrong {
		o.alarm, o.Alarm = alarm, alarm.String()
	}
	o.Coverage = h.Coverage()
	o.LogScore = h.LogScore()
	o.RMSZ = h.RMSZ()
	predictions := inspection.Predictions{Z: make([]float64, len(h.Z))}
	for i, z := range h.Z {
		predictions.Z[i] = g.Sign * z
		o.Data = append(o.Data, Residual{Result: results[i], Value: results[i].Y[k],
			Prediction: Normal{Mean: g.Invert(h.Mean[i]), SD: h.SD[i]},
			Z:          predictions.Z[i], Outlier: math.Abs(z) > OutlierSD})
	}
	o.Histogram = predictions.Histogram(HistogramBins)
	o.misfit = newMisfit(h.Y, h.Mean, h.Z)
	o.misfit.drift = drift(predictions.Z)
}

// alternatives fills in the comparison with other assumptions.
func (e checker) alternatives(r *Check) error {
	if !r.CheckOptions.Alternatives {
		return nil
	}
	if r.Unavailable != "" {
		r.NotCompared = r.Unavailable
		return nil
	}
	closedFormFunc := inspection.ClosedFormFunc(e.state.Spec.Fit)
	if r.Refit {
		closedFormFunc = inspection.RefitFunc(e.state.Spec.Fit)
	}
	all, now, err := inspection.CompareAlternatives(e.ctx, e.in, closedFormFunc)
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
		if err := e.compareScale(r, k, closedFormFunc, now); err != nil {
			return err
		}
	}
	slices.SortStableFunc(r.Alternatives, func(a, b Alternative) int { return cmp.Compare(b.Gain, a.Gain) })
	return nil
}

// fitReport fills in the lengthscales and the log evidence.
func (e checker) fitReport(r *Check) error {
	owner, ok := e.belief.(optimizers.FitReport)
	if !ok {
		return nil
	}
	evidence, err := owner.LogEvidence(e.ctx)
	if err != nil {
		return err
	}
	lengths := owner.Lengthscales()
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
				o.Lengthscales[j] = e.in.Length(j, l, numfmt.Format)
			}
		}
	}
	return nil
}

// sensitivity fills in the Sobol' indices of the means, and of functions that the model draws.
func (e checker) sensitivity(r *Check) error {
	if !hasImportances(e.in) {
		return nil
	}
	e.report("computing the sensitivity of the mean")
	all, err := inspection.Sensitivity(e.ctx, e.in, e.belief)
	if err != nil {
		return optimizers.IgnoreUnsupported(err)
	}
	for k, s := range all {
		if s.Variance > 0 {
			r.Objectives[k].First, r.Objectives[k].Total = s.First, s.Total
		}
	}
	drawn, err := inspection.Importances(e.ctx, e.in, e.belief)
	for k, variables := range drawn {
		r.Objectives[k].Importances = variables
	}
	return optimizers.IgnoreUnsupported(err)
}

func (e checker) report(subject string) {
	if e.progress != nil {
		e.progress(subject, 0, 0)
	}
}

// domainCoverage fills in what the bands mean, and how much of the truth lies inside them over the domain.
func (e checker) domainCoverage(r *Check) error {
	displayed, err := DisplayedBelief(e.ctx, e.state, e.belief, e.progress)
	if err != nil {
		return err
	}
	legend := displayed.Legend()
	if d, ok := displayed.(inspection.Recalibrated); ok {
		for k := range r.Objectives {
			r.Objectives[k].BandFactor = d.Factors[k].Drawn()
		}
		legend.Meaning = "The leave-one-out predictions are not recalibrated."
	}
	if legend.Meaning != "" {
		r.Meaning = fmt.Sprintf("The band is %s. %s", legend.Band, legend.Meaning)
	}
	if e.state.Problem.Truth == nil {
		return nil
	}
	e.report("comparing the band with the truth")
	over, err := PredictDomain(e.ctx, e.state, displayed)
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

// PredictDomain predicts the truth of each objective at a fixed quasi-random sample of a state's space; the error wraps
// ErrUnsupported if there is no band.
func PredictDomain(ctx context.Context, st sessions.State, b optimizers.Belief) ([]inspection.Predictions, error) {
	p := st.Problem
	return inspection.PredictDomain(ctx, search.NewSpace(st.Input()), b, func(u []float64) ([]float64, bool) {
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

// Cure is a change of a parameter that widens bands.
type Cure struct{ Key, Value string }

// CoverageAlarm is a problem of the bands by their leave-one-out coverage, in one line, with the change that helps if
// they are too narrow; the text is empty for none, or if the model has no closed form.
func CoverageAlarm(ctx context.Context, s Source) (text string, cure *Cure) {
	st := s.State()
	b, err := s.Belief(ctx, nil)
	if err != nil || st.Input().Recalibrates() { // recalibrated bands cover the results
		return "", nil
	}
	held, err := inspection.LeaveOneOut(ctx, st.Input(), b)
	if err != nil {
		return "", nil
	}
	for k, h := range held {
		alarm, wrong := h.Alarm()
		if !wrong {
			continue
		}
		text = alarm.String()
		if len(held) > 1 {
			text = st.Problem.Objectives[k].Name + ": " + text
		}
		if d, ok := st.Params.Widen(); ok && !alarm.Wide {
			cure = &Cure{d.Key, d.Format(d.WiderBand)}
		}
		return text, cure
	}
	return "", nil
}

// CachedOutliers are the outliers of a cached check, with whatever options.
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

// Recommendation is the best alternative that is better by more than its uncertainty; nil for none.
func (r *Check) Recommendation() *Alternative {
	if i := slices.IndexFunc(r.Alternatives, func(a Alternative) bool { return a.Better }); i >= 0 {
		return &r.Alternatives[i]
	}
	return nil
}

// Package trust tells whether what a model says of one place of a session can be believed: what it would have said of each result without knowing it, how often its bands cover
// what they promise to, over the results and where a truth exists over the domain, whether other assumptions of the same method explain the results better, and what its mean
// depends on. A session's place with its belief comes in, numbers in the problem's own units and directions go out, which the screen and the command tell each in
// its way. What is computed of a belief is optimizers/insight's and optimizers/insight/calibration's.
package trust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/optimizers/insight"
	"bandscope/optimizers/insight/calibration"
	"bandscope/optimizers/search"
	"bandscope/sessions"
	"bandscope/sessions/appraisal"
)

// Options say what is asked for that takes longer.
type Options struct {
	Retrain      bool // train again without each result, in place of the closed form
	Alternatives bool // hold other assumptions of the method against the results
}

// Report is what is found of one place of a session. Nothing in it is changed once it is there.
type Report struct {
	Options
	Objectives   []Objective
	Lacking      string        // why no result could be left out; empty where each was
	Retrainable  bool          // training again would help that
	Tried        bool          // alternatives were tried
	Untried      string        // why they were asked for and not tried
	Alternatives []Alternative // the best first
}

// Objective is what is found of one objective.
type Objective struct {
	functions.Objective
	Data        []Datum // nil where none could be left out
	Coverage    []calibration.Coverage
	Histogram   []int // of the probability integral transform, in bins of equal width
	LogScore    float64
	RMSZ        float64                // root of the mean square of the standardized residuals
	Alarm       string                 // what is wrong with the band; empty where nothing is seen to be
	Over        []calibration.Coverage // of the truth over the domain, at a fixed quasi-random sample; nil where there is no truth or no band
	First       []float64              // Sobol' indices of the mean, of first order; nil where it has no band or does not vary
	Total       []float64              // total ones; nil where constraints tie the variables
	Lengths     []string               // lengthscale of each variable in its own unit; empty of what has none, nil where the model has none
	LogEvidence float64                // log marginal likelihood; NaN where the model has none
}

// Datum is a result with what the others say of it.
type Datum struct {
	appraisal.Result
	Value    float64
	Expected appraisal.Normal // with the noise of an observation
	Z        float64          // by how many standard deviations the value is above what is expected, as a quantile of the normal law
	Strange  bool
}

// Bins is how many the histogram of the probability integral transform has.
const Bins = 10

// memory is what was found of a session's last places.
type memory struct {
	mu    sync.Mutex
	order []string
	kept  map[string]*Report
}

type memoryKey struct{}

// mostKept is how many reports are kept.
const mostKept = 8

func memoryOf(st sessions.State) *memory {
	return st.Kept(memoryKey{}, func() any { return &memory{kept: map[string]*Report{}} }).(*memory)
}

func nameOf(st sessions.State, o Options) string { return fmt.Sprint(st.Model(), " ", o) }

// Known is what was found of a state if it is there.
func Known(st sessions.State, o Options) *Report {
	m := memoryOf(st)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept[nameOf(st, o)]
}

func (m *memory) put(name string, r *Report) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept[name] == nil {
		m.order = append(m.order, name)
	}
	m.kept[name] = r
	if len(m.order) > mostKept {
		delete(m.kept, m.order[0])
		m.order = m.order[1:]
	}
}

// Of finds whether a place can be believed. It is kept with the session, so that asking again costs nothing.
func Of(ctx context.Context, s appraisal.Source, o Options, progress sessions.Progress) (*Report, error) {
	st := s.State()
	if r := Known(st, o); r != nil {
		return r, nil
	}
	b, err := s.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	e := examiner{ctx, st, st.Input(), b, progress}
	e.in.Progress, e.in.Out = progress, nil
	r := &Report{Options: o, Objectives: make([]Objective, len(st.Problem.Objectives))}
	for k := range r.Objectives {
		r.Objectives[k] = Objective{Objective: st.Problem.Objectives[k], LogScore: math.NaN(), RMSZ: math.NaN(), LogEvidence: math.NaN()}
	}
	for _, part := range []func(*Report) error{e.leaveOut, e.alternatives, e.told, e.sensitivity, e.domain} {
		if err := part(r); err != nil {
			return nil, err
		}
	}
	memoryOf(st).put(nameOf(st, o), r)
	return r, nil
}

// examiner asks one belief.
type examiner struct {
	ctx      context.Context
	state    sessions.State
	in       optimizers.Input
	belief   optimizers.Belief
	progress sessions.Progress
}

// absent is an error of a belief, nil where it is that it does not have what was asked for.
func absent(err error) error {
	if errors.Is(err, optimizers.ErrUnsupported) {
		return nil
	}
	return err
}

// leaveOut fills what the others say of each result.
func (e examiner) leaveOut(r *Report) error {
	title := e.state.Spec.Title
	if n := e.in.Data.Len(); n < 2 {
		r.Lacking = "to leave one out takes two results"
		return nil
	}
	var held []calibration.Held
	var err error
	if r.Retrain {
		held, err = calibration.Retrained(e.ctx, e.in, e.state.Spec.Fit)
	} else {
		held, err = calibration.ClosedForm(e.ctx, e.in, e.belief)
	}
	if err != nil {
		if absent(err) != nil {
			return err
		}
		_, noBand := e.belief.Predict(e.ctx, e.in.Data.X)
		if r.Lacking, r.Retrainable = title+" has no closed form for a result that is left out: it has to be trained again without each", !r.Retrain && noBand == nil; noBand != nil {
			r.Lacking = title + " has no band to be held against the results"
		}
		return nil
	}
	results := appraisal.ResultsOf(e.state)
	for k, h := range held {
		r.Objectives[k].hold(h, results, k)
	}
	return nil
}

// hold fills an objective by what was said of its values, in its own direction.
func (o *Objective) hold(h calibration.Held, results []appraisal.Result, k int) {
	g := o.Gauge()
	if alarm, wrong := h.Alarm(); wrong {
		o.Alarm = alarm.String()
	}
	o.Coverage, o.LogScore, o.RMSZ = h.Coverage(), h.LogScore(), h.RMSZ()
	own := calibration.Held{Z: make([]float64, len(h.Z))}
	for i, z := range h.Z {
		own.Z[i] = g.Sign * z
		o.Data = append(o.Data, Datum{Result: results[i], Value: results[i].Y[k], Expected: appraisal.Normal{Mean: g.Value(h.Mean[i]), SD: h.SD[i]},
			Z: own.Z[i], Strange: math.Abs(z) > appraisal.Strange})
	}
	o.Histogram = own.Histogram(Bins)
}

// alternatives fills what other assumptions explain.
func (e examiner) alternatives(r *Report) error {
	if !r.Options.Alternatives {
		return nil
	}
	if r.Lacking != "" {
		r.Untried = r.Lacking
		return nil
	}
	how := calibration.ByClosedForm(e.state.Spec.Fit)
	if r.Retrain {
		how = calibration.ByRetraining(e.state.Spec.Fit)
	}
	all, now, err := calibration.Alternatives(e.ctx, e.in, how)
	if err != nil {
		return err
	}
	r.Tried = true
	for _, a := range all {
		r.Alternatives = append(r.Alternatives, Alternative{Alternative: a, Name: a.Decl.Key, Label: a.Decl.Label, Value: a.Decl.Format(a.Value), Better: a.Better(e.in.Data.Len())})
	}
	for k := range e.state.Problem.Objectives {
		if err := e.scale(r, k, how, now); err != nil {
			return err
		}
	}
	slices.SortStableFunc(r.Alternatives, func(a, b Alternative) int { return cmp.Compare(b.Gain, a.Gain) })
	return nil
}

// told fills what the belief knows of its own fit.
func (e examiner) told(r *Report) error {
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
		o.Lengths = make([]string, e.in.Dim)
		for j, l := range lengths[k] {
			if !math.IsNaN(l) {
				o.Lengths[j] = e.in.Length(j, l)
			}
		}
	}
	return nil
}

// sensitivity fills what the means depend on.
func (e examiner) sensitivity(r *Report) error {
	if d := e.in.Dim; e.in.Data.Len() == 0 || d < 2 || d > appraisal.MostVariables {
		return nil
	}
	e.say("asking what the mean depends on")
	all, err := insight.Sensitivity(e.ctx, e.in, e.belief)
	if err != nil {
		return absent(err)
	}
	for k, s := range all {
		if s.Variance > 0 {
			r.Objectives[k].First, r.Objectives[k].Total = s.First, s.Total
		}
	}
	return nil
}

func (e examiner) say(what string) {
	if e.progress != nil {
		e.progress(what, 0, 0)
	}
}

// domain fills how much of the truth lies inside of the bands over the domain.
func (e examiner) domain(r *Report) error {
	if e.state.Problem.Truth == nil {
		return nil
	}
	e.say("holding the band against the truth")
	over, err := Over(e.ctx, e.state, e.belief)
	if err != nil {
		return absent(err)
	}
	for k, h := range over {
		if len(h.Y) > 0 {
			r.Objectives[k].Over = h.Shares()
		}
	}
	return nil
}

// Over holds what is believed of each objective against the truth over the space of a state, at a fixed quasi-random sample; the error wraps ErrUnsupported where there is no band.
func Over(ctx context.Context, st sessions.State, b optimizers.Belief) ([]calibration.Held, error) {
	p := st.Problem
	return calibration.Over(ctx, search.SpaceOf(st.Input()), b, func(u []float64) ([]float64, bool) {
		y, err := p.TrueValues(p.Domain.FromUnit(u))
		if err != nil || !functions.Finite(y) {
			return nil, false
		}
		counted := make([]float64, len(p.Objectives))
		for k, o := range p.Objectives {
			counted[k] = o.Gauge().Counted(y[k])
		}
		return counted, true
	})
}

// Alarm is what is wrong with the bands of a place by its results, in one line; empty where nothing is seen to be, or where the model has no closed form that says so without
// training again.
func Alarm(ctx context.Context, s appraisal.Source) string {
	st := s.State()
	b, err := s.Belief(ctx, nil)
	if err != nil {
		return ""
	}
	held, err := calibration.ClosedForm(ctx, st.Input(), b)
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

// Strangers are the results that the model does not understand, by a report that somebody asked for, however it was made.
func Strangers(st sessions.State) (all []appraisal.Stranger) {
	for _, o := range []Options{{Retrain: true}, {Retrain: true, Alternatives: true}, {}, {Alternatives: true}} {
		r := Known(st, o)
		if r == nil || r.Lacking != "" {
			continue
		}
		for k, o := range r.Objectives {
			for _, d := range o.Data {
				if d.Strange {
					all = append(all, appraisal.Stranger{Result: d.Result, Objective: k, Z: d.Z})
				}
			}
		}
		return all
	}
	return nil
}

// Suggested is the alternative that is suggested: the best of those that are better by more than their uncertainty; nil where none is.
func (r *Report) Suggested() *Alternative {
	if i := slices.IndexFunc(r.Alternatives, func(a Alternative) bool { return a.Better }); i >= 0 {
		return &r.Alternatives[i]
	}
	return nil
}

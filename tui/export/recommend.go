package export

import (
	"context"
	"fmt"
	"math"
	"strings"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
)

// recommend adds the best observed point and the best by the model, with their uncertainty, or for several objectives
// the front.
func (r *contents) recommend(ctx context.Context, s *sessions.Session, st sessions.State) error {
	if len(st.Iterations) == 0 {
		return nil
	}
	var a *diagnostics.Summary
	var f *diagnostics.Forecast
	err := parallel.PanicToError(func() (err error) {
		a, err = diagnostics.Summarize(ctx, s, nil)
		if err == nil && !st.Spec.NoBand {
			f, err = diagnostics.ForecastRuns(ctx, s, nil)
		}
		return err
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, c := range diagnostics.ClippedValues(st) {
		r.recommended("check", "%v; if the evaluation failed, withdraw it: %s", c, c.Remedy())
	}
	if err != nil {
		r.BestTitle = "Recommended"
		if x, y, step, ok := st.Best(); ok && len(st.Problem.Objectives) == 1 {
			o := st.Problem.Objectives[0]
			r.recommended("best observed", "%s = %s, step %d, at %s", o.Name, quantity(o, y), step,
				place(st.Problem, x))
		}
		r.recommended("the model", "failed: %v", err)
		return nil
	}
	r.BestTitle = "Recommended"
	if len(a.Objectives) > 1 {
		r.BestTitle = "Pareto front"
		r.Front, r.FrontCut = frontTable(st, a)
	} else {
		r.observed(st, a.Objectives[0])
	}
	for k := range a.Objectives {
		r.byTheModel(st.Problem, a, k)
	}
	if f != nil {
		term := "further runs"
		for _, line := range f.Lines() {
			r.recommended(term, "%s", line)
			term = ""
		}
	}
	if err := r.importances(ctx, s, st); err != nil {
		return err
	}
	var strange []string
	for _, s := range a.Outliers {
		strange = append(strange, fmt.Sprintf("experiment %s (%s is %s standard deviations from the prediction)", s.Label,
			st.Problem.Objectives[s.Objective].Name, numfmt.Format(math.Abs(s.Z))))
	}
	if strange != nil {
		r.recommended("outliers", "%s", strings.Join(strange, ", "))
	}
	return nil
}

// importances adds which variables matter, each with its interval, or that there are too few results to say.
func (r *contents) importances(ctx context.Context, s *sessions.Session, st sessions.State) error {
	all, err := diagnostics.Importances(ctx, s)
	err = optimizers.IgnoreUnsupported(err)
	if err != nil {
		return err
	}
	if few := diagnostics.TooFewForImportances(st); few != "" {
		r.recommended("importance", "%s", few)
	}
	for k, variables := range all {
		var texts []string
		for j, v := range variables {
			texts = append(texts, st.Problem.Domain[j].Name+" "+v.String())
		}
		r.recommended("importance", "%s: %s", st.Problem.Objectives[k].Name, strings.Join(texts, ", "))
	}
	if all != nil {
		r.recommended("", "the share of the variance that each variable explains alone: the median and an interval of 90 %% over functions that the model draws")
	}
	return nil
}

func (r *contents) recommended(term, format string, args ...any) {
	r.Best = append(r.Best, fact{sanitize.Text(term), words(format, args...).Text})
}

// spread is a prediction of an objective, with two standard deviations.
func spread(o functions.Objective, believed diagnostics.Normal) string {
	return strings.TrimSpace(numfmt.Format(believed.Mean) +
		o.Transform().FormatSD(believed.Mean, 2*believed.SD, numfmt.Format) + " " + o.Unit)
}

// observed adds the best result of the single objective.
func (r *contents) observed(st sessions.State, o diagnostics.ObjectiveSummary) {
	if o.Best == nil {
		r.recommended("best observed", "there are no results yet")
		return
	}
	r.recommended("best observed", "%s = %s, experiment %s, at %s", o.Name, quantity(o.Objective, o.Best.Y[0]),
		o.Best.Label, place(st.Problem, o.Best.X))
	if p := diagnostics.ProbablyFeasible(o.BestFeasible); p != "" {
		r.recommended("limits", "the best observed is %s", p)
	}
	if o.Best.Predictions != nil {
		r.recommended("prediction there", "%s (two standard deviations)", spread(o.Objective, o.Best.Predictions[0]))
	}
}

// byTheModel adds where the model's mean of an objective is best, the difference from the best result, and the expected
// improvement of another experiment.
func (r *contents) byTheModel(p *functions.Problem, a *diagnostics.Summary, k int) {
	o := a.Objectives[k]
	if o.ModelBest == nil {
		return
	}
	r.recommended("best by the model", "%s = %s (two standard deviations), at %s", o.Name,
		spread(o.Objective, o.ModelBest.Normals[0]), place(p, o.ModelBest.X))
	if o.Extrapolation != "" {
		r.recommended("", "this is an extrapolation: %s", o.Extrapolation)
	}
	if len(a.Objectives) > 1 {
		return
	}
	if !math.IsNaN(o.Gain) {
		comparison := "better"
		if o.Gain < 0 {
			comparison = "worse"
		}
		amount := o.Transform().FormatDifference(math.Abs(o.Gain), numfmt.Format)
		if !o.Transform().IsLog() {
			amount = quantity(o.Objective, math.Abs(o.Gain))
		}
		note := ""
		if o.Gain < 0 {
			note = ", which may be luck"
		}
		r.recommended("difference", "the best by the model is %s %s than the best observed%s", amount, comparison, note)
	}
}

// frontTable lists the results that no other dominates, with the model's predictions, and returns how many it leaves
// out.
func frontTable(st sessions.State, a *diagnostics.Summary) (*table, int) {
	p := st.Problem
	t := table{Head: append([]cell{{Text: "no.", Number: true}}, placeHead(p)...)}
	for _, o := range p.Objectives {
		t.Head = append(t.Head, column(o.Name, o.Unit))
	}
	for _, f := range a.Front {
		cells := append([]cell{{Text: f.Label, Number: true}}, placeCells(p, f.X, nil)...)
		for k := range p.Objectives {
			c := value(st.Iterations[f.Step-1], f.Point, k)
			if f.Predictions != nil {
				c.More = append(c.More, words("model %s%s", numfmt.Format(f.Predictions[k].Mean),
					p.Objectives[k].Transform().FormatSD(f.Predictions[k].Mean, 2*f.Predictions[k].SD, numfmt.Format)).
					Text)
			}
			cells = append(cells, c)
		}
		t.Rows = append(t.Rows, row{Cells: cells})
		if len(t.Rows) == tableRows {
			break
		}
	}
	return t.aligned(), len(a.Front) - len(t.Rows)
}

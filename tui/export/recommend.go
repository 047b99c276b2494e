package export

import (
	"context"
	"fmt"
	"math"
	"strings"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
)

// recommend tells the best that was observed and the best by the model with how sure it is of both, and of several
// objectives the front.
func (r *contents) recommend(ctx context.Context, s *sessions.Session, st sessions.State) error {
	if len(st.Iterations) == 0 {
		return nil
	}
	var a *diagnostics.Summary
	err := parallel.PanicToError(func() (err error) {
		a, err = diagnostics.Summarize(ctx, s, nil)
		return err
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, c := range diagnostics.ClippedValues(st) {
		r.recommended("look again at", "%v; if the evaluation failed, correct it: %s", c, c.Remedy())
	}
	if err != nil {
		r.BestTitle = "Recommended"
		if x, y, step, ok := st.Best(); ok && len(st.Problem.Objectives) == 1 {
			o := st.Problem.Objectives[0]
			r.recommended("best observed", "%s = %s, step %d, at %s", o.Name, quantity(o, y), step,
				place(st.Problem, x))
		}
		r.recommended("the model", "says nothing: %v", err)
		return nil
	}
	if r.BestTitle = "Recommended"; len(a.Objectives) > 1 {
		r.BestTitle = "The front"
		r.Front, r.FrontCut = frontTable(st, a)
	} else {
		r.observed(st, a.Objectives[0])
	}
	for k := range a.Objectives {
		r.byTheModel(st.Problem, a, k)
	}
	how := "each variable alone"
	if len(st.Problem.Constraints) > 0 {
		how = "each variable with what constraints tie to it"
	}
	for _, o := range a.Objectives {
		if o.Sensitivity != nil {
			var said []string
			for i, v := range o.Sensitivity {
				said = append(said, fmt.Sprintf("%s %.0f %%", st.Problem.Domain[i].Name, 100*v))
			}
			r.recommended("what matters", "%s varies with %s (%s, by the model)", o.Name, strings.Join(said, ", "), how)
		}
	}
	var strange []string
	for _, s := range a.Outliers {
		strange = append(strange, fmt.Sprintf("experiment %s (%s, by %s standard deviations)", s.Label,
			st.Problem.Objectives[s.Objective].Name, numfmt.Format(math.Abs(s.Z))))
	}
	if strange != nil {
		r.recommended("look again at", "%s: not what the other results would say", strings.Join(strange, ", "))
	}
	return nil
}

func (r *contents) recommended(term, format string, args ...any) {
	r.Best = append(r.Best, fact{sanitize.Text(term), words(format, args...).Text})
}

// spread tells what is believed of an objective, with two standard deviations.
func spread(o functions.Objective, believed diagnostics.Normal) string {
	return strings.TrimSpace(numfmt.Format(believed.Mean) +
		o.Transform().FormatSD(believed.Mean, 2*believed.SD, numfmt.Format) + " " + o.Unit)
}

// observed tells the best observation of the single objective.
func (r *contents) observed(st sessions.State, o diagnostics.ObjectiveSummary) {
	if o.Best == nil {
		r.recommended("best observed", "nothing has a result yet")
		return
	}
	r.recommended("best observed", "%s = %s, experiment %s, at %s", o.Name, quantity(o.Objective, o.Best.Y[0]),
		o.Best.Label, place(st.Problem, o.Best.X))
	if o.Best.Predictions != nil {
		r.recommended("the model there", "%s (two standard deviations)", spread(o.Objective, o.Best.Predictions[0]))
	}
}

// byTheModel tells where the model's mean of an objective is best, how that differs from the best observation, and what
// may be hoped for of one experiment more.
func (r *contents) byTheModel(p *functions.Problem, a *diagnostics.Summary, k int) {
	o := a.Objectives[k]
	if o.ModelBest == nil {
		return
	}
	r.recommended("best by the model", "%s = %s (two standard deviations), at %s", o.Name,
		spread(o.Objective, o.ModelBest.Normals[0]), place(p, o.ModelBest.X))
	if len(a.Objectives) > 1 {
		return
	}
	if !math.IsNaN(o.Gain) {
		how := "better"
		if o.Gain < 0 {
			how = "worse: the best observation may be luck"
		}
		amount := o.Transform().FormatDifference(math.Abs(o.Gain), numfmt.Format)
		if !o.Transform().IsLog() {
			amount = quantity(o.Objective, math.Abs(o.Gain))
		}
		r.recommended("the difference", "by the model's mean %s %s than the best observed", amount, how)
	}
	if word := a.StoppingAdvice(k); word != "" {
		r.recommended("worth going on", "%s", word)
	}
}

// frontTable lists the observations that no other dominates, with what the model believes there, and says how many are
// left out.
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
		if t.Rows = append(t.Rows, row{Cells: cells}); len(t.Rows) == tableRows {
			break
		}
	}
	return t.aligned(), len(a.Front) - len(t.Rows)
}

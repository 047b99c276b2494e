package export

import (
	"context"
	"fmt"
	"math"
	"strings"

	"bandscope/functions"
	"bandscope/functions/digits"
	"bandscope/sessions"
	"bandscope/sessions/appraisal"
)

// recommend tells the best that was observed and the best by the model with how sure it is of both, and of several objectives the front.
func (r *contents) recommend(ctx context.Context, s *sessions.Session, st sessions.State) error {
	if len(st.Iterations) == 0 {
		return nil
	}
	a, err := appraisal.Of(ctx, s, nil)
	if err != nil {
		return err
	}
	if r.BestTitle = "Recommended"; len(a.Objectives) > 1 {
		r.BestTitle, r.Front = "The front", front(st, a)
	} else {
		r.observed(st, a.Objectives[0])
	}
	for k := range a.Objectives {
		r.byTheModel(st.Problem, a, k)
	}
	for _, o := range a.Objectives {
		if o.Sensitivity != nil {
			var said []string
			for i, v := range o.Sensitivity {
				said = append(said, fmt.Sprintf("%s %.0f %%", st.Problem.Domain[i].Name, 100*v))
			}
			r.recommended("of how the model's %s varies, each variable alone makes: %s", o.Name, strings.Join(said, ", "))
		}
	}
	var strange []string
	for _, s := range a.Strangers {
		strange = append(strange, fmt.Sprintf("experiment %s (%s, by %s standard deviations)", s.Label, st.Problem.Objectives[s.Objective].Name, digits.Of(math.Abs(s.Z))))
	}
	if strange != nil {
		r.recommended("not what the other results would say: %s", strings.Join(strange, ", "))
	}
	return nil
}

func (r *contents) recommended(format string, args ...any) {
	r.Best = append(r.Best, words(format, args...).Text)
}

// spread tells what is believed of an objective, with two standard deviations.
func spread(o functions.Objective, believed appraisal.Normal) string {
	return strings.TrimSpace(fmt.Sprintf("%s ± %s %s", digits.Of(believed.Mean), digits.Of(2*believed.SD), o.Unit))
}

// observed tells the best observation of the single objective.
func (r *contents) observed(st sessions.State, o appraisal.Objective) {
	if o.Best == nil {
		r.recommended("nothing has a result yet")
		return
	}
	r.recommended("best observed: %s = %s, experiment %s, at %s", o.Name, quantity(o.Objective, o.Best.Y[0]), o.Best.Label, place(st.Problem, o.Best.X))
	if o.Best.Believed != nil {
		r.recommended("there the model believes %s (two standard deviations)", spread(o.Objective, o.Best.Believed[0]))
	}
}

// byTheModel tells where the model's mean of an objective is best, how that differs from the best observation, and what may be hoped for of one experiment more.
func (r *contents) byTheModel(p *functions.Problem, a *appraisal.Appraisal, k int) {
	o := a.Objectives[k]
	if o.Model == nil {
		return
	}
	r.recommended("best by the model: %s = %s (two standard deviations), at %s", o.Name, spread(o.Objective, o.Model.Believed[0]), place(p, o.Model.X))
	if len(a.Objectives) > 1 {
		return
	}
	if !math.IsNaN(o.Gain) {
		how := "better"
		if o.Gain < 0 {
			how = "worse: the best observation may be luck"
		}
		r.recommended("by the model's mean that is %s %s than the best observed", quantity(o.Objective, math.Abs(o.Gain)), how)
	}
	if word := a.Stopping(k); word != "" {
		r.recommended("%s", word)
	}
}

// front lists the observations that no other dominates, with what the model believes there.
func front(st sessions.State, a *appraisal.Appraisal) *table {
	p := st.Problem
	t := table{Head: []cell{{Text: "no.", Number: true}}}
	for _, v := range p.Domain {
		t.Head = append(t.Head, cell{Text: words("%s", withUnit(v.Name, v.Unit)).Text, Number: true})
	}
	for _, o := range p.Objectives {
		t.Head = append(t.Head, cell{Text: words("%s", withUnit(o.Name, o.Unit)).Text, Number: true})
	}
	for _, f := range a.Front {
		cells := []cell{{Text: f.Label, Number: true}}
		for _, v := range f.X {
			cells = append(cells, number(v))
		}
		for k, o := range p.Objectives {
			c := value(st.Iterations[f.Step-1], f.Point, k)
			if f.Believed != nil {
				c.More = []string{words("model %s", spread(o, f.Believed[k])).Text}
			}
			cells = append(cells, c)
		}
		if t.Rows = append(t.Rows, row{Cells: cells}); len(t.Rows) == tableRows {
			break
		}
	}
	return &t
}

package outlook

import (
	"fmt"
	"math"
	"strings"

	"bandscope/sessions/appraisal"
	"bandscope/sessions/report"
	"bandscope/sessions/safe"
	"bandscope/tui/explain"
	"bandscope/tui/explore/picture"
	"bandscope/tui/screen"
)

// Elements tells what is seen of the panel, in the size of the scene, given the parts of the window that it has: one, or two below each other.
func (p *Panel) Elements(s picture.Scene, parts []explain.Part) []explain.Element {
	if len(parts) == 0 {
		return nil
	}
	a, now := p.shown(s.State)
	part := &parts[0]
	switch {
	case len(s.State.Iterations) == 0:
		return []explain.Element{part.Panel("surrogate", "What the model makes of the results, where no truth is known: it stands here as soon as there is a result.")}
	case p.kind == course && len(s.State.Problem.Objectives) == 1:
		return p.courseTold(s, part)
	case a == nil:
		return []explain.Element{part.Panel("surrogate", "What the model makes of the results, where no truth is known: it is being asked at the moment.")}
	}
	t := teller{a: a, state: s.State, style: s.Style, w: s.W - 4}
	if p.kind == dependence {
		list := []explain.Element{part.Panel("Sobol' index", "How much of what the model's mean varies over the domain each variable makes by itself, the others left to chance.")}
		return append(list, t.element(part, block{about: depending, lines: t.dependence(s.H - 2)}, 0)...)
	}
	says := fmt.Sprintf("What the model makes of %s, where no truth is known: what is best, what may be hoped for, and whether the model is to be believed.", screen.Counted(len(s.State.Iterations), "step"))
	if !now {
		says = "What the model made of the results one step before; it is being asked again at the moment."
	}
	list := []explain.Element{part.Panel("surrogate", says)}
	row := 0
	for _, b := range t.fitted(s.H - 2) {
		list = append(list, t.element(part, b, row)...)
		row += len(b.lines)
	}
	for i := range parts[1:] {
		list = append(list, p.courseTold(s, &parts[1+i])...)
	}
	return list
}

// element tells a block whose first line is one of the part.
func (t teller) element(part *explain.Part, b block, row int) []explain.Element {
	name, term, says := t.says(b)
	if says == "" {
		return nil
	}
	e := part.Prose(name, term, says, row, row+len(b.lines))
	e.Kind = explain.Number
	return []explain.Element{e}
}

// says tells a block in a sentence.
func (t teller) says(b block) (name, term, says string) {
	o := t.a.Objectives[b.objective]
	domain, unit := t.state.Problem.Domain, safe.Text(o.Unit)
	of := ""
	if len(t.a.Objectives) > 1 {
		of = " of " + o.Name
	}
	switch b.about {
	case observed:
		if o.Best == nil {
			return "best observed" + of, "incumbent", "Nothing has a result yet, so there is no best one."
		}
		return "best observed" + of, "incumbent", fmt.Sprintf("The best result that was observed%s: %s, of point no. %s at %s. Noise may have helped it.", of, join(" ", screen.Number(o.Best.Y[b.objective]), unit), o.Best.Label, safe.Text(screen.Point(domain, o.Best.X)))
	case modelled:
		if o.Model == nil {
			return "by the model" + of, "surrogate", t.state.Spec.Title + " has no model that could say where more is to be had."
		}
		m := o.Model.Believed[0]
		return "best by the model" + of, "posterior", fmt.Sprintf("Where the model's mean is best%s: %s%s (2 sd) at %s, which is %s.", of, screen.Number(m.Mean), o.Gauge().Spread(m.Mean, 2*m.SD, screen.Number), safe.Text(screen.Point(domain, o.Model.X)), t.gain(b.objective))
	case hoped:
		return "hoped for" + of, "EI", fmt.Sprintf("What another experiment may still bring of %s: wherever it is made, no more than %s better than the best is to be expected.", o.Name, o.Gauge().Difference(o.Left.Value, screen.Number))
	case stopping:
		if t.a.Doubt != "" {
			return "no word on stopping", "standardized residual", "Nothing is said of stopping here, and why: " + explain.Brief(t.a.Doubt, 45) + "."
		}
		return "the word on stopping", "EI", "What may still be hoped for: " + explain.Brief(t.a.Stopping(0), 36) + ". Where that is worth less to you than an experiment costs, stop."
	case fronts:
		text := fmt.Sprintf("The front: %s that no other beats in all objectives", screen.Counted(len(t.a.Front), "result"))
		if t.a.Expected != nil {
			text += fmt.Sprintf("; by the model's means it would have %s", screen.Counted(len(t.a.Expected), "place"))
		}
		return "front", "Pareto front", text + "."
	case strangers:
		worst := t.a.Strangers[0]
		return "not understood", "stranger", fmt.Sprintf("%s that the model does not understand: no. %s is %.1f standard deviations %s what the others predict, beyond 3. K corrects a result that is wrong; U tells more.",
			screen.Counted(len(t.a.Strangers), "result"), worst.Label, math.Abs(worst.Z), map[bool]string{true: "below", false: "above"}[worst.Z < 0])
	case depending:
		return "what it depends on", "Sobol' index", t.dependenceTold()
	case more:
		return "more", "", "More than there is room for here: v goes through the parts of the outlook, each with the whole panel."
	}
	return "", "", ""
}

// dependenceTold tells the bars.
func (t teller) dependenceTold() string {
	var parts []string
	for _, o := range t.a.Objectives {
		most := -1
		for j, share := range o.Sensitivity {
			if most < 0 || share > o.Sensitivity[most] {
				most = j
			}
		}
		if most >= 0 && len(parts) < 4 {
			parts = append(parts, fmt.Sprintf("most on %s, %s", t.state.Problem.Domain[most].Name, appraisal.Percent(o.Sensitivity[most])))
			if len(t.a.Objectives) > 1 {
				parts[len(parts)-1] = o.Name + " " + parts[len(parts)-1]
			}
		}
	}
	if parts == nil {
		return "No bars: " + t.noBars() + "."
	}
	return "On what the model's mean depends, by each variable alone: " + strings.Join(parts, "; ") + ". What is missing to 100 % the variables make together; one with nothing may be left out."
}

// courseTold tells the traces of the best value.
func (p *Panel) courseTold(s picture.Scene, part *explain.Part) []explain.Element {
	observed, expected := report.TracesOf(s.State).Best, appraisal.Expected(s.State, 0)
	n, o := len(observed), s.State.Problem.Objectives[0]
	if n == 0 || math.IsNaN(observed[n-1]) {
		return append([]explain.Element{part.Panel("incumbent", "How the best value went, by steps: it stands here as soon as there is a result.")}, part.Axes("best value", "Values of "+o.Name+".", "The steps.", 0, len(part.Lines))...)
	}
	list := []explain.Element{part.Panel("incumbent", fmt.Sprintf("How the best value of %s went over %s: what was observed, and what the model held for the best it could have. Where both are flat, little happens any more.", o.Name, screen.Counted(n, "step")))}
	list = append(list, explain.Element{Name: "observed so far", Term: "incumbent", Where: part.Marked("*"), Says: fmt.Sprintf("The line that ends at *: the best result so far, %s now.", screen.Number(observed[n-1]))})
	if m := len(expected); m > 0 && !math.IsNaN(expected[m-1]) {
		list = append(list, explain.Element{Name: "by the model", Term: "posterior", Where: part.Marked("m"), Says: fmt.Sprintf("The line that ends at m: the best of the model's mean over the domain, %s now. Where noise made a result look good, it lies on its worse side.", screen.Number(expected[m-1]))})
	}
	return append(list, part.Axes("best value", "Values of "+o.Name+", of both lines.", fmt.Sprintf("The steps, 1 to %d.", n), 0, len(part.Lines))...)
}

package diagnostics

import (
	"fmt"
	"slices"
	"strings"

	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	optdiag "bandscope/optimizers/diagnostics"
	"bandscope/optimizers/param"
	"bandscope/sessions"
)

// deficit tells what a place lacks beside the chosen one.
func (t *explainer) deficit(l optdiag.Deficit) string {
	name := TermName(t.state, optimizers.Term{Name: l.Name, Objective: l.Objective})
	if !l.Worse {
		return "nothing: by the acquisition it is as good or better"
	}
	name, _, _ = strings.Cut(name, ", ") // what it is stands beside the point's own
	return fmt.Sprintf("%s: %s, not %s", name, numfmt.Format(l.AtOther), numfmt.Format(l.AtChosen))
}

// TermName is what a part is called, with the objective that it is of.
func TermName(st sessions.State, p optimizers.Term) string {
	if p.Objective > 0 && len(st.Problem.Objectives) > 1 {
		return st.Problem.Objectives[p.Objective-1].Name + ": " + p.Name
	}
	return p.Name
}

// TermLine is a part of the acquisition on a line of its own.
type TermLine struct {
	optimizers.Term
	Depth int // how deep it lies in what it is a part of
	// how it is joined to what stands before it: "+", "×", or "" for the first, and where the least of several counts
	Sign  string
	Binds bool // stubSource several it is the least, which counts
}

// TermLines are the acquisition and its parts, each after what it is a part of.
func TermLines(whole optimizers.Term) []TermLine {
	var all []TermLine
	var add func(l TermLine)
	add = func(l TermLine) {
		all = append(all, l)
		for k, p := range l.Terms {
			next := TermLine{Term: p, Depth: l.Depth + 1}
			switch {
			case l.Operation == optimizers.OperationMin:
				next.Binds = p.Value == l.Value
			case k > 0 && l.Operation == optimizers.OperationSum:
				next.Sign = "+"
			case k > 0 && l.Operation == optimizers.OperationProduct:
				next.Sign = "×"
			}
			add(next)
		}
	}
	add(TermLine{Term: whole})
	return all
}

// DescribeDraw tells how a function that was drawn stands among others.
func DescribeDraw(d *optdiag.DrawRank) string {
	return fmt.Sprintf("of %d functions of the same law %d are less there, and %s have their least there", d.Total,
		d.Below, Percent(d.Least))
}

// Percent is a share as it is told.
func Percent(p float64) string { return fmt.Sprintf("%.0f %%", 100*p) }

// Text tells a change of a parameter: "ξ from 0.01 to 0.08".
func (c Counterfactual) Text() string {
	return fmt.Sprintf("%s from %s to %s", c.Decl.Label, c.Decl.Format(c.From), c.Decl.Format(c.To))
}

// SkippedValues says which values of a method's parameters no change is looked for among; empty where all are tried.
func SkippedValues(st sessions.State) string {
	var parts, fixed []string
	for _, d := range st.Params.Decls() {
		switch {
		case !optdiag.IsSearchParam(d):
			fixed = append(fixed, strings.Join(strings.Fields(d.Label), " "))
		case d.Kind == param.Text:
			parts = append(parts, fmt.Sprintf("%s other than %s", d.Label, strings.Join(d.Choices, ", ")))
		}
	}
	if fixed != nil {
		parts = append(parts, strings.Join(fixed, " and ")+", which only decide the first points")
	}
	return strings.Join(parts, "; ")
}

// SortInfluences are the influences of results, those first that move the choice farthest, and of those that leave it
// where it is the ones with which the acquisition there differs most.
func SortInfluences(all []Influence) []Influence {
	return slices.SortedStableFunc(slices.Values(all), func(a, b Influence) int {
		switch {
		case a.Same != b.Same && b.Same, a.Same == b.Same && a.Distance > b.Distance:
			return -1
		case a.Same != b.Same && a.Same, a.Same == b.Same && a.Distance < b.Distance:
			return 1
		}
		return 0
	})
}

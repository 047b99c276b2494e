package diagnostics

import (
	"fmt"
	"slices"
	"strings"

	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/inspection"
	"bandscope/optimizers/param"
	"bandscope/sessions"
)

// deficit says in which term a place is worse than the chosen one: "less σ·φ(z): 0.08 instead of 0.53".
func (t *explainer) deficit(l inspection.Deficit) string {
	name := TermName(t.state, optimizers.Term{Name: l.Name, Objective: l.Objective})
	if !l.Worse {
		return "the same or a better acquisition"
	}
	name, _, _ = strings.Cut(name, ", ") // the list of terms has the explanation behind the comma
	return fmt.Sprintf("%s %s: %s instead of %s", map[bool]string{true: "less", false: "more"}[l.AtOther < l.AtChosen],
		name, numfmt.Format(l.AtOther), numfmt.Format(l.AtChosen))
}

// TermName is the name of a term, with its objective if there are several.
func TermName(st sessions.State, p optimizers.Term) string {
	if p.Objective > 0 && len(st.Problem.Objectives) > 1 {
		return st.Problem.Objectives[p.Objective-1].Name + ": " + p.Name
	}
	return p.Name
}

// TermLine is a term of the acquisition function on its own line.
type TermLine struct {
	optimizers.Term
	Depth int // in the tree of terms
	// operator before the term: "+", "×", or "" for the first term and in a minimum
	Sign  string
	Binds bool // it is the smallest of the terms of a minimum
}

// TermLines are the acquisition function and its terms, each after its parent.
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

// DescribeDraw compares the drawn function with other draws.
func DescribeDraw(d *inspection.DrawRank) string {
	return fmt.Sprintf("%d of %d other draws are lower there, and %s have their minimum there", d.Below, d.Total,
		Percent(d.Least))
}

// Percent formats a share.
func Percent(p float64) string { return fmt.Sprintf("%.0f %%", 100*p) }

// Text describes a change of a parameter: "ξ from 0.01 to 0.08".
func (c Counterfactual) Text() string {
	return fmt.Sprintf("%s from %s to %s", c.Decl.Label, c.Decl.Format(c.From), c.Decl.Format(c.To))
}

// SkippedValues names the parameters and values that the search for counterfactuals skips; empty for none.
func SkippedValues(st sessions.State) string {
	var parts, fixed []string
	for _, d := range st.Params.Decls() {
		switch {
		case !inspection.IsSearchParam(d):
			fixed = append(fixed, strings.Join(strings.Fields(d.Label), " "))
		case d.Alternatives != nil:
			parts = append(parts, fmt.Sprintf("%s other than %s", d.Label, strings.Join(d.Alternatives, ", ")))
		case d.Kind == param.Text:
			parts = append(parts, fmt.Sprintf("%s other than %s", d.Label, strings.Join(d.Choices, ", ")))
		}
	}
	if fixed != nil {
		parts = append(parts, joinWords(fixed)+", which only affect the initial design")
	}
	return strings.Join(parts, "; ")
}

// joinWords joins words as in "a, b and c".
func joinWords(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// SortInfluences sorts influences: those that move the choice farthest come first, those that do not move it last.
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

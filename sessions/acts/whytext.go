package acts

import (
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
)

// stoppingText is the advice on stopping as a line below the rest; empty for none.
func stoppingText(advice string) string {
	if advice == "" {
		return ""
	}
	return "\nfurther runs: " + sanitize.Text(advice) + "\n"
}

// Text explains the choice: a sentence first, then the numbers behind it.
func (a WhyAnswer) Text() string {
	text := explanationText(a.state, a.explanation, a.args) + comparisonText(a.state, a.compared) + stoppingText(a.Stopping)
	return strings.TrimRight(text, "\n")
}

func explanationText(st sessions.State, r *diagnostics.Explanation, o WhyArgs) string {
	influence := o.Influence || o.Refit
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", sanitize.Text(r.Reason.Text))
	fmt.Fprintf(&b, "%s, after %s\n", sanitize.Text(st.Title()), numfmt.Count(len(st.Iterations), "step"))
	fmt.Fprintf(&b, "next point: %s\n", r.DescribeOrigin(pointText(st, r.Chosen.X)))
	if r.Note != "" {
		fmt.Fprintf(&b, "  %s\n", sanitize.Text(r.Note))
	}
	if r.Unavailable != "" {
		fmt.Fprintf(&b, "%s\n", r.Unavailable)
		return b.String()
	}
	fmt.Fprintf(&b, "prediction there: %s\n\nacquisition function: %s\n", beliefText(st, r.Chosen.Predictions),
		r.Acquisition)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, l := range diagnostics.TermLines(r.Chosen.Acquisition) {
		fmt.Fprintln(t, strings.TrimRight(fmt.Sprintf("  %s%s\t%s\t%s", strings.Repeat("   ", l.Depth),
			strings.TrimSpace(l.Sign+" "+sanitize.Text(diagnostics.TermName(st, l.Term))), numfmt.Format(l.Value),
			bindingText(l)), "\t"))
	}
	t.Flush()
	for _, values := range []string{r.Integration, r.Inference} {
		if values != "" {
			fmt.Fprintf(&b, "%s\n", values)
		}
	}
	if r.DrawRank != nil {
		fmt.Fprintf(&b, "%s\n", diagnostics.DescribeDraw(r.DrawRank))
	}
	fmt.Fprintln(&b, "\nrunners-up")
	t = tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for i, other := range r.RunnersUp {
		fmt.Fprintf(t, "  %d\t%s\t%s\t%s\n", i+1, pointText(st, other.X), numfmt.Format(other.Acquisition.Value),
			sanitize.Text(other.Deficit))
	}
	t.Flush()
	if len(r.RunnersUp) == 0 {
		fmt.Fprintln(&b, "  none: the acquisition function has no other local optimum")
	}
	if r.NoInfluence != "" && (influence || o.Changes) {
		fmt.Fprintf(&b, "\nthe choice depends on no result and no parameter: %s\n", r.NoInfluence)
		return b.String()
	}
	if influence {
		influenceText(&b, st, r)
	}
	if r.Searched {
		counterfactualsText(&b, st, r)
	}
	return b.String()
}

func bindingText(l diagnostics.TermLine) string {
	if l.Binds {
		return "the minimum"
	}
	return ""
}

// pointText describes a point: "x = 0.757".
func pointText(st sessions.State, x []float64) string {
	return sanitize.Text(st.Problem.Domain.Text(x))
}

// beliefText is the prediction of every objective.
func beliefText(st sessions.State, all []diagnostics.Normal) string {
	if len(all) == 0 {
		return "none"
	}
	results := make([]string, len(all))
	for k, n := range all {
		results[k] = fmt.Sprintf("%s %s ± %s", sanitize.Text(st.Problem.Objectives[k].Name), numfmt.Format(n.Mean),
			numfmt.Format(n.SD))
	}
	return strings.Join(results, ", ")
}

// influenceText lists the results that the choice depends on, those that move it farthest first.
func influenceText(b *strings.Builder, st sessions.State, r *diagnostics.Explanation) {
	if r.InfluenceUnavailable != "" {
		if len(st.Iterations) > 0 {
			fmt.Fprintf(b, "\n%s; refit does this\n", r.InfluenceUnavailable)
		} else {
			fmt.Fprintf(b, "\n%s\n", r.InfluenceUnavailable)
		}
		return
	}
	text := "hyperparameters fitted to all results"
	if r.Refit {
		text = "fitted again to the others"
	}
	fmt.Fprintf(b, "\nwithout each result (%s)\n", text)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	still := 0
	for _, owner := range diagnostics.SortInfluences(r.Influence) {
		if owner.Same {
			still++
			continue
		}
		fmt.Fprintf(t, "  without result %s at %s\tthe point moves by %s to %s\tacquisition %s there, %s at the chosen point\n", owner.Label, pointText(st, owner.Result.X), numfmt.Format(owner.Distance),
			pointText(st, owner.XWithout), numfmt.Format(owner.AtRefit), numfmt.Format(owner.AtChosen))
	}
	t.Flush()
	if n := len(r.Influence); n > 0 {
		fmt.Fprintf(b, "  the choice depends on %d of %s\n", n-still, numfmt.Count(n, "result"))
	}
}

func counterfactualsText(b *strings.Builder, st sessions.State, r *diagnostics.Explanation) {
	fmt.Fprintln(b, "\nthe smallest change of each parameter that moves the point")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, c := range r.Counterfactuals {
		fmt.Fprintf(t, "  %s=%s\t%s\tmoves the point to %s\n", c.Decl.Key, c.Decl.Format(c.To), sanitize.Text(c.Text()),
			pointText(st, c.NewX))
	}
	t.Flush()
	if len(r.Counterfactuals) == 0 {
		fmt.Fprintln(b, "  none found within the ranges of the parameters")
	}
	if untried := diagnostics.SkippedValues(st); untried != "" {
		fmt.Fprintf(b, "  not tried: %s\n", sanitize.Text(untried))
	}
}

// comparisonText tells where another method would go, and what separates the two.
func comparisonText(st sessions.State, b *diagnostics.Comparison) string {
	if b == nil {
		return ""
	}
	var t strings.Builder
	fmt.Fprintf(&t, "\ncompared with %s\n  it would choose %s, ", sanitize.Text(b.Title), pointText(st, b.Other.Chosen.X))
	if b.Same {
		fmt.Fprintf(&t, "practically the same point (distance %s in the unit cube)\n", numfmt.Format(b.Distance))
	} else {
		fmt.Fprintf(&t, "at a distance of %s in the unit cube\n", numfmt.Format(b.Distance))
	}
	if !math.IsNaN(b.Correlation) {
		fmt.Fprintf(&t, "  rank correlation of the two acquisition functions over the domain: %s\n"+
			"  points in the best tenth of both: %.0f %%\n", numfmt.Format(b.Correlation), 100*b.Overlap)
	}
	switch owner := b.Separating; {
	case b.SeparationUnavailable != "":
		fmt.Fprintf(&t, "  the result that separates them is not known: %s\n", sanitize.Text(b.SeparationUnavailable))
	case owner != nil:
		fmt.Fprintf(&t, "  result %s at %s separates them most: without it they choose %s and %s, at a distance of %s\n",
			owner.Label, pointText(st, owner.X), pointText(st, owner.XWithout[0]), pointText(st, owner.XWithout[1]),
			numfmt.Format(owner.Distance))
	case !b.Same:
		fmt.Fprintln(&t, "  no single result separates them: they stay as far apart without any one of them")
	}
	return t.String()
}

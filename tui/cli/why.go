package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
)

type whyOptions struct {
	diagnostics.ExplainOptions
	At    int      // step to look at; −1 is the last
	Other string   // method to compare with; empty for none
	Set   []string // its parameters, as key=value
	JSON  bool
}

func whyCommand() *cobra.Command {
	var o whyOptions
	c := withSessionArg(&cobra.Command{Use: "why FILE",
		Short: "Explain why the next point was chosen",
		Long: "Explain why the next point was chosen. The first line answers in one sentence; the terms of the acquisition\n" +
			"function and the runners-up follow. On request, also show which results the choice depends on\n" +
			"(--influence), which changes of parameters would move the point (--change), and what another method\n" +
			"would choose (--beside).",
		Example: "  bandscope why s.jsonl --influence --change\n  bandscope why s.jsonl --at 7 --json\n" +
			"  bandscope why s.jsonl --beside gp-ucb --set beta_scale=4",
		RunE: func(c *cobra.Command, a []string) error {
			return explainChoice(c.Context(), os.Stdout, os.Stderr, a[0], o)
		}})
	f := c.Flags()
	f.IntVar(&o.At, "at", -1, "step to look at: explain the point after it; -1 is the last")
	f.BoolVar(&o.Influence, "influence", false, "leave out each result, and keep the fitted hyperparameters")
	f.BoolVar(&o.Refit, "refit", false, "leave out each result, and fit the model again to the others")
	f.BoolVar(&o.Counterfactuals, "change", false,
		"find the smallest change of each parameter that moves the point elsewhere")
	f.StringVar(&o.Other, "beside", "", "method to compare the choice with, or the same method with --set")
	f.StringArrayVar(&o.Set, "set", nil, "parameter of the method to compare with, as key=value; may be repeated; the "+
		"others are those of the session for the same method, and the defaults for another")
	f.BoolVar(&o.JSON, "json", false, "print JSON")
	completeFlag(c, "beside", (&settings{}).OptimizerWords)
	return c
}

// explainChoice explains why the next point of a session was chosen, or the point after an earlier step. It does not
// write to the session's file.
func explainChoice(ctx context.Context, out, errs io.Writer, path string, o whyOptions) error {
	s, err := readAt(ctx, path, o.At, errs)
	if err != nil {
		return err
	}
	told := o.Influence || o.Refit
	o.Influence = told || o.Other != ""
	other, err := o.otherMethod(s)
	if err != nil {
		return err
	}
	if o.OnRecord, err = diagnostics.NextOnRecord(s); err != nil {
		return err
	}
	progress, done := newProgress(errs)
	r, err := diagnostics.ExplainNext(ctx, s, o.ExplainOptions, progress)
	var b *diagnostics.Comparison
	if err == nil && other != nil {
		b, err = diagnostics.CompareChoices(ctx, s, r, other, o.ExplainOptions, progress)
	}
	done()
	if err != nil {
		return err
	}
	st := s.State()
	if o.JSON {
		all := newExplanationJSON(st, r)
		all.Comparison = newComparisonJSON(st, b)
		return sanitize.JSON(out, all)
	}
	o.Influence = told
	_, err = io.WriteString(out, explanationText(st, r, o)+comparisonText(st, b))
	return err
}

func explanationText(st sessions.State, r *diagnostics.Explanation, o whyOptions) string {
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
	if r.Integration != "" {
		fmt.Fprintf(&b, "%s\n", r.Integration)
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
	if r.NoInfluence != "" && (o.Influence || o.Counterfactuals) {
		fmt.Fprintf(&b, "\nthe choice depends on no result and no parameter: %s\n", r.NoInfluence)
		return b.String()
	}
	if o.Influence {
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
	told := make([]string, len(all))
	for k, n := range all {
		told[k] = fmt.Sprintf("%s %s ± %s", sanitize.Text(st.Problem.Objectives[k].Name), numfmt.Format(n.Mean),
			numfmt.Format(n.SD))
	}
	return strings.Join(told, ", ")
}

// influenceText lists the results that the choice depends on, those that move it farthest first.
func influenceText(b *strings.Builder, st sessions.State, r *diagnostics.Explanation) {
	if r.InfluenceUnavailable != "" {
		if len(st.Iterations) > 0 {
			fmt.Fprintf(b, "\n%s; --refit does this\n", r.InfluenceUnavailable)
		} else {
			fmt.Fprintf(b, "\n%s\n", r.InfluenceUnavailable)
		}
		return
	}
	how := "hyperparameters fitted to all results"
	if r.Refit {
		how = "fitted again to the others"
	}
	fmt.Fprintf(b, "\nwithout each result (%s)\n", how)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	still := 0
	for _, of := range diagnostics.SortInfluences(r.Influence) {
		if of.Same {
			still++
			continue
		}
		fmt.Fprintf(t, "  without result %s at %s\tthe point moves by %s to %s\tacquisition %s there, %s at the "+
			"chosen point\n", of.Label, pointText(st, of.Result.X), numfmt.Format(of.Distance),
			pointText(st, of.XWithout), numfmt.Format(of.AtRefit), numfmt.Format(of.AtChosen))
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

type explanationJSON struct {
	Answer               string               `json:"answer"` // why the point was chosen
	Reason               string               `json:"reason"` // its kind
	Problem              string               `json:"problem"`
	Optimizer            string               `json:"optimizer"`
	Seed                 uint64               `json:"seed"`
	Step                 int                  `json:"step"`
	Origin               string               `json:"origin"`
	Note                 string               `json:"note,omitempty"`
	Unavailable          string               `json:"lacking,omitempty"` // why there is no acquisition
	Acquisition          string               `json:"acquisition,omitempty"`
	Integration          string               `json:"integration,omitempty"`
	Chosen               candidateJSON        `json:"chosen"`
	RunnersUp            []candidateJSON      `json:"others,omitempty"`
	DrawRank             *drawRankJSON        `json:"drawn,omitempty"`
	Influence            []influenceJSON      `json:"influence,omitempty"`
	Refit                bool                 `json:"refit,omitempty"`
	InfluenceUnavailable string               `json:"no_influence,omitempty"` // why no result could be left out
	Counterfactuals      []counterfactualJSON `json:"changes,omitempty"`
	// values of parameters among which no change was looked for
	SkippedValues string          `json:"untried,omitempty"`
	Comparison    *comparisonJSON `json:"beside,omitempty"`
}

type candidateJSON struct {
	X           map[string]encoding.Value `json:"x"`
	Acquisition *termJSON                 `json:"acquisition,omitempty"`
	Predictions map[string]normalJSON     `json:"believed,omitempty"`
	Deficit     string                    `json:"lacks,omitempty"`
}

type termJSON struct {
	Name  string        `json:"name"`
	Value report.Number `json:"value"`
	Joins string        `json:"joins,omitempty"` // how the parts make it: "sum", "product" or "least"
	Parts []termJSON    `json:"parts,omitempty"`
}

type normalJSON struct {
	Mean report.Number `json:"mean"`
	SD   report.Number `json:"sd"`
}

type drawRankJSON struct {
	Below int           `json:"below"`
	Total int           `json:"of"`
	Least report.Number `json:"share_with_least_there"`
}

type influenceJSON struct {
	Point    string                    `json:"point"`
	X        map[string]encoding.Value `json:"x"`
	XWithout map[string]encoding.Value `json:"then"`
	Moved    report.Number             `json:"moved"`
	Same     bool                      `json:"same,omitempty"`
	Here     report.Number             `json:"acquisition_here"`
	There    report.Number             `json:"acquisition_then"`
}

type counterfactualJSON struct {
	Parameter string                    `json:"parameter"`
	From      any                       `json:"from"`
	To        any                       `json:"to"`
	Part      *report.Number            `json:"part_of_range,omitempty"`
	NewX      map[string]encoding.Value `json:"then"`
	Moved     report.Number             `json:"moved"`
}

func newExplanationJSON(st sessions.State, r *diagnostics.Explanation) explanationJSON {
	point := func(x []float64) map[string]encoding.Value { return encoding.EncodeMap(st.Problem.Domain, x) }
	place := func(p diagnostics.Candidate) candidateJSON {
		of := candidateJSON{X: point(p.X)}
		for k, n := range p.Predictions {
			if of.Predictions == nil {
				of.Predictions = map[string]normalJSON{}
			}
			of.Predictions[st.Problem.Objectives[k].Name] = normalJSON{report.Number(n.Mean), report.Number(n.SD)}
		}
		if r.Unavailable == "" {
			whole := newTermJSON(st, p.Acquisition)
			of.Acquisition = &whole
		}
		return of
	}
	told := explanationJSON{Answer: r.Reason.Text, Reason: string(r.Reason.Kind), Problem: st.Problem.Name, Optimizer: st.Spec.Name, Seed: st.Config.Seed,
		Step: len(st.Iterations), Origin: r.Origin, Note: r.Note, Unavailable: r.Unavailable,
		Acquisition: r.Acquisition, Integration: r.Integration, Chosen: place(r.Chosen), Refit: r.Refit,
		InfluenceUnavailable: r.InfluenceUnavailable}
	for _, other := range r.RunnersUp {
		p := place(other.Candidate)
		p.Deficit = other.Deficit
		told.RunnersUp = append(told.RunnersUp, p)
	}
	if d := r.DrawRank; d != nil {
		told.DrawRank = &drawRankJSON{d.Below, d.Total, report.Number(d.Least)}
	}
	for _, of := range r.Influence {
		told.Influence = append(told.Influence,
			influenceJSON{of.Label, point(of.Result.X), point(of.XWithout), report.Number(of.Distance), of.Same,
				report.Number(of.AtChosen), report.Number(of.AtRefit)})
	}
	if r.Searched {
		told.SkippedValues = diagnostics.SkippedValues(st)
	}
	for _, c := range r.Counterfactuals {
		told.Counterfactuals = append(told.Counterfactuals,
			counterfactualJSON{c.Decl.Key, c.From, c.To, optionalNumber(c.Fraction),
				point(c.NewX), report.Number(c.Distance)})
	}
	return told
}

func newTermJSON(st sessions.State, p optimizers.Term) termJSON {
	of := termJSON{Name: diagnostics.TermName(st, p), Value: report.Number(p.Value), Joins: string(p.Operation)}
	for _, part := range p.Terms {
		of.Parts = append(of.Parts, newTermJSON(st, part))
	}
	return of
}

// otherMethod is the method to compare the session's choice with; nil if none is named.
func (o whyOptions) otherMethod(s *sessions.Session) (*sessions.Alternative, error) {
	if o.Other == "" {
		if len(o.Set) > 0 {
			return nil, usagef("--set needs --beside METHOD, whose parameter it sets")
		}
		return nil, nil
	}
	st := s.State()
	spec, err := registry.Find(o.Other)
	if err != nil {
		return nil, asUsage(err)
	}
	params := param.Defaults(spec.ParamsForInputs(len(st.Problem.Objectives), st.Problem.Dim()))
	if spec.Name == st.Spec.Name {
		params = st.Params
	}
	if params, err = withPairs(params, o.Set); err != nil {
		return nil, err
	}
	other, err := s.WithMethod(spec.Name, params.Changed())
	if err != nil {
		return nil, asUsage(err)
	}
	return other, nil
}

// comparisonText tells where another method would go, and what separates the two.
func comparisonText(st sessions.State, b *diagnostics.Comparison) string {
	if b == nil {
		return ""
	}
	var t strings.Builder
	fmt.Fprintf(&t, "\ncompared with %s\n  it would choose %s, "+
		"", sanitize.Text(b.Title), pointText(st, b.Other.Chosen.X))
	if b.Same {
		fmt.Fprintf(&t, "practically the same point (distance %s in the unit cube)\n", numfmt.Format(b.Distance))
	} else {
		fmt.Fprintf(&t, "at a distance of %s in the unit cube\n", numfmt.Format(b.Distance))
	}
	if !math.IsNaN(b.Correlation) {
		fmt.Fprintf(&t, "  rank correlation of the two acquisition functions over the domain: %s\n"+
			"  points in the best tenth of both: %.0f %%\n", numfmt.Format(b.Correlation), 100*b.Overlap)
	}
	switch of := b.Separating; {
	case b.SeparationUnavailable != "":
		fmt.Fprintf(&t, "  the result that separates them is not known: %s\n", sanitize.Text(b.SeparationUnavailable))
	case of != nil:
		fmt.Fprintf(&t, "  result %s at %s separates them most: without it they choose %s and %s, at a distance of "+
			"%s\n",
			of.Label, pointText(st, of.X), pointText(st, of.XWithout[0]), pointText(st, of.XWithout[1]),
			numfmt.Format(of.Distance))
	case !b.Same:
		fmt.Fprintln(&t, "  no single result separates them: they stay as far apart without any one of them")
	}
	return t.String()
}

// comparisonJSON is the same for other programs.
type comparisonJSON struct {
	Optimizer   string         `json:"optimizer"`
	Chosen      any            `json:"chosen"`
	Distance    report.Number  `json:"apart"`
	Same        bool           `json:"same,omitempty"`
	Correlation *report.Number `json:"rank_correlation,omitempty"`
	Shared      *report.Number `json:"shared_of_best_tenth,omitempty"`
	// why it is not known which result separates them
	SeparationUnavailable string          `json:"no_separation,omitempty"`
	Separates             *separatingJSON `json:"separated_by,omitempty"`
}

type separatingJSON struct {
	Point           string                      `json:"point"`
	X               map[string]encoding.Value   `json:"x"`
	DistanceWithout report.Number               `json:"apart_without"`
	XWithout        []map[string]encoding.Value `json:"chosen_without"`
}

func newComparisonJSON(st sessions.State, b *diagnostics.Comparison) *comparisonJSON {
	if b == nil {
		return nil
	}
	told := &comparisonJSON{Optimizer: b.Name, Chosen: encoding.EncodeMap(st.Problem.Domain, b.Other.Chosen.X),
		Distance: report.Number(b.Distance), Same: b.Same, Correlation: optionalNumber(b.Correlation),
		Shared: optionalNumber(b.Overlap), SeparationUnavailable: b.SeparationUnavailable}
	if of := b.Separating; of != nil {
		told.Separates = &separatingJSON{Point: of.Label, X: encoding.EncodeMap(st.Problem.Domain, of.X),
			DistanceWithout: report.Number(of.Distance)}
		for _, x := range of.XWithout {
			told.Separates.XWithout = append(told.Separates.XWithout, encoding.EncodeMap(st.Problem.Domain, x))
		}
	}
	return told
}

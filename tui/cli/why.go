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
	At    int      // step to stand at; −1 is the last
	Other string   // another method at the same place, or the same with other parameters; empty for none
	Set   []string // its parameters, as key=value
	JSON  bool
}

func whyCommand() *cobra.Command {
	var o whyOptions
	c := withSessionArg(&cobra.Command{Use: "why FILE",
		Short: "Tell why the next point of a session is the one it is: what was weighed, what was nearly chosen, " +
			"what holds it",
		Example: "  bandscope why s.jsonl --influence --change\n  bandscope why s.jsonl --at 7 --json\n" +
			"  bandscope why s.jsonl --beside gp-ucb --set beta_scale=4",
		RunE: func(c *cobra.Command, a []string) error {
			return explainChoice(c.Context(), os.Stdout, os.Stderr, a[0], o)
		}})
	f := c.Flags()
	f.IntVar(&o.At, "at", -1, "step to stand at, whose next point is asked about; -1 is the last")
	f.BoolVar(&o.Influence, "influence", false, "leave every result out, with what was fitted to all")
	f.BoolVar(&o.Refit, "refit", false, "leave every result out, and fit anew to the others")
	f.BoolVar(&o.Counterfactuals, "change", false,
		"look for the smallest change of every parameter that moves the point elsewhere")
	f.StringVar(&o.Other, "beside", "", "a method whose choice at the same place is held against it, or the same "+
		"one with --set")
	f.StringArrayVar(&o.Set, "set", nil, "a parameter of that method, as key=value; may be repeated; others are the "+
		"session's if it is the same method, and their defaults otherwise")
	f.BoolVar(&o.JSON, "json", false, "as JSON")
	completeFlag(c, "beside", (&settings{}).OptimizerWords)
	return c
}

// explainChoice tells why the next point of a session is the one it is, or at an earlier step the one that came next
// was. The session's file is left alone.
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
	fmt.Fprintf(&b, "%s, after %s\n", sanitize.Text(st.Title()), numfmt.Count(len(st.Iterations), "step"))
	fmt.Fprintf(&b, "next is %s: %s\n", pointText(st, r.Chosen.X), r.Origin)
	if r.Note != "" {
		fmt.Fprintf(&b, "  %s\n", sanitize.Text(r.Note))
	}
	if r.Unavailable != "" {
		fmt.Fprintf(&b, "%s\n", r.Unavailable)
		return b.String()
	}
	fmt.Fprintf(&b, "believed there: %s\n\n%s\n", beliefText(st, r.Chosen.Predictions), r.Acquisition)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, l := range diagnostics.TermLines(r.Chosen.Acquisition) {
		fmt.Fprintln(t, strings.TrimRight(fmt.Sprintf("  %s%s\t%s\t%s", strings.Repeat("   ", l.Depth),
			strings.TrimSpace(l.Sign+" "+sanitize.Text(diagnostics.TermName(st, l.Term))), numfmt.Format(l.Value),
			bindingText(l)), "\t"))
	}
	t.Flush()
	if r.DrawRank != nil {
		fmt.Fprintf(&b, "%s\n", diagnostics.DescribeDraw(r.DrawRank))
	}
	fmt.Fprintln(&b, "\nnearly chosen")
	t = tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for i, other := range r.RunnersUp {
		fmt.Fprintf(t, "  %d\t%s\t%s\t%s\n", i+1, pointText(st, other.X), numfmt.Format(other.Acquisition.Value),
			"lacks "+sanitize.Text(other.Deficit))
	}
	t.Flush()
	if len(r.RunnersUp) == 0 {
		fmt.Fprintln(&b, "  nowhere else is the acquisition better than around it")
	}
	if r.NoInfluence != "" && (o.Influence || o.Counterfactuals) {
		fmt.Fprintf(&b, "\nneither a result nor a parameter moves it: %s\n", r.NoInfluence)
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
		return "the least, which counts"
	}
	return ""
}

// pointText tells a point: "x = 0.757".
func pointText(st sessions.State, x []float64) string {
	return sanitize.Text(st.Problem.Domain.Text(x))
}

// beliefText tells what is believed of every objective.
func beliefText(st sessions.State, all []diagnostics.Normal) string {
	if len(all) == 0 {
		return "nothing"
	}
	told := make([]string, len(all))
	for k, n := range all {
		told[k] = fmt.Sprintf("%s %s ± %s", sanitize.Text(st.Problem.Objectives[k].Name), numfmt.Format(n.Mean),
			numfmt.Format(n.SD))
	}
	return strings.Join(told, ", ")
}

// influenceText tells which results hold the choice, those that move it farthest first.
func influenceText(b *strings.Builder, st sessions.State, r *diagnostics.Explanation) {
	if r.InfluenceUnavailable != "" {
		fmt.Fprintf(b, "\n%s (--refit)\n", r.InfluenceUnavailable)
		return
	}
	how := "with what was fitted to all"
	if r.Refit {
		how = "fitted anew to the others"
	}
	fmt.Fprintf(b, "\nwithout each result, %s\n", how)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	still := 0
	for _, of := range diagnostics.SortInfluences(r.Influence) {
		if of.Same {
			still++
			continue
		}
		fmt.Fprintf(t, "  no. %s at %s\tmoves it by %s to %s\tthe acquisition there %s, at the point %s\n", of.Label,
			pointText(st, of.Result.X), numfmt.Format(of.Distance), pointText(st, of.XWithout),
			numfmt.Format(of.AtRefit), numfmt.Format(of.AtChosen))
	}
	t.Flush()
	if still > 0 {
		fmt.Fprintf(b, "  %d of %d results leave it where it is\n", still, len(r.Influence))
	}
}

func counterfactualsText(b *strings.Builder, st sessions.State, r *diagnostics.Explanation) {
	fmt.Fprintln(b, "\nwhat would change it, the smallest change that is found of each parameter")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, c := range r.Counterfactuals {
		fmt.Fprintf(t, "  %s=%s\t%s\tmoves it to %s\n", c.Decl.Key, c.Decl.Format(c.To), sanitize.Text(c.Text()),
			pointText(st, c.NewX))
	}
	t.Flush()
	if len(r.Counterfactuals) == 0 {
		fmt.Fprintln(b, "  nothing that is found, within the ranges that the method declares")
	}
	if untried := diagnostics.SkippedValues(st); untried != "" {
		fmt.Fprintf(b, "  not tried: %s\n", sanitize.Text(untried))
	}
}

type explanationJSON struct {
	Problem              string               `json:"problem"`
	Optimizer            string               `json:"optimizer"`
	Seed                 uint64               `json:"seed"`
	Step                 int                  `json:"step"`
	Origin               string               `json:"origin"`
	Note                 string               `json:"note,omitempty"`
	Unavailable          string               `json:"lacking,omitempty"` // why there is no acquisition
	Acquisition          string               `json:"acquisition,omitempty"`
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
	told := explanationJSON{Problem: st.Problem.Name, Optimizer: st.Spec.Name, Seed: st.Config.Seed,
		Step: len(st.Iterations), Origin: r.Origin, Note: r.Note, Unavailable: r.Unavailable,
		Acquisition: r.Acquisition, Chosen: place(r.Chosen), Refit: r.Refit,
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

// otherMethod is the method that the session's choice is held against; nil where none is named.
func (o whyOptions) otherMethod(s *sessions.Session) (*sessions.Alternative, error) {
	if o.Other == "" {
		if len(o.Set) > 0 {
			return nil, usagef("--set is of the method that --beside names")
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
	fmt.Fprintf(&t, "\nbeside %s\n  it would go to %s, ", sanitize.Text(b.Title), pointText(st, b.Other.Chosen.X))
	if b.Same {
		fmt.Fprintf(&t, "which is as good as the same point (%s apart)\n", numfmt.Format(b.Distance))
	} else {
		fmt.Fprintf(&t, "%s apart in the unit cube\n", numfmt.Format(b.Distance))
	}
	if !math.IsNaN(b.Correlation) {
		fmt.Fprintf(&t, "  over the domain the two acquisitions rank points with a correlation of %s, and of the "+
			"best tenth of each %.0f %% are in both\n", numfmt.Format(b.Correlation), 100*b.Overlap)
	}
	switch of := b.Separating; {
	case b.SeparationUnavailable != "":
		fmt.Fprintf(&t, "  which result separates them is not known: %s\n", sanitize.Text(b.SeparationUnavailable))
	case of != nil:
		fmt.Fprintf(&t, "  no. %s at %s separates them most: without it they go to %s and %s, %s apart\n", of.Label,
			pointText(st, of.X), pointText(st, of.XWithout[0]), pointText(st, of.XWithout[1]),
			numfmt.Format(of.Distance))
	case !b.Same:
		fmt.Fprintln(&t, "  no single result separates them: without any one they are at least as far apart")
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

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
	At     int      // step to stand at; −1 is the last
	Beside string   // another method at the same place, or the same with other parameters; empty for none
	Set    []string // its parameters, as key=value
	JSON   bool
}

func whyCommand() *cobra.Command {
	var o whyOptions
	c := onSession(&cobra.Command{Use: "why FILE",
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
	f.StringVar(&o.Beside, "beside", "", "a method whose choice at the same place is held against it, or the same "+
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
	o.Influence = told || o.Beside != ""
	other, err := o.besides(s)
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
		all := reasonFor(st, r)
		all.Beside = besideFor(st, b)
		return sanitize.JSON(out, all)
	}
	o.Influence = told
	_, err = io.WriteString(out, whyText(st, r, o)+besideText(st, b))
	return err
}

func whyText(st sessions.State, r *diagnostics.Explanation, o whyOptions) string {
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
		changesText(&b, st, r)
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
	if r.NotLeftOut != "" {
		fmt.Fprintf(b, "\n%s (--refit)\n", r.NotLeftOut)
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
			pointText(st, of.Result.X), numfmt.Format(of.Distance), pointText(st, of.Then),
			numfmt.Format(of.There), numfmt.Format(of.Here))
	}
	t.Flush()
	if still > 0 {
		fmt.Fprintf(b, "  %d of %d results leave it where it is\n", still, len(r.Influence))
	}
}

func changesText(b *strings.Builder, st sessions.State, r *diagnostics.Explanation) {
	fmt.Fprintln(b, "\nwhat would change it, the smallest change that is found of each parameter")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, c := range r.Counterfactuals {
		fmt.Fprintf(t, "  %s=%s\t%s\tmoves it to %s\n", c.Decl.Key, c.Decl.Format(c.To), sanitize.Text(c.Text()),
			pointText(st, c.Then))
	}
	t.Flush()
	if len(r.Counterfactuals) == 0 {
		fmt.Fprintln(b, "  nothing that is found, within the ranges that the method declares")
	}
	if untried := diagnostics.SkippedValues(st); untried != "" {
		fmt.Fprintf(b, "  not tried: %s\n", sanitize.Text(untried))
	}
}

type whyReport struct {
	Problem     string           `json:"problem"`
	Optimizer   string           `json:"optimizer"`
	Seed        uint64           `json:"seed"`
	Step        int              `json:"step"`
	Origin      string           `json:"origin"`
	Note        string           `json:"note,omitempty"`
	Lacking     string           `json:"lacking,omitempty"` // why there is no acquisition
	Acquisition string           `json:"acquisition,omitempty"`
	Chosen      reasonPlace      `json:"chosen"`
	Others      []reasonPlace    `json:"others,omitempty"`
	Drawn       *reasonDrawn     `json:"drawn,omitempty"`
	Influence   []reasonDatum    `json:"influence,omitempty"`
	Refit       bool             `json:"refit,omitempty"`
	Untold      string           `json:"no_influence,omitempty"` // why no result could be left out
	Changes     []reasonOfChange `json:"changes,omitempty"`
	Untried     string           `json:"untried,omitempty"` // values of parameters among which no change was looked for
	Beside      *reasonBeside    `json:"beside,omitempty"`
}

type reasonPlace struct {
	X        map[string]encoding.Value `json:"x"`
	Whole    *reasonPart               `json:"acquisition,omitempty"`
	Believed map[string]reasonNormal   `json:"believed,omitempty"`
	Lacks    string                    `json:"lacks,omitempty"`
}

type reasonPart struct {
	Name  string        `json:"name"`
	Value report.Number `json:"value"`
	Joins string        `json:"joins,omitempty"` // how the parts make it: "sum", "product" or "least"
	Parts []reasonPart  `json:"parts,omitempty"`
}

type reasonNormal struct {
	Mean report.Number `json:"mean"`
	SD   report.Number `json:"sd"`
}

type reasonDrawn struct {
	Below int           `json:"below"`
	Of    int           `json:"of"`
	Least report.Number `json:"share_with_least_there"`
}

type reasonDatum struct {
	Point string                    `json:"point"`
	X     map[string]encoding.Value `json:"x"`
	Then  map[string]encoding.Value `json:"then"`
	Moved report.Number             `json:"moved"`
	Same  bool                      `json:"same,omitempty"`
	Here  report.Number             `json:"acquisition_here"`
	There report.Number             `json:"acquisition_then"`
}

type reasonOfChange struct {
	Parameter string                    `json:"parameter"`
	From      any                       `json:"from"`
	To        any                       `json:"to"`
	Part      *report.Number            `json:"part_of_range,omitempty"`
	Then      map[string]encoding.Value `json:"then"`
	Moved     report.Number             `json:"moved"`
}

func reasonFor(st sessions.State, r *diagnostics.Explanation) whyReport {
	point := func(x []float64) map[string]encoding.Value { return encoding.ByName(st.Problem.Domain, x) }
	place := func(p diagnostics.Candidate) reasonPlace {
		of := reasonPlace{X: point(p.X)}
		for k, n := range p.Predictions {
			if of.Believed == nil {
				of.Believed = map[string]reasonNormal{}
			}
			of.Believed[st.Problem.Objectives[k].Name] = reasonNormal{report.Number(n.Mean), report.Number(n.SD)}
		}
		if r.Unavailable == "" {
			whole := partFor(st, p.Acquisition)
			of.Whole = &whole
		}
		return of
	}
	told := whyReport{Problem: st.Problem.Name, Optimizer: st.Spec.Name, Seed: st.Config.Seed,
		Step: len(st.Iterations), Origin: r.Origin, Note: r.Note, Lacking: r.Unavailable,
		Acquisition: r.Acquisition, Chosen: place(r.Chosen), Refit: r.Refit, Untold: r.NotLeftOut}
	for _, other := range r.RunnersUp {
		p := place(other.Candidate)
		p.Lacks = other.Deficit
		told.Others = append(told.Others, p)
	}
	if d := r.DrawRank; d != nil {
		told.Drawn = &reasonDrawn{d.Below, d.Of, report.Number(d.Least)}
	}
	for _, of := range r.Influence {
		told.Influence = append(told.Influence,
			reasonDatum{of.Label, point(of.Result.X), point(of.Then), report.Number(of.Distance), of.Same,
				report.Number(of.Here), report.Number(of.There)})
	}
	if r.Searched {
		told.Untried = diagnostics.SkippedValues(st)
	}
	for _, c := range r.Counterfactuals {
		told.Changes = append(told.Changes, reasonOfChange{c.Decl.Key, c.From, c.To, optionalNumber(c.Fraction),
			point(c.Then), report.Number(c.Distance)})
	}
	return told
}

func partFor(st sessions.State, p optimizers.Term) reasonPart {
	of := reasonPart{Name: diagnostics.TermName(st, p), Value: report.Number(p.Value), Joins: string(p.Joins)}
	for _, part := range p.Terms {
		of.Parts = append(of.Parts, partFor(st, part))
	}
	return of
}

// besides is the method that the session's choice is held against; nil where none is named.
func (o whyOptions) besides(s *sessions.Session) (*sessions.Alternative, error) {
	if o.Beside == "" {
		if len(o.Set) > 0 {
			return nil, usagef("--set is of the method that --beside names")
		}
		return nil, nil
	}
	st := s.State()
	spec, err := registry.Find(o.Beside)
	if err != nil {
		return nil, asUsage(err)
	}
	params := param.Defaults(spec.DeclaredFor(len(st.Problem.Objectives), st.Problem.Dim()))
	if spec.Name == st.Spec.Name {
		params = st.Params
	}
	if params, err = withPairs(params, o.Set); err != nil {
		return nil, err
	}
	other, err := s.As(spec.Name, params.Changed())
	if err != nil {
		return nil, asUsage(err)
	}
	return other, nil
}

// besideText tells where another method would go, and what separates the two.
func besideText(st sessions.State, b *diagnostics.Comparison) string {
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
	case b.NotLeftOut != "":
		fmt.Fprintf(&t, "  which result separates them is not known: %s\n", sanitize.Text(b.NotLeftOut))
	case of != nil:
		fmt.Fprintf(&t, "  no. %s at %s separates them most: without it they go to %s and %s, %s apart\n", of.Label,
			pointText(st, of.X), pointText(st, of.Then[0]), pointText(st, of.Then[1]), numfmt.Format(of.Distance))
	case !b.Same:
		fmt.Fprintln(&t, "  no single result separates them: without any one they are at least as far apart")
	}
	return t.String()
}

// reasonBeside is the same for other programs.
type reasonBeside struct {
	Optimizer   string            `json:"optimizer"`
	Chosen      any               `json:"chosen"`
	Apart       report.Number     `json:"apart"`
	Same        bool              `json:"same,omitempty"`
	Correlation *report.Number    `json:"rank_correlation,omitempty"`
	Shared      *report.Number    `json:"shared_of_best_tenth,omitempty"`
	Untold      string            `json:"no_separation,omitempty"` // why it is not known which result separates them
	Separates   *reasonSeparating `json:"separated_by,omitempty"`
}

type reasonSeparating struct {
	Point string                      `json:"point"`
	X     map[string]encoding.Value   `json:"x"`
	Apart report.Number               `json:"apart_without"`
	Then  []map[string]encoding.Value `json:"chosen_without"`
}

func besideFor(st sessions.State, b *diagnostics.Comparison) *reasonBeside {
	if b == nil {
		return nil
	}
	told := &reasonBeside{Optimizer: b.Name, Chosen: encoding.ByName(st.Problem.Domain, b.Other.Chosen.X),
		Apart: report.Number(b.Distance), Same: b.Same, Correlation: optionalNumber(b.Correlation),
		Shared: optionalNumber(b.Overlap), Untold: b.NotLeftOut}
	if of := b.Separating; of != nil {
		told.Separates = &reasonSeparating{Point: of.Label, X: encoding.ByName(st.Problem.Domain, of.X),
			Apart: report.Number(of.Distance)}
		for _, x := range of.Then {
			told.Separates.Then = append(told.Separates.Then, encoding.ByName(st.Problem.Domain, x))
		}
	}
	return told
}

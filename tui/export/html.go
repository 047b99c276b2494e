package export

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"os"
	"strings"
	"time"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
	"bandscope/tui/widget"
)

// contents are the data of the page's template.
type contents struct {
	Title, About, Version, Begun string
	Summary                      []string
	BestTitle                    string // of the recommendations, or of the front
	Best                         []fact
	Front                        *table
	FrontCut                     int // rows that were left out
	Picture                      template.HTML
	Figures                      []figure
	Plates                       []notebookPlate
	PlatesCut                    int    // plates that were left out
	Blocks                       *table // the estimated shifts of plates and days
	BlocksNote                   string
	Variables, Objectives        table
	Declared                     []string
	Table                        table
	Cut                          int // rows that were left out
	Out                          *table
	OutCut                       int
	Entries                      []entry
	Unpictured                   string // the steps without a picture
	People                       *table // who recorded how much
	PeopleCut                    int
	Zone                         string // of all times
	Branches                     []string
	Method                       string
	Params                       [][3]string
	Commands                     []string
}

// HTML writes a report on the current branch of a session, on one self-contained page: recommendations, the declared
// problem, every experiment with the reason for its choice, the predictions at that time, notes, corrections, and the
// commands that repeat it. progress may be nil.
func HTML(ctx context.Context, w io.Writer, s *sessions.Session, progress sessions.Progress) error {
	return writePage(ctx, w, s, nil, progress)
}

// HTMLWithPhotos is HTML with the photographs that notes name, as far as they are in a folder.
func HTMLWithPhotos(ctx context.Context, w io.Writer, s *sessions.Session, folder string,
	progress sessions.Progress) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	copied, err := s.Detach(ctx)
	if err != nil {
		return err
	}
	defer copied.Close()
	return writePage(ctx, w, copied, &photos{ctx: ctx, folder: root}, progress)
}

// writePage writes the report; without photos its notes only name them.
func writePage(ctx context.Context, w io.Writer, s *sessions.Session, p *photos, progress sessions.Progress) error {
	if progress == nil {
		progress = func(string, int, int) {}
	}
	s.Last()
	st := s.State()
	r := contents{Title: sanitize.Text(st.Problem.Name), About: sanitize.Text(st.Problem.About),
		Version: sessions.ProgramVersion(), Begun: stamp(s.Started()),
		Zone: zone(s.Started())}
	image, err := drawing(ctx, s, paper(), acts.ViewAll)
	if err != nil {
		return err
	}
	r.Picture = template.HTML(image) //nolint:gosec // drawn here, its texts escaped
	r.summarize(st)
	b, err := newReportData(s)
	if err != nil {
		return err
	}
	b.photos = p
	if err := r.recommend(ctx, s, st); err != nil {
		return err
	}
	r.declare(st)
	if err := r.figures(ctx, s, progress); err != nil {
		return err
	}
	if err := r.plates(ctx, s); err != nil {
		return err
	}
	r.table(b)
	r.people(s)
	if err := r.steps(ctx, b, progress); err != nil {
		return err
	}
	r.Method = sanitize.Text(fmt.Sprintf("%s: %s (%s)", st.Spec.Title, st.Spec.Summary, st.Spec.Source))
	for _, d := range st.Params.Decls() {
		r.Params = append(r.Params, [3]string{d.Key, sanitize.Text(d.Format(st.Params.Value(d.Key))), d.Help})
	}
	if branches, err := s.Branches(); err == nil && len(branches) > 1 {
		for _, b := range branches {
			r.Branches = append(r.Branches, sanitize.Text(
				fmt.Sprintf("%s: %s, %s, from step %d", b.Name, b.State.Spec.Name,
					widget.Count(len(b.State.Iterations), "step"), b.From)))
		}
	}
	r.Commands = commands(st)
	return page.Execute(w, r)
}

//go:embed page.html
var pageText string

var page = template.Must(template.Must(template.New("report").Parse(pageText)).Parse(wellsText))

// stamp is a local time to the minute.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format("2006-01-02 15:04")
}

// zone names the time zone of the page, with its difference from UTC at a time.
func zone(t time.Time) string {
	name, offset := t.Local().Zone()
	if offset == 0 && name == "UTC" {
		return name
	}
	return fmt.Sprintf("local (%s, UTC%s)", name, t.Local().Format("-07:00"))
}

func (r *contents) summarize(st sessions.State) {
	add := func(format string, args ...any) {
		r.Summary = append(r.Summary, sanitize.Text(fmt.Sprintf(format, args...)))
	}
	n := len(st.Iterations)
	_, text, _ := strings.Cut(st.Title(), " · ") // behind the name of the problem
	add("%s", text)
	add("%s", numfmt.Count(n, "experiment"))
	if len(st.Pending) > 0 {
		add("%d pending", len(st.Pending))
	}
	t := report.AllTracesFor(st)
	if t.Multiobjective != nil && n > 0 {
		add("%s", t.Multiobjective.HypervolumeText())
		if m := report.DescribeOutcomeRange(st); m != "" {
			add("%s", m)
		}
		return
	}
	if t.SimpleRegret != nil && n > 0 {
		add("simple regret %s", numfmt.Format(t.SimpleRegret[n-1]))
	}
}

// valuesText describes the scale of a variable, and the values between its bounds.
func valuesText(v functions.Variable) string {
	scale := ""
	if v.Scale == functions.Log {
		scale = "logarithmic"
	}
	switch {
	case v.Kind == functions.Integer:
		scale = "integers " + scale
	case v.Kind == functions.Ordered:
		scale = encoding.FormatRange(v) + " " + scale
	case v.Kind == functions.Choice:
		scale = sanitize.Text(encoding.FormatRange(v))
	case v.Steps() > 0:
		scale = "steps of " + numfmt.Exact(v.Step) + " " + scale
	}
	return strings.TrimSpace(scale)
}

// declare describes the problem: its variables, objectives, constraints, costs and source.
func (r *contents) declare(st sessions.State) {
	r.Variables.Head = []cell{{Text: "variable"}, {Text: "from", Number: true}, {Text: "to", Number: true},
		{Text: "unit"}, {Text: "scale"}, {Text: "current bounds"}}
	for j, v := range st.Problem.Domain {
		scale, bounds := valuesText(v), ""
		if b := st.Bounds; b != nil && (b[j].Low != v.Low || b[j].High != v.High) {
			bounds = fmt.Sprintf("%s to %s", numfmt.Exact(b[j].Low), numfmt.Exact(b[j].High))
			if v.Kind != functions.Real {
				bounds = sanitize.Text(encoding.FormatRange(b[j]))
			}
		}
		low, high := given(v.Low), given(v.High)
		if v.Kind == functions.Choice {
			low, high = cell{}, cell{}
		}
		if v.Kind != functions.Real || v.Steps() > 0 {
			r.Variables.Head[4].Text = "values"
		}
		r.Variables.Rows = append(r.Variables.Rows,
			row{Cells: []cell{words("%s", v.Name), low, high, words("%s", v.Unit), {Text: scale}, {Text: bounds}}})
	}
	r.Objectives.Head = []cell{{Text: "objective"}, {Text: "direction"}, {Text: "unit"}, {Text: "expected range"},
		{Text: "noise (sd)", Number: true}}
	if st.Problem.LimitedOutputs() != nil {
		r.Objectives.Head = append(r.Objectives.Head, cell{Text: "limit"})
	}
	for _, o := range st.Problem.Outputs() {
		expected, noise := "", cell{Text: "–", Number: true}
		if o.Range != nil {
			expected = fmt.Sprintf("%s to %s", numfmt.Exact(o.Range[0]), numfmt.Exact(o.Range[1]))
		}
		if o.Scale == functions.Log {
			expected += ", log scale"
		}
		if o.Noise > 0 {
			noise = given(o.Noise)
		}
		cells := []cell{words("%s", o.Name), words("%s", cmp.Or(o.Direction, "limit")), words("%s", o.Unit),
			{Text: expected}, noise}
		if st.Problem.LimitedOutputs() != nil {
			cells = append(cells, words("%s", o.LimitText()))
		}
		r.Objectives.Rows = append(r.Objectives.Rows, row{Cells: cells})
	}
	add := func(format string, args ...any) { r.Declared = append(r.Declared, words(format, args...).Text) }
	if c := st.Problem.Cost; c != nil {
		add("Cost of an experiment: %s", c.Text)
	}
	for _, c := range st.Problem.Constraints {
		add("Constraint: %s", c.Text)
	}
	if b := st.Config.CostBudget; b > 0 {
		add("Limit of the total cost: %s", numfmt.Exact(b))
	}
	if n := st.Config.Noise; n > 0 {
		add("Standard deviation of the noise that is added to the function: %s", numfmt.Exact(n))
	}
	if f := st.Config.ExperimentFile; f != nil {
		add("Declared in %s (SHA-256 %.16s…)", f.Path, f.SHA256)
	} else if st.Problem.Source != "" {
		add("%s", st.Problem.Source)
	}
}

// place is an input with the names and units of its variables.
func place(p *functions.Problem, x []float64) string {
	parts := make([]string, len(x))
	for j, v := range x {
		parts[j] = strings.TrimSpace(p.Domain[j].Name + " = " + p.Domain[j].Text(v) + " " + p.Domain[j].Unit)
	}
	return sanitize.Text(strings.Join(parts, ", "))
}

// quantity is a value with the unit of an objective.
func quantity(o functions.Objective, v float64) string {
	return sanitize.Text(strings.TrimSpace(numfmt.Format(v) + " " + o.Unit))
}

package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/tui/guide"
)

func listCommand() *cobra.Command {
	var asJSON bool
	var dir string
	c := &cobra.Command{Use: "list functions|optimizers|comparisons|gallery|labs|lessons|sessions|studies [NAME]",
		Short:             "List functions, methods, comparisons, lessons, sessions and more",
		Long:              "List functions, methods (optimizers), comparisons, the gallery, labs, lessons, sessions or studies. With NAME,\ndescribe one of them.",
		Example:           "  bandscope list functions\n  bandscope list optimizers gp-ei",
		Args:              args(cobra.RangeArgs(1, 2)),
		ValidArgsFunction: completeArgs(choices(listKinds...), listWords("*", &dir)),
		RunE: func(c *cobra.Command, a []string) error {
			name := ""
			if len(a) == 2 {
				name = a[1]
			}
			return listKind(c.Context(), os.Stdout, a[0], name, dir, asJSON)
		}}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON with all details")
	c.Flags().StringVar(&dir, "dir", library.DefaultDir(), "folder where sessions are kept")
	c.MarkFlagDirname("dir")
	return c
}

// listedOptimizer describes a method for programs that read lists.
type listedOptimizer struct {
	Name        string       `json:"name"`
	Title       string       `json:"title"`
	Family      string       `json:"family"`
	Summary     string       `json:"summary"`
	Source      string       `json:"source"`
	Pending     string       `json:"pending"`     // how it handles pending points
	Errors      string       `json:"errors"`      // how it uses standard errors of results
	Limits      string       `json:"limits"`      // how it handles limits on measured quantities
	Levels      string       `json:"levels"`      // how it handles levels and choices
	Constraints string       `json:"constraints"` // how it handles known constraints
	Params      []param.Decl `json:"params"`
	Judge       []param.Decl `json:"judge,omitempty"` // further ones for several objectives
}

// listKinds are the kinds of things that bandscope list lists.
var listKinds = []string{"functions", "optimizers", "comparisons", "gallery", "labs", "lessons", "sessions", "studies"}

// listKind lists functions, optimizers, labs, studies or the sessions of a folder. With a name it describes one of
// them.
func listKind(ctx context.Context, out io.Writer, subject, name, dir string, asJSON bool) error {
	switch subject {
	case "functions":
		return listFunctions(out, name, asJSON)
	case "optimizers":
		return listOptimizers(out, name, asJSON)
	case "comparisons":
		return listComparisons(out, name, asJSON)
	case "gallery":
		return listLessons(out, library.Gallery(), library.FindGalleryEntry, name, dir, asJSON)
	case "labs":
		return listTrainings(out, name, asJSON)
	case "lessons":
		return listLessons(out, library.Lessons(), library.FindEntry, name, dir, asJSON)
	case "sessions":
		return listSessions(ctx, out, name, dir, asJSON)
	case "studies":
		return listStudies(ctx, out, name, asJSON)
	}
	return asUsage(didyoumean.NewUnknownError("kind of list", subject, listKinds))
}

func listComparisons(out io.Writer, name string, asJSON bool) error {
	all := library.Comparisons()
	if name != "" {
		c, err := library.FindComparison(name)
		if err != nil {
			return asUsage(err)
		}
		all = []library.Comparison{*c}
	}
	if asJSON {
		return sanitize.JSON(out, all)
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, c := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\n", c.Name, c.Title, c.Source)
	}
	return w.Flush()
}

func listFunctions(out io.Writer, name string, asJSON bool) error {
	all := functions.Catalog()
	if name != "" {
		base, _, _ := strings.Cut(name, ":")
		p, err := functions.Find(name, 0)
		if err != nil {
			return asUsage(err)
		}
		var entries []functions.Entry
		for _, e := range all {
			if e.Name == base {
				e.DefaultDim = p.Dim()
				e.Domain = p.Domain
				e.Optimum = p.Optimum()
				e.Regions = p.Regions
				if e.Seeded {
					e.Optimum = nil
				}
				entries = append(entries, e)
			}
		}
		all = entries
	}
	if asJSON {
		results := make([]listedFunction, len(all))
		for i, e := range all {
			results[i].Entry = e
			if e.Optimum != nil {
				results[i].Optimum = &listedOptimum{e.Optimum.Value, encoding.EncodeRows(e.Domain, e.Optimum.X)}
			}
		}
		return sanitize.JSON(out, results)
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, e := range all {
		dims := strconv.Itoa(e.MinDim)
		if e.MaxDim > e.MinDim {
			dims = fmt.Sprintf("%d…%d", e.MinDim, e.MaxDim)
		}
		if len(e.Dims) > 0 {
			dims = strings.ReplaceAll(strings.Trim(fmt.Sprint(e.Dims), "[]"), " ", " or ")
		}
		fmt.Fprintf(w, "%s\t%s-D\t%s\n", e.Name, dims, e.About)
	}
	if name != "" {
		for _, e := range all {
			describeFunction(w, e)
		}
	}
	return w.Flush()
}

// listedFunction is a function for other programs, with choices by their names.
type listedFunction struct {
	functions.Entry
	Optimum *listedOptimum `json:"optimum"`
}

type listedOptimum struct {
	Value float64            `json:"value"`
	X     [][]encoding.Value `json:"x,omitempty"`
}

// describeFunction writes the source, the domain, the objectives and the optimum of a function.
func describeFunction(w io.Writer, e functions.Entry) {
	fmt.Fprintf(w, "source: %s\n\n", e.Source)
	for _, v := range e.Domain {
		fmt.Fprintf(w, "%s\t%s%s\t%s\n", v.Name, shortRange(v), scaleSuffix(v.Scale), v.Unit)
	}
	for _, o := range e.Objectives {
		text := string(o.Direction) + scaleSuffix(o.Scale)
		if o.HasLimits() {
			text += ", " + o.LimitText()
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", o.Name, text, o.Unit)
	}
	for _, o := range e.Limits {
		fmt.Fprintf(w, "%s\t%s\n", o.Name, o.LimitText())
	}
	for _, text := range e.Constraints {
		fmt.Fprintf(w, "constraint\t%s\n", text)
	}
	if e.Optimum != nil {
		const most = 4
		places := make([]string, min(len(e.Optimum.X), most))
		for i := range places {
			places[i] = "(" + shortRow(e.Domain, e.Optimum.X[i]) + ")"
		}
		if extra := len(e.Optimum.X) - most; extra > 0 {
			places = append(places, fmt.Sprintf("and %d more", extra))
		}
		fmt.Fprintf(w, "optimum\t%s\tat %s\n", numfmt.Exact(shorten(e.Optimum.Value)), strings.Join(places, ", "))
	}
	if e.Cost != "" {
		fmt.Fprintf(w, "cost\t%s\n", e.Cost)
	}
	if f := e.Fidelity; f != nil {
		fmt.Fprintf(w, "fidelity\t%s, full at %s\n", f.Variable, numfmt.Exact(f.Full))
	}
	for _, r := range e.Regions {
		fmt.Fprintf(w, "region %s\t%s\n", r.Name, r.Prior)
	}
}

// shortDigits is the number of significant digits of inputs and bounds for people.
const shortDigits = 6

// shortValue is [encoding.FormatExact] with at most shortDigits significant digits of a real number, or with the digits
// of its step.
func shortValue(v functions.Variable, x float64) string {
	switch {
	case v.Steps() > 0:
		return v.Text(x)
	case v.Kind == functions.Real:
		x = shorten(x)
	}
	return encoding.FormatExact(v, x)
}

// shorten rounds to shortDigits significant digits.
func shorten(x float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', shortDigits, 64), 64)
	if err != nil {
		return x
	}
	return r
}

// shortRow writes an input, with commas.
func shortRow(d functions.Domain, x []float64) string {
	texts := make([]string, len(x))
	for j, v := range x {
		texts[j] = shortValue(d[j], v)
	}
	return strings.Join(texts, ", ")
}

// shortRange is [encoding.FormatRange] with shortened bounds.
func shortRange(v functions.Variable) string {
	if v.Kind == functions.Real {
		v.Low, v.High = shorten(v.Low), shorten(v.High)
	}
	return encoding.FormatRange(v)
}

// scaleSuffix marks a logarithmic scale.
func scaleSuffix(s functions.Scale) string {
	if s == functions.Log {
		return ", log scale"
	}
	return ""
}

func listOptimizers(out io.Writer, name string, asJSON bool) error {
	specs := registry.All()
	if name != "" {
		s, err := registry.Find(name)
		if err != nil {
			return asUsage(err)
		}
		specs = []optimizers.Spec{*s}
	}
	if asJSON {
		entries := make([]listedOptimizer, len(specs))
		for i, s := range specs {
			entries[i] = listedOptimizer{s.Name, s.Title, s.Family, s.Summary, s.Source,
				guide.Pending[s.Pending], guide.Errors[s.Errors], guide.Limits[s.Limits], guide.Levels[s.Levels],
				guide.Constraints[s.Constraints], s.Params, s.ScoringParams}
		}
		return sanitize.JSON(out, entries)
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	if name != "" {
		describeOptimizer(w, specs[0])
		return w.Flush()
	}
	family := ""
	for _, s := range specs {
		if s.Family != family {
			family = s.Family
			fmt.Fprintf(w, "%s\n", family)
		}
		fmt.Fprintf(w, "  %s\t%s\n", s.Name, s.Summary)
	}
	return w.Flush()
}

func describeOptimizer(w io.Writer, s optimizers.Spec) {
	fmt.Fprintf(w, "%s: %s\nsource: %s\npending points: %s\nstandard errors: %s\nlimits: %s\n"+
		"levels and choices: %s\nknown constraints: %s\n\n",
		s.Title, s.Summary, s.Source, guide.Pending[s.Pending], guide.Errors[s.Errors], guide.Limits[s.Limits],
		guide.Levels[s.Levels], guide.Constraints[s.Constraints])
	describeParams(w, s.ParamsFor(2))
}

// describeParams writes the default, the values and the source of every parameter, and below them its help.
func describeParams(w io.Writer, params []param.Decl) {
	fmt.Fprintf(w, "parameter\tdefault\tvalues\tsource\n")
	for _, d := range params {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", d.Key, d.DefaultText(), d.Range(), d.Source)
	}
	fmt.Fprintln(w)
	for _, d := range params {
		fmt.Fprintf(w, "%s\t%s\n", d.Key, d.Help)
	}
}

func listSessions(ctx context.Context, out io.Writer, name, dir string, asJSON bool) error {
	entries, err := library.List(ctx, dir)
	if err != nil {
		return err
	}
	if name != "" {
		var known []string
		for _, e := range entries {
			known = append(known, e.Name)
		}
		i := slices.Index(known, name)
		if i < 0 {
			return asUsage(didyoumean.NewUnknownError("session", name, known))
		}
		entries = entries[i : i+1]
	}
	if asJSON {
		if entries == nil {
			entries = []library.Entry{}
		}
		return sanitize.JSON(out, entries)
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, e := range entries {
		about := fmt.Sprintf("%s · seed %d · %s", e.Subject(), e.Seed, e.Length())
		if e.Unreadable != "" {
			about = "cannot be read: " + e.Unreadable
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", e.Modified.Format("2006-01-02 15:04"), sanitize.Text(about),
			sanitize.Text(e.Path))
	}
	return w.Flush()
}

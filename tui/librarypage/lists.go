package librarypage

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/experiment"
	"bandscope/functions/numfmt"
	"bandscope/optimizers/registry"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/training"
	"bandscope/tui/widget"
)

// item is one entry of a list.
type item struct {
	value string   // its name, or the path of a session
	about string   // one line beside it
	more  []string // the preview
	path  string   // of a study's database; empty where it has none
	group string   // the heading above it; empty for none

	objectives int  // of a function
	limited    bool // it has limits
}

func functionItems() []item {
	var items []item
	for _, f := range functions.Families() {
		p, err := functions.Find(f.Name, 0)
		if err != nil {
			continue
		}
		it := item{value: f.Name, about: fmt.Sprintf("%d-D  %s", p.Dim(), f.Title), objectives: len(p.Objectives),
			limited: p.LimitedOutputs() != nil}
		it.more = []string{f.Title, "", f.About + ".", "", "source: " + f.Source, domainLine(p.Domain)}
		for _, c := range p.Constraints {
			it.more = append(it.more, "constraint: "+c.Text)
		}
		if p.Optimum() != nil {
			it.more = append(it.more, fmt.Sprintf("optimum: %s (%s)", widget.Number(p.Optimum().Value),
				p.Objectives[0].Direction))
		}
		if len(p.Objectives) > 1 {
			it.more = append(it.more, objectivesLine(p))
		}
		it.more = append(it.more, limitLines(p)...)
		if p.Cost != nil {
			it.more = append(it.more, "cost of an evaluation: "+p.Cost.Text)
		}
		if p.Fidelity != nil {
			it.more = append(it.more, fmt.Sprintf("fidelity: %s, full at %s", p.Fidelity.Variable,
				numfmt.Exact(p.Fidelity.Full)))
		}
		if p.Truth == nil {
			it.more = append(it.more, "", "no plot: the function is known only from evaluations")
		}
		if f.MaxDim > f.MinDim {
			it.more = append(it.more, "", fmt.Sprintf("for another dimension d, type %s:d, such as %s:%d", f.Name,
				f.Name, f.MinDim))
		}
		items = append(items, it)
	}
	return items
}

// experimentItem is the entry of the user's own experiment.
func experimentItem(p *functions.Problem) item {
	it := item{value: p.Name, about: fmt.Sprintf("%d-D  %s", p.Dim(), p.Source), objectives: len(p.Objectives),
		limited: p.LimitedOutputs() != nil, more: []string{p.Title, ""}}
	if p.About != "" {
		it.more = append(it.more, p.About, "")
	}
	it.more = append(append(it.more, p.Source, domainLine(p.Domain)), limitLines(p)...)
	return it
}

// The two ways to declare an experiment.
const newOne, likeThis = "new", "like this one"

// declareItems are the ways to declare an experiment, from a session that may be about one.
func declareItems(d *experiment.Declaration) []item {
	items := []item{{value: newOne, about: "declare variables and measurements",
		more: []string{"Your own experiment", "",
			"A form for the variables, their bounds and the quantities that you measure. It is checked while you type and saved as a file. Then the program suggests points, and you report the results."}}}
	if d != nil {
		items = append(items, item{value: likeThis, about: "the same form, filled with " + sanitize.Text(d.Name),
			more: []string{"An experiment like " + sanitize.Text(d.Name), "",
				"The form starts with this declaration, which you can change. The session stays unchanged."}})
	}
	return items
}

// objectivesLine lists the objectives.
func objectivesLine(p *functions.Problem) string {
	var list []string
	for _, o := range p.Objectives {
		text := string(o.Direction) + " " + o.Name
		if o.Scale == functions.Log {
			text += " (log)"
		}
		list = append(list, text)
	}
	return "objectives: " + strings.Join(list, ", ")
}

// limitLines lists the limits of measured quantities.
func limitLines(p *functions.Problem) (lines []string) {
	measured := p.Outputs()
	for _, k := range p.LimitedOutputs() {
		lines = append(lines, "limit: "+measured[k].Name+" "+measured[k].LimitText())
	}
	return lines
}

func domainLine(d functions.Domain) string {
	parts := make([]string, 0, 4)
	for i, v := range d {
		if i == 3 {
			parts = append(parts, "…")
			break
		}
		text := fmt.Sprintf("[%s, %s]", widget.Number(v.Low), widget.Number(v.High))
		switch {
		case v.Kind == functions.Choice:
			text = fmt.Sprintf("%d choices", len(v.Choices))
		case v.Kind == functions.Ordered:
			text = fmt.Sprintf("%d values", len(v.Values))
		case v.Kind == functions.Integer:
			text += " (integer)"
		}
		if v.Scale == functions.Log {
			text += " (log)"
		}
		if v.Kind != functions.Real || v.Steps() > 0 {
			text = v.Name + " " + sanitize.Text(encoding.FormatRange(v))
		}
		parts = append(parts, text)
	}
	return "domain: " + strings.Join(parts, " × ")
}

func optimizerItems(objectives int, limited bool) []item {
	var items []item
	for _, s := range registry.Supporting(objectives, limited) {
		it := item{value: s.Name, about: s.Summary, group: s.Family}
		it.more = []string{s.Title, "", s.Summary + "."}
		if s.Name == registry.Default(objectives) {
			it.more = append(it.more, "", registry.DescribeDefault(objectives)+".")
		}
		it.more = append(it.more, "", "family: "+s.Family, "source: "+s.Source, "",
			"parameters:")
		for _, d := range s.ParamsFor(objectives) {
			it.more = append(it.more, fmt.Sprintf("  %s  %s", d.Label, d.DefaultText()))
		}
		items = append(items, it)
	}
	return items
}

func sessionItems(entries []library.Entry) []item {
	var items []item
	for _, e := range entries {
		it := item{value: e.Path}
		if e.Unreadable != "" {
			it.about = sanitize.Text(e.Name + "  cannot be read: " + e.Unreadable)
		} else {
			it.about = sanitize.Text(fmt.Sprintf("%s  %s · %s", e.Name, e.Subject(), e.Length()))
			if strings.Contains(e.Name, "-"+cmp.Or(e.Optimizer, "lab-"+e.Training)+"-") {
				// a name that the program made has the subject
				it.about = sanitize.Text(fmt.Sprintf("%s  %s", e.Name, e.Length()))
			}
		}
		it.more = []string{sanitize.Text(e.Name), "", it.about}
		items = append(items, it)
	}
	return items
}

func comparisonItems() []item {
	var items []item
	for _, c := range library.Comparisons() {
		it := item{value: c.Name, about: c.Title,
			more: []string{c.Title, "", c.About + ".", "", "source: " + c.Source, "on: " + c.Config.Problem, ""}}
		for _, p := range c.Panes {
			it.more = append(it.more, fmt.Sprintf("  %s (%s)", p.Title, p.Optimizer))
		}
		items = append(items, it)
	}
	return items
}

// playgroundItems are the beliefs with which a playground can begin.
func playgroundItems() []item {
	var items []item
	for _, p := range registry.Presets() {
		details := []string{"A playground with the belief: " + p.Title + ", " + p.About + ".", "",
			"An empty plot. A click puts a result, a drag moves it, and the belief follows.", "", "method: " + p.Method}
		for _, key := range slices.Sorted(maps.Keys(p.Set)) {
			details = append(details, fmt.Sprintf("  %s  %v", key, p.Set[key]))
		}
		items = append(items, item{value: p.Title, about: p.About, more: details})
	}
	return items
}

func trainingItems() []item {
	var items []item
	for _, l := range training.Specs() {
		it := item{value: l.Name, about: l.Title,
			more: []string{l.Title, "", l.About, "", "source: " + l.Source, "", "parameters:"}}
		for _, d := range l.Decls {
			it.more = append(it.more, fmt.Sprintf("  %s  %s", d.Label, d.Format(d.Default)))
		}
		items = append(items, it)
	}
	return items
}

// used are the functions and the optimizers of sessions, the last used first.
func used(entries []library.Entry) (functions, optimizers []string) {
	for _, e := range entries {
		base, _, _ := strings.Cut(e.Problem, ":")
		functions, optimizers = append(functions, base), append(optimizers, e.Optimizer)
	}
	return functions, optimizers
}

// byUse puts the entries that the newest sessions used first, in the order of their use.
func byUse(items []item, used []string) []item {
	rank := func(it item) int {
		if i := slices.Index(used, it.value); i >= 0 {
			return i
		}
		return len(used)
	}
	items = slices.Clone(items)
	for i := range items {
		if items[i].group != "" && rank(items[i]) < len(used) {
			items[i].group = "used last"
		}
	}
	slices.SortStableFunc(items, func(a, b item) int { return rank(a) - rank(b) })
	return items
}

package summary

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/sessions/report"
	"bandscope/tui/chart"
	"bandscope/tui/explore/view"
	"bandscope/tui/layout"
	"bandscope/tui/lessonpage"
	"bandscope/tui/picture"
	"bandscope/tui/picture/front"
	"bandscope/tui/widget"
)

// Traces is the panel of the traces.
type Traces struct {
	Coordinates bool // it shows all variables or outcomes instead

	kind       traceKind
	objectives objectiveKind
	theory     picture.TheoryKind
	cache      view.Cache
}

// Scene is the scene of the panel.
type Scene struct {
	view.Scene                         // with the size of this panel
	Outcomes   *front.Outcomes         // nil before the first computation
	Traces     *report.ObjectiveTraces // of several objectives; nil before the first computation
	Objectives bool                    // the objective space is shown
}

func (s Scene) several() bool { return len(s.State.Problem.Objectives) > 1 }

// traceKind is a trace of one objective.
type traceKind int

const (
	simpleRegret traceKind = iota
	cumulativeRegret
	bestValue
	byCost
	traceKindCount
)

var kindTitles = [traceKindCount]string{"simple regret (log)", "cumulative regret", "best value",
	"simple regret by cost (log)"}

// tall is the height from which the panel shows two traces, and higher that from which it shows three.
const tall, higher = 17, 34

// count is how many traces a panel shows, of so many.
func count(h, total int) int {
	switch {
	case h >= higher:
		return min(3, total)
	case h >= tall:
		return min(2, total)
	}
	return min(1, total)
}

// Next shows the next trace, and returns true if that is the first one of several objectives.
func (p *Traces) Next(s Scene) (around bool) {
	switch {
	case s.View.Theory:
		p.theory = (p.theory + 1) % picture.TheoryKindCount
	case s.several():
		p.objectives = (p.objectives + 1) % objectiveKindCount
		return p.objectives == 0
	default:
		p.kind = next(s, p.kind)
	}
	return false
}

// Show shows the part of the theory, or the trace, that a page of a lesson names.
func (p *Traces) Show(word string) {
	if k := slices.Index(lessonpage.TheoryParts, word); k >= 0 {
		p.theory = picture.TheoryKind(k)
	}
	switch k := slices.Index(lessonpage.TraceNames, word); {
	case k >= int(byCost):
		p.objectives = objectiveKind(k - int(byCost))
	case k >= 0:
		p.kind = traceKind(k)
	}
}

// next is the next kind that the session has.
func next(s Scene, k traceKind) traceKind {
	k = (k + 1) % traceKindCount
	if k == byCost && !s.State.HasCosts() {
		k = 0
	}
	return k
}

// Box draws the panel in the size of the scene.
func (p *Traces) Box(s Scene) *layout.Box {
	switch {
	case s.View.Theory:
		return p.theoryTraces(s)
	case len(s.State.Iterations) == 0 && !s.Lesson:
		return about(s.Scene)
	case s.several() && !p.Coordinates:
		return p.objectiveTraces(s)
	case s.several() && s.Objectives:
		return p.outcomes(s)
	case p.Coordinates && s.State.Problem.Dim() > 1:
		return p.inputs(s)
	}
	return p.regrets(s)
}

// tracePlot is one plot of the panel, with its description.
type tracePlot struct {
	title, term string
	describe    func() string
	draw        func(w, h int) *layout.Box
}

// panel has plots below each other.
func panel(s Scene, plots ...tracePlot) *layout.Box {
	parts, n := make([]*layout.Part, len(plots)), len(plots)
	for i, p := range plots {
		room := s.H - 1 - n // without borders and the lines between
		rows := room*(i+1)/n - room*i/n
		parts[i] = &layout.Part{Title: p.title, Body: p.draw(s.W-2, rows).Filled(rows)}
	}
	b := layout.SplitPanel(s.Style, s.W, s.H, false, parts...)
	for i, p := range plots {
		if parts[i].Box != nil {
			parts[i].Box.Describe(layout.Section, p.title, p.term, p.describe)
		}
	}
	return b
}

// faint is some lines of text in place of a plot.
func faint(s Scene, w int, lines ...string) *layout.Box {
	body := layout.Space(w, 1)
	for _, l := range lines {
		body.Below(layout.Text(w, " "+s.Style.Paint(s.Style.Dim, s.Style.Plain(l))))
	}
	return body
}

// regrets is a trace over the iterations; a tall panel has the next kinds below it.
func (p *Traces) regrets(s Scene) *layout.Box {
	t := report.TracesFor(s.State)
	if known := s.State.Problem.Optimum() != nil && s.Reveal; !known || len(s.State.Iterations) == 0 {
		kind := p.kind
		if !known {
			kind = bestValue
		}
		return panel(s, p.regret(s, t, kind))
	}
	kinds := []traceKind{p.kind}
	if s.State.HasCosts() && p.kind == simpleRegret && s.H >= tall {
		kinds = append(kinds, byCost)
	}
	for k := next(s, p.kind); k != p.kind; k = next(s, k) {
		if !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	var plots []tracePlot
	for _, k := range kinds[:count(s.H, len(kinds))] {
		plots = append(plots, p.regret(s, t, k))
	}
	return panel(s, plots...)
}

// regret is one trace.
func (p *Traces) regret(s Scene, t report.Traces, k traceKind) tracePlot {
	return tracePlot{k.title(t, s.W), kindTerms[k], func() string { return k.says(t) }, func(w, h int) *layout.Box {
		if len(k.values(t)) == 0 {
			return faint(s, w, "no steps yet")
		}
		return p.cache.Box(kindTitles[k], fmt.Sprint(s.State.Head, w, h, s.Style.Key()), func() *layout.Box {
			return k.draw(s, t, w, h)
		})
	}}
}

// draw draws a trace into w×h cells.
func (k traceKind) draw(s Scene, t report.Traces, w, h int) *layout.Box {
	v, o := k.values(t), s.State.Problem.Objectives[0]
	drawn := chart.Trace{Log: k == simpleRegret || k == byCost, X: "step"}
	description := chart.TraceDescription{Y: "Vertical axis: the simple regret on a logarithmic scale.",
		X: fmt.Sprintf("Horizontal axis: steps 1 to %d.", len(v))}
	switch g := o.Transform(); k {
	case cumulativeRegret:
		description.Y = "Vertical axis: the sum of the regrets up to each step."
	case bestValue:
		description.Y = fmt.Sprintf("Vertical axis: %s; %s is better.", o.Name,
			map[bool]string{true: "higher", false: "lower"}[o.Direction == functions.Maximize])
		if g.IsLog() {
			drawn.Log, v = true, g.ClampAll(v)
		}
	case byCost:
		total := t.Cost[len(t.Cost)-1]
		v = report.ByCost(v, t.Cost, total, 4*w)
		drawn.X = "cost"
		drawn.From = "0"
		drawn.To = widget.Number(total)
		description.X = fmt.Sprintf("Horizontal axis: the total cost, from 0 to %s.", drawn.To)
	}
	drawn.Series = []chart.Series{{Values: v, Color: s.Style.Used}}
	if k != byCost {
		s.shareAxes(&drawn, lessonpage.TraceNames[k])
	}
	return drawn.Box(w, h, s.Style, description)
}

// maxIterations bounds the axis of iterations that a file can ask for.
const maxIterations = 10_000

// shareAxes sets the axes of a trace that the pages of a lesson share; the trace has a word of lessonpage.TraceNames.
func (s Scene) shareAxes(t *chart.Trace, word string) {
	values := slices.Clone(t.Series[0].Values)
	if t.Log { // zeros are drawn at the bottom
		values = slices.DeleteFunc(values, func(v float64) bool { return v <= 0 })
	}
	if low, high, ok := s.Axes.Range(word, values...); ok {
		t.Range = [2]float64{low, high}
	}
	_, last, _ := s.Axes.Range("iterations")
	t.Length = int(min(last, maxIterations))
}

// kindTerms are the terms of the traces of one objective.
var kindTerms = [traceKindCount]string{"simple regret", "cumulative regret", "incumbent", "simple regret"}

// says describes a trace.
func (k traceKind) says(t report.Traces) string {
	v, n := k.values(t), len(k.values(t))
	if n == 0 {
		return "The progress of the search: " + strings.TrimSuffix(kindTitles[k], " (log)") +
			". It starts with the first step."
	}
	if math.IsNaN(v[n-1]) {
		return "The progress of the search: " + strings.TrimSuffix(kindTitles[k], " (log)") +
			". There is no value yet, because no result is feasible."
	}
	first, last := begins(v), widget.Number(v[n-1])
	switch k {
	case simpleRegret:
		return fmt.Sprintf(
			"The simple regret: how much worse the best point so far is than the optimum. %s, %s after step %d. It can only fall; it is flat while no step finds a better point.",
			first, last, n)
	case cumulativeRegret:
		return fmt.Sprintf(
			"The cumulative regret: the sum of the regrets of all steps, %s after step %d, %s per step. It is steep while the method explores and flattens when it exploits.",
			last, n, widget.Number(v[n-1]/float64(n)))
	case bestValue:
		return fmt.Sprintf(
			"The best result after each step: %s, now %s, found in step %d. It does not show how much better the optimum is.",
			first, last, since(v))
	}
	return fmt.Sprintf(
		"The simple regret over the total cost: %s after a cost of %s. It compares methods fairly if evaluations differ in cost.",
		last, widget.Number(t.Cost[len(t.Cost)-1]))
}

// begins formats the first value of a trace.
func begins(v []float64) string {
	i := slices.IndexFunc(v, func(y float64) bool { return !math.IsNaN(y) })
	return fmt.Sprintf("%s after step %d", widget.Number(v[max(i, 0)]), max(i, 0)+1)
}

// since is the step in which a trace reached its last value.
func since(v []float64) int {
	i := len(v) - 1
	for i > 0 && v[i-1] == v[len(v)-1] {
		i--
	}
	return i + 1
}

// values are the values of a trace. The trace over cost has the same values as the one over iterations.
func (k traceKind) values(t report.Traces) []float64 {
	return [traceKindCount][]float64{t.SimpleRegret, t.CumulativeRegret, t.Best, t.SimpleRegret}[k]
}

// title is the title of a trace with its last value, with as many digits as fit into a panel of w columns.
func (k traceKind) title(t report.Traces, w int) string {
	v := k.values(t)
	if n := len(v); n > 0 && !math.IsNaN(v[n-1]) {
		return TitleWithValue(kindTitles[k], v[n-1], w)
	}
	return kindTitles[k]
}

// TitleWithValue is the title of a panel of w columns followed by a value.
func TitleWithValue(title string, v float64, w int) string {
	return title + " " + widget.NumberIn(v, max(w-layout.TitleRoom-ansi.StringWidth(title)-1, 1))
}

// theoryTraces are the plots of the theory: one, or two in a tall panel.
func (p *Traces) theoryTraces(s Scene) *layout.Box {
	t, theory := picture.Theories{Style: s.Style, Log: s.Axes["evidence"]}, (*optimizers.Theory)(nil)
	if s.Report != nil && s.Report.Theory != nil {
		theory = s.Report.Theory
		t.Add(theory, s.Style.Used, "", true)
	}
	plot := func(kind picture.TheoryKind) tracePlot {
		if !t.Has(kind) {
			kind = picture.Gain
		}
		says, term, left, below := picture.DescribeTheory(theory, kind)
		return tracePlot{t.Title(kind, s.W), term, layout.Static(says), func(w, h int) *layout.Box {
			return p.cache.Box(fmt.Sprint("theory ", kind), fmt.Sprintf("%p %d %d %s", theory, w, h, s.Style.Key()),
				func() *layout.Box { return t.Box(kind, w, h, left, below) })
		}}
	}
	first := p.theory
	if !t.Has(first) {
		first = picture.Gain
	}
	if s.H < tall {
		return panel(s, plot(first))
	}
	return panel(s, plot(first), plot((first+1)%picture.TheoryKindCount))
}

package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/sessions/report"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// raceTraces draws the progress of the racers, in one plot or in two side by side.
func (m *Model) raceTraces(w, h int) *layout.Box {
	if m.several() {
		return m.objectivesRace(w, h)
	}
	g := m.base.State().Problem.Objectives[0].Transform()
	drawn := chart.Trace{X: "step", Log: true}
	title := "simple regret (log)"
	subject := "the simple regret, which is how much worse than the optimum the best result is"
	term := "simple regret"
	var entries []*layout.Box
	for i, p := range m.panes {
		traces := report.TracesFor(p.racer.State())
		values := traces.SimpleRegret
		if values == nil || !m.shown.reveal {
			values, drawn.Log = g.ClampAll(traces.Best), g.IsLog()
			title = "best value"
			subject = "the best result of each so far"
			term = "incumbent"
		}
		drawn.Series = append(drawn.Series, m.series(i, values))
		entries = append(entries, m.racer(i, p, w, m.Style.Paint(m.Style.Text, last(values))))
	}
	if !m.base.State().HasCosts() || w < 80 {
		return m.racePanel(title, term, subject, w, h, entries, drawn)
	}
	return m.racePanel(title+", by step and by cost", term, subject, w, h, entries, drawn, m.byCost(drawn))
}

// byCost is a race over the cost of the evaluations, up to the highest total cost.
func (m *Model) byCost(t chart.Trace) chart.Trace {
	most := 0.0
	for _, p := range m.panes {
		most = max(most, p.racer.State().TotalCost())
	}
	t.X = "cost"
	t.From = "0"
	t.To = widget.Number(most)
	t.Series = slices.Clone(t.Series)
	for i, p := range m.panes {
		t.Series[i].Values = report.ByCost(t.Series[i].Values, report.TracesFor(p.racer.State()).Cost, most, 400)
	}
	return t
}

// objectivesRace is the race of several objectives: by hypervolume and by Bayes regret.
func (m *Model) objectivesRace(w, h int) *layout.Box {
	st := m.Style
	volume, regret := chart.Trace{X: "hypervolume"}, chart.Trace{X: "Bayes regret"}
	var entries []*layout.Box
	for i, p := range m.panes {
		if p.outcomes == nil {
			continue
		}
		t := p.outcomes.Traces
		regret.Log, regret.X = t.Exact, t.RegretName()
		volume.Series = append(volume.Series, m.series(i, t.Hypervolume))
		regret.Series = append(regret.Series, m.series(i, t.BayesRegret))
		entries = append(entries, m.racer(i, p, w,
			st.Paint(st.Text, last(t.Hypervolume))+st.Paint(st.Dim, " and"+last(t.BayesRegret))))
	}
	title := "hypervolume and " + regret.X + " by step"
	if o := m.panes[0].outcomes; o != nil && len(o.Traces.Hypervolume) > 0 {
		title += ", " + o.Traces.Range.Label()
	}
	return m.racePanel(title, "hypervolume", "the hypervolume that each front dominates, and the Bayes regret",
		w,
		h, entries, volume, regret)
}

// series is the trace of a pane.
func (m *Model) series(i int, values []float64) chart.Series {
	return chart.Series{Values: values, Color: m.Style.Series[i], Mark: letter(i)}
}

// racer is the entry of a pane above the traces of a race in a panel of w columns, with its last value.
func (m *Model) racer(i int, p *pane, w int, value string) *layout.Box {
	st := m.Style
	text := st.PaintBold(st.Series[i], letter(i)) + " " + st.Paint(st.Dim, st.Plain(m.paneTitle(p))) + value
	return layout.Line(layout.ShortenIn(st, text, w-4)).
		Describe(layout.Number, letter(i)+" "+m.paneTitle(p), "", func() string { return m.describeRacer(i, p) })
}

// racePanel is the panel of a race: its entries above one trace, or above two side by side.
func (m *Model) racePanel(title, term, subject string, w, h int, entries []*layout.Box,
	traces ...chart.Trace) *layout.Box {
	for _, e := range entries {
		e.Term = term
	}
	body := layout.Column(layout.Row(layout.Space(1, 0), layout.FlowBoxes(w-4, 2, entries...)))
	plots, room := layout.New(0, 0), w-2
	for k, t := range traces {
		wide := room / (len(traces) - k)
		room -= wide
		plots.Beside(t.Box(wide, h-2-body.H, m.Style, chart.TraceDescription{}))
	}
	letters := make([]string, len(m.panes))
	for i := range letters {
		letters[i] = letter(i)
	}
	plots.Describe(layout.Axis, "traces", term,
		layout.Static(fmt.Sprintf(
			"Steps from left to right, values on the left. Each trace ends at the letter of its pane; equal traces are side by side: %s.",
			strings.Join(letters, ", "))))
	return layout.Panel(m.Style, m.Style.Plain(title), body.Below(plots), w, h, false).
		Section(title, term, "The progress of the methods, each with its own results, step by step: "+subject+".")
}

// describeRacer describes the progress of a method in a race.
func (m *Model) describeRacer(i int, p *pane) string {
	st := p.racer.State()
	t := report.TracesFor(st)
	text := fmt.Sprintf("%s, %s, after %s", letter(i), m.paneTitle(p), widget.Count(len(st.Iterations), "step"))
	if st.HasCosts() {
		text += " with a total cost of " + widget.Number(st.TotalCost())
	}
	switch n := len(t.Best); {
	case m.several() && p.outcomes != nil:
		return text + fmt.Sprintf(": its front dominates a hypervolume of%s, and its Bayes regret is%s.",
			last(p.outcomes.Traces.Hypervolume), last(p.outcomes.Traces.BayesRegret))
	case n > 0 && len(t.SimpleRegret) > 0 && m.shown.reveal:
		return text + fmt.Sprintf(": its best result is %s, %s worse than the optimum.",
			widget.Number(st.Problem.Objectives[0].Transform().ClampAll(t.Best)[n-1]),
			widget.Number(t.SimpleRegret[len(t.SimpleRegret)-1]))
	case n > 0:
		return text + fmt.Sprintf(": its best result is %s.",
			widget.Number(st.Problem.Objectives[0].Transform().ClampAll(t.Best)[n-1]))
	}
	return text + ": it has no result yet."
}

// last is the last value of a trace behind a space; nothing where there is none.
func last(values []float64) string {
	if n := len(values); n > 0 && !math.IsNaN(values[n-1]) {
		return " " + widget.Number(values[n-1])
	}
	return ""
}

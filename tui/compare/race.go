package compare

import (
	"math"
	"slices"

	"bandscope/sessions/report"
	"bandscope/tui/layout"
	"bandscope/tui/plot/trace"
	"bandscope/tui/screen"
)

// racePanel is the regret of every racer in one plot.
func (m *Model) racePanel(w, h int) []string {
	if m.several() {
		return m.severalRace(w, h)
	}
	st, g := m.Style, m.base.State().Problem.Objectives[0].Gauge()
	drawn := trace.Trace{X: "iteration", Log: true}
	title := "simple regret (log)"
	var entries []string
	for i, p := range m.panes {
		traces := report.TracesOf(p.racer.State())
		values := traces.Simple
		if values == nil || !m.shown.reveal {
			values, drawn.Log, title = g.AllShown(traces.Best), g.Log(), "best value"
		}
		last := ""
		if n := len(values); n > 0 {
			last = " " + screen.Number(values[n-1])
		}
		drawn.Series = append(drawn.Series, trace.Series{Values: values, Color: st.Series[i], Mark: letter(i)})
		entries = append(entries, st.PaintBold(st.Series[i], letter(i))+" "+st.Paint(st.Dim, st.Plain(m.paneTitle(p)))+st.Paint(st.Text, last))
	}
	var body []string
	for _, row := range layout.Flow(entries, "  ", w-4) {
		body = append(body, " "+row)
	}
	room := h - 2 - len(body)
	if !m.base.State().Costly() || w < 80 {
		return screen.Panel(st, title, append(body, drawn.Draw(w-2, room, st)...), w, h, false)
	}
	half := (w - 2) / 2
	left := drawn.Draw(half, room, st)
	for i := range left {
		left[i] = layout.Fit(left[i], half)
	}
	body = append(body, screen.Beside(left, m.byCost(drawn).Draw(w-2-half, room, st))...)
	return screen.Panel(st, title+", by iteration and by cost", body, w, h, false)
}

// byCost is a race over what the evaluations have cost, as far as the one that has spent most.
func (m *Model) byCost(t trace.Trace) trace.Trace {
	most := 0.0
	for _, p := range m.panes {
		most = max(most, p.racer.State().Spent())
	}
	t.X, t.From, t.To = "cost", "0", screen.Number(most)
	t.Series = slices.Clone(t.Series)
	for i, p := range m.panes {
		t.Series[i].Values = report.ByCost(t.Series[i].Values, report.TracesOf(p.racer.State()).Spent, most, 400)
	}
	return t
}

// severalRace is the race of several objectives: by hypervolume and by Bayes regret.
func (m *Model) severalRace(w, h int) []string {
	st := m.Style
	volume, regret := trace.Trace{X: "hypervolume"}, trace.Trace{X: "Bayes regret"}
	var entries []string
	for i, p := range m.panes {
		if p.outcomes == nil {
			continue
		}
		t := p.outcomes.Traces
		regret.Log, regret.X = t.Exact, t.RegretName()
		volume.Series = append(volume.Series, trace.Series{Values: t.Hypervolume, Color: st.Series[i], Mark: letter(i)})
		regret.Series = append(regret.Series, trace.Series{Values: t.BayesRegret, Color: st.Series[i], Mark: letter(i)})
		entries = append(entries, st.PaintBold(st.Series[i], letter(i))+" "+st.Paint(st.Dim, st.Plain(m.paneTitle(p)))+st.Paint(st.Text, last(t.Hypervolume))+
			st.Paint(st.Dim, " and"+last(t.BayesRegret)))
	}
	title := "hypervolume and " + regret.X + " by iteration"
	if len(m.panes) > 0 && m.panes[0].outcomes != nil && len(m.panes[0].outcomes.Traces.Hypervolume) > 0 {
		title += ", of " + m.panes[0].outcomes.Traces.Range.Label()
	}
	var body []string
	for _, row := range layout.Flow(entries, "  ", w-4) {
		body = append(body, " "+row)
	}
	room, half := h-2-len(body), (w-2)/2
	left := volume.Draw(half, room, st)
	for i := range left {
		left[i] = layout.Fit(left[i], half)
	}
	body = append(body, screen.Beside(left, regret.Draw(w-2-half, room, st))...)
	return screen.Panel(st, st.Plain(title), body, w, h, false)
}

// last is the last value of a trace behind a space; nothing where there is none.
func last(values []float64) string {
	if n := len(values); n > 0 && !math.IsNaN(values[n-1]) {
		return " " + screen.Number(values[n-1])
	}
	return ""
}

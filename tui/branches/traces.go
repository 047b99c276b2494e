package branches

import (
	"fmt"
	"strings"

	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// traced are the values of a trace of a state, and their name.
func traced(st sessions.State, kind int) (values []float64, name string, log bool) {
	t := report.AllTracesFor(st)
	type choice struct {
		values []float64
		name   string
		log    bool
	}
	all := []choice{{t.SimpleRegret, "simple regret", true}, {t.Best, "best value", false},
		{t.CumulativeRegret, "cumulative regret", false}}
	if t.Multiobjective != nil {
		all = []choice{{t.Multiobjective.Hypervolume, "hypervolume, " + t.Multiobjective.Range.Label(), false},
			{t.Multiobjective.BayesRegret, t.Multiobjective.RegretName() + ", " + t.Multiobjective.Range.Label(),
				false}}
	} else if t.SimpleRegret == nil {
		all = all[1:2]
	}
	c := all[kind%len(all)]
	return c.values, c.name, c.log
}

// traces draws the traces of the two branches.
func (m *Model) traces(w, h int) *layout.Box {
	end := func(values []float64) string {
		if len(values) == 0 {
			return "nothing yet"
		}
		return fmt.Sprintf("%s after %s", widget.Number(values[len(values)-1]), steps(len(values)))
	}
	a, name, log := traced(m.rows[m.base].branch.State, m.trace)
	series := []chart.Series{{Values: a, Color: m.Style.Mean, Mark: markBase}}
	text := fmt.Sprintf("The %s of both branches, step by step. Branch a, %q: %s", name, m.rows[m.base].branch.Name,
		end(a))
	if m.selected != m.base {
		b, _, _ := traced(m.rows[m.selected].branch.State, m.trace)
		series = append(series, chart.Series{Values: b, Color: m.Style.Used, Mark: markSelected})
		text += fmt.Sprintf(". Branch b, %q: %s", m.rows[m.selected].branch.Name, end(b))
	}
	term := map[bool]string{true: "simple regret"}[strings.HasPrefix(name, "simple")]
	axis := map[bool]string{true: " on a logarithmic axis"}[log]
	plot := chart.Trace{Series: series, Log: log, X: "step"}.Box(w-2, h-2, m.Style, chart.TraceDescription{}).
		Describe(layout.Axis, "traces", term,
			layout.Static("Values on the left"+axis+", steps from left to right. Each trace ends at the letter of its branch. If only one is visible, they are equal."))
	return layout.Panel(m.Style, m.Style.Plain(name), plot, w, h, false).Section(name, term, text+".")
}

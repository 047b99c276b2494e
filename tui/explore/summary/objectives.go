package summary

import (
	"fmt"
	"math"

	"bandscope/sessions/report"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/lessonpage"
	"bandscope/tui/widget"
)

// objectiveKind is a trace of several objectives.
type objectiveKind int

const (
	volume objectiveKind = iota
	bayesRegret
	tracesShare
	objectiveKindCount
)

var objectiveTitles = [objectiveKindCount]string{"hypervolume", "Bayes regret", "share in the boxes"}

// objectiveTraces is a trace of several objectives; a tall panel has the next ones that have values below it.
func (p *Traces) objectiveTraces(s Scene) *layout.Box {
	kinds := []objectiveKind{p.objectives}
	for i := range objectiveKindCount - 1 {
		if k := (p.objectives + 1 + i) % objectiveKindCount; k.missing(s) == "" {
			kinds = append(kinds, k)
		}
	}
	var plots []tracePlot
	for _, k := range kinds[:count(s.H, len(kinds))] {
		plots = append(plots, p.objectiveTrace(s, k))
	}
	return panel(s, plots...)
}

// values are the values of a trace; nil before they are computed.
func (k objectiveKind) values(s Scene) []float64 {
	t := s.Traces
	if t == nil {
		return nil
	}
	return [objectiveKindCount][]float64{t.Hypervolume, t.BayesRegret, t.BoxShare}[k]
}

// missing says why a trace has no value now; empty if it has one.
func (k objectiveKind) missing(s Scene) string {
	switch values := k.values(s); {
	case len(values) == 0:
		return "no results yet"
	case math.IsNaN(values[len(values)-1]):
		return "needs all initial points"
	}
	return ""
}

// objectiveTrace is one trace.
func (p *Traces) objectiveTrace(s Scene, k objectiveKind) tracePlot {
	st := s.Style
	t := s.Traces
	name := objectiveTitles[k]
	values := k.values(s)
	if t != nil && k == bayesRegret {
		name = t.RegretName()
	}
	plot := tracePlot{title: st.Plain(name), term: [objectiveKindCount]string{"hypervolume", "Bayes regret", "box"}[k],
		describe: layout.Static("The progress of the search: " + objectiveTitles[k] +
			". It needs the initial points, which set the range of each objective.")}
	if missing := k.missing(s); missing != "" {
		plot.draw = func(w, _ int) *layout.Box { return faint(s, w, missing) }
		return plot
	}
	n := len(values)
	title := TitleWithValue(name, values[n-1], s.W)
	long := title + " (" + t.Range.Label() + ")"
	if k.priorChanged(*t) {
		long = title + " (o: first prior " + widget.Number(t.PriorBayesRegret[n-1]) + ")"
	}
	plot.title, plot.describe = layout.FirstFit(st, s.W-layout.TitleRoom, long, title),
		func() string { return k.says(*t, values) }
	plot.draw = func(w, h int) *layout.Box {
		return p.cache.Box(objectiveTitles[k], fmt.Sprintf("%p %s %d %d %s", t, s.State.Head, w, h, st.Key()),
			func() *layout.Box { return k.draw(s, values, w, h) })
	}
	return plot
}

// draw draws a trace into w×h cells.
func (k objectiveKind) draw(s Scene, values []float64, w, h int) *layout.Box {
	t, n := *s.Traces, len(values)
	drawn := chart.Trace{Series: []chart.Series{{Values: values, Color: s.Style.Used}}, X: "step"}
	if k.priorChanged(t) {
		drawn.Series[0].Mark = "*"
		drawn.Series = append(drawn.Series, chart.Series{Values: t.PriorBayesRegret, Color: s.Style.Dim, Mark: "o"})
	}
	s.shareAxes(&drawn, lessonpage.TraceNames[int(byCost)+int(k)])
	left := [objectiveKindCount]string{"Vertical axis: the hypervolume, with objectives scaled to [0, 1].",
		"Vertical axis: the regret, with objectives scaled to [0, 1].",
		"Vertical axis: the share of the results, from 0 to 1."}[k]
	return drawn.Box(w, h, s.Style, chart.TraceDescription{Y: left,
		X: fmt.Sprintf("Horizontal axis: steps 1 to %d. The outcomes are scaled by this range: %s.", n,
			t.Range.Label()),
		Mark: func(mark string) (name, sentence, term string) {
			if mark == "*" {
				return "current prior",
					fmt.Sprintf("The line that ends at *: the regret under the current prior over weights, now %s.",
						widget.Number(values[n-1])), "Bayes regret"
			}
			return "initial prior", fmt.Sprintf(
					"The line that ends at o: the regret under the initial prior, %s. If it is below the other line, the new prior is harder to satisfy.",
					widget.Number(t.PriorBayesRegret[n-1])),
				"prior over weights"
		}})
}

// says describes a trace that has a value.
func (k objectiveKind) says(t report.ObjectiveTraces, v []float64) string {
	n := len(v)
	first, last := begins(v), widget.Number(v[n-1])
	switch {
	case k == volume:
		return fmt.Sprintf(
			"The hypervolume that the results dominate, with objectives scaled to [0, 1]: %s, %s after step %d. It can only grow.",
			first, last, n)
	case k == tracesShare:
		return fmt.Sprintf("The share of the results in the target boxes: %s after step %d.", last, n)
	case !t.Exact:
		return fmt.Sprintf(
			"The negative mean utility of the results for weights sampled from the prior, since the true front is unknown: %s, %s after step %d. Lower is better.",
			first, last, n)
	}
	return fmt.Sprintf(
		"The mean regret of the results for weights sampled from the prior: %s, %s after step %d. Lower is better.",
		first, last, n)
}

// priorChanged reports whether the trace under the initial prior differs from the one under the current prior.
func (k objectiveKind) priorChanged(t report.ObjectiveTraces) bool {
	n := len(t.BayesRegret)
	return k == bayesRegret && n > 0 && t.PriorBayesRegret[n-1] != t.BayesRegret[n-1]
}

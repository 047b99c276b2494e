package summary

import (
	"fmt"
	"math"

	"bandscope/sessions/report"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/lesson"
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

// objectiveTraces is a trace of several objectives.
func (p *Traces) objectiveTraces(s Scene) *layout.Box {
	st, k, o := s.Style, p.objectives, s.Outcomes
	title, values := objectiveTitles[k], []float64(nil)
	if o != nil {
		values = [objectiveKindCount][]float64{o.Traces.Hypervolume, o.Traces.BayesRegret, o.Traces.BoxShare}[k]
		if k == bayesRegret {
			title = o.Traces.RegretName()
		}
	}
	plot := tracePlot{term: [objectiveKindCount]string{"hypervolume", "Bayes regret", "box"}[k],
		describe: layout.Static("How the search goes, by " + objectiveTitles[k] +
			": it is known when the first points are all there, which say over which range each objective counts.")}
	n := len(values)
	if n == 0 || math.IsNaN(values[n-1]) {
		missing := "nothing to draw yet"
		if n > 0 {
			missing = "when the first points are all there"
		}
		plot.title, plot.draw = st.Plain(title), func(w, _ int) *layout.Box { return faint(s, w, missing) }
		return panel(s, plot)
	}
	title = TitleWithValue(title, values[n-1], s.W)
	if k.priorChanged(o.Traces) {
		title += " (o: first prior " + widget.Number(o.Traces.PriorBayesRegret[n-1]) + ")"
	} else if s.W >= 40 {
		title += " (" + o.Traces.Range.Label() + ")"
	}
	plot.title, plot.describe = st.Plain(title), func() string { return k.says(o.Traces, values) }
	plot.draw = func(w, h int) *layout.Box {
		return p.cache.Box(objectiveTitles[k], fmt.Sprintf("%p %s %d %d %s", o, s.State.Head, w, h, st.Key()),
			func() *layout.Box { return k.draw(s, values, w, h) })
	}
	return panel(s, plot)
}

// draw draws a trace into w×h cells.
func (k objectiveKind) draw(s Scene, values []float64, w, h int) *layout.Box {
	t, n := s.Outcomes.Traces, len(values)
	drawn := chart.Trace{Series: []chart.Series{{Values: values, Color: s.Style.Used}}, X: "iteration"}
	if k.priorChanged(t) {
		drawn.Series[0].Mark = "*"
		drawn.Series = append(drawn.Series, chart.Series{Values: t.PriorBayesRegret, Color: s.Style.Dim, Mark: "o"})
	}
	s.shareAxes(&drawn, lesson.TraceNames[int(byCost)+int(k)])
	left := [objectiveKindCount]string{"Hypervolumes, of ranges from 0 to 1.",
		"Regrets of weighted outcomes, of ranges from 0 to 1.", "Shares, of 1."}[k]
	return drawn.Box(w, h, s.Style, chart.TraceDescription{Y: left,
		X: fmt.Sprintf("The steps, 1 to %d, and over which range outcomes are counted: %s.", n, t.Range.Label()),
		Mark: func(mark string) (name, sentence, term string) {
			if mark == "*" {
				return "under the prior that holds",
					fmt.Sprintf("The line that ends at *: under the prior over weights that holds now, %s.",
						widget.Number(values[n-1])), "Bayes regret"
			}
			return "under the first prior", fmt.Sprintf(
					"The line that ends at o: under the prior with which the search began, %s. Where it is below the "+
						"other, the change made the aim harder.", widget.Number(t.PriorBayesRegret[n-1])),
				"prior over weights"
		}})
}

// says describes a trace that has a value.
func (k objectiveKind) says(t report.ObjectiveTraces, v []float64) string {
	n := len(v)
	first, last := begins(v), widget.Number(v[n-1])
	switch {
	case k == volume:
		return fmt.Sprintf("How much of the space of objectives the results dominate, above the reference point, "+
			"with every range counted from 0 to 1: %s, %s after step %d. It can only grow.", first, last, n)
	case k == tracesShare:
		return fmt.Sprintf("Which share of the results lies in the boxes of wanted outcomes: %s after step %d.", last,
			n)
	case !t.Exact:
		return fmt.Sprintf("How good the results are for weights drawn from the prior, on average and with a minus, "+
			"since no front is known from which a regret could be counted: %s, %s after step %d. Less is better.",
			first, last, n)
	}
	return fmt.Sprintf("How far the results are from the best for weights drawn from the prior, on average: %s, %s "+
		"after step %d. What matters under the prior alone counts.", first, last, n)
}

// priorChanged reports whether the trace under the first prior is drawn beside that under the prior that holds, because
// it ends elsewhere.
func (k objectiveKind) priorChanged(t report.ObjectiveTraces) bool {
	n := len(t.BayesRegret)
	return k == bayesRegret && n > 0 && t.PriorBayesRegret[n-1] != t.BayesRegret[n-1]
}

package traces

import (
	"math"

	"bandscope/sessions/report"
	"bandscope/tui/belief/several"
	"bandscope/tui/plot"
	"bandscope/tui/plot/trace"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// objectiveKind is a trace of several objectives.
type objectiveKind int

const (
	volume objectiveKind = iota
	bayes
	share
	objectiveKinds
)

var objectiveTitles = [objectiveKinds]string{"hypervolume", "Bayes regret", "share in the boxes"}

// drawObjectives draws a trace of several objectives.
func (p *Panel) drawObjectives(s Scene) []string {
	st, k, o := s.Style, p.objectives, s.Outcomes
	title, values := objectiveTitles[k], []float64(nil)
	if o != nil {
		values = [objectiveKinds][]float64{o.Traces.Hypervolume, o.Traces.BayesRegret, o.Traces.Share}[k]
		if k == bayes {
			title = o.Traces.RegretName()
		}
	}
	lines := []string{"", " " + st.Paint(st.Dim, "nothing to draw yet")}
	switch n := len(values); {
	case n > 0 && math.IsNaN(values[n-1]):
		lines[1] = " " + st.Paint(st.Dim, st.Plain("when the first points are all there"))
	case n > 0:
		title = Titled(title, values[n-1], s.W)
		drawn := trace.Trace{Series: []trace.Series{{Values: values, Color: st.Used}}, X: "iteration"}
		if first := o.Traces.Original; k.resteered(o.Traces) {
			title += " (o: first prior " + screen.Number(first[n-1]) + ")"
			drawn.Series[0].Mark = "*"
			drawn.Series = append(drawn.Series, trace.Series{Values: first, Color: st.Dim, Mark: "o"})
		} else if s.W >= 40 {
			title += " (" + o.Traces.Range.Label() + ")"
		}
		lines = drawn.Draw(s.W-2, s.H-2, st)
	}
	return screen.Panel(st, st.Plain(title), lines, s.W, s.H, false)
}

// resteered reports whether the trace under the first prior is drawn beside that under the prior that holds, because it ends elsewhere.
func (k objectiveKind) resteered(t report.ObjectiveTraces) bool {
	n := len(t.BayesRegret)
	return k == bayes && n > 0 && t.Original[n-1] != t.BayesRegret[n-1]
}

// drawOutcomes draws all outcomes of the data, of which the picture shows a pair: a line a point from objective to objective, 1 being best, those
// that nothing dominates in front, dotted where it is beyond a limit.
func drawOutcomes(s Scene) []string {
	st, o := s.Style, s.Outcomes
	count := len(s.State.Problem.Objectives)
	c := plot.Chart{X: plot.Axis{Min: 1, Max: float64(count), Label: "objective", Whole: true}, Y: plot.Axis{Min: -0.1, Max: 1.2}, Gutter: 5}
	if o != nil {
		xs, dominated := upTo(count), several.Drawing{State: s.State}.Dominated()
		for i, it := range s.State.Iterations {
			for b, y := range it.Y {
				if it.Failed[b] {
					continue
				}
				line := plot.Curve{X: xs, Y: s.State.Outcome(y, o.Lo, o.Hi), Color: st.Sample, Line: theme.Fine, Priority: 1}
				switch {
				case !s.State.Counts(it, b):
					line.Color, line.Line = st.Warn, theme.Dotted
				case i == len(s.State.Iterations)-1:
					line.Color, line.Line, line.Priority = st.Newest, theme.Dashed, 5
				case !dominated[i][b]:
					line.Color, line.Line, line.Priority = st.Data, theme.Solid, 4
				}
				c.Layers = append(c.Layers, line)
			}
		}
	}
	return screen.Panel(st, "all outcomes, 1 best", c.Draw(s.W-2, s.H-2, st).Lines(), s.W, s.H, false)
}

// drawInputs draws the values of all variables of the data: a line a point from variable to variable, the best and the newest in front.
func drawInputs(s Scene) []string {
	st, d := s.Style, s.State.Problem.Dim()
	c := plot.Chart{X: plot.Axis{Min: 1, Max: math.Max(float64(d), 2), Label: "variable", Whole: true}, Y: plot.Axis{Min: 0, Max: 1}, Gutter: 5}
	xs := upTo(d)
	_, best, bestStep, ok := s.State.Best()
	for i, it := range s.State.Iterations {
		for b, x := range it.X {
			line := plot.Curve{X: xs, Y: s.State.Problem.Domain.ToUnit(x), Color: st.Sample, Line: theme.Fine, Priority: 1}
			switch {
			case ok && it.Step == bestStep && !it.Failed[b] && it.Y[b][0] == best:
				line.Color, line.Line, line.Priority = st.Best, theme.Solid, 5
			case i == len(s.State.Iterations)-1:
				line.Color, line.Line, line.Priority = st.Newest, theme.Dashed, 4
			}
			c.Layers = append(c.Layers, line)
		}
	}
	return screen.Panel(st, "all variables of the data", c.Draw(s.W-2, s.H-2, st).Lines(), s.W, s.H, false)
}

// upTo are the numbers from 1.
func upTo(n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = float64(i + 1)
	}
	return xs
}

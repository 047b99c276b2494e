package explore

import (
	"math"

	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// outcomesPanel shows all outcomes of the data, of which the plot shows a pair: a line a point from objective to objective, 1 being best, those
// that nothing dominates in front.
func (m *Model) outcomesPanel(l layout) []string {
	st, o := m.style, m.steer.outcomes
	objectives := m.state.Problem.Objectives
	c := plot.Chart{X: plot.Axis{Min: 1, Max: float64(len(objectives)), Label: "objective", Whole: true}, Y: plot.Axis{Min: -0.1, Max: 1.2}, Gutter: 5}
	xs := make([]float64, len(objectives))
	for k := range xs {
		xs[k] = float64(k + 1)
	}
	if o != nil {
		dominated := m.outcomeDrawing().Dominated()
		for i, it := range m.state.Iterations {
			for b, y := range it.Y {
				if it.Failed[b] {
					continue
				}
				line := plot.Curve{X: xs, Y: m.state.Outcome(y, o.Lo, o.Hi), Color: st.Sample, Line: theme.Fine, Priority: 1}
				switch {
				case i == len(m.state.Iterations)-1:
					line.Color, line.Line, line.Priority = st.Newest, theme.Dashed, 5
				case !dominated[i][b]:
					line.Color, line.Line, line.Priority = st.Data, theme.Solid, 4
				}
				c.Layers = append(c.Layers, line)
			}
		}
	}
	return screen.Panel(st, "all outcomes, 1 best", c.Draw(l.side-2, l.regret-2, st).Lines(), l.side, l.regret, false)
}

// coordinatesPanel shows the values of all variables of the data: a line a point from variable to variable, the best and the newest in front.
func (m *Model) coordinatesPanel(l layout) []string {
	st := m.style
	d := m.state.Problem.Dim()
	c := plot.Chart{X: plot.Axis{Min: 1, Max: math.Max(float64(d), 2), Label: "variable", Whole: true}, Y: plot.Axis{Min: 0, Max: 1}, Gutter: 5}
	xs := make([]float64, d)
	for i := range xs {
		xs[i] = float64(i + 1)
	}
	_, best, bestStep, ok := m.state.Best()
	n := len(m.state.Iterations)
	for i, it := range m.state.Iterations {
		for b, x := range it.X {
			line := plot.Curve{X: xs, Y: m.state.Problem.Domain.ToUnit(x), Color: st.Sample, Line: theme.Fine, Priority: 1}
			switch {
			case ok && it.Step == bestStep && !it.Failed[b] && it.Y[b][0] == best:
				line.Color, line.Line, line.Priority = st.Best, theme.Solid, 5
			case i == n-1:
				line.Color, line.Line, line.Priority = st.Newest, theme.Dashed, 4
			}
			c.Layers = append(c.Layers, line)
		}
	}
	title := "all variables of the data"
	return screen.Panel(st, title, c.Draw(l.side-2, l.regret-2, st).Lines(), l.side, l.regret, false)
}

package summary

import (
	"fmt"
	"math"
	"strings"

	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/picture/front"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// coordinates is a parallel coordinates plot of the data: one line per point.
func (p *Traces) coordinates(s Scene, title, term, says string, description chart.Description, source any,
	chart func() chart.Chart) *layout.Box {
	return panel(s, tracePlot{title, term, layout.Static(says), func(w, h int) *layout.Box {
		return p.cache.Box(title, fmt.Sprintf("%p %s %d %d %s", source, s.State.Head, w, h, s.Style.Key()),
			func() *layout.Box {
				b := chart().Box(w, h, s.Style, description)
				b.Value = nil // the mouse chooses points only in the picture
				return b
			})
	}})
}

// outcomes is a parallel coordinates plot of the objectives: 1 is best, nondominated points are in front, and lines of
// points that violate a limit are dotted.
func (p *Traces) outcomes(s Scene) *layout.Box {
	objectives := s.State.Problem.Objectives
	var names []string
	for _, o := range objectives {
		names = append(names, o.Name)
	}
	return p.coordinates(s, "all outcomes (1 is best)", "Pareto front",
		fmt.Sprintf(
			"Parallel coordinates of all %d objectives for %s, one line per point. Solid lines are nondominated, the dashed line is the newest point, dotted lines violate a limit.",
			len(objectives), results(s)),
		chart.Description{Y: "Vertical axis: the outcome; 1 is the best of the objective's range, 0 the worst.",
			X: "Horizontal axis: the objectives. " + numbered(names) + "."}, s.Outcomes, func() chart.Chart {
			return outcomesChart(s)
		})
}

func outcomesChart(s Scene) chart.Chart {
	st, o := s.Style, s.Outcomes
	count := len(s.State.Problem.Objectives)
	c := chart.Chart{X: chart.Axis{Min: 1, Max: float64(count), Label: "objective", Integer: true},
		Y: chart.Axis{Min: -0.1, Max: 1.2}, Gutter: 5}
	if o == nil {
		return c
	}
	xs, dominated := upTo(count), front.Drawing{State: s.State}.Dominated()
	for i, it := range s.State.Iterations {
		for b, pt := range it.Points {
			if pt.Failed {
				continue
			}
			line := chart.Curve{X: xs, Y: s.State.Outcome(pt.Y, o.Lo, o.Hi), Color: st.Sample, Line: theme.Fine,
				Priority: 1}
			switch {
			case !s.State.Feasible(it, b):
				line.Color, line.Line = st.Warn, theme.Dotted
			case i == len(s.State.Iterations)-1:
				line.Color = st.Newest
				line.Line = theme.Dashed
				line.Priority = 5
			case !dominated[i][b]:
				line.Color = st.Data
				line.Line = theme.Solid
				line.Priority = 4
			}
			c.Layers = append(c.Layers, line)
		}
	}
	return c
}

// inputs is a parallel coordinates plot of the variables, with the best and the newest point in front.
func (p *Traces) inputs(s Scene) *layout.Box {
	var names []string
	for _, v := range s.State.Problem.Domain {
		names = append(names, v.Name)
	}
	return p.coordinates(s, "all variables", "observation",
		fmt.Sprintf(
			"Parallel coordinates of all %d variables for %s, one line per point. The solid line is the best point, the dashed line the newest one.",
			len(names), results(s)),
		chart.Description{Y: "Vertical axis: the value in the range of its variable, from 0 to 1.",
			X: "Horizontal axis: the variables. " + numbered(names) + "."}, nil, func() chart.Chart {
			return inputsChart(s)
		})
}

func inputsChart(s Scene) chart.Chart {
	st, d := s.Style, s.State.Problem.Dim()
	c := chart.Chart{X: chart.Axis{Min: 1, Max: math.Max(float64(d), 2), Label: "variable", Integer: true},
		Y: chart.Axis{Min: 0, Max: 1}, Gutter: 5}
	xs := upTo(d)
	_, best, bestStep, ok := s.State.Best()
	for i, it := range s.State.Iterations {
		for _, pt := range it.Points {
			line := chart.Curve{X: xs, Y: s.State.Problem.Domain.ToUnit(pt.X), Color: st.Sample, Line: theme.Fine,
				Priority: 1}
			switch {
			case ok && it.Step == bestStep && !pt.Failed && pt.Y[0] == best:
				line.Color = st.Best
				line.Line = theme.Solid
				line.Priority = 5
			case i == len(s.State.Iterations)-1:
				line.Color = st.Newest
				line.Line = theme.Dashed
				line.Priority = 4
			}
			c.Layers = append(c.Layers, line)
		}
	}
	return c
}

// upTo are the numbers from 1.
func upTo(n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = float64(i + 1)
	}
	return xs
}

// results counts the results.
func results(s Scene) string {
	n := 0
	for _, it := range s.State.Iterations {
		n += len(it.Points)
	}
	return widget.Count(n, "result")
}

// numbered are names with their numbers, at most 6 of them.
func numbered(names []string) string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = fmt.Sprintf("%d is %s", i+1, name)
	}
	if len(all) > 6 {
		all = append(all[:5:5], "…", all[len(all)-1])
	}
	return strings.Join(all, ", ")
}

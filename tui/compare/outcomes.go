package compare

import (
	"context"
	"math"

	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/picture/front"
	"bandscope/tui/widget"
)

// several reports whether the problem has more than one objective: then outcomes are compared.
func (m *Model) several() bool { return len(m.base.State().Problem.Objectives) > 1 }

// onlyOne says why a key does nothing where there are several objectives.
func (m *Model) onlyOne() string {
	return widget.Why(m.several(), "not available with several objectives; y overlays their fronts")
}

// pair are the objectives along x and y.
func (m *Model) pair() (i, j int) {
	n := len(m.base.State().Problem.Objectives)
	return m.shown.first % n, (m.shown.first + 1) % n
}

// computeOutcomes computes the picture of outcomes of a source.
func computeOutcomes(ctx context.Context, src picture.Source, progress sessions.Progress, _ func(result)) (result,
	error) {
	o, err := front.Compute(ctx, src, progress)
	return result{outcomes: o}, err
}

// outcomeDrawing declares the space of outcomes of a pane.
func (m *Model) outcomeDrawing(p *pane) front.Drawing {
	i, j := m.pair()
	d := front.Drawing{Style: m.Style, State: p.source(m.arrangement).State(), Outcomes: p.outcomes, I: i, J: j,
		Reveal: m.shown.reveal, Moving: -1, NoSamples: m.comparison.NoFronts}
	d.Fitting = m.fitting(p)
	if d.Outcomes == nil {
		d.Outcomes = front.Unfitted(d.State)
	}
	return d
}

// outcomesPane are the outcomes as one method predicts them; all panes have the same axes.
func (m *Model) outcomesPane(i, w, h int, x, y chart.Axis, shared *sharedLegend) *layout.Box {
	p := m.panes[i]
	return m.framed(i, w, h, nil, "", func(w, h int) *layout.Box {
		c := m.outcomeDrawing(p).Chart()
		c.X, c.Y = x, y
		return shared.draw(c, w, h, m.Style,
			m.describeOutcomes(p, c, front.Describe(m.outcomeDrawing(p), nil).Describe))
	})
}

// describeOutcomes describes a chart of outcomes of one pane.
func (m *Model) describeOutcomes(p *pane, c chart.Chart, marks func(string) (string, string)) chart.Description {
	f := front.Describe(m.outcomeDrawing(p), nil)
	i, j := m.pair()
	return chart.Description{Marks: here(marks), Y: f.DescribeAxis(j, c.Y.Min, c.Y.Max, true),
		X: f.DescribeAxis(i, c.X.Min, c.X.Max, false)}
}

// sharedAxes are axes that hold the charts of all panes.
func (m *Model) sharedAxes() (x, y chart.Axis) {
	i, j := m.pair()
	objectives := m.base.State().Problem.Objectives
	x = chart.Axis{Label: picture.AxisName(objectives[i]), Min: math.Inf(1), Max: math.Inf(-1),
		Log: objectives[i].Transform().IsLog()}
	y = chart.Axis{Label: picture.AxisName(objectives[j]), Min: math.Inf(1), Max: math.Inf(-1),
		Log: objectives[j].Transform().IsLog()}
	for _, p := range m.panes {
		c := m.outcomeDrawing(p).Chart()
		x.Min = min(x.Min, c.X.Min)
		x.Max = max(x.Max, c.X.Max)
		y.Min = min(y.Min, c.Y.Min)
		y.Max = max(y.Max, c.Y.Max)
	}
	if !(x.Min < x.Max) || !(y.Min < y.Max) {
		x.Min = 0
		x.Max = 1
		y.Min = 0
		y.Max = 1
	}
	return x, y
}

// observed are the data that all panes share.
func (m *Model) observed() []chart.Layer {
	d := m.outcomeDrawing(m.panes[0])
	return d.Observed()
}

package modelcheck

import (
	"fmt"
	"math"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Names of marks of the plot of predictions.
const (
	diagonalName = "as predicted"
	intervalName = "±2 sd"
)

// toggleScatter shows the results against their predictions, or the residuals again.
func (m *CheckPage) toggleScatter() tea.Cmd {
	m.scatter = !m.scatter
	m.view = 0
	return nil
}

// predicted draws the leave-one-out prediction of each result, with 2 standard deviations, against the result.
func (m *CheckPage) predicted(w, h int) *layout.Box {
	o, c := m.objective(), m.predictedChart()
	ends := fmt.Sprintf("from %s to %s", widget.Number(c.X.Min), widget.Number(c.X.Max))
	title := "predicted against observed"
	if len(m.report.Objectives) > 1 {
		title += ": " + sanitize.Text(o.Name)
	}
	inside := 0
	for _, d := range o.Data {
		if math.Abs(d.Z) <= 2 {
			inside++
		}
	}
	says := fmt.Sprintf("The leave-one-out predictions of %s of %s against the results. Points near the diagonal are predicted well, and the bars of %d of them reach it. In a model that learns nothing all predictions have the same height.",
		widget.Count(len(o.Data), "result"), o.Name, inside)
	return m.drawn(title, c, w, h, "leave-one-out", says, chart.Description{Marks: m.predictedMarks,
		X: "The result, " + ends + ".", Y: "Its prediction from the other results, " + ends + "."})
}

// predictedMarks describes the marks of the plot of predictions.
func (m *CheckPage) predictedMarks(name string) (sentence, term string) {
	switch name {
	case diagonalName:
		return "Where a prediction equals its result. Above it the prediction is too high, below it too low.", "leave-one-out"
	case intervalName:
		return "2 standard deviations of a prediction on either side. About 95 % of the bars should reach the diagonal.",
			"coverage"
	}
	return m.residualMarks(name)
}

// predictedChart is the prediction of each result against the result, on the scale of the objective.
func (m *CheckPage) predictedChart() chart.Chart {
	st, o := m.Style, m.objective()
	g := o.Transform()
	value := func(v float64) float64 { return g.FromScale(g.ToScale(v)) } // not below the floor of a logarithm
	bars := chart.Errors{Color: st.BandEdge, Name: intervalName}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, d := range o.Data {
		mean, x := g.ToScale(d.Prediction.Mean), g.ToScale(d.Value)
		lo, hi = min(lo, mean, x), max(hi, mean, x)
		bars.At = append(bars.At, value(d.Value))
		bars.Lo = append(bars.Lo, g.FromScale(mean-2*d.Prediction.SD))
		bars.Hi = append(bars.Hi, g.FromScale(mean+2*d.Prediction.SD))
	}
	lo, hi = chart.Pad(lo, hi)
	axis := chart.Axis{Min: g.FromScale(lo), Max: g.FromScale(hi), Log: g.IsLog()}
	c := chart.Chart{X: axis, Y: axis}
	c.X.Label, c.Y.Label = "observed "+sanitize.Text(o.Name), "predicted"
	diagonal := chart.Curve{Color: st.Mean, Line: theme.Dashed, Name: diagonalName}
	for i := range diagonalNodes {
		v := g.FromScale(lo + (hi-lo)*float64(i)/(diagonalNodes-1))
		diagonal.X, diagonal.Y = append(diagonal.X, v), append(diagonal.Y, v)
	}
	c.Layers = append([]chart.Layer{diagonal, bars}, m.points(func(_ int, d diagnostics.Residual) (x, y float64) {
		return value(d.Value), value(d.Prediction.Mean)
	})...)
	return c
}

// diagonalNodes is how many points the diagonal has, since it may cross a logarithmic axis.
const diagonalNodes = 33

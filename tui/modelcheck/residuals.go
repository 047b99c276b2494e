package modelcheck

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"

	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// maxZ bounds the residuals that are drawn at their value; larger ones are drawn at the edge.
const maxZ = 6

// residuals draws the standardized residual of each result, or the results against their predictions.
func (m *CheckPage) residuals(w, h int) *layout.Box {
	if m.scatter && m.noResiduals() == "" {
		return m.predicted(w, h)
	}
	if why := m.noResiduals(); why != "" {
		return layout.EmptyPanel(m.Style, "leave-one-out residuals", why, w, h, "leave-one-out",
			"How far each result is from its leave-one-out prediction, in standard deviations of the prediction.", why)
	}
	o, c := m.objective(), m.residualsChart()
	left := fmt.Sprintf("The standardized residual: how many standard deviations a result is above its prediction, from %s to %s",
		widget.Number(c.Y.Min), widget.Number(c.Y.Max))
	if c.Y.Max >= maxZ {
		left += fmt.Sprintf("; residuals beyond %d are drawn at the edge", maxZ)
	}
	says := fmt.Sprintf("The leave-one-out residuals of %s of %s, in standard deviations of the predictions. Their root mean square is %s; it is 1 for a band of the right width, more if the band is too narrow, less if it is too wide.",
		widget.Count(len(o.Data), "result"), o.Name, widget.Number(o.RMSZ))
	return m.drawn(m.residualsTitle(), c, w, h, "leave-one-out", says,
		chart.Description{Marks: m.residualMarks, Y: left + ".",
			X: fmt.Sprintf(
				"The results in order, 1 to %d. Many successive results on one side of 0 indicate that the model misses a trend.",
				len(o.Data))})
}

// residualMarks describes the marks of the residuals.
func (m *CheckPage) residualMarks(name string) (sentence, term string) {
	o := m.objective()
	n := len(o.Data)
	inside := 0
	above := 0
	for _, d := range o.Data {
		if math.Abs(d.Z) <= 1.96 {
			inside++
		}
		if d.Z > 0 {
			above++
		}
	}
	switch {
	case name == "result":
		d := o.Data[n-1]
		for i := n - 1; d.Outlier && i >= 0; i-- {
			d = o.Data[i]
		}
		return "A result that the model predicts well. " + m.datum(d), "standardized residual"
	case name == "95 %":
		return fmt.Sprintf(
			"From −1.96 to 1.96 standard deviations, where 95 %% of the results are if the band is right: %d of %d (%.0f %%) are inside.",
			inside, n, 100*float64(inside)/float64(n)), "coverage"
	case name == "expected":
		return fmt.Sprintf(
				"The prediction: a result on this line is exactly as predicted. %d of %d are higher and %d lower; if one number is much larger, the mean is biased.",
				above, n, n-above),
			"standardized residual"
	}
	if says := m.describeBlock(name); says != "" {
		return says, "block"
	}
	if !strings.HasPrefix(name, "outlier") {
		return "", ""
	}
	worst := o.Data[0]
	for _, d := range o.Data {
		if math.Abs(d.Z) > math.Abs(worst.Z) {
			worst = d
		}
	}
	return "A result far from its prediction: a measurement error, a rare event, or a function that the model does not fit. " +
		m.datum(worst), "outlier"
}

// datum describes a result with its leave-one-out prediction.
func (m *CheckPage) datum(d diagnostics.Residual) string {
	label := d.Label
	if d.Block != "" {
		label += " of " + sanitize.Text(d.Block)
	}
	return fmt.Sprintf("Result %s is %s at %s. The prediction without it is %s ± %s, so the result is %s standard deviations %s.",
		label, widget.Number(d.Value), widget.Point(m.state.Problem.Domain, d.X),
		widget.Number(d.Prediction.Mean), widget.Number(d.Prediction.SD), widget.Number(math.Abs(d.Z)),
		map[bool]string{true: "lower", false: "higher"}[d.Z < 0])
}

// residualsTitle says of which objective the residuals are.
func (m *CheckPage) residualsTitle() string {
	if len(m.report.Objectives) > 1 {
		return "leave-one-out residuals of " + sanitize.Text(m.objective().Name)
	}
	return "leave-one-out residuals"
}

// residualsChart is the standardized residual of each result, in the order of the results.
func (m *CheckPage) residualsChart() chart.Chart {
	st, o := m.Style, m.objective()
	limit := 3.0
	for _, d := range o.Data {
		limit = max(limit, min(math.Abs(d.Z)*1.1, maxZ))
	}
	ends := []float64{0.5, float64(len(o.Data)) + 0.5}
	layers := []chart.Layer{chart.Band{X: ends, Lo: []float64{-1.96, -1.96}, Hi: []float64{1.96, 1.96}, Color: st.Band,
		Name: "95 %"}, chart.Curve{X: ends, Y: []float64{0, 0}, Color: st.Mean, Line: theme.Dashed, Name: "expected"}}
	return chart.Chart{X: chart.Axis{Label: "result", Min: ends[0], Max: ends[1], Integer: true},
		Y: chart.Axis{Align: true, Label: "residual (sd)", Min: -limit, Max: limit},
		Layers: append(layers, m.points(func(i int, d diagnostics.Residual) (x, y float64) {
			return float64(i + 1), min(max(d.Z, -maxZ), maxZ)
		})...)}
}

// points are the results at places, by their blocks, and the outliers.
func (m *CheckPage) points(place func(i int, d diagnostics.Residual) (x, y float64)) (layers []chart.Layer) {
	blocks := m.blockNames()
	seen := make([]chart.Points, 1+len(blocks)) // without a block, then by block
	for i := range seen {
		seen[i].Shape, seen[i].Color = m.blockMark(i - 1)
		seen[i].Name = otherBlocks
		if i > 0 {
			seen[i].Name, seen[i].Short = m.blockLegend(blocks[i-1]), sanitize.Text(blocks[i-1])
		}
	}
	if blocks == nil {
		seen[0].Shape, seen[0].Name = theme.GlyphFilled, "result"
	}
	odd := chart.Points{Shape: theme.GlyphOutlier, Color: m.Style.Warn, Name: fmt.Sprintf("outlier: beyond %d sd",
		diagnostics.OutlierSD)}
	for i, d := range m.objective().Data {
		points := &seen[1+slices.Index(blocks, d.Block)]
		if d.Outlier {
			points = &odd
		}
		x, y := place(i, d)
		points.X, points.Y = append(points.X, x), append(points.Y, y)
	}
	for _, points := range slices.Backward(seen) { // the legend has the last layer first
		layers = append(layers, points)
	}
	return append(layers, odd)
}

package diagnostics

import (
	"fmt"
	"math"
	"strings"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"

	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// maxZ is how far a residual is drawn; one beyond stands at the edge.
const maxZ = 6

// residuals draws the standardized residual of each result.
func (m *CheckPage) residuals(w, h int) *layout.Box {
	if why := m.noResiduals(); why != "" {
		return layout.EmptyPanel(m.Style, "residuals, each result left out", why, w, h, "leave-one-out",
			"How far each result is from what the others expect of it, in standard deviations of that: how wrong a "+
				"model was where it could not know.", why)
	}
	o, c := m.objective(), m.residualsChart()
	left := fmt.Sprintf("Standard deviations by which a result is above or below what is expected, from %s to %s here",
		widget.Number(c.Y.Min), widget.Number(c.Y.Max))
	if c.Y.Max >= maxZ {
		left += fmt.Sprintf("; one beyond %d stands at the edge", maxZ)
	}
	says := fmt.Sprintf("Each of the %s of %s as the model would have expected it from all others, in standard "+
		"deviations of that expectation. Their root mean square is %s; a band of the right width has 1, more is too "+
		"narrow, less too wide.",
		widget.Count(len(o.Data), "result"), o.Name, widget.Number(o.RMSZ))
	return m.drawn(m.residualsTitle(), c, w, h, "leave-one-out", says,
		chart.Description{Marks: m.residualMarks, Y: left + ".",
			X: fmt.Sprintf("The results in the order in which they came, 1 to %d; a run of them on one side of 0 "+
				"would "+
				"say that the model misses something.", len(o.Data))})
}

// residualMarks describes what the plot of the residuals draws.
func (m *CheckPage) residualMarks(name string) (sentence, term string) {
	o := m.objective()
	n, inside, above := len(o.Data), 0, 0
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
		return "A result that the others foresaw. " + m.datum(d), "standardized residual"
	case name == "95 %":
		return fmt.Sprintf("From −1.96 to 1.96 standard deviations, where 95 %% of the results belong if the band is "+
			"right: %d of %d are inside, %.0f %%.", inside, n, 100*float64(inside)/float64(n)), "coverage"
	case name == "expected":
		return fmt.Sprintf("What the others expect: a result on this line came just so. %d of %d came higher and %d "+
				"lower; much more of one kind is a mean that lies beside the data.", above, n, n-above),
			"standardized residual"
	}
	if !strings.HasPrefix(name, "not understood") {
		return "", ""
	}
	worst := o.Data[0]
	for _, d := range o.Data {
		if math.Abs(d.Z) > math.Abs(worst.Z) {
			worst = d
		}
	}
	return "A result that the model cannot have foreseen: an error of measurement, a rare accident, or a function " +
		"that it cannot follow. " + m.datum(worst), "stranger"
}

// datum tells a result with what the others expect of it.
func (m *CheckPage) datum(d diagnostics.Residual) string {
	return fmt.Sprintf("Result %s, %s at %s: the others expect %s ± %s there, so it came %s standard deviations %s.",
		d.Label, widget.Number(d.Value), widget.Point(m.state.Problem.Domain, d.X),
		widget.Number(d.Prediction.Mean), widget.Number(d.Prediction.SD), widget.Number(math.Abs(d.Z)),
		map[bool]string{true: "lower", false: "higher"}[d.Z < 0])
}

// residualsTitle says of which objective the residuals are.
func (m *CheckPage) residualsTitle() string {
	if len(m.report.Objectives) > 1 {
		return "residuals of " + sanitize.Text(m.objective().Name) + ", each left out"
	}
	return "residuals, each result left out"
}

// residualsChart is the standardized residual of each result, in the order of the results.
func (m *CheckPage) residualsChart() chart.Chart {
	st, o := m.Style, m.objective()
	var seen, odd chart.Points
	far := 3.0
	for i, d := range o.Data {
		far = max(far, min(math.Abs(d.Z)*1.1, maxZ))
		points := &seen
		if d.Outlier {
			points = &odd
		}
		points.X, points.Y = append(points.X, float64(i+1)), append(points.Y, min(max(d.Z, -maxZ), maxZ))
	}
	ends := []float64{0.5, float64(len(o.Data)) + 0.5}
	seen.Shape, seen.Color, seen.Name = theme.GlyphFilled, st.Data, "result"
	odd.Shape, odd.Color, odd.Name = theme.GlyphOutlier, st.Warn,
		fmt.Sprintf("not understood: beyond %d sd", diagnostics.OutlierSD)
	return chart.Chart{X: chart.Axis{Label: "result", Min: ends[0], Max: ends[1], Integer: true},
		Y: chart.Axis{Label: "sd off", Min: -far, Max: far},
		Layers: []chart.Layer{chart.Band{X: ends, Lo: []float64{-1.96, -1.96}, Hi: []float64{1.96, 1.96},
			Color: st.Band, Name: "95 %"},
			chart.Curve{X: ends, Y: []float64{0, 0}, Color: st.Mean, Line: theme.Dashed, Name: "expected"}, seen, odd}}
}

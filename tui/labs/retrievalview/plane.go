package retrievalview

import (
	"fmt"
	"slices"

	"bandscope/functions/trainer/retrieval"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// toyStyle is the style of the flow of a norm: that of the run which has this regularizer by default.
func (d drawing) toyStyle(n retrieval.Norm) (theme.Color, theme.Line, theme.Glyph) {
	switch n {
	case retrieval.Relaxation:
		return d.Style.Series[0], theme.Solid, theme.GlyphFilled
	case retrieval.FlowL1:
		return d.Style.Series[1], theme.Dashed, theme.GlyphHollow
	}
	return d.Style.Series[3], theme.Dotted, theme.GlyphTriangle
}

// plane draws the toy model: two activations under a regularizer alone, from (0.40, 0.10) (figure 5.3b).
func (d drawing) plane(w, h int) *layout.Box {
	const title, term = "toy model: two activations", "FLOPs relaxation"
	if len(d.flows) == 0 {
		return d.waiting(title, measuring, w, h, term)
	}
	says := func() string {
		return fmt.Sprintf("Two activations under the gradient flow of a regularizer alone, from the probabilities 0.4 and 0.1 to time τ = %s at update %d. On the fine line both are equally active.",
			widget.NumberIn(d.tau, 5), d.State.Step)
	}
	return d.panel(title, w, h, term, says, func(w, h int) *layout.Box {
		st := d.Style
		plot := chart.Chart{X: chart.Axis{Label: "p₁", Min: 0, Max: 0.45},
			Y: chart.Axis{Label: "p₂", Min: 0, Max: 0.11}}
		plot.Layers = []chart.Layer{chart.Curve{X: []float64{0, 0.11}, Y: []float64{0, 0.11}, Color: st.Faint,
			Line: theme.Fine}}
		heading := layout.Line(st.Paint(st.Dim,
			fmt.Sprintf("%-7s%6s%7s%7s", "τ "+widget.NumberIn(d.tau, 5), "p₁", "p₂", "R_sub"))).
			Number("τ, p₁, p₂, R_sub", "R_sub", fmt.Sprintf(
				"The flows at time τ = %s: both probabilities, and R_sub, the cost of a search divided by the cost if both were equally active.",
				widget.NumberIn(d.tau, 5)))
		texts := []*layout.Box{heading}
		for _, t := range d.flows {
			color, line, glyph := d.toyStyle(t.norm)
			x, y := slices.Clone(t.p[0]), slices.Clone(t.p[1])
			slices.Reverse(x)
			slices.Reverse(y)
			p := [2]float64{x[0], y[0]}
			plot.Layers = append(plot.Layers,
				chart.Curve{X: x, Y: y, Color: color, Line: line, Priority: 5},
				chart.Points{X: t.on[0], Y: t.on[1], Shape: glyph, Color: color, Back: true},
				chart.Points{X: x[:1], Y: y[:1], Shape: glyph, Color: color})
			row := st.PaintBold(color, st.Glyph(glyph)) + " " +
				layout.Fit(st.Paint(st.Text, st.Plain(t.norm.String())), 5) +
				st.Paint(st.Dim, fmt.Sprintf("%7.3f%7.3f%7.3f", p[0], p[1], retrieval.Suboptimality(p[:])))
			texts = append(texts, layout.Line(row).
				Number(t.norm.String(), term, fmt.Sprintf(
					"The flow of %s is at p₁ = %.3f and p₂ = %.3f. Their ratio was 4 at the start and is %.2f now. R_sub is %.3f; 1 is the minimum.",
					t.norm, p[0], p[1], p[0]/p[1], retrieval.Suboptimality(p[:]))))
		}
		return d.withLegend(plot, w, h, chart.Description{
			Y: "p₂, the probability that the less active one is not 0, up to 0.11.",
			X: "p₁, the probability that the more active one is not 0, up to 0.45. Marks on the flows are at the times 0.5, 1, 2, 5, 10 and so on."}, texts...)
	})
}

package flops

import (
	"fmt"
	"math"

	"bandscope/functions/retrieval"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// activity is how often each dimension is active, the busiest first, with the mean and the dead ones.
func (d drawing) activity(w, h int) []string {
	return d.panel(d.shuffled("how often each dimension is active"), w, h, func(w, h int) []string {
		if len(d.runs) == 0 {
			return d.waiting(measuring, w)
		}
		chart := plot.Chart{X: plot.Axis{Label: "dimensions", Min: 0, Whole: true}, Y: plot.Axis{Min: 0}}
		for i, in := range d.runs {
			chart.X.Max = max(chart.X.Max, float64(len(in.order)))
			chart.Y.Max = max(chart.Y.Max, top(in.active()))
			chart.Layers = append(chart.Layers, d.bars(i, in)...)
		}
		return d.under(chart, w, h, nil)
	})
}

// bars are what is drawn of one run: bars, with their mean and how far the toy is from them, or of two runs a line each.
func (d drawing) bars(run int, in inside) (layers []plot.Layer) {
	p, st := in.active(), d.Style
	sorted, mean := make([]float64, len(p)), plot.Specks{Color: st.Text, Name: "mean " + screen.Number(retrieval.Mean(p))}
	dead := plot.Points{Shape: theme.GlyphCross, Color: st.Error, Name: "dead"}
	off := 0.0
	for k, j := range in.order {
		sorted[k] = p[j]
		off += math.Abs(p[j]-in.predicted[j]) / float64(len(p))
		if p[j] == 0 {
			sorted[k], dead.X, dead.Y = math.NaN(), append(dead.X, float64(k)+0.5), append(dead.Y, 0)
		}
		mean.X, mean.Y = append(mean.X, float64(k)+0.5), append(mean.Y, retrieval.Mean(p))
	}
	name := d.name(run)
	x, y := stairs(sorted)
	if len(d.runs) > 1 {
		dead.Color = d.color(run)
		line := [...]theme.Line{theme.Solid, theme.Dashed}[run%2]
		return append(layers, plot.Curve{X: x, Y: y, Color: d.color(run), Line: line, Priority: 5, Name: name}, dead)
	}
	if in.dealt == nil {
		name += fmt.Sprintf("; Φ(β/|γ|) is off by %.3f", off)
	}
	return append(layers, plot.Area{X: x, Y: y, Color: d.color(run), Name: name}, mean, dead)
}

// top is a round value above all probabilities.
func top(p []float64) float64 {
	highest := 0.0
	for _, x := range p {
		highest = max(highest, x)
	}
	for _, t := range []float64{0.05, 0.1, 0.2, 0.3, 0.5} {
		if highest <= t {
			return t
		}
	}
	return 1
}

// stairs are values as a curve that has each over the whole of its place, from 0 on.
func stairs(values []float64) (x, y []float64) {
	for k, v := range values {
		x, y = append(x, float64(k)+1e-6, float64(k+1)-1e-6), append(y, v, v)
	}
	return x, y
}

package pixels

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// scenes are charts as in a window of 120×36 cells: a posterior with everything, and fields of
// two variables and of a mixture.
func scenes() map[string]chart.Chart {
	rng := rand.New(rand.NewPCG(1, 2))
	x, mean := wave(rng, 0.5, 0.15)
	layers := []chart.Layer{chart.Band{X: x, Lo: shift(mean, -0.12), Hi: shift(mean, 0.12), Color: colors.Band}}
	for range 20 {
		_, y := wave(rng, 0.5, 0.2)
		layers = append(layers, chart.Curve{X: x, Y: y, Color: colors.Sample, Line: theme.Fine})
	}
	_, truth := wave(rng, 0.5, 0.2)
	layers = append(layers, chart.Curve{X: x, Y: truth, Color: colors.Truth, Line: theme.Dotted, Priority: 2},
		chart.Curve{X: x, Y: mean, Color: colors.Mean, Priority: 3})
	var points chart.Points
	for range 12 {
		i := rng.IntN(len(x))
		points.X = append(points.X, x[i])
		points.Y = append(points.Y, mean[i])
	}
	points.Color = colors.Data
	field := chart.Field{Cols: 81, Rows: 81}
	for i := range 81 * 81 {
		u, v := float64(i%81)/80, float64(i/81)/80
		field.Z = append(field.Z, math.Sin(7*u)*math.Cos(5*v)+u*v)
	}
	scale := chart.NewLinearColorScale(chart.Viridis, field.Z)
	mixture := field
	mixture.Simplex = true
	triangle := plot(chart.Heat{Field: mixture, Scale: scale},
		chart.Contours{Field: mixture, Levels: chart.ContourLevels(scale, 8)}, points)
	triangle.Simplex = &chart.Simplex{}
	return map[string]chart.Chart{
		"posterior": plot(append(layers, points)...),
		"field": plot(chart.Heat{Field: field, Scale: scale},
			chart.Contours{Field: field, Levels: chart.ContourLevels(scale, 8)}, points),
		"triangle": triangle,
	}
}

// BenchmarkPlot measures pictures of 80×25 cells of 10×20 pixels.
func BenchmarkPlot(b *testing.B) {
	for name, c := range scenes() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Plot(c, image.Pt(800, 500), 20, colors, theme.NewColor("#14171c", 16, 0))
			}
		})
	}
}

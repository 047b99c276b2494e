package flops

import (
	"cmp"
	"math"
	"slices"

	"bandscope/functions/pareto"
	"bandscope/tui/plot"
	"bandscope/tui/theme"
	"bandscope/tui/watch/picture"
)

// beads is how many updates lie between two marks on a trail.
const beads = 40

// front is what search finds against what it costs: a trail a run, and the front of all that was seen.
func (d drawing) front(w, h int) []string {
	return d.panel("what is found, and what it costs", w, h, func(w, h int) []string {
		if !slices.ContainsFunc(d.trail, func(t trail) bool { return len(t.at) > 0 }) {
			return d.waiting("Every 10 updates 400 queries of classes that were never seen are searched for.", w)
		}
		chart := plot.Chart{X: plot.Axis{Label: "F, per row", Log: true, Min: 0.1, Max: 100}, Y: plot.Axis{Label: "recall@1, %", Min: 0, Max: 100}}
		seen := slices.Clone(d.trail)
		if !d.Asking {
			seen = append(seen, d.past...)
			chart.Layers = append(chart.Layers, d.before()...)
		}
		for _, t := range seen {
			for _, f := range t.flops {
				if f > 0 {
					chart.X.Min, chart.X.Max = min(chart.X.Min, f/1.2), max(chart.X.Max, f*1.2)
				}
			}
		}
		chart.X.Min = max(chart.X.Min, 1e-3)
		x, y := frontOf(seen, chart.X.Max)
		chart.Layers = append(chart.Layers, plot.Curve{X: x, Y: y, Color: d.Style.Dim, Line: theme.Dotted, Priority: 2, Name: "front so far"})
		for i, t := range d.trail {
			chart.Layers = append(chart.Layers, d.trailed(i, t)...)
		}
		return d.under(chart, w, h, nil)
	})
}

// trailed is the trail of a run: a line, marks on it, and where it is now.
func (d drawing) trailed(run int, t trail) (layers []plot.Layer) {
	color := d.color(run)
	for i := 1; i < len(t.at); i++ {
		a, b := i-1, i
		if t.flops[a] > t.flops[b] {
			a, b = b, a
		}
		layers = append(layers, plot.Curve{X: []float64{t.flops[a], t.flops[b]}, Y: []float64{t.hit[a], t.hit[b]}, Color: color, Priority: 6})
	}
	marks := plot.Points{Shape: picture.Glyph(run), Color: color, Name: d.name(run)}
	for i, at := range t.at {
		if at%beads == 0 {
			marks.X, marks.Y = append(marks.X, t.flops[i]), append(marks.Y, t.hit[i])
		}
	}
	layers = append(layers, marks)
	if n := len(t.at); n > 0 {
		layers = append(layers, plot.Points{X: t.flops[n-1:], Y: t.hit[n-1:], Shape: theme.GlyphTarget, Color: color, Name: "now"})
	}
	return layers
}

// before are the runs that were seen earlier, each by all of its points.
func (d drawing) before() []plot.Layer {
	var specks plot.Specks
	specks.Color, specks.Name = d.Style.Faint, "runs before"
	for _, t := range d.past {
		specks.X, specks.Y = append(specks.X, t.flops...), append(specks.Y, t.hit...)
	}
	return []plot.Layer{specks}
}

// frontOf is the edge of what nothing dominates that was seen, as stairs: with so many multiplications a row at most, so much is found.
func frontOf(seen []trail, end float64) (x, y []float64) {
	var points [][]float64
	for _, t := range seen {
		for i, f := range t.flops {
			if f > 0 {
				points = append(points, []float64{f, -t.hit[i]})
			}
		}
	}
	best := pareto.Front(points)
	slices.SortFunc(best, func(a, b int) int { return cmp.Compare(points[a][0], points[b][0]) })
	level := math.NaN()
	for _, i := range best {
		f, hit := points[i][0], -points[i][1]
		if !math.IsNaN(level) {
			x, y = append(x, f), append(y, level)
		}
		x, y = append(x, f), append(y, hit)
		level = hit
	}
	if len(x) > 0 {
		x, y = append(x, end), append(y, level)
	}
	return x, y
}

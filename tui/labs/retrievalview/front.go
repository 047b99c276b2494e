package retrievalview

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bandscope/functions/pareto"
	"bandscope/tui/chart"
	"bandscope/tui/labs/panel"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// markEvery is the number of updates between two marks on a trail.
const markEvery = 40

// front draws recall against cost: a trail for each run, and the Pareto front of all evaluations.
func (d drawing) front(w, h int) *layout.Box {
	const title, term = "recall and cost of search", "recall"
	if !slices.ContainsFunc(d.trail, func(t trail) bool { return len(t.at) > 0 }) {
		return d.waiting(title, "Every 10 updates, a search with 400 queries of unseen classes measures these.", w, h,
			term)
	}
	says := func() string {
		return "The recall of a search among unseen classes against its cost. Up and to the left is better: " +
			d.reached() + "."
	}
	return d.panel(title, w, h, term, says, func(w, h int) *layout.Box {
		plot := chart.Chart{X: chart.Axis{Label: "F per row", Log: true, Min: 0.1, Max: 100},
			Y: chart.Axis{Label: "recall@1, %", Min: 0, Max: 100}}
		seen := slices.Clone(d.trail)
		if !d.Asking {
			seen = append(seen, d.past...)
			plot.Layers = append(plot.Layers, d.before()...)
		}
		for _, t := range seen {
			for _, f := range t.flops {
				if f > 0 {
					plot.X.Min, plot.X.Max = min(plot.X.Min, f/1.2), max(plot.X.Max, f*1.2)
				}
			}
		}
		plot.X.Min = max(plot.X.Min, 1e-3)
		x, y := frontFor(seen, plot.X.Max)
		plot.Layers = append(plot.Layers, chart.Curve{X: x, Y: y, Color: d.Style.Dim, Line: theme.Dotted, Priority: 2,
			Name: "front so far"})
		for i, t := range d.trail {
			plot.Layers = append(plot.Layers, d.trailLayers(i, t)...)
		}
		return d.withLegend(plot, w, h, chart.Description{Marks: d.frontMarks,
			Y: "Percentage of the 400 queries of unseen classes whose best match has their class.",
			X: "F, the multiplications per row of a search, on a log scale. Without an index, F is the number of dimensions."})
	})
}

// reached describes the last evaluation of each run.
func (d drawing) reached() string {
	return d.each(len(d.trail), func(i int) string {
		t := d.trail[i]
		n := len(t.at) - 1
		if n < 0 {
			return "not evaluated yet"
		}
		return fmt.Sprintf("recall@1 %s %% at F = %s after update %d", widget.Number(t.hit[n]),
			widget.Number(t.flops[n]), t.at[n])
	})
}

// frontMarks describes what the plot of the front draws.
func (d drawing) frontMarks(name string) (sentence, term string) {
	switch name {
	case "now":
		return "The current state of the training: " + d.reached() + ".", "recall"
	case "front so far":
		return "The Pareto front of all evaluations so far: the best recall for at most so many multiplications per row. Points below it are dominated.",
			"Pareto front"
	case "earlier runs":
		return fmt.Sprintf("The evaluations of %s with other parameters, a dot each.",
			widget.Count(len(d.past), "earlier run")), "recall"
	}
	for i, t := range d.trail {
		if last := len(t.at) - 1; name == d.name(i) && last >= 0 {
			return fmt.Sprintf(
				"The trail of this run, with a mark every %d updates: from recall@1 %s %% at F = %s to %s %% at F = %s.",
				markEvery, widget.Number(t.hit[0]), widget.Number(t.flops[0]),
				widget.Number(t.hit[last]), widget.Number(t.flops[last])), "recall"
		}
	}
	return "", ""
}

// trailLayers are the trail of a run: a line, marks on it, and its current point.
func (d drawing) trailLayers(run int, t trail) (layers []chart.Layer) {
	color := d.color(run)
	for i := 1; i < len(t.at); i++ {
		a, b := i-1, i
		if t.flops[a] > t.flops[b] {
			a, b = b, a
		}
		layers = append(layers, chart.Curve{X: []float64{t.flops[a], t.flops[b]}, Y: []float64{t.hit[a], t.hit[b]},
			Color: color, Priority: 6})
	}
	marks := chart.Points{Shape: panel.Glyph(run), Color: color, Name: d.name(run)}
	for i, update := range t.at {
		if update%markEvery == 0 {
			marks.X, marks.Y = append(marks.X, t.flops[i]), append(marks.Y, t.hit[i])
		}
	}
	layers = append(layers, marks)
	if n := len(t.at); n > 0 {
		layers = append(layers, chart.Points{X: t.flops[n-1:], Y: t.hit[n-1:], Shape: theme.GlyphTarget, Color: color,
			Name: "now"})
	}
	return layers
}

// before are the points of earlier runs.
func (d drawing) before() []chart.Layer {
	var specks chart.Dots
	specks.Color, specks.Name = d.Style.Faint, "earlier runs"
	for _, t := range d.past {
		specks.X, specks.Y = append(specks.X, t.flops...), append(specks.Y, t.hit...)
	}
	return []chart.Layer{specks}
}

// frontFor is the Pareto front of trails as a step curve: the best recall for at most so many multiplications per row.
func frontFor(seen []trail, end float64) (x, y []float64) {
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

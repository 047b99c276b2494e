package retrieval

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bandscope/functions/pareto"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/training/panel"
	"bandscope/tui/widget"
)

// markEvery is how many updates lie between two marks on a trail.
const markEvery = 40

// front is what search finds against what it costs: a trail a run, and the front of all that was seen.
func (d drawing) front(w, h int) *layout.Box {
	const title, term = "what is found, and what it costs", "recall"
	if !slices.ContainsFunc(d.trail, func(t trail) bool { return len(t.at) > 0 }) {
		return d.waiting(title, "Every 10 updates 400 queries of classes that were never seen are searched for.", w, h,
			term)
	}
	says := func() string {
		return "What search finds among classes that were never seen, against what it costs: up and to the left is " +
			"better. " + d.reached() + "."
	}
	return d.panel(title, w, h, term, says, func(w, h int) *layout.Box {
		plot := chart.Chart{X: chart.Axis{Label: "F, per row", Log: true, Min: 0.1, Max: 100},
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
		return d.under(plot, w, h, chart.Description{Marks: d.frontMarks,
			Y: "Of 400 queries of unseen classes, the percent whose best row is of their class.",
			X: "F: multiplications for each row that is searched, by factors; without an index it is the number of " +
				"dimensions."})
	})
}

// reached tells where each run was judged last.
func (d drawing) reached() string {
	return d.each(len(d.trail), func(i int) string {
		t := d.trail[i]
		n := len(t.at) - 1
		if n < 0 {
			return "not judged yet"
		}
		return fmt.Sprintf("recall@1 %s %% for F %s at update %d", widget.Number(t.hit[n]), widget.Number(t.flops[n]),
			t.at[n])
	})
}

// frontMarks describes what the plot of the front draws.
func (d drawing) frontMarks(name string) (sentence, term string) {
	switch name {
	case "now":
		return "Where the training is now: " + d.reached() + ".", "recall"
	case "front so far":
		return "The front of all that was seen: with so many multiplications a row at most, so much was found. What " +
			"lies below it is beaten in both.", "Pareto front"
	case "runs before":
		return fmt.Sprintf("What %s reached that were watched before with other parameters, each judgement a speck.",
			widget.Count(len(d.past), "run")), "recall"
	}
	for i, t := range d.trail {
		if last := len(t.at) - 1; name == d.name(i) && last >= 0 {
			return fmt.Sprintf("The way of this run, a mark every %d updates: from recall@1 %s %% at F %s to %s %% "+
				"at F %s.", markEvery, widget.Number(t.hit[0]), widget.Number(t.flops[0]), widget.Number(t.hit[last]),
				widget.Number(t.flops[last])), "recall"
		}
	}
	return "", ""
}

// trailLayers is the trail of a run: a line, marks on it, and where it is now.
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
	for i, at := range t.at {
		if at%markEvery == 0 {
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

// before are the runs that were seen earlier, each by all of its points.
func (d drawing) before() []chart.Layer {
	var specks chart.Dots
	specks.Color, specks.Name = d.Style.Faint, "runs before"
	for _, t := range d.past {
		specks.X, specks.Y = append(specks.X, t.flops...), append(specks.Y, t.hit...)
	}
	return []chart.Layer{specks}
}

// frontFor is the edge of what nothing dominates that was seen, as stairs: with so many multiplications a row at most,
// so much is found.
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

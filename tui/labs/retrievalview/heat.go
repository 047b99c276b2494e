package retrievalview

import (
	"fmt"
	"math"

	"bandscope/functions/trainer/retrieval"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// brightest is the absolute value at the end of the colour scale.
const brightest = 0.5

// heat draws the embeddings of a few queries: a row each, the dimensions in the order of their activity. Queries of one
// class are next to each other.
func (d drawing) heat(w, h int) *layout.Box {
	shown := min(max((h-3)*2/retrieval.QueriesPerClass, 1)*retrieval.QueriesPerClass, queries) // two a line
	title := d.shuffled(fmt.Sprintf("|value| of %d queries, %d per class", shown, retrieval.QueriesPerClass))
	if len(d.runs) == 0 {
		return d.waiting(title, measuring, w, h, "embedding")
	}
	says := fmt.Sprintf("The embeddings of queries, a row each, with the %d of a class below each other. Dimensions that a class uses are bright in all of its rows; a dark column is a dimension that none uses.",
		retrieval.QueriesPerClass)
	if d.shuffle {
		says = fmt.Sprintf(
			"The embeddings of queries, a row each, with shuffled dimensions: the %d of a class share nothing any more, so search finds nothing.",
			retrieval.QueriesPerClass)
	}
	return d.panel(title, w, h, "", layout.Static(says), func(w, h int) *layout.Box {
		scale := chart.ColorScale{Map: chart.Viridis, Hi: brightest}
		const bar = 8
		room := (w - bar - len(d.runs)) / len(d.runs)
		all := layout.Row()
		for i, in := range d.runs {
			plot := chart.Chart{X: chart.Axis{Max: 1, HideTicks: true}, Y: chart.Axis{Max: 1, HideTicks: true},
				Layers: []chart.Layer{chart.Heat{Field: rows(in, room, shown), Scale: scale}}}
			above := d.mark(i) + " " + d.Style.Paint(d.Style.Dim, d.Style.Plain(d.name(i)))
			if len(d.runs) == 1 {
				above = d.Style.Paint(d.Style.Dim,
					fmt.Sprintf("%d dimensions, the most active at the left", len(in.order)))
			}
			all.Beside(layout.Space(1, h)).Beside(
				layout.Column(layout.Text(room, above), plot.Box(room, h-1, d.Style, chart.Description{})).
					Describe(layout.Mark, "embeddings", "", in.embedded))
		}
		return all.Beside(layout.Text(bar, append([]string{""}, chart.ColorBar(scale, bar, h-1, d.Style)...)...).
			Describe(layout.Axis, "colours", "",
				layout.Static(fmt.Sprintf("The colours of absolute values, from 0 to %s and above.",
					widget.Number(brightest)))))
	})
}

// embedded says how many dimensions of an embedding are active.
func (in runStats) embedded() string {
	used := 0.0
	for _, e := range in.queries {
		for _, v := range e {
			if v != 0 {
				used++
			}
		}
	}
	return fmt.Sprintf(
		"The absolute values, the most active dimension at the left. A query has on average %s active dimensions of %d.",
		widget.Number(math.Round(10*used/float64(max(len(in.queries), 1)))/10), len(in.order))
}

// rows are the first embeddings on a grid of so many columns; a cell has the greatest absolute value of its dimensions.
// The first query is at the top.
func rows(in runStats, cols, count int) chart.Field {
	n := len(in.order)
	cols = max(min(cols, n), 1)
	f := chart.Field{Cols: cols, Rows: count, Z: make([]float64, cols*count)}
	for q, e := range in.queries[:count] {
		row := f.Z[(count-1-q)*cols:][:cols]
		for k, j := range in.order {
			c := k * cols / n
			row[c] = max(row[c], math.Abs(e[j]))
		}
	}
	f.Cuts = [2][]float64{even(cols), even(count)}
	return f
}

// even are the n-1 boundaries between n equal parts of [0, 1].
func even(n int) []float64 {
	cuts := make([]float64, n-1)
	for i := range cuts {
		cuts[i] = float64(i+1) / float64(n)
	}
	return cuts
}

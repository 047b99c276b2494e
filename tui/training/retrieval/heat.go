package retrieval

import (
	"fmt"
	"math"

	"bandscope/functions/training/retrieval"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// brightest is the absolute value from which on all are drawn alike.
const brightest = 0.5

// heat is the embeddings of a few queries: a row each, the dimensions sorted as their probabilities are. Queries of one
// class stand together.
func (d drawing) heat(w, h int) *layout.Box {
	shown := min(max((h-3)*2/retrieval.QueriesPerClass, 1)*retrieval.QueriesPerClass, queries) // two a line
	title := d.shuffled(fmt.Sprintf("%d queries, %d of a class each: |value|", shown, retrieval.QueriesPerClass))
	if len(d.runs) == 0 {
		return d.waiting(title, measuring, w, h, "embedding")
	}
	says := fmt.Sprintf("Embeddings of queries, a row each, %d of a class below each other: what classes share "+
		"stands in columns. A dimension that is dark all the way down is not used by these.", retrieval.QueriesPerClass)
	if d.shuffle {
		says = fmt.Sprintf("Embeddings of queries, a row each, their values dealt to other dimensions at random: the "+
			"%d of a class share nothing any more, and so nothing is found by them.", retrieval.QueriesPerClass)
	}
	return d.panel(title, w, h, "", layout.Static(says), func(w, h int) *layout.Box {
		scale := chart.ColorScale{Map: chart.Viridis, Hi: brightest}
		const bar = 8
		room := (w - bar - len(d.runs)) / len(d.runs)
		all := layout.Row()
		for i, in := range d.runs {
			plot := chart.Chart{X: chart.Axis{Max: 1, HideTicks: true}, Y: chart.Axis{Max: 1, HideTicks: true},
				Layers: []chart.Layer{chart.Heat{Field: rows(in, room, shown), Scale: scale}}}
			below := d.mark(i) + " " + d.Style.Paint(d.Style.Dim, d.Style.Plain(d.name(i)))
			if len(d.runs) == 1 {
				below = d.Style.Paint(d.Style.Dim,
					fmt.Sprintf("the busiest of %d dimensions at the left", len(in.order)))
			}
			all.Beside(layout.Space(1, h)).Beside(
				layout.Column(plot.Box(room, h-1, d.Style, chart.Description{}), layout.Text(room, below)).
					Describe(layout.Mark, "embeddings", "", in.embedded))
		}
		return all.Beside(layout.Text(bar, chart.ColorBar(scale, bar, h-1, d.Style)...).
			Describe(layout.Axis, "colours", "",
				layout.Static(fmt.Sprintf("The colours: absolute values from 0 to %s, all above alike.",
					widget.Number(brightest)))))
	})
}

// embedded tells how many dimensions an embedding has.
func (in runStats) embedded() string {
	used := 0.0
	for _, e := range in.queries {
		for _, v := range e {
			if v != 0 {
				used++
			}
		}
	}
	return fmt.Sprintf("The absolute values, the busiest dimension at the left: a query has %s of %d dimensions on "+
		"the mean.", widget.Number(math.Round(10*used/float64(max(len(in.queries), 1)))/10), len(in.order))
}

// rows are the first embeddings on a grid of so many columns, each the greatest value of the dimensions that fall into
// it. The first query is at the top.
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

// even are the cuts between so many equal parts.
func even(n int) []float64 {
	cuts := make([]float64, n-1)
	for i := range cuts {
		cuts[i] = float64(i+1) / float64(n)
	}
	return cuts
}

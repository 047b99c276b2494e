package flops

import (
	"fmt"
	"math"

	"bandscope/functions/retrieval"
	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/plot/colormap"
	"bandscope/tui/screen"
)

// brightest is the absolute value from which on all are drawn alike.
const brightest = 0.5

// heat is the embeddings of a few queries: a row each, the dimensions sorted as their probabilities are. Queries of one class stand together.
func (d drawing) heat(w, h int) []string {
	shown := min(max((h-3)*2/retrieval.QueriesPerClass, 1)*retrieval.QueriesPerClass, queries) // two a line
	title := fmt.Sprintf("%d queries, %d of a class each: |value|", shown, retrieval.QueriesPerClass)
	return d.panel(d.shuffled(title), w, h, func(w, h int) []string {
		if len(d.runs) == 0 {
			return d.waiting(measuring, w)
		}
		scale := colormap.Scale{Map: colormap.Viridis, Hi: brightest}
		const bar = 8
		h--
		room := (w - bar - len(d.runs)) / len(d.runs)
		blocks := make([][]string, 0, 2*len(d.runs))
		for i, in := range d.runs {
			chart := plot.Chart{X: plot.Axis{Max: 1, HideTicks: true}, Y: plot.Axis{Max: 1, HideTicks: true}, Layers: []plot.Layer{plot.Heat{Field: rows(in, room, shown), Scale: scale}}}
			below := d.mark(i) + " " + d.Style.Paint(d.Style.Dim, d.Style.Plain(d.name(i)))
			if len(d.runs) == 1 {
				below = d.Style.Paint(d.Style.Dim, fmt.Sprintf("the busiest of %d dimensions at the left", len(in.order)))
			}
			blocks = append(blocks, pad(append(d.book.Draw(chart, room, h, d.Style), layout.Fit(below, room))))
		}
		return screen.Beside(append(blocks, plot.ColorBar(scale, bar, h, d.Style))...)
	})
}

// pad has a blank column at the left of every line.
func pad(lines []string) []string {
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// rows are the first embeddings on a grid of so many columns, each the greatest value of the dimensions that fall into it. The first query is at the top.
func rows(in inside, cols, count int) plot.Field {
	n := len(in.order)
	cols = max(min(cols, n), 1)
	f := plot.Field{Cols: cols, Rows: count, Z: make([]float64, cols*count)}
	for q, e := range in.asked[:count] {
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

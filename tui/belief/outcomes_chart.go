package belief

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bandscope/functions/pareto"
	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/plot"
	"bandscope/tui/theme"
)

// OutcomeDrawing declares how the space of two objectives is drawn.
type OutcomeDrawing struct {
	Style    theme.Style
	State    sessions.State
	Outcomes *Outcomes
	I, J     int // the objectives along x and y
	Reveal   bool
	Boxes    [][4]float64               // from and to along x, from and to along y, as outcomes
	Moving   int                        // which of them is being moved, from 0; −1 none
	Asked    [][]float64                // the two outcomes of a question
	Before   []optimizers.Scalarization // the prior before the last change; nil if there is none

	Attainable [][]float64 // outcomes of inputs all over the domain; nil where they are not to be shown
}

// Value is what an outcome is in the units of an objective.
func (d OutcomeDrawing) Value(k int, u float64) float64 {
	o := d.Outcomes
	return (o.Hi[k] - u*(o.Hi[k]-o.Lo[k])) * d.State.Problem.Objectives[k].Direction.Sign()
}

// Outcome is what a value is as an outcome.
func (d OutcomeDrawing) Outcome(k int, v float64) float64 {
	o := d.Outcomes
	return (o.Hi[k] - v*d.State.Problem.Objectives[k].Direction.Sign()) / (o.Hi[k] - o.Lo[k])
}

// shown reports whether the front is shown: a known one only while the truth is revealed.
func (d OutcomeDrawing) shown() bool {
	return len(d.Outcomes.Front) > 0 && (d.Reveal || !d.Outcomes.Known)
}

// Chart draws the data, the front with the probability that the prior puts on it, the boxes, and where the next point aims.
func (d OutcomeDrawing) Chart() plot.Chart {
	st, o := d.Style, d.Outcomes
	var xs, ys []float64
	see := func(y []float64) { xs, ys = append(xs, y[d.I]), append(ys, y[d.J]) }
	data, newest, nondominated := plot.Points{Shape: theme.GlyphHollow, Color: st.Dim}, plot.Points{Shape: theme.GlyphTarget, Color: st.Newest}, plot.Points{Shape: theme.GlyphFilled, Color: st.Data}
	for i, it := range d.State.Iterations {
		for b, y := range it.Y {
			switch {
			case it.Failed[b]:
				continue
			case i == len(d.State.Iterations)-1:
				newest.X, newest.Y = append(newest.X, y[d.I]), append(newest.Y, y[d.J])
			case d.Beaten(y):
				data.X, data.Y = append(data.X, y[d.I]), append(data.Y, y[d.J])
			default:
				nondominated.X, nondominated.Y = append(nondominated.X, y[d.I]), append(nondominated.Y, y[d.J])
			}
			see(y)
		}
	}
	var layers []plot.Layer
	if d.Attainable != nil && d.Reveal {
		cloud := plot.Specks{Color: st.Border}
		for _, y := range d.Attainable {
			cloud.X, cloud.Y = append(cloud.X, y[d.I]), append(cloud.Y, y[d.J])
		}
		layers = append(layers, cloud)
	}
	layers = append(layers, d.drawnLayers()...)
	if d.shown() {
		for _, y := range o.Front {
			see(y)
		}
		layers = append(layers, d.frontLayers()...)
	}
	next := plot.Points{Shape: theme.GlyphDiamond, Color: st.Next}
	for _, y := range o.Expected {
		if d.State.Iterations != nil {
			see(y)
			next.X, next.Y = append(next.X, y[d.I]), append(next.Y, y[d.J])
		}
	}
	for n, box := range d.Boxes {
		x0, x1 := d.Value(d.I, box[0]), d.Value(d.I, box[1])
		y0, y1 := d.Value(d.J, box[2]), d.Value(d.J, box[3])
		outline := plot.Box{X0: min(x0, x1), X1: max(x0, x1), Y0: min(y0, y1), Y1: max(y0, y1), Color: st.Dim}
		if n == d.Moving || d.Moving < 0 {
			outline.Color = st.Accent
		}
		xs, ys = append(xs, x0, x1), append(ys, y0, y1)
		layers = append(layers, outline)
	}
	for _, far := range o.Unreached {
		see(far.Nearest)
		layers = append(layers, plot.Points{X: []float64{far.Nearest[d.I]}, Y: []float64{far.Nearest[d.J]}, Shape: theme.GlyphTriangle, Color: st.Warn})
	}
	layers = append(layers, data, nondominated, newest, next)
	if at := d.referencePoint(); at != nil {
		layers = append(layers, plot.Points{X: []float64{at[d.I]}, Y: []float64{at[d.J]}, Shape: theme.GlyphCross, Color: st.Dim})
	}
	for n, y := range d.Asked {
		layers = append(layers, plot.Label{X: y[d.I], Y: y[d.J], Text: string(rune('A' + n)), Color: st.Accent})
	}
	objectives := d.State.Problem.Objectives
	label := func(k int) string { return fmt.Sprintf("%s %s", objectives[k].Name, objectives[k].Direction) }
	x0, x1 := plot.Pad(plot.Span(xs))
	y0, y1 := plot.Pad(plot.Span(ys))
	return plot.Chart{X: plot.Axis{Label: label(d.I), Min: x0, Max: x1}, Y: plot.Axis{Label: label(d.J), Min: y0, Max: y1}, Gutter: Gutter, Layers: layers}
}

// referencePoint is that of the hypervolume, in the objectives' units; nil before there are data to scale by.
func (d OutcomeDrawing) referencePoint() []float64 {
	if len(d.State.Iterations) < 2 {
		return nil
	}
	at := optimizers.Reference(d.State.Input())
	for k, u := range at {
		at[k] = d.Value(k, u)
	}
	return at
}

// drawnLayers are the fronts of draws from the model: as far as they differ, the model does not know.
func (d OutcomeDrawing) drawnLayers() []plot.Layer {
	var layers []plot.Layer
	for _, front := range d.Outcomes.Drawn {
		front = slices.Clone(front)
		slices.SortFunc(front, func(a, b []float64) int { return cmp.Compare(a[d.I], b[d.I]) })
		line := plot.Curve{Color: d.Style.Sample, Line: theme.Fine, Priority: 1}
		for _, y := range front {
			line.X, line.Y = append(line.X, y[d.I]), append(line.Y, y[d.J])
		}
		if len(d.State.Problem.Objectives) > 2 { // a surface seen from one side is no line
			layers = append(layers, plot.Specks{X: line.X, Y: line.Y, Color: d.Style.Sample})
			continue
		}
		layers = append(layers, line)
	}
	return layers
}

// Beaten reports whether an observation is dominated by another.
func (d OutcomeDrawing) Beaten(y []float64) bool {
	minimized := func(y []float64) []float64 {
		out := make([]float64, len(y))
		for k, v := range y {
			out[k] = v * d.State.Problem.Objectives[k].Direction.Sign()
		}
		return out
	}
	own := minimized(y)
	for _, it := range d.State.Iterations {
		for b, other := range it.Y {
			if !it.Failed[b] && pareto.Dominates(minimized(other), own) {
				return true
			}
		}
	}
	return false
}

// frontLayers are the front as a line, or as points where the model expects it, and where the prior puts its probability: the larger the
// mark, the more.
func (d OutcomeDrawing) frontLayers() []plot.Layer {
	st, o := d.Style, d.Outcomes
	order := make([]int, len(o.Front))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(o.Front[a][d.I], o.Front[b][d.I]) })
	line := plot.Curve{Color: st.Truth, Line: theme.Dotted, Priority: 2}
	likely, some := plot.Points{Shape: theme.GlyphSquare, Color: st.Acquisition}, plot.Points{Shape: theme.GlyphDot, Color: st.Acquisition}
	most := 0.0
	for _, c := range o.Chance {
		most = max(most, c)
	}
	gap := 0.0
	if o.Known && len(order) > 1 {
		gap = 5 * (o.Front[order[len(order)-1]][d.I] - o.Front[order[0]][d.I]) / float64(len(order)-1)
	}
	for i, k := range order {
		y := o.Front[k]
		if i > 0 && gap > 0 && y[d.I]-o.Front[order[i-1]][d.I] > gap { // a front in pieces
			line.X, line.Y = append(line.X, y[d.I]), append(line.Y, math.NaN())
		}
		line.X, line.Y = append(line.X, y[d.I]), append(line.Y, y[d.J])
		switch {
		case o.Chance == nil || o.Chance[k] < most/20:
		case o.Chance[k] > most/3:
			likely.X, likely.Y = append(likely.X, y[d.I]), append(likely.Y, y[d.J])
		default:
			some.X, some.Y = append(some.X, y[d.I]), append(some.Y, y[d.J])
		}
	}
	if len(d.State.Problem.Objectives) > 2 { // a surface seen from one side is no line
		return []plot.Layer{plot.Points{X: line.X, Y: line.Y, Shape: theme.GlyphDot, Color: st.Truth}, some, likely}
	}
	return []plot.Layer{line, some, likely}
}

// Entries are the legend.
func (d OutcomeDrawing) Entries() []string {
	st := d.Style
	mark := func(color theme.Color, glyph, name string) string {
		return st.PaintBold(color, glyph) + " " + st.Paint(st.Dim, name)
	}
	front := "front of the means"
	switch {
	case d.Outcomes.Computed:
		front = "front, computed"
	case d.Outcomes.Known:
		front = "front"
	}
	entries := []string{mark(st.Next, st.Glyph(theme.GlyphDiamond), "expected of the next"), mark(st.Data, st.Glyph(theme.GlyphFilled), "not dominated")}
	if d.shown() {
		entries = append(entries, mark(st.Truth, st.LineMark(theme.Dotted), front))
		if d.Outcomes.Chance != nil {
			entries = append(entries, mark(st.Acquisition, st.Glyph(theme.GlyphSquare), "where the prior aims"))
		}
	}
	if len(d.Outcomes.Drawn) > 0 {
		entries = append(entries, mark(st.Sample, st.LineMark(theme.Fine), "fronts of draws"))
	}
	if len(d.Boxes) > 0 {
		entries = append(entries, mark(st.Accent, "[]", "box"))
	}
	if len(d.Outcomes.Unreached) > 0 {
		entries = append(entries, mark(st.Warn, st.Glyph(theme.GlyphTriangle), "nearest to it"))
	}
	return append(entries, mark(st.Newest, st.Glyph(theme.GlyphTarget), "newest"), mark(st.Dim, st.Glyph(theme.GlyphHollow), "dominated"),
		mark(st.Dim, st.Glyph(theme.GlyphCross), "reference point"))
}

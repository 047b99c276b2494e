package front

import (
	"cmp"
	"math"
	"slices"

	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

const preferredName = "preferred"

// frontLayers are the front, as a line where it is one, and where the prior puts its probability: the heavier the line
// or the larger the mark, the more.
func (d Drawing) frontLayers() []chart.Layer {
	st, o := d.Style, d.Outcomes
	name := "front of the means"
	switch {
	case o.Computed:
		name = "front, computed"
	case o.Known:
		name = "front"
	}
	pieces := d.frontPieces()
	levels := preferenceLevels(o.Chance, pieces)
	if len(d.State.Problem.Objectives) > 2 || len(o.Front) == 1 {
		return d.frontMarks(name, slices.Concat(pieces...), levels)
	}
	at := func(k int) (x, y float64) { return o.Front[k][d.I], o.Front[k][d.J] }
	add := func(c *chart.Curve, x, y float64) { c.X, c.Y = append(c.X, x), append(c.Y, y) }
	line := chart.Curve{Color: st.Truth, Line: theme.Marked, Priority: 2, Name: name}
	some := chart.Curve{Color: st.Acquisition, Priority: 3, Name: preferredName}
	likely := chart.Curve{Color: st.Acquisition, Line: theme.Heavy, Priority: 4, Name: preferredName}
	gap := func(c *chart.Curve) {
		if len(c.X) > 0 {
			add(c, c.X[len(c.X)-1], math.NaN())
		}
	}
	for _, piece := range pieces {
		gap(&line)
		for i, k := range piece {
			x, y := at(k)
			add(&line, x, y)
			if levels[k] == 0 {
				continue
			}
			part := [...]*chart.Curve{nil, &some, &likely}[levels[k]]
			if i == 0 || levels[piece[i-1]] != levels[k] {
				gap(part)
			}
			for _, near := range [3]int{piece[max(i-1, 0)], k, piece[min(i+1, len(piece)-1)]} {
				nx, ny := at(near)
				add(part, (x+nx)/2, (y+ny)/2)
			}
		}
	}
	return []chart.Layer{line, some, likely}
}

// frontMarks are the points of a front that is no line, as a surface seen from one side, in an order.
func (d Drawing) frontMarks(name string, order, levels []int) []chart.Layer {
	st := d.Style
	all := chart.Points{Shape: theme.GlyphPlus, Color: st.Truth, Back: true, Name: name}
	some := chart.Points{Shape: theme.GlyphDot, Color: st.Acquisition, Name: preferredName}
	likely := chart.Points{Shape: theme.GlyphSquare, Color: st.Acquisition, Name: preferredName}
	for _, k := range order {
		for _, marks := range [...][]*chart.Points{{&all}, {&all, &some}, {&all, &likely}}[levels[k]] {
			marks.X, marks.Y = append(marks.X, d.Outcomes.Front[k][d.I]), append(marks.Y, d.Outcomes.Front[k][d.J])
		}
	}
	return []chart.Layer{all, some, likely}
}

// frontPieces are the points of the front in the order of the first objective, by their indices: one piece, or several
// of a known front that has gaps.
func (d Drawing) frontPieces() (pieces [][]int) {
	o, across := d.Outcomes, d.gauge(d.I)
	order := make([]int, len(o.Front))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(o.Front[a][d.I], o.Front[b][d.I]) })
	at := func(i int) float64 { return across.ToScale(o.Front[order[i]][d.I]) }
	from, last := 0, len(order)-1
	for i := 1; i < len(order); i++ {
		if o.Known && at(i)-at(i-1) > 5*(at(last)-at(0))/float64(last) {
			pieces, from = append(pieces, order[from:i]), i
		}
	}
	return append(pieces, order[from:])
}

// smoothedPart is the part of the front on either side of a point over which probabilities are averaged before they are
// drawn: they are counts of draws from the prior.
const smoothedPart = 0.015

// preferenceLevels are, for the points of a front, 2 where the probability is more than a third of the largest one, 0
// where it is less than a twentieth, or where no prior is known, and 1 between.
func preferenceLevels(chance []float64, pieces [][]int) []int {
	n := 0
	for _, piece := range pieces {
		n += len(piece)
	}
	levels, smooth := make([]int, n), make([]float64, n)
	if chance == nil {
		return levels
	}
	by, most := int(smoothedPart*float64(n)), 0.0
	for _, piece := range pieces {
		for i, k := range piece {
			near := piece[max(i-by, 0):min(i+by+1, len(piece))]
			for _, other := range near {
				smooth[k] += chance[other] / float64(len(near))
			}
			most = max(most, smooth[k])
		}
	}
	for k, c := range smooth {
		switch {
		case c < most/20:
		case c > most/3:
			levels[k] = 2
		default:
			levels[k] = 1
		}
	}
	return levels
}

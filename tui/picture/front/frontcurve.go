package front

import (
	"cmp"
	"math"
	"slices"

	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

const preferredName = "preferred"

// minCurve is how many points a front has at least whose preferred part is drawn as a line: between fewer it would say
// more than is known.
const minCurve = 20

// frontLayers are the front, as a line or, of a surface seen from one side, as points, and where the prior puts its
// probability: the heavier the line or the larger the mark, the more.
func (d Drawing) frontLayers() []chart.Layer {
	o := d.Outcomes
	name, short := "front of the means", "mean front"
	switch {
	case o.Computed:
		name, short = "front, computed", "front"
	case o.Known:
		name = "front"
	}
	pieces := d.frontPieces()
	levels := preferenceLevels(o.Chance, pieces, d.neighbours())
	if len(d.State.Problem.Objectives) > 2 {
		if d.shadesFront() {
			return d.frontShades(pieces, levels, name)
		}
		all := chart.Points{Shape: theme.GlyphPlus, Color: d.Style.Truth, Back: true, Name: name, Short: short}
		for _, k := range slices.Concat(pieces...) {
			all.X, all.Y = append(all.X, o.Front[k][d.I]), append(all.Y, o.Front[k][d.J])
		}
		return append([]chart.Layer{all}, d.preferredMarks(pieces, levels)...)
	}
	line := chart.Curve{Color: d.Style.Truth, Line: theme.Marked, Priority: 2, Name: name, Short: short}
	for _, piece := range pieces {
		gap(&line)
		for _, k := range piece {
			line.X, line.Y = append(line.X, o.Front[k][d.I]), append(line.Y, o.Front[k][d.J])
		}
	}
	if d.marksPreferred() {
		return append([]chart.Layer{line}, d.preferredMarks(pieces, levels)...)
	}
	return append([]chart.Layer{line}, d.preferredCurves(pieces, levels)...)
}

// minShaded is how many points a surface has at least that is shaded.
const minShaded = 60

// shadesFront reports whether a front that is a surface is shaded, rather than a point at each of its outcomes: with few
// colours shades over each other would look the same.
func (d Drawing) shadesFront() bool {
	return d.Style.Tier >= theme.Color256 && !d.Style.ASCII && len(d.Outcomes.Front) >= minShaded
}

// frontShades are the front as a surface seen from one side, and where the prior puts its probability: the brighter, the
// more.
func (d Drawing) frontShades(pieces [][]int, levels []int, name string) []chart.Layer {
	st := d.Style
	shades := []chart.Region{
		{Color: theme.Mix(st.Page, st.Truth, 0.25), Name: name},
		{Color: theme.Mix(st.Page, st.Acquisition, 0.45), Name: preferredName},
		{Color: theme.Mix(st.Page, st.Acquisition, 0.75), Name: preferredName},
	}
	var layers []chart.Layer
	for level := range shades {
		for _, k := range slices.Concat(pieces...) {
			if levels[k] >= level {
				shades[level].X = append(shades[level].X, d.Outcomes.Front[k][d.I])
				shades[level].Y = append(shades[level].Y, d.Outcomes.Front[k][d.J])
			}
		}
		layers = append(layers, shades[level])
	}
	return layers
}

// marksPreferred reports whether the preferred part of the front has marks, in place of a line.
func (d Drawing) marksPreferred() bool {
	return len(d.State.Problem.Objectives) > 2 || len(d.Outcomes.Front) < minCurve
}

// gap ends a line, if it has begun.
func gap(c *chart.Curve) {
	if n := len(c.X); n > 0 {
		c.X, c.Y = append(c.X, c.X[n-1]), append(c.Y, math.NaN())
	}
}

// minRun is how many points in a row are a heavy line; fewer, which would be hidden by any mark, have marks.
const minRun = 3

// preferredCurves are lines along the points of the front with the levels 1 and 2, up to half of the way to their
// neighbours, and marks where only one or two points in a row have level 2.
func (d Drawing) preferredCurves(pieces [][]int, levels []int) []chart.Layer {
	some := chart.Curve{Color: d.Style.Acquisition, Priority: 3, Name: preferredName}
	likely := chart.Curve{Color: d.Style.Acquisition, Line: theme.Heavy, Priority: 4, Name: preferredName}
	marks := chart.Points{Shape: theme.GlyphSquare, Color: d.Style.Acquisition, Name: preferredName}
	place := func(k int) (x, y float64) { return d.Outcomes.Front[k][d.I], d.Outcomes.Front[k][d.J] }
	for _, piece := range pieces {
		for from, end := 0, 0; from < len(piece); from = end {
			level := levels[piece[from]]
			for end < len(piece) && levels[piece[end]] == level {
				end++
			}
			if level == 0 {
				continue
			}
			if level == 2 && end-from < minRun {
				x, y := place(piece[from])
				marks.X, marks.Y = append(marks.X, x), append(marks.Y, y)
			}
			part := [...]*chart.Curve{nil, &some, &likely}[level]
			gap(part)
			for i := from; i < end; i++ {
				x, y := place(piece[i])
				for _, near := range [3]int{piece[max(i-1, 0)], piece[i], piece[min(i+1, len(piece)-1)]} {
					nx, ny := place(near)
					part.X, part.Y = append(part.X, (x+nx)/2), append(part.Y, (y+ny)/2)
				}
			}
		}
	}
	return []chart.Layer{some, likely, marks}
}

// preferredMarks are marks at the points of the front with the levels 1 and 2.
func (d Drawing) preferredMarks(pieces [][]int, levels []int) []chart.Layer {
	some := chart.Points{Shape: theme.GlyphDot, Color: d.Style.Acquisition, Name: preferredName}
	likely := chart.Points{Shape: theme.GlyphSquare, Color: d.Style.Acquisition, Name: preferredName}
	for _, k := range slices.Concat(pieces...) {
		if marks := [...]*chart.Points{nil, &some, &likely}[levels[k]]; marks != nil {
			marks.X, marks.Y = append(marks.X, d.Outcomes.Front[k][d.I]), append(marks.Y, d.Outcomes.Front[k][d.J])
		}
	}
	return []chart.Layer{some, likely}
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
	valueAt := func(i int) float64 { return across.ToScale(o.Front[order[i]][d.I]) }
	from, last := 0, len(order)-1
	for i := 1; i < len(order); i++ {
		if o.Known && valueAt(i)-valueAt(i-1) > 5*(valueAt(last)-valueAt(0))/float64(last) {
			pieces, from = append(pieces, order[from:i]), i
		}
	}
	return append(pieces, order[from:])
}

// smoothedPart is the part of the front on either side of a point over which probabilities are averaged before they are
// drawn: they are counts of draws from the prior.
const smoothedPart = 0.015

// neighbours is the number of points on either side of a point of a line over which probabilities are averaged.
func (d Drawing) neighbours() int {
	if len(d.State.Problem.Objectives) > 2 {
		return 0 // the next points along one objective may be far away along the others
	}
	return int(smoothedPart * float64(len(d.Outcomes.Front)))
}

// preferenceLevels are, for the points of a front, 2 where the probability is more than a third of the largest one, 0
// where it is less than a twentieth, or where no prior is known, and 1 between. Probabilities are averaged over so many
// neighbours on either side.
func preferenceLevels(chance []float64, pieces [][]int, radius int) []int {
	n := 0
	for _, piece := range pieces {
		n += len(piece)
	}
	levels, smooth := make([]int, n), make([]float64, n)
	if chance == nil {
		return levels
	}
	most := 0.0
	for _, piece := range pieces {
		for i, k := range piece {
			near := piece[max(i-radius, 0):min(i+radius+1, len(piece))]
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

package front

import (
	"fmt"

	"bandscope/functions"
	"bandscope/tui/chart"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
)

// minFocused is how many outcomes are observed before some of them may lie beyond the axes.
const minFocused = 8

// focusMargin is how far the axes reach beyond what they must show, in its extent, where something is there.
const focusMargin = 0.25

// focus is the axis of objective k over values that it must show, and over others as far as they are not far from
// these: one bad outcome would leave the front a corner.
func focus(o functions.Objective, must, others []float64, observed int) chart.Axis {
	g := o.Transform()
	lo, hi := chart.Extent(must)
	if observed < minFocused || !(lo < hi) {
		return picture.ValueAxis(o, append(others[:len(others):len(others)], must...))
	}
	least, greatest := g.ToScale(lo), g.ToScale(hi)
	margin := focusMargin * (greatest - least)
	for _, v := range others {
		if s := g.ToScale(v); s >= least-margin && s <= greatest+margin {
			must = append(must, v)
		}
	}
	return picture.ValueAxis(o, must)
}

// beyondAxes are arrows at the edges of the plot, one for each outcome that lies beyond, with their number in the
// legend.
func (d Drawing) beyondAxes(x, y chart.Axis) []chart.Layer {
	across, down := x.Scale(), y.Scale()
	count := 0
	arrows := map[theme.Glyph]*chart.Points{}
	sides := []theme.Glyph{theme.GlyphLeft, theme.GlyphRight, theme.GlyphTriangle, theme.GlyphDown}
	for _, side := range sides {
		arrows[side] = &chart.Points{Shape: side, Color: d.Style.Dim}
	}
	for _, it := range d.State.Iterations {
		for _, pt := range it.Points {
			if pt.Failed {
				continue
			}
			px, py := d.place(pt.Y)
			side, ok := beyondSide(across.Fraction(px), down.Fraction(py))
			if !ok {
				continue
			}
			count++
			p := arrows[side]
			p.X = append(p.X, across.Value(min(max(across.Fraction(px), 0), 1)))
			p.Y = append(p.Y, down.Value(min(max(down.Fraction(py), 0), 1)))
		}
	}
	var layers []chart.Layer
	for _, side := range sides {
		if p := arrows[side]; len(p.X) > 0 {
			p.Name = fmt.Sprintf("%s (%d)", beyondAxesName, count)
			p.Short = fmt.Sprintf("%d beyond", count)
			layers = append(layers, *p)
		}
	}
	return layers
}

// beyondAxesName is what the legend calls the outcomes beyond the axes.
const beyondAxesName = "beyond the axes"

// beyondSide is the arrow to a place beyond the edges of a plot, by its fractions of the axes; false within.
func beyondSide(u, v float64) (theme.Glyph, bool) {
	switch {
	case u < 0:
		return theme.GlyphLeft, true
	case u > 1:
		return theme.GlyphRight, true
	case v < 0:
		return theme.GlyphDown, true
	case v > 1:
		return theme.GlyphTriangle, true
	}
	return 0, false
}

package picture

import (
	"math"
	"slices"

	"bandscope/tui/chart"
	"bandscope/tui/widget"
)

// Zoom is how far a vertical axis is zoomed in: towards the band and the data, then the data, then the best result. It
// is negative where it is zoomed out.
type Zoom int

// The ends of a zoom, and by how much each step of it shortens the axis.
const (
	minZoom  Zoom = -4
	maxZoom  Zoom = 12
	zoomStep      = 1.5
)

// In is a zoom that is one step further, or back; false at its end.
func (z Zoom) In(steps Zoom) (Zoom, bool) {
	next := min(max(z+steps, minZoom), maxZoom)
	return next, next != z
}

// focus are ranges towards which an axis is zoomed, the widest first.
type focus [3][2]float64

// union is a focus on what this one or another one is on.
func (f focus) union(other focus) focus {
	for i := range f {
		f[i] = [2]float64{min(f[i][0], other[i][0]), max(f[i][1], other[i][1])}
	}
	return f
}

// focus is what a person looks at: the band with the data, the data, and the best result.
func (d Drawing) focus() focus {
	extent := func(values []float64) [2]float64 {
		lo, hi := chart.Extent(values)
		return [2]float64{lo, hi}
	}
	data, fields := d.Values(), d.Posterior.Fields
	all := slices.Concat(data, fields[LowerField].Values(), fields[UpperField].Values(), fields[MeanField].Values())
	f := focus{extent(all), extent(data), extent(data)}
	if _, best, _, ok := d.State.Best(); ok {
		f[2] = [2]float64{best, best}
	}
	return f
}

// BandRange is the range of the vertical axis that fits the bands and the data of several drawings, whatever the truth is.
func BandRange(drawings ...Drawing) (lo, hi float64) {
	f := focusOf(drawings)[0]
	g := drawings[0].Objective().Transform()
	lo, hi = chart.Pad(g.ToScale(f[0]), g.ToScale(f[1]))
	return g.FromScale(lo), g.FromScale(hi)
}

// focusOf is what a person looks at in several drawings.
func focusOf(drawings []Drawing) focus {
	f := drawings[0].focus()
	for _, d := range drawings[1:] {
		f = f.union(d.focus())
	}
	return f
}

// ZoomRange is the range of the vertical axis that several drawings share, zoomed in or out.
func ZoomRange(z Zoom, lo, hi float64, drawings ...Drawing) (float64, float64) {
	if z == 0 || len(drawings) == 0 {
		return lo, hi
	}
	g := drawings[0].Objective().Transform()
	f := focusOf(drawings)
	lo, hi = g.ToScale(lo), g.ToScale(hi)
	height := (hi - lo) * math.Pow(zoomStep, -float64(z))
	center := (lo + hi) / 2
	for _, part := range f {
		from, to := g.ToScale(part[0]), g.ToScale(part[1])
		if from > to {
			continue
		}
		center = (from + to) / 2
		if to-from <= height {
			break
		}
	}
	if z > 0 { // within the range without a zoom
		center = min(max(center, lo+height/2), hi-height/2)
	}
	return g.FromScale(center - height/2), g.FromScale(center + height/2)
}

// beyond are the labels at the ends of an axis that the data, the mean or the truth leave: how far they go.
func (d Drawing) beyond(lo, hi float64) (above, below string) {
	values := d.Values()
	if !d.NoBand {
		values = append(values, d.Posterior.Fields[MeanField].Values()...)
	}
	if d.Reveal {
		values = append(values, d.Posterior.Fields[TrueField].Values()...)
	}
	least, most := chart.Extent(values)
	g := d.Objective().Transform()
	least, most = g.Clamp(least), g.Clamp(most)
	if most > hi {
		above = "▲ " + widget.NumberIn(most, Gutter-4)
	}
	if least < lo {
		below = "▼ " + widget.NumberIn(least, Gutter-4)
	}
	return above, below
}

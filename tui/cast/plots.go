package cast

import (
	"image"
	"slices"

	"bandscope/tui/chart/svg"
	"bandscope/tui/placement"
)

// plotAt reports whether a cell is in front of a plot that is a picture.
func (f Frame) plotAt(cell image.Point) bool {
	return slices.ContainsFunc(f.Plots, func(p placement.Plot) bool { return cell.In(p.Area) })
}

// hasPlot reports whether a frame has a plot at the same place.
func (f Frame) hasPlot(plot placement.Plot) bool {
	return slices.ContainsFunc(f.Plots, func(p placement.Plot) bool { return p.Equal(plot) })
}

// changes are what of a frame differs from the frame before.
type changes struct {
	before, now Frame
	plots       []placement.Plot  // that are drawn
	areas       []image.Rectangle // of these, and of those that are gone
}

// newChanges compares two frames; one without cells differs everywhere. A plot is drawn again where a text in front of
// it changes.
func newChanges(before, now Frame) changes {
	c := changes{before: before, now: now}
	if before.Cells == nil {
		c.plots = now.Plots
		return c
	}
	for _, p := range now.Plots {
		if !before.hasPlot(p) || c.textIn(p.Area) {
			c.plots = append(c.plots, p)
			c.areas = append(c.areas, p.Area)
		}
	}
	for _, p := range before.Plots {
		if !now.hasPlot(p) {
			c.areas = append(c.areas, p.Area)
		}
	}
	return c
}

// textIn reports whether a cell in an area, or so near that it is drawn with one there, differs.
func (c changes) textIn(area image.Rectangle) bool {
	area.Min.X -= maxGap
	area.Max.X += maxGap
	area = area.Intersect(image.Rect(0, 0, c.now.Cells.Width(), c.now.Cells.Height()))
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if !same(c.now.Cells.CellAt(x, y), c.before.Cells.CellAt(x, y)) {
				return true
			}
		}
	}
	return false
}

// at reports whether a cell is drawn.
func (c changes) at(x, y int) bool {
	cell := image.Pt(x, y)
	return !same(c.now.Cells.CellAt(x, y), c.before.Cells.CellAt(x, y)) ||
		slices.ContainsFunc(c.areas, func(a image.Rectangle) bool { return cell.In(a) })
}

// span is a range of cells of a line, the end not included.
type span struct{ from, to int }

// maxGap is how many unchanged cells between two changed ones are drawn again.
const maxGap = 3

// spans are the ranges of a line that are drawn, nil for none.
func (c changes) spans(y int) (spans []span) {
	if c.before.Cells == nil {
		return []span{{0, c.now.Cells.Width()}}
	}
	for x := range c.now.Cells.Width() {
		if !c.at(x, y) {
			continue
		}
		if n := len(spans) - 1; n >= 0 && x-spans[n].to <= maxGap {
			spans[n].to = x + 1
		} else {
			spans = append(spans, span{x, x + 1})
		}
	}
	return spans
}

// plotElements are the elements of a plot; their ids begin with a name.
func plotElements(p placement.Plot, name string) string {
	at := p.Area.Min
	size := p.Area.Size()
	v := svg.New(0, 0, p.Style)
	v.Name = name
	v.Plot(p.Chart, float64(at.X*cellW), float64(at.Y*cellH), float64(size.X*cellW), float64(size.Y*cellH), "")
	return v.Elements()
}

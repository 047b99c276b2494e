package chart

import (
	"slices"

	"bandscope/tui/theme"
)

// Hatch hatches the part of a plot that is ruled out: where a field is above 0, and where others are not 0, which leave
// a line free. A field over one variable is a strip along the bottom.
type Hatch struct {
	Over  Field       // hatched where it is above 0; without values nowhere
	Lines []Field     // hatched where one of them is above 0, or below, in all of a cell
	Strip bool        // only along the bottom
	Color theme.Color // unset: black or white, whichever has more contrast with the cell
	Name  string      // in the legend; empty for none
	Short string      // name of few characters, where Name does not fit; empty for none
}

// Empty reports whether nothing is hatched.
func (h Hatch) Empty() bool {
	out := slices.ContainsFunc(h.Over.Z, func(z float64) bool { return z > 0 })
	for _, l := range h.Lines {
		out = out || slices.ContainsFunc(l.Z, func(z float64) bool { return z != 0 })
	}
	return !out
}

// Cells are which of cols×rows cells of the plot region are hatched, the uppermost row first.
func (h Hatch) Cells(cols, rows int) []bool {
	held := make([]bool, cols*rows)
	for row := range rows {
		for col := range cols {
			u, v := [2]float64{float64(col) / float64(cols), float64(col+1) / float64(cols)},
				[2]float64{1 - float64(row+1)/float64(rows), 1 - float64(row)/float64(rows)}
			out := len(h.Over.Z) > 0 && h.Over.At((u[0]+u[1])/2, (v[0]+v[1])/2) > 0
			for _, l := range h.Lines {
				least, most := l.within(u, v)
				out = out || least > 0 || most < 0
			}
			held[row*cols+col] = out
		}
	}
	return held
}

// within is the least and the greatest value of a field at the corners of a cell; along an axis that has steps only in
// the middle, where the cell is one of them.
func (f Field) within(u, v [2]float64) (least, most float64) {
	if f.Cuts[0] != nil {
		u[0], u[1] = (u[0]+u[1])/2, (u[0]+u[1])/2
	}
	if f.Cuts[1] != nil {
		v[0], v[1] = (v[0]+v[1])/2, (v[0]+v[1])/2
	}
	least = f.At(u[0], v[0])
	most = least
	for _, z := range [3]float64{f.At(u[1], v[0]), f.At(u[0], v[1]), f.At(u[1], v[1])} {
		least, most = min(least, z), max(most, z)
	}
	return least, most
}

func (h Hatch) draw(c *Canvas, f Frame) {
	if h.Empty() || f.Rows < 1 || f.Cols < 1 {
		return
	}
	glyph := '╱'
	if f.style.ASCII {
		glyph = '/'
	}
	rows := f.Rows
	top := f.Top
	priority := priorityUnder
	if h.Strip { // in front of curves
		rows = 1
		top = f.Top + f.Rows - 1
		priority = 5
	}
	for i, out := range h.Cells(f.Cols, rows) {
		col, row := i%f.Cols, i/f.Cols
		p := c.at(f.Left+col, top+row)
		if !out || p == nil || !h.Strip && (col+row)%2 == 1 { // the layer below is visible between the lines
			continue
		}
		color := h.Color
		if !color.IsSet() {
			color = f.style.OnTop(p.bg)
		}
		c.Put(f.Left+col, top+row, glyph, color, false, priority)
	}
}

func (h Hatch) key(st theme.Style) Entry {
	if h.Empty() {
		return Entry{}
	}
	piece := Hatch{Over: Field{Cols: 1, Rows: 1, Z: []float64{1}}, Strip: h.Strip, Color: h.Color}
	return Entry{sample(st, 3, piece), h.Name, h.Short}
}

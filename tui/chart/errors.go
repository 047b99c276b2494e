package chart

import (
	"math"

	"bandscope/tui/theme"
)

// Errors are bars through points, from Lo to Hi along y, or across along x, as standard errors. They are in front of
// curves and behind points, and end at the edge of the plot.
type Errors struct {
	At, Lo, Hi []float64 // a bar each: where it is on the other axis, and from where to where it goes
	Across     bool
	Color      theme.Color
	Name       string // in the legend; empty for none
}

func (l Errors) draw(c *Canvas, f Frame) {
	for i := range min(len(l.At), len(l.Lo), len(l.Hi)) {
		if l.Across {
			f.bar(f.Row(l.At[i]), f.Col(l.Lo[i]), f.Col(l.Hi[i]), f.Rows, f.Cols, func(row, col int) {
				l.put(c, f, col, row)
			})
		} else {
			f.bar(f.Col(l.At[i]), f.Row(l.Hi[i]), f.Row(l.Lo[i]), f.Cols, f.Rows, func(col, row int) {
				l.put(c, f, col, row)
			})
		}
	}
}

// bar visits the cells from one to another along an axis of so many cells, at one of the other axis, as far as they are
// in the plot.
func (f Frame) bar(across, from, end float64, wide, long int, put func(across, along int)) {
	if !Finite(across) || !Finite(from) || !Finite(end) || across < 0 || across >= float64(wide) {
		return
	}
	from, end = math.Min(from, end), math.Max(from, end)
	for along := max(int(math.Floor(from)), 0); along <= min(int(math.Floor(end)), long-1); along++ {
		put(int(across), along)
	}
}

func (l Errors) put(c *Canvas, f Frame, col, row int) {
	c.Put(f.Left+col, f.Top+row, l.glyph(f.style), l.Color, false, priorityBack)
}

func (l Errors) glyph(st theme.Style) rune {
	switch {
	case st.ASCII && l.Across:
		return '='
	case st.ASCII:
		return 'I'
	case l.Across:
		return '━'
	}
	return '┃'
}

func (l Errors) key(st theme.Style) Entry {
	if len(l.At) == 0 {
		return Entry{}
	}
	return Entry{Mark: st.Paint(l.Color, string(l.glyph(st))), Name: l.Name}
}

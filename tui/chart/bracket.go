package chart

import (
	"math"

	"bandscope/tui/theme"
)

// Bracket is a line with two ends along one axis, from a value to another, at a place of the other axis: a length that
// can be dragged. It has at least two cells, and gives way to points.
type Bracket struct {
	From, To float64
	At       float64
	Vertical bool // along y
	Color    theme.Color
	Selected bool   // it is drawn with double lines
	Name     string // in the legend; empty for none
}

// bracketGlyphs are the first end, the line and the last end of a bracket, from the left or from the top.
func (b Bracket) glyphs(st theme.Style) [3]rune {
	switch {
	case st.ASCII && b.Vertical && b.Selected:
		return [3]rune{'#', '#', '#'}
	case st.ASCII && b.Vertical:
		return [3]rune{'+', '|', '+'}
	case st.ASCII && b.Selected:
		return [3]rune{'[', '=', ']'}
	case st.ASCII:
		return [3]rune{'[', '-', ']'}
	case b.Vertical && b.Selected:
		return [3]rune{'╦', '║', '╩'}
	case b.Vertical:
		return [3]rune{'┬', '│', '┴'}
	case b.Selected:
		return [3]rune{'╠', '═', '╣'}
	}
	return [3]rune{'├', '─', '┤'}
}

// Cells returns the first and the last cell of the bracket along its axis and its cell on the other one, in the plot
// region of a frame; false if no part of it is there.
func (b Bracket) Cells(f Frame) (from, to, at int, ok bool) {
	a, c, across := f.Col(b.From), f.Col(b.To), f.Row(b.At)
	long, wide := f.Cols, f.Rows
	if b.Vertical {
		a, c, across = f.Row(b.From), f.Row(b.To), f.Col(b.At)
		long, wide = f.Rows, f.Cols
	}
	if !Finite(a) || !Finite(c) || !Finite(across) || across < 0 || across >= float64(wide) || long < 2 {
		return 0, 0, 0, false
	}
	from, to = int(math.Floor(math.Min(a, c))), int(math.Floor(math.Max(a, c)))
	if from >= long || to < 0 {
		return 0, 0, 0, false
	}
	from, to = max(from, 0), min(to, long-1)
	if from == to {
		if to+1 < long && !b.Vertical || from == 0 {
			to++
		} else {
			from--
		}
	}
	return from, to, int(across), true
}

func (b Bracket) draw(c *Canvas, f Frame) {
	from, to, at, ok := b.Cells(f)
	if !ok {
		return
	}
	glyphs := b.glyphs(f.style)
	for i := from; i <= to; i++ {
		glyph := glyphs[1]
		switch i {
		case from:
			glyph = glyphs[0]
		case to:
			glyph = glyphs[2]
		}
		col, row := i, at
		if b.Vertical {
			col, row = at, i
		}
		c.Put(f.Left+col, f.Top+row, glyph, b.Color, b.Selected, priorityBack)
	}
}

func (b Bracket) key(st theme.Style) Entry {
	g := b.glyphs(st)
	if b.Vertical {
		return Entry{Mark: st.Paint(b.Color, string(g[1])), Name: b.Name}
	}
	return Entry{Mark: st.Paint(b.Color, string(g[:])), Name: b.Name}
}

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
func (b Bracket) Cells(f Frame) (from, end, line int, ok bool) {
	a := f.Col(b.From)
	c := f.Col(b.To)
	across := f.Row(b.At)
	long, wide := f.Cols, f.Rows
	if b.Vertical {
		a = f.Row(b.From)
		c = f.Row(b.To)
		across = f.Col(b.At)
		long, wide = f.Rows, f.Cols
	}
	if !Finite(a) || !Finite(c) || !Finite(across) || across < 0 || across >= float64(wide) || long < 2 {
		return 0, 0, 0, false
	}
	from, end = int(math.Floor(math.Min(a, c))), int(math.Floor(math.Max(a, c)))
	if from >= long || end < 0 {
		return 0, 0, 0, false
	}
	from, end = max(from, 0), min(end, long-1)
	if from == end {
		if end+1 < long && !b.Vertical || from == 0 {
			end++
		} else {
			from--
		}
	}
	return from, end, int(across), true
}

func (b Bracket) draw(c *Canvas, f Frame) {
	from, end, line, ok := b.Cells(f)
	if !ok {
		return
	}
	glyphs := b.glyphs(f.style)
	for i := from; i <= end; i++ {
		glyph := glyphs[1]
		switch i {
		case from:
			glyph = glyphs[0]
		case end:
			glyph = glyphs[2]
		}
		col, row := i, line
		if b.Vertical {
			col, row = line, i
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

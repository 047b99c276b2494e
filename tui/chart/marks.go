package chart

import (
	"math"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Rule is a vertical line at a value of x. It gives way to everything but the background.
type Rule struct {
	At    float64
	Color theme.Color
	Solid bool
	Dash  bool   // its dashes are longer than those of a rule that is not solid
	Name  string // in the legend; empty for none
}

func (r Rule) draw(c *Canvas, f Frame) {
	col := f.Col(r.At)
	if !Finite(col) || col < 0 || col >= float64(f.Cols) {
		return
	}
	if !f.style.ASCII {
		x := 2*f.Left + int(2*col)
		for row := range 4 * f.Rows {
			if r.Solid || row%4 < 2 && !r.Dash || r.Dash && row%8 < 5 {
				c.Dot(x, 4*f.Top+row, r.Color, priorityUnder)
			}
		}
		return
	}
	glyph := '|'
	if r.Dash {
		glyph = ':'
	}
	for row := range f.Rows {
		c.Put(f.Left+int(col), f.Top+row, glyph, r.Color, r.Solid, priorityUnder)
	}
}

// Points are marks at values of x and y. Later points cover earlier ones. Points above or below the plot are left out.
type Points struct {
	X, Y  []float64
	Shape theme.Glyph
	Color theme.Color
	Ink   bool   // black or white, whichever has more contrast with the cell
	Back  bool   // behind boxes and data
	Name  string // in the legend; empty for none
	Short string // name of few characters, where Name does not fit; empty for none
}

func (p Points) draw(c *Canvas, f Frame) {
	for i := range min(len(p.X), len(p.Y)) {
		col, row := f.Col(p.X[i]), f.Row(p.Y[i])
		if !Finite(col) || !Finite(row) || col < 0 || row < 0 || col >= float64(f.Cols) || row >= float64(f.Rows) {
			continue
		}
		color := p.Color
		switch cell := c.at(f.Left+int(col), f.Top+int(row)); {
		case cell == nil:
		case p.Ink:
			color = f.style.OnTop(cell.bg)
		case cell.area:
			cell.fillBackground()
			color = f.style.Over(cell.bg, color)
		}
		priority := priorityPoint
		if p.Back {
			priority = priorityBack
		}
		c.Put(f.Left+int(col), f.Top+int(row), f.style.Rune(p.Shape), color, !p.Back, priority)
	}
}

// Label is a text whose first character is at a value of x and y.
type Label struct {
	X, Y  float64
	Text  string
	Color theme.Color
	Ink   bool   // black or white, whichever has more contrast with the cell
	Name  string // in the legend; empty for none
	Short string // name of few characters, where Name does not fit; empty for none
}

func (l Label) draw(c *Canvas, f Frame) {
	col, row := f.Col(l.X), f.Row(l.Y)
	if !Finite(col) || !Finite(row) || col < 0 || row < 0 || col >= float64(f.Cols) || row >= float64(f.Rows) {
		return
	}
	column, blank := int(col), true
	for character, w := range layout.Characters(f.style.Plain(l.Text)) {
		if column+w > f.Cols {
			break
		}
		blank = blank && character == " "
		if !blank { // the mark at the place stays visible
			color := l.Color
			if cell := c.at(f.Left+column, f.Top+int(row)); l.Ink && cell != nil {
				color = f.style.OnTop(cell.bg)
			}
			c.put(f.Left+column, f.Top+int(row), character, w, color, true, priorityPoint)
		}
		column += w
	}
}

// Cross is a pair of lines through a place, as a cursor; they give way to points.
type Cross struct {
	X, Y float64
	Name string // in the legend; empty for none
}

func (l Cross) draw(c *Canvas, f Frame) {
	col, row := f.Col(l.X), f.Row(l.Y)
	if !Finite(col) || !Finite(row) || col < 0 || row < 0 || col >= float64(f.Cols) || row >= float64(f.Rows) {
		return
	}
	put := func(x, y int, glyph, plain rune) {
		p := c.at(f.Left+x, f.Top+y)
		if p == nil {
			return
		}
		if f.style.ASCII {
			glyph = plain
		}
		c.Put(f.Left+x, f.Top+y, glyph, f.style.OnTop(p.bg), false, priorityUnder+2)
	}
	for x := range f.Cols {
		put(x, int(row), '─', '-')
	}
	for y := range f.Rows {
		put(int(col), y, '│', '|')
	}
	put(int(col), int(row), '┼', '+')
}

// Box is the outline of a rectangle; its corners are marked.
type Box struct {
	X0, X1, Y0, Y1 float64
	Color          theme.Color
	Dash           bool   // the sides are dashed
	Name           string // in the legend; empty for none
	Short          string // name of few characters, where Name does not fit; empty for none
}

func (l Box) draw(c *Canvas, f Frame) {
	left := f.Col(l.X0)
	right := f.Col(l.X1)
	top := f.Row(l.Y1)
	bottom := f.Row(l.Y0)
	if !Finite(left) || !Finite(right) || !Finite(top) || !Finite(bottom) {
		return
	}
	glyphs := [6]rune{'─', '│', '┌', '┐', '└', '┘'}
	switch {
	case f.style.ASCII && l.Dash:
		glyphs = [6]rune{'.', ':', '#', '#', '#', '#'}
	case f.style.ASCII:
		glyphs = [6]rune{'-', '|', '#', '#', '#', '#'}
	case l.Dash:
		glyphs[0], glyphs[1] = '╌', '╎'
	}
	put := func(x, y int, glyph rune) {
		if x >= 0 && y >= 0 && x < f.Cols && y < f.Rows {
			c.Put(f.Left+x, f.Top+y, glyph, l.Color, true, priorityBox)
		}
	}
	x0 := int(math.Floor(left))
	x1 := int(math.Floor(right))
	y0 := int(math.Floor(top))
	y1 := int(math.Floor(bottom))
	for x := max(x0, 0); x <= min(x1, f.Cols-1); x++ {
		put(x, y0, glyphs[0])
		put(x, y1, glyphs[0])
	}
	for y := max(y0, 0); y <= min(y1, f.Rows-1); y++ {
		put(x0, y, glyphs[1])
		put(x1, y, glyphs[1])
	}
	put(x0, y0, glyphs[2])
	put(x1, y0, glyphs[3])
	put(x0, y1, glyphs[4])
	put(x1, y1, glyphs[5])
}

// Dots are many small marks, a dot each, that give way to everything else.
type Dots struct {
	X, Y  []float64
	Color theme.Color
	Name  string // in the legend; empty for none
	Short string // name of few characters, where Name does not fit; empty for none
}

func (l Dots) draw(c *Canvas, f Frame) {
	for i := range min(len(l.X), len(l.Y)) {
		col, row := f.Col(l.X[i]), f.Row(l.Y[i])
		if !Finite(col) || !Finite(row) || col < 0 || row < 0 || col >= float64(f.Cols) || row >= float64(f.Rows) {
			continue
		}
		if f.style.ASCII {
			c.Put(f.Left+int(col), f.Top+int(row), '\'', l.Color, false, priorityUnder)
			continue
		}
		if p := c.at(f.Left+int(col), f.Top+int(row)); p != nil {
			p.fillBackground()
		}
		c.Dot(2*f.Left+int(2*col), 4*f.Top+int(4*row), l.Color, 0)
	}
}

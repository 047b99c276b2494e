package chart

import (
	"math"

	"bandscope/tui/theme"
)

// Rule is a vertical line at a value of x. It gives way to everything but the background.
type Rule struct {
	At    float64
	Color theme.Color
	Solid bool
	Name  string // in the legend; empty for none
}

func (r Rule) draw(c *Canvas, f Frame) {
	col := f.Col(r.At)
	if !Finite(col) || col < 0 || col >= float64(f.Cols) {
		return
	}
	glyph := '┊'
	switch {
	case f.style.ASCII:
		glyph = '|'
	case r.Solid:
		glyph = '│'
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
}

func (p Points) draw(c *Canvas, f Frame) {
	for i := range min(len(p.X), len(p.Y)) {
		col, row := f.Col(p.X[i]), f.Row(p.Y[i])
		if !Finite(col) || !Finite(row) || col < 0 || row < 0 || col >= float64(f.Cols) || row >= float64(f.Rows) {
			continue
		}
		color := p.Color
		if cell := c.at(f.Left+int(col), f.Top+int(row)); p.Ink && cell != nil {
			color = f.style.OnTop(cell.bg)
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
}

func (l Label) draw(c *Canvas, f Frame) {
	col, row := f.Col(l.X), f.Row(l.Y)
	if !Finite(col) || !Finite(row) || col < 0 || row < 0 || col >= float64(f.Cols) || row >= float64(f.Rows) {
		return
	}
	for i, r := range []rune(f.style.Plain(l.Text)) {
		if int(col)+i >= f.Cols {
			break
		}
		color := l.Color
		if cell := c.at(f.Left+int(col)+i, f.Top+int(row)); l.Ink && cell != nil {
			color = f.style.OnTop(cell.bg)
		}
		c.Put(f.Left+int(col)+i, f.Top+int(row), r, color, true, priorityPoint)
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
	Name           string // in the legend; empty for none
}

func (l Box) draw(c *Canvas, f Frame) {
	left, right, top, bottom := f.Col(l.X0), f.Col(l.X1), f.Row(l.Y1), f.Row(l.Y0)
	if !Finite(left) || !Finite(right) || !Finite(top) || !Finite(bottom) {
		return
	}
	glyphs := [6]rune{'─', '│', '┌', '┐', '└', '┘'}
	if f.style.ASCII {
		glyphs = [6]rune{'-', '|', '#', '#', '#', '#'}
	}
	put := func(x, y int, glyph rune) {
		if x >= 0 && y >= 0 && x < f.Cols && y < f.Rows {
			c.Put(f.Left+x, f.Top+y, glyph, l.Color, true, priorityBox)
		}
	}
	x0, x1, y0, y1 := int(math.Floor(left)), int(math.Floor(right)), int(math.Floor(top)), int(math.Floor(bottom))
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

// Region is the region of some points, as a shade behind everything: the cells that hold one or a part of a triangle,
// and gaps between them. Without colour its edge is drawn.
type Region struct {
	X, Y      []float64
	Triangles [][3]int // of the points, by their indices, whose insides belong to the region
	Whole     bool     // the triangles are all of it: no gap is closed
	Color     theme.Color

	Name string // in the legend; empty for none
}

// regionGap is how many points a cell has on average where no gaps are closed; with fewer, wider gaps are.
const regionGap = 4

// Cells are those of the plot region, row by row, that belong to the region.
func (l Region) Cells(cols, rows int, at func(x, y float64) (col, row float64)) []bool {
	const beyond = 5 // cells around the plot region count too, or the region would be closed against its edge
	wide, high := cols+2*beyond, rows+2*beyond
	held := make([]bool, wide*high)
	n := 0
	for i := range min(len(l.X), len(l.Y)) {
		col, row := at(l.X[i], l.Y[i])
		if col, row = math.Floor(col)+beyond,
			math.Floor(row)+beyond; Finite(col) && Finite(row) && col >= 0 && row >= 0 && col < float64(wide) &&
			row < float64(high) {
			held[int(row)*wide+int(col)] = true
			n++
		}
	}
	for _, t := range l.Triangles {
		var corners [3][2]float64
		for i, k := range t {
			col, row := at(l.X[k], l.Y[k])
			corners[i] = [2]float64{col + beyond, row + beyond}
		}
		fillTriangle(corners, wide, high, func(col, row int) { held[row*wide+col] = true })
	}
	if !l.Whole {
		held = closed(held, wide, high, min(max(
			int(math.Ceil(math.Sqrt(float64(regionGap*cols*rows)/float64(max(n, 1))))), 1), beyond-1))
	}
	out := make([]bool, cols*rows)
	for row := range rows {
		copy(out[row*cols:(row+1)*cols], held[(row+beyond)*wide+beyond:])
	}
	return out
}

// closed are cells with the gaps between them: they are widened by so many columns and half as many rows, then narrowed
// by as much.
func closed(held []bool, wide, high, gap int) []bool {
	near := func(cells []bool, want bool) []bool { // whether a cell with a value is near
		out := make([]bool, len(cells))
		for row := range high {
			for col := range wide {
				for r := max(row-(gap+1)/2, 0); r <= min(row+(gap+1)/2, high-1) && !out[row*wide+col]; r++ {
					for k := max(col-gap, 0); k <= min(col+gap, wide-1); k++ {
						if cells[r*wide+k] == want {
							out[row*wide+col] = true
							break
						}
					}
				}
			}
		}
		return out
	}
	outside := near(near(held, true), false)
	out := make([]bool, len(held))
	for i := range held {
		out[i] = held[i] || !outside[i]
	}
	return out
}

// scanLines is how many lines a row of cells has along which a triangle is filled.
const scanLines = 4

// fillTriangle puts the cells that a triangle, its corners as columns and rows, covers on some line of a row.
func fillTriangle(corners [3][2]float64, cols, rows int, put func(col, row int)) {
	top, bottom := math.Inf(1), math.Inf(-1)
	for _, c := range corners {
		if !Finite(c[0]) || !Finite(c[1]) {
			return
		}
		top, bottom = min(top, c[1]), max(bottom, c[1])
	}
	first := int(math.Ceil(max(top, 0)*scanLines - 0.5))
	last := int(math.Floor(min(bottom, float64(rows))*scanLines - 0.5))
	for line := first; line <= last; line++ {
		y := (float64(line) + 0.5) / scanLines
		left, right := math.Inf(1), math.Inf(-1)
		for i, a := range corners {
			b := corners[(i+1)%3]
			if a[1] == b[1] || (y-a[1])*(y-b[1]) > 0 {
				continue
			}
			x := a[0] + (y-a[1])/(b[1]-a[1])*(b[0]-a[0])
			left, right = min(left, x), max(right, x)
		}
		for col := int(max(left, 0)); col < cols && float64(col) <= right; col++ {
			put(col, line/scanLines)
		}
	}
}

func (l Region) draw(c *Canvas, f Frame) {
	held := l.Cells(f.Cols, f.Rows, func(x, y float64) (float64, float64) { return f.Col(x), f.Row(y) })
	in := func(col, row int) bool {
		return col < 0 || row < 0 || col >= f.Cols || row >= f.Rows || held[row*f.Cols+col]
	}
	for row := range f.Rows {
		for col := range f.Cols {
			switch {
			case !held[row*f.Cols+col]:
			case f.style.Tier > theme.NoColor:
				c.Fill(f.Left+col, f.Top+row, l.Color)
			case !in(col-1, row) || !in(col+1, row) || !in(col, row-1) || !in(col, row+1):
				c.Put(f.Left+col, f.Top+row, regionEdge(f.style), theme.Color{}, false, priorityUnder)
			}
		}
	}
}

// regionEdge is the character of a region's edge where there is no colour.
func regionEdge(st theme.Style) rune {
	if st.ASCII {
		return '\''
	}
	return '░'
}

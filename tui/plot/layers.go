package plot

import (
	"math"
	"slices"

	"bandscope/tui/theme"
)

// eighths are the blocks that fill a cell from below, by eighths.
var eighths = [9]rune{' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}

// interpolate is the value of a piecewise linear curve, with X ascending, at x; NaN outside of it and beside gaps.
func interpolate(xs, ys []float64, x float64) float64 {
	n := min(len(xs), len(ys))
	if n == 0 || x < xs[0] || x > xs[n-1] {
		return math.NaN()
	}
	i, exact := slices.BinarySearch(xs[:n], x)
	if exact || i == 0 {
		return ys[min(i, n-1)]
	}
	if i == n {
		return ys[n-1]
	}
	t := (x - xs[i-1]) / (xs[i] - xs[i-1])
	return ys[i-1] + t*(ys[i]-ys[i-1])
}

// columnX is the value of x at the middle of a column of the plot region.
func (f Frame) columnX(col int) float64 {
	return f.xMin + (float64(col)+0.5)/float64(f.Cols)*(f.xMax-f.xMin)
}

// Band is the region between two curves, drawn as background, its edges to an eighth of a cell. Where it overlaps an
// earlier band the colours blend. Without colour it is a texture: ':' the first band, '.' a second, '#' both.
type Band struct {
	X, Lo, Hi []float64
	Color     theme.Color
	Second    bool   // without colour it has the second texture
	Name      string // in the legend; empty for none
}

func (b Band) draw(c *Canvas, f Frame) {
	for col := range f.Cols {
		x := f.columnX(col)
		lo, hi := interpolate(b.X, b.Lo, x), interpolate(b.X, b.Hi, x)
		if math.IsNaN(lo) || math.IsNaN(hi) || lo > hi {
			continue
		}
		top, bottom := clampRow(f.Row(hi), f.Rows), clampRow(f.Row(lo), f.Rows)
		b.column(c, f, col, top, bottom)
	}
}

// clampRow keeps a fractional row inside the plot region; an infinite value goes to its edge.
func clampRow(row float64, rows int) float64 {
	return min(max(row, 0), float64(rows))
}

// column fills one column between two fractional rows.
func (b Band) column(c *Canvas, f Frame, col int, top, bottom float64) {
	for row := int(top); row < f.Rows && float64(row) < bottom; row++ {
		from := max(top, float64(row)) - float64(row)    // part of the cell above the band
		to := min(bottom, float64(row+1)) - float64(row) // the band ends here
		p := c.at(f.Left+col, f.Top+row)
		if p == nil {
			continue
		}
		if f.style.Tier > theme.NoColor {
			b.cell(c, p, from, to, f.style.ASCII)
		} else if upper, lower := edges(f.style); to-from >= 0.5 && p.glyph != upper && p.glyph != lower {
			c.Put(f.Left+col, f.Top+row, b.texture(p.glyph), theme.Color{}, false, priorityUnder)
		}
	}
	if f.style.Tier == theme.NoColor || f.style.ASCII {
		b.edge(c, f, col, top, bottom)
	}
}

// edges are the characters of the upper and the lower edge of a band where it is not drawn to an eighth of a cell.
func edges(st theme.Style) (top, bottom rune) {
	if st.ASCII {
		return '_', '_'
	}
	return '▔', '▁'
}

// edge draws the ends of a column that lie within the plot region.
func (b Band) edge(c *Canvas, f Frame, col int, top, bottom float64) {
	upper, lower := edges(f.style)
	const rounding = 1e-6
	top, bottom = top+rounding, bottom-rounding
	if last := int(math.Ceil(bottom)) - 1; bottom < float64(f.Rows)-2*rounding && last >= 0 {
		c.Put(f.Left+col, f.Top+last, lower, f.style.BandEdge, false, priorityUnder)
	}
	if top > 2*rounding && top < float64(f.Rows) {
		c.Put(f.Left+col, f.Top+int(top), upper, f.style.BandEdge, false, priorityUnder)
	}
}

// texture is the character of a band where there is no colour.
func (b Band) texture(under rune) rune {
	switch {
	case under == ':', under == '.', under == '#':
		return '#' // of two bands
	case b.Second:
		return '.'
	}
	return ':'
}

// cell paints the part of a cell from one fraction of its height to another.
func (b Band) cell(c *Canvas, p *cell, from, to float64, ascii bool) {
	color := b.Color
	if p.bg.IsSet() {
		color = theme.Blend(p.bg, b.Color)
	}
	covered := int(math.Round((to - from) * 8))
	switch {
	case covered >= 8 || (covered >= 4 && (ascii || p.bg.IsSet() || (from > 0 && to < 1))):
		p.bg = color
	case covered <= 0 || ascii || p.bg.IsSet():
	case to >= 1: // the upper edge: the band fills the lower part
		p.glyph, p.fg, p.reverse = eighths[covered], b.Color, false
	case from <= 0: // the lower edge: the band fills the upper part
		p.glyph, p.fg, p.reverse = eighths[8-covered], b.Color, true
	default:
		p.glyph, p.fg = '─', b.Color
	}
}

// Curve is a line through points with X ascending; NaN makes a gap. Priority orders curves that share a cell.
type Curve struct {
	X, Y     []float64
	Color    theme.Color
	Line     theme.Line
	Priority int    // 0 to 40; higher is in front
	Name     string // in the legend; empty for none
}

func (l Curve) draw(c *Canvas, f Frame) {
	pen := pen{canvas: c, frame: f, curve: l, drawn: -2}
	for i := 1; i < min(len(l.X), len(l.Y)); i++ {
		pen.segment(l.X[i-1], l.Y[i-1], l.X[i], l.Y[i])
	}
}

// pen draws the segments of a curve dot by dot.
type pen struct {
	canvas *Canvas
	frame  Frame
	curve  Curve
	drawn  int // the last column of dots that was drawn
	from   int // and its row, where the curve left it
	length int // dots so far, by which a broken line is broken
}

// segment draws between two points, one column of dots after the other; each column reaches from where the curve enters it
// to where it leaves.
func (p *pen) segment(x0, y0, x1, y1 float64) {
	f := p.frame
	if !finite(x0) || !finite(x1) || !finite(y0) || !finite(y1) || x1 < x0 {
		p.drawn = -2
		return
	}
	perColumn := 2 * (float64(f.Cols) - 1e-9) / (f.xMax - f.xMin)
	a, b := (x0-f.xMin)*perColumn, (x1-f.xMin)*perColumn
	if b < 0 || a >= float64(2*f.Cols) {
		return
	}
	first, last := max(int(math.Floor(a)), 0), min(int(math.Floor(b)), 2*f.Cols-1)
	for col := first; col <= last; col++ {
		t := 1.0
		if b > a {
			t = min(max((float64(col)+0.5-a)/(b-a), 0), 1)
		}
		row := dotRow(f, y0+t*(y1-y0))
		if col == p.drawn { // a steep stretch within one column
			p.column(col, p.from, row)
		} else if p.drawn == col-1 {
			p.join(col, row)
		} else {
			p.dot(col, row)
		}
		p.drawn, p.from = col, row
	}
}

// dotRow is the quarter row of a value, kept within one row of the plot region so that steep lines leave it in the right place.
func dotRow(f Frame, y float64) int {
	row := f.Row(y) * 4
	return int(min(max(math.Floor(row), -4), float64(4*f.Rows)+3))
}

// join draws from the row where the curve left the column before, half of the way there and half of it here.
func (p *pen) join(col, row int) {
	mid := (p.from + row) / 2
	p.column(col-1, p.from, mid)
	p.column(col, mid, row)
}

func (p *pen) column(col, from, to int) {
	for r := min(from, to); r <= max(from, to); r++ {
		p.dot(col, r)
	}
}

// dot sets a dot, unless the kind of line leaves it out.
func (p *pen) dot(col, row int) {
	f := p.frame
	if row < 0 || row >= 4*f.Rows || col < 0 || col >= 2*f.Cols {
		return
	}
	line, st := p.curve.Line, f.style
	p.length++
	priority := p.curve.Priority + 1
	if st.ASCII || st.Tier == theme.NoColor && line == theme.Marked {
		if (line == theme.Dotted || line == theme.Marked) && (col/2)%2 == 1 || line == theme.Fine && (col/2)%3 > 0 {
			return
		}
		p.canvas.Put(f.Left+col/2, f.Top+row/4, theme.LineRune(line), p.curve.Color, false, priority)
		return
	}
	switch {
	case line == theme.Dashed && p.length%8 >= 5, (line == theme.Dotted || line == theme.Marked) && p.length%3 > 0,
		line == theme.Fine && st.Tier == theme.NoColor && p.length%4 > 0:
		return
	}
	p.canvas.Dot(2*f.Left+col, 4*f.Top+row, p.curve.Color, priority)
	if line == theme.Dashed && st.Tier == theme.NoColor && row+1 < 4*f.Rows { // of double width, as nothing else tells it from fine lines beside it
		p.canvas.Dot(2*f.Left+col, 4*f.Top+row+1, p.curve.Color, priority)
	}
}

// Area is filled from the bottom of the plot up to a curve, to an eighth of a cell.
type Area struct {
	X, Y  []float64
	Color theme.Color
	Name  string // in the legend; empty for none
}

func (a Area) draw(c *Canvas, f Frame) {
	for col := range f.Cols {
		y := a.column(f, col)
		if math.IsNaN(y) {
			continue
		}
		level := float64(f.Rows) - clampRow(f.Row(y), f.Rows)
		for row := range f.Rows {
			part := level - float64(f.Rows-1-row)
			filled := int(math.Round(min(max(part, 0), 1) * 8))
			if row == f.Rows-1 {
				filled = max(filled, 1) // a value is never invisible
			}
			if filled == 0 {
				continue
			}
			glyph := eighths[filled]
			if f.style.ASCII {
				glyph = []rune{'.', ':', '#'}[min(filled/3, 2)]
			}
			c.Put(f.Left+col, f.Top+row, glyph, a.Color, false, priorityUnder)
		}
	}
}

// column is the highest value within a column, so that no peak is lost between two columns.
func (a Area) column(f Frame, col int) float64 {
	half := (f.xMax - f.xMin) / float64(f.Cols) / 2
	x := f.columnX(col)
	y := interpolate(a.X, a.Y, x)
	n := min(len(a.X), len(a.Y))
	i, _ := slices.BinarySearch(a.X[:n], x-half)
	for ; i < n && a.X[i] < x+half; i++ {
		if finite(a.Y[i]) && !(f.Row(a.Y[i]) >= f.Row(y)) {
			y = a.Y[i]
		}
	}
	return y
}

// Rule is a vertical line at a value of x. It gives way to everything but the background.
type Rule struct {
	At    float64
	Color theme.Color
	Solid bool
	Name  string // in the legend; empty for none
}

func (r Rule) draw(c *Canvas, f Frame) {
	col := f.Col(r.At)
	if !finite(col) || col < 0 || col >= float64(f.Cols) {
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
	Ink   bool   // black or white, whichever stands out from what is under it
	Back  bool   // behind boxes and data
	Name  string // in the legend; empty for none
}

func (p Points) draw(c *Canvas, f Frame) {
	for i := range min(len(p.X), len(p.Y)) {
		col, row := f.Col(p.X[i]), f.Row(p.Y[i])
		if !finite(col) || !finite(row) || col < 0 || row < 0 || col >= float64(f.Cols) || row >= float64(f.Rows) {
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

// Label is a text whose first character stands at a value of x and y.
type Label struct {
	X, Y  float64
	Text  string
	Color theme.Color
	Ink   bool   // black or white, whichever stands out from what is under it
	Name  string // in the legend; empty for none
}

func (l Label) draw(c *Canvas, f Frame) {
	col, row := f.Col(l.X), f.Row(l.Y)
	if !finite(col) || !finite(row) || col < 0 || row < 0 || col >= float64(f.Cols) || row >= float64(f.Rows) {
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
	if !finite(col) || !finite(row) || col < 0 || row < 0 || col >= float64(f.Cols) || row >= float64(f.Rows) {
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
	if !finite(left) || !finite(right) || !finite(top) || !finite(bottom) {
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

// Specks are many small marks, a dot each, that give way to everything else.
type Specks struct {
	X, Y  []float64
	Color theme.Color
	Name  string // in the legend; empty for none
}

func (l Specks) draw(c *Canvas, f Frame) {
	for i := range min(len(l.X), len(l.Y)) {
		col, row := f.Col(l.X[i]), f.Row(l.Y[i])
		if !finite(col) || !finite(row) || col < 0 || row < 0 || col >= float64(f.Cols) || row >= float64(f.Rows) {
			continue
		}
		if f.style.ASCII {
			c.Put(f.Left+int(col), f.Top+int(row), '\'', l.Color, false, priorityUnder)
			continue
		}
		c.Dot(2*f.Left+int(2*col), 4*f.Top+int(4*row), l.Color, 0)
	}
}

// Region is where points lie, as a shade behind everything: the cells that hold one, and gaps between them. Without colour its edge is drawn.
type Region struct {
	X, Y  []float64
	Color theme.Color

	Name string // in the legend; empty for none
}

// regionGap is how many points a cell has on average where no gaps are closed; with fewer, wider gaps are.
const regionGap = 4

// cells are those of the plot region, row by row, that belong to the region.
func (l Region) cells(cols, rows int, at func(x, y float64) (col, row float64)) []bool {
	const beyond = 5 // cells around the plot region count too, or the region would be closed against its edge
	wide, high := cols+2*beyond, rows+2*beyond
	held := make([]bool, wide*high)
	n := 0
	for i := range min(len(l.X), len(l.Y)) {
		col, row := at(l.X[i], l.Y[i])
		if col, row = math.Floor(col)+beyond, math.Floor(row)+beyond; finite(col) && finite(row) && col >= 0 && row >= 0 && col < float64(wide) && row < float64(high) {
			held[int(row)*wide+int(col)] = true
			n++
		}
	}
	gap := min(max(int(math.Ceil(math.Sqrt(float64(regionGap*cols*rows)/float64(max(n, 1))))), 1), beyond-1)
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
	outside := near(near(held, true), false) // closed: widened, then narrowed by as much
	out := make([]bool, cols*rows)
	for row := range rows {
		for col := range cols {
			i := (row+beyond)*wide + col + beyond
			out[row*cols+col] = held[i] || !outside[i]
		}
	}
	return out
}

func (l Region) draw(c *Canvas, f Frame) {
	held := l.cells(f.Cols, f.Rows, func(x, y float64) (float64, float64) { return f.Col(x), f.Row(y) })
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

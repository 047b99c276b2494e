package chart

import (
	"math"
	"slices"

	"bandscope/tui/theme"
)

// eighths are the blocks that fill a cell from below, by eighths.
var eighths = [9]rune{' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}

// fillBackground makes the fill of a cell its background where it has most of it, so that a thin mark that is put there
// leaves no hole.
func (p *cell) fillBackground() {
	covered := slices.Index(eighths[:], p.glyph)
	if p.reverse {
		covered = 8 - covered
	}
	if covered >= 4 && covered <= 8 && p.glyph != ' ' {
		p.bg = p.fg
	}
}

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
	return f.x.Value((float64(col) + 0.5) / float64(f.Cols))
}

// minGap is how many columns a gap has at least that is drawn: narrower ones would be there between some bars and not
// between others.
const minGap = 0.9

// bridge is the value of a curve in the middle of a column; in a gap that is too narrow to be drawn that of its nearer
// end.
func (f Frame) bridge(xs, ys []float64, col int) float64 {
	x := f.columnX(col)
	y := interpolate(xs, ys, x)
	n := min(len(xs), len(ys))
	if !math.IsNaN(y) || n == 0 || x < xs[0] || x > xs[n-1] {
		return y
	}
	right, _ := slices.BinarySearch(xs[:n], x)
	left := right - 1
	for left >= 0 && math.IsNaN(ys[left]) {
		left--
	}
	for right < n && math.IsNaN(ys[right]) {
		right++
	}
	switch {
	case left < 0 || right == n || f.Col(xs[right])-f.Col(xs[left]) >= minGap:
		return y
	case x-xs[left] < xs[right]-x:
		return ys[left]
	}
	return ys[right]
}

// Band is the region between two curves, drawn as background, its edges to an eighth of a cell. Where it overlaps an
// earlier band the colours blend. Without colour it is a texture: ':' the first band, '.' a second, '#' both.
type Band struct {
	X, Lo, Hi []float64
	Color     theme.Color
	Second    bool   // without colour it has the second texture
	Name      string // in the legend; empty for none
	Short     string // name of few characters, where Name does not fit; empty for none
}

func (b Band) draw(c *Canvas, f Frame) {
	for col := range f.Cols {
		lo, hi := f.bridge(b.X, b.Lo, col), f.bridge(b.X, b.Hi, col)
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
		from := max(top, float64(row)) - float64(row)     // part of the cell above the band
		end := min(bottom, float64(row+1)) - float64(row) // the band ends here
		p := c.at(f.Left+col, f.Top+row)
		if p == nil {
			continue
		}
		if f.style.Tier > theme.NoColor {
			p.owner = c.layer
			b.cell(c, p, from, end, f.style.ASCII)
		} else if upper, lower := edges(f.style); end-from >= 0.5 && p.glyph != upper && p.glyph != lower {
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
func (b Band) cell(c *Canvas, p *cell, from, end float64, ascii bool) {
	color := b.Color
	if p.bg.IsSet() {
		color = theme.Blend(p.bg, b.Color)
	}
	covered := int(math.Round((end - from) * 8))
	switch {
	case covered >= 8 || (covered >= 4 && (ascii || p.bg.IsSet() || (from > 0 && end < 1))):
		p.bg = color
	case covered <= 0 || ascii || p.bg.IsSet():
	case end >= 1: // the upper edge: the band fills the lower part
		p.glyph = eighths[covered]
		p.fg = b.Color
		p.reverse = false
	case from <= 0: // the lower edge: the band fills the upper part
		p.glyph = eighths[8-covered]
		p.fg = b.Color
		p.reverse = true
	default:
		p.glyph, p.fg = '─', b.Color
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
			if p := c.at(f.Left+col, f.Top+row); p != nil {
				p.area = p.glyph == glyph && !f.style.ASCII
			}
		}
	}
}

// column is the highest value within a column, so that no peak is lost between two columns. In a gap between bars it is
// that of one that no column has else.
func (a Area) column(f Frame, col int) float64 {
	half, x := (f.x.To-f.x.From)/float64(f.Cols)/2, f.columnX(col)
	from, end := x-half, x+half
	if f.x.Log {
		from, end = f.x.Value(float64(col)/float64(f.Cols)), f.x.Value(float64(col+1)/float64(f.Cols))
	}
	y := f.bridge(a.X, a.Y, col)
	n := min(len(a.X), len(a.Y))
	i, _ := slices.BinarySearch(a.X[:n], from)
	gap := math.IsNaN(y) && n > 0 && x > a.X[0] && x < a.X[n-1]
	for ; i < n && a.X[i] < end; i++ {
		if gap && a.wide(i, end-from) {
			continue
		}
		if Finite(a.Y[i]) && !(f.Row(a.Y[i]) >= f.Row(y)) {
			y = a.Y[i]
		}
	}
	return y
}

// wide reports whether a point belongs to a piece of the curve that is so wide.
func (a Area) wide(i int, width float64) bool {
	piece := func(j int) bool {
		return j >= 0 && j < min(len(a.X), len(a.Y)) && Finite(a.Y[j]) && math.Abs(a.X[j]-a.X[i]) >= width
	}
	return piece(i-1) || piece(i+1)
}

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

// columnX is the value of x at a place along the columns of the plot region.
func (f Frame) columnX(col float64) float64 {
	return f.x.Value(col / float64(f.Cols))
}

// minGap is how many columns a gap has at least that is drawn: narrower ones would be there between some bars and not
// between others.
const minGap = 0.9

// bridge is the value of a curve at a place along the columns; in a gap that is too narrow to be drawn that of its
// nearer end.
func (f Frame) bridge(xs, ys []float64, col float64) float64 {
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

// Band is the region between two curves: its colour behind everything, blended with the page by the share of each cell
// that it covers, between thin edges. Where it overlaps an earlier band the colours blend. Without colour it is a
// texture: ':' the first band, '.' a second, '#' both.
type Band struct {
	X, Lo, Hi []float64
	Color     theme.Color
	Edge      theme.Color // of its edges; unset takes that of the style
	Outline   bool        // it is its edges alone
	Second    bool        // without colour it has the second texture
	Name      string      // in the legend; empty for none
	Short     string      // name of few characters, where Name does not fit; empty for none
}

// bandSamples is how many lines of a column measure how much of each cell a band covers.
const bandSamples = 4

func (b Band) draw(c *Canvas, f Frame) {
	if !b.Outline {
		cover := make([]float64, f.Rows)
		for col := range f.Cols {
			clear(cover)
			for i := range bandSamples {
				b.measure(f, float64(col)+(float64(i)+0.5)/bandSamples, cover)
			}
			for row, share := range cover {
				if p := c.at(f.Left+col, f.Top+row); p != nil && share > 0 {
					b.fill(c, p, share)
				}
			}
		}
	}
	const inside = 1e-6 // of a row: an edge between two rows is in the one that the band has
	b.drawEdge(c, f, b.Hi, inside)
	b.drawEdge(c, f, b.Lo, -inside)
}

// measure adds what the band covers along a line of a column to the shares of its cells.
func (b Band) measure(f Frame, col float64, cover []float64) {
	lo, hi := f.bridge(b.X, b.Lo, col), f.bridge(b.X, b.Hi, col)
	if math.IsNaN(lo) || math.IsNaN(hi) || lo > hi {
		return
	}
	top, bottom := clampRow(f.Row(hi), f.Rows), clampRow(f.Row(lo), f.Rows)
	for row := int(top); row < f.Rows && float64(row) < bottom; row++ {
		cover[row] += (min(bottom, float64(row+1)) - max(top, float64(row))) / bandSamples
	}
}

// clampRow keeps a fractional row inside the plot region; an infinite value goes to its edge.
func clampRow(row float64, rows int) float64 {
	return min(max(row, 0), float64(rows))
}

// leastShare is the share of a cell from which on it is shaded: less of it has its edge alone, beyond which a shade would
// reach too far.
const leastShare = 0.25

// fill paints the share of a cell that the band covers: where colours cannot be blended, all of it from a half on.
func (b Band) fill(c *Canvas, p *cell, share float64) {
	const half = 0.5
	switch tier := c.style.Tier; {
	case tier == theme.NoColor:
		if share >= half && p.glyph != '_' {
			p.glyph = b.texture(p.glyph)
			p.owner = c.layer
		}
		return
	case tier < theme.TrueColor && share < half:
		return
	case tier < theme.TrueColor: // the nearest of 256 colours to a blend is a grey
		share = 1
	}
	if share = (share - leastShare) / (1 - leastShare); share <= 0 {
		return
	}
	p.owner = c.layer
	if p.bg.IsSet() {
		p.bg = theme.Mix(p.bg, b.Color, share*half)
		return
	}
	p.bg = theme.Mix(c.style.Page, b.Color, share)
}

// WithEdges is the chart with the edges of a style on its bands, but on those that have their own.
func (c Chart) WithEdges(st theme.Style) Chart {
	c.Layers = slices.Clone(c.Layers)
	for i, l := range c.Layers {
		if band, ok := l.(Band); ok && !band.Edge.IsSet() {
			band.Edge = st.BandEdge
			c.Layers[i] = band
		}
	}
	return c
}

// drawEdge draws one of the curves as a thin line, so many rows lower.
func (b Band) drawEdge(c *Canvas, f Frame, y []float64, lower float64) {
	edge := b.Edge
	if !edge.IsSet() {
		edge = f.style.BandEdge
	}
	if f.style.ASCII {
		for col := range f.Cols {
			row := f.Row(f.bridge(b.X, y, float64(col)+0.5)) + lower
			if row >= 0 && row < float64(f.Rows) {
				c.Put(f.Left+col, f.Top+int(row), '_', edge, false, priorityUnder)
			}
		}
		return
	}
	p := pen{canvas: c, frame: f, curve: Curve{X: b.X, Y: y, Color: edge}, drawn: -2, priority: priorityEdge,
		lower: lower}
	p.draw()
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
	half, x := (f.x.To-f.x.From)/float64(f.Cols)/2, f.columnX(float64(col)+0.5)
	from, end := x-half, x+half
	if f.x.Log {
		from, end = f.x.Value(float64(col)/float64(f.Cols)), f.x.Value(float64(col+1)/float64(f.Cols))
	}
	y := f.bridge(a.X, a.Y, float64(col)+0.5)
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

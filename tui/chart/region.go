package chart

import (
	"math"
	"math/bits"

	"bandscope/tui/theme"
)

// Region is the region of some points, as a shade behind everything: the places that hold one or a part of a triangle,
// and gaps between them. Its edge is finer than a cell. Where there are few or no colours it is an outline, in 16
// colours filled with dots.
type Region struct {
	X, Y      []float64
	Triangles [][3]int // of the points, by their indices, whose insides belong to the region
	Whole     bool     // the triangles are all of it: no gap is closed, and no edge smoothed
	Color     theme.Color

	Name string // in the legend; empty for none
}

// Gaps are closed that are narrower than regionGap mean distances of the points, and at most maxRegionGap of an axis.
const (
	regionGap    = 2
	maxRegionGap = 0.05
)

// Cells are those of the plot region, row by row, that belong to the region.
func (l Region) Cells(cols, rows int, transform func(x, y float64) (col, row float64)) []bool {
	n := 0 // points within the plot region
	for i := range min(len(l.X), len(l.Y)) {
		col, row := transform(l.X[i], l.Y[i])
		if col >= 0 && row >= 0 && col < float64(cols) && row < float64(rows) {
			n++
		}
	}
	part := min(regionGap/math.Sqrt(float64(max(n, 1))), maxRegionGap)
	across, down := int(math.Ceil(part*float64(cols))), int(math.Ceil(part*float64(rows)))
	m := newMask(cols, rows, across+1, down+1)
	for i := range min(len(l.X), len(l.Y)) {
		if col, row := transform(l.X[i], l.Y[i]); Finite(col) && Finite(row) {
			m.set(int(math.Floor(col)), int(math.Floor(row)))
		}
	}
	for _, t := range l.Triangles {
		var corners [3][2]float64
		for i, k := range t {
			col, row := transform(l.X[k], l.Y[k])
			corners[i] = [2]float64{col + float64(m.left), row + float64(m.top)}
		}
		fillTriangle(corners, m.wide, m.high, func(col, row int) { m.held[row*m.wide+col] = true })
	}
	if !l.Whole {
		m.close(across, down)
	}
	out := make([]bool, cols*rows)
	for row := range rows {
		copy(out[row*cols:(row+1)*cols], m.held[(row+m.top)*m.wide+m.left:])
	}
	return out
}

// mask are cells with a margin around them: what lies beyond the plot region counts too, or the region would be closed
// against its edge.
type mask struct {
	wide, high, left, top int
	held                  []bool
}

func newMask(cols, rows, left, top int) mask {
	m := mask{wide: cols + 2*left, high: rows + 2*top, left: left, top: top}
	m.held = make([]bool, m.wide*m.high)
	return m
}

// set takes a cell of the plot region, or of the margin.
func (m mask) set(col, row int) {
	col, row = col+m.left, row+m.top
	if col >= 0 && row >= 0 && col < m.wide && row < m.high {
		m.held[row*m.wide+col] = true
	}
}

// close fills the gaps of the mask: it is widened by so many columns and rows, then narrowed by as much.
func (m mask) close(across, down int) {
	outside := make([]bool, len(m.held))
	for i, in := range m.spread(m.held, across, down) {
		outside[i] = !in
	}
	outside = m.spread(outside, across, down)
	for i := range m.held {
		m.held[i] = m.held[i] || !outside[i]
	}
}

// spread are the cells at most so many columns and rows away from one of some cells.
func (m mask) spread(cells []bool, across, down int) []bool {
	along := func(from []bool, lines, length, line, step, radius int) []bool {
		out := make([]bool, len(from))
		for l := range lines {
			for i := range length {
				if !from[l*line+i*step] {
					continue
				}
				for k := max(i-radius, 0); k <= min(i+radius, length-1); k++ {
					out[l*line+k*step] = true
				}
			}
		}
		return out
	}
	return along(along(cells, m.high, m.wide, m.wide, 1, across), m.wide, m.high, 1, m.wide, down)
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

// The resolution of a region within a cell, that of braille.
const (
	regionCols = 2
	regionRows = 4
)

func (l Region) draw(c *Canvas, f Frame) {
	if f.style.ASCII {
		l.drawPlain(c, f)
		return
	}
	cols, rows := regionCols*f.Cols, regionRows*f.Rows
	held := l.Cells(cols, rows, func(x, y float64) (float64, float64) {
		return regionCols * f.Col(x), regionRows * f.Row(y)
	})
	if f.style.Tier < theme.Color256 {
		l.drawOutline(c, f, held)
		return
	}
	for row := range f.Rows {
		for col := range f.Cols {
			var parts uint8
			for k := range regionRows * regionCols {
				if held[(regionRows*row+k/regionCols)*cols+regionCols*col+k%regionCols] {
					parts |= 1 << k
				}
			}
			if p := c.at(f.Left+col, f.Top+row); p != nil && parts != 0 {
				l.shade(c, p, parts)
			}
		}
	}
}

// shade fills the parts of a cell that belong to the region, as nearly as a character can.
func (l Region) shade(c *Canvas, p *cell, parts uint8) {
	p.owner = c.layer
	if parts == 0xff {
		p.bg = l.Color
		return
	}
	best := blocks[0]
	for _, b := range blocks {
		if bits.OnesCount8(b.parts^parts) < bits.OnesCount8(best.parts^parts) {
			best = b
		}
	}
	p.glyph = best.glyph
	p.fg = l.Color
	p.reverse = best.reverse
	p.shaded = bits.OnesCount8(parts) >= 4
}

// block is a character that fills some parts of a cell: two columns of four, row by row from the lowest bit.
type block struct {
	glyph   rune
	reverse bool
	parts   uint8
}

// blocks are the characters that fill parts of a cell.
var blocks = []block{
	{' ', false, 0x00}, {'▂', false, 0xc0}, {'▄', false, 0xf0}, {'▆', false, 0xfc}, {'▂', true, 0x3f},
	{'▄', true, 0x0f}, {'▆', true, 0x03}, {'▌', false, 0x55}, {'▐', false, 0xaa}, {'▖', false, 0x50},
	{'▗', false, 0xa0}, {'▘', false, 0x05}, {'▝', false, 0x0a}, {'▙', false, 0xf5}, {'▟', false, 0xfa},
	{'▛', false, 0x5f}, {'▜', false, 0xaf}, {'▚', false, 0xa5}, {'▞', false, 0x5a}, {'█', false, 0xff},
}

// drawOutline draws the edge of the region in dots and, in colour, fills it with a few.
func (l Region) drawOutline(c *Canvas, f Frame, held []bool) {
	cols, rows := regionCols*f.Cols, regionRows*f.Rows
	in := func(x, y int) bool { return x < 0 || y < 0 || x >= cols || y >= rows || held[y*cols+x] }
	for y := range rows {
		for x := range cols {
			edge := !in(x-1, y) || !in(x+1, y) || !in(x, y-1) || !in(x, y+1)
			inside := f.style.Tier > theme.NoColor && y%4 == 1 && x%4 == y/4%2*2
			if held[y*cols+x] && (edge && (x+2*y)%6 < 4 || !edge && inside) {
				c.Dot(regionCols*f.Left+x, regionRows*f.Top+y, f.style.Border, priorityUnder)
			}
		}
	}
}

// plainRegionEdge is the edge of a region in ASCII.
const plainRegionEdge = '\''

// drawPlain draws the edge of the region in characters.
func (l Region) drawPlain(c *Canvas, f Frame) {
	held := l.Cells(f.Cols, f.Rows, func(x, y float64) (float64, float64) { return f.Col(x), f.Row(y) })
	in := func(col, row int) bool {
		return col < 0 || row < 0 || col >= f.Cols || row >= f.Rows || held[row*f.Cols+col]
	}
	for row := range f.Rows {
		for col := range f.Cols {
			if held[row*f.Cols+col] && !(in(col-1, row) && in(col+1, row) && in(col, row-1) && in(col, row+1)) {
				c.Put(f.Left+col, f.Top+row, plainRegionEdge, theme.Color{}, false, priorityUnder)
			}
		}
	}
}

package chart

import (
	"math"

	"bandscope/tui/theme"
)

// finePriorities is from which priority on a fine line is drawn as any other.
const finePriorities = 2

// Curve is a line through points with X ascending; NaN makes a gap. Priority orders curves that share a cell.
type Curve struct {
	X, Y     []float64
	Color    theme.Color
	Line     theme.Line
	Priority int    // 0 to 40; higher is in front
	Name     string // in the legend; empty for none
	Short    string // name of few characters, where Name does not fit; empty for none
}

func (l Curve) draw(c *Canvas, f Frame) {
	pen := pen{canvas: c, frame: f, curve: l, drawn: -2}
	pen.draw()
}

// draw draws the whole curve.
func (p *pen) draw() {
	l := p.curve
	for i := 1; i < min(len(l.X), len(l.Y)); i++ {
		p.segment(l.X[i-1], l.Y[i-1], l.X[i], l.Y[i])
	}
}

// pen draws the segments of a curve dot by dot.
type pen struct {
	canvas *Canvas
	frame  Frame
	curve  Curve
	drawn  int    // the last column of dots that was drawn
	from   int    // and its row, where the curve left it
	length int    // dots so far, by which a broken line is broken
	last   [2]int // the column and row of the last of them

	priority int     // of an edge; 0 takes the curve's
	lower    float64 // rows by which it is lower
}

// segment draws between two points, one column of dots after the other; each column reaches from where the curve enters
// it to where it leaves.
func (p *pen) segment(x0, y0, x1, y1 float64) {
	f := p.frame
	if !Finite(x0) || !Finite(x1) || !Finite(y0) || !Finite(y1) || x1 < x0 {
		p.drawn, p.length = -2, 0 // a broken line begins again after a gap
		return
	}
	perColumn := 2 * (float64(f.Cols) - 1e-9) / (f.x.To - f.x.From)
	a, b := (x0-f.x.From)*perColumn, (x1-f.x.From)*perColumn
	if f.x.Log {
		a, b = 2*f.Col(x0), 2*f.Col(x1)
	}
	if b < 0 || a >= float64(2*f.Cols) {
		return
	}
	first, last := max(int(math.Floor(a)), 0), min(int(math.Floor(b)), 2*f.Cols-1)
	for col := first; col <= last; col++ {
		t := 1.0
		if b > a {
			t = min(max((float64(col)+0.5-a)/(b-a), 0), 1)
		}
		row := dotRow(f, y0+t*(y1-y0), p.lower)
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

// dotRow is the quarter row of a value, so many rows lower, kept within one row of the plot region so that steep lines leave it in the
// right place.
func dotRow(f Frame, y, lower float64) int {
	row := (f.Row(y) + lower) * 4
	return int(min(max(math.Floor(row), -4), float64(4*f.Rows)+3))
}

// join draws from the row where the curve left the column before, half of the way there and half of it here.
func (p *pen) join(col, row int) {
	mid := (p.from + row) / 2
	p.column(col-1, p.from, mid)
	p.column(col, mid, row)
}

func (p *pen) column(col, from, end int) {
	for r := min(from, end); r <= max(from, end); r++ {
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
	if p.length > 0 && p.last == [2]int{col, row} {
		return
	}
	p.length++
	p.last = [2]int{col, row}
	priority := p.curve.Priority + priorityLine
	if line == theme.Fine && p.curve.Priority < finePriorities {
		priority = priorityFine
	}
	if p.priority > 0 {
		priority = p.priority
	}
	if st.ASCII || st.Tier == theme.NoColor && line == theme.Marked {
		if (line == theme.Dotted || line == theme.Marked) && (col/2)%2 == 1 || line == theme.Fine && (col/2)%3 > 0 {
			return
		}
		p.canvas.Put(f.Left+col/2, f.Top+row/4, theme.LineRune(line), p.curve.Color, false, priority)
		return
	}
	switch {
	case line == theme.Dashed && p.length%8 >= 5,
		line == theme.Chained && (p.length%8 == 0 || p.length%8 == 5 || p.length%8 == 6),
		(line == theme.Dotted || line == theme.Marked) && p.length%3 > 0,
		line == theme.Fine && st.Tier == theme.NoColor && p.length%4 > 0:
		return
	}
	p.canvas.Dot(2*f.Left+col, 4*f.Top+row, p.curve.Color, priority)
	// of double width; a dashed line to distinguish it from fine lines beside it
	wide := line == theme.Heavy || line == theme.Dashed && st.Tier == theme.NoColor
	if wide && row+1 < 4*f.Rows {
		p.canvas.Dot(2*f.Left+col, 4*f.Top+row+1, p.curve.Color, priority)
	}
	if line == theme.Heavy && col+1 < 2*f.Cols {
		p.canvas.Dot(2*f.Left+col+1, 4*f.Top+row, p.curve.Color, priority)
	}
}

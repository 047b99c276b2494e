package chart

import (
	"math"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Simplex makes the plot region of a chart an equilateral triangle of the mixtures of three components (Cornell 2002,
// §2.2). Layers have the coordinates of Place: x from the left corner, 0, to the right one, 1, and y from the base, 0,
// to the top, 1. The ticks of an edge rise to the corner at its end: along the base to the right corner, up the right
// edge to the top, and down the left edge to the left corner.
type Simplex struct {
	Top, Left, Right Corner
}

// Corner is a component: the axis from its least value, on the opposite edge, to its greatest, at its corner.
type Corner struct{ Axis Axis }

// Place is where a mixture lies, by the shares of the component at the top and of that at the right, of which the whole
// is 1.
func Place(top, right float64) (x, y float64) { return right + top/2, top }

// Shares are the shares of the components at the top and at the right at a place.
func Shares(x, y float64) (top, right float64) { return y, x - y/2 }

// The squares of a triangle: its height for a base of 1, and the height of a cell for a width of 1.
var triangleHeight = math.Sqrt(3) / 2

const cellHeight = 2

// frame is the geometry of the triangle in w×h cells: as large as fits beside its labels.
func (s *Simplex) frame(w, h int, plain bool) Frame {
	f := Frame{x: Scale{From: 0, To: 1}, y: Scale{From: 1, To: 0}, simplex: s}
	around := 0
	above := 0
	below := 0
	if !plain {
		above, below = min(1, h), 2
		for _, c := range []Corner{s.Left, s.Top} {
			for _, t := range c.Axis.Ticks(5) {
				around = max(around, ansi.StringWidth(t.Label)+1)
			}
		}
	}
	rows, cols := max(h-above-below, 0), max(w-2*around-2, 0)
	f.Rows = min(rows, int(math.Round(float64(cols)*triangleHeight/cellHeight)))
	f.Cols = min(cols, int(math.Round(float64(f.Rows)*cellHeight/triangleHeight)))
	if f.Cols > 1 && f.Cols%2 == 0 {
		f.Cols-- // so that the top has a column of its own
	}
	f.Left, f.Top = (w-f.Cols)/2, above+(rows-f.Rows)/2
	return f
}

// inTriangle reports whether a place of the plot region lies in the triangle.
func inTriangle(u, v float64) bool {
	const slack = 1e-9
	return v >= -slack && v <= 1+slack && u >= v/2-slack && u <= 1-v/2+slack
}

// ends are the columns beside the triangle in every row of the plot region: the last on the left, the first on the right.
func (f Frame) ends() [][2]int {
	ends := make([][2]int, f.Rows)
	for row := range ends {
		v := 1 - (float64(row)+0.75)/float64(f.Rows)
		ends[row] = [2]int{int(math.Ceil(v/2*float64(f.Cols)-0.5)) - 1, int(math.Floor((1-v/2)*float64(f.Cols)-0.5)) + 1}
	}
	return ends
}

// drawEdges draws the left and the right edge, which give way to everything.
func (s *Simplex) drawEdges(c *Canvas, f Frame) {
	left, right := '╱', '╲'
	if f.style.ASCII {
		left, right = '/', '\\'
	}
	for row, beside := range f.ends() {
		c.Put(f.Left+beside[0], f.Top+row, left, f.style.Border, false, priorityUnder)
		c.Put(f.Left+beside[1], f.Top+row, right, f.style.Border, false, priorityUnder)
	}
}

// drawLabels draws the base, the names of the components and their ticks.
func (s *Simplex) drawLabels(c *Canvas, f Frame) {
	base := '─'
	if f.style.ASCII {
		base = '-'
	}
	for col := -1; col <= f.Cols; col++ {
		c.Put(f.Left+col, f.Top+f.Rows, base, f.style.Border, false, priorityAxis)
	}
	s.ticks(c, f)
	s.names(c, f)
}

// ticks writes the values of the components beside the edges along which they are read.
func (s *Simplex) ticks(c *Canvas, f Frame) {
	st, ends := f.style, f.ends()
	count := max(f.Rows/4, 2)
	beside := func(corner Corner, falling bool, put func(row int, label string)) {
		free := f.Rows
		for _, t := range corner.Axis.Ticks(count) {
			part := corner.Axis.Scale().Fraction(t.Value)
			row := int(math.Floor((1 - part) * float64(f.Rows)))
			if falling {
				row = int(math.Floor(part * float64(f.Rows)))
			}
			if part > 0.02 && part < 0.98 && row >= 0 && row < f.Rows && row != free {
				put(row, t.Label)
				free = row
			}
		}
	}
	beside(s.Left, true, func(row int, label string) {
		c.Text(f.Left+ends[row][0]-ansi.StringWidth(label), f.Top+row, label, st.Dim, priorityAxis)
	})
	beside(s.Top, false, func(row int, label string) {
		c.Text(f.Left+ends[row][1]+1, f.Top+row, label, st.Dim, priorityAxis)
	})
	from, end := ansi.StringWidth(s.Left.Axis.Label)-s.nameOverhang(s.Left, f.Left)+1,
		f.Cols-ansi.StringWidth(s.Right.Axis.Label)+s.nameOverhang(s.Right, c.w-f.Left-f.Cols)-1
	free := max(from, 0)
	for _, t := range s.Right.Axis.Ticks(max(f.Cols/10, 2)) {
		part := s.Right.Axis.Scale().Fraction(t.Value)
		col := int(part * float64(f.Cols))
		n := utf8.RuneCountInString(t.Label)
		if part < 0.02 || part > 0.98 {
			continue
		}
		mark := '┴'
		if st.ASCII {
			mark = '+'
		}
		c.Put(f.Left+col, f.Top+f.Rows, mark, st.Border, false, priorityAxis+1)
		if start := col - n/2; start >= free && start+n <= end {
			c.Text(f.Left+start, f.Top+f.Rows+1, t.Label, st.Dim, priorityAxis)
			free = start + n + 1
		}
	}
}

// nameOverhang is how many columns of the name of a lower corner lie beside the triangle, of so many that are free.
func (s *Simplex) nameOverhang(corner Corner, free int) int {
	return min(ansi.StringWidth(corner.Axis.Label)/2, max(free, 0))
}

// names writes the names of the components at their corners.
func (s *Simplex) names(c *Canvas, f Frame) {
	st, under := f.style, f.Top+f.Rows+1
	corners := []string{s.Top.Axis.Label, s.Left.Axis.Label, s.Right.Axis.Label}
	wide := func(text string, most int) string { return layout.ShortenAmong(st, text, corners, most) }
	top := wide(s.Top.Axis.Label, c.w)
	c.Text(min(max(f.Left+f.Cols/2-ansi.StringWidth(top)/2, 0), max(c.w-ansi.StringWidth(top), 0)), f.Top-1, top, st.Text,
		priorityAxis)
	left := wide(s.Left.Axis.Label, f.Left+f.Cols/2-1)
	c.Text(f.Left-min(s.nameOverhang(s.Left, f.Left), f.Left), under, left, st.Text, priorityAxis)
	right := wide(s.Right.Axis.Label, c.w-f.Left-f.Cols/2-1)
	c.Text(f.Left+f.Cols-ansi.StringWidth(right)+s.nameOverhang(s.Right, c.w-f.Left-f.Cols), under, right, st.Text,
		priorityAxis)
}

// Axes are the cells of the ticks and the names of the components, in the order top, left, right, within w×h cells.
func (s *Simplex) Axes(w, h int) (list [3][]Span) {
	f := s.frame(w, h, false)
	middle := f.Left + f.Cols/2
	n := ansi.StringWidth(s.Top.Axis.Label)
	list[0] = append(list[0], Span{Row: f.Top - 1, From: max(middle-n/2, 0), To: min(middle-n/2+n, w)})
	for row := range f.Rows {
		list[0] = append(list[0], Span{Row: f.Top + row, From: min(middle+f.Cols*(row+1)/(2*max(f.Rows, 1))+1, w), To: w})
		list[1] = append(list[1], Span{Row: f.Top + row, From: 0, To: max(middle-f.Cols*(row+1)/(2*max(f.Rows, 1))-1, 0)})
	}
	for row := f.Top + f.Rows; row < min(f.Top+f.Rows+2, h); row++ {
		list[1] = append(list[1], Span{Row: row, From: 0, To: middle})
		list[2] = append(list[2], Span{Row: row, From: middle, To: w})
	}
	return list
}

// SimplexCursor are the lines through a place of a triangle along which the shares of the three components are read:
// each to the edge with its ticks. They give way to points.
type SimplexCursor struct {
	X, Y float64
	Name string // in the legend; empty for none
}

func (l SimplexCursor) draw(c *Canvas, f Frame) {
	col, row := int(f.Col(l.X)), int(f.Row(l.Y))
	if !Finite(l.X) || !Finite(l.Y) || !inTriangle(l.X, l.Y) {
		return
	}
	glyphs := [4]rune{'─', '╱', '╲', '┼'}
	if f.style.ASCII {
		glyphs = [4]rune{'-', '/', '\\', '+'}
	}
	put := func(x, y int, glyph rune) {
		if p := c.at(f.Left+x, f.Top+y); p != nil && x >= 0 && y >= 0 && x < f.Cols && y < f.Rows {
			c.Put(f.Left+x, f.Top+y, glyph, f.style.OnTop(p.bg), false, priorityUnder+2)
		}
	}
	inside := func(x, y int) bool {
		return inTriangle((float64(x)+0.5)/float64(f.Cols), 1-(float64(y)+0.5)/float64(f.Rows))
	}
	for x := col + 1; inside(x, row); x++ { // the top component, to the right edge
		put(x, row, glyphs[0])
	}
	slope := float64(f.Cols) / float64(2*f.Rows)
	for y := row + 1; y < f.Rows; y++ { // the right one, down to the base
		put(col-int(math.Round(slope*float64(y-row))), y, glyphs[1])
	}
	for y := row - 1; y >= 0; y-- { // the left one, up to the left edge
		x := col - int(math.Round(slope*float64(row-y)))
		if !inside(x, y) {
			break
		}
		put(x, y, glyphs[2])
	}
	put(col, row, glyphs[3])
}

func (l SimplexCursor) key(st theme.Style) Entry {
	if l.Name == "" || !inTriangle(l.X, l.Y) {
		return Entry{}
	}
	return Cross(l).key(st)
}

// describeCorners adds the boxes of the corners of a triangle, with a sentence each for top, left and right.
func (s *Simplex) describeCorners(b *layout.Box, w, h int, says [3]string) {
	for i, spans := range s.Axes(w, h) {
		if says[i] != "" {
			a := layout.New(w, h).Describe(layout.Axis, [3]string{"top corner", "left corner", "right corner"}[i], "",
				layout.Static(says[i]))
			a.Cells = func() []layout.Span { return spans }
			b.Add(a)
		}
	}
}

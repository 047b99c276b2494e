package chart

import (
	"math"
	"slices"

	"bandscope/tui/theme"
)

// Field is values on a grid over the whole plot region: Z[row*Cols+col], the first row at the least y, the outermost at
// the region's edges. Along an axis that has Cuts the values do not go over into each other: each holds from one cut to
// the next.
type Field struct {
	Cols, Rows int
	Z          []float64
	// along x and y, where one value gives way to the next, rising parts of the region, one less than there are columns
	// or rows
	Cuts [2][]float64
	// the field is over a triangle, see Simplex: columns divide the width of the triangle at the height of their row
	Simplex bool
}

// HasSteps reports whether the field has steps along an axis.
func (f Field) HasSteps() bool { return f.Cuts[0] != nil || f.Cuts[1] != nil }

// At is the field at a place of the region, (0, 0) at its lower left and (1, 1) at its upper right, bilinearly between
// the nodes; NaN where a node is.
func (f Field) At(u, v float64) float64 {
	if f.Cols < 1 || f.Rows < 1 || len(f.Z) < f.Cols*f.Rows {
		return math.NaN()
	}
	if f.Simplex {
		if !inTriangle(u, v) {
			return math.NaN()
		}
		u = (u - v/2) / max(1-v, 1e-9)
	}
	i, s := cellFor(u, f.Cols, f.Cuts[0])
	j, t := cellFor(v, f.Rows, f.Cuts[1])
	right, up := min(i+1, f.Cols-1), min(j+1, f.Rows-1)
	if f.Cuts[0] != nil { // whatever is beside a step
		right = i
	}
	if f.Cuts[1] != nil {
		up = j
	}
	return (1-t)*((1-s)*f.Z[j*f.Cols+i]+s*f.Z[j*f.Cols+right]) + t*((1-s)*f.Z[up*f.Cols+i]+s*f.Z[up*f.Cols+right])
}

// Resample is the field on another grid, without steps.
func (f Field) Resample(cols, rows int) Field {
	field := Field{Cols: cols, Rows: rows, Z: make([]float64, cols*rows)}
	for j := range rows {
		for i := range cols {
			field.Z[j*cols+i] = f.At(float64(i)/float64(cols-1), float64(j)/float64(rows-1))
		}
	}
	return field
}

// cellFor is the node below a place in [0, 1] among n, and how far the place is from it to the next; with cuts the one
// whose step it is.
func cellFor(u float64, n int, cuts []float64) (int, float64) {
	if cuts != nil {
		i, _ := slices.BinarySearch(cuts, u)
		return min(i, n-1), 0
	}
	position := min(max(u, 0), 1) * float64(n-1)
	i := min(int(position), max(n-2, 0))
	return i, position - float64(i)
}

// Heat is a field in colours: two samples a cell, one above the other; without colour a ramp of characters.
type Heat struct {
	Field Field
	Scale ColorScale
}

func (h Heat) draw(c *Canvas, f Frame) {
	plain := f.style.Tier == theme.NoColor || f.style.ASCII
	for row := range f.Rows {
		high, low := 1-(float64(row)+0.25)/float64(f.Rows), 1-(float64(row)+0.75)/float64(f.Rows)
		for col := range f.Cols {
			u := (float64(col) + 0.5) / float64(f.Cols)
			upper, lower := h.Field.At(u, high), h.Field.At(u, low)
			if !h.Field.Simplex && (!Finite(upper) || !Finite(lower)) || !Finite(lower) {
				continue
			}
			x, y := f.Left+col, f.Top+row
			if !Finite(upper) { // at the edge of a triangle
				upper = lower
				if !plain {
					c.Put(x, y, '▄', h.Scale.Color(lower), false, priorityUnder)
					continue
				}
			}
			if plain {
				c.Put(x, y, h.Scale.Rune((upper+lower)/2), theme.Color{}, false, priorityUnder)
				continue
			}
			p := c.at(x, y)
			if p == nil {
				continue
			}
			over, under := h.Scale.Color(upper), h.Scale.Color(lower)
			p.bg, p.owner = under, c.layer
			if over != under {
				p.glyph = '▀'
				p.fg = over
				p.priority = priorityUnder
			}
		}
	}
}

// Contours are lines of equal value of a field, in braille dots.
type Contours struct {
	Field  Field
	Levels []float64
	Dashed bool   // the lines are broken, to distinguish them from others
	Name   string // in the legend; empty for none
	Short  string // name of few characters, where Name does not fit; empty for none
}

// ContourLevels are about count values within a scale that are round when displayed.
func ContourLevels(s ColorScale, count int) []float64 {
	var levels []float64
	for _, t := range s.Ticks(count) {
		if t.Value > s.Lo && t.Value < s.Hi {
			levels = append(levels, t.Value)
		}
	}
	return levels
}

func (l Contours) draw(c *Canvas, f Frame) {
	fine := l.Field.Resample(2*f.Cols+1, 4*f.Rows+1) // one node a corner of a dot
	if f.style.ASCII {
		fine = l.Field.Resample(f.Cols+1, f.Rows+1)
	}
	for _, level := range l.Levels {
		for j := range fine.Rows - 1 {
			for i := range fine.Cols - 1 {
				if fine.Crosses(i, j, level) {
					l.dot(c, f, fine, i, j)
				}
			}
		}
	}
}

// Crosses reports whether a level lies between the corners of a square of the grid.
func (f Field) Crosses(i, j int, level float64) bool {
	lower, upper := f.Z[j*f.Cols+i:], f.Z[(j+1)*f.Cols+i:]
	lo := min(lower[0], lower[1], upper[0], upper[1])
	hi := max(lower[0], lower[1], upper[0], upper[1])
	return lo < level && level <= hi && Finite(lo) && Finite(hi)
}

// dot draws the dot, or in ASCII the character, of a square of the grid.
func (l Contours) dot(c *Canvas, f Frame, fine Field, i, j int) {
	if l.Dashed && !f.style.ASCII && (i/3+j/3)%2 == 1 {
		return
	}
	if f.style.ASCII {
		char := ','
		if l.Dashed {
			char = ';'
		}
		c.Put(f.Left+i, f.Top+f.Rows-1-j, char, theme.Color{}, false, priorityUnder+1)
		return
	}
	x, y := 2*f.Left+i, 4*(f.Top+f.Rows)-1-j
	p := c.at(x/2, y/4)
	if p == nil {
		return
	}
	c.Dot(x, y, f.style.OnTop(p.bg), priorityEdge)
}

// ColorBar is a scale with its numbers: h lines of w columns, at the top the most salient value. A logarithmic scale
// has round values, such as powers of ten.
func ColorBar(s ColorScale, w, h int, st theme.Style) []string {
	canvas := NewCanvas(w, h, st)
	if h < 2 || w < 3 {
		return canvas.Lines()
	}
	top, bottom := s.Ends()
	Heat{Field{Cols: 1, Rows: 2, Z: []float64{bottom, top}}, s}.draw(canvas, Frame{Cols: 2, Rows: h, style: st})
	put := func(row int, text string) { canvas.Text(3, row, st.Plain(text), st.Dim, priorityAxis) }
	topText, bottomText := s.EndTexts(Short)
	if ticks := s.Ticks(max(h/4, 2)); s.Log && len(ticks) > 0 {
		for _, t := range ticks {
			canvas.Text(3, min(int((1-s.Fraction(t.Value))*float64(h)), h-1), t.Label, st.Dim, priorityAxis)
		}
		return canvas.Lines()
	}
	put(0, topText)
	put(h-1, bottomText)
	if h >= 5 {
		put(h/2, Short(s.DisplayValue((s.Lo+s.Hi)/2)))
	}
	return canvas.Lines()
}

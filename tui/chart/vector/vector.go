// Package vector draws the layers of charts as few kinds of marks in pixels: paths, circles, texts and images. A surface
// takes them: package svg writes elements, package pixels paints a picture. Unknown kinds of
// layers are left out; a test checks that there are none.
package vector

import (
	"image"

	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// Point is a place in pixels, from the left and from the top.
type Point struct{ X, Y float64 }

// Path is lines through points, each from its first to its last.
type Path struct {
	Lines  [][]Point
	Closed bool // every line goes back to its first point
}

// Paint is how a mark is drawn. A colour that is not set draws nothing.
type Paint struct {
	Fill, Stroke theme.Color
	Opacity      float64   // of both, from 0 to 1; 0 counts as 1
	Width        float64   // of the stroke; 0 counts as 1
	Dash         []float64 // lengths of dashes and gaps in turn; nil for an unbroken line
	Crisp        bool      // its edges are on pixels: many pieces make one area
}

// Anchor says what of a text is at its place.
type Anchor int

// The anchors of a text: its first letter, its middle, its end.
const (
	Start Anchor = iota
	Middle
	End
)

// Text is a text on a line.
type Text struct {
	Point
	Text   string
	Anchor Anchor
	Color  theme.Color
	Clear  bool // its letters have an edge in the colour of the paper, so that it can be read whatever is under it
}

// Surface is drawn on.
type Surface interface {
	Path(p Path, paint Paint)
	Circle(center Point, radius float64, paint Paint)
	Text(t Text)
	// Image fills a rectangle with an image, whose pixels become as large as they must.
	Image(corner Point, w, h float64, pixels *image.Paletted)
	// Clip restricts the marks of a function to the inside of a path.
	Clip(outline Path, draw func())
}

// Region is where the plot region of a chart lies, and how data map to it.
type Region struct {
	X, Y, W, H   float64
	Across, Down chart.Scale // from the left, and from the top
	Unit         float64     // pixels, in which marks are measured; 0 counts as 1
	Tight        bool        // the surface ends at the edges: marks on them are a little further in
}

// unit is the unit of marks in pixels.
func (f Region) unit() float64 {
	if f.Unit == 0 {
		return 1
	}
	return f.Unit
}

// Px is the place of a value of x, in pixels from the left.
func (f Region) Px(x float64) float64 { return f.X + f.Across.Fraction(x)*f.W }

// Py is the place of a value of y, in pixels from the top.
func (f Region) Py(y float64) float64 { return f.Y + f.Down.Fraction(y)*f.H }

// holds reports whether a place lies in the region.
func (f Region) holds(x, y float64) bool { return f.Across.Contains(x) && f.Down.Contains(y) }

// at is the place of values.
func (f Region) at(x, y float64) Point { return Point{f.Px(x), f.Py(y)} }

// halfMark is half of the width of a mark, in units.
const halfMark = 6

// center is where the mark of a point is.
func (f Region) center(x, y float64) Point {
	at := f.at(x, y)
	if half := halfMark * f.unit(); f.Tight && f.W > 2*half && f.H > 2*half {
		at.X = min(max(at.X, f.X+half), f.X+f.W-half)
		at.Y = min(max(at.Y, f.Y+half), f.Y+f.H-half)
	}
	return at
}

// Outline is the edge of the region.
func (f Region) Outline() Path {
	return Path{[][]Point{{{f.X, f.Y}, {f.X + f.W, f.Y}, {f.X + f.W, f.Y + f.H}, {f.X, f.Y + f.H}}}, true}
}

// Triangle is the edge of a region that is a triangle.
func (f Region) Triangle() Path {
	return Path{[][]Point{{{f.X, f.Y + f.H}, {f.X + f.W/2, f.Y}, {f.X + f.W, f.Y + f.H}}}, true}
}

// Layers draws the layers of a chart into its plot region, clipped to it. No band covers the edge of another one.
func Layers(s Surface, c chart.Chart, f Region) {
	outline := f.Outline()
	if c.Simplex != nil {
		outline = f.Triangle()
	}
	s.Clip(outline, func() {
		layers := c.PaintOrder()
		opacity := bandOpacity
		for _, l := range layers {
			if b, ok := l.(chart.Band); ok && !b.Outline {
				fillBand(s, b, f, opacity)
				opacity = blendOpacity
			}
		}
		for _, l := range layers {
			b, ok := l.(chart.Band)
			switch {
			case ok:
				bandEdges(s, b, f)
			case !wholeOnEdges(l):
				Layer(s, l, f)
			}
		}
	})
	for _, l := range c.PaintOrder() {
		if wholeOnEdges(l) {
			Layer(s, l, f)
		}
	}
}

// wholeOnEdges reports whether the marks of a layer, in front of the others, are whole on the edges of the region too.
func wholeOnEdges(l chart.Layer) bool {
	switch l := l.(type) {
	case chart.Points:
		return !l.Back
	case chart.Label:
		return true
	}
	return false
}

package svg

import (
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/chart"
)

// simplex draws a chart whose plot region is a triangle into a rectangle, with the names and the ticks of the components.
func (v *Picture) simplex(c chart.Chart, f field, id string) {
	whole := f
	around := 40.0
	above := 30.0
	below := 36.0
	if c.X.HideTicks {
		around = 2
		above = 2
		below = 2
	}
	w := min(f.w-2*around, (f.h-above-below)*2/math.Sqrt(3))
	if w < 10 {
		return
	}
	h := w * math.Sqrt(3) / 2
	f.x = f.x + (f.w-w)/2
	f.y = f.y + above
	f.w = w
	f.h = h
	id = html.EscapeString(v.Name + id)
	corners := fmt.Sprintf("M%.1f %.1fL%.1f %.1fL%.1f %.1fz", f.x, f.y+f.h, f.x+f.w/2, f.y, f.x+f.w, f.y+f.h)
	fmt.Fprintf(&v.b, `<clipPath id="%s"><path d="%s"/></clipPath>`+"\n", id, corners)
	for _, l := range c.PaintOrder() {
		switch l.(type) {
		case chart.Points, chart.Label: // whole on the edges too
			v.layer(l, f)
		default:
			fmt.Fprintf(&v.b, `<g clip-path="url(#%s)">`+"\n", id)
			v.layer(l, f)
			v.b.WriteString("</g>\n")
		}
	}
	fmt.Fprintf(&v.b, `<path d="%s" fill="none" stroke="%s"/>`+"\n", corners, v.st.Border.RGB)
	if !c.X.HideTicks {
		v.simplexTicks(c.Simplex, f, whole)
	}
}

// simplexTicks writes the values of the components beside the edges along which they are read, and their names, within
// the whole of the rectangle.
func (v *Picture) simplexTicks(s *chart.Simplex, f, whole field) {
	ticks := func(a chart.Axis, edge func(part float64) (x, y float64), dx, dy float64, anchor Anchor) {
		for _, t := range a.Ticks(5) {
			part := a.Scale().Fraction(t.Value)
			if part < 0.02 || part > 0.98 {
				continue
			}
			x, y := edge(part)
			v.tick(f.px(x), f.py(y), f.px(x)+dx/2, f.py(y)+dy/2)
			v.Text(f.px(x)+dx, f.py(y)+dy+4, anchor, t.Label, v.st.Dim)
		}
	}
	ticks(s.Top.Axis, func(t float64) (x, y float64) { return 1 - t/2, t }, 10, 0, Start)
	ticks(s.Left.Axis, func(t float64) (x, y float64) { return (1 - t) / 2, 1 - t }, -10, 0, End)
	ticks(s.Right.Axis, func(t float64) (x, y float64) { return t, 0 }, 0, 13, Middle)
	v.Text(f.x+f.w/2, f.y-8, Middle, s.Top.Axis.Label, v.st.Text)
	wide := func(c chart.Corner) float64 { return letterWidth * float64(ansi.StringWidth(c.Axis.Label)) }
	v.Text(max(f.x-wide(s.Left)/2, whole.x), f.y+f.h+32, Start, s.Left.Axis.Label, v.st.Text)
	v.Text(min(f.x+f.w+wide(s.Right)/2, whole.x+whole.w), f.y+f.h+32, End, s.Right.Axis.Label, v.st.Text)
}

// simplexCursor draws the lines along which the shares of a place are read.
func (v *Picture) simplexCursor(l chart.SimplexCursor, f field) {
	top, right := chart.Shares(l.X, l.Y)
	var d strings.Builder
	for _, end := range [3][2]float64{{1 - top/2, top}, {right, 0}, {(top + right) / 2, top + right}} {
		fmt.Fprintf(&d, "M%.1f %.1fL%.1f %.1f", f.px(l.X), f.py(l.Y), f.px(end[0]), f.py(end[1]))
	}
	fmt.Fprintf(&v.b, `<path d="%s" fill="none" stroke="#ffffff" stroke-opacity="0.5"/>`+"\n", d.String())
}

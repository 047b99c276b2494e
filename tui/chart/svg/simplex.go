package svg

import (
	"math"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/chart"
	"bandscope/tui/chart/vector"
)

// simplex draws a chart whose plot region is a triangle into a rectangle, with the names and the ticks of the components.
func (v *Picture) simplex(c chart.Chart, f vector.Region) {
	whole := f
	around := 40.0
	above := 30.0
	below := 36.0
	if c.X.HideTicks {
		around = 2
		above = 2
		below = 2
	}
	w := min(f.W-2*around, (f.H-above-below)*2/math.Sqrt(3))
	if w < 10 {
		return
	}
	h := w * math.Sqrt(3) / 2
	f.X = f.X + (f.W-w)/2
	f.Y = f.Y + above
	f.W = w
	f.H = h
	vector.Layers(v, c, f)
	v.Path(f.Triangle(), vector.Paint{Stroke: v.st.Border})
	if !c.X.HideTicks {
		v.simplexTicks(c.Simplex, f, whole)
	}
}

// simplexTicks writes the values of the components beside the edges along which they are read, and their names, within
// the whole of the rectangle.
func (v *Picture) simplexTicks(s *chart.Simplex, f, whole vector.Region) {
	ticks := func(a chart.Axis, edge func(part float64) (x, y float64), dx, dy float64, anchor vector.Anchor) {
		for _, t := range a.Ticks(5) {
			part := a.Scale().Fraction(t.Value)
			if part < 0.02 || part > 0.98 {
				continue
			}
			x, y := edge(part)
			v.tick(f.Px(x), f.Py(y), f.Px(x)+dx/2, f.Py(y)+dy/2)
			v.write(f.Px(x)+dx, f.Py(y)+dy+4, anchor, t.Label, v.st.Dim)
		}
	}
	ticks(s.Top.Axis, func(t float64) (x, y float64) { return 1 - t/2, t }, 10, 0, vector.Start)
	ticks(s.Left.Axis, func(t float64) (x, y float64) { return (1 - t) / 2, 1 - t }, -10, 0, vector.End)
	ticks(s.Right.Axis, func(t float64) (x, y float64) { return t, 0 }, 0, 13, vector.Middle)
	v.write(f.X+f.W/2, f.Y-8, vector.Middle, s.Top.Axis.Label, v.st.Text)
	wide := func(c chart.Corner) float64 { return letterWidth * float64(ansi.StringWidth(c.Axis.Label)) }
	v.write(max(f.X-wide(s.Left)/2, whole.X), f.Y+f.H+32, vector.Start, s.Left.Axis.Label, v.st.Text)
	v.write(min(f.X+f.W+wide(s.Right)/2, whole.X+whole.W), f.Y+f.H+32, vector.End, s.Right.Axis.Label, v.st.Text)
}

package svg

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"

	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// layer draws a layer into a plot region.
func (v *Picture) layer(l chart.Layer, f field) {
	switch l := l.(type) {
	case chart.Band:
		v.band(l, f)
	case chart.Curve:
		v.curve(l, f)
	case chart.Area:
		v.area(l, f)
	case chart.Rule:
		v.rule(l, f)
	case chart.Points:
		v.points(l, f)
	case chart.Label:
		v.label(l, f)
	case chart.Cross:
		v.cross(l, f)
	case chart.SimplexCursor:
		v.simplexCursor(l, f)
	case chart.Box:
		v.box(l, f)
	case chart.Errors:
		v.errors(l, f)
	case chart.Bracket:
		v.bracket(l, f)
	case chart.Dots:
		v.dots(l, f)
	case chart.Region:
		v.region(l, f)
	case chart.Heat:
		v.heat(l, f)
	case chart.Contours:
		v.contours(l, f)
	case chart.Hatch:
		v.hatch(l, f)
	}
}

func (v *Picture) band(b chart.Band, f field) {
	var xs, ys []float64
	for _, p := range pieces(min(len(b.X), len(b.Lo), len(b.Hi)), func(i int) bool {
		return math.IsNaN(b.Lo[i]) || math.IsNaN(b.Hi[i])
	}) {
		for i := p[0]; i < p[1]; i++ {
			xs, ys = append(xs, b.X[i]), append(ys, b.Hi[i])
		}
		for i := p[1] - 1; i >= p[0]; i-- {
			xs, ys = append(xs, b.X[i]), append(ys, b.Lo[i])
		}
		xs, ys = append(xs, math.NaN()), append(ys, math.NaN())
	}
	v.path(f, xs, ys, fmt.Sprintf(`fill="%s" fill-opacity="0.8"`, b.Color.RGB))
}

// pieces are the longest runs of n points without a gap, each from its first to behind its last.
func pieces(n int, gap func(int) bool) (runs [][2]int) {
	for i := 0; i < n; i++ {
		from := i
		for i < n && !gap(i) {
			i++
		}
		if i > from {
			runs = append(runs, [2]int{from, i})
		}
	}
	return runs
}

func (v *Picture) curve(l chart.Curve, f field) {
	style := map[theme.Line]string{theme.Solid: `stroke-width="2"`,
		theme.Dashed: `stroke-width="2" stroke-dasharray="7 4"`,
		theme.Dotted: `stroke-width="1.5" stroke-dasharray="2 3"`,
		theme.Marked: `stroke-width="1.5" stroke-dasharray="2 3"`, theme.Fine: `stroke-width="0.8"`,
		theme.Heavy:   `stroke-width="4"`,
		theme.Chained: `stroke-width="1.5" stroke-dasharray="7 3 2 3"`}[l.Line]
	v.path(f, l.X, l.Y, fmt.Sprintf(`fill="none" stroke="%s" %s`, l.Color.RGB, style))
}

func (v *Picture) area(a chart.Area, f field) {
	var xs, ys []float64
	for _, p := range pieces(min(len(a.X), len(a.Y)), func(i int) bool { return math.IsNaN(a.Y[i]) }) {
		xs, ys = append(append(xs, a.X[p[0]]), a.X[p[0]:p[1]]...), append(append(ys, f.down.To), a.Y[p[0]:p[1]]...)
		xs, ys = append(xs, a.X[p[1]-1], math.NaN()), append(ys, f.down.To, math.NaN())
	}
	v.path(f, xs, ys, fmt.Sprintf(`fill="%s" fill-opacity="0.85"`, a.Color.RGB))
}

func (v *Picture) rule(r chart.Rule, f field) {
	dash := ` stroke-dasharray="3 4"`
	switch {
	case r.Solid:
		dash = ""
	case r.Dash:
		dash = ` stroke-dasharray="6 3"`
	}
	v.path(f, []float64{r.At, r.At}, []float64{f.down.To, f.down.From}, fmt.Sprintf(`stroke="%s"%s`, r.Color.RGB, dash))
}

// ink is the colour of a mark; one without its own colour is black with a white edge.
func ink(c theme.Color, inked bool) string {
	if inked || !c.IsSet() {
		return `fill="#000000" stroke="#ffffff" stroke-width="1.2"`
	}
	return fmt.Sprintf(`fill="%s" stroke="none"`, c.RGB)
}

func (v *Picture) points(p chart.Points, f field) {
	for i := range min(len(p.X), len(p.Y)) {
		if f.holds(p.X[i], p.Y[i]) {
			v.mark(p.Shape, f.px(p.X[i]), f.py(p.Y[i]), p.Color, p.Ink)
		}
	}
}

// mark draws a mark of about ten pixels.
func (v *Picture) mark(shape theme.Glyph, x, y float64, c theme.Color, inked bool) {
	fill := ink(c, inked)
	line := strings.Replace(strings.Replace(fill, `stroke="none"`, "", 1), "fill=",
		`fill="none" stroke-width="1.8" stroke=`, 1)
	if inked {
		line = `fill="none" stroke="#000000" stroke-width="1.6"`
	}
	if inked && (shape == theme.GlyphHollow || shape == theme.GlyphTarget) {
		fmt.Fprintf(&v.b, `<circle cx="%.1f" cy="%.1f" r="4.5" fill="none" stroke="#ffffff" stroke-width="3.4"/>`+"\n",
			x, y)
	}
	switch shape {
	case theme.GlyphHollow:
		fmt.Fprintf(&v.b, `<circle cx="%.1f" cy="%.1f" r="4" %s/>`+"\n", x, y, line)
	case theme.GlyphTarget:
		fmt.Fprintf(&v.b, `<circle cx="%.1f" cy="%.1f" r="5.5" %s/><circle cx="%.1f" cy="%.1f" r="2.5" %s/>`+"\n", x,
			y, line, x, y, fill)
	case theme.GlyphDot:
		fmt.Fprintf(&v.b, `<circle cx="%.1f" cy="%.1f" r="1.5" %s/>`+"\n", x, y, fill)
	case theme.GlyphCross:
		fmt.Fprintf(&v.b, `<path d="M%.1f %.1fl8 8m0 -8l-8 8" %s/>`+"\n", x-4, y-4, line)
	case theme.GlyphPlus:
		fmt.Fprintf(&v.b, `<path d="M%.1f %.1fh6m-3 -3v6" %s/>`+"\n", x-3, y, line)
	case theme.GlyphDiamond:
		fmt.Fprintf(&v.b, `<path d="M%.1f %.1fl6 6l-6 6l-6 -6z" %s/>`+"\n", x, y-6, fill)
	case theme.GlyphTriangle:
		fmt.Fprintf(&v.b, `<path d="M%.1f %.1fl6 10h-12z" %s/>`+"\n", x, y-6, fill)
	case theme.GlyphDown:
		fmt.Fprintf(&v.b, `<path d="M%.1f %.1fl6 -10h-12z" %s/>`+"\n", x, y+6, fill)
	case theme.GlyphBeyond:
		fmt.Fprintf(&v.b, `<path d="M%.1f %.1fl5 -9h-10z" %s/>`+"\n", x, y+5, line)
	case theme.GlyphSquare:
		fmt.Fprintf(&v.b, `<rect x="%.1f" y="%.1f" width="8" height="8" %s/>`+"\n", x-4, y-4, fill)
	case theme.GlyphStar:
		var d strings.Builder
		for k := range 10 {
			r := 7.0
			if k%2 == 1 {
				r = 3
			}
			a := float64(k) * math.Pi / 5
			fmt.Fprintf(&d, "%c%.1f %.1f", "ML"[min(k, 1)], x+r*math.Sin(a), y-r*math.Cos(a))
		}
		fmt.Fprintf(&v.b, `<path d="%sz" %s/>`+"\n", d.String(), fill)
	default:
		fmt.Fprintf(&v.b, `<circle cx="%.1f" cy="%.1f" r="4" %s/>`+"\n", x, y, fill)
	}
}

func (v *Picture) label(l chart.Label, f field) {
	if f.holds(l.X, l.Y) {
		v.clearText(f.px(l.X), f.py(l.Y)+4, l.Text, l.Color)
	}
}

func (v *Picture) cross(l chart.Cross, f field) {
	v.path(f, []float64{f.across.From, f.across.To, math.NaN(), l.X, l.X},
		[]float64{l.Y, l.Y, math.NaN(), f.down.To, f.down.From}, `fill="none" stroke="#000000"`)
}

func (v *Picture) box(l chart.Box, f field) {
	dash := ""
	if l.Dash {
		dash = ` stroke-dasharray="6 3"`
	}
	v.path(f, []float64{l.X0, l.X1, l.X1, l.X0, l.X0}, []float64{l.Y0, l.Y0, l.Y1, l.Y1, l.Y0},
		fmt.Sprintf(`fill="none" stroke="%s" stroke-width="1.5"%s`, l.Color.RGB, dash))
}

func (v *Picture) errors(l chart.Errors, f field) {
	for i := range min(len(l.At), len(l.Lo), len(l.Hi)) {
		x, y := []float64{l.At[i], l.At[i]}, []float64{l.Lo[i], l.Hi[i]}
		if l.Across {
			x, y = y, x
		}
		v.path(f, x, y, fmt.Sprintf(`stroke="%s" stroke-width="1.5"`, l.Color.RGB))
	}
}

// bracket draws a line with an end across it on either side; nothing if it begins outside of the plot.
func (v *Picture) bracket(l chart.Bracket, f field) {
	x, y := [2]float64{l.From, l.To}, [2]float64{l.At, l.At}
	dx, dy := 0.0, 4.5 // half an end, in pixels
	if l.Vertical {
		x, y = y, x
		dx, dy = dy, dx
	}
	if !f.holds(x[0], y[0]) {
		return
	}
	wide := 1.5
	if l.Selected {
		wide = 3
	}
	var d strings.Builder
	for i := range x {
		fmt.Fprintf(&d, "M%.1f %.1fl%g %g", f.px(x[i])-dx, f.py(y[i])-dy, 2*dx, 2*dy)
	}
	fmt.Fprintf(&v.b, `<path d="%sM%.1f %.1fL%.1f %.1f" stroke="%s" stroke-width="%g"/>`+"\n", d.String(), f.px(x[0]),
		f.py(y[0]), f.px(x[1]), f.py(y[1]), l.Color.RGB, wide)
}

func (v *Picture) dots(l chart.Dots, f field) {
	var d strings.Builder
	for i := range min(len(l.X), len(l.Y)) {
		if f.holds(l.X[i], l.Y[i]) {
			fmt.Fprintf(&d, "M%.1f %.1fh1", f.px(l.X[i]), f.py(l.Y[i]))
		}
	}
	if d.Len() > 0 {
		fmt.Fprintf(&v.b, `<path d="%s" stroke="%s"/>`+"\n", d.String(), l.Color.RGB)
	}
}

// hatch draws lines across the cells of a grid, of which those in a diagonal make one line.
func (v *Picture) hatch(l chart.Hatch, f field) {
	const pixels = 7
	if l.Strip {
		f.y, f.h = f.y+f.h-min(pixels, f.h), min(pixels, f.h)
	}
	cols, rows := max(int(f.w/pixels), 1), max(int(f.h/pixels), 1)
	w, h := f.w/float64(cols), f.h/float64(rows)
	var d strings.Builder
	for i, held := range l.Cells(cols, rows) {
		if held {
			fmt.Fprintf(&d, "M%.1f %.1fl%.1f %.1f", f.x+float64(i%cols)*w, f.y+float64(i/cols+1)*h, w, -h)
		}
	}
	if d.Len() == 0 {
		return
	}
	color := "#000000"
	if l.Color.IsSet() {
		color = l.Color.RGB
	}
	fmt.Fprintf(&v.b, `<path d="%s" fill="none" stroke="%s" stroke-opacity="0.6"/>`+"\n", d.String(), color)
}

func (v *Picture) region(l chart.Region, f field) {
	const cols, rows = 240, 160
	held := l.Cells(cols, rows, func(x, y float64) (float64, float64) {
		return (f.px(x) - f.x) / f.w * cols, (f.py(y) - f.y) / f.h * rows
	})
	w, h := f.w/cols, f.h/rows
	var d strings.Builder
	for row := range rows {
		for col := 0; col < cols; col++ {
			from := col
			for col < cols && held[row*cols+col] {
				col++
			}
			if col > from {
				fmt.Fprintf(&d, "M%.1f %.1fh%.1fv%.1fh%.1fz", f.x+float64(from)*w, f.y+float64(row)*h,
					float64(col-from)*w, h, -float64(col-from)*w)
			}
		}
	}
	if d.Len() > 0 {
		fmt.Fprintf(&v.b, `<path d="%s" fill="%s" shape-rendering="crispEdges"/>`+"\n", d.String(), l.Color.RGB)
	}
}

// A heatmap is an image of at most heatCells in each direction; a cell is not smaller than heatPixels.
const (
	heatCells  = 160
	heatPixels = 1.5
)

// heat draws a field as an image inside of the picture, a hundred times smaller than rectangles are. Cells without a
// value are transparent.
func (v *Picture) heat(h chart.Heat, f field) {
	cells := min(max(int(f.w/heatPixels), 1), heatCells)
	n := float64(cells)
	v.image(f.x, f.y, f.w, f.h, cells, cells, func(col, row int) theme.Color {
		z := h.Field.At((float64(col)+0.5)/n, 1-(float64(row)+0.5)/n)
		if !chart.Finite(z) {
			return theme.Color{}
		}
		return h.Scale.Color(z)
	})
}

// image fills a rectangle of the picture with cells, at most 255 colours of them; one that is not set is clear.
func (v *Picture) image(x, y, w, h float64, cols, rows int, colorAt func(col, row int) theme.Color) {
	pixels := image.NewPaletted(image.Rect(0, 0, cols, rows), color.Palette{color.NRGBA{}})
	known := map[string]uint8{"": 0}
	for row := range rows {
		for col := range cols {
			c := colorAt(col, row)
			i, ok := known[c.RGB]
			if !ok && len(pixels.Palette) < 256 {
				r, g, b := theme.RGB(c)
				i = uint8(len(pixels.Palette))
				pixels.Palette = append(pixels.Palette, color.NRGBA{r, g, b, 255})
				known[c.RGB] = i
			}
			pixels.SetColorIndex(col, row, i)
		}
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if encoder.Encode(&b, pixels) != nil { // of an image without a pixel
		return
	}
	fmt.Fprintf(&v.b,
		`<image x="%.1f" y="%.1f" width="%.1f" height="%.1f" preserveAspectRatio="none" href="data:image/png;base64,%s"/>`+"\n",
		x, y, w, h, base64.StdEncoding.EncodeToString(b.Bytes()))
}

// contours draws the lines by marching squares over the field's own grid.
func (v *Picture) contours(l chart.Contours, f field) {
	g := l.Field
	if g.HasSteps() || g.Simplex {
		g = g.Resample(2*heatCells+1, 2*heatCells+1)
	}
	var d strings.Builder
	valueAt := func(i, j int) float64 { return g.Z[j*g.Cols+i] }
	x := func(i float64) float64 { return f.x + i/float64(g.Cols-1)*f.w }
	y := func(j float64) float64 { return f.y + (1-j/float64(g.Rows-1))*f.h }
	for _, level := range l.Levels {
		for j := range g.Rows - 1 {
			for i := range g.Cols - 1 {
				if !g.Crosses(i, j, level) {
					continue
				}
				var ends [][2]float64
				edge := func(i0, j0, i1, j1 int) {
					a, b := valueAt(i0, j0), valueAt(i1, j1)
					if (a >= level) != (b >= level) {
						t := (level - a) / (b - a)
						ends = append(ends, [2]float64{x(float64(i0) + t*float64(i1-i0)),
							y(float64(j0) + t*float64(j1-j0))})
					}
				}
				edge(i, j, i+1, j)
				edge(i+1, j, i+1, j+1)
				edge(i+1, j+1, i, j+1)
				edge(i, j+1, i, j)
				for k := 0; k+1 < len(ends); k += 2 {
					fmt.Fprintf(&d, "M%.1f %.1fL%.1f %.1f", ends[k][0], ends[k][1], ends[k+1][0], ends[k+1][1])
				}
			}
		}
	}
	if d.Len() > 0 {
		broken := ""
		if l.Dashed {
			broken = ` stroke-width="1.6" stroke-dasharray="5 3"`
		}
		fmt.Fprintf(&v.b, `<path d="%s" fill="none" stroke="#000000" stroke-opacity="0.6"%s/>`+"\n", d.String(), broken)
	}
}

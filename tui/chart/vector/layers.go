package vector

import (
	"image"
	"image/color"
	"math"

	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// black and white are the colours of marks that have none of their own.
var (
	black = theme.NewColor("#000000", 16, 0)
	white = theme.NewColor("#ffffff", 231, 15)
)

// Layer draws a layer into a plot region.
func Layer(s Surface, l chart.Layer, f Region) {
	switch l := l.(type) {
	case chart.Band:
		band(s, l, f)
	case chart.Curve:
		curve(s, l, f)
	case chart.Area:
		area(s, l, f)
	case chart.Rule:
		rule(s, l, f)
	case chart.Points:
		points(s, l, f)
	case chart.Label:
		label(s, l, f)
	case chart.Cross:
		cross(s, l, f)
	case chart.SimplexCursor:
		simplexCursor(s, l, f)
	case chart.Box:
		box(s, l, f)
	case chart.Errors:
		errorBars(s, l, f)
	case chart.Bracket:
		bracket(s, l, f)
	case chart.Dots:
		dots(s, l, f)
	case chart.Region:
		region(s, l, f)
	case chart.Heat:
		heat(s, l, f)
	case chart.Contours:
		contours(s, l, f)
	case chart.Hatch:
		hatch(s, l, f)
	}
}

// line is a path through values; NaN makes a gap.
func line(f Region, xs, ys []float64) (p Path) {
	pen := false
	for i := range min(len(xs), len(ys)) {
		if !chart.Finite(xs[i]) || !chart.Finite(ys[i]) {
			pen = false
			continue
		}
		if !pen {
			p.Lines = append(p.Lines, nil)
		}
		pen = true
		last := &p.Lines[len(p.Lines)-1]
		*last = append(*last, Point{f.Px(xs[i]), clampTo(f.Py(ys[i]), f)})
	}
	return p
}

// clampTo moves points far outside of a region near it, to numbers that a viewer can represent.
func clampTo(y float64, f Region) float64 { return min(max(y, f.Y-f.H), f.Y+2*f.H) }

// The opacity of a band, and of one over another, as they blend in cells.
const (
	bandOpacity  = 0.8
	blendOpacity = 0.5
)

// band draws a band alone.
func band(s Surface, b chart.Band, f Region) {
	fillBand(s, b, f, bandOpacity)
	bandEdges(s, b, f)
}

// fillBand fills a band, unless it is an outline.
func fillBand(s Surface, b chart.Band, f Region, opacity float64) {
	if b.Outline {
		return
	}
	inside := Path{Closed: true}
	for _, p := range pieces(min(len(b.X), len(b.Lo), len(b.Hi)), func(i int) bool {
		return math.IsNaN(b.Lo[i]) || math.IsNaN(b.Hi[i])
	}) {
		var outline []Point
		for i := p[0]; i < p[1]; i++ {
			outline = append(outline, Point{f.Px(b.X[i]), clampTo(f.Py(b.Hi[i]), f)})
		}
		for i := p[1] - 1; i >= p[0]; i-- {
			outline = append(outline, Point{f.Px(b.X[i]), clampTo(f.Py(b.Lo[i]), f)})
		}
		inside.Lines = append(inside.Lines, outline)
	}
	s.Path(inside, Paint{Fill: b.Color, Opacity: opacity})
}

// bandEdges draws the edges of a band.
func bandEdges(s Surface, b chart.Band, f Region) {
	edge := Paint{Stroke: b.Edge}
	if !edge.Stroke.IsSet() {
		edge = Paint{Stroke: b.Color, Width: 1.2}
	}
	s.Path(line(f, b.X, b.Hi), edge)
	s.Path(line(f, b.X, b.Lo), edge)
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

func curve(s Surface, l chart.Curve, f Region) {
	paint := map[theme.Line]Paint{
		theme.Solid:   {Width: 2},
		theme.Dashed:  {Width: 2, Dash: []float64{7, 4}},
		theme.Dotted:  {Width: 1.5, Dash: []float64{2, 3}},
		theme.Marked:  {Width: 1.5, Dash: []float64{2, 3}},
		theme.Fine:    {Width: 0.8},
		theme.Heavy:   {Width: 4},
		theme.Chained: {Width: 1.5, Dash: []float64{7, 3, 2, 3}},
	}[l.Line]
	paint.Stroke = l.Color
	s.Path(line(f, l.X, l.Y), paint)
}

func area(s Surface, a chart.Area, f Region) {
	inside := Path{Closed: true}
	for _, p := range pieces(min(len(a.X), len(a.Y)), func(i int) bool { return math.IsNaN(a.Y[i]) }) {
		outline := []Point{f.at(a.X[p[0]], f.Down.To)}
		for i := p[0]; i < p[1]; i++ {
			outline = append(outline, Point{f.Px(a.X[i]), clampTo(f.Py(a.Y[i]), f)})
		}
		inside.Lines = append(inside.Lines, append(outline, f.at(a.X[p[1]-1], f.Down.To)))
	}
	s.Path(inside, Paint{Fill: a.Color, Opacity: 0.85})
}

func rule(s Surface, r chart.Rule, f Region) {
	paint := Paint{Stroke: r.Color, Dash: []float64{3, 4}}
	switch {
	case r.Solid:
		paint.Dash = nil
	case r.Dash:
		paint.Dash = []float64{6, 3}
	}
	s.Path(line(f, []float64{r.At, r.At}, []float64{f.Down.To, f.Down.From}), paint)
}

func points(s Surface, p chart.Points, f Region) {
	for i := range min(len(p.X), len(p.Y)) {
		if f.holds(p.X[i], p.Y[i]) {
			mark(s, p.Shape, f.center(p.X[i], p.Y[i]), f.unit(), p.Color, p.Ink)
		}
	}
}

// mark draws a mark of about ten units; one without its own colour, or inked, is black with a white edge.
func mark(s Surface, shape theme.Glyph, center Point, unit float64, c theme.Color, inked bool) {
	fill, stroke := Paint{Fill: c}, Paint{Stroke: c, Width: 1.8}
	if inked || !c.IsSet() {
		inked = true
		fill = Paint{Fill: black, Stroke: white, Width: 1.2}
		stroke = Paint{Stroke: black, Width: 1.6}
	}
	outlined := func(outline ...Point) Path {
		for i := range outline {
			outline[i] = Point{center.X + unit*outline[i].X, center.Y + unit*outline[i].Y}
		}
		return Path{[][]Point{outline}, true}
	}
	if inked && (shape == theme.GlyphHollow || shape == theme.GlyphTarget) {
		s.Circle(center, 4.5, Paint{Stroke: white, Width: 3.4})
	}
	switch shape {
	case theme.GlyphHollow:
		s.Circle(center, 4, stroke)
	case theme.GlyphTarget:
		s.Circle(center, 5.5, stroke)
		s.Circle(center, 2.5, fill)
	case theme.GlyphDot:
		s.Circle(center, 1.5, fill)
	case theme.GlyphCross:
		s.Path(Path{Lines: append(outlined(Point{-4, -4}, Point{4, 4}).Lines, outlined(Point{4, -4}, Point{-4, 4}).Lines...)}, stroke)
	case theme.GlyphPlus:
		s.Path(Path{Lines: append(outlined(Point{-3, 0}, Point{3, 0}).Lines, outlined(Point{0, -3}, Point{0, 3}).Lines...)}, stroke)
	case theme.GlyphDiamond:
		s.Path(outlined(Point{0, -6}, Point{6, 0}, Point{0, 6}, Point{-6, 0}), fill)
	case theme.GlyphDesign:
		s.Path(outlined(Point{0, -6}, Point{6, 0}, Point{0, 6}, Point{-6, 0}), stroke)
	case theme.GlyphTriangle:
		s.Path(outlined(Point{0, -6}, Point{6, 4}, Point{-6, 4}), fill)
	case theme.GlyphDown:
		s.Path(outlined(Point{0, 6}, Point{6, -4}, Point{-6, -4}), fill)
	case theme.GlyphBeyond:
		s.Path(outlined(Point{0, 5}, Point{5, -4}, Point{-5, -4}), stroke)
	case theme.GlyphLeft:
		s.Path(outlined(Point{-6, 0}, Point{4, -6}, Point{4, 6}), fill)
	case theme.GlyphRight:
		s.Path(outlined(Point{6, 0}, Point{-4, 6}, Point{-4, -6}), fill)
	case theme.GlyphSquare:
		s.Path(outlined(Point{-4, -4}, Point{4, -4}, Point{4, 4}, Point{-4, 4}), fill)
	case theme.GlyphStar:
		var star []Point
		for k := range 10 {
			r := 7.0
			if k%2 == 1 {
				r = 3
			}
			a := float64(k) * math.Pi / 5
			star = append(star, Point{r * math.Sin(a), -r * math.Cos(a)})
		}
		s.Path(outlined(star...), fill)
	default:
		s.Circle(center, 4, fill)
	}
}

func label(s Surface, l chart.Label, f Region) {
	if f.holds(l.X, l.Y) {
		center := f.at(l.X, l.Y)
		s.Text(Text{Point: Point{center.X, center.Y + 4}, Text: l.Text, Color: l.Color, Clear: true})
	}
}

func cross(s Surface, l chart.Cross, f Region) {
	s.Path(line(f, []float64{f.Across.From, f.Across.To, math.NaN(), l.X, l.X},
		[]float64{l.Y, l.Y, math.NaN(), f.Down.To, f.Down.From}), Paint{Stroke: black})
}

// simplexCursor draws the lines along which the shares of a place are read.
func simplexCursor(s Surface, l chart.SimplexCursor, f Region) {
	top, right := chart.Shares(l.X, l.Y)
	var p Path
	for _, end := range [3][2]float64{{1 - top/2, top}, {right, 0}, {(top + right) / 2, top + right}} {
		p.Lines = append(p.Lines, []Point{f.at(l.X, l.Y), f.at(end[0], end[1])})
	}
	s.Path(p, Paint{Stroke: white, Opacity: 0.5})
}

func box(s Surface, l chart.Box, f Region) {
	paint := Paint{Stroke: l.Color, Width: 1.5}
	if l.Dash {
		paint.Dash = []float64{6, 3}
	}
	s.Path(line(f, []float64{l.X0, l.X1, l.X1, l.X0, l.X0}, []float64{l.Y0, l.Y0, l.Y1, l.Y1, l.Y0}), paint)
}

func errorBars(s Surface, l chart.Errors, f Region) {
	for i := range min(len(l.At), len(l.Lo), len(l.Hi)) {
		x, y := []float64{l.At[i], l.At[i]}, []float64{l.Lo[i], l.Hi[i]}
		if l.Across {
			x, y = y, x
		}
		s.Path(line(f, x, y), Paint{Stroke: l.Color, Width: 1.5})
	}
}

// bracket draws a line with an end across it on either side; nothing if it begins outside of the plot.
func bracket(s Surface, l chart.Bracket, f Region) {
	x, y := [2]float64{l.From, l.To}, [2]float64{l.At, l.At}
	dx, dy := 0.0, 4.5*f.unit() // half an end
	if l.Vertical {
		x, y = y, x
		dx, dy = dy, dx
	}
	if !f.holds(x[0], y[0]) {
		return
	}
	paint := Paint{Stroke: l.Color, Width: 1.5}
	if l.Selected {
		paint.Width = 3
	}
	first, last := f.at(x[0], y[0]), f.at(x[1], y[1])
	p := Path{Lines: [][]Point{{first, last}}}
	for _, end := range []Point{first, last} {
		p.Lines = append(p.Lines, []Point{{end.X - dx, end.Y - dy}, {end.X + dx, end.Y + dy}})
	}
	s.Path(p, paint)
}

func dots(s Surface, l chart.Dots, f Region) {
	var p Path
	for i := range min(len(l.X), len(l.Y)) {
		if f.holds(l.X[i], l.Y[i]) {
			center := f.at(l.X[i], l.Y[i])
			p.Lines = append(p.Lines, []Point{center, {center.X + f.unit(), center.Y}})
		}
	}
	s.Path(p, Paint{Stroke: l.Color})
}

// hatch draws lines across the cells of a grid, of which those in a diagonal make one line.
func hatch(s Surface, l chart.Hatch, f Region) {
	pixels := 7 * f.unit()
	if l.Strip {
		f.Y, f.H = f.Y+f.H-min(pixels, f.H), min(pixels, f.H)
	}
	cols, rows := max(int(f.W/pixels), 1), max(int(f.H/pixels), 1)
	w, h := f.W/float64(cols), f.H/float64(rows)
	var p Path
	for i, held := range l.Cells(cols, rows) {
		if held {
			center := Point{f.X + float64(i%cols)*w, f.Y + float64(i/cols+1)*h}
			p.Lines = append(p.Lines, []Point{center, {center.X + w, center.Y - h}})
		}
	}
	color := l.Color
	if !color.IsSet() {
		color = black
	}
	s.Path(p, Paint{Stroke: color, Opacity: 0.6})
}

func region(s Surface, l chart.Region, f Region) {
	const cols, rows = 240, 160
	held := l.Cells(cols, rows, func(x, y float64) (float64, float64) {
		return (f.Px(x) - f.X) / f.W * cols, (f.Py(y) - f.Y) / f.H * rows
	})
	w, h := f.W/cols, f.H/rows
	p := Path{Closed: true}
	for row := range rows {
		top := f.Y + float64(row)*h
		for col := 0; col < cols; col++ {
			from := col
			for col < cols && held[row*cols+col] {
				col++
			}
			if col > from {
				left, right := f.X+float64(from)*w, f.X+float64(col)*w
				p.Lines = append(p.Lines, []Point{{left, top}, {right, top}, {right, top + h}, {left, top + h}})
			}
		}
	}
	s.Path(p, Paint{Fill: l.Color, Crisp: true})
}

// A heatmap is an image of center most heatCells in each direction; a cell is not smaller than heatPixels.
const (
	heatCells  = 160
	heatPixels = 1.5
)

// heat draws a field as an image, a hundred times smaller than rectangles are. Cells without a value are transparent.
func heat(s Surface, h chart.Heat, f Region) {
	cells := min(max(int(f.W/heatPixels), 1), heatCells)
	n := float64(cells)
	s.Image(Point{f.X, f.Y}, f.W, f.H, Image(cells, cells, func(col, row int) theme.Color {
		u, v := (float64(col)+0.5)/n, 1-(float64(row)+0.5)/n
		z := h.Field.At(u, v)
		if h.Field.Simplex && !chart.Finite(z) { // a cell on an edge, whose middle is outside
			z = h.Field.At(u+math.Copysign(1/n, 0.5-u), v-1/n)
		}
		if !chart.Finite(z) {
			return theme.Color{}
		}
		return h.Scale.Color(z)
	}))
}

// Image is an image of cells, center most 255 colours of them; one that is not set is clear.
func Image(cols, rows int, colorAt func(col, row int) theme.Color) *image.Paletted {
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
	return pixels
}

// contours draws the lines by marching squares over the field's own grid.
func contours(s Surface, l chart.Contours, f Region) {
	g := l.Field
	if g.HasSteps() || g.Simplex {
		g = g.Resample(2*heatCells+1, 2*heatCells+1)
	}
	var p Path
	for _, level := range l.Levels {
		for j := range g.Rows - 1 {
			for i := range g.Cols - 1 {
				if !g.Crosses(i, j, level) {
					continue
				}
				ends := crossings(g, f, i, j, level)
				for k := 0; k+1 < len(ends); k += 2 {
					p.Lines = append(p.Lines, ends[k:k+2])
				}
			}
		}
	}
	paint := Paint{Stroke: black, Opacity: 0.6}
	if l.Dashed {
		paint.Width = 1.6
		paint.Dash = []float64{5, 3}
	}
	s.Path(p, paint)
}

// crossings are the places on the edges of a square of a field's grid where it has a level.
func crossings(g chart.Field, f Region, i, j int, level float64) (ends []Point) {
	corners := [5][2]int{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}, {i, j}}
	for k, from := range corners[:4] {
		next := corners[k+1]
		a, b := g.Z[from[1]*g.Cols+from[0]], g.Z[next[1]*g.Cols+next[0]]
		if (a >= level) == (b >= level) {
			continue
		}
		t := (level - a) / (b - a)
		col := float64(from[0]) + t*float64(next[0]-from[0])
		row := float64(from[1]) + t*float64(next[1]-from[1])
		ends = append(ends, Point{f.X + col/float64(g.Cols-1)*f.W, f.Y + (1-row/float64(g.Rows-1))*f.H})
	}
	return ends
}

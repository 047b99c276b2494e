// Package pixels paints the layers of charts into an image, antialiased: the plot region alone, without axes and texts,
// which terminals that show pictures have as cells in front of it.
package pixels

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	raster "golang.org/x/image/vector"

	"bandscope/tui/chart"
	"bandscope/tui/chart/vector"
	"bandscope/tui/theme"
)

// Picture is an image that is painted. Lengths of marks are in units of which one is a pixel on a terminal whose cells
// are unitsPerCell high.
type Picture struct {
	image *image.RGBA
	scale float64 // pixels in a unit
}

// unitsPerCell is how many units a cell is high.
const unitsPerCell = 16

// Plot paints the plot region of a chart into w×h pixels; cell is the height of a cell. Nothing is painted where the
// page is visible.
func Plot(c chart.Chart, w, h int, cell float64) *image.RGBA {
	p := &Picture{image: image.NewRGBA(image.Rect(0, 0, max(w, 0), max(h, 0))), scale: max(cell/unitsPerCell, 0.25)}
	r := vector.Region{W: float64(w), H: float64(h), Across: c.X.Scale(), Down: c.Y.Scale()}
	if !c.Y.Flip {
		r.Down = r.Down.Reverse()
	}
	if w > 0 && h > 0 {
		vector.Layers(p, c, r)
	}
	return p.image
}

// Path paints a path.
func (p *Picture) Path(path vector.Path, paint vector.Paint) {
	if paint.Fill.IsSet() {
		r := p.rasterizer()
		for _, line := range path.Lines {
			polygon(r, line)
		}
		p.paint(r, paint.Fill, paint.Opacity)
	}
	if paint.Stroke.IsSet() {
		p.stroke(path, paint)
	}
}

// Circle paints a circle, as a polygon whose corners are too many to be seen.
func (p *Picture) Circle(center vector.Point, radius float64, paint vector.Paint) {
	p.Path(vector.Path{Lines: [][]vector.Point{circle(center, radius*p.scale)}, Closed: true}, paint)
}

// circle are the corners of a polygon in place of a circle.
func circle(center vector.Point, radius float64) []vector.Point {
	n := max(int(4*math.Sqrt(radius)+8), 12)
	corners := make([]vector.Point, n)
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		corners[i] = vector.Point{X: center.X + radius*cos, Y: center.Y + radius*sin}
	}
	return corners
}

// Text paints nothing: texts are cells in front of the picture.
func (p *Picture) Text(vector.Text) {}

// Image paints an image, each of its pixels a rectangle.
func (p *Picture) Image(corner vector.Point, w, h float64, pixels *image.Paletted) {
	size := pixels.Bounds().Size()
	area := image.Rect(int(corner.X), int(corner.Y), int(math.Ceil(corner.X+w)), int(math.Ceil(corner.Y+h)))
	area = area.Intersect(p.image.Bounds())
	for y := area.Min.Y; y < area.Max.Y; y++ {
		row := min(max(int((float64(y)+0.5-corner.Y)/h*float64(size.Y)), 0), size.Y-1)
		for x := area.Min.X; x < area.Max.X; x++ {
			col := min(max(int((float64(x)+0.5-corner.X)/w*float64(size.X)), 0), size.X-1)
			if c := pixels.At(col, row).(color.NRGBA); c.A > 0 {
				p.image.SetRGBA(x, y, color.RGBA(c))
			}
		}
	}
}

// Clip paints within a path.
func (p *Picture) Clip(outline vector.Path, paint func()) {
	whole := p.image
	p.image = image.NewRGBA(whole.Bounds())
	paint()
	inside := p.rasterizer()
	for _, line := range outline.Lines {
		polygon(inside, line)
	}
	inside.Draw(whole, whole.Bounds(), p.image, image.Point{})
	p.image = whole
}

func (p *Picture) rasterizer() *raster.Rasterizer {
	size := p.image.Bounds().Size()
	return raster.NewRasterizer(size.X, size.Y)
}

// polygon adds the inside of a line that is closed, in the one direction: areas of two directions would cancel.
func polygon(r *raster.Rasterizer, line []vector.Point) {
	if len(line) < 2 {
		return
	}
	area := 0.0
	for i, a := range line {
		b := line[(i+1)%len(line)]
		area += a.X*b.Y - b.X*a.Y
	}
	step, i := 1, 0
	if area < 0 {
		step, i = -1, len(line)-1
	}
	r.MoveTo(float32(line[i].X), float32(line[i].Y))
	for range len(line) - 1 {
		i += step
		r.LineTo(float32(line[i].X), float32(line[i].Y))
	}
	r.ClosePath()
}

// paint paints the shapes of a rasterizer in a colour.
func (p *Picture) paint(r *raster.Rasterizer, c theme.Color, opacity float64) {
	if opacity == 0 {
		opacity = 1
	}
	red, green, blue := theme.RGB(c)
	r.DrawOp = draw.Over
	r.Draw(p.image, p.image.Bounds(),
		image.NewUniform(color.NRGBA{red, green, blue, uint8(math.Round(255 * opacity))}), image.Point{})
}

// stroke paints lines of a width, with round joins.
func (p *Picture) stroke(path vector.Path, paint vector.Paint) {
	width := paint.Width
	if width == 0 {
		width = 1
	}
	half := max(width*p.scale, 1) / 2
	r := p.rasterizer()
	for _, line := range path.Lines {
		if path.Closed && len(line) > 0 {
			line = append(line[:len(line):len(line)], line[0])
		}
		for _, dash := range p.dashes(line, paint.Dash) {
			for i := 1; i < len(dash); i++ {
				segment(r, dash[i-1], dash[i], half)
				if i+1 < len(dash) {
					polygon(r, circle(dash[i], half))
				}
			}
		}
	}
	p.paint(r, paint.Stroke, paint.Opacity)
}

// segment adds a straight piece of a line.
func segment(r *raster.Rasterizer, a, b vector.Point, half float64) {
	length := math.Hypot(b.X-a.X, b.Y-a.Y)
	if length == 0 {
		return
	}
	dx, dy := -(b.Y-a.Y)/length*half, (b.X-a.X)/length*half
	polygon(r, []vector.Point{{X: a.X + dx, Y: a.Y + dy}, {X: b.X + dx, Y: b.Y + dy}, {X: b.X - dx, Y: b.Y - dy},
		{X: a.X - dx, Y: a.Y - dy}})
}

// dashes are the pieces of a line that are drawn, by the lengths of dashes and gaps in turn.
func (p *Picture) dashes(line []vector.Point, lengths []float64) (pieces [][]vector.Point) {
	if len(lengths) == 0 {
		return [][]vector.Point{line}
	}
	k := 0
	left := lengths[0] * p.scale // of the dash, or of the gap
	var piece []vector.Point
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		length := math.Hypot(b.X-a.X, b.Y-a.Y)
		for done := 0.0; done < length; {
			step := min(left, length-done)
			place := func(d float64) vector.Point {
				return vector.Point{X: a.X + (b.X-a.X)*d/length, Y: a.Y + (b.Y-a.Y)*d/length}
			}
			if k%2 == 0 {
				if len(piece) == 0 {
					piece = append(piece, place(done))
				}
				piece = append(piece, place(done+step))
			}
			done += step
			left -= step
			if left > 0 {
				continue
			}
			if k%2 == 0 {
				pieces = append(pieces, piece)
				piece = nil
			}
			k++
			left = lengths[k%len(lengths)] * p.scale
		}
	}
	if len(piece) > 1 {
		pieces = append(pieces, piece)
	}
	return pieces
}

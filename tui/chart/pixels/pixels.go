// Package pixels paints the layers of charts into an image, antialiased: the plot region alone, without axes and texts,
// which terminals that show pictures have as cells in front of it.
package pixels

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"bandscope/tui/chart"
	"bandscope/tui/chart/vector"
	"bandscope/tui/theme"
)

// Picture is an image that is painted. Lengths of marks are in units of which one is a pixel on a terminal whose cells
// are unitsPerCell high.
type Picture struct {
	image *image.RGBA
	clip  image.Rectangle // nothing is painted outside of it
	scale float64         // pixels in a unit
	shape shape           // of the mark that is painted
	edge  theme.Color     // of clips that are no rectangles
}

// unitsPerCell is how many units a cell is high.
const unitsPerCell = 16

// Plot paints the plot region of a chart into as many pixels as a size has, in front of a background; cell is the height
// of a cell. Without a background, nothing is painted where the page is visible.
func Plot(c chart.Chart, size image.Point, cell float64, st theme.Style, background theme.Color) *image.RGBA {
	p := newPicture(max(size.X, 0), max(size.Y, 0), max(cell/unitsPerCell, 0.25))
	if p.clip.Empty() {
		return p.image
	}
	if background.IsSet() {
		draw.Draw(p.image, p.clip, image.NewUniform(rgba(background, 1)), image.Point{}, draw.Src)
	}
	r := vector.Region{W: float64(size.X), H: float64(size.Y), Across: c.X.Scale(), Down: c.Y.Scale(), Unit: p.scale, Tight: true}
	if !c.Y.Flip {
		r.Down = r.Down.Reverse()
	}
	c = c.WithEdges(st)
	p.edge = st.Border
	vector.Layers(p, c, r)
	return p.image
}

func newPicture(w, h int, scale float64) *Picture {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	return &Picture{image: m, clip: m.Bounds(), scale: scale}
}

// rgba is a colour with an opacity, where 0 counts as 1.
func rgba(c theme.Color, opacity float64) color.RGBA {
	if opacity == 0 {
		opacity = 1
	}
	r, g, b := theme.RGB(c)
	return color.RGBAModel.Convert(color.NRGBA{r, g, b, uint8(math.Round(255 * opacity))}).(color.RGBA)
}

// Path paints a path.
func (p *Picture) Path(path vector.Path, paint vector.Paint) {
	if paint.Fill.IsSet() {
		for _, line := range path.Lines {
			p.shape.polygon(line)
		}
		p.fill(rgba(paint.Fill, paint.Opacity))
	}
	if !paint.Stroke.IsSet() {
		return
	}
	width := paint.Width
	if width == 0 {
		width = 1
	}
	half := max(width*p.scale, 1) / 2
	for _, line := range path.Lines {
		if len(paint.Dash) == 0 {
			p.shape.stroke(line, path.Closed, half)
			continue
		}
		if path.Closed && len(line) > 0 {
			line = append(line[:len(line):len(line)], line[0])
		}
		for _, dash := range p.dashes(line, paint.Dash) {
			p.shape.stroke(dash, false, half)
		}
	}
	p.fill(rgba(paint.Stroke, paint.Opacity))
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
	if size.X == 0 || size.Y == 0 {
		return
	}
	area := image.Rect(int(corner.X), int(corner.Y), int(math.Ceil(corner.X+w)), int(math.Ceil(corner.Y+h)))
	area = area.Intersect(p.clip)
	colors := make([]color.RGBA, len(pixels.Palette))
	for i, c := range pixels.Palette {
		colors[i] = color.RGBAModel.Convert(c).(color.RGBA)
	}
	columns := make([]int, area.Dx())
	for i := range columns {
		columns[i] = min(max(int((float64(area.Min.X+i)+0.5-corner.X)/w*float64(size.X)), 0), size.X-1)
	}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		row := min(max(int((float64(y)+0.5-corner.Y)/h*float64(size.Y)), 0), size.Y-1)
		indices := pixels.Pix[row*pixels.Stride:]
		to := p.image.Pix[p.image.PixOffset(area.Min.X, y):]
		for i, column := range columns {
			c := colors[indices[column]]
			if c.A > 0 {
				pixel := to[4*i : 4*i+4 : 4*i+4]
				pixel[0], pixel[1] = c.R, c.G
				pixel[2], pixel[3] = c.B, c.A
			}
		}
	}
}

// Clip paints within a path. One that is no rectangle has an edge.
func (p *Picture) Clip(outline vector.Path, paint func()) {
	whole, clip := p.image, p.clip
	if area, ok := rectangle(outline); ok {
		p.clip = clip.Intersect(area)
		paint()
		p.clip = clip
		return
	}
	p.image = image.NewRGBA(whole.Bounds())
	paint()
	for _, line := range outline.Lines {
		p.shape.polygon(line)
	}
	p.shape.rows(clip, func(x, y int, coverage []byte) {
		i := whole.PixOffset(x, y)
		from, to := p.image.Pix[i:], whole.Pix[i:]
		for k, share := range coverage {
			if share > 0 && from[4*k+3] > 0 {
				blendPixel(to[4*k:], color.RGBA{from[4*k], from[4*k+1], from[4*k+2], from[4*k+3]}, share)
			}
		}
	})
	p.image = whole
	p.Path(outline, vector.Paint{Stroke: p.edge, Width: 1.5})
}

// rectangle is the area of a path that is a rectangle.
func rectangle(path vector.Path) (area image.Rectangle, ok bool) {
	if len(path.Lines) != 1 || len(path.Lines[0]) != 4 {
		return area, false
	}
	corners := path.Lines[0]
	for i, a := range corners {
		b := corners[(i+1)%4]
		if a.X != b.X && a.Y != b.Y {
			return area, false
		}
	}
	first, third := corners[0], corners[2]
	return image.Rect(int(math.Floor(min(first.X, third.X))), int(math.Floor(min(first.Y, third.Y))),
		int(math.Ceil(max(first.X, third.X))), int(math.Ceil(max(first.Y, third.Y)))), true
}

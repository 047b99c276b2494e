package pixels

import (
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"math"

	raster "golang.org/x/image/vector"

	"bandscope/tui/chart/vector"
)

// shape is polygons that are painted together. It is painted in tiles, strips of the picture that are as high as the
// polygons in them: a curve passes few of the pixels that its bounds have.
type shape struct {
	points     []vector.Point // of all polygons
	polygons   []polygon
	rasterizer raster.Rasterizer
	coverage   []byte // of the pixels of a tile
}

// polygon is a polygon by its points among those of a shape, and its bounds.
type polygon struct {
	from, to                 int
	left, top, right, bottom float64
}

// tileWidth is the width of a tile, in pixels: a multiple of eight.
const tileWidth = 64

// polygon adds a polygon, in the one direction: areas of two directions would cancel.
func (s *shape) polygon(corners []vector.Point) {
	if len(corners) < 3 {
		return
	}
	area := 0.0
	last := corners[len(corners)-1]
	p := polygon{from: len(s.points), to: len(s.points) + len(corners), left: last.X, right: last.X, top: last.Y,
		bottom: last.Y}
	for _, c := range corners {
		area += last.X*c.Y - c.X*last.Y
		p.left, p.right = min(p.left, c.X), max(p.right, c.X)
		p.top, p.bottom = min(p.top, c.Y), max(p.bottom, c.Y)
		last = c
	}
	if area >= 0 {
		s.points = append(s.points, corners...)
	} else {
		for i := len(corners) - 1; i >= 0; i-- {
			s.points = append(s.points, corners[i])
		}
	}
	s.polygons = append(s.polygons, p)
}

// fill paints the shape in a colour, and begins the next one.
func (p *Picture) fill(c color.RGBA) {
	p.shape.rows(p.clip, func(x, y int, coverage []byte) {
		blendRow(p.image.Pix[p.image.PixOffset(x, y):], c, coverage)
	})
}

// rows passes the coverage of the shape's pixels within an area, in pieces of rows from (x, y) on, and begins the next
// shape.
func (s *shape) rows(clip image.Rectangle, paint func(x, y int, coverage []byte)) {
	for left := clip.Min.X; left < clip.Max.X; left += tileWidth {
		area := image.Rect(left, clip.Min.Y, min(left+tileWidth, clip.Max.X), clip.Max.Y)
		top, bottom := s.extent(area)
		area.Min.Y, area.Max.Y = max(area.Min.Y, top), min(area.Max.Y, bottom)
		if area.Empty() {
			continue
		}
		coverage := s.tile(area)
		for y := area.Min.Y; y < area.Max.Y; y++ {
			paint(left, y, coverage[:area.Dx()])
			coverage = coverage[area.Dx():]
		}
	}
	s.points, s.polygons = s.points[:0], s.polygons[:0]
}

// extent is the rows from the first to behind the last that polygons cover in the columns of an area.
func (s *shape) extent(area image.Rectangle) (top, bottom int) {
	first, last := math.Inf(1), math.Inf(-1)
	for _, p := range s.polygons {
		if p.right > float64(area.Min.X) && p.left < float64(area.Max.X) {
			first, last = min(first, p.top), max(last, p.bottom)
		}
	}
	if first > last {
		return 0, 0
	}
	return int(math.Floor(max(first, float64(area.Min.Y)))), int(math.Ceil(min(last, float64(area.Max.Y))))
}

// tile is the coverage of the pixels of an area, row by row.
func (s *shape) tile(area image.Rectangle) []byte {
	size := image.Rectangle{Max: area.Size()}
	s.rasterizer.Reset(size.Max.X, size.Max.Y)
	s.rasterizer.DrawOp = draw.Src
	for _, p := range s.polygons {
		if p.right <= float64(area.Min.X) || p.left >= float64(area.Max.X) {
			continue
		}
		for i, c := range s.points[p.from:p.to] {
			x, y := float32(c.X-float64(area.Min.X)), float32(c.Y-float64(area.Min.Y))
			if i == 0 {
				s.rasterizer.MoveTo(x, y)
			} else {
				s.rasterizer.LineTo(x, y)
			}
		}
		s.rasterizer.ClosePath()
	}
	n := size.Max.X * size.Max.Y
	if n > len(s.coverage) {
		s.coverage = make([]byte, n)
	}
	tile := &image.Alpha{Pix: s.coverage[:n], Stride: size.Max.X, Rect: size}
	s.rasterizer.Draw(tile, size, image.Opaque, image.Point{})
	return tile.Pix
}

// blendRow paints a colour in front of pixels, as much of it as they are covered.
func blendRow(to []byte, c color.RGBA, coverage []byte) {
	for x := 0; x < len(coverage); x++ {
		if x%8 == 0 && x+8 <= len(coverage) && binary.NativeEndian.Uint64(coverage[x:]) == 0 {
			x += 7
			continue
		}
		if coverage[x] > 0 {
			blendPixel(to[4*x:], c, coverage[x])
		}
	}
}

// coverageLevels is how many shares of a pixel differ. With few, a picture has few colours, which makes it small.
const coverageLevels = 5

func blendPixel(to []byte, c color.RGBA, coverage byte) {
	share := (uint32(coverage)*coverageLevels + 127) / 255
	pixel := to[:4:4]
	if share == coverageLevels && c.A == 255 {
		pixel[0], pixel[1] = c.R, c.G
		pixel[2], pixel[3] = c.B, 255
		return
	}
	rest := 255*coverageLevels - uint32(c.A)*share
	pixel[0] = blend(pixel[0], rest, c.R, share)
	pixel[1] = blend(pixel[1], rest, c.G, share)
	pixel[2] = blend(pixel[2], rest, c.B, share)
	pixel[3] = blend(pixel[3], rest, c.A, share)
}

func blend(below byte, rest uint32, above byte, share uint32) byte {
	return byte((uint32(below)*rest + uint32(above)*255*share + 255*coverageLevels/2) / (255 * coverageLevels))
}

package graphics

import (
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"slices"
)

// The bounds of a picture that is encoded. It has fewer colors if it is too large with all of them: every color of the
// edge of a curve takes bytes.
const (
	maxBytes  = 0.14 // per pixel: 56 KB for a picture of 800×500
	minColors = 4
)

// encode encodes a picture with as many of n colors as fit.
func encode(p Picture, n int, encoded func(*image.Paletted) []byte) []byte {
	h := newHistogram(cleared(p))
	data := encoded(h.quantize(n))
	for n /= 4; n >= minColors && float64(len(data)) > maxBytes*float64(len(h.pixels)); n /= 4 {
		data = encoded(h.quantize(n))
	}
	return data
}

// toleranceStep is by how much more two colors may differ at a time, of 255, until a palette has few enough.
const toleranceStep = 4

// quantize is the image with a palette of at most n colors. It is exact if the image has no more; otherwise it has the
// most frequent colors, and the others become the nearest of them.
func (h *histogram) quantize(n int) *image.Paletted {
	var chosen []rgba
	for tolerance := 0; chosen == nil; tolerance += toleranceStep {
		chosen = h.choose(n, tolerance)
	}
	q := &image.Paletted{Pix: make([]byte, len(h.pixels)), Stride: h.size.X, Rect: image.Rectangle{Max: h.size}}
	for _, c := range chosen {
		q.Palette = append(q.Palette, color.RGBA{c[0], c[1], c[2], c[3]})
	}
	nearest := make([]byte, len(h.colors))
	for i, c := range h.colors {
		nearest[i] = byte(nearestOf(chosen, c))
	}
	for i, number := range h.pixels {
		q.Pix[i] = nearest[number]
	}
	return q
}

// cleared is the image of a picture with nothing in its holes, from (0, 0).
func cleared(p Picture) *image.RGBA {
	size := p.Image.Bounds().Size()
	if len(p.Holes) == 0 && p.Image.Stride == 4*size.X {
		return &image.RGBA{Pix: p.Image.Pix, Stride: p.Image.Stride, Rect: image.Rectangle{Max: size}}
	}
	m := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(m, m.Rect, p.Image, p.Image.Bounds().Min, draw.Src)
	for _, h := range p.Holes {
		h = h.Intersect(p.Area).Sub(p.Area.Min)
		hole := image.Rect(h.Min.X*size.X/p.Area.Dx(), h.Min.Y*size.Y/p.Area.Dy(), h.Max.X*size.X/p.Area.Dx(),
			h.Max.Y*size.Y/p.Area.Dy())
		draw.Draw(m, hole, image.Transparent, image.Point{}, draw.Src)
	}
	return m
}

// rgba is a color with premultiplied alpha.
type rgba [4]byte

// histogram is the colors of an image.
type histogram struct {
	size   image.Point
	colors []rgba
	counts []int    // of pixels of a color
	pixels []uint32 // the number of the color of each pixel
}

func newHistogram(m *image.RGBA) *histogram {
	h := &histogram{size: m.Rect.Size()}
	h.pixels = make([]uint32, h.size.X*h.size.Y)
	numbers := map[uint32]uint32{}
	var last, number uint32
	for i := range h.pixels {
		c := binary.LittleEndian.Uint32(m.Pix[4*i:])
		if c != last || i == 0 {
			number = h.number(numbers, c)
			last = c
		}
		h.pixels[i] = number
		h.counts[number]++
	}
	return h
}

// number is the number of a color, of which it may be the first pixel.
func (h *histogram) number(numbers map[uint32]uint32, c uint32) uint32 {
	number, ok := numbers[c]
	if !ok {
		number = uint32(len(h.colors))
		numbers[c] = number
		h.colors = append(h.colors, rgba(binary.LittleEndian.AppendUint32(nil, c)))
		h.counts = append(h.counts, 0)
	}
	return number
}

// choose returns colors, the most frequent first, of which one is within a tolerance of each color in all channels; nil
// if there are more than n.
func (h *histogram) choose(n, tolerance int) (chosen []rgba) {
	order := make([]int, len(h.colors))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return h.counts[j] - h.counts[i] })
	for _, i := range order {
		c := h.colors[i]
		if slices.ContainsFunc(chosen, func(other rgba) bool { return difference(c, other) <= tolerance }) {
			continue
		}
		if len(chosen) == n {
			return nil
		}
		chosen = append(chosen, c)
	}
	return chosen
}

// nearestOf is the number of the color that is nearest to one.
func nearestOf(colors []rgba, c rgba) (nearest int) {
	least := 256
	for i, other := range colors {
		d := difference(c, other)
		if d < least {
			nearest, least = i, d
		}
	}
	return nearest
}

// difference is the largest difference of two colors in a channel.
func difference(a, b rgba) int {
	return max(distance(a[0], b[0]), distance(a[1], b[1]), distance(a[2], b[2]), distance(a[3], b[3]))
}

func distance(a, b byte) int { return int(max(a, b) - min(a, b)) }

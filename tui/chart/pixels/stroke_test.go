package pixels

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/tui/chart/vector"
	"bandscope/tui/theme"
)

// ink is the area that a stroke paints in a picture of 200×200, in pixels.
func ink(line []vector.Point, closed bool, width float64) (area float64) {
	p := newPicture(200, 200, 1)
	p.Path(vector.Path{Lines: [][]vector.Point{line}, Closed: closed}, vector.Paint{Stroke: colors.Mean, Width: width})
	for i := 3; i < len(p.image.Pix); i += 4 {
		area += float64(p.image.Pix[i]) / 255
	}
	return area
}

// A stroke covers its length times its width, however finely its line is divided, and wherever it turns.
func TestStrokesCoverTheirArea(t *testing.T) {
	arc := func(n int, radius, angle float64) (line []vector.Point) {
		for i := range n {
			sin, cos := math.Sincos(angle * float64(i) / float64(n-1))
			line = append(line, vector.Point{X: 100 + radius*cos, Y: 100 + radius*sin})
		}
		return line
	}
	square := []vector.Point{{X: 50, Y: 50}, {X: 90, Y: 50}, {X: 90, Y: 90}, {X: 50, Y: 90}}
	quarter := math.Pi / 4 // of a circle that joins two lines at a right angle, with half the width as its radius
	for _, c := range []struct {
		name   string
		line   []vector.Point
		closed bool
		width  float64
		want   float64
	}{
		{"flat", []vector.Point{{X: 20, Y: 60}, {X: 170, Y: 60}}, false, 2, 150 * 2},
		{"steep", []vector.Point{{X: 20, Y: 30}, {X: 50, Y: 70}}, false, 3, 50 * 3},
		{"coarse arc", arc(12, 80, 3), false, 4, 80 * 3 * 4},
		{"fine arc", arc(2000, 80, 3), false, 4, 80 * 3 * 4},
		{"narrow arc", arc(100, 5, 6), false, 2, 5 * 6 * 2},
		{"circle", arc(60, 40, 2*math.Pi)[:59], true, 3, 2 * math.Pi * 40 * 3},
		{"disc", arc(24, 2, 2*math.Pi)[:23], true, 8, math.Pi * 6.2 * 6.2}, // many edges overlap
		{"square", square, true, 4, 4 * (40*4 - 4 + quarter*4)},
		{"back", []vector.Point{{X: 50, Y: 50}, {X: 90, Y: 50}, {X: 70, Y: 50}}, false, 4, 40*4 + 2*math.Pi},
		{"no length", []vector.Point{{X: 50, Y: 50}, {X: 50, Y: 50}}, false, 4, 0},
	} {
		assert.InDelta(t, c.want, ink(c.line, c.closed, c.width), 0.02*c.want+1, c.name)
	}
}

// With a background, every pixel is opaque; without one, what is not painted is clear. Nothing is painted outside of a
// clip: a rectangle, or a triangle.
func TestClipAndBackground(t *testing.T) {
	background := theme.NewColor("#123456", 17, 4)
	page := color.RGBA{0x12, 0x34, 0x56, 255}
	triangle := []vector.Point{{X: 0, Y: 100}, {X: 50, Y: 0}, {X: 100, Y: 100}}
	for name, outline := range map[string][]vector.Point{
		"rectangle": {{X: 20, Y: 10}, {X: 80, Y: 10}, {X: 80, Y: 90}, {X: 20, Y: 90}}, "triangle": triangle,
	} {
		p := newPicture(100, 100, 1)
		p.Clip(vector.Path{Lines: [][]vector.Point{outline}, Closed: true}, func() {
			p.Path(vector.Path{Lines: [][]vector.Point{{{X: -9, Y: 50}, {X: 200, Y: 50}}}}, vector.Paint{Stroke: colors.Mean, Width: 20})
		})
		r, g, b := theme.RGB(colors.Mean)
		assert.Equal(t, color.RGBA{r, g, b, 255}, p.image.RGBAAt(50, 50), name)
		assert.Equal(t, color.RGBA{}, p.image.RGBAAt(10, 50), name)
		assert.Equal(t, color.RGBA{}, p.image.RGBAAt(50, 20), name)
	}
	assert.Equal(t, page, Plot(plot(), image.Pt(30, 20), 16, colors, background).RGBAAt(7, 9))
	for _, c := range scenes() {
		m := Plot(c, image.Pt(300, 200), 16, colors, background)
		for i := 3; i < len(m.Pix); i += 4 {
			assert.Equal(t, byte(255), m.Pix[i])
		}
	}
}

package graphics

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/chart"
	"bandscope/tui/chart/pixels"
	"bandscope/tui/theme"
)

func TestProtocolsByName(t *testing.T) {
	for _, want := range []Protocol{Auto, Cells, Kitty, Sixel} {
		got := Kitty
		require.NoError(t, got.Set(want.String()))
		assert.Equal(t, want, got)
	}
	got := Sixel
	assert.EqualError(t, got.Set("iterm"), `graphics must be one of auto, cells, kitty, sixel, got "iterm"`)
	assert.Equal(t, Sixel, got)
}

// answered is what a terminal is that answers with these bytes.
func answered(answers string) (t Terminal) {
	var d uv.EventDecoder
	for b := []byte(answers); len(b) > 0; {
		n, e := d.Decode(b)
		t.Take(e, image.Pt(90, 30))
		b = b[n:]
	}
	return t
}

func TestTerminalsThatAnswer(t *testing.T) {
	for _, c := range []struct {
		name, answers string
		want          Terminal
		best          Protocol
	}{
		{"kitty", "\x1b_Gi=31;OK\x1b\\\x1b[6;23;11t\x1b[?62;c", Terminal{Kitty: true, Cell: CellSize{11, 23}, Answered: true}, Kitty},
		{"xterm", "\x1b[6;17;9t\x1b[?63;1;2;4;6;22c", Terminal{Sixel: true, Cell: CellSize{9, 17}, Answered: true}, Sixel},
		{"both", "\x1b_Gi=31;OK\x1b\\\x1b[6;17;9t\x1b[?65;4c", Terminal{Kitty: true, Sixel: true, Cell: CellSize{9, 17}, Answered: true}, Kitty},
		{"neither", "\x1b[6;17;9t\x1b[?64;1;2c", Terminal{Cell: CellSize{9, 17}, Answered: true}, Cells},
		{"an error", "\x1b_Gi=31;ENOTSUPPORTED\x1b\\\x1b[6;17;9t\x1b[?62c", Terminal{Cell: CellSize{9, 17}, Answered: true}, Cells},
		{"another image", "\x1b_Gi=32;OK\x1b\\\x1b[6;17;9t\x1b[?62c", Terminal{Cell: CellSize{9, 17}, Answered: true}, Cells},
		{"class 4", "\x1b[6;17;9t\x1b[?4;6c", Terminal{Cell: CellSize{9, 17}, Answered: true}, Cells},
		{"no size", "\x1b_Gi=31;OK\x1b\\\x1b[?62;4c", Terminal{Kitty: true, Sixel: true, Answered: true}, Cells},
		{"wrong sizes", "\x1b[6;0;9t\x1b[6;17;99999t\x1b[6;-5;8t\x1b[?62;4c", Terminal{Sixel: true, Answered: true}, Cells},
		{"not yet", "\x1b_Gi=31;OK\x1b\\\x1b[6;17;9t", Terminal{Kitty: true, Cell: CellSize{9, 17}}, Kitty},
		{"fractions", "\x1b[6;17;8t\x1b[4;516;747t\x1b[?62;4c", Terminal{Sixel: true, Cell: CellSize{8.3, 17.2}, Answered: true}, Sixel},
		{"a margin", "\x1b[6;17;8t\x1b[4;516;810t\x1b[?62;4c", Terminal{Sixel: true, Cell: CellSize{8, 17}, Answered: true}, Sixel},
		{"nothing", "", Terminal{}, Cells},
	} {
		got := answered(c.answers)
		c.want.hasCell = c.want.Cell != CellSize{}
		assert.Equal(t, c.want, got, c.name)
		assert.Equal(t, c.best, got.Best(), c.name)
	}
	assert.Equal(t, image.Pt(166, 52), CellSize{8.3, 17.2}.Pixels(image.Rect(7, 1, 27, 4)))
	var t0 Terminal
	t0.Take(uv.CellSizeEvent{Width: 8, Height: 17}, image.Point{})
	t0.Take(uv.PixelSizeEvent{Width: 800, Height: 600}, image.Point{})
	assert.Equal(t, CellSize{8, 17}, t0.Cell, "of a window without cells")
	for _, pixels := range []image.Point{{}, {X: 640, Y: 90000}, {X: 804, Y: 424}, {X: 964, Y: 504}} {
		t0.TakeWindow(pixels, image.Pt(80, 20))
	}
	assert.Equal(t, CellSize{8, 17}, t0.Cell, "which the terminal has answered")
	var silent Terminal
	for pixels, want := range map[image.Point]CellSize{{}: {}, {X: 640, Y: 90000}: {}, {X: 804, Y: 424}: {10, 21}} {
		silent = Terminal{Sixel: true}
		silent.TakeWindow(pixels, image.Pt(80, 20))
		silent.TakeWindow(image.Pt(7, 7), image.Point{})
		assert.Equal(t, want, silent.Cell, "%v", pixels)
	}
	assert.False(t, new(Terminal).Take(uv.KeyPressEvent{Code: 'c'}, image.Point{}))
}

// The pictures of the tests: 80×25 cells of 10×20 pixels.
var area = image.Rect(12, 4, 92, 29)

const width, height = 800, 500

var (
	colors     = theme.New(true, theme.TrueColor, false)
	background = theme.NewColor("#14171c", 16, 0)
)

// posterior is a picture of a posterior with 20 samples, which cross much of it.
func posterior() *image.RGBA {
	curve := func(k int) (x, y []float64) {
		for i := range 241 {
			u := float64(i) / 240
			x = append(x, u)
			y = append(y, 0.5+0.2*math.Sin(float64(4+k%7)*u+float64(k))+0.1*math.Cos(float64(8+k%5)*u))
		}
		return x, y
	}
	x, mean := curve(0)
	band := chart.Band{X: x, Color: colors.Band}
	for _, y := range mean {
		band.Lo = append(band.Lo, y-0.12)
		band.Hi = append(band.Hi, y+0.12)
	}
	c := chart.Chart{X: chart.Axis{Max: 1}, Y: chart.Axis{Max: 1}, Layers: []chart.Layer{band}}
	for k := range 20 {
		_, y := curve(k + 1)
		c.Layers = append(c.Layers, chart.Curve{X: x, Y: y, Color: colors.Sample, Line: theme.Fine})
	}
	_, truth := curve(21)
	c.Layers = append(c.Layers, chart.Curve{X: x, Y: truth, Color: colors.Truth, Line: theme.Dotted, Priority: 2},
		chart.Curve{X: x, Y: mean, Color: colors.Mean, Priority: 3},
		chart.Points{X: []float64{0.2, 0.7}, Y: []float64{mean[48], mean[168]}, Color: colors.Data})
	return pixels.Plot(c, image.Pt(width, height), 20, colors, background)
}

// field is a picture of a function of two variables, with contours.
func field() *image.RGBA {
	f := chart.Field{Cols: 61, Rows: 61}
	for i := range 61 * 61 {
		u, v := float64(i%61)/60, float64(i/61)/60
		f.Z = append(f.Z, math.Cos(6*u)*math.Sin(4*v)+u*v)
	}
	scale := chart.NewLinearColorScale(chart.Viridis, f.Z)
	c := chart.Chart{X: chart.Axis{Max: 1}, Y: chart.Axis{Max: 1}, Layers: []chart.Layer{chart.Heat{Field: f, Scale: scale},
		chart.Contours{Field: f, Levels: chart.ContourLevels(scale, 9)},
		chart.Points{X: []float64{0.3, 0.6}, Y: []float64{0.3, 0.8}, Color: colors.Data}}}
	return pixels.Plot(c, image.Pt(width, height), 20, colors, background)
}

var scenes = map[string]func() *image.RGBA{"posterior": posterior, "field": field}

// tiny is an image of three colors, one of them clear, and not from (0, 0).
func tiny() *image.RGBA {
	m := image.NewRGBA(image.Rect(3, 5, 13, 18))
	for y := 5; y < 18; y++ {
		for x := 3; x < 13; x++ {
			switch (x + y) % 3 {
			case 0:
				m.SetRGBA(x, y, color.RGBA{255, 102, 51, 255})
			case 1:
				m.SetRGBA(x, y, color.RGBA{0, 51, 153, 255})
			}
		}
	}
	return m
}

// decoders decode what protocols encode.
var decoders = map[Protocol]func(t *testing.T, text string) *image.RGBA{Kitty: decodeKitty, Sixel: decodeSixel}

var place = regexp.MustCompile(`(?s)^\x1b\[\?2026h\x1b7\x1b\[5;13H(.*)\x1b8\x1b\[\?2026l$`)

// placedAt is the sequence that is written at the area of the tests, without those that keep the cursor.
func placedAt(t *testing.T, text string) string {
	t.Helper()
	found := place.FindStringSubmatch(text)
	require.NotNil(t, found, "%.80q", text)
	return found[1]
}

var command = regexp.MustCompile(`(?s)^\x1b_G([a-zA-Z0-9=,-]*)(?:;([A-Za-z0-9+/=]*))?\x1b\\`)

func decodeKitty(t *testing.T, text string) *image.RGBA {
	t.Helper()
	text = placedAt(t, text)
	var data string
	for n := 0; text != ""; n++ {
		found := command.FindStringSubmatch(text)
		require.NotNil(t, found, "%.80q", text)
		text = text[len(found[0]):]
		require.LessOrEqual(t, len(found[2]), 4096)
		switch {
		case n == 0:
			require.Equal(t, "a=d,d=I,i=1651703815,q=2", found[1])
		case n == 1:
			require.True(t, strings.HasPrefix(found[1], "a=T,f=100,i=1651703815,p=1,c=80,r=25,z=-1,C=1,q=2,m="), found[1])
		default:
			require.Contains(t, []string{"q=2,m=1", "q=2,m=0"}, found[1])
		}
		require.Equal(t, text == "", strings.HasSuffix(found[1], "m=0"), "the last one has no more")
		data += found[2]
	}
	file, err := base64.StdEncoding.DecodeString(data)
	require.NoError(t, err)
	m, err := png.Decode(bytes.NewReader(file))
	require.NoError(t, err)
	decoded := image.NewRGBA(m.Bounds())
	for y := range decoded.Rect.Dy() {
		for x := range decoded.Rect.Dx() {
			decoded.Set(x, y, m.At(x, y))
		}
	}
	return decoded
}

var (
	sixels = regexp.MustCompile(`(?s)^\x1bP0;1q"1;1;(\d+);(\d+)(.*)\x1b\\$`)
	token  = regexp.MustCompile(`^(?:#(\d+)(?:;2;(\d+);(\d+);(\d+))?|(?:!(\d+))?([?-~])|([$-]))`)
)

func decodeSixel(t *testing.T, text string) *image.RGBA {
	t.Helper()
	found := sixels.FindStringSubmatch(placedAt(t, text))
	require.NotNil(t, found)
	m := image.NewRGBA(image.Rect(0, 0, number(found[1]), number(found[2])))
	palette := map[int]color.RGBA{}
	var pen color.RGBA
	x, top := 0, 0
	for text = found[3]; text != ""; {
		f := token.FindStringSubmatch(text)
		require.NotNil(t, f, "%.20q", text)
		text = text[len(f[0]):]
		switch {
		case f[2] != "":
			palette[number(f[1])] = color.RGBA{channel(f[2]), channel(f[3]), channel(f[4]), 255}
		case f[1] != "":
			pen = palette[number(f[1])]
			require.Equal(t, byte(255), pen.A)
		case f[7] == "$":
			x = 0
		case f[7] == "-":
			x, top = 0, top+6
		default:
			for range max(number(f[5]), 1) {
				for y := range 6 {
					if (f[6][0]-'?')>>y&1 == 1 {
						require.True(t, image.Pt(x, top+y).In(m.Rect))
						m.SetRGBA(x, top+y, pen)
					}
				}
				x++
			}
		}
	}
	return m
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

func channel(percent string) byte { return byte((number(percent)*255 + 50) / 100) }

// mostDifferent is the largest difference of the pixels of two images in a channel.
func mostDifferent(t *testing.T, a, b *image.RGBA) (largest int) {
	t.Helper()
	require.Equal(t, a.Rect.Size(), b.Rect.Size())
	for i := 0; i < len(a.Pix); i += 4 {
		largest = max(largest, difference(rgba(a.Pix[i:i+4]), rgba(b.Pix[i:i+4])))
	}
	return largest
}

// What is encoded decodes to the image: exactly if it has few colors, nearly otherwise.
func TestPicturesAreShown(t *testing.T) {
	small := tiny()
	for p, tolerance := range map[Protocol]int{Kitty: 16, Sixel: 72} {
		decode := decoders[p]
		exact := decode(t, p.Show(Picture{ID: 7, Image: small, Area: area}))
		assert.LessOrEqual(t, mostDifferent(t, small, exact), 1, "%s", p)
		for name, draw := range scenes {
			m := draw()
			text := p.Show(Picture{ID: 7, Image: m, Area: area})
			assert.LessOrEqual(t, len(text), 60_000, "%s %s", p, name)
			assert.LessOrEqual(t, mostDifferent(t, m, decode(t, text)), tolerance, "%s %s", p, name)
		}
	}
}

// Holes stay as they are: they are clear, and the rest is as without them.
func TestHolesAreClear(t *testing.T) {
	holes := []image.Rectangle{image.Rect(20, 5, 31, 6), image.Rect(0, 28, 14, 40)}
	for p, decode := range decoders {
		whole := image.NewRGBA(image.Rect(0, 0, width, height))
		for i := range whole.Pix {
			whole.Pix[i] = 255
		}
		got := decode(t, p.Show(Picture{ID: 7, Image: whole, Area: area, Holes: holes}))
		for cell, want := range map[image.Point]byte{{X: 20, Y: 5}: 0, {X: 30, Y: 5}: 0, {X: 31, Y: 5}: 255,
			{X: 19, Y: 5}: 255, {X: 20, Y: 4}: 255, {X: 20, Y: 6}: 255, {X: 12, Y: 28}: 0, {X: 14, Y: 28}: 255} {
			corner := cell.Sub(area.Min)
			assert.Equal(t, want, got.RGBAAt(corner.X*10, corner.Y*20).A, "%s at %v", p, cell)
			assert.Equal(t, want, got.RGBAAt(corner.X*10+9, corner.Y*20+19).A, "%s at %v", p, cell)
		}
		assert.Equal(t, byte(255), whole.RGBAAt(85, 25).A, "the image itself has no holes")
	}
}

// A picture without a place is none, and one that is hidden is deleted by its id.
func TestPicturesAreHidden(t *testing.T) {
	deleted := "\x1b_Ga=d,d=I,i=1651703815,q=2\x1b\\"
	for p, want := range map[Protocol]string{Kitty: deleted, Sixel: "", Cells: "", Auto: ""} {
		assert.Equal(t, want, p.Hide(7), "%s", p)
		assert.Equal(t, want, p.Show(Picture{ID: 7, Image: tiny()}), "%s", p)
		assert.Equal(t, want, p.Show(Picture{ID: 7, Image: image.NewRGBA(image.Rectangle{}), Area: area}), "%s", p)
	}
	assert.Empty(t, Cells.Show(Picture{ID: 7, Image: tiny(), Area: area}))
}

// BenchmarkShow measures the encoding of pictures of 80×25 cells of 10×20 pixels.
func BenchmarkShow(b *testing.B) {
	for name, draw := range scenes {
		p := Picture{Image: draw(), Area: area}
		for _, protocol := range []Protocol{Kitty, Sixel} {
			b.Run(name+"/"+protocol.String(), func(b *testing.B) {
				for b.Loop() {
					protocol.Show(p)
				}
			})
		}
	}
}

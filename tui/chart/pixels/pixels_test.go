package pixels

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/stretchr/testify/assert"

	"bandscope/tui/chart"
	"bandscope/tui/chart/vector"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

var colors = theme.New(true, theme.TrueColor, false)

// The size of the plots of the tests, in cells, and of a cell, in pixels.
const cols, rows, cellW, cellH = 40, 20, 8, 16

// plot is a chart without axes, over x and y from 0 to 1, or a triangle.
func plot(layers ...chart.Layer) chart.Chart {
	return chart.Chart{X: chart.Axis{Max: 1, HideTicks: true}, Y: chart.Axis{Max: 1, HideTicks: true}, Layers: layers}
}

// painted is the share of each cell that has pixels of a chart.
func painted(c chart.Chart) (share [rows][cols]float64) {
	m := Plot(c, image.Pt(cols*cellW, rows*cellH), cellH, colors, theme.Color{})
	for row := range rows {
		for col := range cols {
			n := 0
			for y := range cellH {
				for x := range cellW {
					if m.RGBAAt(col*cellW+x, row*cellH+y).A > 40 {
						n++
					}
				}
			}
			share[row][col] = float64(n) / (cellW * cellH)
		}
	}
	return share
}

// inked are the cells into which the layers of a chart draw, one cell wider on all sides where wide.
func inked(c chart.Chart, wide int) (held [rows][cols]bool) {
	for _, l := range c.Layers {
		alone := c
		alone.Layers = []chart.Layer{l}
		for _, span := range alone.Cells(cols, rows, colors, nameOf(l)) {
			mark(&held, span, wide)
		}
	}
	return held
}

func mark(held *[rows][cols]bool, span layout.Span, wide int) {
	for row := max(span.Row-wide, 0); row <= min(span.Row+wide, rows-1); row++ {
		for col := max(span.From-wide, 0); col < min(span.To+wide, cols); col++ {
			held[row][col] = true
		}
	}
}

func nameOf(l chart.Layer) string {
	entries := chart.NewLegend(colors, []chart.Layer{l})
	if len(entries) == 0 {
		return ""
	}
	return entries[0].Name
}

// wave is a curve over x from 0 to 1.
func wave(rng *rand.Rand, level, height float64) (xs, ys []float64) {
	a, b, phase := 3+9*rng.Float64(), 8+12*rng.Float64(), 6*rng.Float64()
	for i := range 201 {
		x := float64(i) / 200
		xs = append(xs, x)
		ys = append(ys, level+height*(math.Sin(a*x+phase)+0.5*math.Cos(b*x)))
	}
	return xs, ys
}

// shift are values moved by an amount.
func shift(values []float64, by float64) []float64 {
	moved := make([]float64, len(values))
	for i, v := range values {
		moved[i] = v + by
	}
	return moved
}

// Every kind of layer has its ink in the same cells in pixels and in cells: where the one paints more than a trace, the
// other draws in that cell or beside it, and the other way round.
func TestLayersAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	x, y := wave(rng, 0.5, 0.2)
	ends := []float64{0.05, 0.95}
	field := chart.Field{Cols: 21, Rows: 21, Z: make([]float64, 21*21)}
	for i := range field.Z {
		field.Z[i] = math.Hypot(float64(i%21)/20-0.5, float64(i/21)/20-0.5)
	}
	layers := map[string]chart.Layer{
		"band":      chart.Band{X: x, Lo: shift(y, -0.1), Hi: shift(y, 0.1), Color: colors.Band, Name: "a"},
		"thin band": chart.Band{X: x, Lo: shift(y, -0.001), Hi: shift(y, 0.001), Color: colors.Band, Name: "a"},
		"outline":   chart.Band{X: x, Lo: shift(y, -0.2), Hi: shift(y, 0.2), Color: colors.Band, Outline: true, Name: "a"},
		"curve":     chart.Curve{X: x, Y: y, Color: colors.Mean, Name: "a"},
		"heavy":     chart.Curve{X: x, Y: y, Color: colors.Mean, Line: theme.Heavy, Name: "a"},
		"area":      chart.Area{X: x, Y: y, Color: colors.Acquisition, Name: "a"},
		"rule":      chart.Rule{At: 0.3, Color: colors.Next, Solid: true, Name: "a"},
		"points":    chart.Points{X: []float64{0.2, 0.6}, Y: []float64{0.3, 0.8}, Color: colors.Data, Name: "a"},
		"box":       chart.Box{X0: 0.2, X1: 0.7, Y0: 0.3, Y1: 0.6, Color: colors.Best, Name: "a"},
		"errors": chart.Errors{At: []float64{0.4}, Lo: []float64{0.2}, Hi: []float64{0.7}, Color: colors.Data,
			Name: "a"},
		"bracket": chart.Bracket{From: 0.2, To: 0.7, At: 0.5, Color: colors.Data, Name: "a"},
		"dots":    chart.Dots{X: []float64{0.2, 0.6}, Y: []float64{0.3, 0.8}, Color: colors.Data, Name: "a"},
		"region": chart.Region{X: []float64{0.1, 0.1, 0.8}, Y: []float64{0.1, 0.9, 0.5}, Triangles: [][3]int{{0, 1, 2}},
			Whole: true, Color: colors.Shade, Name: "a"},
		"heat":     chart.Heat{Field: field, Scale: chart.NewLinearColorScale(chart.Viridis, field.Z)},
		"contours": chart.Contours{Field: field, Levels: []float64{0.3}, Name: "a"},
		"cross":    chart.Cross{X: 0.4, Y: 0.6, Name: "a"},
		"hatch":    chart.Hatch{Over: chart.Field{Cols: 2, Rows: 1, Z: []float64{1, -1}}, Color: colors.Warn, Name: "a"},
		"broken curve": chart.Curve{X: []float64{0.05, 0.3, 0.5, 0.7, 0.95}, Y: []float64{0.2, 0.5, math.NaN(), 0.5, 0.9},
			Color: colors.Mean, Name: "a"},
		"line": chart.Curve{X: ends, Y: ends, Color: colors.Mean, Name: "a"},
	}
	for name, l := range layers {
		c := plot(l)
		share, cells, near := painted(c), inked(c, 0), inked(c, 1)
		var inkedCells, lost, extra int
		for row := range rows {
			for col := range cols {
				beside := false // painted here or in a cell beside
				for r := max(row-1, 0); r <= min(row+1, rows-1); r++ {
					for k := max(col-1, 0); k <= min(col+1, cols-1); k++ {
						beside = beside || share[r][k] > 0
					}
				}
				if cells[row][col] {
					inkedCells++
					if !beside {
						extra++
					}
				}
				if share[row][col] > 0.05 && !near[row][col] {
					lost++
				}
			}
		}
		if inkedCells == 0 || lost > 0 || extra > 0 {
			t.Errorf("%s: %d cells have ink, %d more in pixels alone, %d of them in cells alone", name, inkedCells, lost,
				extra)
		}
	}
}

// Over 40 scenes of crossing curves and of bands from a hundredth of a cell to three cells, every line and every band has
// ink in the cells that it crosses in pixels, also in front of and behind the others; every point has the cell that it
// has in pixels.
func TestNoInkIsLost(t *testing.T) {
	for scene := range 40 {
		rng := rand.New(rand.NewPCG(uint64(scene), 9))
		x, mean := wave(rng, 0.5, 0.15)
		_, truth := wave(rng, 0.5, 0.2)
		half := 3 * math.Pow(10, -2.5*rng.Float64()) / rows / 2 // of the height of the band
		layers := []chart.Layer{
			chart.Band{X: x, Lo: shift(mean, -half), Hi: shift(mean, half), Color: colors.Band, Name: "band"},
			chart.Curve{X: x, Y: mean, Color: colors.Mean, Priority: 2, Name: "mean"},
			chart.Curve{X: x, Y: truth, Color: colors.Truth, Priority: 3, Name: "truth"},
		}
		data := chart.Points{Color: colors.Data, Name: "data"}
		for range 10 {
			i := rng.IntN(len(x))
			data.X, data.Y = append(data.X, rng.Float64()), append(data.Y, truth[i])
		}
		canvas := plot(append(layers, data)...).Draw(cols, rows, colors)
		shown := shownDots(canvas)
		frame := lipgloss.NewCanvas(cols, rows)
		canvas.Draw(frame, frame.Bounds())
		for i := range data.X {
			col, row := min(int(data.X[i]*cols), cols-1), int((1-data.Y[i])*rows)
			assert.Equal(t, "●", frame.CellAt(col, row).Content, "scene %d: the cell of %g, %g", scene, data.X[i], data.Y[i])
		}
		for _, l := range layers {
			share := painted(plot(l))
			crossed, held := 0, 0
			for row := range rows {
				for col := range cols {
					if share[row][col] < 0.1 {
						continue
					}
					crossed++
					if shown[row][col] {
						held++
					}
				}
			}
			if crossed == 0 || float64(held) < 0.98*float64(crossed) {
				t.Errorf("scene %d: %s has ink in %d of %d cells", scene, nameOf(l), held, crossed)
			}
		}
	}
}

// shownDots are the cells of a canvas that show dots or a shade.
func shownDots(c *chart.Canvas) (shown [rows][cols]bool) {
	frame := lipgloss.NewCanvas(cols, rows)
	c.Draw(frame, frame.Bounds())
	for row := range rows {
		for col := range cols {
			cell := frame.CellAt(col, row)
			shown[row][col] = cell.Content != " " || cell.Style.Bg != nil
		}
	}
	return shown
}

// What a picture paints is where its values are: the pixel of a point, the middle of a line, the ends of a field.
func TestPlotPaintsWhereTheValuesAre(t *testing.T) {
	c := plot(chart.Points{X: []float64{0.25}, Y: []float64{0.75}, Color: colors.Data},
		chart.Curve{X: []float64{0, 1}, Y: []float64{0.5, 0.5}, Color: colors.Mean})
	m := Plot(c, image.Pt(400, 200), 16, colors, theme.Color{})
	for place, want := range map[image.Point]theme.Color{{X: 100, Y: 50}: colors.Data, {X: 300, Y: 100}: colors.Mean,
		{X: 300, Y: 50}: {}} {
		r, g, b := byte(0), byte(0), byte(0)
		if want.IsSet() {
			r, g, b = theme.RGB(want)
		}
		if got := m.RGBAAt(place.X, place.Y); fmt.Sprint(got.R, got.G, got.B) != fmt.Sprint(r, g, b) {
			t.Errorf("the pixel at %v is %v, want %v", place, got, want)
		}
	}
	for _, size := range []image.Point{{}, {X: 1, Y: 1}, {X: -3, Y: 5}} {
		if got := Plot(c, size, 16, colors, theme.Color{}).Bounds().Size(); got != (image.Point{X: max(size.X, 0), Y: max(size.Y, 0)}) {
			t.Errorf("a picture of %v has %v", size, got)
		}
	}
}

// Bands have the edges of the style, which are seen on the page, or their own.
func TestBandsHaveEdges(t *testing.T) {
	ends := []float64{0, 1}
	band := chart.Band{X: ends, Lo: []float64{0.25, 0.25}, Hi: []float64{0.75, 0.75}, Color: colors.Band}
	own := band
	own.Edge = colors.Next
	for _, want := range []struct {
		chart.Band
		edge theme.Color
	}{{band, colors.BandEdge}, {own, colors.Next}} {
		r, g, b := theme.RGB(want.edge)
		over := chart.Band{X: ends, Lo: []float64{0, 0}, Hi: []float64{1, 1}, Color: colors.Shade} // covers no edge
		m := Plot(plot(want.Band, over), image.Pt(100, 102), 32, colors, theme.Color{})
		assert.Equal(t, color.RGBA{r, g, b, 255}, m.RGBAAt(50, 25))
		assert.Equal(t, color.RGBA{r, g, b, 255}, m.RGBAAt(50, 76))
		assert.InDelta(t, 255*(1-0.2*0.5), m.RGBAAt(50, 50).A, 1, "a band over another one lets half of it through")
	}
}

// The field of a triangle reaches its edges, which have a line.
func TestTrianglesAreFull(t *testing.T) {
	field := chart.Field{Cols: 11, Rows: 11, Simplex: true, Z: make([]float64, 11*11)}
	c := plot(chart.Heat{Field: field, Scale: chart.NewLinearColorScale(chart.Viridis, []float64{0, 1})})
	c.Simplex = &chart.Simplex{}
	const w, h = 700, 600
	m := Plot(c, image.Pt(w, h), 16, colors, theme.Color{})
	for y := 10; y < h-5; y++ {
		edge := w / 2 * (1 - float64(y)/h)
		for _, x := range []int{int(edge) + 2, w - int(edge) - 3} {
			assert.Equal(t, m.RGBAAt(w/2, h/2), m.RGBAAt(x, y), "at %d, %d", x, y)
		}
		assert.Equal(t, color.RGBA{}, m.RGBAAt(int(edge)-4, y))
	}
	assert.NotEqual(t, m.RGBAAt(w/2, h/2), m.RGBAAt(w/3, h-1))
}

// Marks are as large as cells: with cells twice as large, they cover four times as many pixels.
func TestMarksGrowWithCells(t *testing.T) {
	area := func(shape theme.Glyph, cell float64) (sum float64) {
		m := Plot(plot(chart.Points{X: []float64{0.5}, Y: []float64{0.5}, Shape: shape, Color: colors.Data}), image.Pt(80, 80),
			cell, colors, theme.Color{})
		for i := 3; i < len(m.Pix); i += 4 {
			sum += float64(m.Pix[i])
		}
		return sum
	}
	for shape := theme.Glyph(0); shape <= theme.GlyphDesign; shape++ {
		assert.InDelta(t, 4, area(shape, 64)/area(shape, 32), 0.2, "shape %d", shape)
	}
}

// A mark on the edges of a picture is whole: it has as much ink as one in the middle.
func TestMarksOnEdgesAreWhole(t *testing.T) {
	ink := func(x, y float64) (sum float64) {
		m := Plot(plot(chart.Points{X: []float64{x}, Y: []float64{y}, Color: colors.Data}), image.Pt(80, 80), 16, colors, theme.Color{})
		for i := 3; i < len(m.Pix); i += 4 {
			sum += float64(m.Pix[i])
		}
		return sum
	}
	for _, at := range [][2]float64{{0, 0}, {0, 1}, {1, 0.5}, {0.3, 1}} {
		assert.InEpsilon(t, ink(0.5, 0.5), ink(at[0], at[1]), 0.02, "at %v", at)
	}
}

// Areas that overlap are painted, whichever way round their edges go.
func TestOverlapsArePainted(t *testing.T) {
	square := func(left float64) []vector.Point {
		return []vector.Point{{X: left, Y: 10}, {X: left + 20, Y: 10}, {X: left + 20, Y: 30}, {X: left, Y: 30}}
	}
	other := square(20)
	slices.Reverse(other)
	p := newPicture(50, 40, 1)
	p.Path(vector.Path{Lines: [][]vector.Point{square(10), other}, Closed: true}, vector.Paint{Fill: colors.Data})
	for _, x := range []int{15, 25, 35} {
		assert.Equal(t, uint8(255), p.image.RGBAAt(x, 20).A, "at %d", x)
	}
}

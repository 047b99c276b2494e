package chart

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/lucasb-eyer/go-colorful"
	"github.com/stretchr/testify/assert"

	"bandscope/tui/theme"
)

// ramped is a field that grows with u and more with v.
func ramped(cols, rows int) Field {
	f := Field{Cols: cols, Rows: rows, Z: make([]float64, cols*rows)}
	for j := range rows {
		for i := range cols {
			f.Z[j*cols+i] = float64(i)/float64(cols-1) + 10*float64(j)/float64(rows-1)
		}
	}
	return f
}

// Between nodes a field is bilinear, exactly so for a plane.
func TestFieldIsBilinear(t *testing.T) {
	f := ramped(5, 9)
	for _, p := range [][2]float64{{0, 0}, {1, 1}, {0.33, 0.71}, {0.5, 0}, {0.999, 0.001}} {
		if got, want := f.At(p[0], p[1]), p[0]+10*p[1]; math.Abs(got-want) > 1e-12 {
			t.Errorf("%g at %v, want %g", got, p, want)
		}
	}
	assert.True(t, math.IsNaN((Field{}).At(0.5, 0.5)), "an empty field has a value")
}

// Each half of a cell has the colour of the field at its middle, the upper half above; NaN leaves a cell blank.
func TestHeatCells(t *testing.T) {
	st := theme.New(true, theme.TrueColor, false)
	f := ramped(5, 9)
	f.Z[0] = math.NaN()
	scale := NewColorScale(Viridis, f.Z)
	c := Chart{X: Axis{Min: 0, Max: 1, HideTicks: true}, Y: Axis{Min: 0, Max: 1, HideTicks: true},
		Layers: []Layer{Heat{f, scale}}}.Draw(20, 10, st)
	frame := Frame{Left: 0, Cols: 20, Rows: 10}
	for row := range 10 {
		for col := range 20 {
			p := c.at(frame.Left+col, row)
			u := (float64(col) + 0.5) / 20
			up, low := f.At(u, 1-(float64(row)+0.25)/10), f.At(u, 1-(float64(row)+0.75)/10)
			if math.IsNaN(up) || math.IsNaN(low) {
				assert.False(t, p.bg.IsSet(), "the cell %d,%d of no number is painted", col, row)
				continue
			}
			top := p.bg
			if p.glyph == '▀' {
				top = p.fg
			}
			if p.bg != scale.Color(low) || top != scale.Color(up) {
				t.Errorf("the cell %d,%d has %v over %v, want %v over %v", col, row, top, p.bg, scale.Color(up),
					scale.Color(low))
			}
		}
	}
}

// Contours of a distance from a point are circles: dots lie at the level, within a dot.
func TestContoursOfACone(t *testing.T) {
	const n = 81
	f := Field{Cols: n, Rows: n, Z: make([]float64, n*n)}
	for j := range n {
		for i := range n {
			f.Z[j*n+i] = math.Hypot(float64(i)/(n-1)-0.5, float64(j)/(n-1)-0.5)
		}
	}
	st := theme.New(true, theme.TrueColor, false)
	c := Chart{X: Axis{Min: 0, Max: 1, HideTicks: true}, Y: Axis{Min: 0, Max: 1, HideTicks: true},
		Layers: []Layer{Contours{Field: f, Levels: []float64{0.3}}}}.Draw(40, 20, st)
	dots := 0
	for y := range 80 {
		for x := range 80 {
			p := c.at(x/2, y/4)
			if p.dots&brailleBit[y%4][x%2] == 0 {
				continue
			}
			dots++
			if r := math.Hypot((float64(x)+0.5)/80-0.5, 0.5-(float64(y)+0.5)/80); math.Abs(r-0.3) > 0.02 {
				t.Errorf("a dot at %d,%d is %g from the middle", x, y, r)
			}
		}
	}
	if dots < 100 {
		t.Errorf("%d dots", dots)
	}
}

// NewLinearColorScale any colour a point is black or white, at a contrast of at least 4.5 to 1.
func TestPointsStandOut(t *testing.T) {
	st := theme.New(true, theme.TrueColor, false)
	for _, m := range []ColorMap{Viridis, Cividis, Diverging} {
		for i := range 100 {
			c := ColorScale{Map: m, Hi: 99}.Color(float64(i))
			a, b := luminance(c.RGB), luminance(st.OnTop(c).RGB)
			if ratio := (math.Max(a, b) + 0.05) / (math.Min(a, b) + 0.05); ratio < 4.5 {
				t.Errorf("%s: at %d %% a point has the contrast %.2f", m.Name, i, ratio)
			}
		}
	}
}

// luminance is the relative luminance of WCAG 2.
func luminance(hex string) float64 {
	c, _ := colorful.Hex(hex)
	r, g, b := c.LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}

// In every tier and size a heat map, its bar and its marks have their size, and in ASCII nothing else.
func TestHeatSizes(t *testing.T) {
	f := ramped(7, 7)
	for _, st := range []theme.Style{
		theme.New(true, theme.TrueColor, false), theme.New(true, theme.Color16, false),
		theme.New(true, theme.NoColor, false), theme.New(true, theme.Color256, true)} {
		for _, size := range [][2]int{{0, 0}, {1, 1}, {3, 2}, {40, 12}} {
			scale := NewColorScale(Viridis, f.Z)
			lines := Chart{X: Axis{Max: 1}, Y: Axis{Max: 10},
				Layers: []Layer{Heat{f, scale}, Contours{Field: f, Levels: ContourLevels(scale, 5)},
					Cross{X: 0.5, Y: 5},
					Points{X: []float64{0.5}, Y: []float64{5}, Ink: true},
					Label{X: 0.2, Y: 3, Text: "12", Ink: true}}}.Draw(size[0], size[1], st).Lines()
			for _, l := range append(lines, ColorBar(scale, size[0], size[1], st)...) {
				text := ansi.Strip(l)
				if ansi.StringWidth(l) != size[0] {
					t.Errorf("%v: a line has %d columns", size, ansi.StringWidth(l))
				}
				for _, r := range text {
					if st.ASCII && r >= 0x80 {
						t.Errorf("%q is not ASCII", r)
					}
				}
			}
		}
	}
}

// BenchmarkHeat draws one large field and four small ones, as a window of 200×60 has them.
func BenchmarkHeat(b *testing.B) {
	st := theme.New(true, theme.TrueColor, false)
	f := ramped(61, 61)
	scale := NewColorScale(Viridis, f.Z)
	chart := Chart{X: Axis{Max: 1}, Y: Axis{Max: 1}, Layers: []Layer{Heat{f, scale}}}
	for b.Loop() {
		chart.Draw(110, 44, st).Lines()
		for range 4 {
			chart.Draw(35, 10, st).Lines()
		}
	}
}

// The bar of a logarithmic scale has powers of ten, each beside its own colour.
func TestLogColorBar(t *testing.T) {
	for _, ends := range [][2]float64{{-7, -0.4}, {-20, -3.2}, {-3, 0.3}, {1, 5.5}} {
		s := ColorScale{Map: Viridis, Lo: ends[0], Hi: ends[1], Log: true}
		for _, h := range []int{5, 11, 22, 40} {
			seen := 0
			for row, line := range ColorBar(s, 10, h, theme.New(true, theme.NoColor, false)) {
				label := strings.TrimSpace(line[3:])
				if label == "" {
					continue
				}
				seen++
				v, err := strconv.ParseFloat(label, 64)
				if err != nil || math.Abs(math.Log10(v)-math.Round(math.Log10(v))) > 1e-9 && h < 40 {
					t.Errorf("%v in %d rows: the label %q is no power of ten", ends, h, label)
				}
				position := (1 - (float64(row)+0.5)/float64(h)) * (ends[1] - ends[0])
				if away := math.Abs(ends[0] + position - math.Log10(v)); away > 0.51*(ends[1]-ends[0])/float64(h) {
					t.Errorf("%v in %d rows: %q is %.2f decades from its place", ends, h, label, away)
				}
			}
			if seen < 2 {
				t.Errorf("%v: %d labels in %d rows", ends, seen, h)
			}
		}
	}
}

// A step has its own value, whatever the values beside it are.
func TestStepBesideNothing(t *testing.T) {
	f := Field{Cols: 2, Rows: 2, Z: []float64{1, math.NaN(), math.NaN(), 4}, Cuts: [2][]float64{{0.5}, {0.5}}}
	if a, b, c := f.At(0.2, 0.3), f.At(0.9, 0.8), f.At(0.2, 0.8); a != 1 || b != 4 || !math.IsNaN(c) {
		t.Errorf("%g, %g, %g", a, b, c)
	}
}

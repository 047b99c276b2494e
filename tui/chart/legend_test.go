package chart

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/theme"
)

// everyLayer is one of each kind, named.
func everyLayer() []Layer {
	x, y := []float64{0, 0.25, 0.5, 0.75, 1}, []float64{0.3, 0.3, 0.3, 0.3, 0.3}
	layers := []Layer{
		Band{X: x, Lo: y, Hi: []float64{0.8, 0.8, 0.8, 0.8, 0.8}, Color: theme.New(true, theme.TrueColor, false).Band,
			Name: "band"},
		Area{X: x, Y: x, Name: "area"}, Rule{At: 0.5, Name: "rule"}, Rule{At: 0.5, Solid: true, Name: "line"},
		Box{X0: 0.2, X1: 0.6, Y0: 0.2, Y1: 0.6, Name: "box"}, Cross{X: 0.5, Y: 0.5, Name: "cross"},
		Dots{X: x, Y: x, Name: "specks"}, Region{X: []float64{0.1, 0.9, 0.1}, Y: []float64{0.1, 0.1, 0.9},
			Triangles: [][3]int{{0, 1, 2}}, Whole: true, Name: "region"},
		Label{X: 0.5, Y: 0.5, Text: "A", Name: "label"},
		Contours{Field: Field{Cols: 2, Rows: 2, Z: []float64{0, 1, 1, 0}}, Levels: []float64{0.5}, Name: "contours"},
		Contours{Field: Field{Cols: 2, Rows: 2, Z: []float64{0, 1, 1, 0}}, Levels: []float64{0.5}, Dashed: true,
			Name: "broken contours"},
	}
	for _, l := range []theme.Line{theme.Solid, theme.Dashed, theme.Dotted, theme.Fine, theme.Marked, theme.Chained,
		theme.Heavy} {
		layers = append(layers, Curve{X: x, Y: y, Line: l, Name: "curve " + string(rune('0'+l))})
	}
	for g := theme.GlyphFilled; g <= theme.GlyphDesign; g++ {
		layers = append(layers, Points{X: []float64{0.5}, Y: []float64{0.5}, Shape: g,
			Name: "points " + string(rune('a'+g))})
	}
	return layers
}

// What a legend shows of a layer is made of the characters with which a chart draws it.
func TestLegendsShowWhatIsDrawn(t *testing.T) {
	for _, st := range []theme.Style{
		theme.New(true, theme.TrueColor, false), theme.New(true, theme.TrueColor, true),
		theme.New(true, theme.NoColor, false), theme.New(true, theme.NoColor, true)} {
		for _, l := range everyLayer() {
			c := Chart{X: Axis{Max: 1, HideTicks: true}, Y: Axis{Max: 1, HideTicks: true}, Layers: []Layer{l}}
			entries := c.Legend(st)
			require.Equal(t, 1, len(entries), "%+v has %d entries", l, len(entries))
			drawn := ansi.Strip(c.Draw(40, 16, st).String())
			kinds := func(s string) (out []rune) {
				for _, r := range s {
					switch _, specks := l.(Dots); {
					case r == ' ':
						continue
					case r > 0x2800 && r <= 0x28ff && (specks || strings.HasPrefix(entries[0].Name, "con")):
						r = 0x2801 // any dots
					case r > 0x2800 && r <= 0x28ff:
						r = 0x2801
					case slices.Contains(eighths[1:], r) && entries[0].Name == "area":
						r = '█'
					}
					out = append(out, r)
				}
				return out
			}
			all := kinds(drawn)
			for _, r := range kinds(ansi.Strip(entries[0].Mark)) {
				if !slices.Contains(all, r) {
					t.Errorf("%s (ascii %v): the legend shows %q of %q, drawn is\n%s", st.Key(), st.ASCII, r,
						entries[0].Name, drawn)
				}
			}
		}
	}
}

// Without colour, and in plain characters, no two kinds of layer look alike: lines, marks, the edges of bands and
// regions.
func TestShapesDiffer(t *testing.T) {
	for _, st := range []theme.Style{theme.New(true, theme.NoColor, false), theme.New(true, theme.NoColor, true)} {
		seen := map[string]string{}
		for _, e := range NewLegend(st, everyLayer()) {
			mark := ansi.Strip(e.Mark)
			if e.Name == "label" || st.ASCII && e.Name == "line" || st.ASCII && e.Name == "points c" ||
				e.Name == "cross" || e.Name == "contours" {
				continue // a letter; the rules are one character; what stands on fields alone
			}
			if other, ok := seen[mark]; ok {
				t.Errorf("%s and %s both look like %q (ascii %v)", e.Name, other, mark, st.ASCII)
			}
			seen[mark] = e.Name
		}
	}
}

// A flipped axis has its least value on top, and what is filled stands highest where the value is least.
func TestFlippedAxis(t *testing.T) {
	st := theme.New(true, theme.NoColor, true)
	x := []float64{0, 1, 2, 3, 4}
	c := Chart{X: Axis{Max: 4, HideTicks: true}, Y: Axis{Min: 0, Max: 10, Flip: true},
		Layers: []Layer{Area{X: x, Y: []float64{9, 9, 1, 9, 9}}}}
	f := c.Frame(40, 12)
	if f.Row(1) >= f.Row(9) || f.Row(0) != 0 {
		t.Errorf("1 stands in row %g, 9 in row %g", f.Row(1), f.Row(9))
	}
	if y, ok := f.Y(f.Row(7)); !ok || y < 6.999 || y > 7.001 {
		t.Errorf("the row of 7 has the value %g", y)
	}
	lines := c.Draw(40, 12, st).Lines()
	peak := strings.IndexByte(lines[2], '#')
	if middle := f.Left + f.Cols/2; peak < middle-3 || peak > middle+3 {
		t.Errorf("the peak is not where the value is least:\n%s", strings.Join(lines, "\n"))
	}
	if !strings.HasSuffix(strings.Fields(lines[0])[0], "0") || strings.Fields(lines[11])[0] != "10.0" {
		t.Errorf("the ticks are\n%s", strings.Join(lines, "\n"))
	}
	fine := Area{X: make([]float64, 401), Y: make([]float64, 401)} // a best value between two columns is not lost
	for i := range fine.X {
		fine.X[i], fine.Y[i] = float64(i)/100, 9
	}
	fine.Y[203] = 1
	c.Layers = []Layer{fine}
	if top := c.Draw(40, 12, st).Lines()[2]; !strings.Contains(top, "#") {
		t.Errorf("the best value is lost between columns: %q", top)
	}
	s := ColorScale{Map: Viridis, Lo: 0, Hi: 1, Flip: true}
	if up := (ColorScale{Map: Viridis, Lo: 0, Hi: 1}); s.Color(0) != up.Color(1) || s.Rune(0.01) != up.Rune(0.99) {
		t.Error("a flipped scale is not turned over")
	}
	if bar := ansi.Strip(ColorBar(s, 9, 6, st)[0]); !strings.Contains(bar, "0") || strings.Contains(bar, "1") {
		t.Errorf("the top of its bar is %q", bar)
	}
}

// A region fills its gaps, but nothing beyond its points, and not against the edges of the plot.
func TestRegion(t *testing.T) {
	var r Region
	for i := range 20 {
		for j := range 10 {
			if i != 10 || j != 5 { // a hole
				r.X, r.Y = append(r.X, (float64(i)+0.5)/40), append(r.Y, (float64(j)+5.5)/20)
			}
		}
	}
	held := r.Cells(40, 20, func(x, y float64) (float64, float64) { return x * 40, y * 20 })
	for row := range 20 {
		for col := range 40 {
			if want := col < 20 && row >= 5 && row < 15; held[row*40+col] != want {
				t.Fatalf("cell %d, %d is %v", col, row, held[row*40+col])
			}
		}
	}
}

// Triangles belong to a region with their insides, also where they reach beyond the plot; of one that is whole no gap
// is closed.
func TestRegionOfTriangles(t *testing.T) {
	valueAt := func(x, y float64) (float64, float64) { return x, y }
	r := Region{X: []float64{2, 2, 22, math.NaN(), 8.5, 11.5}, Y: []float64{1, 21, 21, 3, 2.5, 2.5},
		Triangles: [][3]int{{0, 1, 2}, {0, 1, 3}}}
	for _, r.Whole = range []bool{true, false} {
		held := r.Cells(30, 15, valueAt)
		for row := range 15 {
			for col := range 30 {
				lies := col >= 2 && row >= 1 && col <= row+1 || row == 2 && (col == 8 || col == 11)
				if in := held[row*30+col]; lies && !in || r.Whole && in && !lies {
					t.Errorf("whole %v: cell %d, %d is %v", r.Whole, col, row, in)
				}
			}
		}
		assert.NotEqual(t, r.Whole, held[2*30+9], "whole %v: the gap between two points is closed", r.Whole)
	}
}

// Layers of one name share an entry with all their marks: a band with its mean, the next point with its line.
func TestLayersOfOneNameShareAnEntry(t *testing.T) {
	x := []float64{0, 1}
	layers := []Layer{Band{X: x, Lo: x, Hi: x, Name: "A"}, Curve{X: x, Y: x, Name: "A"}, Rule{At: 1, Name: "next"},
		Points{X: x, Y: x, Shape: theme.GlyphDiamond, Name: "next"},
		Points{X: x, Y: x, Shape: theme.GlyphDiamond, Name: "next"}}
	for _, st := range []theme.Style{theme.New(true, theme.NoColor, false), theme.New(true, theme.TrueColor, false)} {
		entries := NewLegend(st, layers)
		if len(entries) != 2 || ansi.Strip(entries[0].Mark) != "◆⠃" {
			t.Fatalf("the entries are %q", entries)
		}
		if got := ansi.StringWidth(entries[1].Mark); got != 6 {
			t.Errorf("the marks of a band and its mean are %q", entries[1].Mark)
		}
	}
}

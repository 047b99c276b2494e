package chart

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/theme"
)

// mixtures is a chart of a field over the mixtures of three components.
func mixtures(layers ...Layer) Chart {
	field := Field{Cols: 11, Rows: 11, Z: make([]float64, 121), Simplex: true}
	for i := range field.Z { // the share of the component at the top
		field.Z[i] = float64(i/11) / 10
	}
	corner := func(name string, end float64) Corner { return Corner{Axis{Label: name, Max: end}} }
	return Chart{X: Axis{Max: 1}, Y: Axis{Max: 1}, Layers: append([]Layer{Heat{Field: field,
		Scale: NewLinearColorScale(Viridis, []float64{0, 1})}}, layers...),
		Simplex: &Simplex{Top: corner("water", 100), Left: corner("oil", 100), Right: corner("soap", 100)}}
}

// A triangle is drawn with its corners and ticks, marks on its edges and corners, and the lines along which a cursor is
// read.
func TestTriangle(t *testing.T) {
	valueAt := func(top, right float64) (x, y []float64) {
		u, v := Place(top, right)
		return []float64{u}, []float64{v}
	}
	x, y := valueAt(1, 0)
	u, v := valueAt(0, 1)
	cursor, _ := valueAt(0.5, 0.2)
	c := mixtures(Points{X: x, Y: y, Shape: theme.GlyphStar, Name: "best"}, Points{X: u, Y: v,
		Shape: theme.GlyphHollow, Name: "data"}, SimplexCursor{X: cursor[0], Y: 0.5, Name: "cursor"})
	want := strings.Trim(`
                 water
                  /*\
                 /###\
               /#######\
              /+\+++++++\
             /===\=======\
          50/-====+-------\50
           /-----/---------\
          /:::::/:::::::::::\
         /...../.............\
       / ..../................ \
      /     /                  o\
      -------------+-------------
      oil         50          soap`, "\n")
	lines := strings.Split(ansi.Strip(strings.Join(c.Draw(40, 14, plain).Lines(), "\n")), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("it is drawn as\n%s\nwant\n%s", got, want)
	}
}

// The field is known inside of the triangle alone, where it is that of the shares.
func TestFieldOverATriangle(t *testing.T) {
	f := mixtures().Layers[0].(Heat).Field
	for _, c := range [][3]float64{{0.5, 0.5, 0.5}, {0.5, 1, 1}, {0, 0, 0}, {0.95, 0.05, 0.05}, {0.1, 0.5, math.NaN()},
		{0.9, 0.5, math.NaN()}, {0.5, 1.01, math.NaN()}} {
		if got := f.At(c[0], c[1]); math.Abs(got-c[2]) > 1e-9 || math.IsNaN(got) != math.IsNaN(c[2]) {
			t.Errorf("at %v it is %g", c[:2], got)
		}
	}
	for _, top := range []float64{0, 0.3, 1} {
		x, y := Place(top, (1-top)/3)
		if a, b := Shares(x, y); math.Abs(a-top) > 1e-12 || math.Abs(b-(1-top)/3) > 1e-12 {
			t.Errorf("the shares %g and %g come back as %g and %g", top, (1-top)/3, a, b)
		}
	}
}

// Triangles are equilateral where cells are twice as high as wide, fit any size, and take clicks inside alone.
func TestTriangleFits(t *testing.T) {
	c := mixtures()
	for w := 0; w < 90; w += 7 {
		for h := range 40 {
			f := c.Frame(w, h)
			lines := c.Draw(w, h, colors).Lines()
			if len(lines) != h || f.Left < 0 || f.Left+f.Cols > w || f.Top+f.Rows > h {
				t.Fatalf("%d×%d: %d lines, the triangle at %d, %d of %d×%d cells", w, h, len(lines), f.Left, f.Top, f.Cols, f.Rows)
			}
			if f.Rows > 8 && math.Abs(2*float64(f.Rows)/float64(f.Cols)-math.Sqrt(3)/2) > 0.12 {
				t.Errorf("%d×%d: the triangle has %d×%d cells", w, h, f.Cols, f.Rows)
			}
		}
	}
	b := c.Box(60, 24, colors, Description{Corners: [3]string{"up", "left", "right"}})
	f := c.Frame(60, 24)
	inside, outside := b.Value(float64(f.Left)+float64(f.Cols)/2, float64(f.Top+f.Rows)-0.5), b.Value(float64(f.Left)+0.5,
		float64(f.Top)+0.5)
	if len(inside) != 2 || math.Abs(inside[0]-0.5) > 1e-9 || outside != nil {
		t.Errorf("a click has %v and, outside, %v", inside, outside)
	}
	var names []string
	for _, child := range b.Children {
		names = append(names, child.Name)
	}
	for _, name := range []string{"top corner", "left corner", "right corner"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is no box: %v", name, names)
		}
	}
}

package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/theme"
)

var (
	colors = theme.New(true, theme.TrueColor, false)
	plain  = theme.New(true, theme.NoColor, true)
	mono   = theme.New(true, theme.NoColor, false)
)

// allowed are the characters that a plot may hold besides braille and ASCII: each one column wide in every terminal.
const allowed = "▼▔░▁▂▃▄▅▆▇█─│┤┼╭╮╰╯╴╶┊●○◉★◆×▲■"

func checkLines(t *testing.T, subject string, lines []string, w, h int, exact bool) {
	t.Helper()
	require.Equal(t, max(h, 0), len(lines), "%s: %d lines, want %d", subject, len(lines), h)
	for _, l := range lines {
		if n := ansi.StringWidth(l); n > w || exact && n != w {
			t.Fatalf("%s: a line of %d columns in %d: %q", subject, n, w, l)
		}
		for _, r := range ansi.Strip(l) {
			if r >= 0x80 && !(r >= 0x2800 && r <= 0x28ff) && !strings.ContainsRune(allowed, r) {
				t.Fatalf("%s: the character %q is not on the list", subject, r)
			}
		}
	}
}

// wild is a row of values with everything that data can go wrong with.
func wild(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		switch rng.IntN(8) {
		case 0:
			v[i] = math.NaN()
		case 1:
			v[i] = math.Inf(1 - 2*rng.IntN(2))
		case 2:
			v[i] = 0
		default:
			v[i] = rng.NormFloat64() * math.Pow(10, float64(rng.IntN(40)-20))
		}
	}
	return v
}

func TestNothingBreaksAChart(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 400 {
		n := rng.IntN(30)
		x := make([]float64, n)
		for k := range x {
			x[k] = float64(k) / float64(max(n-1, 1))
		}
		lo, hi := Extent(wild(rng, rng.IntN(4)))
		c := Chart{X: Axis{Label: "x", Min: 0, Max: 1}, Y: Axis{Label: "f", Min: lo, Max: hi}, Gutter: rng.IntN(12)}
		if i%3 == 0 {
			c.X.Min, c.X.Max = math.NaN(), math.Inf(1)
		}
		a, b := wild(rng, n), wild(rng, n)
		c.Layers = []Layer{Band{X: x, Lo: a, Hi: b}, Band{X: x, Lo: b, Hi: a}, Curve{X: x, Y: a},
			Curve{X: x, Y: b, Line: theme.Dashed},
			Area{X: x, Y: a}, Rule{At: 0.5}, Rule{At: math.NaN()}, Points{X: x, Y: b},
			Points{X: a, Y: a, Shape: theme.GlyphStar}}
		w, h := rng.IntN(120), rng.IntN(40)
		for _, st := range []theme.Style{colors, plain, mono} {
			checkLines(t, fmt.Sprintf("chart %d at %dx%d", i, w, h), c.Draw(w, h, st).Lines(), w, h, true)
		}
	}
}

// The geometry maps both ways.
func TestFrameMapsBack(t *testing.T) {
	f := Chart{X: Axis{Min: -3, Max: 5}, Y: Axis{Min: 10, Max: 20}, Gutter: 7}.Frame(80, 20)
	for _, x := range []float64{-3, -1, 0.3, 4.99} {
		if got, ok := f.X(float64(f.Left) + f.Col(x)); !ok || math.Abs(got-x) > 1e-6 {
			t.Errorf("x = %g comes back as %g", x, got)
		}
	}
	for _, y := range []float64{10.01, 15, 19.99} {
		if got, ok := f.Y(float64(f.Top) + f.Row(y)); !ok || math.Abs(got-y) > 1e-6 {
			t.Errorf("y = %g comes back as %g", y, got)
		}
	}
	if _, ok := f.X(3); ok {
		t.Error("the gutter has a value of x")
	}
}

// A horizontal line is one row of dots, a steep one has no gaps.
func TestCurvesAreConnected(t *testing.T) {
	c := Chart{X: Axis{Min: 0, Max: 1, HideTicks: true}, Y: Axis{Min: 0, Max: 1, HideTicks: true}}
	c.Layers = []Layer{Curve{X: []float64{0, 0.5, 0.5001, 1}, Y: []float64{0.1, 0.1, 0.9, 0.9}}}
	lines := c.Draw(20, 10, mono).Lines()
	for row := 1; row < 9; row++ {
		if !strings.ContainsFunc(lines[row], func(r rune) bool { return r > 0x2800 && r <= 0x28ff }) {
			t.Errorf("row %d of the steep line is empty:\n%s", row, strings.Join(lines, "\n"))
		}
	}
}

// Without colour two bands, and where they overlap, are told apart, and so are their edges.
func TestBandsWithoutColour(t *testing.T) {
	x := []float64{0, 1}
	c := Chart{X: Axis{Min: 0, Max: 1, HideTicks: true}, Y: Axis{Min: 0, Max: 3, HideTicks: true}, Layers: []Layer{
		Band{X: x, Lo: []float64{0, 0}, Hi: []float64{2, 2}},
		Band{X: x, Lo: []float64{1, 1}, Hi: []float64{3, 3}, Second: true}}}
	assert.Equal(t, "____\n....\n....\n____\n####\n____\n::::\n::::\n____", c.Draw(4, 9, plain).String(), "got\n")
}

func BenchmarkChart(b *testing.B) {
	x := make([]float64, 200)
	y := make([][]float64, 12)
	for k := range y {
		y[k] = make([]float64, 200)
		for i := range x {
			x[i] = float64(i) / 199
			y[k][i] = math.Sin(9*x[i]+float64(k)) + float64(k)/6
		}
	}
	c := Chart{X: Axis{Min: 0, Max: 1}, Y: Axis{Min: -2, Max: 3},
		Layers: []Layer{Band{X: x, Lo: y[0], Hi: y[11], Color: colors.Band}}}
	for _, s := range y {
		c.Layers = append(c.Layers, Curve{X: x, Y: s, Color: colors.Sample})
	}
	c.Layers = append(c.Layers, Points{X: x[:20], Y: y[3][:20], Color: colors.Data})
	for b.Loop() {
		_ = c.Draw(100, 30, colors).String()
	}
}

// The gutter has room for the labels that are drawn, which with the row of x's ticks may be others than without.
func TestGutterFitsTheLabels(t *testing.T) {
	for h := 4; h < 60; h++ {
		c := Chart{X: Axis{Min: 0, Max: 1}, Y: Axis{Min: 0, Max: 15}}
		f := c.Frame(80, h)
		for _, k := range Ticks(0, 15, max(f.Rows/3, 2)) {
			if len(k.Label)+2 > f.Left {
				t.Errorf("%d rows: %q does not fit a gutter of %d", h, k.Label, f.Left)
			}
		}
	}
}

package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/theme"
)

// checkSize sees that a trace has as many lines as were asked for, none wider.
func checkSize(t *testing.T, tr Trace, w, h int, st theme.Style) {
	t.Helper()
	lines := tr.Draw(w, h, st)
	require.Equal(t, h, len(lines), "%v: %d lines", tr, len(lines))
	for _, l := range lines {
		if n := ansi.StringWidth(l); n > w {
			t.Fatalf("%v: a line of %d columns in %d: %q", tr, n, w, l)
		}
	}
}

// Whatever the values are, and none, a trace has its size.
func TestNothingBreaksATrace(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0}
	styles := []theme.Style{theme.New(true, theme.TrueColor, false), theme.New(true, theme.NoColor, true),
		theme.New(true, theme.NoColor, false)}
	for i := range 400 {
		values := make([]float64, rng.IntN(30))
		for k := range values {
			if values[k] = rng.NormFloat64() * math.Pow(10, float64(rng.IntN(40)-20)); rng.IntN(2) == 0 {
				values[k] = odd[rng.IntN(len(odd))]
			}
		}
		tr := Trace{Series: []Series{{Values: values}, {Values: values[:len(values)/2]}}, Log: i%2 == 0, X: "iteration"}
		for _, st := range styles {
			checkSize(t, tr, rng.IntN(120), rng.IntN(40), st)
		}
	}
	for _, values := range [][]float64{nil, {math.NaN()}, {math.Inf(1)}, {0}, {0, 0}, {5, 5, 5}, {-1, -2}} {
		for _, log := range []bool{false, true} {
			checkSize(t, Trace{Series: []Series{{Values: values}}, Log: log}, 40, 8, styles[0])
		}
	}
}

// Of a trace every end stands in the row of its value, between the labels of the rows above and below, on plain and on
// logarithmic axes.
func TestTraceRows(t *testing.T) {
	st := theme.New(true, theme.NoColor, true)
	rng := rand.New(rand.NewPCG(9, 10))
	for i := range 300 {
		log := i%2 == 0
		values := make([]float64, 2+rng.IntN(40))
		for k := range values {
			values[k] = rng.NormFloat64() * 5
			if log {
				values[k] = math.Pow(10, 2*rng.NormFloat64())
			}
		}
		w, h := 30+rng.IntN(60), 6+rng.IntN(20)
		lines := Trace{Series: []Series{{Values: values, Mark: "Z"}}, Log: log, X: "iteration"}.Draw(w, h, st)
		for i := range lines {
			lines[i] = ansi.Strip(lines[i])
		}
		scale := func(v float64) float64 { return v }
		if log {
			scale = math.Log10
		}
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range values {
			lo, hi = min(lo, scale(v)), max(hi, scale(v))
		}
		place := func(v float64) float64 { return (hi - scale(v)) / (hi - lo) * float64(h-2) }
		end, labels := -1, 0
		for row, line := range lines[:h-1] {
			index := strings.IndexAny(line, "|+")
			if strings.HasSuffix(line, "Z") {
				if end = row; ansi.StringWidth(line) != w {
					t.Fatalf("the mark stands in column %d of %d", ansi.StringWidth(line), w)
				}
			}
			label := strings.TrimSpace(line[:index])
			if label == "" {
				continue
			}
			labels++
			v, err := strconv.ParseFloat(label, 64)
			if err != nil || math.Abs(place(v)-float64(row)) > 0.51 {
				t.Fatalf("%q stands in row %d, its place is %g:\n%s", label, row, place(v), strings.Join(lines, "\n"))
			}
		}
		if want := place(values[len(values)-1]); math.Abs(float64(end)-want) > 0.51 || labels < 1 {
			t.Fatalf("the end stands in row %d, its place is %g:\n%s", end, want, strings.Join(lines, "\n"))
		}
		foot := strings.Fields(lines[h-1])
		if foot[0] != "1" || foot[len(foot)-1] != fmt.Sprint(len(values)) || len(foot) != 3 || foot[1] != "iteration" {
			t.Fatalf("below stands %q", lines[h-1])
		}
	}
	zeros := Trace{Series: []Series{{Values: []float64{1, 0.1, 0.01, 0}, Mark: "Z"}}, Log: true}.Draw(40, 10, st)
	if !strings.HasSuffix(ansi.Strip(zeros[8]), "Z") {
		t.Errorf("on a logarithmic axis a zero does not stand at the bottom:\n%s", strings.Join(zeros, "\n"))
	}
}

// A constant series is drawn between values of its own sign: a hypervolume of 0 has no axis below 0, nor has one of
// 0.3.
func TestConstantSeriesKeepTheirSign(t *testing.T) {
	st := theme.New(true, theme.NoColor, true)
	for _, v := range []float64{0, 0.3, 1e-9, 2, 1e6, -0.3, -1e-9} {
		lines := Trace{Series: []Series{{Values: []float64{v, v, v}}}, X: "iteration"}.Draw(40, 10, st)
		drawn := -1
		for row, l := range lines[:9] {
			label := strings.TrimSpace(l[:strings.IndexAny(l, "|+")])
			if strings.Contains(l, "--") {
				drawn = row
			}
			if label == "" {
				continue
			}
			if tick, err := strconv.ParseFloat(label, 64); err != nil || tick*v < 0 || v == 0 && tick < 0 {
				t.Errorf("%g has the tick %q:\n%s", v, label, strings.Join(lines, "\n"))
			}
		}
		if want := map[bool]int{true: 8, false: 4}[v == 0]; drawn != want {
			t.Errorf("%g is drawn in row %d, want %d:\n%s", v, drawn, want, strings.Join(lines, "\n"))
		}
	}
}

// A trace with a range and a length has the axes of a longer one with these values, and its end stands in the same
// place.
func TestSharedAxesOfTraces(t *testing.T) {
	st := theme.New(true, theme.NoColor, true)
	for _, log := range []bool{false, true} {
		long := Trace{Series: []Series{{Values: []float64{10, 4, 4, 2, 2, 1}}}, Log: log, X: "iteration"}
		short := Trace{Series: []Series{{Values: []float64{10, 4, 4}}}, Log: log, X: "iteration",
			Range: [2]float64{1, 10}, Length: 6}
		local := short
		local.Range, local.Length = [2]float64{}, 0
		want, got, without := long.Draw(40, 8, st), short.Draw(40, 8, st), local.Draw(40, 8, st)
		for i := range want {
			const begins = 20 // columns, of the labels and of the iterations that both have
			if a, b := fmt.Sprintf("%-40s", got[i]), fmt.Sprintf("%-40s", want[i]); a[:begins] != b[:begins] ||
				i == 7 && a != b {
				t.Errorf("log %v, row %d is\n%s\nwant the axes of\n%s", log, i, a, b)
			}
		}
		if strings.Join(without, "\n") == strings.Join(got, "\n") {
			t.Errorf("log %v: the trace ignores its range", log)
		}
	}
	if lines := (Trace{Range: [2]float64{1, 10}, Length: 6}).Draw(40, 8, st); !strings.Contains(lines[0], "nothing to draw") {
		t.Errorf("without values it draws\n%s", strings.Join(lines, "\n"))
	}
}

// Series of the same values are a dot apart, all along, and take turns in the colours of cells; others are at their values.
func TestEqualSeriesAreApart(t *testing.T) {
	same := []float64{3, 3, 2, 2, 1}
	trace := Trace{Series: []Series{{Values: same, Color: colors.Series[0]}, {Values: same, Color: colors.Series[1]},
		{Values: []float64{5, 5, 5, 5, 5}, Color: colors.Series[2]}}}
	const columns, rows = 40, 8
	for x, ys := range trace.parted(1, 5, rows, columns) {
		i := x * len(same) / columns
		want := int(math.Round(4*(5-same[i])/4*rows + 1.5))
		assert.Equal(t, want, ys[0], "column %d", x)
		assert.Equal(t, 1, max(ys[1]-want, want-ys[1]), "column %d", x)
		assert.Equal(t, 2, ys[2], "column %d", x)
	}
	lines := strings.Join(trace.Draw(60, rows+2, colors), "\n")
	for _, s := range trace.Series {
		assert.Contains(t, lines, strings.TrimSuffix(colors.Opening(s.Color), "m"))
	}
}

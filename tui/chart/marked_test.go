package chart

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"

	"bandscope/tui/theme"
)

// named is an axis of levels at 0, 1, 2 … with these names.
func named(names ...string) Axis {
	a := Axis{Label: "solvent (nature)", Min: -0.5, Max: float64(len(names)) - 0.5, Names: true}
	for i, n := range names {
		a.Marks = append(a.Marks, Tick{Value: float64(i), Label: n})
	}
	return a
}

// Each name stands under its level and is cut to its room; of very many every few are shown; no line is wider than the
// chart, whatever the script.
func TestNamesOnAnAxis(t *testing.T) {
	st := theme.New(true, theme.NoColor, false)
	foot := func(w int, a Axis) string {
		lines := Chart{X: a, Y: Axis{Max: 1}, Gutter: 8}.Draw(w, 4, st).Lines()
		for _, l := range lines {
			if ansi.StringWidth(l) != w {
				t.Errorf("%q is %d cells wide, want %d", l, ansi.StringWidth(l), w)
			}
		}
		return lines[3]
	}
	for _, c := range []struct {
		w    int
		axis Axis
		want string
	}{
		{38, named("water", "DMF", "toluene"), "solvent   water      DMF     toluene  "},
		{38, named("water", "N-methylpyrrolidone", "THF"), "solvent   water   N-methyl…    THF    "},
		{38, named("水と油", "エタノール溶液の名", "ab"), "solvent   水と油  エタノー…     ab    "},
		{23, named("aaaa", "bbbb", "cccc", "dddd", "eeee", "ffff", "gggg"), "solvent aaaa dddd  gggg"},
	} {
		if got := foot(c.w, c.axis); got != c.want {
			t.Errorf("the foot is\n%q, want\n%q", got, c.want)
		}
	}
	many := make([]string, 40)
	for i := range many {
		many[i] = strings.Repeat(string(rune('a'+i%26)), 9)
	}
	if got := foot(64, named(many...)); len(strings.Fields(got)) < 8 {
		t.Errorf("of 40 names there are %q", got)
	}
	foot(9, named(many...))
	high := Chart{X: Axis{Max: 1}, Y: named("water", "dimethylformamide", "エタノール"), Gutter: 10}.Draw(44, 8, st).Lines()
	for _, want := range []string{"   water ┤", "dimethy… ┤", "エタノ… ┤"} {
		if !strings.Contains(strings.Join(high, "\n"), want) {
			t.Errorf("no %q in\n%s", want, strings.Join(high, "\n"))
		}
	}
}

// A stepped field has one value from cut to cut, and goes over between nodes along an axis that has no cuts.
func TestSteppedField(t *testing.T) {
	f := Field{Cols: 2, Rows: 3, Z: []float64{0, 1, 10, 11, 20, 21}, Cuts: [2][]float64{nil, {0.25, 0.5}}}
	for _, c := range []struct{ u, v, want float64 }{
		{0, 0, 0}, {1, 0.24, 1}, {0.5, 0.26, 10.5}, {0, 0.49, 10}, {0.25, 0.51, 20.25}, {1, 1, 21}} {
		assert.InDelta(t, c.want, f.At(c.u, c.v), 1e-12, "at %g, %g the field", c.u, c.v)
	}
	field := Field{Cols: 1, Rows: 1, Z: []float64{7}, Cuts: [2][]float64{{}, {}}}
	if field.At(0.3, 0.9) != 7 || !field.HasSteps() || (Field{}).HasSteps() {
		t.Error("a field of one cell is its value")
	}
}

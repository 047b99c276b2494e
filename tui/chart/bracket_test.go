package chart

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/theme"
)

// A bracket has its ends at its values, at least two cells, and only those in the plot.
func TestBracket(t *testing.T) {
	st := theme.New(true, theme.NoColor, false)
	for name, c := range map[string]struct {
		b    Bracket
		want []string // in 8×4 cells
	}{
		"horizontal": {Bracket{From: 0.1, To: 0.7, At: 0.4}, []string{"", "", "├────┤", ""}},
		"selected":   {Bracket{From: 0.1, To: 0.7, At: 0.4, Selected: true}, []string{"", "", "╠════╣", ""}},
		"short":      {Bracket{From: 0.5, To: 0.5, At: 0.9}, []string{"   ├┤", "", "", ""}},
		"at the end": {Bracket{From: 0.99, To: 0.995, At: 0.9}, []string{"      ├┤", "", "", ""}},
		"beyond":     {Bracket{From: 0.4, To: 3, At: 0.9}, []string{"   ├───┤", "", "", ""}},
		"outside":    {Bracket{From: 2, To: 3, At: 0.9}, []string{"", "", "", ""}},
		"vertical":   {Bracket{From: 0.1, To: 0.8, At: 0.3, Vertical: true}, []string{"  ┬", "  │", "  │", "  ┴"}},
		"small":      {Bracket{From: 0.5, To: 0.501, At: 0.3, Vertical: true}, []string{"  ┬", "  ┴", "", ""}},
		"too high":   {Bracket{From: 0.5, To: 9, At: 0.3, Vertical: true}, []string{"  ┬", "  ┴", "", ""}},
		"not finite": {Bracket{From: math.NaN(), To: 9, At: 0.3}, []string{"", "", "", ""}},
	} {
		chart := Chart{X: Axis{Max: 1, HideTicks: true}, Y: Axis{Max: 1, HideTicks: true}, Layers: []Layer{c.b}}
		lines := chart.Draw(8, 4, st).Lines()
		for i := range lines {
			lines[i] = strings.TrimRight(ansi.Strip(lines[i]), " ")
		}
		if got, want := strings.Join(lines, "\n"), strings.Join(c.want, "\n"); got != want {
			t.Errorf("%s is drawn as\n%s\nwant\n%s", name, got, want)
		}
	}
	ascii := theme.New(true, theme.NoColor, true)
	for _, b := range []Bracket{{To: 0.5, Name: "length"}, {To: 0.5, Selected: true, Name: "length"},
		{To: 0.5, Vertical: true, Name: "length"}, {To: 0.5, Vertical: true, Selected: true, Name: "length"}} {
		e := b.key(ascii)
		if e.Name != "length" || e.Mark == "" || strings.ContainsFunc(e.Mark, func(r rune) bool { return r >= 0x80 }) {
			t.Errorf("the legend has %+v for %+v", e, b)
		}
	}
}

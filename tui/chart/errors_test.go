package chart

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/theme"
)

// Bars go from one value to another, up or across, end at the edge of the plot, give way to points, and are told apart
// where there is no colour.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		l     Errors
		ascii bool
		want  []string
	}{
		{Errors{At: []float64{2.5}, Lo: []float64{1.5}, Hi: []float64{3.5}}, false,
			[]string{"", "  ┃", "  ●", "  ┃", ""}},
		{Errors{At: []float64{2.5, 9}, Lo: []float64{2.5, 1}, Hi: []float64{99, 2}}, false,
			[]string{"  ┃", "  ┃", "  ●", "", ""}},
		{Errors{At: []float64{2.5}, Lo: []float64{1.5}, Hi: []float64{4.5}, Across: true}, false,
			[]string{"", "", " ━●━━", "", ""}},
		{Errors{At: []float64{2.5}, Lo: []float64{1.5}, Hi: []float64{3.5}}, true,
			[]string{"", "  I", "  O", "  I", ""}},
	} {
		st := theme.New(true, theme.NoColor, c.ascii)
		chart := Chart{X: Axis{Max: 5, HideTicks: true}, Y: Axis{Max: 5, HideTicks: true},
			Layers: []Layer{c.l, Points{X: []float64{2.5}, Y: []float64{2.5}}}}
		var got []string
		for _, line := range chart.Draw(5, 5, st).Lines() {
			got = append(got, strings.TrimRight(ansi.Strip(line), " "))
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%+v is drawn as\n%s\nwant\n%s", c.l, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

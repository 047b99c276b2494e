package chart

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/tui/theme"
)

// What is ruled out is hatched and nothing else, a sum leaves its line free, levels are hatched as a whole, and the
// legend names it.
func TestHatch(t *testing.T) {
	grid := func(cols, rows int, z func(u, v float64) float64) Field {
		f := Field{Cols: cols, Rows: rows}
		for j := range rows {
			for i := range cols {
				f.Z = append(f.Z, z(float64(i)/float64(max(cols-1, 1)), float64(j)/float64(max(rows-1, 1))))
			}
		}
		return f
	}
	diagonal := grid(9, 9, func(u, v float64) float64 { return u + v - 1 })
	stepped := Field{Cols: 3, Rows: 1, Z: []float64{-1, 0, 1}, Cuts: [2][]float64{{0.25, 0.75}, nil}}
	for name, c := range map[string]struct {
		h    Hatch
		want string
	}{
		"above":  {Hatch{Over: diagonal}, ".#######\n...#####\n.....###\n.......#"},
		"a line": {Hatch{Lines: []Field{diagonal}}, "...#####\n#....###\n###....#\n#####..."},
		"levels": {Hatch{Lines: []Field{stepped}}, strings.Repeat("##....##\n", 3) + "##....##"},
		"both": {Hatch{Over: grid(2, 1, func(u, _ float64) float64 { return 0.5 - u }), Lines: []Field{diagonal}},
			"########\n####.###\n####...#\n#####..."},
	} {
		var b strings.Builder
		for i, held := range c.h.Cells(8, 4) {
			if i > 0 && i%8 == 0 {
				b.WriteByte('\n')
			}
			b.WriteByte(".#"[map[bool]int{true: 1}[held]])
		}
		if b.String() != c.want {
			t.Errorf("%s is hatched as\n%s\nwant\n%s", name, b.String(), c.want)
		}
	}
	chart := Chart{X: Axis{Max: 1, HideTicks: true}, Y: Axis{Max: 1, HideTicks: true}, Gutter: 1,
		Layers: []Layer{Hatch{Over: diagonal, Name: "out"}}}
	if got, want := chart.Draw(9, 4, theme.Style{}).String(),
		"│  ╱ ╱ ╱ \n│   ╱ ╱ ╱\n│      ╱ \n│       ╱"; got != want {
		t.Errorf("it is drawn as\n%s\nwant\n%s", got, want)
	}
	chart.Layers = []Layer{Curve{X: []float64{0, 1}, Y: []float64{0, 0}},
		Hatch{Over: grid(2, 1, func(u, _ float64) float64 { return u - 0.5 }), Strip: true, Name: "out"}}
	lines := chart.Draw(9, 3, theme.Style{ASCII: true}).Lines()
	if strings.Contains(lines[0]+lines[1], "/") || !strings.HasSuffix(lines[2], "////") {
		t.Errorf("the strip is drawn as\n%s", strings.Join(lines, "\n"))
	}
	if legend := chart.Legend(theme.Style{ASCII: true}); len(legend) != 2 && legend[0].Name != "out" ||
		legend[0].Mark != "///" {
		t.Errorf("the legend is %q", legend)
	}
	assert.Equal(t, "", (Hatch{Name: "out"}).key(theme.Style{}).Name, "what hatches nothing stands in the legend")
}

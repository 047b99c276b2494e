package chart

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// A legend keeps every entry whatever the width is, its names differ, and it has no more rows than asked for where
// shorter names do it.
func TestLegendLosesNothing(t *testing.T) {
	entries := []Entry{{Mark: "▔:▁", Name: "±2 sd of the Gaussian-process posterior"},
		{Mark: "⠒⠒", Name: "posterior mean"}, {Mark: "+", Name: "true function"},
		{Mark: "◆", Name: "next"}, {Mark: "◉", Name: "newest"}, {Mark: "★", Name: "best"},
		{Mark: "⠒", Name: "8 posterior samples"}}
	for w := 12; w < 160; w++ {
		for most := 1; most < 4; most++ {
			legend := LegendBox(mono, entries, w, most)
			rows := strings.Split(layout.Render(legend, max(w, 80), legend.H), "\n")
			all := strings.Join(rows, "\n")
			for _, e := range entries {
				if !strings.Contains(all, e.Mark+" ") {
					t.Fatalf("in %d columns and %d rows the legend lacks %s %s:\n%s", w, most, e.Mark, e.Name, all)
				}
			}
			for _, r := range rows {
				if ansi.StringWidth(r) > max(w, 20) {
					t.Fatalf("in %d columns a row is %q", w, r)
				}
			}
			if w >= 74 && most > 1 && len(rows) > most {
				t.Errorf("in %d columns it takes %d rows", w, len(rows))
			}
		}
	}
	if legend := LegendBox(mono, entries, 200, 1); legend.H != 1 ||
		!strings.Contains(layout.Render(legend, 200, 1), "Gaussian-process") {
		t.Errorf("where there is room, names are whole: %q", layout.Render(legend, 200, 1))
	}
}

// What a cell shows is what is under the mouse: a curve over a band that is smaller than it, and a point over both.
func TestOwners(t *testing.T) {
	st := theme.New(true, theme.TrueColor, false)
	c := Chart{X: Axis{Max: 1, HideTicks: true}, Y: Axis{Max: 1, HideTicks: true}, Layers: []Layer{
		Band{X: []float64{0.45, 0.55}, Lo: []float64{0.3, 0.3}, Hi: []float64{0.7, 0.7}, Color: st.Band, Name: "band"},
		Curve{X: []float64{0, 1}, Y: []float64{0.5, 0.5}, Color: st.Mean, Name: "mean"},
		Points{X: []float64{0.5}, Y: []float64{0.5}, Shape: theme.GlyphFilled, Color: st.Data, Name: "data"}}}
	d := Description{Marks: func(name string) (string, string) { return "It is " + name + ".", "" }}
	f := layout.Arrange(c.Box(21, 9, st, d), 21, 9)
	for position, want := range map[[2]int]string{{10, 4}: "data", {9, 4}: "mean", {9, 3}: "band", {2, 4}: "mean"} {
		if p, _ := f.DescribedAt(position[0], position[1]); p.Box == nil || p.Name != want {
			t.Errorf("in column %d of row %d is %+v, want %s", position[0], position[1], p.Box, want)
		}
	}
	if p, ok := f.DescribedAt(2, 0); ok {
		t.Errorf("in a free cell is %q", p.Name)
	}
}

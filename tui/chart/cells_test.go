package chart

import (
	"slices"
	"strings"
	"testing"

	"bandscope/tui/theme"
)

// The cells of a name are where its layers draw, and of no others; the axes are around the plot.
func TestCells(t *testing.T) {
	st := theme.New(true, theme.NoColor, true)
	c := Chart{X: Axis{Max: 10}, Y: Axis{Max: 10}, Gutter: 4, Layers: []Layer{
		Points{X: []float64{0.5, 9.5}, Y: []float64{9.5, 0.5}, Shape: theme.GlyphFilled, Name: "data"},
		Points{X: []float64{0.5}, Y: []float64{9.5}, Shape: theme.GlyphStar, Name: "best"},
		Band{X: []float64{0, 10}, Lo: []float64{4, 4}, Hi: []float64{6, 6}, Name: "band"},
	}}
	w, h := 14, 11
	for name, want := range map[string][]Span{
		"data": {{Row: 0, From: 4, To: 5}, {Row: 9, From: 13, To: 14}}, "best": {{Row: 0, From: 4, To: 5}},
		"nobody": nil} {
		if got := c.Cells(w, h, st, name); !slices.Equal(got, want) {
			t.Errorf("%s is in %v, want %v", name, got, want)
		}
	}
	for _, s := range c.Cells(w, h, st, "band") {
		if s.Row < 3 || s.Row > 6 || s.From != 4 || s.To != 14 {
			t.Errorf("the band has %v", s)
		}
	}
	left, under := c.Axes(w, h)
	if len(left) != 10 || left[0] != (Span{Row: 0, From: 0, To: 4}) ||
		!slices.Equal(under, []Span{{Row: 10, From: 0, To: 14}}) {
		t.Errorf("the axes have %v and %v", left, under)
	}
	lines := c.Draw(w, h, st).Lines()
	if !strings.Contains(lines[10], "0") || c.Cells(3, 1, st, "data") != nil {
		t.Errorf("the axis has no numbers: %q; or a chart without room has cells", lines[10])
	}
}

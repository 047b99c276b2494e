package pixels

import (
	"image"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// Values far outside of the axes take no longer than others, and what is inside of them is painted.
func TestFarValues(t *testing.T) {
	st := theme.New(true, theme.TrueColor, false)
	for _, far := range []float64{1e3, 1e9, 1e300} {
		for _, l := range []theme.Line{theme.Solid, theme.Marked, theme.Dashed} {
			c := chart.Chart{X: chart.Axis{Max: 1}, Y: chart.Axis{Max: 1}, Layers: []chart.Layer{
				chart.Curve{X: []float64{0, 0.4, 0.5, 0.6, 1}, Y: []float64{-far, 0.5, far, 0.5, -far}, Line: l, Color: st.Mean},
				chart.Band{X: []float64{0, 0.5, 1}, Lo: []float64{-far, 0.2, -far}, Hi: []float64{far, 0.3, far}, Color: st.Band}}}
			m := Plot(c, image.Pt(200, 100), 16, st, theme.Color{})
			inked := false
			for x := 75; x < 85; x++ {
				inked = inked || m.RGBAAt(x, 50).A > 0
			}
			assert.True(t, inked, "%g with line %d", far, l)
		}
	}
}

package picture

import (
	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// OverlayLines distinguish the means of overlaid beliefs without colours.
var OverlayLines = [...]theme.Line{theme.Solid, theme.Dashed, theme.Dotted, theme.Fine}

// Overlay are the layers of belief i of at most four that are drawn over each other: its band, an outline unless it is
// the selected one, and its mean, both under a name of the legend. The short name, if there is one, is for where the
// name does not fit.
func Overlay(st theme.Style, i int, selected bool, name, short string, x, lower, mean, upper []float64) []chart.Layer {
	return []chart.Layer{
		chart.Band{X: x, Lo: lower, Hi: upper, Color: st.SeriesBand[i], Edge: st.Series[i], Second: i > 0, Outline: !selected,
			Name: name, Short: short},
		chart.Curve{X: x, Y: mean, Color: st.Series[i], Line: OverlayLines[i], Priority: 4 + i, Name: name, Short: short},
	}
}

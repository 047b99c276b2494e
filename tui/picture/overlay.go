package picture

import (
	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// OverlayLines distinguish the means of overlaid beliefs without colours.
var OverlayLines = [...]theme.Line{theme.Solid, theme.Dashed, theme.Dotted, theme.Fine}

// Band is the band along one variable; empty where there is none.
func (p *Posterior) Band(c theme.Color) chart.Band {
	band := chart.Band{Color: c, Name: p.Legend.Band, Short: ShortBand(p.Legend.Band)}
	band.X, band.Lo = p.Curve(p.Fields[LowerField])
	_, band.Hi = p.Curve(p.Fields[UpperField])
	return band
}

// Overlay are the layers of belief i of at most four that are drawn over each other: its band, an outline unless it is
// the selected one, and its mean, both under a name of the legend. The short name, if there is one, is for where the
// name does not fit.
func (p *Posterior) Overlay(st theme.Style, i int, selected bool, name, short string) []chart.Layer {
	band := p.Band(st.SeriesBand[i])
	band.Edge, band.Second, band.Outline, band.Name, band.Short = st.Series[i], i > 0, !selected, name, short
	mean := chart.Curve{Color: st.Series[i], Line: OverlayLines[i], Priority: 4 + i, Name: name, Short: short}
	mean.X, mean.Y = p.Curve(p.Fields[MeanField])
	return []chart.Layer{band, mean}
}

package picture

import (
	"math"

	"bandscope/tui/chart"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// AcquisitionScale is the scale of the acquisition, over all values that its axis holds.
func (d Drawing) AcquisitionScale() AcquisitionScale {
	return NewAcquisitionScale(d.Posterior.Legend, d.acquisitions())
}

// acquisitions are the values that the axis of the acquisition holds.
func (d Drawing) acquisitions() []float64 {
	if d.Compared != nil {
		return d.Compared
	}
	return d.Posterior.Fields[AcquisitionField].Z
}

// acquisitionChart draws the acquisition, filled from below, with the next point marked. The best value is on top: the
// axis is reversed where lower is better, and logarithmic by the rule of NewAcquisitionScale.
func (d Drawing) acquisitionChart() chart.Chart {
	p := d.Posterior
	v, f := p.Variable(), p.Fields[AcquisitionField]
	c := chart.Chart{X: Axis(v), Gutter: Gutter, Importance: importance(p)}
	if f.Empty() {
		c.Y = chart.Axis{Min: 0, Max: 1, HideTicks: true}
		return c
	}
	scale := d.AcquisitionScale()
	f.Z = scale.ClampAll(f.Z)
	x, y := p.Curve(f)
	if level, ok := flat(d.acquisitions()); ok {
		c.Y = chart.Axis{Min: level - 1, Max: level + 1, Marks: []chart.Tick{{Value: level, Label: widget.Number(level)}}}
		c.Layers = append(d.rules(), chart.Curve{X: x, Y: y, Color: d.Style.Acquisition,
			Name: scale.Title(p.Legend)})
		c.Note = FlatNote
		return c
	}
	c.Y = scale.Axis(p.Legend, d.acquisitions())
	area := d.acquisitionLayer(x, y, scale.Title(p.Legend))
	if v.Levels() > 0 { // a rule in front of a bar would part it
		c.Layers = append(append(c.Layers, d.rules()...), area)
	} else {
		c.Layers = append(append(c.Layers, area), d.rules()...)
	}
	if !p.Fields[AllowedField].Empty() {
		c.Layers = append(c.Layers, d.feasibleLayer(c.Y))
	}
	next := chart.Points{Shape: theme.GlyphDiamond, Color: d.Style.Next, Name: p.NextPoints.Name()}
	for _, x := range p.Next {
		next.X, next.Y = append(next.X, x[p.View.X]), append(next.Y, scale.Clamp(p.At(AcquisitionField, x)))
	}
	if !p.ByStart {
		c.Layers = append(c.Layers, next)
	}
	return c
}

// acquisitionLayer is the acquisition, filled from below; while it is not used it is gray or, without colors, dotted.
func (d Drawing) acquisitionLayer(x, y []float64, name string) chart.Layer {
	switch {
	case d.Posterior.Unused() == "":
		return chart.Area{X: x, Y: y, Color: d.Style.Acquisition, Name: name}
	case d.Style.Tier == theme.NoColor:
		return chart.Curve{X: x, Y: y, Line: theme.Dotted, Name: name}
	}
	return chart.Area{X: x, Y: y, Color: d.Style.Border, Name: name}
}

// FlatNote is in the plot of an acquisition that is the same everywhere.
const FlatNote = "flat: any point is as good"

// flat is the level of values that differ by less than a millionth of it.
func flat(values []float64) (level float64, ok bool) {
	const share = 1e-6
	lo, hi := chart.Extent(values)
	return lo, lo <= hi && hi-lo <= share*max(math.Abs(lo), math.Abs(hi))
}

// feasibleStrip is the share of the height of the acquisition's plot that shows the allowed region, at its bottom.
const feasibleStrip = 0.2

// feasibleLayer is the region where the method allows the next point, as a strip along the bottom: the acquisition is
// good there, and would hide anything behind it.
func (d Drawing) feasibleLayer(y chart.Axis) chart.Layer {
	f := d.Posterior.Fields[AllowedField]
	part := feasibleStrip
	if y.Flip {
		part = 1 - part
	}
	top := y.Scale().Value(part)
	strip := make([]float64, len(f.Z))
	for i, allowed := range f.Z {
		strip[i] = top
		if allowed == 0 {
			strip[i] = math.NaN()
		}
	}
	f.Z = strip
	x, heights := d.Posterior.Curve(f)
	return chart.Area{X: x, Y: heights, Color: d.Style.Good, Name: AllowedName}
}

// areaChart draws the cost of an evaluation, or the probability that all limits are met, filled from below, with the
// next point marked.
func (d Drawing) areaChart(kind FieldKind) chart.Chart {
	p, area := d.Posterior, chart.Area{Color: d.Style.Good, Name: feasibilityName}
	c := chart.Chart{X: Axis(p.Variable()), Y: chart.Axis{Min: 0, Max: 1}, Gutter: Gutter}
	f := p.Fields[kind]
	if f.Empty() {
		return c
	}
	if kind == CostField {
		_, hi := chart.Extent(f.Z)
		c.Y.Max = hi * 1.05
		area.Color, area.Name = d.Style.Warn, "cost"
	}
	area.X, area.Y = p.Curve(f)
	c.Layers = append([]chart.Layer{area}, d.rules()...)
	return c
}

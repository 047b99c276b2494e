package front

import (
	"fmt"
	"math"
	"strings"

	"bandscope/functions"
	"bandscope/tui/chart"
	"bandscope/tui/picture"
)

// beyondName is what the legend calls the outcomes beyond the limits of the objectives.
const beyondName = "not feasible"

// maxLimitDistance is how far a limit may be from the drawn values, in their extent, so that the axis reaches it.
const maxLimitDistance = 1

// withLimits are the values that an axis reaches, with the limits of objective k that are not far from them.
func (d Drawing) withLimits(k int, values []float64) []float64 {
	g, o := d.gauge(k), d.State.Problem.Objectives[k]
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			lo, hi = min(lo, g.ToScale(v)), max(hi, g.ToScale(v))
		}
	}
	for _, limit := range []*float64{o.AtMost, o.AtLeast} {
		if limit == nil {
			continue
		}
		scale := g.ToScale(*limit)
		if room := maxLimitDistance * (hi - lo); scale >= lo-room && scale <= hi+room {
			values = append(values, *limit)
		}
	}
	return values
}

// limitNodes is the number of nodes of the field of outcomes beyond the limits along each axis.
const limitNodes = 65

// limitLayers are lines at the limits of the two objectives, and the hatched outcomes beyond them.
func (d Drawing) limitLayers(x, y chart.Axis) (layers []chart.Layer) {
	objectives := d.State.Problem.Objectives
	a, b := objectives[d.I], objectives[d.J]
	if !a.HasLimits() && !b.HasLimits() {
		return nil
	}
	over := chart.Field{Cols: limitNodes, Rows: limitNodes, Z: make([]float64, limitNodes*limitNodes)}
	sx, sy := x.Scale(), y.Scale()
	for row := range limitNodes {
		for col := range limitNodes {
			over.Z[row*limitNodes+col] = max(excess(a, sx, float64(col)/(limitNodes-1)),
				excess(b, sy, float64(row)/(limitNodes-1)))
		}
	}
	layers = append(layers, chart.Hatch{Over: over, Color: d.Style.Faint, Name: beyondName, Short: "beyond"})
	layers = append(layers, picture.LimitLines(a, d.Style, x, y, false)...)
	return append(layers, picture.LimitLines(b, d.Style, x, y, true)...)
}

// excess is how far a part of an axis is beyond the limits of its objective, in parts of the axis; within them it is
// below 0.
func excess(o functions.Objective, s chart.Scale, part float64) float64 {
	worst := math.Inf(-1)
	if o.AtMost != nil {
		worst = max(worst, part-s.Fraction(o.Transform().Clamp(*o.AtMost)))
	}
	if o.AtLeast != nil {
		worst = max(worst, s.Fraction(o.Transform().Clamp(*o.AtLeast))-part)
	}
	return worst
}

// describeLimits describes the limits of the objectives, and what lies beyond them.
func (t Description) describeLimits() string {
	var texts []string
	for _, o := range t.State.Problem.Objectives {
		if o.HasLimits() {
			texts = append(texts, o.Name+" "+o.LimitText())
		}
	}
	return fmt.Sprintf(
		"The limits of the objectives: %s. Outcomes in the hatched region are not feasible, and do not count for the hypervolume.",
		strings.Join(texts, ", "))
}

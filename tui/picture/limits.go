package picture

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// feasible are the probabilities that all limits are met at the rows of x; nil for a belief without limits.
func feasible(ctx context.Context, b optimizers.Belief, x *mat.Dense) ([]float64, error) {
	f := optimizers.FeasibilityFor(b)
	if f == nil {
		return nil, nil
	}
	p, err := f.LogProbability(ctx, x)
	for i := range p {
		p[i] = math.Exp(p[i])
	}
	return p, err
}

// Names of entries of the legend.
const (
	limitViolationName = "beyond a limit"
	halfName           = "limit, p < ½"
	limitContourName   = "limit, p = ½"
	contourName        = "contour lines"
	allowedEdgeName    = "edge of the allowed region"
	feasibilityName    = "probability that all limits are met"
)

// AllowedName names the region where the method allows the next point in the legend of the acquisition.
const AllowedName = "allowed region"

// LimitViolationLayer is for the points whose values are beyond a limit.
func LimitViolationLayer(st theme.Style, ink bool) chart.Points {
	return chart.Points{Shape: theme.GlyphBeyond, Color: st.Warn, Ink: ink, Name: limitViolationName,
		Short: "infeasible"}
}

// NewLimitHatch is where limits are more likely violated than met, by the probabilities of a field that all limits are
// met; empty without values.
func NewLimitHatch(feasible chart.Field) chart.Hatch {
	if len(feasible.Z) == 0 {
		return chart.Hatch{}
	}
	over := feasible
	over.Z = make([]float64, len(feasible.Z))
	for i, p := range feasible.Z {
		over.Z[i] = 0.5 - p
	}
	return chart.Hatch{Over: over, Name: halfName, Short: "limit"}
}

// LimitName is what the legend calls the line at a limit of an objective.
const LimitName = "limit"

// LimitLines are lines at the limits of an objective across a plot with these axes; across is true where the values of
// the objective are along y.
func LimitLines(o functions.Objective, st theme.Style, x, y chart.Axis, across bool) (lines []chart.Layer) {
	for _, limit := range []*float64{o.AtMost, o.AtLeast} {
		if limit == nil {
			continue
		}
		value := o.Transform().Clamp(*limit)
		line := chart.Curve{X: []float64{value, value}, Y: []float64{y.Min, y.Max},
			Color: st.Warn, Line: theme.Dashed, Priority: 2, Name: LimitName}
		if across {
			line.X, line.Y = []float64{x.Min, x.Max}, []float64{value, value}
		}
		lines = append(lines, line)
	}
	return lines
}

// LimitHatch is where limits are more likely violated than met; a strip along the bottom of a chart of one variable.
func (p *Posterior) LimitHatch() chart.Hatch {
	h := NewLimitHatch(p.Fields[FeasibleField].Field)
	h.Strip = p.View.Axes == OneVariable
	return h
}

// Hatches are where limits are more likely violated than met, and where known constraints do not hold.
func (p *Posterior) Hatches() (layers []chart.Layer) {
	for _, h := range []chart.Hatch{p.LimitHatch(), p.ConstraintHatch} {
		if !h.Empty() {
			layers = append(layers, h)
		}
	}
	return layers
}

// limitContour is the line where all limits are met with a probability of 1/2.
func (p *Posterior) limitContour() (chart.Layer, bool) {
	f := p.Fields[FeasibleField].Field
	lo, hi := chart.Extent(f.Z)
	return chart.Contours{Field: f, Levels: []float64{0.5}, Dashed: true, Name: limitContourName,
		Short: "limit"}, lo < 0.5 && hi > 0.5
}

// limitTexts are the limits of a problem in words: "impurity ≤ 5 %".
func limitTexts(p *functions.Problem) string {
	var texts []string
	for _, k := range p.LimitedOutputs() {
		o := p.Outputs()[k]
		texts = append(texts, o.Name+" "+o.LimitText())
	}
	return strings.Join(texts, ", ")
}

// describeLimitHatch describes where limits are more likely violated than met.
func (s Description) describeLimitHatch() string {
	if texts := limitTexts(s.State.Problem); texts != "" {
		return fmt.Sprintf(
			"The hatched region: the model expects that a limit is violated there, with a probability of more than 1/2 (%s).",
			texts)
	}
	return "The hatched region: the model expects that evaluations fail there, with a probability of more than 1/2."
}

// describeLimitLines describes the lines at the limits of objectives.
func describeLimitLines(p *functions.Problem) string {
	return fmt.Sprintf("The line at a limit: %s. Results beyond it are not feasible.", limitTexts(p))
}

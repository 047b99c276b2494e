package picture

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/sessions"
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

// feasible fills the probability that all limits are met.
func (p *Plane) feasible(ctx context.Context, st sessions.State, b optimizers.Belief) error {
	g := p.newGrid(st, fineNodes)
	z, err := feasible(ctx, b, g.x)
	if p.Known[FeasibleField] = true; err != nil || z == nil {
		return err
	}
	p.setField(FeasibleField, g, z)
	return nil
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

// bracket is a line along the bottom of a chart where limits are more likely violated than met.
func (d Drawing) bracket(c chart.Chart) chart.Layer {
	p := d.Picture
	steps, y, bottom := p.Steps(), make([]float64, len(p.Grid)), c.Y.Scale().Value(1.0/500)
	for i, v := range p.Feasible {
		if y[i] = bottom; v >= 0.5 {
			y[i] = math.NaN()
		}
	}
	return chart.Curve{X: steps.X, Y: steps.Y(y), Color: d.Style.Warn, Line: theme.Dotted, Priority: 5, Name: halfName,
		Short: "limit"}
}

// FeasibleChart draws the probability that all limits are met, filled from below, with the next query marked.
func (d Drawing) FeasibleChart() chart.Chart {
	v := d.State.Problem.Domain[d.Variable]
	c := chart.Chart{X: Axis(v), Y: chart.Axis{Min: 0, Max: 1}, Gutter: Gutter}
	if p := d.Picture; p != nil && len(p.Feasible) > 0 {
		steps := p.Steps()
		c.Layers = append(c.Layers, chart.Area{X: steps.X, Y: steps.Y(p.Feasible), Color: d.Style.Good,
			Name: feasibilityName})
		c.Layers = append(c.Layers, d.rules()...)
	}
	return c
}

// limitContour is the line where all limits are met with a probability of 1/2.
func (p *Plane) limitContour() (chart.Layer, bool) {
	f := p.Fields[FeasibleField]
	lo, hi := chart.Extent(f.Z)
	return chart.Contours{Field: f, Levels: []float64{0.5}, Dashed: true, Name: limitContourName,
		Short: "limit"}, lo < 0.5 && hi > 0.5
}

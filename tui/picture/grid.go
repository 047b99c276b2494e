package picture

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"

	"bandscope/tui/chart"
)

// AcquisitionGrid is an acquisition on a grid.
type AcquisitionGrid struct {
	I, J       int // the variables; J is −1 along one
	Xs, Ys     []float64
	Infeasible chart.Hatch // where known constraints rule points out
	Beyond     chart.Hatch // where limits are more likely violated than met
	Values     []float64   // rows of Ys, columns of Xs; nil where the method has no acquisition
}

// How many points of the acquisition are drawn along one variable, and along each of two.
const (
	lineNodes  = 201
	planeNodes = 36
)

// NewAcquisitionGrid is the acquisition of a place along variable i, or over i and j where that is not −1, the others
// held at x.
func NewAcquisitionGrid(ctx context.Context, at diagnostics.Source, x []float64, i, j int,
	progress sessions.Progress) (AcquisitionGrid, error) {
	domain := at.State().Problem.Domain
	g := AcquisitionGrid{I: i, J: j, Ys: []float64{0}}
	nodes := lineNodes
	if j >= 0 {
		nodes = planeNodes
		g.Ys = Grid(domain[j], 0, 1, nodes)
	}
	g.Xs = Grid(domain[i], 0, 1, nodes)
	var points [][]float64
	for _, b := range g.Ys {
		for _, a := range g.Xs {
			p := append([]float64(nil), x...)
			p[i] = a
			if j >= 0 {
				p[j] = b
			}
			points = append(points, p)
		}
	}
	if p := at.State().Problem; p.Constraints != nil {
		g.Infeasible = NewConstraintHatch(p, points, func(z []float64) chart.Field { return g.Field(domain, z) })
		g.Infeasible.Strip = j < 0
	}
	values, err := diagnostics.Acquisition(ctx, at, points, progress)
	if g.Values = values; optimizers.IgnoreUnsupported(err) != nil {
		return g, err
	}
	return g, g.findBeyond(ctx, at, points, progress)
}

// findBeyond fills in where limits are more likely violated than met.
func (g *AcquisitionGrid) findBeyond(ctx context.Context, at diagnostics.Source, points [][]float64,
	progress sessions.Progress) error {
	b, err := at.Belief(ctx, progress)
	if err != nil || optimizers.FeasibilityFor(b) == nil {
		return err
	}
	domain := at.State().Problem.Domain
	x := mat.NewDense(len(points), len(domain), nil)
	for i, p := range points {
		x.SetRow(i, domain.ToUnit(p))
	}
	p, err := feasible(ctx, b, x)
	if err != nil {
		return err
	}
	g.Beyond = NewLimitHatch(g.Field(domain, p))
	g.Beyond.Strip = g.J < 0
	return nil
}

// Field is the field of values at the nodes, over two variables or along one.
func (g AcquisitionGrid) Field(d functions.Domain, values []float64) chart.Field {
	f := chart.Field{Cols: len(g.Xs), Rows: len(g.Ys), Z: values, Cuts: [2][]float64{Cuts(d[g.I], g.Xs), nil}}
	if g.J >= 0 {
		f.Cuts[1] = Cuts(d[g.J], g.Ys)
	}
	return f
}

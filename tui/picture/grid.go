package picture

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"

	"bandscope/tui/chart"
)

// AcquisitionGrid is an acquisition on a grid: along one variable, over two, or over the triangle of a mixture.
type AcquisitionGrid struct {
	I, J       int         // the variables; J is −1 along one
	Xs         []float64   // the values of variable I, along one
	Infeasible chart.Hatch // where known constraints rule points out
	Beyond     chart.Hatch // where limits are more likely violated than met
	Values     []float64   // at the nodes; nil where the method has no acquisition

	grid  grid
	plane *Plane // what the grid is over; nil along one variable
}

// How many points of the acquisition are drawn along one variable, and along each of two.
const (
	lineNodes  = 201
	planeNodes = 36
)

// NewAcquisitionGrid is the acquisition of a place along variable i, or over i and j where that is not −1, the others
// held at x. Components of a mixture of three or more are drawn as a triangle, and one of them in the direction of Cox.
func NewAcquisitionGrid(ctx context.Context, source diagnostics.Source, x []float64, i, j int,
	progress sessions.Progress) (AcquisitionGrid, error) {
	st := source.State()
	domain := st.Problem.Domain
	g := AcquisitionGrid{I: i, J: j}
	if j >= 0 {
		g.plane = NewPlane(st, PlaneOver(st.Problem, i, j), x)
		g.grid = g.plane.newGrid(st, planeNodes)
	} else {
		g.Xs = Grid(domain[i], 0, 1, lineNodes)
		g.grid = grid{x: mat.NewDense(len(g.Xs), len(domain), nil), cols: len(g.Xs), rows: 1,
			cuts: [2][]float64{Cuts(domain[i], g.Xs), nil}}
		for k, v := range g.Xs {
			g.grid.x.SetRow(k, domain.ToUnit(st.Problem.WithValue(x, i, v)))
		}
	}
	n, _ := g.grid.x.Dims()
	points := make([][]float64, n)
	for k := range points {
		points[k] = domain.FromUnit(g.grid.x.RawRowView(k))
	}
	if st.Problem.Constraints != nil {
		g.Infeasible = NewConstraintHatch(st.Problem, points, g.grid.field)
		g.Infeasible.Strip = j < 0
	}
	values, err := diagnostics.Acquisition(ctx, source, points, progress)
	g.Values = values
	if optimizers.IgnoreUnsupported(err) != nil {
		return g, err
	}
	return g, g.findBeyond(ctx, source, progress)
}

// findBeyond fills in where limits are more likely violated than met.
func (g *AcquisitionGrid) findBeyond(ctx context.Context, source diagnostics.Source, progress sessions.Progress) error {
	b, err := source.Belief(ctx, progress)
	if err != nil || optimizers.FeasibilityFor(b) == nil {
		return err
	}
	p, err := feasible(ctx, b, g.grid.x)
	if err != nil {
		return err
	}
	g.Beyond = NewLimitHatch(g.grid.field(p))
	g.Beyond.Strip = g.J < 0
	return nil
}

// Field is the field of values at the nodes.
func (g AcquisitionGrid) Field(values []float64) chart.Field { return g.grid.field(values) }

// Variables are the variables that the picture is over.
func (g AcquisitionGrid) Variables() []int {
	if g.plane == nil {
		return []int{g.I}
	}
	return g.plane.View.Variables()
}

// Describe adds what the axes or the corners are of to a description.
func (g AcquisitionGrid) Describe(st sessions.State, d chart.Description) chart.Description {
	domain := st.Problem.Domain
	switch variables := g.Variables(); len(variables) {
	case 1:
		d.X = DescribeVariable(domain[variables[0]])
	case 2:
		d.X, d.Y = DescribeVariable(domain[variables[0]]), DescribeVariable(domain[variables[1]])
	default:
		d.Corners = g.plane.describeCorners(st)
	}
	return d
}

// Chart has the axes of the variables, or the triangle. Along one variable it has no axis of values yet.
func (g AcquisitionGrid) Chart(st sessions.State) chart.Chart {
	if g.plane == nil {
		return chart.Chart{X: Axis(st.Problem.Domain[g.I])}
	}
	return g.plane.axes(st)
}

// Place is where the chart draws a point over two variables.
func (g AcquisitionGrid) Place(st sessions.State, x []float64) (float64, float64) {
	return g.plane.ChartPlace(st, x)
}

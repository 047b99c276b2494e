package picture

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/optimizers/search"
	"bandscope/sessions"
	"bandscope/tui/chart"
)

// ternary is the triangle of three components of a mixture, the others held: the corner of each is where the two others
// have their least values.
type ternary struct {
	of   [3]int // the components at the top, the left and the right corner
	low  [3]float64
	size float64 // the difference of a component between its corner and the opposite edge
}

// ternary is the triangle of the plane.
func (p *Posterior) ternary() ternary {
	t := ternary{of: [3]int{p.View.Y, p.View.Z, p.View.X}}
	for _, j := range t.of {
		t.size += p.Anchor[j]
	}
	for i, j := range t.of {
		t.low[i] = p.problem.Domain[j].Low
		t.size -= t.low[i]
	}
	t.size = max(t.size, 1e-9*p.problem.MixtureOf(p.View.X).Sum())
	return t
}

// place is where a point lies in the triangle; one with another sum of the three components by their shares of it.
func (t ternary) place(x []float64) (u, v float64) {
	var parts [3]float64
	sum := 0.0
	for i, j := range t.of {
		parts[i] = max(x[j]-t.low[i], 0)
		sum += parts[i]
	}
	if sum == 0 {
		return math.NaN(), math.NaN()
	}
	return chart.Place(parts[0]/sum, parts[2]/sum)
}

// at is the point at a place of the triangle, with the other variables of an anchor.
func (t ternary) at(anchor []float64, u, v float64) []float64 {
	x := append([]float64(nil), anchor...)
	top, right := chart.Shares(u, v)
	for i, part := range [3]float64{top, 1 - top - right, right} {
		x[t.of[i]] = t.low[i] + t.size*max(part, 0)
	}
	return x
}

// ternaryGrid is the grid over the triangle: rows of nodes from the left to the right edge.
func (p *Posterior) ternaryGrid(nodes int) grid {
	t := p.ternary()
	g := grid{x: mat.NewDense(nodes*nodes, p.problem.Dim(), nil), cols: nodes, rows: nodes, ternary: true}
	for j := range nodes {
		v := float64(j) / float64(nodes-1)
		for i := range nodes {
			u := v/2 + (1-v)*float64(i)/float64(nodes-1)
			g.x.SetRow(j*nodes+i, p.problem.Domain.ToUnit(t.at(p.Anchor, u, v)))
		}
	}
	return g
}

// PointFrom is the point at a place of a triangle, as a chart has it, with the other variables of another point.
func (p *Posterior) PointFrom(other []float64, x, y float64) []float64 {
	return p.ternary().at(other, x, y)
}

// StepShare is the greatest step of a component of a triangle, as a share of its size; 0 without steps.
func (p *Posterior) StepShare() (share float64) {
	t := p.ternary()
	for _, j := range t.of {
		share = max(share, p.problem.Domain[j].Step/t.size)
	}
	return share
}

// OnGrid is the point on the grids of the steps near a point that fulfils all constraints, or the point itself.
func OnGrid(st sessions.State, x []float64) []float64 {
	if !slices.ContainsFunc(st.Problem.Domain, func(v functions.Variable) bool { return v.Steps() > 0 }) {
		return x
	}
	u := st.Problem.Domain.ToUnit(x)
	if !(search.Space{Dim: len(u), Domain: st.Input().Domain}).Project(u) {
		return x
	}
	return st.Problem.Domain.FromUnit(u)
}

// ChartPlace is where a chart draws a point: the values of the two variables, or the place in the triangle.
func (p *Posterior) ChartPlace(x []float64) (float64, float64) {
	if p.View.Axes == Ternary {
		return p.ternary().place(x)
	}
	return x[p.View.X], x[p.View.Y]
}

// simplex declares the triangle for a chart.
func (p *Posterior) simplex() *chart.Simplex {
	t := p.ternary()
	corner := func(i int) chart.Corner {
		a := Axis(p.problem.Domain[t.of[i]])
		a.Min, a.Max = t.low[i], t.low[i]+t.size
		return chart.Corner{Axis: a}
	}
	return &chart.Simplex{Top: corner(0), Left: corner(1), Right: corner(2)}
}

// boundsExcess is by how much a point is outside of some bounds, in parts of the width of a variable; at most 0 within.
func boundsExcess(bounds functions.Domain, x []float64) float64 {
	worst := math.Inf(-1)
	for j, v := range bounds {
		if width := v.High - v.Low; width > 0 {
			worst = max(worst, (x[j]-v.High)/width, (v.Low-x[j])/width)
		}
	}
	return worst
}

// boundsContour is the line around the mixtures within the narrowed bounds.
func (p *Posterior) boundsContour(bounds functions.Domain) chart.Layer {
	g := p.ternaryGrid(planeNodes[1])
	z := make([]float64, g.size())
	for i := range z {
		z[i] = boundsExcess(bounds, g.at(p, i))
	}
	return chart.Contours{Field: g.field(z), Levels: []float64{0}, Dashed: true, Name: "bounds"}
}

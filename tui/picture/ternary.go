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

// PlaneOver looks at all of two variables; if both are components of one mixture of three or more, at three of its
// components: both and the first of the preferred ones that is another one, or the next.
func PlaneOver(p *functions.Problem, x, y int, third ...int) PlaneView {
	v := WholePlane(x, y)
	m := p.MixtureOf(x)
	if m == nil || m != p.MixtureOf(y) || len(m.Components) < 3 {
		return v
	}
	indices := m.Indices(p.Domain)
	for _, list := range [][]int{third, indices} {
		for _, j := range list {
			if j != x && j != y && p.MixtureOf(j) == m {
				v.Ternary, v.Z = true, j
				return v
			}
		}
	}
	return v
}

// Variables are the variables of the plane: that along x and that along y, or the components at the top, the left and
// the right corner of a triangle.
func (v PlaneView) Variables() []int {
	if v.Ternary {
		return []int{v.Y, v.Z, v.X}
	}
	return []int{v.X, v.Y}
}

// ternary is the triangle of three components of a mixture, the others held: the corner of each is where the two others
// have their least values.
type ternary struct {
	of   [3]int // the components at the top, the left and the right corner
	low  [3]float64
	size float64 // the difference of a component between its corner and the opposite edge
}

// ternary is the triangle of the plane.
func (p *Plane) ternary(st sessions.State) ternary {
	t := ternary{of: [3]int{p.View.Y, p.View.Z, p.View.X}}
	for _, j := range t.of {
		t.size += p.Anchor[j]
	}
	for i, j := range t.of {
		t.low[i] = st.Problem.Domain[j].Low
		t.size -= t.low[i]
	}
	t.size = max(t.size, 1e-9*st.Problem.MixtureOf(p.View.X).Sum())
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
func (p *Plane) ternaryGrid(st sessions.State, nodes int) grid {
	t := p.ternary(st)
	g := grid{x: mat.NewDense(nodes*nodes, st.Problem.Dim(), nil), cols: nodes, rows: nodes, ternary: true}
	for j := range nodes {
		v := float64(j) / float64(nodes-1)
		for i := range nodes {
			u := v/2 + (1-v)*float64(i)/float64(nodes-1)
			g.x.SetRow(j*nodes+i, st.Problem.Domain.ToUnit(t.at(p.Anchor, u, v)))
		}
	}
	return g
}

// PointFrom is the point at a place of a triangle, as a chart has it, with the other variables of another point.
func (p *Plane) PointFrom(st sessions.State, other []float64, x, y float64) []float64 {
	return p.ternary(st).at(other, x, y)
}

// StepShare is the greatest step of a component of a triangle, as a share of its size; 0 without steps.
func (p *Plane) StepShare(st sessions.State) (share float64) {
	t := p.ternary(st)
	for _, j := range t.of {
		share = max(share, st.Problem.Domain[j].Step/t.size)
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
func (p *Plane) ChartPlace(st sessions.State, x []float64) (float64, float64) {
	if p.View.Ternary {
		return p.ternary(st).place(x)
	}
	return x[p.View.X], x[p.View.Y]
}

// simplex declares the triangle for a chart.
func (p *Plane) simplex(st sessions.State) *chart.Simplex {
	t := p.ternary(st)
	corner := func(i int) chart.Corner {
		a := Axis(st.Problem.Domain[t.of[i]])
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
func (p *Plane) boundsContour(st sessions.State) chart.Layer {
	g := p.ternaryGrid(st, fineNodes)
	n, _ := g.x.Dims()
	z := make([]float64, n)
	for i := range z {
		z[i] = boundsExcess(st.Bounds, st.Problem.Domain.FromUnit(g.x.RawRowView(i)))
	}
	return chart.Contours{Field: g.field(z), Levels: []float64{0}, Dashed: true, Name: "bounds"}
}

package picture

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/sessions"
	"bandscope/tui/chart"
)

// The nodes of grids along a variable: of a coarse one that is fast, and of a fine one; of the true function, which is
// fast to evaluate; and of a sample over two variables, few enough that it is drawn jointly.
var (
	lineNodes  = [2]int{81, 241}
	planeNodes = [2]int{21, 61}
)

const (
	truthNodes  = 961
	sampleNodes = 25
)

// nodes are the nodes of the coarse grid, 0, or of the fine one, 1.
func (p *Posterior) nodes(fine int) int {
	if p.View.Axes == OneVariable {
		return lineNodes[fine]
	}
	return planeNodes[fine]
}

// grid are the inputs at which a field is computed: evenly spaced nodes or, along a variable with levels, at most as
// many of these.
type grid struct {
	x     *mat.Dense   // in the unit cube, a row each, the first variable running
	cols  int          // along the first variable
	rows  int          // along the second
	cuts  [2][]float64 // between levels, as parts of the window
	along []float64    // along one variable its values

	ternary bool // the window is a triangle
}

// size is the number of nodes.
func (g grid) size() int { return g.cols * g.rows }

// at is the point of the problem at a node.
func (g grid) at(p *Posterior, i int) []float64 {
	if g.along != nil {
		return p.problem.WithValue(p.Anchor, p.View.X, g.along[i])
	}
	return p.problem.Domain.FromUnit(g.x.RawRowView(i))
}

// points are the points of the problem at all nodes.
func (g grid) points(p *Posterior) [][]float64 {
	list := make([][]float64, g.size())
	for i := range list {
		list[i] = g.at(p, i)
	}
	return list
}

// field is the field of values at the nodes.
func (g grid) field(z []float64) chart.Field {
	return chart.Field{Cols: g.cols, Rows: g.rows, Z: z, Cuts: g.cuts, Simplex: g.ternary}
}

// newGrid is the grid over the window, along one variable also with further values of it. The other components of a
// mixture keep their ratio.
func (p *Posterior) newGrid(nodes int, further ...float64) grid {
	switch p.View.Axes {
	case OneVariable:
		return p.lineGrid(nodes, further)
	case Ternary:
		return p.ternaryGrid(nodes)
	}
	var units [2][]float64
	var g grid
	for k, variable := range p.View.Variables() {
		v := p.problem.Domain[variable]
		low, high := p.View.Low[k], p.View.High[k]
		if v.Levels() == 0 {
			for i := range nodes {
				units[k] = append(units[k], low+(high-low)*float64(i)/float64(nodes-1))
			}
			continue
		}
		levels := Grid(v, low, high, nodes)
		for _, x := range levels {
			units[k] = append(units[k], v.ToUnit(x))
		}
		g.cuts[k] = Cuts(v, levels)
		for i, cut := range g.cuts[k] {
			g.cuts[k][i] = (cut - low) / (high - low)
		}
	}
	g.cols, g.rows = len(units[0]), len(units[1])
	g.x = mat.NewDense(g.size(), p.problem.Dim(), nil)
	domain := p.problem.Domain
	anchor := domain.ToUnit(p.Anchor)
	mixed := p.problem.MixtureOf(p.View.X) != nil || p.problem.MixtureOf(p.View.Y) != nil
	for j, v := range units[1] {
		for i, u := range units[0] {
			row := g.x.RawRowView(j*g.cols + i)
			copy(row, anchor)
			row[p.View.X], row[p.View.Y] = u, v
			if mixed {
				point := p.problem.WithValue(p.Anchor, p.View.X, domain[p.View.X].FromUnit(u))
				point = p.problem.WithValue(point, p.View.Y, domain[p.View.Y].FromUnit(v))
				copy(row, domain.ToUnit(point))
			}
		}
	}
	return g
}

// lineGrid is the grid along one variable.
func (p *Posterior) lineGrid(nodes int, further []float64) grid {
	v := p.Variable()
	values := append(Grid(v, 0, 1, nodes), further...)
	slices.Sort(values)
	values = slices.Compact(values)
	g := grid{cols: len(values), rows: 1, cuts: [2][]float64{Cuts(v, values), nil}, along: values,
		x: mat.NewDense(len(values), p.problem.Dim(), nil)}
	for i := range values {
		g.x.SetRow(i, p.problem.Domain.ToUnit(g.at(p, i)))
	}
	return g
}

// dataAlong are the inputs of the results and of the next points of a single variable, so that the band meets its data
// and the acquisition its maximum.
func (p *Posterior) dataAlong(st sessions.State) (x []float64) {
	if p.View.Axes != OneVariable || st.Problem.Dim() > 1 {
		return nil
	}
	for _, it := range st.Iterations {
		for _, pt := range it.Points {
			x = append(x, pt.X[0])
		}
	}
	for _, point := range p.Next {
		x = append(x, point[0])
	}
	return x
}

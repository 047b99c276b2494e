package picture

import (
	"bandscope/functions"
)

// Axes are what the values of a posterior are drawn over.
type Axes int

// The kinds of axes.
const (
	OneVariable  Axes = iota // X
	TwoVariables             // X and Y
	Ternary                  // components of one mixture, a triangle with X at the right, Y at the top and Z at the left corner
)

// View is what the person chose to see of a posterior.
type View struct {
	Axes
	X, Y, Z   int        // the variables
	Low, High [2]float64 // the window over two variables, as parts of their axes
	Objective int
	Samples   int    // how many surrogate samples along one variable
	Draw      uint64 // which samples
	Theory    bool   // the theory of the covariance function is asked for
}

// WholePlane looks at all of two variables.
func WholePlane(x, y int) View {
	return View{Axes: TwoVariables, X: x, Y: y, High: [2]float64{1, 1}}
}

// FirstPlane looks at all of the first two variables, or at the first three components of the mixture of one of them. A
// choice among them is along y, where its names fit, and a number along x.
func FirstPlane(p *functions.Problem) View {
	domain := p.Domain
	for j := range min(len(domain), 2) {
		if m := p.MixtureOf(j); m != nil && len(m.Components) > 2 {
			indices := m.Indices(domain)
			return PlaneOver(p, indices[2], indices[0], indices[1])
		}
	}
	if len(domain) > 1 && domain[0].Kind == functions.Choice && domain[1].Kind != functions.Choice {
		return WholePlane(1, 0)
	}
	return WholePlane(0, 1)
}

// PlaneOver looks at all of two variables; if both are components of one mixture of three or more, at three of its
// components: both and the first of the preferred ones that is another one, or the next.
func PlaneOver(p *functions.Problem, x, y int, third ...int) View {
	v := WholePlane(x, y)
	m := p.MixtureOf(x)
	if m == nil || m != p.MixtureOf(y) || len(m.Components) < 3 {
		return v
	}
	indices := m.Indices(p.Domain)
	for _, list := range [][]int{third, indices} {
		for _, j := range list {
			if j != x && j != y && p.MixtureOf(j) == m {
				v.Axes, v.Z = Ternary, j
				return v
			}
		}
	}
	return v
}

// Zoomed is half of the window in each direction, around a place of it.
func (v View) Zoomed(point [2]float64) View {
	for k := range 2 {
		half := (v.High[k] - v.Low[k]) / 4
		lo := min(max(point[k]-half, v.Low[k]), v.High[k]-2*half)
		v.Low[k], v.High[k] = lo, lo+2*half
	}
	return v
}

// Variables are the variables that are drawn: along x and along y, or the components at the top, the left and the right
// corner of a triangle.
func (v View) Variables() []int {
	return [][]int{{v.X}, {v.X, v.Y}, {v.Y, v.Z, v.X}}[v.Axes]
}

// sameWindow reports whether two views differ in their samples or in the theory at most.
func (v View) sameWindow(other View) bool {
	v.Samples, v.Draw, v.Theory = other.Samples, other.Draw, other.Theory
	return v == other
}

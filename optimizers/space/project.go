package space

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// halfspace is the constraint a·x ≤ b, or a·x = b, with |a| = 1.
type halfspace struct {
	a     []float64
	b     float64
	equal bool
}

const (
	exact    = 1e-13 // tolerance of a constraint after a projection
	parallel = 1e-12 // the square of the sine below which a normal lies in the span of others
)

// project moves y to the nearest point that fulfils all constraints, in place: the dual active-set method of Goldfarb &
// Idnani 1983 for the identity as the quadratic form. False: no point fulfils them all; y is then anything.
func project(y []float64, all []halfspace) bool {
	p := projection{x: y, all: all}
	for i, h := range all {
		if h.equal && !p.activate(i) {
			return false
		}
	}
	for range 20 * (len(all) + 1) {
		worst, most := -1, exact
		for i, h := range all {
			if v := floats.Dot(h.a, y) - h.b; v > most && !h.equal {
				worst, most = i, v
			}
		}
		if worst < 0 {
			return true
		}
		if !p.activate(worst) {
			return false
		}
	}
	return false
}

// projection is the state of a projection: the active constraints, their normals and multipliers, and the orthonormal
// basis of the normals with their coefficients, normal i = Σ_k coef[i][k]·basis[k] with k ≤ i.
type projection struct {
	x           []float64
	all         []halfspace
	active      []int
	mult        []float64
	normals     [][]float64
	basis, coef [][]float64
}

// activate moves to a point where constraint i holds too, and adds it to the active ones.
func (p *projection) activate(i int) bool {
	a := p.all[i].a
	b := p.all[i].b
	mult := 0.0
	if floats.Dot(a, p.x) < b { // an equality, reached from the other side
		a, b = floats.ScaleTo(make([]float64, len(a)), -1, a), -b
	}
	for range 2 * (len(p.all) + 1) {
		z, in := p.orthogonalPart(a)
		r := p.solve(in)
		drop, dual := -1, math.Inf(1)
		for k, position := range p.active {
			if !p.all[position].equal && r[k] > 0 && p.mult[k]/r[k] < dual {
				drop, dual = k, p.mult[k]/r[k]
			}
		}
		over := floats.Dot(a, p.x) - b
		long, step := floats.Dot(z, z), math.Inf(1)
		if long > parallel {
			step = over / long
		} else if over <= 10*exact {
			return true // it follows from others
		}
		t := min(step, dual)
		if math.IsInf(t, 1) {
			return false
		}
		floats.AddScaled(p.mult, -t, r)
		mult += t
		if long > parallel {
			floats.AddScaled(p.x, -t, z)
		}
		if t == step {
			p.active, p.mult = append(p.active, i), append(p.mult, mult)
			p.addNormal(a, z, in)
			return true
		}
		p.drop(drop)
	}
	return false
}

// orthogonalPart is the part of a normal that is orthogonal to the basis, and the coefficients of the rest.
func (p *projection) orthogonalPart(a []float64) (z, in []float64) {
	z, in = slices.Clone(a), make([]float64, len(p.basis), len(p.basis)+1)
	for range 2 { // the second time for rounding errors
		for k, q := range p.basis {
			c := floats.Dot(q, z)
			in[k] += c
			floats.AddScaled(z, -c, q)
		}
	}
	return z, in
}

// addNormal adds a normal, with its orthogonal part z and its coefficients in, to the basis.
func (p *projection) addNormal(a, z, in []float64) {
	long := floats.Norm(z, 2)
	floats.Scale(1/long, z)
	p.normals = append(p.normals, a)
	p.basis = append(p.basis, z)
	p.coef = append(p.coef, append(in, long))
}

// solve returns r with Σ_k r_k·normal_k = Σ_k in_k·basis_k.
func (p *projection) solve(in []float64) []float64 {
	r := slices.Clone(in)
	for k := len(r) - 1; k >= 0; k-- {
		r[k] /= p.coef[k][k]
		for l := range k {
			r[l] -= r[k] * p.coef[k][l]
		}
	}
	return r
}

// drop removes active constraint number k, and computes the basis again.
func (p *projection) drop(k int) {
	p.active, p.mult = slices.Delete(p.active, k, k+1), slices.Delete(p.mult, k, k+1)
	normals := slices.Delete(p.normals, k, k+1)
	p.normals = nil
	p.basis = nil
	p.coef = nil
	for _, a := range normals {
		z, in := p.orthogonalPart(a)
		p.addNormal(a, z, in)
	}
}

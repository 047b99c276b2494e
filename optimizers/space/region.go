package space

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Region is a set of points of the unit cube. It is immutable and safe for concurrent use.
type Region struct {
	domain    *Domain
	low, high []float64
	levels    [][]float64 // for every input with levels, those within the bounds; nil for a number
	free      []int       // numbers whose bounds differ
	discrete  []int       // inputs with levels
	ordered   []int       // free numbers and levels with an order
	// orthonormal basis of the directions that the linear equalities exclude, of length len(free)
	along  [][]float64
	linear []Linear
	rows   [][]float64 // the feasible points of the domain's pool within the bounds; nil without a pool
}

// New is the region of a domain within bounds: from low to high for a number, some increasing levels for other inputs.
func New(d *Domain, low, high []float64, levels [][]float64) *Region {
	r := &Region{domain: d, low: slices.Clone(low), high: slices.Clone(high), levels: levels, linear: d.Linear}
	for j, l := range levels {
		switch {
		case l != nil:
			r.low[j], r.high[j] = l[0], l[len(l)-1]
			r.discrete = append(r.discrete, j)
			if !d.Choice(j) && len(l) > 1 {
				r.ordered = append(r.ordered, j)
			}
		case low[j] < high[j]:
			r.free, r.ordered = append(r.free, j), append(r.ordered, j)
		}
	}
	p := projection{}
	for _, h := range r.halfspaces(r.free, make([]float64, len(low))) {
		if z, in := p.orthogonalPart(h.a); h.equal && floats.Dot(z, z) > parallel {
			p.addNormal(h.a, z, in)
		}
	}
	r.along = p.basis
	r.rows = r.poolRows()
	return r
}

// Free lists the numbers that are not fixed.
func (r *Region) Free() []int { return r.free }

// halfspaces are the linear constraints and the bounds of some inputs, given the values x of all others. A linear
// constraint that contains none of them is omitted.
func (r *Region) halfspaces(indices []int, x []float64) (all []halfspace) {
	for _, l := range r.linear {
		a, b := make([]float64, len(indices)), -l.At(x)
		for i, j := range indices {
			a[i] = l.A[j]
			b += l.A[j] * x[j]
		}
		if long := floats.Norm(a, 2); long > 0 {
			floats.Scale(1/long, a)
			all = append(all, halfspace{a, b / long, l.Equal})
		}
	}
	for i, j := range indices {
		up, down := make([]float64, len(indices)), make([]float64, len(indices))
		up[i], down[i] = 1, -1
		all = append(all, halfspace{a: up, b: r.high[j]}, halfspace{a: down, b: -r.low[j]})
	}
	return all
}

// fit moves some inputs of x to the nearest values that satisfy the linear constraints with all others unchanged, in
// place; it is false if there are none. More constraints on them may be given.
func (r *Region) fit(x []float64, indices []int, extra ...halfspace) bool {
	y := make([]float64, len(indices))
	for i, j := range indices {
		y[i] = x[j]
	}
	if len(indices) > 0 {
		if !project(y, append(r.halfspaces(indices, x), extra...)) {
			return false
		}
	}
	for i, j := range indices {
		x[j] = min(max(y[i], r.low[j]), r.high[j])
	}
	return true
}

const (
	maxCorrections = 10   // for one point and nonlinear constraints
	probe          = 1e-6 // step of the differences for the gradient of such a constraint
)

// Fit moves the numbers of x, with the levels unchanged, to the nearest values that satisfy all constraints, in place:
// exactly for linear constraints, and by successive linearizations of the others, with gradients by differences. If it
// is false, none were found, and x is undefined. A point of a pool, which has no numbers, stays.
func (r *Region) Fit(x []float64) bool {
	if r.domain.Pool != nil {
		return r.domain.Feasible(x)
	}
	want := slices.Clone(x)
	broken := make([]bool, len(r.domain.Nonlinear))
	for k := range maxCorrections {
		if k >= maxCorrections/2 { // the nearest is not found: accept any near point
			copy(want, x)
		}
		var halfspaces []halfspace
		for i, g := range r.domain.Nonlinear {
			v := g.Func(x)
			broken[i] = broken[i] || !(v <= 0)
			if broken[i] {
				h, ok := r.tangent(g, x, v)
				if !ok {
					return false
				}
				halfspaces = append(halfspaces, h)
			}
		}
		copy(x, want)
		if !r.fit(x, r.free, halfspaces...) {
			return false
		}
		if r.domain.Feasible(x) {
			return true
		}
	}
	return false
}

// tangent is the linearization of a constraint in the numbers near x, where its function is v; false if its gradient is
// 0.
func (r *Region) tangent(g Constraint, x []float64, v float64) (halfspace, bool) {
	a, b := make([]float64, len(r.free)), -v
	point := slices.Clone(x)
	for i, j := range r.free {
		from, end := max(x[j]-probe, r.low[j]), min(x[j]+probe, r.high[j])
		point[j] = from
		below := g.Func(point)
		point[j] = end
		a[i] = (g.Func(point) - below) / (end - from)
		point[j] = x[j]
		b += a[i] * x[j]
	}
	long := floats.Norm(a, 2)
	if !(long > 1e-12) || math.IsInf(long, 1) || math.IsNaN(b) {
		return halfspace{}, false
	}
	floats.Scale(1/long, a)
	return halfspace{a: a, b: b/long - 1e-10}, true
}

// inside moves x to the bounds and the levels, in place.
func (r *Region) inside(x []float64) {
	for j, l := range r.levels {
		x[j] = min(max(x[j], r.low[j]), r.high[j])
		if l != nil {
			x[j] = l[nearest(l, x[j])]
		}
	}
}

func nearest(levels []float64, u float64) int { return Input{Levels: levels}.Nearest(u) }

// maxAssignments bounds the number of complete or partial assignments of levels in one search for a feasible point.
const maxAssignments = 2000

// Project moves x to a feasible point near it, in place; it is false if none was found, and x is then undefined: first
// the numbers and the ordered levels move to the nearest point that satisfies the linear constraints, as if all were
// numbers; then each level in turn to the nearest one that leaves values for the others, and last the numbers with
// those levels (see Fit). In a pool, x moves to the nearest row.
func (r *Region) Project(x []float64) bool {
	if r.domain.Pool != nil {
		return r.toNearestRow(x)
	}
	r.inside(x)
	if r.domain.Feasible(x) {
		return true
	}
	if len(r.discrete) == 0 {
		return r.Fit(x)
	}
	want := slices.Clone(x)
	if !r.fit(want, r.ordered) {
		copy(want, x) // other choices may have a feasible point
	}
	left := maxAssignments
	low, high := slices.Clone(r.low), slices.Clone(r.high)
	return r.assign(x, want, low, high, 0, &left)
}

// assign assigns the levels from number k on; low and high are the remaining ranges of the inputs.
func (r *Region) assign(x, want, low, high []float64, k int, left *int) bool {
	*left--
	if *left < 0 || !r.isReachable(low, high) {
		return false
	}
	if k == len(r.discrete) {
		for _, j := range r.free {
			x[j] = want[j]
		}
		return r.Fit(x)
	}
	j := r.discrete[k]
	found := false
	outward(r.reachable(j, low, high), want[j], func(u float64) bool {
		x[j] = u
		low[j] = u
		high[j] = u
		found = r.assign(x, want, low, high, k+1, left)
		return !found && *left >= 0
	})
	if !found {
		low[j], high[j] = r.low[j], r.high[j]
	}
	return found
}

// outward gives levels to a function by their distance from u, the lower of two equally near ones first, until it
// returns false.
func outward(levels []float64, u float64, next func(level float64) bool) {
	above, _ := slices.BinarySearch(levels, u)
	for below := above - 1; below >= 0 || above < len(levels); {
		level := 0.0
		if above == len(levels) || below >= 0 && u-levels[below] <= levels[above]-u {
			level = levels[below]
			below--
		} else {
			level = levels[above]
			above++
		}
		if !next(level) {
			return
		}
	}
}

// reachable are the levels of input j that leave values between the bounds to the other inputs of every linear
// constraint.
func (r *Region) reachable(j int, low, high []float64) []float64 {
	const slack = 2 * Tolerance
	levels := r.levels[j]
	from, end := math.Inf(-1), math.Inf(1)
	for _, l := range r.linear {
		a := l.A[j]
		if a == 0 {
			continue
		}
		least, most := -l.B, -l.B
		for i, b := range l.A {
			if i != j {
				least += min(b*low[i], b*high[i])
				most += max(b*low[i], b*high[i])
			}
		}
		limits := [2]float64{(slack - least) / a, math.Copysign(math.Inf(1), -a)} // a·u ≤ slack − least
		if l.Equal {
			limits[1] = (-slack - most) / a
		}
		from, end = max(from, min(limits[0], limits[1])), min(end, max(limits[0], limits[1]))
	}
	first, _ := slices.BinarySearch(levels, from)
	last, index := slices.BinarySearch(levels, end)
	if index {
		last++
	}
	return levels[first:max(first, last)]
}

// All returns all points of a region without numbers; nil if there are numbers, no points, or more than most points,
// found by a bounded search. Of a pool it returns all rows.
func (r *Region) All(most int) [][]float64 {
	if r.domain.Pool != nil {
		return r.rows[:len(r.rows):len(r.rows)]
	}
	if len(r.free) > 0 {
		return nil
	}
	var list [][]float64
	x := slices.Clone(r.low)
	low := slices.Clone(r.low)
	high := slices.Clone(r.high)
	left := 20 * most
	var from func(k int) bool
	from = func(k int) bool {
		left--
		if left < 0 || len(list) > most {
			return false
		}
		if !r.isReachable(low, high) {
			return true
		}
		if k == len(r.discrete) {
			if r.domain.Feasible(x) {
				list = append(list, slices.Clone(x))
			}
			return true
		}
		j := r.discrete[k]
		for _, u := range r.reachable(j, low, high) {
			x[j] = u
			low[j] = u
			high[j] = u
			if !from(k + 1) {
				return false
			}
		}
		low[j], high[j] = r.low[j], r.high[j]
		return true
	}
	if !from(0) || len(list) > most {
		return nil
	}
	return list
}

// isReachable is false if inputs between the bounds cannot satisfy some linear constraint.
func (r *Region) isReachable(low, high []float64) bool {
	for _, l := range r.linear {
		least, most := -l.B, -l.B
		for j, a := range l.A {
			least += min(a*low[j], a*high[j])
			most += max(a*low[j], a*high[j])
		}
		if least > Tolerance || l.Equal && most < -Tolerance {
			return false
		}
	}
	return true
}

// Package pareto is the geometry of several objectives, all minimized: dominance, fronts, hypervolume as a whole and as
// points are added, and a genetic search for the front of a function (NSGA-II). Points come in as values and go out as
// indices, volumes or individuals. It knows nothing of where points come from, of units and directions, or of weights
// between objectives (see model/preference).
package pareto

import (
	"cmp"
	"math"
	"slices"
)

// Dominates reports whether a is nowhere worse than b and somewhere better.
func Dominates(a, b []float64) bool {
	better := false
	for k, v := range a {
		if !(v <= b[k]) { // true for NaN too
			return false
		}
		better = better || v < b[k]
	}
	return better
}

// Front are the indices of the points that no other dominates, in their order; of equal points the first counts. Points
// with a value that is not a number are left out.
func Front(points [][]float64) []int {
	var front []int
	for i, p := range points {
		if slices.ContainsFunc(p, math.IsNaN) {
			continue
		}
		beaten := false
		for j, q := range points {
			if i != j && (Dominates(q, p) || j < i && slices.Equal(p, q)) {
				beaten = true
				break
			}
		}
		if !beaten {
			front = append(front, i)
		}
	}
	return front
}

// Hypervolume is the volume between the points and a reference that they dominate: exact for any number of objectives,
// by the volumes that points add one after the other (While, Bradstreet & Barone 2012). Points that are not below the
// reference everywhere add nothing.
func Hypervolume(points [][]float64, reference []float64) float64 {
	var inside [][]float64
	for _, p := range points {
		if below(p, reference) {
			inside = append(inside, p)
		}
	}
	return hypervolume(inside, reference)
}

// HypervolumeImprovement is the hypervolume that a point adds to those of some others.
func HypervolumeImprovement(point []float64, others [][]float64, reference []float64) float64 {
	if !below(point, reference) {
		return 0
	}
	return boxVolume(point, reference) - Hypervolume(limitSet(point, others, len(reference)), reference)
}

func below(p, reference []float64) bool {
	for k, v := range p {
		if !(v < reference[k]) {
			return false
		}
	}
	return true
}

// boxVolume is the volume that one point dominates.
func boxVolume(p, reference []float64) float64 {
	v := 1.0
	for k, r := range reference {
		v *= r - p[k]
	}
	return v
}

// limitSet are the others cut to what a point dominates, in the first k objectives.
func limitSet(point []float64, others [][]float64, k int) [][]float64 {
	out := make([][]float64, len(others))
	store := make([]float64, k*len(others))
	for i, q := range others {
		cut := store[i*k : (i+1)*k : (i+1)*k]
		for j := range cut {
			cut[j] = math.Max(point[j], q[j])
		}
		out[i] = cut
	}
	return out
}

func hypervolume(points [][]float64, reference []float64) float64 {
	k := len(reference)
	if len(points) == 0 {
		return 0
	}
	if k == 1 {
		best := reference[0]
		for _, p := range points {
			best = min(best, p[0])
		}
		return reference[0] - best
	}
	if k > 3 {
		points = pick(points, Front(points))
	}
	points = slices.Clone(points)
	slices.SortFunc(points, func(a, b []float64) int { return cmp.Compare(a[k-1], b[k-1]) })
	switch k {
	case 2:
		return hypervolume2D(points, reference)
	case 3:
		return hypervolume3D(points, reference)
	}
	sum := 0.0
	for i, p := range points {
		// the ones before are better in the last objective: there, what they share with p is as high as p
		sum += (reference[k-1] - p[k-1]) * (boxVolume(p, reference[:k-1]) -
			hypervolume(limitSet(p, points[:i], k-1), reference[:k-1]))
	}
	return sum
}

// hypervolume3D is the volume of three objectives by the third one, which ascends: the area that the points so far
// dominate in the first two, times how far it is to the next point (Beume, Fonseca, Lopez-Ibanez, Paquete & Vahrenhold
// 2009). The points of the area's staircase are kept by the first objective.
func hypervolume3D(points [][]float64, reference []float64) float64 {
	var xs, ys []float64 // ascending, and descending
	sum := 0.0
	area := 0.0
	height := 0.0
	for _, p := range points {
		sum += area * (p[2] - height)
		height = p[2]
		i, same := slices.BinarySearch(xs, p[0])
		if i > 0 && ys[i-1] <= p[1] || same && ys[i] <= p[1] {
			continue
		}
		left, above := p[0], reference[1]
		if i > 0 {
			above = ys[i-1]
		}
		j := i
		for ; j < len(xs) && ys[j] >= p[1]; j++ {
			area += (xs[j] - left) * (above - p[1])
			left, above = xs[j], ys[j]
		}
		right := reference[0]
		if j < len(xs) {
			right = xs[j]
		}
		area += (right - left) * (above - p[1])
		xs, ys = slices.Replace(xs, i, j, p[0]), slices.Replace(ys, i, j, p[1])
	}
	return sum + area*(reference[2]-height)
}

// hypervolume2D sweeps two objectives by the second one, which ascends.
func hypervolume2D(points [][]float64, reference []float64) float64 {
	sum, left := 0.0, reference[0]
	for i := 0; i < len(points); i++ {
		p := points[i]
		if p[0] >= left {
			continue
		}
		sum += (left - p[0]) * (reference[1] - p[1])
		left = p[0]
	}
	return sum
}

func pick(points [][]float64, indices []int) [][]float64 {
	out := make([][]float64, len(indices))
	for i, j := range indices {
		out[i] = points[j]
	}
	return out
}

// Range is the least and the greatest finite value of each objective over some points; of none it is [0, 1].
func Range(points [][]float64, k int) (lo, hi []float64) {
	lo, hi = slices.Repeat([]float64{math.Inf(1)}, k), slices.Repeat([]float64{math.Inf(-1)}, k)
	for _, p := range points {
		for j, v := range p {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				lo[j], hi[j] = min(lo[j], v), max(hi[j], v)
			}
		}
	}
	for j := range lo {
		if lo[j] > hi[j] {
			lo[j], hi[j] = 0, 1
		} else if lo[j] == hi[j] {
			hi[j] = lo[j] + 1
		}
	}
	return lo, hi
}

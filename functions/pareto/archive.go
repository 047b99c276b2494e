package pareto

import (
	"cmp"
	"slices"
)

// Archive keeps the front of points that come one after the other, and its hypervolume.
type Archive struct {
	Reference []float64   // of the hypervolume; nil keeps the front alone
	Points    [][]float64 // that nothing dominates, in the order in which they came; of equal points the first
	Volume    float64
	Updates   int // how often the hypervolume was computed again

	inside  [][]float64 // of three objectives, the points below the reference by the third objective
	clipped [][]float64 // what a new point shares with them
	store   []float64
}

// Add takes a point in and reports whether it is on the front. A point that some other dominates costs a look at the
// front and no more.
func (a *Archive) Add(point []float64) bool {
	for _, p := range a.Points {
		if slices.Equal(p, point) || Dominates(p, point) {
			return false
		}
	}
	for _, v := range point {
		if v != v {
			return false
		}
	}
	if a.Reference != nil && below(point, a.Reference) {
		a.Updates++
		a.Volume += max(a.improvement(point), 0) // never less by rounding
	}
	beaten := func(p []float64) bool { return Dominates(point, p) }
	a.Points = append(slices.DeleteFunc(a.Points, beaten), point)
	if len(point) == 3 && a.Reference != nil && below(point, a.Reference) {
		a.inside = slices.DeleteFunc(a.inside, beaten)
		index, _ := slices.BinarySearchFunc(a.inside, point, func(p, q []float64) int { return cmp.Compare(p[2], q[2]) })
		a.inside = slices.Insert(a.inside, index, point)
	}
	return true
}

// improvement is the hypervolume that a point adds. With three objectives, the other points need not be sorted again:
// cut to the region that the point dominates, they stay in order.
func (a *Archive) improvement(point []float64) float64 {
	if len(point) != 3 {
		return HypervolumeImprovement(point, a.Points, a.Reference)
	}
	a.clipped, a.store = a.clipped[:0], slices.Grow(a.store[:0], 3*len(a.inside))
	for _, q := range a.inside {
		n := len(a.store)
		a.store = append(a.store, max(point[0], q[0]), max(point[1], q[1]), max(point[2], q[2]))
		a.clipped = append(a.clipped, a.store[n:])
	}
	return boxVolume(point, a.Reference) - hypervolume3D(a.clipped, a.Reference)
}

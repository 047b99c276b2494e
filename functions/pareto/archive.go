package pareto

import "slices"

// Archive keeps the front of points that come one after the other, and its hypervolume.
type Archive struct {
	Reference []float64   // of the hypervolume; nil keeps the front alone
	Points    [][]float64 // that nothing dominates, in the order in which they came; of equal points the first
	Volume    float64
	Updates   int // how often the hypervolume was computed anew
}

// Add takes a point in and reports whether it is on the front. A point that some other dominates costs a look at the front and no more.
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
		a.Volume += max(Added(point, a.Points, a.Reference), 0) // never less by rounding
	}
	a.Points = append(slices.DeleteFunc(a.Points, func(p []float64) bool { return Dominates(point, p) }), point)
	return true
}

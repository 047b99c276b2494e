package sessions

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bandscope/optimizers/search"
)

// Repeats counts, up to each iteration, the evaluations at points that were evaluated before: closer than
// search.RepeatRadius in every variable of the unit cube.
func (st State) Repeats() []int {
	counts, count := make([]int, len(st.Iterations)), st.RepeatCounter()
	for i, it := range st.Iterations {
		counts[i] = count(it)
	}
	return counts
}

// RepeatCounter returns a function that takes iterations one after the other, and counts the repeats so far.
func (st State) RepeatCounter() func(Iteration) int {
	count, evaluated := 0, map[int64][][]float64{} // by the cell of the point
	near := func(u []float64, cell int64) bool {
		return slices.ContainsFunc(evaluated[cell], func(v []float64) bool {
			return floats.Distance(u, v, math.Inf(1)) < search.RepeatRadius
		})
	}
	return func(it Iteration) int {
		for _, pt := range it.Points {
			u := st.Problem.Domain.ToUnit(pt.X)
			cell := repeatCell(u)
			if near(u, cell) || near(u, cell-1) || near(u, cell+1) {
				count++
			}
			evaluated[cell] = append(evaluated[cell], u)
		}
		return count
	}
}

// repeatCell is a number of which those of two points that are closer than search.RepeatRadius differ by at most 1: the
// place along a direction in which few other points coincide.
func repeatCell(u []float64) int64 {
	place, reach := 0.0, 0.0
	for j, v := range u {
		w := 1 + math.Mod(float64(j)*math.Phi, 1) // no two variables count the same
		place, reach = place+w*v, reach+w*search.RepeatRadius
	}
	return int64(math.Floor(place / reach))
}

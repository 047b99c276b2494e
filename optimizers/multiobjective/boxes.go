package multiobjective

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bandscope/functions/pareto"
)

// column is a box of all objectives but the first, in which a front has one threshold: outcomes that are below it in
// the first objective are not dominated by the front, all others are. All objectives are minimized, and an end may be
// infinite.
type column struct {
	lo, hi    []float64 // of objectives 2 to K
	threshold float64   // +∞ where the front dominates nothing
}

// columns divides the space of K outcomes into columns along a front, each with one threshold: the box decomposition of
// Lacour, Klamroth & Fonseca 2017, with 2n+1 columns for three objectives (Dächert et al. 2017) and n+1 for two. There
// is a column for every local upper bound u of the front with its defining points z¹ … z^K: its sides are [max_{i<k}
// zⁱ_k, u_k), and its threshold is z¹_1. The bounds are updated one point after the other (Klamroth, Lacour &
// Vanderpooten 2015, Alg. 3), in ranks, where no two points share a coordinate.
func columns(front [][]float64, k int) []column {
	points := make([][]float64, 0, len(front))
	for _, i := range pareto.Front(front) {
		points = append(points, front[i])
	}
	n := len(points)
	ranks, levels := coordinateRanks(points, k)
	value := func(j int, rank int32) float64 {
		switch {
		case rank < 0:
			return math.Inf(-1)
		case int(rank) >= n:
			return math.Inf(1)
		}
		return levels[j][rank]
	}
	bounds := upperBounds(ranks, k)
	out := make([]column, 0, len(bounds))
	for _, b := range bounds {
		c := column{threshold: value(0, b.define[0])}
		empty := false
		for j := 1; j < k; j++ {
			from := int32(-1)
			for i := range j {
				from = max(from, b.define[i*k+j])
			}
			lo, hi := value(j, from), value(j, b.u[j])
			empty = empty || !(hi > lo)
			c.lo, c.hi = append(c.lo, lo), append(c.hi, hi)
		}
		if !empty {
			out = append(out, c)
		}
	}
	return out
}

// bound is a local upper bound of a front, in ranks: no point of the front dominates the outcomes below it.
type bound struct {
	u      []int32 // n+1 is infinite
	define []int32 // K×K: row i is the defining point zⁱ; −1 and n+1 are the dummies' infinities
}

// upperBounds returns the local upper bounds of n points in K objectives, by their ranks.
func upperBounds(ranks [][]int32, k int) []bound {
	n := int32(len(ranks))
	start := bound{slices.Repeat([]int32{n}, k), slices.Repeat([]int32{-1}, k*k)}
	for i := range k {
		start.define[i*k+i] = n
	}
	bounds := []bound{start}
	for _, z := range ranks {
		var remaining []bound
		for _, b := range bounds {
			if inside(z, b.u) {
				remaining = append(remaining, b.cut(z)...)
			} else {
				remaining = append(remaining, b)
			}
		}
		bounds = remaining
	}
	return bounds
}

// cut returns the bounds that replace a bound when a point z below it joins the front: in each objective the bound at
// z, unless a point that defines the bound is above z there.
func (b bound) cut(z []int32) (left []bound) {
	k := len(z)
	for j := range k {
		most := int32(-1)
		for i := range k {
			if i != j {
				most = max(most, b.define[i*k+j])
			}
		}
		if z[j] > most {
			next := bound{slices.Clone(b.u), slices.Clone(b.define)}
			next.u[j] = z[j]
			copy(next.define[j*k:(j+1)*k], z)
			left = append(left, next)
		}
	}
	return left
}

// inside reports whether a point is below a bound in every objective.
func inside(z, u []int32) bool {
	for j, v := range z {
		if v >= u[j] {
			return false
		}
	}
	return true
}

// coordinateRanks returns the rank of every point in each objective, where the first of equal values has the least
// rank, and the sorted values of each objective.
func coordinateRanks(points [][]float64, k int) (ranks [][]int32, levels [][]float64) {
	n := len(points)
	ranks, levels = make([][]int32, n), make([][]float64, k)
	for i := range ranks {
		ranks[i] = make([]int32, k)
	}
	order := make([]int, n)
	for j := range k {
		for _, p := range points {
			levels[j] = append(levels[j], p[j])
		}
		floats.ArgsortStable(levels[j], order)
		for rank, i := range order {
			ranks[i][j] = int32(rank)
		}
	}
	return ranks, levels
}

// cell is a box of minimized outcomes; an end may be infinite.
type cell struct{ lo, hi []float64 }

// undominatedCells returns the boxes in which outcomes can be if a front is the true one: those that one of its points
// weakly dominates.
func undominatedCells(front [][]float64, k int) []cell {
	if len(front) == 0 {
		return []cell{{slices.Repeat([]float64{math.Inf(-1)}, k), slices.Repeat([]float64{math.Inf(1)}, k)}}
	}
	var cells []cell
	for _, c := range columns(front, k) {
		if !math.IsInf(c.threshold, 1) {
			cells = append(cells, cell{append([]float64{c.threshold}, c.lo...),
				append([]float64{math.Inf(1)}, c.hi...)})
		}
	}
	return cells
}

// improvementCells returns the boxes of outcomes below the reference point that no point of a front dominates.
func improvementCells(front [][]float64, reference []float64) []cell {
	var within [][]float64
	for _, p := range front {
		ok := true
		for k, v := range p {
			ok = ok && v < reference[k]
		}
		if ok {
			within = append(within, p)
		}
	}
	var cells []cell
	for _, c := range columns(within, len(reference)) {
		cell := cell{append([]float64{math.Inf(-1)}, c.lo...), append([]float64{c.threshold}, c.hi...)}
		for k, r := range reference {
			cell.hi[k] = math.Min(cell.hi[k], r)
		}
		cells = append(cells, cell)
	}
	return cells
}

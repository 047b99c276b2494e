package search

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

// Incumbents are the best few observed inputs of the first objective, as rows; nil if there are none.
func Incumbents(data optimizers.Data, count int) *mat.Dense {
	n := data.Len()
	if n == 0 {
		return nil
	}
	order := make([]int, n)
	floats.ArgsortStable(data.Column(0), order)
	_, d := data.X.Dims()
	best := mat.NewDense(min(count, n), d, nil)
	for i := range min(count, n) {
		best.SetRow(i, data.X.RawRowView(order[i]))
	}
	return best
}

// RepeatNote is the note of a suggestion that repeats an observed or a failed point; empty otherwise.
func RepeatNote(data optimizers.Data, x []float64) string {
	for _, seen := range []*mat.Dense{data.X, data.Failed} {
		if seen == nil {
			continue
		}
		n, _ := seen.Dims()
		for i := range n {
			distance := 0.0
			for j, v := range seen.RawRowView(i) {
				distance = max(distance, math.Abs(v-x[j]))
			}
			if distance < 1e-9 {
				return "the next point repeats one that was evaluated before"
			}
		}
	}
	return ""
}

// Stack appends the rows of b to those of a; either may be nil.
func Stack(a, b *mat.Dense) *mat.Dense {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	n, d := a.Dims()
	m, _ := b.Dims()
	both := mat.NewDense(n+m, d, nil)
	both.Stack(a, b)
	return both
}

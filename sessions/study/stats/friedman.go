package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Friedman is Friedman's test of whether methods differ at all, by their ranks in blocks, with the data of a
// critical-difference diagram (Demšar 2006).
type Friedman struct {
	Blocks  int
	Ranks   []float64 // mean rank of each method
	Chi     float64   // Friedman's statistic, corrected for equal ranks
	ChiP    float64   // by the χ² distribution with k − 1 degrees of freedom
	F       float64   // Iman and Davenport's statistic of it, less conservative
	FP      float64   // by the F distribution with k − 1 and (k − 1)(N − 1) degrees of freedom
	Nemenyi float64   // critical difference of mean ranks at 5 %: methods that are further apart differ
	Order   []int     // methods, the best mean rank first
	// first and last places in Order of the largest groups of at least two methods of which no two differ
	Cliques [][]int
}

// FriedmanTest tests blocks of values, a row per block and a column per method. Without two blocks or two methods there
// is no test, and its numbers are NaN.
func FriedmanTest(values [][]float64, methods int) Friedman {
	nan := math.NaN()
	f := Friedman{Blocks: len(values), Ranks: make([]float64, methods), Chi: nan, ChiP: nan, F: nan, FP: nan,
		Nemenyi: nan}
	n := float64(len(values))
	k := float64(methods)
	ties := 0.0
	for _, row := range values {
		for m, r := range Ranks(row) {
			f.Ranks[m] += r / n
		}
		ties += tieCorrection(row)
	}
	f.Order = make([]int, methods)
	for m := range f.Order {
		f.Order[m] = m
	}
	slices.SortStableFunc(f.Order, func(a, b int) int { return cmp.Compare(f.Ranks[a], f.Ranks[b]) })
	if n < 2 || k < 2 {
		return f
	}
	sum := 0.0
	for _, r := range f.Ranks {
		sum += (r - (k+1)/2) * (r - (k+1)/2)
	}
	if same := 1 - ties/(n*k*(k*k-1)); same > 0 { // otherwise all values of every block are the same
		f.Chi = 12 * n / (k * (k + 1)) * sum / same
		f.ChiP = distuv.ChiSquared{K: k - 1}.Survival(f.Chi)
		f.F, f.FP = math.Inf(1), 0
		if rest := n*(k-1) - f.Chi; rest > 1e-12 {
			f.F = (n - 1) * f.Chi / rest
			df1, df2 := k-1, (k-1)*(n-1)
			// the tail of the F distribution, more exactly than 1 − CDF
			f.FP = mathext.RegIncBeta(df2/2, df1/2, df2/(df2+df1*f.F))
		}
	}
	f.Nemenyi = StudentizedRange(methods, 0.95) / math.Sqrt2 * math.Sqrt(k*(k+1)/(6*n))
	f.Cliques = cliques(f.Ranks, f.Order, f.Nemenyi)
	return f
}

// Friedman tests the methods after a part of their budgets. Over All problems a block is a problem and a seed: the test
// generalizes to new seeds of these problems.
func (r *Runs) Friedman(problem int, part float64) Friedman {
	blocks, _ := r.Blocks(problem, part)
	values := make([][]float64, len(blocks))
	for i := range blocks {
		values[i] = blocks[i].Values
	}
	return FriedmanTest(values, len(r.Methods))
}

// cliques are the largest groups of at least two methods whose mean ranks are less than a critical difference apart, as
// places in the order of the ranks: the first and the last of each.
func cliques(ranks []float64, order []int, critical float64) (groups [][]int) {
	reached := -1 // the last place that a group has
	for first := range order {
		last := first
		for last+1 < len(order) && ranks[order[last+1]]-ranks[order[first]] < critical {
			last++
		}
		if last > first && last > reached {
			groups, reached = append(groups, []int{first, last}), last
		}
	}
	return groups
}

// StudentizedRange is the quantile of the range of k independent standard normal numbers, Nemenyi's for infinitely many
// degrees of freedom.
func StudentizedRange(k int, p float64) float64 {
	low, high := 0.0, 2.0
	for rangeBelow(k, high) < p {
		high *= 2
	}
	for range 60 {
		if middle := (low + high) / 2; rangeBelow(k, middle) < p {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// rangeBelow is the probability that the range of k independent standard normal numbers is at most q: the smallest is
// at z, and the others are at most q above.
func rangeBelow(k int, q float64) float64 {
	return quad.Fixed(func(z float64) float64 {
		return float64(k) * distuv.UnitNormal.Prob(z) *
			math.Pow(distuv.UnitNormal.CDF(z+q)-distuv.UnitNormal.CDF(z), float64(k-1))
	}, -9, 9, 96, quad.Legendre{}, 1)
}

package stats

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// SignedRank is Wilcoxon's signed-rank test of whether differences of pairs are centred at zero.
type SignedRank struct {
	N           int     // differences that are not zero; Wilcoxon leaves the others out
	Zeros       int     // those that are
	Plus, Minus float64 // sums of the ranks of the differences above and below zero
	P           float64 // two-sided; NaN if there is no difference
	Exact       bool    // by enumerating all signs, up to exactUpTo differences; otherwise by the normal approximation
}

// exactUpTo is up to how many differences all signs are enumerated, as in SciPy.
const exactUpTo = 50

// SignedRankTest tests differences, of which none is NaN. Equal sizes share their mean rank; the enumeration of all
// signs uses those ranks, where other programs use the distribution without ties. The normal approximation corrects the
// variance for ties, and has no continuity correction.
//
// With several groups, whose units may differ, each is ranked separately and the rank sums are added: a test over the
// seeds of several problems generalizes to new seeds of these problems. With one group it is Wilcoxon's test.
func SignedRankTest(groups ...[]float64) SignedRank {
	t := SignedRank{P: math.NaN()}
	var all []float64 // ranks
	for _, differences := range groups {
		var sizes []float64
		var above []bool
		for _, d := range differences {
			if d == 0 {
				t.Zeros++
				continue
			}
			sizes, above = append(sizes, math.Abs(d)), append(above, d > 0)
		}
		ranks := Ranks(sizes)
		for i, r := range ranks {
			if above[i] {
				t.Plus += r
			} else {
				t.Minus += r
			}
		}
		all = append(all, ranks...)
	}
	t.N = len(all)
	if t.N == 0 {
		return t
	}
	t.Exact = t.N <= exactUpTo
	chance := normalP
	if t.Exact {
		chance = exactP
	}
	t.P = chance(all, min(t.Plus, t.Minus))
	return t
}

// exactP is the two-sided probability, for equally likely signs, of a sum of ranks at most w, the smaller of both.
func exactP(ranks []float64, w float64) float64 {
	law := rankSumDistribution(ranks)
	p := 0.0
	for s := 0; s <= int(2*w); s++ {
		p += law[s]
	}
	return min(1, 2*p)
}

// normalP is the same probability by the normal approximation. The variance is that of ranks with random signs, which
// is smaller with ties.
func normalP(ranks []float64, w float64) float64 {
	return min(1, 2*distuv.UnitNormal.CDF((w-floats.Sum(ranks)/2)/(floats.Norm(ranks, 2)/2)))
}

// rankSumDistribution is the distribution of twice the sum of the ranks with a positive sign, for equally likely signs:
// twice, because ranks of ties can end in halves.
func rankSumDistribution(ranks []float64) []float64 {
	law, most := []float64{1}, 0
	for _, rank := range ranks {
		r := int(2 * rank)
		next := make([]float64, most+r+1)
		for s, p := range law {
			next[s] += p / 2
			next[s+r] += p / 2
		}
		law, most = next, most+r
	}
	return law
}

// MinP is the smallest possible p-value of the two-sided test of n differences: 2 / 2ⁿ, above 0.05 for fewer than six.
func MinP(n int) float64 { return min(1, math.Exp2(float64(1-n))) }

// Effect is the matched-pairs rank-biserial correlation (Kerby 2014): the share of the rank sum of positive differences
// minus that of negative ones, −1 to 1; 0 if there is no difference.
func (t SignedRank) Effect() float64 {
	if t.N == 0 {
		return 0
	}
	return (t.Plus - t.Minus) / (t.Plus + t.Minus)
}

// Shift is the typical difference of pairs: the Hodges–Lehmann estimate, the median of the means of all pairs of
// differences, with the interval of all shifts that the signed-rank test does not reject at 5 %. The interval is
// infinite if there are too few pairs to reject any.
type Shift struct{ Estimate, Low, High float64 }

// EstimateShift estimates the shift of differences, of which none is NaN.
func EstimateShift(differences []float64) Shift {
	n := len(differences)
	if n == 0 {
		return Shift{math.NaN(), math.NaN(), math.NaN()}
	}
	means := make([]float64, 0, n*(n+1)/2)
	for i, a := range differences {
		for _, b := range differences[i:] {
			if m := (a + b) / 2; !math.IsNaN(m) { // of two infinities
				means = append(means, m)
			}
		}
	}
	slices.Sort(means)
	s := Shift{quantile(means, 0.5), math.Inf(-1), math.Inf(1)}
	if k := outsideInterval(n); k > 0 && k <= len(means) {
		s.Low, s.High = means[k-1], means[len(means)-k]
	}
	return s
}

// outsideInterval is how many of the means of two differences are outside of the interval at either end, plus one: the
// number of the first inside. It is 0 if none can be outside.
func outsideInterval(n int) int {
	if n > exactUpTo {
		m := float64(n) * float64(n+1)
		return int(m/4 + distuv.UnitNormal.Quantile(0.025)*math.Sqrt(m*float64(2*n+1)/24))
	}
	ranks := make([]float64, n)
	for i := range ranks {
		ranks[i] = float64(i + 1)
	}
	law := rankSumDistribution(ranks)
	p := 0.0
	w := 0
	for p = law[0]; p <= 0.025; p += law[2*w] {
		w++
	}
	return w
}

// VarghaDelaneyA12 is Vargha and Delaney's A₁₂ for lower is better: the probability that a number of a is below one of
// b, with ties counting half. 0.5 is no difference.
func VarghaDelaneyA12(a, b []float64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(b))
	sum := 0.0
	for _, v := range a {
		below, _ := slices.BinarySearch(sorted, v)
		upTo := below + sort.Search(len(sorted)-below, func(i int) bool { return sorted[below+i] > v })
		sum += float64(len(sorted)-upTo) + float64(upTo-below)/2
	}
	return sum / float64(len(a)*len(b))
}

// Holm corrects the p-values of several tests so that the probability of any false rejection is at most the level of
// each test (Holm 1979). NaN means that a test was not done, and stays.
func Holm(p []float64) []float64 {
	var order []int
	out := make([]float64, len(p))
	for i, v := range p {
		out[i] = v
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	greatest := 0.0
	for k, i := range order {
		greatest = max(greatest, min(1, float64(len(order)-k)*p[i]))
		out[i] = greatest
	}
	return out
}

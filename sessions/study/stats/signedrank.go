package stats

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// SignedRank is Wilcoxon's signed-rank test of differences of pairs: whether they lie about zero.
type SignedRank struct {
	N           int     // differences that are not zero; Wilcoxon leaves the others out
	Zeros       int     // those that are
	Plus, Minus float64 // sums of the ranks of the differences above and below zero
	P           float64 // two-sided; NaN where there is no difference
	Exact       bool    // by counting all signs, which is done up to exactUpTo differences; otherwise by the normal law
}

// exactUpTo is up to how many differences all signs are counted, as scipy has it.
const exactUpTo = 50

// SignedRankTest tests differences, of which none is NaN. Equal sizes share their mean rank; all signs are counted with
// those ranks, where others take a law that knows no equal sizes. By the normal law the variance is corrected for them,
// and continuity is not.
//
// Of several groups, whose units may differ, each is ranked by itself and the rank sums are added: so a test over the
// seeds of several problems speaks of just these problems. Of one group it is Wilcoxon's own.
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
	if t.N = len(all); t.N == 0 {
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

// exactP is the two-sided chance, all signs being as likely, of a sum of ranks at most w, the lesser of both sums.
func exactP(ranks []float64, w float64) float64 {
	law := rankSumDistribution(ranks)
	p := 0.0
	for s := 0; s <= int(2*w); s++ {
		p += law[s]
	}
	return min(1, 2*p)
}

// normalP is the same chance by the normal law. The variance is that of ranks with random signs, which equal ranks make
// less.
func normalP(ranks []float64, w float64) float64 {
	return min(1, 2*distuv.UnitNormal.CDF((w-floats.Sum(ranks)/2)/(floats.Norm(ranks, 2)/2)))
}

// rankSumDistribution is the law of twice the sum of the ranks that have a sign, all signs being as likely. Twice, for
// ranks end in halves where sizes are equal.
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

// MinP is the least value that the two-sided test of n differences can have: 2 / 2ⁿ, above 0.05 for fewer than six.
func MinP(n int) float64 { return min(1, math.Exp2(float64(1-n))) }

// Effect is the matched-pairs rank-biserial correlation (Kerby 2014): the share of the rank sums that speaks for
// differences above zero less that which speaks for those below, −1 to 1; 0 where there is no difference.
func (t SignedRank) Effect() float64 {
	if t.N == 0 {
		return 0
	}
	return (t.Plus - t.Minus) / (t.Plus + t.Minus)
}

// Shift is the difference in the middle of pairs: Hodges and Lehmann's estimate, the median of the means of all two
// differences, with the interval of all shifts that the signed-rank test does not refuse at 5 %. The interval is
// infinite where there are too few pairs to refuse any.
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

// outsideInterval is how many of the means of two differences lie outside of the interval at either end, and one more:
// the first that lies inside. It is 0 where none can.
func outsideInterval(n int) int {
	if n > exactUpTo {
		m := float64(n) * float64(n+1)
		return int(m/4 + distuv.UnitNormal.Quantile(0.025)*math.Sqrt(m*float64(2*n+1)/24))
	}
	ranks := make([]float64, n)
	for i := range ranks {
		ranks[i] = float64(i + 1)
	}
	law, p, w := rankSumDistribution(ranks), 0.0, 0
	for p = law[0]; p <= 0.025; p += law[2*w] {
		w++
	}
	return w
}

// VarghaDelaneyA12 is Vargha and Delaney's A₁₂ turned to what is lower: the chance that a number of a is below one of
// b, equal ones counting half. 0.5 is no difference.
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

// Holm corrects the values of several tests so that the chance of any false one among them is at most what each is held
// against (Holm 1979). What is NaN was not tested, and stays.
func Holm(p []float64) []float64 {
	var order []int
	out := make([]float64, len(p))
	for i, v := range p {
		if out[i] = v; !math.IsNaN(v) {
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

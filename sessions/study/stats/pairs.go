package stats

import (
	"math"
	"slices"
)

// Pair is the comparison of method A with method B.
type Pair struct {
	A, B                int // of Runs.Methods
	N                   int // blocks in which both are compared
	Better, Worse, Same int // of them, in which A is better, worse and the same
	Test                SignedRank
	Tests               int     // number of tested pairs, for the correction
	Holm                float64 // the corrected p-value; NaN if there was nothing to test
	// over problems, each with the share of seeds that A won minus that it lost; it generalizes to similar problems
	Across     SignedRank
	AcrossHolm float64 // its corrected p-value; NaN without two problems with a difference
	Effect     float64 // the matched-pairs rank-biserial correlation of Test, above 0 if A is better
	// the probability that a run of A beats one of B on the same problem with any seeds: the mean of A₁₂ over the
	// problems
	A12 float64
	// by how much A is lower than B, in the unit of the measure; NaN over several problems, whose units differ
	Shift Shift
}

// Pairs compares all pairs of methods after a part of their budgets, on a problem or over All.
//
// Each seed is a pair of numbers, because methods share their initial points. Over All, the differences are ranked
// within each problem, so that units do not matter and the test generalizes to new seeds of these problems. A seed
// counts for a pair once both methods have come so far.
func (r *Runs) Pairs(problem int, part float64) []Pair {
	begun := r.allBlocks(problem, part)
	var pairs []Pair
	for a := range r.Methods {
		for b := a + 1; b < len(r.Methods); b++ {
			both := slices.DeleteFunc(slices.Clone(begun), func(block Block) bool {
				return math.IsNaN(block.Values[a]) || math.IsNaN(block.Values[b])
			})
			pairs = append(pairs, pairFor(both, a, b))
		}
	}
	p := make([]float64, len(pairs))
	across := make([]float64, len(pairs))
	tests := 0
	for i := range pairs {
		p[i], across[i] = pairs[i].Test.P, pairs[i].Across.P
		if !math.IsNaN(p[i]) {
			tests++
		}
	}
	p, across = Holm(p), Holm(across)
	for i := range pairs {
		pairs[i].Holm = p[i]
		pairs[i].AcrossHolm = across[i]
		pairs[i].Tests = tests
	}
	return pairs
}

// pairFor compares two methods over blocks, which come problem by problem.
func pairFor(blocks []Block, a, b int) Pair {
	pair := Pair{A: a, B: b, N: len(blocks), Across: SignedRank{P: math.NaN()}}
	var differences [][]float64 // of each problem, above 0 where a is better
	var won, stronger []float64 // of each problem
	for from := 0; from < len(blocks); {
		end, balance := from, 0
		var values, against, apart []float64
		for ; end < len(blocks) && blocks[end].Problem == blocks[from].Problem; end++ {
			v, w := blocks[end].Values[a], blocks[end].Values[b]
			values = append(values, v)
			against = append(against, w)
			apart = append(apart, difference(w, v))
			switch {
			case v < w:
				pair.Better, balance = pair.Better+1, balance+1
			case v > w:
				pair.Worse, balance = pair.Worse+1, balance-1
			default:
				pair.Same++
			}
		}
		differences, won = append(differences, apart), append(won, float64(balance)/float64(end-from))
		stronger = append(stronger, VarghaDelaneyA12(values, against))
		from = end
	}
	pair.Test = SignedRankTest(differences...)
	pair.Effect = pair.Test.Effect()
	pair.A12 = Summarize(stronger).Mean
	pair.Shift = EstimateShift(nil)
	if len(differences) == 1 {
		pair.Shift = EstimateShift(differences[0])
	} else {
		pair.Across = SignedRankTest(won)
	}
	return pair
}

// difference is a − b, which is 0 for equal infinities.
func difference(a, b float64) float64 {
	if a == b {
		return 0
	}
	return a - b
}

package stats

import "math"

// Pair is how two methods compare, A with B.
type Pair struct {
	A, B                int // of Runs.Methods
	Better, Worse, Same int // blocks in which A is better, worse and the same
	N                   int // pairs that the test rests on: seeds of one problem, or problems
	Test                SignedRank
	Holm                float64 // its value corrected for all pairs of the methods; NaN where it was not tested
	Effect              float64 // the matched-pairs rank-biserial correlation, above 0 where A is better
	Stronger            float64 // the chance that a run of A beats one of B on the same problem, whichever their seeds: the mean of A₁₂ over the problems
	Shift               Shift   // of one problem, by how much A is lower than B, in the measure's unit; of All of shares of seeds won less lost
}

// Pairs compares all pairs of methods after a part of their budgets.
//
// On one problem the pairs of numbers are those of its seeds. Over All problems, whose units differ, every problem is one pair: the share of its seeds in which A won less
// that in which it lost, so that no problem counts more than another, and the test speaks of problems like these. A study of one problem is compared over its seeds.
func (r *Runs) Pairs(problem int, part float64) []Pair {
	if len(r.Problems) == 1 {
		problem = 0
	}
	blocks, _ := r.Blocks(problem, part)
	var pairs []Pair
	for a := range r.Methods {
		for b := a + 1; b < len(r.Methods); b++ {
			pairs = append(pairs, pairOf(blocks, a, b, problem == All))
		}
	}
	p := make([]float64, len(pairs))
	for i := range pairs {
		p[i] = pairs[i].Test.P
	}
	for i, v := range Holm(p) {
		pairs[i].Holm = v
	}
	return pairs
}

// pairOf compares two methods over blocks, which come problem by problem.
func pairOf(blocks []Block, a, b int, byProblem bool) Pair {
	pair := Pair{A: a, B: b}
	var differences []float64 // above 0 where a is better
	stronger, problems := 0.0, 0
	for from := 0; from < len(blocks); {
		to, won := from, 0
		var of, against []float64
		for ; to < len(blocks) && blocks[to].Problem == blocks[from].Problem; to++ {
			v, w := blocks[to].Values[a], blocks[to].Values[b]
			of, against = append(of, v), append(against, w)
			switch {
			case v < w:
				pair.Better, won = pair.Better+1, won+1
			case v > w:
				pair.Worse, won = pair.Worse+1, won-1
			default:
				pair.Same++
			}
			if !byProblem {
				differences = append(differences, apart(w, v))
			}
		}
		if byProblem {
			differences = append(differences, float64(won)/float64(to-from))
		}
		stronger, problems = stronger+Stronger(of, against), problems+1
		from = to
	}
	pair.N, pair.Test, pair.Shift = len(differences), SignedRankOf(differences), ShiftOf(differences)
	pair.Effect, pair.Stronger = pair.Test.Effect(), math.NaN()
	if problems > 0 {
		pair.Stronger = stronger / float64(problems)
	}
	return pair
}

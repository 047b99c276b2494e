package stats

import (
	"cmp"
	"math"
	"slices"
)

// All means all problems, in place of the index of one.
const All = -1

// Block is one problem and one seed with the value of every method.
type Block struct {
	Problem int // of Runs.Problems
	Seed    uint64
	Values  []float64 // by method, lower is better; +Inf for one that failed or has no value
}

// Blocks are the blocks of a problem, or of All, in which every method has reached a part of its own budget, 0 to 1,
// and the total number of blocks.
func (r *Runs) Blocks(problem int, part float64) (blocks []Block, all int) {
	begun := r.allBlocks(problem, part)
	all = len(begun)
	return slices.DeleteFunc(begun, func(b Block) bool { return slices.ContainsFunc(b.Values, math.IsNaN) }), all
}

// allBlocks are all blocks; the value of a method that has not reached the part is NaN.
func (r *Runs) allBlocks(problem int, part float64) (blocks []Block) {
	for p := range r.Problems {
		if problem != All && p != problem {
			continue
		}
		for s, seed := range r.Seeds {
			b := Block{Problem: p, Seed: seed, Values: make([]float64, len(r.Methods))}
			for m := range r.Methods {
				v, ok := r.Curves(p, m)[s].ValueAtPart(part)
				b.Values[m] = v
				if !ok {
					b.Values[m] = math.NaN()
				}
			}
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// Ranking is the ranks of the methods after a part of their budgets.
type Ranking struct {
	Part   float64 // of the budget, above 0 up to 1
	Blocks int     // number of blocks
	Mean   []float64
	// half-width of the mean's 95 % interval, by Student's t over the blocks; NaN for fewer than two
	HalfWidth []float64
}

// Rankings are the mean ranks of the methods on a problem, or on All, after each of so many parts of the budget. The
// best of a block has rank 1; equal values share the mean of their ranks.
func (r *Runs) Rankings(problem, parts int) []Ranking {
	out := make([]Ranking, parts)
	for k := range out {
		part := float64(k+1) / float64(parts)
		blocks, _ := r.Blocks(problem, part)
		out[k] = ranking(blocks, len(r.Methods), part)
	}
	return out
}

func ranking(blocks []Block, methods int, part float64) Ranking {
	g := Ranking{Part: part, Blocks: len(blocks), Mean: make([]float64, methods), HalfWidth: make([]float64, methods)}
	ranks, column := make([][]float64, len(blocks)), make([]float64, len(blocks))
	for i, b := range blocks {
		ranks[i] = Ranks(b.Values)
	}
	for m := range methods {
		for i := range ranks {
			column[i] = ranks[i][m]
		}
		s := Summarize(column)
		g.Mean[m], g.HalfWidth[m] = s.Mean, s.Student
	}
	return g
}

// Ranks are the ranks of values, 1 for the smallest; equal values have the mean of their ranks. No value is NaN.
func Ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	ranks := make([]float64, len(values))
	for from := 0; from < len(order); {
		end := from + 1
		for end < len(order) && values[order[end]] == values[order[from]] {
			end++
		}
		for _, i := range order[from:end] {
			ranks[i] = float64(from+1+end) / 2
		}
		from = end
	}
	return ranks
}

// tieCorrection is Σ (t³ − t) over the groups of t equal values.
func tieCorrection(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	sum := 0.0
	for from := 0; from < len(sorted); {
		end := from + 1
		for end < len(sorted) && sorted[end] == sorted[from] {
			end++
		}
		t := float64(end - from)
		sum += t*t*t - t
		from = end
	}
	return sum
}

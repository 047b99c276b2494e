package stats

import "math"

// solution is the point at which a method solves a block.
type solution struct {
	at     float64 // on the axis
	counts float64 // evaluations per dimension and one more, the cost of one simplex gradient
}

// solutions are, for each block and method, the point at which it is solved to a tolerance, +Inf if it is not. A block
// is solved at the first value that is at most L + tolerance·(S − L), where S is the first value and L the best that
// any method reached in this block (Moré and Wild 2009, eq. 2.2).
func (r *Runs) solutions(problem int, tolerance float64) [][]solution {
	blocks, _ := r.Blocks(problem, 1)
	out := make([][]solution, len(blocks))
	for i, b := range blocks {
		start, best := math.Inf(-1), math.Inf(1)
		for m := range r.Methods {
			c := &r.Curves(b.Problem, m)[r.seed(b.Seed)]
			if v, ok := c.first(); ok {
				start, best = max(start, v), min(best, c.Progress[len(c.Progress)-1])
			}
		}
		for m := range r.Methods {
			c := &r.Curves(b.Problem, m)[r.seed(b.Seed)]
			s := solution{math.Inf(1), math.Inf(1)}
			if index, ok := c.firstReaching(best + tolerance*(start-best)); ok {
				s = solution{c.At[index], float64(c.Counts[index]) / float64(c.Dim+1)}
			}
			out[i] = append(out[i], s)
		}
	}
	return out
}

// PerformanceProfiles are, for each method, the share of blocks that it solves to a tolerance within a multiple of the
// fastest method's effort (Dolan and Moré 2002): at 1 how often it is the fastest, at the right end how often it solves
// at all. The tolerance is a fraction of the gap from the start to the best, such as 0.1 or 0.001.
func (r *Runs) PerformanceProfiles(problem int, tolerance float64) []StepFunction {
	return r.profiles(problem, tolerance, func(s solution, all []solution) float64 {
		fastest := math.Inf(1)
		for _, other := range all {
			fastest = min(fastest, other.at)
		}
		if s.at == fastest {
			return 1
		}
		return s.at / fastest
	})
}

// DataProfiles are, for each method, the share of blocks that it solves to a tolerance within a multiple of d + 1
// evaluations, the cost of one simplex gradient (Moré and Wild 2009).
func (r *Runs) DataProfiles(problem int, tolerance float64) []StepFunction {
	return r.profiles(problem, tolerance, func(s solution, _ []solution) float64 { return s.counts })
}

func (r *Runs) profiles(problem int, tolerance float64, evaluate func(s solution, all []solution) float64) []StepFunction {
	blocks := r.solutions(problem, tolerance)
	out := make([]StepFunction, len(r.Methods))
	for m := range out {
		added := map[float64]float64{}
		for _, all := range blocks {
			if !math.IsInf(all[m].at, 1) {
				added[evaluate(all[m], all)] += 1 / float64(len(blocks))
			}
		}
		out[m] = newStepFunction(m, added, len(blocks))
	}
	return out
}

package stats

import (
	"maps"
	"math"
	"slices"
)

// targetsPerProblem is how many targets a problem has.
const targetsPerProblem = 51

// Targets are the targets of Progress, the easiest first. If the optimum is known they are COCO's: simple regrets of
// 10² to 10⁻⁸, five per power of ten (Hansen et al. 2021). Otherwise they are between the median of the runs' first
// values and the best value of any run of the study so far: above the latter by 1 to 10⁻⁵ of the distance, ten per
// power of ten, so that they change while the study grows. There are none before the first success.
func (r *Runs) Targets(problem int) []float64 {
	out := make([]float64, targetsPerProblem)
	if r.Problems[problem].Known {
		for k := range out {
			out[k] = math.Pow(10, 2-float64(k)/5)
		}
		return out
	}
	var firsts []float64
	best := math.Inf(1)
	for m := range r.Methods {
		for _, c := range r.Curves(problem, m) {
			if v, ok := c.first(); ok {
				firsts, best = append(firsts, v), min(best, c.Progress[len(c.Progress)-1])
			}
		}
	}
	if len(firsts) == 0 {
		return nil
	}
	start := Summarize(firsts).Median
	for k := range out {
		out[k] = best + (start-best)*math.Pow(10, -float64(k)/10)
	}
	return out
}

// first is the first value of a curve's progress.
func (c *Curve) first() (float64, bool) {
	for _, v := range c.Progress {
		if !math.IsNaN(v) {
			return v, true
		}
	}
	return 0, false
}

// firstReaching is the number of the first iteration, from 0, after which a target is reached.
func (c *Curve) firstReaching(target float64) (int, bool) {
	for i, v := range c.Progress {
		if v <= target {
			return i, true
		}
	}
	return 0, false
}

// StepFunction is a method's share as a step function: from At[i] on it is Share[i], before the first 0.
type StepFunction struct {
	Method    int // of Runs.Methods
	At, Share []float64
	Blocks    int // number of blocks
}

// Value is the share at x.
func (s StepFunction) Value(x float64) float64 {
	i, exact := slices.BinarySearch(s.At, x)
	if exact {
		i++
	}
	if i == 0 {
		return 0
	}
	return s.Share[i-1]
}

// newStepFunction makes a step function from the increments at each place.
func newStepFunction(method int, added map[float64]float64, blocks int) StepFunction {
	s := StepFunction{Method: method, Blocks: blocks}
	sum := 0.0
	for _, place := range slices.Sorted(maps.Keys(added)) {
		sum += added[place]
		if sum > 1-axisTolerance { // up to rounding
			sum = 1
		}
		s.At, s.Share = append(s.At, place), append(s.Share, sum)
	}
	return s
}

// ECDF is, for each method, the share of targets reached after a number of evaluations per dimension, over a problem or
// All: COCO's empirical distribution of runtimes. A run counts once for each of its problem's targets, and all problems
// have the same weight. Only blocks that every method has finished count. There are no simulated restarts, which COCO
// uses beyond the ends of runs, so a curve ends at the budget.
func (r *Runs) ECDF(problem int) []StepFunction {
	blocks, _ := r.Blocks(problem, 1)
	owners := make([]int, len(r.Problems)) // blocks of each problem
	problems := 0
	for _, b := range blocks {
		owners[b.Problem]++
		if owners[b.Problem] == 1 {
			problems++
		}
	}
	targets := make([][]float64, len(r.Problems))
	for p, n := range owners {
		if n > 0 {
			targets[p] = r.Targets(p)
		}
	}
	out := make([]StepFunction, len(r.Methods))
	for m := range out {
		added := map[float64]float64{}
		for _, b := range blocks {
			c := &r.Curves(b.Problem, m)[r.seed(b.Seed)]
			each := 1 / float64(problems*owners[b.Problem]*targetsPerProblem)
			next := 0 // target
			for i, v := range c.Progress {
				from := next
				for next < len(targets[b.Problem]) && v <= targets[b.Problem][next] {
					next++
				}
				if next > from {
					added[float64(c.Counts[i])/float64(max(c.Dim, 1))] += each * float64(next-from)
				}
			}
		}
		out[m] = newStepFunction(m, added, len(blocks))
	}
	return out
}

func (r *Runs) seed(seed uint64) int { return slices.Index(r.Seeds, seed) }

// Runtime is the effort of a method to reach a target.
type Runtime struct {
	Target float64
	// COCO's average runtime: the evaluations of all runs, each until it reached the target, divided by the number of
	// runs that did; +Inf if none did
	Mean    float64
	Reached int // runs that did
	Runs    int // that have ended
}

// Runtimes are those of a problem's targets, over the runs that have ended, including failed ones.
func (r *Runs) Runtimes(problem, method int) []Runtime {
	var out []Runtime
	for _, target := range r.Targets(problem) {
		t := Runtime{Target: target}
		sum := 0
		for _, c := range r.Curves(problem, method) {
			if _, ended := c.ValueAtPart(1); !ended {
				continue
			}
			t.Runs++
			if i, ok := c.firstReaching(target); ok {
				t.Reached, sum = t.Reached+1, sum+c.Counts[i]
			} else if n := len(c.Counts); n > 0 {
				sum += c.Counts[n-1]
			}
		}
		t.Mean = float64(sum) / float64(t.Reached) // +Inf for none
		if t.Reached == 0 {
			t.Mean = math.Inf(1)
		}
		out = append(out, t)
	}
	return out
}

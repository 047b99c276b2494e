package coco

import "math"

// line is a line of a file: a number of evaluations, and the best value after them.
type line struct {
	evaluations   int
	regret, best  float64
	target, count bool // why it is written: a target is reached, so many evaluations are done
}

// perDecade is how many targets and how many counts of evaluations there are from 1 to 10.
const perDecade = 20

// minTargetExponent is the last target, 10^(minTargetExponent/perDecade) = 1e-8.
const minTargetExponent = -8 * perDecade

// logLines are the lines that COCO's logger writes for a run: at the targets 10^(k/20), at improvements, the first and
// the last evaluation; and at the counts ⌊10^(k/20)⌋ and d, 2d and 5d times powers of ten, and the last.
func logLines(t trial) []line {
	var lines []line
	reached, next := math.Inf(1), 1
	before := math.Inf(1)
	for i, r := range t.trace.SimpleRegret {
		if math.IsNaN(r) { // nothing has succeeded yet
			continue
		}
		l := line{evaluations: i + 1, regret: r, best: math.NaN()}
		if i < len(t.trace.Evaluations) {
			l.evaluations = t.trace.Evaluations[i]
		}
		if i < len(t.trace.Best) {
			l.best = t.trace.Best[i]
		}
		if first := math.IsInf(before, 1); first {
			l.target = true // which reaches no target, so that the next improvement is always written
		} else if k := targetFor(r); r < before && k < reached {
			l.target, reached = true, k
		}
		before = r
		if l.evaluations >= next {
			l.count, next = true, countAfter(l.evaluations, t.dim)
		}
		if i == len(t.trace.SimpleRegret)-1 {
			l.target, l.count = true, true
		}
		if l.target || l.count {
			lines = append(lines, l)
		}
	}
	return lines
}

// targetFor is the k of the least target that a regret reaches.
func targetFor(regret float64) float64 {
	if regret <= 0 {
		return minTargetExponent
	}
	return max(math.Ceil(perDecade*math.Log10(regret)), minTargetExponent)
}

// countAfter is the least count of evaluations above n at which there is a line.
func countAfter(n, dim int) int {
	k := math.Floor(perDecade * math.Log10(float64(n)))
	next := math.MaxInt
	for ; ; k++ {
		if c := int(math.Floor(math.Pow(10, k/perDecade))); c > n {
			next = c
			break
		}
	}
	for power := dim; power <= n*10; power *= 10 {
		for _, times := range []int{1, 2, 5} {
			if c := times * power; c > n {
				next = min(next, c)
			}
		}
	}
	return max(next, n+1)
}

package forecast

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions/pareto"
	"bandscope/optimizers/multiobjective"
	"bandscope/optimizers/normdist"
)

// normals are normal distributions at the points of a simulation.
type normals struct {
	mean, variance []float64
	pulls          [][]float64 // of each simulated run: covariance with its observation, over the standard deviation of that
}

// sd is the standard deviation at point i.
func (n normals) sd(i int) float64 { return math.Sqrt(max(n.variance[i], 0)) }

// posterior is the posterior of one output: an equally weighted mixture of normals.
type posterior struct{ parts []normals }

// average is the mean over the parts.
func (p posterior) average(of func(n normals) float64) float64 {
	sum := 0.0
	for _, n := range p.parts {
		sum += of(n)
	}
	return sum / float64(len(p.parts))
}

func (p posterior) mean(i int) float64 {
	return p.average(func(n normals) float64 { return n.mean[i] })
}

// sd is the standard deviation at point i, given the mean there.
func (p posterior) sd(i int, mean float64) float64 {
	return math.Sqrt(max(p.average(func(n normals) float64 {
		return n.variance[i] + (n.mean[i]-mean)*(n.mean[i]-mean)
	}), 0))
}

// below is the probability that the value at point i is below a bound.
func (p posterior) below(i int, bound float64) float64 {
	return p.average(func(n normals) float64 {
		if sd := n.sd(i); sd >= minSD {
			return distuv.UnitNormal.CDF((bound - n.mean[i]) / sd)
		}
		if n.mean[i] < bound {
			return 1
		}
		return 0
	})
}

// hopelessSDs is the number of standard deviations above a bound from which on the expected improvement below it, at
// most 1e-13 standard deviations, counts as 0.
const hopelessSDs = 7

// improvement is the expected improvement of the value at point i below a bound.
func (p posterior) improvement(i int, bound float64) float64 {
	return p.average(func(n normals) float64 {
		sd := n.sd(i)
		switch {
		case sd < minSD:
			return max(bound-n.mean[i], 0)
		case bound-n.mean[i] < -hopelessSDs*sd:
			return 0
		}
		return normdist.ExpectedImprovement(n.mean[i], sd, bound)
	})
}

// belief is what the simulated search knows.
type belief struct {
	s         *simulation
	outputs   []posterior
	success   []float64
	evaluated []int
	failed    []bool
}

// begin is the belief before the first simulated run.
func (s *simulation) begin() *belief {
	b := &belief{s: s, outputs: make([]posterior, len(s.outputs)), success: s.success,
		failed: make([]bool, len(s.success))}
	for k, p := range s.start {
		for _, n := range p.parts {
			b.outputs[k].parts = append(b.outputs[k].parts,
				normals{mean: slices.Clone(n.mean), variance: slices.Clone(n.variance)})
		}
	}
	for i := range s.known {
		b.evaluated = append(b.evaluated, i)
	}
	return b
}

// observe conditions an output on an observation at point i: a rank-one update of the moments.
func (b *belief) observe(k, i int, y float64) {
	for c := range b.outputs[k].parts {
		n, noise := &b.outputs[k].parts[c], b.s.outputs[k].parts[c].Noise()
		pull := mat.Row(nil, i, b.s.covariance[k][c])
		for _, earlier := range n.pulls {
			floats.AddScaled(pull, -earlier[i], earlier)
		}
		v := max(pull[i], 0) + noise*noise
		if v < minSD*minSD { // it is known
			continue
		}
		floats.Scale(1/math.Sqrt(v), pull)
		floats.AddScaled(n.mean, (y-n.mean[i])/math.Sqrt(v), pull)
		for j, p := range pull {
			n.variance[j] -= p * p
		}
		n.pulls = append(n.pulls, pull)
	}
}

// feasible is the probability that an evaluation of point i succeeds within all limits.
func (b *belief) feasible(i int) float64 {
	p := b.success[i]
	for k, o := range b.s.outputs {
		if o.isLimited() {
			p *= b.outputs[k].average(func(n normals) float64 { return o.within(n.mean[i], n.sd(i)) })
		}
	}
	return p
}

// meets reports whether the means of an evaluated point are within all limits.
func (b *belief) meets(i int) bool {
	for k, o := range b.s.outputs {
		if o.isLimited() && !o.holds(b.outputs[k].mean(i)) {
			return false
		}
	}
	return true
}

// outcomes are the minimized outcomes of the evaluated points within all limits.
func (b *belief) outcomes() (all [][]float64) {
	for _, i := range b.evaluated {
		if !b.meets(i) {
			continue
		}
		y := make([]float64, len(b.s.objectives))
		for k := range y {
			if y[k] = b.outputs[k].mean(i); b.s.factor != nil {
				y[k] = b.s.offset[k] + b.s.factor[k]*y[k]
			}
		}
		all = append(all, y)
	}
	return all
}

// front are the outcomes that no other dominates.
func (b *belief) front() (front [][]float64) {
	all := b.outcomes()
	for _, i := range pareto.Front(all) {
		front = append(front, all[i])
	}
	return front
}

// value is the best mean, standardized, +∞ for none; with several objectives the hypervolume.
func (b *belief) value() float64 {
	if len(b.s.objectives) > 1 {
		return pareto.Hypervolume(b.front(), b.s.reference)
	}
	best := math.Inf(1)
	for _, y := range b.outcomes() {
		best = min(best, y[0])
	}
	return best
}

// isWorthwhile reports whether an outcome is better than each of the present front by a worthwhile amount of some
// objective.
func (b *belief) isWorthwhile() bool {
	amounts := make([]float64, len(b.s.objectives))
	for k, v := range b.s.Worthwhile {
		if amounts[k] = v / b.s.objectives[k].of.Scale.SD; b.s.factor != nil {
			amounts[k] *= b.s.factor[k]
		}
	}
	return slices.ContainsFunc(b.outcomes(), func(y []float64) bool {
		return !slices.ContainsFunc(b.s.front, func(f []float64) bool {
			for k := range y {
				if y[k] <= f[k]-amounts[k] {
					return false
				}
			}
			return true
		})
	})
}

// improver is the logarithm of an expected improvement at point i of a belief.
type improver func(b *belief, i int) float64

// incumbent is the improvement that the search maximizes; nil if no evaluated point is within all limits, with which the
// search is for one that is.
func (b *belief) incumbent() improver {
	front := b.front()
	if len(b.s.objectives) > 1 {
		gain := multiobjective.LogExpectedImprovement(front, b.s.reference)
		return func(b *belief, i int) float64 {
			mean, sd := make([]float64, len(b.s.objectives)), make([]float64, len(b.s.objectives))
			for k := range mean {
				m := b.outputs[k].mean(i)
				mean[k], sd[k] = b.s.offset[k]+b.s.factor[k]*m, b.s.factor[k]*b.outputs[k].sd(i, m)
			}
			return gain(mean, sd)
		}
	}
	if len(front) == 0 {
		return nil
	}
	best := front[0][0]
	return func(b *belief, i int) float64 { return math.Log(b.outputs[0].improvement(i, best)) }
}

// scoresBelow are the scores by which the next point is chosen: an expected improvement times the probability that all
// limits are met, as a logarithm.
func (b *belief) scoresBelow(gain improver) []float64 {
	scores := make([]float64, len(b.success))
	for i := range scores {
		if scores[i] = math.Log(b.feasible(i)); gain != nil && !math.IsInf(scores[i], -1) {
			scores[i] += gain(b, i)
		}
	}
	return scores
}

// best is the point with the best score; −1 if nothing can improve.
func (b *belief) best() int {
	at, most := -1, math.Inf(-1)
	for i, v := range b.scoresBelow(b.incumbent()) {
		if !b.failed[i] && v > most {
			at, most = i, v
		}
	}
	return at
}

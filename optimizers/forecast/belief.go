package forecast

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
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
func (n *normals) sd(i int) float64 { return math.Sqrt(max(n.variance[i], 0)) }

// posterior is the posterior of one output: an equally weighted mixture of normals.
type posterior struct{ parts []normals }

// average is the mean over the parts.
func (p posterior) average(apply func(n *normals) float64) float64 {
	sum := 0.0
	for c := range p.parts {
		sum += apply(&p.parts[c])
	}
	return sum / float64(len(p.parts))
}

func (p posterior) mean(i int) float64 {
	return p.average(func(n *normals) float64 { return n.mean[i] })
}

// below is the probability that the value at point i is below a bound.
func (p posterior) below(i int, bound float64) float64 {
	return p.average(func(n *normals) float64 {
		if sd := n.sd(i); sd >= minSD {
			return distuv.UnitNormal.CDF((bound - n.mean[i]) / sd)
		}
		if n.mean[i] < bound {
			return 1
		}
		return 0
	})
}

// improvement is the expected improvement of the value at point i below a bound.
func (p posterior) improvement(i int, bound float64) float64 {
	return p.average(func(n *normals) float64 { return normdist.ExpectedImprovement(n.mean[i], n.sd(i), bound) })
}

// improvements are the expected improvements of the values at all points below a bound, by a table.
func (p posterior) improvements(bound float64) []float64 {
	sum, table := make([]float64, len(p.parts[0].mean)), normdist.NewTable()
	for c := range p.parts {
		n := &p.parts[c]
		for i, m := range n.mean {
			if sd := n.sd(i); sd >= minSD {
				sum[i] += sd * table.Improvement((bound-m)/sd)
			} else {
				sum[i] += max(bound-m, 0)
			}
		}
	}
	floats.Scale(1/float64(len(p.parts)), sum)
	return sum
}

// moments are the means and the standard deviations at all points.
func (p posterior) moments() (mean, sd []float64) {
	mean, sd = make([]float64, len(p.parts[0].mean)), make([]float64, len(p.parts[0].mean))
	for _, n := range p.parts {
		floats.Add(mean, n.mean)
	}
	floats.Scale(1/float64(len(p.parts)), mean)
	for _, n := range p.parts { // first the variances
		for i, m := range n.mean {
			sd[i] += max(n.variance[i], 0) + (m-mean[i])*(m-mean[i])
		}
	}
	for i, v := range sd {
		sd[i] = math.Sqrt(v / float64(len(p.parts)))
	}
	return mean, sd
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

// reset forgets all simulated runs.
func (b *belief) reset() {
	for k, p := range b.s.start {
		for c, start := range p.parts {
			n := &b.outputs[k].parts[c]
			copy(n.mean, start.mean)
			copy(n.variance, start.variance)
			n.pulls = n.pulls[:0]
		}
	}
	b.evaluated = b.evaluated[:b.s.known]
	clear(b.failed)
}

// addPull appends a copy of a covariance to the pulls, in the memory of a forgotten one if there is one.
func (n *normals) addPull(covariance []float64) []float64 {
	last := len(n.pulls)
	if last == cap(n.pulls) {
		n.pulls = append(n.pulls, nil)
	} else {
		n.pulls = n.pulls[:last+1]
	}
	n.pulls[last] = append(n.pulls[last][:0], covariance...)
	return n.pulls[last]
}

// draw draws an observation of an output at point i, by the process of a draw of the hyperparameters. One after the
// other, each given those before, observations are a joint draw.
func (b *belief) draw(k, c, i int, rng *rand.Rand) float64 {
	n, noise := &b.outputs[k].parts[c], b.s.outputs[k].parts[c].Noise()
	return n.mean[i] + math.Hypot(n.sd(i), noise)*rng.NormFloat64()
}

// observe conditions an output on an observation at point i: a rank-one update of the moments.
func (b *belief) observe(k, i int, y float64) {
	for c := range b.outputs[k].parts {
		n, noise := &b.outputs[k].parts[c], b.s.outputs[k].parts[c].Noise()
		v := max(n.variance[i], 0) + noise*noise
		if v < minSD*minSD { // it is known
			continue
		}
		earlier := n.pulls
		pull := n.addPull(b.s.covariance[k][c].RawRowView(i))
		for _, e := range earlier {
			floats.AddScaled(pull, -e[i], e)
		}
		floats.Scale(1/math.Sqrt(v), pull)
		floats.AddScaled(n.mean, (y-n.mean[i])/math.Sqrt(v), pull)
		for j, p := range pull {
			n.variance[j] -= p * p
		}
	}
}

// feasible is the probability that an evaluation of point i succeeds within all limits.
func (b *belief) feasible(i int) float64 { return b.within(i, b.s.outputs) }

// feasibleIfBetter is that probability for an outcome that improves, whose objectives are below their upper limits.
func (b *belief) feasibleIfBetter(i int) float64 { return b.within(i, b.s.better) }

// within is the probability that an evaluation of point i succeeds within the limits of outputs.
func (b *belief) within(i int, outputs []output) float64 {
	p := b.success[i]
	for k := range outputs {
		if o := &outputs[k]; o.isLimited() && p > 0 {
			sum, parts := 0.0, b.outputs[k].parts
			for c := range parts {
				sum += o.within(parts[c].mean[i], parts[c].sd(i))
			}
			p *= sum / float64(len(parts))
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
			y[k] = b.outputs[k].mean(i)
			if b.s.factor != nil {
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
		amounts[k] = v / b.s.objectives[k].of.Scale.SD
		if b.s.factor != nil {
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

// improver is what a search maximizes: the expected improvements at all points of a belief, and the probability that a
// point with an improvement is within all limits.
type improver struct {
	gains    func(b *belief) []float64
	feasible func(b *belief, i int) float64
}

// incumbent is the improvement that the search maximizes; 1 everywhere if no evaluated point is within all limits: then
// the search is for one that is. It must not be called concurrently.
func (b *belief) incumbent() improver {
	front := b.front()
	if len(b.s.objectives) > 1 {
		return b.s.hypervolumeImprovement(front)
	}
	if len(front) == 0 {
		return improver{func(b *belief) []float64 { return slices.Repeat([]float64{1}, len(b.success)) },
			(*belief).feasible}
	}
	return improver{func(b *belief) []float64 { return b.outputs[0].improvements(front[0][0]) },
		(*belief).feasibleIfBetter}
}

// hypervolumeImprovement is the expected hypervolume improvement over a front. An outcome with an improvement is better
// than the reference point, and that is not beyond a limit.
func (s *simulation) hypervolumeImprovement(front [][]float64) improver {
	gain := multiobjective.ExpectedImprovement(front, s.reference)
	return improver{func(b *belief) []float64 {
		gains := make([]float64, len(b.success))
		means := make([][]float64, len(s.objectives))
		sds := make([][]float64, len(s.objectives))
		for k := range means {
			means[k], sds[k] = b.outputs[k].moments()
		}
		mean, sd := make([]float64, len(means)), make([]float64, len(means))
		for i := range gains {
			for k := range mean {
				mean[k], sd[k] = s.offset[k]+s.factor[k]*means[k][i], s.factor[k]*sds[k][i]
			}
			gains[i] = gain(mean, sd)
		}
		return gains
	}, (*belief).feasibleIfBetter}
}

// best is the point with the best score, the expected improvement times the probability that all limits are met; −1 if
// nothing can improve. A probability is computed only where the improvement exceeds the best score so far.
func (b *belief) best(gain improver) (index int, score float64) {
	gains := gain.gains(b)
	try := func(i int) {
		if gains[i] > score && !b.failed[i] {
			if v := gains[i] * gain.feasible(b, i); v > score {
				index, score = i, v
			}
		}
	}
	index = -1
	likely := 0 // a good score to start from, by the probabilities before the first run
	for i, p := range b.s.feasible {
		if gains[i]*p > gains[likely]*b.s.feasible[likely] {
			likely = i
		}
	}
	try(likely)
	for i := range gains {
		try(i)
	}
	return index, score
}

package multiobjective

import (
	"context"
	"math"
	"slices"

	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/normdist"
	"bandscope/optimizers/weights"
)

// PESMO evaluates where it learns most about the Pareto front.
var PESMO = optimizers.Register(optimizers.Spec{
	Name: "pesmo", Title: "PESMO, by front entropy", Family: "several objectives", Rank: 7, Multi: true,
	Pending: optimizers.PendingBeliever, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsUnsupported,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary:       "information about the Pareto front, averaged over the fronts of posterior samples",
	Source:        "Hernández-Lobato et al. 2016, as the baseline of Paria 2022 (thesis), ch. 2. Bandscope computes the Pareto-frontier entropy of Suzuki et al. 2020, which is about the front and not about its inputs and needs no expectation propagation. The noise is at least 1 % of the spread of the observations",
	Params:        gaussian.Params(),
	ScoringParams: weights.ScoringParams(),
	Check:         weights.Check,
	Fit:           fitInformation,
})

// informationBelief maximizes the information that an evaluation gives about the Pareto front.
type informationBelief struct {
	*frontBelief
	cells [][]cell  // of each drawn front: the region of the outcomes that it allows
	noise []float64 // standard deviation of the noise of each objective, as an outcome; nil for none
}

var _ optimizers.WarmStarter = (*informationBelief)(nil)

// informationFronts is the number of drawn fronts that the information is averaged over (10 in Suzuki et al. 2020, §5).
const informationFronts = 10

// resolution is the least noise that is assumed, in standard deviations of the observations. Without it, even a point
// that is known up to rounding seems informative, because a front through a point halves its distribution, however
// narrow that is. The search would then stay at one end of the front.
const resolution = 0.01

// informationCells is the maximum number of cells of a drawn front. If there are more, only every other point of the
// front counts.
const informationCells = 600

func fitInformation(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
	inner, err := fitFront(ctx, in, "information about the Pareto front")
	if err != nil {
		return nil, err
	}
	b := &informationBelief{frontBelief: inner}
	in.Report("drawing fronts", 0, 1)
	drawn, err := b.DrawnFronts(ctx, informationFronts)
	if err != nil {
		return nil, err
	}
	for _, front := range drawn {
		points := make([][]float64, 0, len(front)+len(b.front))
		for _, p := range front {
			points = append(points, b.toOutcomes(p.Y))
		}
		b.cells = append(b.cells, b.cellsFor(points))
	}
	for k, p := range b.processes {
		b.noise = append(b.noise, max(p.GP.MaxNoise(), resolution)/b.span[k])
	}
	b.gain = b.information
	return b, nil
}

// Legend says that the acquisition function is about what an evaluation teaches.
func (b *informationBelief) Legend() optimizers.Legend {
	l := b.frontBelief.Legend()
	l.Learns = true
	return l
}

// cellsFor returns the cells of a drawn front. Observations without noise are part of every draw, so their front bounds
// that of the draw, even where the search for it misses them.
func (b *informationBelief) cellsFor(points [][]float64) []cell {
	noisy := func(p *gaussian.Process) bool { return acquisition.IsNoisy(p.GP.MaxNoise()) }
	for {
		all := points
		if !slices.ContainsFunc(b.processes, noisy) {
			all = slices.Concat(points, b.front)
		}
		cells := undominatedCells(all, b.in.Objectives)
		if len(cells) <= informationCells || len(points) < 2 {
			return cells
		}
		var half [][]float64
		for i := 0; i < len(points); i += 2 {
			half = append(half, points[i])
		}
		points = half
	}
}

// WarmStart returns the belief itself, which does not depend on the prior.
func (b *informationBelief) WarmStart(in optimizers.Input) (optimizers.Belief, bool) {
	return b, equalExcept(b.in, in, scoringKeys)
}

// information returns the mutual information, in nats, between an observation of independent normal outcomes and the
// Pareto front. It is the entropy that the outcomes lose when they are truncated to the region that a drawn front
// allows (Suzuki et al. 2020, eq. 5 and App. A). Information is never negative. However, a distribution can gain
// entropy when it is truncated to a region that is far from convex, which happens with many objectives; such a front
// counts as 0.
func (b *informationBelief) information(mean, sd []float64) float64 {
	sum := 0.0
	for _, cells := range b.cells {
		sum += b.noisyInformation(math.Max(entropyLost(cells, mean, sd), 0), sd)
	}
	return sum / float64(len(b.cells))
}

// noisyInformation returns the information that remains with noise, given the entropy that K outcomes lose without it.
// It assumes that all variances shrink by the same factor e^{−2 lost/K} and that the outcomes remain normal, as Moss et
// al. 2021 (GIBBON) do for one outcome. If the noise is much greater than the uncertainty of an outcome, its
// observation gives no information.
func (b *informationBelief) noisyInformation(lost float64, sd []float64) float64 {
	if b.noise == nil {
		return lost
	}
	shrinks := -math.Expm1(-2 * lost / float64(len(sd)))
	information := 0.0
	for k, s := range sd {
		// the fraction of the variance of the observation that comes from the outcome
		known := s * s / (s*s + b.noise[k]*b.noise[k])
		information -= math.Log1p(-known*shrinks) / 2
	}
	return information
}

// minSD keeps the distributions of known outcomes from being degenerate.
const minSD = 1e-6

// entropyLost returns H(z) − H(z | z in the cells) of independent normals z. With −log p(z) = ½ Σ(((z−μ)/σ)² + log
// 2πσ²) it is −log Z − ½ E[Σ((z−μ)/σ)² − K | cells], where Z is the probability of the cells. The second moment of a
// standard normal truncated to [a, b] is 1 + (aφ(a) − bφ(b))/(Φ(b) − Φ(a)).
func entropyLost(cells []cell, mean, sd []float64) float64 {
	k := len(mean)
	mass, second := 0.0, 0.0
	part, excess := make([]float64, k), make([]float64, k)
	for _, c := range cells {
		product := 1.0
		for j := range k {
			a, z := ends(c, j, mean, sd)
			part[j] = normdist.Between(a, z)
			excess[j] = normdist.TimesDensity(a) - normdist.TimesDensity(z)
			product *= part[j]
		}
		mass += product
		for j := range k {
			rest := excess[j]
			for i := range k {
				if i != j {
					rest *= part[i]
				}
			}
			second += rest
		}
	}
	if mass < 1e-200 {
		return tailEntropyLost(cells, mean, sd)
	}
	return -math.Log(math.Min(mass, 1)) - second/(2*mass)
}

// ends returns the ends of a cell in objective j, in standard deviations from the mean.
func ends(c cell, j int, mean, sd []float64) (a, b float64) {
	s := math.Max(sd[j], minSD)
	return (c.lo[j] - mean[j]) / s, (c.hi[j] - mean[j]) / s
}

// tailEntropyLost is entropyLost for outcomes that are almost surely beyond the drawn front, computed with logarithms.
func tailEntropyLost(cells []cell, mean, sd []float64) float64 {
	top := math.Inf(-1)
	mass := 0.0
	second := 0.0 // the sums in units of exp(top)
	for _, c := range cells {
		log, excess := 0.0, 0.0
		for j := range mean {
			a, z := ends(c, j, mean, sd)
			if a+z > 0 {
				a, z = -z, -a // the lower tail, which has full precision
			}
			part := normdist.LogCDF(z) + math.Log(-math.Expm1(normdist.LogCDF(a)-normdist.LogCDF(z)))
			log += part
			for _, end := range []struct{ at, sign float64 }{{a, 1}, {z, -1}} {
				if !math.IsInf(end.at, 0) {
					excess += end.sign * end.at * math.Exp(-end.at*end.at/2-normdist.LogSqrt2Pi-part)
				}
			}
		}
		if math.IsInf(log, -1) || math.IsNaN(log) {
			continue
		}
		if log > top {
			shrink := math.Exp(top - log)
			mass = mass * shrink
			second = second * shrink
			top = log
		}
		w := math.Exp(log - top)
		mass, second = mass+w, second+w*excess
	}
	if mass == 0 {
		return 0
	}
	return -top - math.Log(mass) - second/(2*mass)
}

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

// PESMO asks what tells most of the Pareto front.
var PESMO = optimizers.Register(optimizers.Spec{
	Name: "pesmo", Title: "PESMO, by front entropy", Family: "several objectives", Rank: 7, Multi: true,
	Pending: optimizers.PendingBeliever, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsUnsupported,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "information about the Pareto front, averaged over the fronts of posterior samples",
	Source: "Hernández-Lobato et al. 2016, as the baseline of Paria 2022 (thesis), ch. 2. Bandscope computes the " +
		"Pareto-frontier entropy of Suzuki et al. 2020, which is about the front and not about its inputs and " +
		"needs no expectation propagation. The noise is at least 1 % of the spread of the observations",
	Params:        gaussian.Params(),
	ScoringParams: weights.ScoringParams(),
	Check:         weights.Check,
	Fit:           fitInformation,
})

// informationBelief maximizes what an evaluation tells of the Pareto front.
type informationBelief struct {
	*frontBelief
	cells [][]cell  // of each drawn front: the region that it leaves to outcomes
	noise []float64 // of an observation of each objective, as the standard deviation of its outcome; nil is none
}

var _ optimizers.WarmStarter = (*informationBelief)(nil)

// informationFronts is how many drawn fronts the information is averaged over (Suzuki et al. 2020, §5, take 10).
const informationFronts = 10

// resolution is the least noise that is reckoned with, in standard deviations of the observations. Without it what is
// known to rounding still tells as much as anything else: a front that goes through a point cuts its law in half,
// however narrow that is, and the search would look at one end of the front for ever.
const resolution = 0.01

// informationCells is how many cells the region of a drawn front may have: of a front with more, every other point
// counts.
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

// cellsFor are the cells of a drawn front. What was observed without noise is a part of every draw, so that its front
// bounds that of the draw also where the search for it has missed it.
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

// WarmStart keeps the belief, which does not depend on the prior.
func (b *informationBelief) WarmStart(in optimizers.Input) (optimizers.Belief, bool) {
	return b, equalExcept(b.in, in, scoringKeys)
}

// information is the mutual information, in nats, between what is observed of outcomes that are independent normals and
// the Pareto front, by the entropy that the outcomes lose when they are cut to the region that a drawn front leaves
// (Suzuki et al. 2020, eq. 5 and App. A). Information is never negative; a law that is cut to a region as little convex
// as a front of many objectives can leave may still have the greater entropy, and then the front counts for nothing.
func (b *informationBelief) information(mean, sd []float64) float64 {
	sum := 0.0
	for _, cells := range b.cells {
		sum += b.noisyInformation(math.Max(entropyLost(cells, mean, sd), 0), sd)
	}
	return sum / float64(len(b.cells))
}

// noisyInformation is what noise leaves of the entropy that K outcomes lose: as if they lost it alike, by a factor of
// their variances of e^{−2 lost/K}, and remained normal, as Moss et al. 2021 (GIBBON) have it for one. An observation
// whose outcome is known better than that noise tells nothing.
func (b *informationBelief) noisyInformation(lost float64, sd []float64) float64 {
	if b.noise == nil {
		return lost
	}
	shrinks := -math.Expm1(-2 * lost / float64(len(sd)))
	told := 0.0
	for k, s := range sd {
		// the share of the variance of the observation that is the outcome's
		known := s * s / (s*s + b.noise[k]*b.noise[k])
		told -= math.Log1p(-known*shrinks) / 2
	}
	return told
}

// minSD keeps outcomes that are known from having no law at all.
const minSD = 1e-6

// entropyLost is H(z) − H(z | z in the cells) of independent normals z, of which −log p(z) = ½ Σ(((z−μ)/σ)² + log
// 2πσ²): −log Z − ½ E[Σ((z−μ)/σ)² − K | cells], with Z the probability of the cells. Of a standard normal cut to [a, b]
// the second moment is 1 + (aφ(a) − bφ(b))/(Φ(b) − Φ(a)).
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

// ends are those of a cell in objective j, in standard deviations from the mean.
func ends(c cell, j int, mean, sd []float64) (a, b float64) {
	s := math.Max(sd[j], minSD)
	return (c.lo[j] - mean[j]) / s, (c.hi[j] - mean[j]) / s
}

// tailEntropyLost is entropyLost of outcomes that almost surely lie beyond the drawn front, by logarithms.
func tailEntropyLost(cells []cell, mean, sd []float64) float64 {
	top, mass, second := math.Inf(-1), 0.0, 0.0 // the sums in units of exp(top)
	for _, c := range cells {
		log, excess := 0.0, 0.0
		for j := range mean {
			a, z := ends(c, j, mean, sd)
			if a+z > 0 {
				a, z = -z, -a // the lower tail, which has all its digits
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
			mass, second, top = mass*shrink, second*shrink, log
		}
		w := math.Exp(log - top)
		mass, second = mass+w, second+w*excess
	}
	if mass == 0 {
		return 0
	}
	return -top - math.Log(mass) - second/(2*mass)
}

package optimizers

import (
	"context"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/pareto"
	"bandscope/model/gp"
	"bandscope/model/parallel"
)

// FrontPoint is a point of a front that is believed in: where it is in the unit cube, and its objectives, minimized.
type FrontPoint struct{ X, Y []float64 }

// Fronter is a belief about several objectives that has fronts.
type Fronter interface {
	// ExpectedFront is the Pareto front of the posterior means.
	ExpectedFront(ctx context.Context) ([]FrontPoint, error)
	// DrawnFronts are the Pareto fronts of so many joint posterior draws of the objectives, always the same ones.
	DrawnFronts(ctx context.Context, count int) ([][]FrontPoint, error)
}

// How fronts are searched for: that of the means, which cost little, more thoroughly.
const (
	frontFeatures                  = 300
	meanFrontSize, meanFrontAges   = 60, 60
	drawnFrontSize, drawnFrontAges = 40, 30
)

// fronts keeps the fronts of a set of processes, which stays the same while only weights change.
type fronts struct {
	mu       sync.Mutex
	expected []FrontPoint
	drawn    [][]FrontPoint
}

// ExpectedFront is the Pareto front of the posterior means.
func (b *moboBelief) ExpectedFront(ctx context.Context) ([]FrontPoint, error) {
	b.fronts.mu.Lock()
	defer b.fronts.mu.Unlock()
	if b.fronts.expected == nil {
		f := func(x []float64) []float64 {
			y := make([]float64, len(b.parts))
			for k, p := range b.parts {
				y[k] = p.scale.Value(p.gp.Mean(x))
			}
			return y
		}
		found := b.searchFront(ctx, f, meanFrontSize, meanFrontAges, math.MaxUint64)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		b.fronts.expected = found
	}
	return b.fronts.expected, nil
}

// DrawnFronts are the Pareto fronts of joint draws of the objectives.
func (b *moboBelief) DrawnFronts(ctx context.Context, count int) ([][]FrontPoint, error) {
	b.fronts.mu.Lock()
	defer b.fronts.mu.Unlock()
	if have := len(b.fronts.drawn); have < count {
		more := make([][]FrontPoint, count-have)
		err := parallel.Try(len(more), func(i int) error {
			draw := uint64(have + i)
			paths := make([]*gp.Path, len(b.parts))
			for k, p := range b.parts {
				var err error
				if paths[k], err = p.gp.Path(frontFeatures, b.in.Stream("fronts", draw, uint64(k))); err != nil {
					return err
				}
			}
			f := func(x []float64) []float64 {
				y := make([]float64, len(paths))
				for k, p := range paths {
					y[k] = b.parts[k].scale.Value(p.At(x))
				}
				return y
			}
			more[i] = b.searchFront(ctx, f, drawnFrontSize, drawnFrontAges, draw)
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
		b.fronts.drawn = append(b.fronts.drawn, more...)
	}
	return b.fronts.drawn[:count], nil
}

// searchFront finds the front of functions over the space, from the data that are not dominated.
func (b *moboBelief) searchFront(ctx context.Context, f func([]float64) []float64, size, ages int, stream uint64) []FrontPoint {
	points := make([][]float64, b.in.Data.Len())
	for i := range points {
		points[i] = b.in.Data.Y.RawRowView(i)
	}
	var seeds [][]float64
	for _, i := range pareto.Front(points) {
		seeds = append(seeds, b.in.Space().lift(b.in.Data.X.RawRowView(i)))
	}
	if len(seeds) > size/2 {
		seeds = seeds[len(seeds)-size/2:]
	}
	space := b.in.Space()
	placed := func(u []float64) []float64 { return f(space.place(slices.Clone(u))) }
	found := pareto.Search(b.in.Dim, size, ages, seeds, placed, func() bool { return ctx.Err() != nil }, b.in.Stream("front search", stream))
	out := make([]FrontPoint, len(found))
	for i, p := range found {
		out[i] = FrontPoint{X: space.place(p.X), Y: p.Y}
	}
	return out
}

// outcomesOf maps minimized objectives to minimized outcomes −u.
func (b *moboBelief) outcomesOf(y []float64) []float64 {
	out := make([]float64, len(y))
	for k, p := range b.parts {
		out[k] = -b.outcome(k, (y[k]-p.scale.Mean)/p.scale.SD)
	}
	return out
}

// moments are the posterior means and standard deviations of minimized outcomes −u at the rows of X, n×K.
func (b *moboBelief) moments(ctx context.Context, X *mat.Dense) (mean, sd *mat.Dense, err error) {
	n, _ := X.Dims()
	mean, sd = mat.NewDense(n, len(b.parts), nil), mat.NewDense(n, len(b.parts), nil)
	err = parallel.Try(len(b.parts), func(k int) error {
		m, s, err := b.parts[k].gp.Predict(ctx, X)
		for i := range m {
			mean.Set(i, k, -b.outcome(k, m[i]))
			sd.Set(i, k, s[i]/b.span[k])
		}
		return err
	})
	return mean, sd, err
}

// informationBelief maximizes what an evaluation tells of the Pareto front.
type informationBelief struct {
	*frontBelief
	cells [][]cell // of each drawn front: the region that it leaves to outcomes
}

// informationFronts is how many drawn fronts the information is averaged over (Suzuki et al. 2020, §5, take 10).
const informationFronts = 10

// informationCells is how many cells the region of a drawn front may have: of a front with more, every other point counts.
const informationCells = 600

func fitInformation(ctx context.Context, in Input) (Belief, error) {
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
			points = append(points, b.outcomesOf(p.Y))
		}
		b.cells = append(b.cells, b.cellsOf(points))
	}
	b.gain = b.information
	return b, nil
}

// cellsOf are the cells of a drawn front. What was observed without noise is a part of every draw, so that its front bounds that of the draw also where the
// search for it has missed it.
func (b *informationBelief) cellsOf(points [][]float64) []cell {
	noisy := func(p *gpBelief) bool { return p.gp.Noise() > noisyFrom }
	for {
		all := points
		if !slices.ContainsFunc(b.parts, noisy) {
			all = slices.Concat(points, b.front)
		}
		cells := remaining(all, b.in.Objectives)
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

// Carry keeps the belief, which does not depend on the prior.
func (b *informationBelief) Carry(in Input) (Belief, bool) { return b, sameBut(b.in, in, judgeKeys) }

// information is the mutual information, in nats, between outcomes that are independent normals and the Pareto front, by the entropy that is
// lost when outcomes are cut to the region that a drawn front leaves (Suzuki et al. 2020, eq. 5 and App. A). Information is never negative; a law that is cut to
// a region as little convex as a front of many objectives can leave may still have the greater entropy, and then the front counts for nothing.
func (b *informationBelief) information(mean, sd []float64) float64 {
	sum := 0.0
	for _, cells := range b.cells {
		sum += math.Max(entropyLost(cells, mean, sd), 0)
	}
	return sum / float64(len(b.cells))
}

// leastSD keeps outcomes that are known from having no law at all.
const leastSD = 1e-6

// entropyLost is H(z) − H(z | z in the cells) of independent normals z, of which −log p(z) = ½ Σ(((z−μ)/σ)² + log 2πσ²):
// −log Z − ½ E[Σ((z−μ)/σ)² − K | cells], with Z the probability of the cells. Of a standard normal cut to [a, b] the second moment is 1 + (aφ(a) − bφ(b))/(Φ(b) − Φ(a)).
func entropyLost(cells []cell, mean, sd []float64) float64 {
	k := len(mean)
	mass, second := 0.0, 0.0
	part, excess := make([]float64, k), make([]float64, k)
	for _, c := range cells {
		product := 1.0
		for j := range k {
			a, z := ends(c, j, mean, sd)
			part[j] = normalBetween(a, z)
			excess[j] = timesDensity(a) - timesDensity(z)
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
	s := math.Max(sd[j], leastSD)
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
			part := logCDF(z) + math.Log(-math.Expm1(logCDF(a)-logCDF(z)))
			log += part
			for _, end := range []struct{ at, sign float64 }{{a, 1}, {z, -1}} {
				if !math.IsInf(end.at, 0) {
					excess += end.sign * end.at * math.Exp(-end.at*end.at/2-logSqrt2Pi-part)
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

// normalBetween is the probability that a standard normal lies between a and b.
func normalBetween(a, b float64) float64 {
	if a > 0 { // of two tails, the differences of the smaller ones
		a, b = -b, -a
	}
	return math.Max((math.Erfc(-b/math.Sqrt2)-math.Erfc(-a/math.Sqrt2))/2, 0)
}

// timesDensity is x φ(x), 0 at the infinities.
func timesDensity(x float64) float64 {
	if math.IsInf(x, 0) {
		return 0
	}
	return x * math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
}

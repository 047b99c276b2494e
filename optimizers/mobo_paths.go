package optimizers

import (
	"context"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/pareto"
	"bandscope/model/gp"
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
		err := inParallel(len(more), func(i int) error {
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
	err = inParallel(len(b.parts), func(k int) error {
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

// cell is a box of minimized outcomes; an end may be infinite.
type cell struct{ lo, hi []float64 }

// informationFronts is how many drawn fronts the information is averaged over (Suzuki et al. 2020, §5, take 10).
const informationFronts = 10

// A drawn front counts with so many of its points that there are about as many cells, whatever the number of objectives.
const informationCells, mostFrontPoints = 600.0, 40

func fitInformation(ctx context.Context, in Input) (Belief, error) {
	inner, err := fitFront(ctx, in, nil, "information about the Pareto front")
	if err != nil {
		return nil, err
	}
	b := &informationBelief{frontBelief: inner.(*frontBelief)}
	in.Report("drawing fronts", 0, 1)
	drawn, err := b.DrawnFronts(ctx, informationFronts)
	if err != nil {
		return nil, err
	}
	most := min(math.Round(math.Pow(informationCells, 1/math.Max(float64(in.Objectives-1), 1))), mostFrontPoints)
	for _, front := range drawn {
		var points [][]float64
		step := max(float64(len(front))/most, 1)
		for i := 0.0; i < float64(len(front)); i += step {
			points = append(points, b.outcomesOf(front[int(i)].Y))
		}
		b.cells = append(b.cells, remaining(points, in.Objectives))
	}
	b.gain = func(_ *frontBelief, mean, sd []float64) float64 { return b.information(mean, sd) }
	return b, nil
}

// Carry keeps the belief, which does not depend on the prior.
func (b *informationBelief) Carry(in Input) (Belief, bool) { return b, sameBut(b.in, in, judgeKeys) }

// remaining cuts the region in which outcomes can lie if a front is the true one, that where some point of it is nowhere worse, into boxes: slices
// along the last objective from each point's level to the next one's, of each the region that the points so far leave in the others.
func remaining(front [][]float64, k int) []cell {
	if len(front) == 0 {
		return []cell{{slices.Repeat([]float64{math.Inf(-1)}, k), slices.Repeat([]float64{math.Inf(1)}, k)}}
	}
	if k == 1 {
		best := math.Inf(1)
		for _, p := range front {
			best = math.Min(best, p[0])
		}
		return []cell{{[]float64{best}, []float64{math.Inf(1)}}}
	}
	front = slices.Clone(front)
	slices.SortFunc(front, func(a, b []float64) int {
		switch {
		case a[k-1] < b[k-1]:
			return -1
		case a[k-1] > b[k-1]:
			return 1
		}
		return 0
	})
	var cells []cell
	for i := range front {
		from, to := front[i][k-1], math.Inf(1)
		if i+1 < len(front) {
			to = front[i+1][k-1]
		}
		if !(to > from) {
			continue
		}
		kept := make([][]float64, 0, i+1)
		for _, j := range pareto.Front(cut(front[:i+1], k-1)) {
			kept = append(kept, front[j][:k-1])
		}
		for _, c := range remaining(kept, k-1) {
			cells = append(cells, cell{append(slices.Clone(c.lo), from), append(slices.Clone(c.hi), to)})
		}
	}
	return cells
}

func cut(points [][]float64, k int) [][]float64 {
	out := make([][]float64, len(points))
	for i, p := range points {
		out[i] = p[:k]
	}
	return out
}

// information is the mutual information, in nats, between outcomes that are independent normals and the Pareto front, by the entropy that is
// lost when outcomes are cut to the region that a drawn front leaves (Suzuki et al. 2020, eq. 5 and App. A).
func (b *informationBelief) information(mean, sd []float64) float64 {
	sum := 0.0
	for _, cells := range b.cells {
		sum += entropyLost(cells, mean, sd)
	}
	return sum / float64(len(b.cells))
}

// entropyLost is H(z) − H(z | z in the cells) of independent normals z: −log Z + ½ E[Σ((z−μ)/σ)² − K | cells], with Z their probability; of a
// normal cut to an interval the second moment is a difference of α φ(α).
func entropyLost(cells []cell, mean, sd []float64) float64 {
	k := len(mean)
	mass, second := 0.0, 0.0
	part, moment := make([]float64, k), make([]float64, k)
	for _, c := range cells {
		product := 1.0
		for j := range k {
			a, z := (c.lo[j]-mean[j])/sd[j], (c.hi[j]-mean[j])/sd[j]
			part[j] = normalBetween(a, z)
			moment[j] = part[j] + timesDensity(a) - timesDensity(z)
			product *= part[j]
		}
		mass += product
		for j := range k {
			rest := moment[j] - part[j]
			for i := range k {
				if i != j {
					rest *= part[i]
				}
			}
			second += rest
		}
	}
	if !(mass > 1e-12) { // an outcome that is almost surely beyond the drawn front
		mass, second = 1e-12, 0
	}
	return -math.Log(math.Min(mass, 1)) + second/(2*mass)
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

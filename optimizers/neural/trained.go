// Package neural holds the methods that train networks on the data. Some minimize a trained network, or take its band
// from an ensemble or from its law at infinite width; others train one network and take the uncertainty from a linear
// model on its features: the last hidden layer (NeuralLinTS, NeuralLinUCB, DNGO) or the gradients by the parameters
// (NeuralBO, NeuralUCB, NeuralTS). Training itself is in model/nn, the linear models in model/linear, and the
// infinite-width methods in package ntk.
package neural

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions/lru"
	"bandscope/functions/numfmt"
	"bandscope/model"
	"bandscope/model/nn"
	"bandscope/model/parallel"
	"bandscope/model/widenet"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/search"
)

// builder builds one surrogate of a method.
type builder struct {
	build func(context.Context, nn.Arch, *mat.Dense, []float64, nn.Options, *rand.Rand) (*nn.Surrogate, error)
	label string // name of one surrogate
}

// fitNetworks is the Fit of the methods that minimize freshly trained networks, one for each point of the batch.
func fitNetworks(method builder) func(context.Context, optimizers.Input) (optimizers.Belief, error) {
	return func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b := &trainedBelief{in: in, builder: method, scale: in.Scale(0, in.Data.Len()), arch: Arch(in),
			turn: make(chan struct{}, 1)}
		b.trained = lru.New[[2]uint64](trainedBytes, func(*nn.Surrogate) int { return 2 * 8 * b.arch.Params() })
		b.turn <- struct{}{}
		if in.Data.X != nil {
			b.x, b.y = in.Centered(in.Data.X), b.scale.Apply(in.Data.Column(0))
			otherwise := math.NaN()
			if b.isRegularized() {
				otherwise = in.Params.Number("sigma2")
			}
			b.noiseVars, b.least = Noise(in, len(b.y), b.scale.SD, otherwise)
		}
		if err := b.tuneGamma(ctx); err != nil {
			return nil, err
		}
		if err := b.trainWarm(ctx); err != nil {
			return nil, err
		}
		batch := 1
		if in.Params.Has("batch") {
			batch = in.Params.Int("batch")
		}
		for i := range batch {
			in.Report("training the network", i, batch)
			var indices []uint64
			if i > 0 {
				indices = []uint64{uint64(i)}
			}
			used, err := b.train(ctx, "surrogate", func(done, total int) {
				in.Report("training the network", done, total)
			}, indices...)
			if err != nil {
				return nil, err
			}
			b.used = append(b.used, used)
		}
		return b, nil
	}
}

// trainedBelief is the network that picks the next point, or a batch of them, with other networks that could have been
// trained, which are trained on demand.
type trainedBelief struct {
	in        optimizers.Input
	builder   builder
	scale     model.Standardizer
	arch      nn.Arch
	x         *mat.Dense // the data encoded for networks, nil without data
	y         []float64
	noiseVars []float64       // variances of the noise of y, nil if none is known
	least     float64         // smallest of those
	used      []*nn.Surrogate // one for each point of the batch
	from      *nn.Net         // where training starts; nil for a fresh initialization

	turn    chan struct{}                        // holds a token while no training runs
	trained *lru.Cache[[2]uint64, *nn.Surrogate] // by draw and number

	diverged atomic.Int64 // trainings that were repeated

	once search.SuggestionCache
}

var (
	_ optimizers.Belief        = (*trainedBelief)(nil)
	_ optimizers.Spectrum      = (*trainedBelief)(nil)
	_ optimizers.LeaveOneOuter = (*trainedBelief)(nil)
	_ optimizers.FitReport     = (*trainedBelief)(nil)
)

func (b *trainedBelief) Legend() optimizers.Legend {
	m, single := b.in.Params.Int("ensemble"), b.builder.label
	untrained := len(b.y) == 0
	if untrained {
		single = strings.Replace(single, "trained", "untrained", 1)
	}
	l := optimizers.Legend{Mean: "ensemble mean", Band: fmt.Sprintf("±2 sd over %d %s", m, plural(single)),
		Samples: plural(single), Used: "the network that picks the next point", LowerIsBetter: true, Draws: m}
	if len(b.used) > 1 {
		l.Used = fmt.Sprintf("the first of %d networks that pick points", len(b.used))
	}
	l.Acquisition = single + ", lower is better"
	l.Facts = slices.Concat(b.in.DataFacts(),
		[]optimizers.Fact{{Name: "p parameters", Value: fmt.Sprint(b.arch.Params())}})
	name := b.in.Params.Choice("band")
	l = l.WithUncalibrated(cmp.Or(bandMeanings[name], "It is uncalibrated."))
	if name != ensembleBand {
		l.Mean = "mean"
		l.Band = "±2 sd of " + lawNames[widenet.Kind(name)]
		l.Samples = "samples of the distribution"
		l.Draws = 0
	}
	if untrained {
		return l
	}
	if found, bounded := b.fitsGamma(); found {
		name := "γ by evidence"
		if bounded && b.arch.SigmaW == maxGamma(b.in.Dim) {
			name = "γ, at its upper bound"
		}
		l.Facts = append(l.Facts, optimizers.Fact{Name: name, Value: numfmt.Format(b.arch.SigmaW)})
	}
	if n := b.diverged.Load(); n > 0 {
		l.Warnings = append(l.Warnings, fmt.Sprintf(
			"%s diverged and ran again from another initialization at a tenth of the learning rate",
			numfmt.Count(int(n), "training")))
	}
	r := b.used[0].Report
	l.Facts = append(l.Facts, optimizers.Fact{Name: "iterations", Value: fmt.Sprint(r.Iterations)},
		optimizers.Fact{Name: "training RMSE", Value: b.in.Deviation(0, r.RMSE*b.scale.SD, numfmt.Format)})
	if !r.Converged {
		l.Warnings = append(l.Warnings, fmt.Sprintf("training did not converge after %s: try a larger γ",
			numfmt.Count(r.Iterations, "iteration")))
	}
	return l
}

// plural is the plural of the name of a surrogate.
func plural(singular string) string {
	return strings.Replace(singular, "network", "networks", 1)
}

// Feasibility is the model of the limits.
func (b *trainedBelief) Feasibility() optimizers.Feasibility { return b.in.Feasible }

// Feasible reports where the next point may lie because of limits.
func (b *trainedBelief) Feasible(ctx context.Context, X *mat.Dense) ([]bool, error) {
	return search.FeasibleRows(ctx, b.in, X)
}

// ensemble returns the first count networks of a draw, training those that are not yet trained.
func (b *trainedBelief) ensemble(ctx context.Context, count int, draw uint64) ([]*nn.Surrogate, error) {
	select {
	case <-b.turn:
		defer func() { b.turn <- struct{}{} }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	nets := make([]*nn.Surrogate, count)
	var missing []int
	for i := range nets {
		var ok bool
		nets[i], ok = b.trained.Get([2]uint64{draw, uint64(i)})
		if !ok {
			missing = append(missing, i)
		}
	}
	err := parallel.TryCounting(len(missing), func(done int) {
		b.in.Report("training networks", count-len(missing)+done, count)
	}, func(k int) (err error) {
		i := missing[k]
		nets[i], err = b.train(ctx, "ensemble", nil, draw, uint64(i))
		return err
	})
	for i, f := range nets {
		if f != nil {
			b.trained.Put([2]uint64{draw, uint64(i)}, f)
		}
	}
	return nets, err
}

// Samples are independently trained networks, or joint samples of the distribution of the band.
func (b *trainedBelief) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	if l, err := b.law(ctx); l != nil || err != nil {
		return b.lawSamples(ctx, l, X, count, draw, err)
	}
	nets, err := b.ensemble(ctx, count, draw)
	if err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	c := b.in.Centered(X)
	out := mat.NewDense(count, n, nil)
	for i, f := range nets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out.SetRow(i, b.unstandardize(f.Eval(c)))
	}
	return []*mat.Dense{out}, nil
}

// unstandardize maps standardized values to the objective's units, in place.
func (b *trainedBelief) unstandardize(v []float64) []float64 {
	for i := range v {
		v[i] = b.scale.Value(v[i])
	}
	return v
}

// Predict is the mean and the spread of the ensemble, or of the distribution at infinite width. The spread of the
// ensemble is the distribution of Paria et al. 2022, Prop. 1, estimated from M networks: the spread of trained
// networks, not a Bayesian posterior.
func (b *trainedBelief) Predict(ctx context.Context, X *mat.Dense) ([]optimizers.Band, error) {
	if l, err := b.law(ctx); l != nil || err != nil {
		return b.lawBand(ctx, l, X, err)
	}
	samples, err := b.Samples(ctx, X, b.in.Params.Int("ensemble"), 0)
	if err != nil {
		return nil, err
	}
	_, n := samples[0].Dims()
	band := optimizers.Band{Mean: make([]float64, n), SD: make([]float64, n)}
	for j := range n {
		band.Mean[j], band.SD[j] = stat.MeanStdDev(mat.Col(nil, j, samples[0]), nil)
	}
	return []optimizers.Band{band}, nil
}

// Used is the network that the suggestion minimizes.
func (b *trainedBelief) Used(ctx context.Context, X *mat.Dense) ([][]float64, error) {
	v, err := b.Acquisition(ctx, X)
	return [][]float64{v}, err
}

// Acquisition is the network that picks the next point, in the objective's units.
func (b *trainedBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return b.unstandardize(b.used[0].Eval(b.in.Centered(X))), nil
}

// Suggest minimizes each network that picks a point.
func (b *trainedBelief) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	return b.once.Suggest(ctx, func() (optimizers.Suggestion, error) { return b.search(ctx) })
}

func (b *trainedBelief) search(ctx context.Context) (optimizers.Suggestion, error) {
	s := optimizers.Suggestion{X: mat.NewDense(len(b.used), b.in.Dim, nil)}
	space := search.NewSpace(b.in)
	for i, f := range b.used {
		var indices []uint64
		if i > 0 {
			b.in.Report("minimizing the networks", i, len(b.used))
			indices = []uint64{uint64(i)}
		}
		draw := DrawFor(b.in, f)
		var err error
		draw.Approximate, err = coarseApproximation(ctx, b.in, b.arch, f, space,
			b.in.Stream("likeness", indices...))
		if err != nil {
			return optimizers.Suggestion{}, err
		}
		t, err := search.WithLimits(b.in, draw.MinTarget(), indices...)
		if err != nil {
			return optimizers.Suggestion{}, err
		}
		x, value, note, err := search.MaximizeWithoutRepeats(ctx, b.in, space, t, b.in.Stream("acquisition", indices...),
			search.Incumbents(b.in.Data, 3), func(ctx context.Context, X *mat.Dense) (optimizers.Band, error) {
				v, err := draw.Values(ctx, X)
				return optimizers.Band{Mean: b.unstandardize(v)}, err
			})
		if err != nil {
			return optimizers.Suggestion{}, err
		}
		value = b.scale.Value(-value)
		s.X.SetRow(i, x)
		if b.in.MinDistance > 0 {
			space.Pending = append(slices.Clip(space.Pending), x)
		}
		s.Mean, s.Acquisition = append(s.Mean, value), append(s.Acquisition, value)
		s.Note = cmp.Or(s.Note, note)
	}
	return s, nil
}

// Function is a function of the encoded inputs, with its gradient.
type Function interface {
	Eval(X *mat.Dense) []float64
	Gradient(x, grad []float64) float64
}

// DrawFor is a function of the encoded inputs as a sample over the unit cube.
func DrawFor(in optimizers.Input, f Function) acquisition.Draw {
	return acquisition.Draw{
		Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) {
			return f.Eval(in.Centered(X)), ctx.Err()
		},
		Gradient: func(x, grad []float64) float64 {
			centeredRow := in.CenteredRow(x)
			byColumn := make([]float64, len(centeredRow))
			v := f.Gradient(centeredRow, byColumn)
			in.CenteredGradient(centeredRow, byColumn, grad)
			return v
		},
	}
}

package neural

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions/lru"
	"bandscope/functions/rng"
	"bandscope/model/nn"
	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// EnsemblesEI is expected improvement with the moments of a few networks, each trained further from its state at an
// earlier step, with at most a quarter fewer results; see chain.
var EnsemblesEI = optimizers.Register(optimizers.Spec{
	Name: "neural-ensembles-ei", Title: "NeuralEnsembles-EI", Family: "neural network", Rank: 6,
	Pending: optimizers.PendingBeliever, Errors: optimizers.ErrorsAsWeights, Limits: optimizers.LimitsByProbability,
	Levels: optimizers.LevelsInNetwork, Constraints: optimizers.FeasibleOnly,
	Summary: "expected improvement over an ensemble of warm-started networks",
	Source:  "Kim et al. 2021; as the baseline of Paria et al. 2022, App. F.1 and F.2",
	Params: append(append([]param.Decl{
		{Key: "networks", Label: "networks m", Kind: param.Integer, Default: 10, Min: 2, Max: 100,
			Help: "Number of networks in the ensemble.", Source: "Paria et al. 2022, App. F.2"}},
		param.WithDefaults(param.Without(Params(), "auto_gamma", "sigma2", "nu", "trainer", "epochs", "rate", "linear",
			"perturb", "distance", "start", "ensemble", "band"),
			"Paria et al. 2022, App. F.2", map[string]any{"width": 1000})...), search.Params()...),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, best, err := fitEnsemble(ctx, in)
		if err != nil {
			return nil, err
		}
		if in.Pending != nil {
			return fitBeliever(ctx, b)
		}
		return acquisition.NewScoredBelief(ctx, b, b.ExpectedImprovement(best))
	},
})

// ensembleBelief is the ensemble. Its networks are the same for the whole session, so their spread is that of m
// initializations and their training.
type ensembleBelief struct {
	acquisition.Posterior
	nets []*nn.Net
}

// fitEnsemble trains each network on the first data and then further, with the numbers of data of a chain, however the
// session came about: a belief is a function of its data alone. Ensembles for fewer data are cached, so that a step takes
// one training per network.
func fitEnsemble(ctx context.Context, in optimizers.Input) (b *ensembleBelief, incumbent float64, err error) {
	b = &ensembleBelief{Posterior: acquisition.Posterior{In: in, Scale: in.ScaleOf(0, in.Data.Column(0))},
		nets: make([]*nn.Net, in.Params.Int("networks"))}
	b.Surrogate = ensembleMoments{b}
	arch := Arch(in)
	for i := range b.nets {
		b.nets[i] = nn.New(arch, rng.New(in.Seed, 0, "ensemble", uint64(i)))
	}
	n := in.Data.Len()
	if n == 0 {
		// later trainings use values that are standardized from the first one on
		b.Scale = in.Scale(0, 0)
		return b, 0, nil
	}
	keys := ensembleKeys(in)
	sizes := append(chain(in, min(search.InitialCount(in), n), n), n)
	done := len(sizes)
	for ; done > 0; done-- {
		if known, ok := ensembleCache.Get(keys[sizes[done-1]]); ok {
			copy(b.nets, known.nets)
			break
		}
	}
	sizes = sizes[done:]
	x := in.Centered(in.Data.X)
	err = parallel.Try(len(b.nets), func(i int) error {
		for trained, k := range sizes {
			y := in.Data.Column(0)[:k]
			scale, opt := in.ScaleOf(0, y), nn.Options{From: b.nets[i], NoPerturbation: true, NoDistance: true}
			opt.NoiseVars, opt.Sigma2 = Noise(in, k, scale.SD, math.NaN())
			f, err := nn.SimpleSMB(ctx, arch, x.Slice(0, k, 0, in.Columns()).(*mat.Dense), scale.Apply(y), opt, nil)
			if err != nil {
				return fmt.Errorf("training the ensemble: %w", err)
			}
			b.nets[i] = f.Net
			in.Report("training the ensemble", i*len(sizes)+trained+1, len(b.nets)*len(sizes))
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	ensembleCache.Put(keys[n], trainedNets{b.nets, arch})
	incumbent, err = b.Incumbent(ctx, 0)
	return b, incumbent, err
}

// fitBeliever is the belief with an ensemble that is also trained on its own mean at the pending points.
func fitBeliever(ctx context.Context, b *ensembleBelief) (optimizers.Belief, error) {
	in := b.In
	var err error
	in.Data, err = b.DataWithPending(ctx)
	if err != nil {
		return nil, err
	}
	in.Pending = nil
	next, best, err := fitEnsemble(ctx, in)
	if err != nil {
		return nil, err
	}
	return acquisition.NewScoredBeliefFor(b, next.ExpectedImprovement(best), next.Surrogate), nil
}

// ensembleCache keeps the trained ensembles of all sessions of this process, by their training data.
var ensembleCache = lru.New[lru.Key](trainedBytes, trainedNets.bytes)

// trainedNets are networks of one architecture.
type trainedNets struct {
	nets []*nn.Net
	arch nn.Arch
}

func (t trainedNets) bytes() int { return len(t.nets) * 8 * t.arch.Params() }

// ensembleKeys are the keys of the ensembles for the first data of the input, of every number from the first training
// on.
func ensembleKeys(in optimizers.Input) []lru.Key {
	n, d := in.Data.Len(), lru.NewDigest()
	d.Text(in.Seed, in.Dim, in.Params.Changed(), search.InitialCount(in), in.FixedScale, in.Expected)
	keys := make([]lru.Key, n+1)
	x := in.Domain.Encode(in.Data.X)
	errors := in.Errors(0)
	for k := range n {
		d.Numbers(x.RawRowView(k)...)
		d.Numbers(in.Data.Y.RawRowView(k)...)
		if errors != nil {
			d.Numbers(errors[k])
		}
		for _, r := range in.Data.Imports {
			if r[1] == k+1 {
				d.Text("imported from", r[0])
			}
		}
		keys[k+1] = d.Key()
	}
	return keys
}

func (b *ensembleBelief) Describe() optimizers.Legend {
	networks := "trained networks"
	if b.In.Data.Len() == 0 {
		networks = "untrained networks"
	}
	return optimizers.Legend{Mean: "ensemble mean", Band: fmt.Sprintf("±2 sd over %d %s", len(b.nets), networks),
		Samples: networks, Draws: len(b.nets)}.WithUncalibrated(bandMeanings[ensembleBand])
}

// outputs are the networks at the rows of X, m×n, standardized.
func (b *ensembleBelief) outputs(ctx context.Context, X *mat.Dense) (*mat.Dense, error) {
	n, _ := X.Dims()
	out := mat.NewDense(len(b.nets), n, nil)
	c := b.In.Centered(X)
	for i, net := range b.nets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out.SetRow(i, net.Eval(c))
	}
	return out, nil
}

// ensembleMoments are the mean and the standard deviation over the networks.
type ensembleMoments struct{ *ensembleBelief }

var _ acquisition.Differentiable = ensembleMoments{}

func (b ensembleMoments) Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error) {
	out, err := b.outputs(ctx, X)
	if err != nil {
		return nil, nil, err
	}
	_, n := out.Dims()
	mean, sd = make([]float64, n), make([]float64, n)
	col := make([]float64, len(b.nets))
	for j := range n {
		mean[j], sd[j] = stat.MeanStdDev(mat.Col(col, j, out), nil)
	}
	return mean, sd, nil
}

// Gradient is the moments at one point of the cube, with their gradients.
func (b ensembleMoments) Gradient(x, dmean, dsd []float64) (mean, sd float64) {
	m := float64(len(b.nets))
	centeredRow, values := b.In.CenteredRow(x), make([]float64, len(b.nets))
	slopes := mat.NewDense(len(b.nets), len(centeredRow), nil)
	for i, net := range b.nets {
		values[i] = net.Gradient(centeredRow, slopes.RawRowView(i))
	}
	mean, sd = stat.MeanStdDev(values, nil)
	byMean, bySD := make([]float64, len(centeredRow)), make([]float64, len(centeredRow))
	for i, f := range values {
		for j, s := range slopes.RawRowView(i) {
			byMean[j] += s / m
			bySD[j] += (f - mean) * s / ((m - 1) * math.Max(sd, 1e-300))
		}
	}
	b.In.CenteredGradient(centeredRow, byMean, dmean)
	b.In.CenteredGradient(centeredRow, bySD, dsd)
	return mean, sd
}

// Samples are the networks of the ensemble, at most all of them: another draw begins with another one.
func (b *ensembleBelief) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	out, err := b.outputs(ctx, X)
	if err != nil {
		return nil, err
	}
	_, n := out.Dims()
	s := mat.NewDense(count, n, nil)
	for i := range count {
		for j, v := range out.RawRowView((i + int(draw%uint64(len(b.nets)))) % len(b.nets)) {
			s.Set(i, j, b.Scale.Value(v))
		}
	}
	return []*mat.Dense{s}, nil
}

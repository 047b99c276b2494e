package neural

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/rng"
	"bandscope/model/nn"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// Arch is the architecture that the parameters describe.
func Arch(in optimizers.Input) nn.Arch {
	p := in.Params
	hidden := make([]int, p.Int("depth"))
	for i := range hidden {
		hidden[i] = p.Int("width")
	}
	a := nn.Arch{Inputs: in.Columns(), Hidden: hidden, Activation: nn.Activation(p.Choice("activation")),
		ZeroLastBias: p.Choice("last_bias") == "zero"}
	if p.Has("gamma") {
		gamma := p.Number("gamma")
		if gamma == 0 { // until there are data to fit it
			gamma = firstGamma
		}
		a.SigmaW, a.SigmaB = gamma, gamma
	} else {
		a.SigmaW, a.SigmaB = p.Number("sigma_w"), p.Number("sigma_b")
	}
	return a
}

// options are the options of training, from the parameters.
func (b *trainedBelief) options() nn.Options {
	p := b.in.Params
	opt := nn.Options{Nu: p.Number("nu"), NoPerturbation: true, NoDistance: true, From: b.from}
	if p.Has("sigma2") {
		opt.Sigma2 = p.Number("sigma2")
		opt.NoPerturbation = !p.Switch("perturb")
		opt.NoDistance = !p.Switch("distance")
	}
	if b.noiseVars != nil {
		opt.Sigma2, opt.NoiseVars = b.least, b.noiseVars
	}
	if p.Has("trainer") {
		opt.Trainer = nn.Trainer(p.Choice("trainer"))
		opt.Epochs = p.Int("epochs")
		opt.Rate = p.Number("rate")
		opt.Linear = p.Switch("linear")
	}
	return opt
}

// minNoise is the smallest noise variance of standardized targets, if some noise is known: a network that is within a
// thousandth of the spread of an observation fits it.
const minNoise = 1e-6

// Noise returns the known noise variances of the first n data for training, nil if none is known: sd is the unit in
// which the data are standardized, and otherwise the variance of data without a known error; if that is NaN, such an
// observation gets the mean of the others. A network is trained with the smallest variance as σ², so that no
// observation has more weight than without noise, and learning rates stay valid. If σ² is 0, data with errors are no
// longer fitted exactly, those without still are, up to minNoise, and the distance from initialization is penalized, as
// for any σ² other than 0.
func Noise(in optimizers.Input, n int, sd, otherwise float64) (known []float64, least float64) {
	errors := in.Errors(0)
	if errors == nil {
		return nil, 0
	}
	known = make([]float64, n)
	sum := 0.0
	count := 0.0
	for i, e := range errors[:n] {
		known[i] = e * e / (sd * sd)
		if !math.IsNaN(e) {
			sum, count = sum+known[i], count+1
		}
	}
	if count == 0 {
		return nil, 0
	}
	if math.IsNaN(otherwise) {
		otherwise = sum / count
	}
	least = math.Inf(1)
	for i, v := range known {
		if math.IsNaN(v) {
			v = otherwise
		}
		known[i] = max(v, minNoise)
		least = min(least, known[i])
	}
	return known, least
}

// isRegularized reports whether the method has noise, and penalizes the distance from the start of training.
func (b *trainedBelief) isRegularized() bool { return b.in.Params.Has("sigma2") }

// fitsGamma reports whether γ is fitted by the evidence: if that is requested and there are enough data. It is bounded
// if γ has its default, and not if automatic γ is on.
func (b *trainedBelief) fitsGamma() (found, bounded bool) {
	p := b.in.Params
	if !p.Has("auto_gamma") || len(b.y) < 2 {
		return false, false
	}
	bounded = !p.Switch("auto_gamma") && p.Number("gamma") == 0
	return bounded || p.Switch("auto_gamma"), bounded
}

// tuneGamma fits γ by the evidence, if requested.
func (b *trainedBelief) tuneGamma(ctx context.Context) error {
	found, bounded := b.fitsGamma()
	if !found {
		return nil
	}
	b.in.Report("choosing γ by marginal likelihood", 0, 0)
	e, err := b.evidence(ctx)
	if err != nil {
		return err
	}
	gamma := e.Best
	if bounded {
		gamma = min(gamma, maxGamma(b.in.Dim))
	}
	b.arch.SigmaW, b.arch.SigmaB = gamma, gamma
	return nil
}

// trainWarm returns the network of an earlier step: trained on the first data from one initialization, and then further
// along a chain. The initialization belongs to the session, not to the step, so that it is the same
// network throughout.
func (b *trainedBelief) trainWarm(ctx context.Context) error {
	if !b.in.Params.Has("start") || b.in.Params.Choice("start") != warmStart || len(b.y) < 2 {
		return nil
	}
	opt := b.options()
	known := opt.NoiseVars
	first := min(search.InitialCount(b.in), len(b.y)-1)
	sizes := chain(b.in, first, len(b.y))
	for _, n := range sizes {
		b.in.Report("training from the previous network", n-first, len(b.y)-first)
		if known != nil {
			opt.NoiseVars = known[:n]
		}
		f, err := b.builder.build(ctx, b.arch, b.x.Slice(0, n, 0, b.in.Columns()).(*mat.Dense), b.y[:n], opt,
			rng.New(b.in.Seed, 0, "warm start", uint64(n)))
		if err != nil {
			return fmt.Errorf("training the network: %w", err)
		}
		opt.From = f.Net
	}
	b.from = opt.From
	return nil
}

// train trains one network on the data, with random numbers of its own. A training that diverges starts again from
// another initialization.
func (b *trainedBelief) train(ctx context.Context, purpose string, progress func(done, total int),
	keys ...uint64) (*nn.Surrogate, error) {
	opt := b.options()
	opt.Progress = progress
	rng := b.in.Stream(purpose, keys...)
	f, again, err := TrainWithRetries(opt.Rate, func(rate float64) (*nn.Surrogate, error) {
		opt.Rate = rate
		return b.builder.build(ctx, b.arch, b.x, b.y, opt, rng)
	})
	b.diverged.Add(int64(again))
	return f, err
}

// retries is how often a training that diverged is repeated.
const retries = 3

// TrainWithRetries trains at a rate, and if that diverges again at a tenth of the previous rate; again is the number of
// repetitions.
func TrainWithRetries(rate float64, train func(rate float64) (*nn.Surrogate, error)) (f *nn.Surrogate, again int,
	err error) {
	for ; ; again++ {
		f, err = train(rate)
		if err == nil {
			return f, again, nil
		}
		if !errors.Is(err, nn.ErrDiverged) || again == retries {
			return nil, again, fmt.Errorf("training the network: %w", err)
		}
		rate /= 10
	}
}

// chainGrowth is the ratio of the numbers of data of two trainings in a chain, at least.
const chainGrowth = 1.25

// chain returns the numbers of data below n with which a warm-started network is trained, from the first one on, before
// it is trained on all n: each has a quarter more data than the one before, and all results of an import together. A
// session that is reopened does not train for every one of its steps, and a step trains once.
func chain(in optimizers.Input, first, n int) (sizes []int) {
	for k := first; k < n; {
		for _, r := range in.Data.Imports {
			if r[0] < k && k < r[1] {
				k = r[1]
			}
		}
		if k < n {
			sizes = append(sizes, k)
		}
		k = max(k+1, int(math.Ceil(chainGrowth*float64(k))))
	}
	return sizes
}

// trainedBytes bounds the memory of trained networks, for all sessions of this process and again for each belief.
const trainedBytes = 256 << 20

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

// Arch describes the network that the parameters ask for.
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
		if gamma == 0 { // until there are data to find it by
			gamma = firstGamma
		}
		a.SigmaW, a.SigmaB = gamma, gamma
	} else {
		a.SigmaW, a.SigmaB = p.Number("sigma_w"), p.Number("sigma_b")
	}
	return a
}

// options are the training's, from the parameters.
func (b *trainedBelief) options() nn.Options {
	p := b.in.Params
	opt := nn.Options{Nu: p.Number("nu"), NoPerturbation: true, NoDistance: true, From: b.from}
	if p.Has("sigma2") {
		opt.Sigma2, opt.NoPerturbation, opt.NoDistance = p.Number("sigma2"), !p.Switch("perturb"), !p.Switch("distance")
	}
	if b.noiseVars != nil {
		opt.Sigma2, opt.NoiseVars = b.least, b.noiseVars
	}
	if p.Has("trainer") {
		opt.Trainer, opt.Epochs, opt.Rate, opt.Linear = nn.Trainer(p.Choice("trainer")), p.Int("epochs"),
			p.Number("rate"), p.Switch("linear")
	}
	return opt
}

// minNoise is the least variance of the noise of standardized targets, where some is known: a network that meets a
// datum to the thousandth part of the spread meets it.
const minNoise = 1e-6

// Noise is what is known of the noise of the first n data as training has it, nil where nothing is: the variance of
// each, sd being the unit in which they are standardized, and otherwise that of data whose error is not known; where
// that is NaN such a datum counts as the mean of the others. A network is trained with the least of them for σ², so
// that no datum pulls harder than one does where all count alike, and rates hold. Where σ² is 0 that is what it takes
// to have a noise: data with errors are no longer met exactly, those without still are, to leastNoise, and the distance
// from initialization counts, as it does for any σ² that is not 0.
func Noise(in optimizers.Input, n int, sd, otherwise float64) (known []float64, least float64) {
	errors := in.Errors(0)
	if errors == nil {
		return nil, 0
	}
	known, sum, count := make([]float64, n), 0.0, 0.0
	for i, e := range errors[:n] {
		if known[i] = e * e / (sd * sd); !math.IsNaN(e) {
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

// isRegularized reports whether the method has a noise, and keeps near where training starts.
func (b *trainedBelief) isRegularized() bool { return b.in.Params.Has("sigma2") }

// fitsGamma reports whether γ is found by the evidence: where that is asked for and there are data to tell. It is
// bounded where no γ is given, rather than automatic γ asked for.
func (b *trainedBelief) fitsGamma() (found, bounded bool) {
	p := b.in.Params
	if !p.Has("auto_gamma") || len(b.y) < 2 {
		return false, false
	}
	bounded = !p.Switch("auto_gamma") && p.Number("gamma") == 0
	return bounded || p.Switch("auto_gamma"), bounded
}

// tuneGamma chooses γ where the evidence is to.
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

// trainWarm finds the network of the step before: trained on the first data from one draw, and then on from there for
// every datum more. The draw belongs to the session, not to the step, so that it is the same network all along.
func (b *trainedBelief) trainWarm(ctx context.Context) error {
	if !b.in.Params.Has("start") || b.in.Params.Choice("start") != warmStart || len(b.y) < 2 {
		return nil
	}
	opt := b.options()
	known := opt.NoiseVars
	first := min(search.InitialCount(b.in), len(b.y)-1)
	for n := first; n < len(b.y); n++ {
		if n > first && !isChainSize(n) {
			continue
		}
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
// another draw.
func (b *trainedBelief) train(ctx context.Context, purpose string, progress func(done, total int),
	more ...uint64) (*nn.Surrogate, error) {
	opt := b.options()
	opt.Progress = progress
	rng := b.in.Stream(purpose, more...)
	f, again, err := TrainWithRetries(opt.Rate, func(rate float64) (*nn.Surrogate, error) {
		opt.Rate = rate
		return b.builder.build(ctx, b.arch, b.x, b.y, opt, rng)
	})
	b.diverged.Add(int64(again))
	return f, err
}

// retries is how often a training that diverged is tried again.
const retries = 3

// TrainWithRetries trains at a rate, and where that diverges again, each time at a tenth of the rate before; again is
// how often.
func TrainWithRetries(rate float64, train func(rate float64) (*nn.Surrogate, error)) (f *nn.Surrogate, again int,
	err error) {
	for ; ; again++ {
		if f, err = train(rate); err == nil {
			return f, again, nil
		}
		if !errors.Is(err, nn.ErrDiverged) || again == retries {
			return nil, again, fmt.Errorf("training the network: %w", err)
		}
		rate /= 10
	}
}

// isChainSize reports whether a network that is trained on from step to step is trained with so many data before there
// are more: with every number up to a hundred, then with every tenth, and from a thousand on with every hundredth, so
// that a session that is taken up again does not train for every step that it ever had.
func isChainSize(n int) bool {
	return n <= 100 || n <= 1000 && n%10 == 0 || n%100 == 0
}

// trainedBytes bounds what is kept of trained networks, by the sessions of this process and again by each belief.
const trainedBytes = 256 << 20

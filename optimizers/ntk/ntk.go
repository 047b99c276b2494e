// Package ntk holds the methods with the Gaussian process of infinitely wide networks, whose kernel is the neural
// tangent kernel: nothing is trained. The distribution and the choice of γ by its evidence are in model/widenet.
package ntk

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/numfmt"
	"bandscope/model/kernel"
	"bandscope/model/nn"
	"bandscope/model/widenet"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/neural"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// TS is Thompson sampling from the posterior under the neural tangent kernel, the limit of PosteriorSMB at infinite
// width.
var TS = optimizers.Register(optimizers.Spec{
	Name: "ntk-ts", Title: "NTK-TS", Family: "neural tangent kernel", Rank: 2,
	Pending: optimizers.PendingDraws, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByDraws,
	Levels: optimizers.LevelsInLaw, Constraints: optimizers.FeasibleOnly,
	Summary: "Thompson sampling with the Gaussian process of infinitely wide networks",
	Source:  "Paria et al. 2022, App. D",
	Params: append(append([]param.Decl{
		{Key: "features", Label: "path features", Kind: param.Integer, Default: 2000, Min: 50, Max: 20000,
			Log:    true,
			Help:   "Width of the random network that approximates the prior part of a posterior sample. The update with the data is exact.",
			Source: "paths after Wilson et al. 2020"}}, params()...), search.Params()...),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, err := fit(ctx, in)
		if err != nil {
			return nil, err
		}
		path, err := b.path("thompson")
		return acquisition.NewSampledBelief(b, path, "posterior sample"), err
	},
})

// UCB is the confidence bound of the posterior under the neural tangent kernel.
var UCB = optimizers.Register(optimizers.Spec{
	Name: "ntk-ucb", Title: "NTK-UCB", Family: "neural tangent kernel", Rank: 1,
	Pending: optimizers.PendingBand, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByBounds,
	Levels: optimizers.LevelsInLaw, Constraints: optimizers.FeasibleOnly,
	Summary: "lower confidence bound with the Gaussian process of infinitely wide networks",
	Source:  "Paria et al. 2022, App. D; Srinivas et al. 2010",
	Params:  append(append(acquisition.BetaParams(), params()...), search.Params()...),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, err := fit(ctx, in)
		if err != nil {
			return nil, err
		}
		return acquisition.NewScoredBelief(ctx, b, b.LowerBound(math.Sqrt(acquisition.Beta(in))))
	},
})

// Uncertainty suggests the point with the largest posterior variance, whatever the values are: it learns the function
// and not its minimum.
var Uncertainty = optimizers.Register(optimizers.Spec{
	Name: "uncertainty", Title: "Uncertainty sampling", Family: "neural tangent kernel", Rank: 3,
	Pending: optimizers.PendingBand, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByBounds,
	Levels: optimizers.LevelsInLaw, Constraints: optimizers.FeasibleOnly,
	Summary: "suggests the point with the largest posterior variance under the neural tangent kernel",
	Source:  "Dai et al. 2022, App. B",
	Params:  append(params(), search.Params()...),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, err := fit(ctx, in)
		if err != nil {
			return nil, err
		}
		return acquisition.NewScoredBelief(ctx, b, b.StandardDeviation())
	},
})

// nngp is the choice of the kernel of networks whose last layer alone is trained.
const nngp = string(widenet.NNGP)

// params are the parameters of the kernel.
func params() []param.Decl {
	keep := param.Without(neural.Params(), "nu", "width", "trainer", "epochs", "rate", "linear", "perturb", "distance",
		"start", "ensemble", "band")
	keep = param.WithDefaults(keep, "closed-form kernel; γ is fitted like the lengthscale of a Gaussian process",
		map[string]any{"activation": string(nn.Erf), "auto_gamma": true})
	return append([]param.Decl{{Key: "kernel", Role: optimizers.RoleAssumption, Label: "kernel", Kind: param.Choice,
		Default: "ntk", Choices: []string{"ntk", nngp},
		Help:   "The covariance of infinitely wide networks: the neural tangent kernel, if all weights are trained, or the NNGP kernel, if only the last layer is. Without data, the second is that of untrained networks.",
		Source: "Paria et al. 2022, Prop. 2 (ntk); Neal 1996, ch. 2; Lee et al. 2018 (nngp)"}}, keep...)
}

// belief is the posterior under the neural tangent kernel.
type belief struct {
	acquisition.Posterior
	network kernel.Network
	setup   widenet.Setup // of the posterior, with the noise of each observation
	law     *widenet.Model
	x       *mat.Dense // encoded for networks; nil without data
	y       []float64
}

var (
	_ acquisition.Model   = (*belief)(nil)
	_ optimizers.Spectrum = (*belief)(nil)

	_ optimizers.Adjustable = (*belief)(nil)
	_ optimizers.Covariant  = (*belief)(nil)
)

// lawMoments are the moments of the posterior over the unit cube.
type lawMoments struct {
	*widenet.Model
	b *belief
}

var (
	_ acquisition.KrigingBeliever = lawMoments{}
	_ acquisition.Differentiable  = lawMoments{}
)

func (l lawMoments) Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error) {
	return l.Model.Predict(ctx, l.b.In.Centered(X))
}

func (l lawMoments) Gradient(x, dmean, dsd []float64) (mean, sd float64) {
	centeredRow := l.b.In.CenteredRow(x)
	byMean, bySD := make([]float64, len(centeredRow)), make([]float64, len(centeredRow))
	mean, sd = l.Model.Gradient(centeredRow, byMean, bySD)
	l.b.In.CenteredGradient(centeredRow, byMean, dmean)
	l.b.In.CenteredGradient(centeredRow, bySD, dsd)
	return mean, sd
}

// Noise is the standard deviation of the noise of an observation without a standard error.
func (l lawMoments) Noise() float64 { return math.Sqrt(l.b.setup.Sigma2) }

// Believe is the posterior after observations at the rows of X that equal their expectations.
func (l lawMoments) Believe(ctx context.Context, X *mat.Dense) (acquisition.Moments, error) {
	mean, _, err := l.Predict(ctx, X)
	if err != nil {
		return nil, err
	}
	s := l.b.setup
	if s.NoiseVars != nil { // new observations have the common noise
		s.NoiseVars = append(slices.Clone(s.NoiseVars), slices.Repeat([]float64{math.NaN()}, len(mean))...)
	}
	next, err := widenet.New(ctx, l.b.network, s, search.Stack(l.b.x, l.b.In.Centered(X)),
		append(slices.Clone(l.b.y), mean...))
	return lawMoments{next, l.b}, err
}

func fit(ctx context.Context, in optimizers.Input) (*belief, error) {
	p := in.Params
	b := &belief{Posterior: acquisition.Posterior{In: in, Scale: in.Scale(0, in.Data.Len())},
		setup: widenet.Setup{Kind: widenet.Posterior, Sigma2: p.Number("sigma2")},
		network: kernel.Network{Unit: kernel.Unit(p.Choice("activation")), Depth: p.Int("depth"),
			SigmaW: p.Number("gamma"), SigmaB: p.Number("gamma"),
			ZeroLastBias: p.Choice("last_bias") == "zero"}}
	if p.Choice("kernel") == nngp {
		b.setup.Kind = widenet.NNGP
	}
	if in.Data.X != nil {
		b.x, b.y = in.Centered(in.Data.X), b.Scale.Apply(in.Data.Column(0))
		for _, e := range in.Errors(0) {
			b.setup.NoiseVars = append(b.setup.NoiseVars, e*e/(b.Scale.SD*b.Scale.SD))
		}
	}
	if p.Switch("auto_gamma") && len(b.y) > 1 {
		in.Report("choosing γ by marginal likelihood", 0, 0)
		e, err := widenet.FitGamma(ctx, b.network, b.setup, b.x, b.y)
		if err != nil {
			return b, err
		}
		b.network.SigmaW, b.network.SigmaB = e.Best, e.Best
	}
	var err error
	b.law, err = widenet.New(ctx, b.network, b.setup, b.x, b.y)
	b.Surrogate = lawMoments{b.law, b}
	return b, err
}

func (b *belief) Describe() optimizers.Legend {
	name := strings.ToUpper(b.In.Params.Choice("kernel"))
	l := optimizers.Legend{Mean: "mean", Band: "±2 sd of the posterior under the " + name, Samples: "posterior samples",
		Facts: []optimizers.Fact{{Name: "γ", Value: numfmt.Format(b.network.SigmaW)}}}
	l.Kernel = map[bool]string{true: "NNGP kernel", false: "neural tangent kernel"}[strings.EqualFold(name, nngp)] + ", " +
		b.In.Params.Choice("activation")
	l = l.WithUncalibrated("It is uncalibrated.")
	if b.x == nil {
		l.Band, l.Samples = "±2 sd of the "+name+" prior", "prior samples"
	}
	if j := b.law.Jitter(); j > 0 {
		l.Warnings = append(l.Warnings, fmt.Sprintf("jitter %s was added to the kernel matrix", numfmt.Format(j)))
	}
	return l
}

// Handles are γ and the noise.
func (b *belief) Handles() []optimizers.Handle {
	return neural.Handles(b.In.Params, b.network.SigmaW, b.Scale.SD)
}

// Covariances are those of the Gaussian process before and after the data.
func (b *belief) Covariances(ctx context.Context, x []float64, X *mat.Dense) (prior, posterior []float64, err error) {
	return neural.LawCovariances(ctx, b.law, b.In.CenteredRow(x), b.In.Centered(X), b.Scale.SD)
}

// Samples are joint samples; at more inputs than joint samples allow they are paths.
func (b *belief) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	m, _ := X.Dims()
	if m > acquisition.JointRows {
		s := mat.NewDense(count, m, nil)
		for i := range count {
			path, err := b.path("samples", draw, uint64(i))
			if err != nil {
				return nil, err
			}
			v, err := path.Values(ctx, X)
			if err != nil {
				return nil, err
			}
			for j := range v {
				s.Set(i, j, b.Scale.Value(v[j]))
			}
		}
		return []*mat.Dense{s}, nil
	}
	s, err := b.In.Domain.SampleSteps(X, func(X *mat.Dense) (*mat.Dense, error) {
		return b.law.Sample(ctx, b.In.Centered(X), count, b.In.Stream("samples", draw))
	})
	if err != nil {
		return nil, err
	}
	s.Apply(func(_, _ int, v float64) float64 { return b.Scale.Value(v) }, s)
	return []*mat.Dense{s}, nil
}

// Theory is that of the neural tangent kernel, with the evidence of γ.
func (b *belief) Theory(ctx context.Context) (optimizers.Theory, error) {
	return neural.TangentTheory(ctx, b.network, b.x, b.y, b.setup, true)
}

// path samples one posterior function that can be evaluated anywhere: a prior sample, made of the gradient features of
// a wide random network or, for NNGP, that network, and its exact update with the data, f₀(x) + Θ_xX A⁻¹(y + ε − f₀(X)) (Matheron's rule; Wilson
// et al. 2020).
func (b *belief) path(purpose string, keys ...uint64) (acquisition.Draw, error) {
	rng := b.In.Stream(purpose, keys...)
	hidden := make([]int, b.network.Depth)
	for i := range hidden { // deep networks have as many weights between two layers
		hidden[i] = 2000
		if b.In.Params.Has("features") {
			hidden[i] = b.In.Params.Int("features")
		}
		if len(hidden) > 1 {
			hidden[i] = min(hidden[i], 256)
		}
	}
	arch := nn.Arch{Inputs: b.In.Columns(), Hidden: hidden, Activation: nn.Activation(b.network.Unit),
		SigmaW: b.network.SigmaW, SigmaB: b.network.SigmaB}
	if b.setup.Kind == widenet.NNGP {
		arch.ZeroLastBias = b.network.ZeroLastBias
	}
	base := nn.New(arch, rng)
	tangent := arch.NewTangent(rng)
	prior := func(X *mat.Dense) []float64 { return base.JVP(X, tangent) }
	priorGradient := func(x, grad []float64) float64 { return base.JVPGradient(x, tangent, grad) }
	if b.setup.Kind == widenet.NNGP {
		prior, priorGradient = base.Eval, base.Gradient
	}
	var left []float64
	if b.x != nil {
		left = prior(b.x)
	}
	for i, v := range left {
		left[i] = b.y[i] - v + math.Sqrt(b.setup.Noise(i))*rng.NormFloat64()
	}
	change, err := b.law.WithTargets(left)
	if err != nil {
		return acquisition.Draw{}, err
	}
	return acquisition.Draw{
		Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) {
			c := b.In.Centered(X)
			v, err := change.Mean(ctx, c)
			if err != nil {
				return nil, err
			}
			for i, p := range prior(c) {
				v[i] += p
			}
			return v, nil
		},
		Gradient: func(x, grad []float64) float64 {
			centeredRow := b.In.CenteredRow(x)
			byPrior, byData := make([]float64, len(centeredRow)), make([]float64, len(centeredRow))
			v := priorGradient(centeredRow, byPrior) + change.MeanGradient(centeredRow, byData)
			floats.Add(byPrior, byData)
			b.In.CenteredGradient(centeredRow, byPrior, grad)
			return v
		},
	}, nil
}

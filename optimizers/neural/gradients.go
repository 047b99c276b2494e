package neural

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/numfmt"
	"bandscope/functions/rng"
	"bandscope/model/nn"
	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/param"
)

// gradientMethod describes a method whose uncertainty is that of a linear model in the gradients of its network:
// NeuralBO, NeuralUCB or NeuralTS.
//
// The papers write h = √m W_L φ(… φ(W_1 x)) with W ~ N(0, s/m), features g/√m and the penalty mλ‖θ−θ₀‖². After W =
// √(s/m) V that is the network of model/nn with σ_W = √s and σ_b = 0, features ∇_V f/√s and the penalty λs‖V−V₀‖²
// (exactly so for ReLU): one network type serves all. Its 1/√D before the inputs z, which have norms up to √D, makes
// them of order one, as the papers' analyses assume. Unlike in the papers the input has a constant 1 after x unless
// "bias" is off: without it a ReLU network is a straight line along every ray from the center of the cube, where it is
// 0 and certain.
type gradientMethod struct {
	zero   bool   // the last layer starts at 0, and the features are those at θ₀; otherwise they are those at θ_t
	factor string // the parameter that scales σ: ν or γ
	sample bool   // the suggestion minimizes a sample; otherwise the lower bound
}

// How a network is trained, and where the features of earlier data are computed.
const (
	trainSolve    = "gauss-newton"
	trainLinear   = "linear"
	trainSGD      = "sgd"
	trainAdam     = "adam"
	initHe        = "2/m"
	initPlain     = "1/m"
	fullMatrix    = "full"
	diagMatrix    = "diagonal"
	gradsCurrent  = "current"
	gradsOriginal = "published"
)

// gradientParams are the parameters that these methods share.
func gradientParams() []param.Decl {
	keep := param.Without(Params(), "gamma", "auto_gamma", "sigma2", "nu", "last_bias", "trainer", "epochs", "rate",
		"linear", "perturb", "distance", "start",
		"ensemble", "band")
	return append(append(param.WithDefaults(keep,
		"Zhou et al. 2020, §3, and Phan-Trong et al. 2023, §4, use ReLU; smooth units give smooth acquisition functions and got closer to the minimum",
		map[string]any{"activation": string(nn.Tanh)}), optimizers.InputsParam()),
		[]param.Decl{
			{Key: "init", Role: optimizers.RoleAssumption, Label: "initial weights", Kind: param.Choice,
				Default: initHe,
				Choices: []string{initHe, initPlain},
				Help:    "Variance of the weights at initialization, in the papers' scaling by the width m.",
				Source:  "Phan-Trong et al. 2023, §4 (2/m, after He), §7 (1/m)"},
			{Key: "bias", Role: optimizers.RoleAssumption, Label: "constant input", Kind: param.Switch, Default: true,
				Help:   "Add a constant input of 1. The networks of the papers have no biases, so without it they cannot learn a value at the center of the domain.",
				Source: "off: Zhou et al. 2020, §3; Phan-Trong et al. 2023, §4"},
			{Key: "trainer", Label: "trainer", Kind: param.Choice, Default: trainSolve,
				Choices: []string{trainSolve, trainLinear, trainSGD, trainAdam},
				Help:    "Gauss–Newton minimizes the training loss, and linear solves the linearized network exactly. 50 epochs of SGD, as published, stop far from the data.",
				Source:  "Phan-Trong et al. 2023, Alg. 2; sgd: §7"},
			{Key: "minibatch", Label: "SGD batch", Kind: param.Integer, Default: 50, Min: 1, Max: 10000, Log: true,
				Help: "Number of results in one step of SGD.", Source: "Phan-Trong et al. 2023, §7"},
			{Key: "epochs", Label: "epochs", Kind: param.Integer, Default: 50, Min: 1, Max: 1_000_000, Log: true,
				Help: "Number of passes of SGD or Adam over the data.", Source: "Phan-Trong et al. 2023, §7"},
			{Key: "rate", Label: "rate η", Kind: param.Number, Default: 0.001, Min: 1e-6, Max: 1, Log: true,
				Help:   "Learning rate of SGD or Adam, in the scaling of the papers. SGD minimizes the mean loss over its batch.",
				Source: "Phan-Trong et al. 2023, §7"},
		}...)
}

// gradientBelief is a trained network with a linear model of its gradient features.
type gradientBelief struct {
	acquisition.Posterior
	method gradientMethod
	arch   nn.Arch
	start  *nn.Net       // θ₀, the same for the whole session
	mean   *nn.Surrogate // at θ_t
	at     *nn.Net       // where the features are computed
	law    *nn.GradientPosterior
	factor float64 // ν or γ
	data   *nn.Features

	diverged int // trainings that were repeated
}

var (
	_ acquisition.Model   = (*gradientBelief)(nil)
	_ optimizers.Spectrum = (*gradientBelief)(nil)
)

// fitGradients is the Fit of these methods.
func fitGradients(method gradientMethod) func(context.Context, optimizers.Input) (optimizers.Belief, error) {
	return func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b := newGradientBelief(in, method)
		var err error
		b.mean, b.diverged, err = b.train(ctx, in.Data.Len(), true)
		if err != nil {
			return nil, err
		}
		b.at = b.mean.Net
		if method.zero {
			b.at = b.start
		}
		if err := b.features(ctx); err != nil {
			return nil, err
		}
		b.weigh()
		b.law, err = b.posteriorFor(b.data)
		if err != nil {
			return nil, err
		}
		b.Surrogate = gradientMoments{b}
		if !method.sample {
			bound := b.LowerBound(1) // σ contains its factor
			bound.Name = fmt.Sprintf("network − %s σ, lower is better", numfmt.Format(b.factor))
			return acquisition.NewScoredBelief(ctx, b, bound)
		}
		w, err := b.law.Draw(in.Stream("thompson"))
		if err != nil {
			return nil, err
		}
		return acquisition.NewSampledBelief(b, b.function(w), "posterior sample"), nil
	}
}

// posteriorFor is the posterior of the linear model after some of its features were observed.
func (b *gradientBelief) posteriorFor(data *nn.Features) (*nn.GradientPosterior, error) {
	p := b.In.Params
	return nn.NewGradientPosterior(b.arch, data, b.variance(), p.Number("lambda"),
		p.Has("matrix") && p.Choice("matrix") == diagMatrix)
}

// newGradientBelief is the belief with the network at initialization.
func newGradientBelief(in optimizers.Input, mode gradientMethod) *gradientBelief {
	p := in.Params
	b := &gradientBelief{Posterior: acquisition.Posterior{In: in, Scale: in.ScaleOf(0, in.Data.Column(0))},
		method: mode, factor: p.Number(mode.factor)}
	if in.Data.Len() == 0 {
		// later trainings use values that are standardized from the first one on
		b.Scale = in.Scale(0, 0)
	}
	hidden := make([]int, p.Int("depth"))
	for i := range hidden {
		hidden[i] = p.Int("width")
	}
	b.arch = nn.Arch{Inputs: in.Columns(), Hidden: hidden, Activation: nn.Activation(p.Choice("activation")),
		SigmaW: math.Sqrt(b.variance())}
	if p.Switch("bias") {
		b.arch.Inputs++
	}
	b.start = nn.New(b.arch, rng.New(in.Seed, 0, "network"))
	if mode.zero {
		b.start = b.start.ZeroLast()
	}
	return b
}

// variance is s, m times the variance of the initial weights.
func (b *gradientBelief) variance() float64 {
	if b.In.Params.Choice("init") == initPlain {
		return 1
	}
	return 2
}

// inputs encodes points of the unit cube for the network, n×D.
func (b *gradientBelief) inputs(X *mat.Dense) *mat.Dense {
	c := b.In.Centered(X)
	n, d := c.Dims()
	if b.arch.Inputs == d {
		return c
	}
	z := mat.NewDense(n, b.arch.Inputs, nil)
	for i := range n {
		row := z.RawRowView(i)
		copy(row, c.RawRowView(i))
		row[d] = 1
	}
	return z
}

// train trains the network on the first n data, standardized on their own, from θ₀, as the step with n data did; the
// count is that of trainings that diverged and were repeated at a tenth of the rate.
func (b *gradientBelief) train(ctx context.Context, n int, report bool) (*nn.Surrogate, int, error) {
	if n == 0 {
		return &nn.Surrogate{Net: b.start, Nu: 1}, 0, nil
	}
	p := b.In.Params
	x := b.inputs(b.In.Data.X.Slice(0, n, 0, b.In.Dim).(*mat.Dense))
	y := b.In.Data.Column(0)[:n]
	scale := b.In.ScaleOf(0, y)
	y = scale.Apply(y)
	var progress func(done, total int)
	if report {
		progress = func(done, total int) { b.In.Report("training the network", done, total) }
	}
	lambda := p.Number("lambda")
	known, least := Noise(b.In, n, scale.SD, lambda)
	if known != nil {
		lambda = least
		floats.Scale(b.variance(), known)
	}
	sigma2 := lambda * b.variance()
	ratio := float64(p.Int("width")) / b.variance() // of squared weights V to the papers' W
	return TrainWithRetries(p.Number("rate"), func(rate float64) (*nn.Surrogate, error) {
		opt := nn.Options{Sigma2: sigma2, NoiseVars: known, NoPerturbation: true, From: b.start,
			Epochs: p.Int("epochs"), Progress: progress}
		switch name := p.Choice("trainer"); name {
		case trainSGD:
			return nn.SGD(ctx, b.start, x, y, nn.SGDOptions{Sigma2: sigma2, NoiseVars: known, Batch: p.Int("minibatch"),
				Epochs: p.Int("epochs"), Rate: rate * ratio,
				Progress: progress}, rng.New(b.In.Seed, 0, "training", uint64(n)))
		case trainAdam: // whose steps have the length of the rate, whatever the scale of the gradient
			opt.Trainer, opt.Rate = nn.Adam, rate*math.Sqrt(ratio)
		default:
			opt.Linear = name == trainLinear
		}
		return nn.SimpleSMB(ctx, b.arch, x, y, opt, nil)
	})
}

// features computes the gradients at the data: at θ₀ or θ_t, or each at the parameters with which its input was chosen,
// θ_{i−1}, which are computed again by training on every first part of the data.
func (b *gradientBelief) features(ctx context.Context) error {
	n := b.In.Data.Len()
	if n == 0 {
		return nil
	}
	x := b.inputs(b.In.Data.X)
	if !b.In.Params.Has("gradients") || b.In.Params.Choice("gradients") == gradsCurrent {
		b.data = b.at.Features(x)
		return nil
	}
	parts := make([]*nn.Features, n)
	var mutex sync.Mutex
	done := 0
	err := parallel.Try(n, func(i int) error {
		f, again, err := b.train(ctx, i, false)
		if err != nil {
			return err
		}
		parts[i] = f.Net.Features(x.Slice(i, i+1, 0, b.arch.Inputs).(*mat.Dense))
		mutex.Lock()
		defer mutex.Unlock()
		done++
		b.diverged += again
		b.In.Report("training the networks of earlier rounds", done, n)
		return nil
	})
	if err == nil {
		b.data = nn.Stack(parts...)
	}
	return err
}

// weigh gives each observation the weight in U that it has in training, λ over the variance of its noise, if some of
// that is known: U is then λ(I + Σφ_iφ_iᵀ/σ_i²).
func (b *gradientBelief) weigh() {
	lambda := b.In.Params.Number("lambda")
	known, _ := Noise(b.In, b.In.Data.Len(), b.Scale.SD, lambda)
	if known == nil {
		return
	}
	for i, v := range known {
		known[i] = math.Sqrt(lambda / v)
	}
	b.data = b.data.ScaleRows(known)
}

func (b *gradientBelief) Describe() optimizers.Legend {
	symbol := map[string]string{"nu": "ν", "gamma": "γ"}[b.method.factor]
	l := optimizers.Legend{Mean: "trained network", Band: "±2 " + symbol + "σ of the gradient features",
		Samples: "posterior samples",
		Facts:   []optimizers.Fact{{Name: "p parameters", Value: fmt.Sprint(b.weights())}}}
	l = l.WithUncalibrated("It is the uncertainty of a linear model on gradients, uncalibrated.")
	if b.data == nil {
		l.Mean, l.Samples = "untrained network", "prior samples"
		return l
	}
	l.Facts = append(l.Facts, optimizers.Fact{Name: "iterations", Value: fmt.Sprint(b.mean.Report.Iterations)},
		optimizers.Fact{Name: "training RMSE", Value: b.In.Deviation(0, b.mean.Report.RMSE*b.Scale.SD, numfmt.Format)})
	if b.diverged > 0 {
		l.Warnings = append(l.Warnings, fmt.Sprintf("%s diverged and ran again at a tenth of the learning rate",
			numfmt.Count(int(b.diverged), "training")))
	}
	return l
}

// weights is the number of parameters of the network without its biases, which are not used.
func (b *gradientBelief) weights() int {
	units := 1
	for _, m := range b.arch.Hidden {
		units += m
	}
	return b.arch.Params() - units
}

// gradientMoments are the network and the σ for exploration, with its factor.
type gradientMoments struct{ *gradientBelief }

var (
	_ acquisition.Differentiable  = gradientMoments{}
	_ acquisition.KrigingBeliever = gradientMoments{}
)

func (b gradientMoments) Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error) {
	z := b.inputs(X)
	sd, err = b.law.SD(ctx, b.at, z)
	if err != nil {
		return nil, nil, err
	}
	for i := range sd {
		sd[i] *= b.factor
	}
	return b.mean.Eval(z), sd, nil
}

// Noise is the standard deviation of the noise of the linear model: λ is its variance, whatever the factor on σ.
func (b gradientMoments) Noise() float64 { return math.Sqrt(b.In.Params.Number("lambda")) }

// Believe adds features to the observed ones: the network stays the same, and its uncertainty there decreases.
func (b gradientMoments) Believe(_ context.Context, X *mat.Dense) (acquisition.Moments, error) {
	data := b.at.Features(b.inputs(X))
	if b.data != nil {
		data = nn.Stack(b.data, data)
	}
	law, err := b.posteriorFor(data)
	if err != nil {
		return nil, err
	}
	return gradientMoments{&gradientBelief{Posterior: acquisition.Posterior{In: b.In, Scale: b.Scale}, method: b.method,
		arch: b.arch, start: b.start, mean: b.mean, at: b.at, law: law,
		factor: b.factor, data: data}}, nil
}

func (b gradientMoments) Gradient(x, dmean, dsd []float64) (mean, sd float64) {
	z := b.inputs(mat.NewDense(1, len(x), x)).RawRowView(0)
	byMean, bySD := make([]float64, len(z)), make([]float64, len(z))
	mean, sd = b.mean.Gradient(z, byMean), b.factor*b.law.Gradient(b.at, z, bySD)
	floats.Scale(b.factor, bySD)
	b.In.CenteredGradient(z, byMean, dmean)
	b.In.CenteredGradient(z, bySD, dsd)
	return mean, sd
}

// function is the network plus one sample of the linear model.
func (b *gradientBelief) function(w nn.Tangent) acquisition.Draw {
	return acquisition.Draw{
		Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			z := b.inputs(X)
			v := b.mean.Eval(z)
			for i, d := range b.at.JVP(z, w) {
				v[i] += b.factor * d
			}
			return v, nil
		},
		Gradient: func(x, grad []float64) float64 {
			z := b.inputs(mat.NewDense(1, len(x), x)).RawRowView(0)
			mean, part := make([]float64, len(z)), make([]float64, len(z))
			v := b.mean.Gradient(z, mean) + b.factor*b.at.JVPGradient(z, w, part)
			floats.AddScaled(mean, b.factor, part)
			b.In.CenteredGradient(z, mean, grad)
			return v
		},
	}
}

// Samples are joint samples, each a function that is defined everywhere.
func (b *gradientBelief) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	n, _ := X.Dims()
	s := mat.NewDense(count, n, nil)
	for i := range count {
		w, err := b.law.Draw(b.In.Stream("samples", draw, uint64(i)))
		if err != nil {
			return nil, err
		}
		v, err := b.function(w).Values(ctx, X)
		if err != nil {
			return nil, err
		}
		for j := range v {
			s.Set(i, j, b.Scale.Value(v[j]))
		}
	}
	return []*mat.Dense{s}, nil
}

// Theory is the spectrum of the kernel g·g'/m of the features at the data, with λ as the noise.
func (b *gradientBelief) Theory(context.Context) (optimizers.Theory, error) {
	if b.data == nil {
		return optimizers.Theory{}, acquisition.ErrNoData
	}
	k := b.data.Gram()
	k.Scale(1/b.variance(), k)
	lambda := b.In.Params.Number("lambda")
	return acquisition.NewTheory("kernel of the gradient features", mat.NewSymDense(b.data.Len(), k.RawMatrix().Data),
		lambda, "λ = "+numfmt.Exact(lambda))
}

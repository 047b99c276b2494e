package optimizers

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/param"
	"bandscope/model"
	"bandscope/model/kernel"
	"bandscope/model/law"
	"bandscope/model/nn"
)

// ntkTS is Thompson sampling from the posterior under the neural tangent kernel, which PosteriorSMB tends to at infinite width.
var ntkTS = Spec{
	Name: "ntk-ts", Title: "NTK-TS", Family: "neural tangent kernel",
	Summary: "Thompson sampling with the Gaussian process of infinitely wide networks",
	Source:  "Paria et al. 2022, App. D",
	Params: append(append([]param.Decl{
		{Key: "features", Label: "features of a path", Kind: param.Integer, Default: 2000, Min: 50, Max: 20000, Log: true,
			Help:   "Width of the random network that the prior part of a draw is made of; its update by the data is exact.",
			Source: "paths after Wilson et al. 2020"}}, ntkParams()...), designParams()...),
	Fit: func(ctx context.Context, in Input) (Belief, error) {
		b, err := fitNTK(ctx, in)
		if err != nil {
			return nil, err
		}
		path, err := b.path(ctx, "thompson")
		return &ntkSampler{ntkBelief: b, chosen: path}, err
	},
}

// ntkUCB is the confidence bound of the posterior under the neural tangent kernel.
var ntkUCB = Spec{
	Name: "ntk-ucb", Title: "NTK-UCB", Family: "neural tangent kernel",
	Summary: "lower confidence bound with the Gaussian process of infinitely wide networks",
	Source:  "Paria et al. 2022, App. D; Srinivas et al. 2010",
	Params:  append(append(betaParams(), ntkParams()...), designParams()...),
	Fit: func(ctx context.Context, in Input) (Belief, error) {
		b, err := fitNTK(ctx, in)
		if err != nil {
			return nil, err
		}
		root := math.Sqrt(betaOf(in))
		b.acquisition, b.lower = fmt.Sprintf("mean − %.2f sd, lower is better", root), true
		b.score = func(mean, sd float64) float64 { return root*sd - mean }
		b.shown = func(v float64) float64 { return b.scale.Value(-v) }
		return b, nil
	},
}

// uncertainty looks where the posterior is the least certain, whatever the values are: it learns the function rather than its minimum.
var uncertainty = Spec{
	Name: "uncertainty", Title: "Uncertainty sampling", Family: "neural tangent kernel",
	Summary: "the point of the greatest posterior variance under the neural tangent kernel",
	Source:  "Dai et al. 2022, App. B",
	Params:  append(ntkParams(), designParams()...),
	Fit: func(ctx context.Context, in Input) (Belief, error) {
		b, err := fitNTK(ctx, in)
		if err != nil {
			return nil, err
		}
		b.acquisition = "posterior standard deviation, higher is better"
		b.score = func(_, sd float64) float64 { return sd }
		b.shown = func(v float64) float64 { return v * b.scale.SD }
		return b, nil
	},
}

// ntkParams are the parameters of the kernel.
func ntkParams() []param.Decl {
	keep := without(networkParams(), "nu", "width", "trainer", "epochs", "rate", "linear", "perturb", "distance", "start", "ensemble", "band")
	keep = changed(keep, "closed-form kernel; γ as a Gaussian process fits its lengthscale", map[string]any{"activation": string(nn.Erf), "auto_gamma": true})
	return keep
}

// ntkBelief is the posterior under the neural tangent kernel. Values are standardized; what leaves it is in the objective's units.
type ntkBelief struct {
	absent
	in      Input
	scale   model.Standardizer
	network kernel.Network
	sigma2  float64
	law     *law.Law
	x       *mat.Dense // as networks see them; nil without data
	y       []float64

	acquisition string                         // what it is
	lower       bool                           // lower is better as it is shown
	score       func(mean, sd float64) float64 // the acquisition, higher is better
	shown       func(v float64) float64        // the acquisition as it is shown

	once       sync.Mutex // holds the search for the suggestion
	suggestion *Suggestion
}

func fitNTK(ctx context.Context, in Input) (*ntkBelief, error) {
	p := in.Params
	b := &ntkBelief{in: in, scale: model.Standardize(in.Data.Column(0)), sigma2: p.Number("sigma2"),
		network: kernel.Network{Unit: kernel.Unit(p.Choice("activation")), Depth: p.Int("depth"), SigmaW: p.Number("gamma"), SigmaB: p.Number("gamma"),
			ZeroLastBias: p.Choice("last_bias") == "zero"}}
	if in.Data.X != nil {
		b.x, b.y = centered(in.Data.X), b.scale.Apply(in.Data.Column(0))
	}
	if p.Switch("auto_gamma") && len(b.y) > 1 {
		in.Report("choosing γ by marginal likelihood", 0, 0)
		e, err := law.FitGamma(ctx, b.network, b.sigma2, 1, b.x, b.y)
		if err != nil {
			return b, err
		}
		b.network.SigmaW, b.network.SigmaB = e.Best, e.Best
	}
	var err error
	b.law, err = law.New(ctx, b.network, law.Setup{Kind: law.Posterior, Sigma2: b.sigma2}, b.x, b.y)
	return b, err
}

func (b *ntkBelief) Legend() Legend {
	l := Legend{Mean: "mean", Band: "±2 sd of the posterior under the NTK", Samples: "posterior samples", Acquisition: b.acquisition, Lower: b.lower,
		Facts: []Fact{{"γ", fmt.Sprintf("%.3g", b.network.SigmaW)}}}
	if b.x == nil {
		l.Band, l.Samples = "±2 sd of the NTK prior", "prior samples"
	}
	if j := b.law.Jitter(); j > 0 {
		l.Warnings = append(l.Warnings, fmt.Sprintf("jitter %.0e was added to the kernel matrix", j))
	}
	return l
}

// Predict returns the posterior band.
func (b *ntkBelief) Predict(ctx context.Context, X *mat.Dense) ([]Band, error) {
	mean, sd, err := b.law.Predict(ctx, centered(X))
	if err != nil {
		return nil, err
	}
	for i := range mean {
		mean[i], sd[i] = b.scale.Value(mean[i]), sd[i]*b.scale.SD
	}
	return []Band{{mean, sd}}, nil
}

// Samples are joint draws; at more inputs than a joint draw is made at they are paths.
func (b *ntkBelief) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	m, _ := X.Dims()
	if m > jointRows {
		s := mat.NewDense(count, m, nil)
		for i := range count {
			path, err := b.path(ctx, "samples", draw, uint64(i))
			if err != nil {
				return nil, err
			}
			v, err := path(ctx, X)
			if err != nil {
				return nil, err
			}
			for j := range v {
				s.Set(i, j, b.scale.Value(v[j]))
			}
		}
		return []*mat.Dense{s}, nil
	}
	s, err := b.law.Sample(ctx, centered(X), count, b.in.Stream("samples", draw))
	if err != nil {
		return nil, err
	}
	s.Apply(func(_, _ int, v float64) float64 { return b.scale.Value(v) }, s)
	return []*mat.Dense{s}, nil
}

// Theory is that of the neural tangent kernel, with the evidence of γ.
func (b *ntkBelief) Theory(ctx context.Context) (Theory, error) {
	return ntkTheory(ctx, b.network, b.x, b.y, b.sigma2, 1, true)
}

// Acquisition is the method's, as it is shown.
func (b *ntkBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	v, err := b.values(ctx, X)
	for i := range v {
		v[i] = b.shown(v[i])
	}
	return v, err
}

// values is the acquisition, higher is better.
func (b *ntkBelief) values(ctx context.Context, X *mat.Dense) ([]float64, error) {
	mean, sd, err := b.law.Predict(ctx, centered(X))
	for i := range mean {
		mean[i] = b.score(mean[i], sd[i])
	}
	return mean, err
}

func (b *ntkBelief) Suggest(ctx context.Context) (Suggestion, error) {
	return b.suggest(ctx, b.values, b.shown)
}

// suggest maximizes a target once; asked again it returns the same.
func (b *ntkBelief) suggest(ctx context.Context, values func(context.Context, *mat.Dense) ([]float64, error), shown func(float64) float64) (Suggestion, error) {
	b.once.Lock()
	defer b.once.Unlock()
	if b.suggestion != nil {
		return *b.suggestion, nil
	}
	x, value, err := Maximize(ctx, b.in.Dim, Target{Values: values}, b.in.Stream("acquisition"), incumbents(b.in.Data, 3))
	if err != nil {
		return Suggestion{}, err
	}
	at := mat.NewDense(1, b.in.Dim, x)
	band, err := b.Predict(ctx, at)
	if err != nil {
		return Suggestion{}, err
	}
	b.suggestion = &Suggestion{X: at, Mean: band[0].Mean, SD: band[0].SD, Acquisition: []float64{shown(value)}, Note: repeatNote(b.in.Data, x)}
	return *b.suggestion, nil
}

// path draws one posterior function that can be evaluated anywhere: a draw from the prior, made of the gradient features of a wide random
// network, and its exact update by the data, f₀(x) + Θ_xX A⁻¹(y + ε − f₀(X)) (Matheron's rule; Wilson et al. 2020).
func (b *ntkBelief) path(ctx context.Context, purpose string, more ...uint64) (func(context.Context, *mat.Dense) ([]float64, error), error) {
	rng := b.in.Stream(purpose, more...)
	hidden := make([]int, b.network.Depth)
	for i := range hidden { // deep networks have as many weights between two layers
		hidden[i] = 2000
		if b.in.Params.Has("features") {
			hidden[i] = b.in.Params.Int("features")
		}
		if len(hidden) > 1 {
			hidden[i] = min(hidden[i], 256)
		}
	}
	arch := nn.Arch{Inputs: b.in.Dim, Hidden: hidden, Activation: nn.Activation(b.network.Unit), SigmaW: b.network.SigmaW, SigmaB: b.network.SigmaB}
	base := nn.New(arch, rng)
	tangent := arch.NewTangent(rng)
	prior := func(X *mat.Dense) []float64 { return base.JVP(X, tangent) }
	if b.x == nil {
		return func(_ context.Context, X *mat.Dense) ([]float64, error) { return prior(centered(X)), nil }, nil
	}
	left := prior(b.x)
	for i, v := range left {
		left[i] = b.y[i] - v + math.Sqrt(b.sigma2)*rng.NormFloat64()
	}
	update, err := law.New(ctx, b.network, law.Setup{Kind: law.Posterior, Sigma2: b.sigma2}, b.x, left)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, X *mat.Dense) ([]float64, error) {
		c := centered(X)
		v, err := update.Mean(ctx, c)
		if err != nil {
			return nil, err
		}
		for i, p := range prior(c) {
			v[i] += p
		}
		return v, nil
	}, nil
}

// ntkSampler chooses the minimum of one posterior draw.
type ntkSampler struct {
	*ntkBelief
	chosen func(context.Context, *mat.Dense) ([]float64, error)
}

func (b *ntkSampler) Legend() Legend {
	l := b.ntkBelief.Legend()
	l.Used, l.Acquisition, l.Lower = "the draw that chooses", "the posterior draw, lower is better", true
	return l
}

// Used is the draw that the suggestion minimizes.
func (b *ntkSampler) Used(ctx context.Context, X *mat.Dense) ([][]float64, error) {
	v, err := b.Acquisition(ctx, X)
	return [][]float64{v}, err
}

// Acquisition is the draw, in the objective's units.
func (b *ntkSampler) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	v, err := b.chosen(ctx, X)
	for i := range v {
		v[i] = b.scale.Value(v[i])
	}
	return v, err
}

func (b *ntkSampler) Suggest(ctx context.Context) (Suggestion, error) {
	return b.suggest(ctx, func(ctx context.Context, X *mat.Dense) ([]float64, error) {
		v, err := b.chosen(ctx, X)
		for i := range v {
			v[i] = -v[i]
		}
		return v, err
	}, func(v float64) float64 { return b.scale.Value(-v) })
}

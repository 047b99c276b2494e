package neural

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/numfmt"
	"bandscope/model/linear"
	"bandscope/model/nn"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// LinTS samples a linear function of a trained network's last features, and minimizes it.
var LinTS = optimizers.Register(optimizers.Spec{
	Name: "neural-lin-ts", Title: "NeuralLinTS", Family: "linear head on a network", Rank: 1,
	Pending: optimizers.PendingDraws, Errors: optimizers.ErrorsInHead, Limits: optimizers.LimitsByDraws,
	Levels: optimizers.LevelsInNetwork, Constraints: optimizers.FeasibleOnly,
	Summary: "Thompson sampling with Bayesian linear regression on the last features of a network",
	Source:  "Riquelme et al. 2018; as the baseline of Paria et al. 2022, App. F.1 and F.2",
	Params:  append(linParams(), search.Params()...),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, err := fitLinear(ctx, in)
		if err != nil {
			return nil, err
		}
		return acquisition.NewSampledBelief(b, DrawFor(in, b.net.WithHead(b.head.Draw(in.Stream("thompson")))),
			"sampled linear head"), nil
	},
})

// LinUCB is the confidence bound of the same regression.
var LinUCB = optimizers.Register(optimizers.Spec{
	Name: "neural-lin-ucb", Title: "NeuralLinUCB", Family: "linear head on a network", Rank: 2,
	Pending: optimizers.PendingBand, Errors: optimizers.ErrorsInHead, Limits: optimizers.LimitsByBounds,
	Levels: optimizers.LevelsInNetwork, Constraints: optimizers.FeasibleOnly,
	Summary: "lower confidence bound with Bayesian linear regression on the last features of a network",
	Source:  "Xu et al. 2020, as described in Paria et al. 2022, App. F.1",
	Params:  append(append(acquisition.BetaParams(), linParams()...), search.Params()...),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, err := fitLinear(ctx, in)
		if err != nil {
			return nil, err
		}
		return acquisition.NewScoredBelief(ctx, b, b.LowerBound(math.Sqrt(acquisition.Beta(in))))
	},
})

// linParams are the parameters of the network and of the regression.
func linParams() []param.Decl {
	paper := "Paria et al. 2022, App. F.1 and F.2"
	return append([]param.Decl{
		{Key: "prior", Role: optimizers.RoleAssumption, Label: "γ prior variance", Kind: param.Number, Default: 10.0,
			Min: 1e-3, Max: 1e5, Log: true,
			Help:   "Prior variance of each weight of the linear head. The features are the last activations divided by the square root of their number.",
			Source: paper + ": tuned in {10, 100, 1000}"},
		{Key: "noise2", Role: optimizers.RoleAssumption, Label: "σ² noise variance", Kind: param.Number,
			Default: 0.001, Min: 1e-8, Max: 10, Log: true,
			Help:   "Noise variance of the regression, for standardized targets.",
			Source: paper + ": tuned in {0.001, 0.01, 0.1}"}},
		param.WithDefaults(param.Without(Params(), "auto_gamma", "sigma2", "nu", "linear", "perturb", "distance",
			"start", "ensemble", "band"),
			paper, map[string]any{"gamma": 1.0, "width": 500})...)
}

// linBelief is the posterior of a Bayesian linear regression on the last features of a trained network.
type linBelief struct {
	acquisition.Posterior
	net  *nn.Net
	head *linear.Head
	note optimizers.Fact

	quadratic bool // the features include a bowl
}

// trainFeatures trains the network whose features the regression uses, with a penalty decay on its distance from
// initialization; it returns the data encoded for networks, nil without data.
func trainFeatures(ctx context.Context, in optimizers.Input, decay float64) (*linBelief, *mat.Dense, []float64, error) {
	b := &linBelief{Posterior: acquisition.Posterior{In: in, Scale: in.Scale(0, in.Data.Len())}}
	p := in.Params
	var x *mat.Dense
	y := b.Scale.Apply(in.Data.Column(0))
	if in.Data.X != nil {
		x = in.Centered(in.Data.X)
	}
	f, err := nn.SimpleSMB(ctx, Arch(in), x, y,
		nn.Options{Trainer: nn.Trainer(p.Choice("trainer")), Epochs: p.Int("epochs"), Rate: p.Number("rate"),
			Sigma2: decay, NoPerturbation: true, Progress: func(done, total int) {
				in.Report("training the network", done, total)
			}}, in.Stream("network"))
	if err != nil {
		return nil, nil, nil, fmt.Errorf("training the network: %w", err)
	}
	b.net = f.Net
	b.note = optimizers.Fact{Name: "training RMSE", Value: b.In.Deviation(0, f.Report.RMSE*b.Scale.SD, numfmt.Format)}
	return b, x, y, nil
}

func fitLinear(ctx context.Context, in optimizers.Input) (*linBelief, error) {
	b, x, y, err := trainFeatures(ctx, in, 0)
	if err != nil {
		return nil, err
	}
	var phi *mat.Dense
	if x != nil {
		phi = b.net.HiddenFeatures(x)
	}
	p := in.Params
	b.head, err = linear.NewFixedNoise(phi, y, b.errors(), p.Int("width")+1, p.Number("prior"), p.Number("noise2"))
	b.Surrogate = headMoments{in, b.net, b.head}
	return b, err
}

// errors are the known standard deviations of the noise of the data, relative to that of the targets.
func (b *linBelief) errors() []float64 {
	known := b.In.Errors(0)
	for i := range known {
		known[i] /= b.Scale.SD
	}
	return known
}

func (b *linBelief) Describe() optimizers.Legend {
	l := optimizers.Legend{Mean: "mean", Band: "±2 sd of the linear head's posterior", Samples: "sampled linear heads",
		Facts: []optimizers.Fact{b.note}}
	if b.In.Data.Len() == 0 {
		l.Band = "±2 sd of the linear head's prior"
		l.Samples = "prior samples"
		l.Facts = nil
	}
	return l.WithUncalibrated("It is the uncertainty of the last layer only, uncalibrated.")
}

// Samples are sampled heads.
func (b *linBelief) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	n, _ := X.Dims()
	out := mat.NewDense(count, n, nil)
	phi := b.features(X)
	for i := range count {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w := b.head.Draw(b.In.Stream("samples", draw, uint64(i)))
		f := mat.NewVecDense(n, nil)
		f.MulVec(phi, mat.NewVecDense(len(w), w))
		for j := range n {
			out.Set(i, j, b.Scale.Value(f.AtVec(j)))
		}
	}
	return []*mat.Dense{out}, nil
}

// headMoments are the moments of a linear head over the unit cube, with their slopes: the variance φᵀSφ has the slope
// 2(Sφ)·∂φ, which is that of a head with weights Sφ.
type headMoments struct {
	in   optimizers.Input
	net  *nn.Net
	head *linear.Head
}

var _ acquisition.JointPosterior = headMoments{}

func (h headMoments) Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	mean, sd = h.head.Predict(h.features(X))
	return mean, sd, nil
}

func (h headMoments) features(X *mat.Dense) *mat.Dense { return h.net.HiddenFeatures(h.in.Centered(X)) }

func (h headMoments) Noise() float64 { return math.Sqrt(h.head.Noise()) }

func (h headMoments) CrossCovariance(Z *mat.Dense) (acquisition.CrossCovariance, error) {
	return newHeadCovariance(h.in, h.net, h.head, h.features, Z), nil
}

func (h headMoments) LeaveOneOut() (mean, sd []float64, err error) { return h.head.LeaveOneOut() }

func (h headMoments) Gradient(x, dmean, dsd []float64) (mean, sd float64) {
	centeredRow := h.in.CenteredRow(x)
	byMean, byVariance := make([]float64, len(centeredRow)), make([]float64, len(centeredRow))
	mean = h.net.WithHead(h.head.Weights()).Gradient(centeredRow, byMean)
	variance := h.net.WithHead(h.head.Covariance(h.net.HiddenFeatures(mat.NewDense(1, len(centeredRow), centeredRow)).RawRowView(0))).
		Gradient(centeredRow, byVariance)
	sd = math.Sqrt(math.Max(variance, 0))
	h.in.CenteredGradient(centeredRow, byMean, dmean)
	h.in.CenteredGradient(centeredRow, byVariance, dsd)
	floats.Scale(1/math.Max(sd, 1e-12), dsd) // (2·Sφ·∂φ)/(2σ)
	return mean, sd
}

// headCovariance is the covariance of a linear head's values with those at some places, φᵀSφ_j: that is a linear
// function of the features with the weights Sφ_j.
type headCovariance struct {
	in       optimizers.Input
	net      *nn.Net
	features func(X *mat.Dense) *mat.Dense
	weights  *mat.Dense // Sφ_j, a row a place
}

func newHeadCovariance(in optimizers.Input, net *nn.Net, head *linear.Head, features func(X *mat.Dense) *mat.Dense,
	Z *mat.Dense) headCovariance {
	t := headCovariance{in: in, net: net, features: features, weights: features(Z)}
	places, _ := t.weights.Dims()
	for j := range places {
		t.weights.SetRow(j, head.Covariance(t.weights.RawRowView(j)))
	}
	return t
}

func (t headCovariance) Covariances(X *mat.Dense) *mat.Dense {
	var c mat.Dense
	c.Mul(t.features(X), t.weights.T())
	return &c
}

// Gradient has the slope of the bowl too, where there is one behind the network's features.
func (t headCovariance) Gradient(x, cov []float64, slopes *mat.Dense) {
	cube := mat.NewDense(1, len(x), x)
	centeredRow := t.in.CenteredRow(x)
	phi := t.features(cube).RawRowView(0)
	hidden := len(t.net.HiddenFeatures(mat.NewDense(1, len(centeredRow), centeredRow)).RawRowView(0))
	byColumn := make([]float64, len(centeredRow))
	for j := range cov {
		w := t.weights.RawRowView(j)
		cov[j] = floats.Dot(w, phi)
		row := slopes.RawRowView(j)
		t.net.WithHead(w[:hidden]).Gradient(centeredRow, byColumn)
		if len(w) > hidden {
			addBowl(centeredRow, w[hidden], byColumn)
		}
		t.in.CenteredGradient(centeredRow, byColumn, row)
	}
}

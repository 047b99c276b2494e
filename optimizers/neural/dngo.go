package neural

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/linear"
	"bandscope/model/nn"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// DNGO is adaptive basis regression: a small network is trained, its last layer replaced by a Bayesian linear
// regression whose variances maximize the evidence, and the expected improvement maximized.
var DNGO = optimizers.Register(optimizers.Spec{
	Name: "dngo", Title: "DNGO", Family: "linear head on a network", Rank: 3,
	Pending: optimizers.PendingFantasies, Errors: optimizers.ErrorsInHead, Limits: optimizers.LimitsByProbability,
	Levels: optimizers.LevelsInNetwork, Constraints: optimizers.FeasibleOnly,
	Summary: "expected improvement with Bayesian linear regression on the features of a small network",
	Source:  "Snoek et al. 2015; as the baseline of Phan-Trong et al. 2023, §7",
	Params: append(append([]param.Decl{
		{Key: "decay", Role: optimizers.RoleAssumption, Label: "weight decay", Kind: param.Number, Default: 1e-4,
			Min: 0, Max: 10,
			Help:   "Weight of the penalty on the distance from initialization, for standardized targets.",
			Source: "Snoek et al. 2015, §3 (weight decay)"},
		{Key: "quadratic", Role: optimizers.RoleAssumption, Label: "quadratic mean", Kind: param.Switch, Default: false,
			Help:   "Add a bowl around the center of the domain, Σ(x − ½)², as a feature of the regression.",
			Source: "Snoek et al. 2015, §3.3"}},
		param.WithDefaults(param.Without(Params(), "auto_gamma", "sigma2", "nu", "linear", "perturb", "distance",
			"start", "ensemble", "band"),
			"Snoek et al. 2015, §3", map[string]any{"gamma": 1.5, "width": 50, "depth": 3, "trainer": string(nn.Adam),
				"epochs": 1000, "rate": 0.01})...),
		search.Params()...),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, err := fitDNGO(ctx, in)
		if err != nil {
			return nil, err
		}
		best, err := b.Incumbent(ctx, b.head.Noise())
		if err != nil {
			return nil, err
		}
		return acquisition.NewScoredBelief(ctx, b, b.ExpectedImprovement(best))
	},
})

// dngoMinNoise is the smallest noise variance of the regression, for standardized targets.
const dngoMinNoise = 1e-6

func fitDNGO(ctx context.Context, in optimizers.Input) (*linBelief, error) {
	p := in.Params
	b, x, y, err := trainFeatures(ctx, in, p.Number("decay"))
	if err != nil {
		return nil, err
	}
	b.quadratic = p.Switch("quadratic")
	prior, noise := 1.0, 1e-3
	var phi *mat.Dense
	m := p.Int("width") + 1
	if b.quadratic {
		m++
	}
	if x != nil {
		phi = b.features(in.Data.X)
		prior, noise, err = linear.FitEvidence(ctx, phi, y, dngoMinNoise)
		if err != nil {
			return nil, fmt.Errorf("fitting the regression: %w", err)
		}
	}
	b.head, err = linear.NewFixedNoise(phi, y, b.errors(), m, prior, noise)
	if err != nil {
		return nil, err
	}
	b.Surrogate = basisMoments{b}
	if !b.quadratic {
		b.Surrogate = headMoments{in, b.net, b.head}
	}
	return b, nil
}

// features are the features of the network, with the bowl if requested: rows of X are points of the unit cube.
func (b *linBelief) features(X *mat.Dense) *mat.Dense {
	c := b.In.Centered(X)
	phi := b.net.HiddenFeatures(c)
	if !b.quadratic {
		return phi
	}
	n, m := phi.Dims()
	out := mat.NewDense(n, m+1, nil)
	for i := range n {
		bowl := 0.0
		for _, v := range c.RawRowView(i) {
			bowl += (v / 2) * (v / 2)
		}
		copy(out.RawRowView(i), phi.RawRowView(i))
		out.Set(i, m, bowl)
	}
	return out
}

// basisMoments are the moments of the regression with the bowl among its features.
type basisMoments struct{ *linBelief }

var _ acquisition.JointPosterior = basisMoments{}

func (b basisMoments) Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	mean, sd = b.head.Predict(b.features(X))
	return mean, sd, nil
}

func (b basisMoments) Noise() float64 { return math.Sqrt(b.head.Noise()) }

func (b basisMoments) CrossCovariance(Z *mat.Dense) (acquisition.CrossCovariance, error) {
	return newHeadCovariance(b.In, b.net, b.head, b.features, Z), nil
}

func (b basisMoments) LeaveOneOut() (mean, sd []float64, err error) { return b.head.LeaveOneOut() }

// Gradient adds the gradient of the bowl to that of the network.
func (b basisMoments) Gradient(x, dmean, dsd []float64) (mean, sd float64) {
	centeredRow := b.In.CenteredRow(x)
	byMean, byVariance := make([]float64, len(centeredRow)), make([]float64, len(centeredRow))
	phi := b.features(mat.NewDense(1, len(x), x)).RawRowView(0)
	m := len(phi) - 1
	w, s := b.head.Weights(), b.head.Covariance(phi)
	mean = b.net.WithHead(w[:m]).Gradient(centeredRow, byMean) + w[m]*phi[m]
	variance := b.net.WithHead(s[:m]).Gradient(centeredRow, byVariance) + s[m]*phi[m]
	sd = math.Sqrt(math.Max(variance, 0))
	addBowl(centeredRow, w[m], byMean)
	addBowl(centeredRow, s[m], byVariance)
	b.In.CenteredGradient(centeredRow, byMean, dmean)
	b.In.CenteredGradient(centeredRow, byVariance, dsd)
	for j := range dsd {
		dsd[j] /= math.Max(sd, 1e-12)
	}
	return mean, sd
}

// addBowl adds the gradient of a bowl |c|²/4 with a weight, with respect to the encoded inputs.
func addBowl(c []float64, weight float64, grad []float64) { floats.AddScaled(grad, weight/2, c) }

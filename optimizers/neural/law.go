package neural

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/numfmt"
	"bandscope/model/kernel"
	"bandscope/model/widenet"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
)

// ensembleBand is the choice of a band of trained networks; the others are distributions at infinite width.
const ensembleBand = "ensemble"

// lawNames describes each distribution.
var lawNames = map[widenet.Kind]string{
	widenet.Trained:        "trained networks of infinite width (Prop. 1)",
	widenet.Posterior:      "the posterior under the NTK (Prop. 2)",
	widenet.NoPerturbation: "infinite width, targets not perturbed",
	widenet.NoDistance:     "infinite width, distance not penalized",
	widenet.WarmStart:      "infinite width, warm start: no spread",
	widenet.FiniteTime:     "infinite width after t steps at rate η",
	widenet.NNGP:           "the posterior under the NNGP kernel: only the last layer learns",
}

// bandMeanings says what each band means, after its name. The shares of the domain are those of the 95 % band after 8
// to 20 evaluations of searches, on average; TestCoverageOfRecalibration measures them.
var bandMeanings = map[string]string{
	ensembleBand:              "It is the spread of training, uncalibrated: in searches it covers about half of the domain.",
	string(widenet.Trained):   "It is the spread of training, uncalibrated: in searches it covers a third of the domain.",
	string(widenet.Posterior): "It is uncalibrated: in searches it covers three quarters of the domain.",
	string(widenet.NNGP):      "It is uncalibrated: in searches it covers a third of the domain.",
}

// bandChoices lists the choices of the band of a trained network.
func bandChoices() []string {
	return []string{ensembleBand, string(widenet.Trained), string(widenet.Posterior), string(widenet.NoPerturbation),
		string(widenet.NoDistance), string(widenet.WarmStart),
		string(widenet.FiniteTime), string(widenet.NNGP)}
}

// law computes the distribution at infinite width for the band, nil for an ensemble. Without data it is the
// distribution at initialization.
func (b *trainedBelief) law(ctx context.Context) (*widenet.Model, error) {
	kind := b.in.Params.Choice("band")
	if kind == ensembleBand {
		return nil, nil
	}
	b.in.Report("computing the infinite-width limit", 0, 0)
	p := b.in.Params
	setup := b.setup()
	setup.Kind = widenet.Kind(kind)
	if p.Has("epochs") {
		setup.Time = p.Number("rate") * float64(p.Int("epochs"))
	}
	return widenet.New(ctx, b.infiniteWidth(), setup, b.x, b.y)
}

// setup is the setup of the distributions: the noise is that of training, except for networks without noise, which
// interpolate all data.
func (b *trainedBelief) setup() widenet.Setup {
	s := widenet.Setup{Nu: b.in.Params.Number("nu")}
	if b.isRegularized() {
		opt := b.options()
		s.Sigma2, s.NoiseVars = opt.Sigma2, opt.NoiseVars
	}
	return s
}

// infiniteWidth is the network at infinite width.
func (b *trainedBelief) infiniteWidth() kernel.Network {
	return kernel.Network{Unit: kernel.Unit(b.arch.Activation), Depth: len(b.arch.Hidden), SigmaW: b.arch.SigmaW,
		SigmaB:       b.arch.SigmaB,
		ZeroLastBias: b.arch.ZeroLastBias}
}

// evidence is the marginal likelihood of the data over γ.
func (b *trainedBelief) evidence(ctx context.Context) (widenet.Evidence, error) {
	return widenet.FitGamma(ctx, b.infiniteWidth(), b.setup(), b.x, b.y)
}

// lawBand is the band of a distribution, in the objective's units; err is that of computing it.
func (b *trainedBelief) lawBand(ctx context.Context, l *widenet.Model, X *mat.Dense, err error) ([]optimizers.Band,
	error) {
	if err != nil {
		return nil, err
	}
	mean, sd, err := l.Predict(ctx, b.in.Centered(X))
	if err != nil {
		return nil, err
	}
	for i := range sd {
		sd[i] *= b.scale.SD
	}
	return []optimizers.Band{{Mean: b.unstandardize(mean), SD: sd}}, nil
}

// lawSamples are joint samples of a distribution, in the objective's units; err is that of computing it.
func (b *trainedBelief) lawSamples(ctx context.Context, l *widenet.Model, X *mat.Dense, count int, draw uint64,
	err error) ([]*mat.Dense, error) {
	if err != nil {
		return nil, err
	}
	s, err := b.in.Domain.SampleSteps(X, func(X *mat.Dense) (*mat.Dense, error) {
		return l.Sample(ctx, b.in.Centered(X), count, b.in.Stream("law samples", draw))
	})
	if err != nil {
		return nil, err
	}
	b.unstandardize(s.RawMatrix().Data)
	return []*mat.Dense{s}, nil
}

// minTheoryNoise2 replaces a noise variance of 0, with which every observation would give infinite information.
const minTheoryNoise2 = 1e-6

// Theory is the spectrum of the neural tangent kernel at infinite width, with the evidence of γ if the method has one.
func (b *trainedBelief) Theory(ctx context.Context) (optimizers.Theory, error) {
	return TangentTheory(ctx, b.infiniteWidth(), b.x, b.y, b.setup(), b.in.Params.Has("auto_gamma"))
}

// TangentTheory is the spectrum of a neural tangent kernel (for NNGP, of that kernel) with the noise and the scale of a
// setup, where all data have the noise σ², with the evidence of γ if requested.
func TangentTheory(ctx context.Context, n kernel.Network, x *mat.Dense, y []float64, s widenet.Setup,
	evidence bool) (optimizers.Theory, error) {
	if x == nil {
		return optimizers.Theory{}, acquisition.ErrNoData
	}
	pair, err := n.Cross(ctx, x, x)
	if err != nil {
		return optimizers.Theory{}, err
	}
	noise2, text := s.Sigma2, "σ² = "+numfmt.Exact(s.Sigma2)
	if noise2 == 0 {
		noise2 = minTheoryNoise2
		text = "σ² = 0, taken as " + numfmt.Format(noise2)
	}
	name, matrix := "neural tangent kernel", pair.NTK
	if s.Kind == widenet.NNGP {
		name, matrix = "NNGP kernel", pair.NNGP
	}
	t, err := acquisition.NewTheory(name, mat.NewSymDense(len(y), matrix.RawMatrix().Data), noise2, text)
	if err != nil || !evidence || len(y) < 2 {
		return t, err
	}
	e, err := widenet.GammaCurve(ctx, n, s, x, y)
	if err != nil {
		return t, err
	}
	t.Evidence = &optimizers.Evidence{Name: "γ", At: e.Gamma, Log: e.Log, Current: n.SigmaW, Best: e.Best}
	return t, nil
}

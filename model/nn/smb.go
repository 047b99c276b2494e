package nn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Surrogate is a surrogate ν (f(·, θ) + ⟨∇f(·, θ'), u⟩): a trained network, with a linear part if its builder adds one.
type Surrogate struct {
	Net    *Net // nil if the surrogate is linear in its parameters and has no network of its own
	Nu     float64
	Report Report

	base    *Net    // θ' of the linear part; nil if there is none
	tangent Tangent // u
}

// Eval is the surrogate at the rows of X.
func (f *Surrogate) Eval(X *mat.Dense) []float64 {
	var v []float64
	if f.Net != nil {
		v = f.Net.Eval(X)
	}
	if f.base != nil {
		delta := f.base.JVP(X, f.tangent)
		for i := range v {
			delta[i] += v[i]
		}
		v = delta
	}
	for i := range v {
		v[i] *= f.Nu
	}
	return v
}

// Gradient is the surrogate at one input with its gradient.
func (f *Surrogate) Gradient(x, grad []float64) float64 {
	v := 0.0
	clear(grad)
	if f.Net != nil {
		v = f.Net.Gradient(x, grad)
	}
	if f.base != nil {
		part := make([]float64, len(grad))
		v += f.base.JVPGradient(x, f.tangent, part)
		for j, p := range part {
			grad[j] += p
		}
	}
	for j := range grad {
		grad[j] *= f.Nu
	}
	return v * f.Nu
}

// SimpleSMB builds a surrogate by Paria et al. 2022, Alg. 2: the targets y are perturbed by νε, ε ~ N(0, σ²); a new
// network is sampled and trained to minimize Σ(y' − νf)² + σ²ν²‖θ−θ₀‖². Without data (X nil) it is the network at
// initialization. X is n×d, in [−1, 1]^d; y is standardized. Their mean is that of Prop. 1 up to O(1/width). If σ² = 0
// the trainers follow different paths and end at different interpolants, at a distance of O(1/width) from each other
// and from the linearization: Gauss–Newton's mean is about 4/width off that of gradient descent, at standardized
// targets and γ = 2.
func SimpleSMB(ctx context.Context, a Arch, X *mat.Dense, y []float64, opt Options, rng *rand.Rand) (*Surrogate,
	error) {
	if err := a.Check(); err != nil {
		return nil, err
	}
	start := opt.From
	if start == nil {
		start = New(a, rng)
	}
	return train(ctx, &Surrogate{Net: start}, start, X, y, opt, rng)
}

// PosteriorSMB builds a surrogate by Paria et al. 2022, Alg. 3: δ(x) = ⟨∇f(x, θ₀), θ̃₀⟩ is added to the network, where
// θ̃₀ is sampled like θ₀ with the part of the last layer set to 0; δ is constant while ν(f + δ) is trained. At large
// width the surrogate is a sample from the posterior under the NTK (Prop. 2).
func PosteriorSMB(ctx context.Context, a Arch, X *mat.Dense, y []float64, opt Options, rng *rand.Rand) (*Surrogate,
	error) {
	if err := a.Check(); err != nil {
		return nil, err
	}
	start := New(a, rng)
	return train(ctx, &Surrogate{Net: start, base: start, tangent: a.NewTangent(rng).WithoutLast()}, start, X, y, opt,
		rng)
}

// LinearSMB builds a surrogate by Dai et al. 2022, Alg. 2 (STO-BNTS-Linear): ⟨∇f(x, θ'), θ⟩, linear in θ, which starts
// from a sample θ₀ ~ N(0, I) and minimizes the objective in closed form, θ = θ₀ + Φᵀ(ΦΦᵀ + σ²I)⁻¹(y' − Φθ₀). With
// perturbed targets it is an exact sample from the posterior under the empirical NTK, at any width; without, as the
// algorithm is printed, only if σ² = 0. If the noise of single targets is known, the diagonal has their variances
// instead of σ².
func LinearSMB(ctx context.Context, a Arch, X *mat.Dense, y []float64, opt Options, rng *rand.Rand) (*Surrogate,
	error) {
	if err := a.Check(); err != nil {
		return nil, err
	}
	opt.Linear = true
	start := New(a, rng)
	return train(ctx, &Surrogate{base: start, tangent: a.NewTangent(rng)}, start, X, y, opt, rng)
}

// train fits a surrogate, given at initialization, to the data; nil X means no data.
func train(ctx context.Context, f *Surrogate, start *Net, X *mat.Dense, y []float64, opt Options,
	rng *rand.Rand) (*Surrogate, error) {
	f.Nu = opt.Nu
	if f.Nu == 0 {
		f.Nu = 1
	}
	if X == nil {
		return f, nil
	}
	root, err := opt.roots(len(y))
	if err != nil {
		return nil, err
	}
	t := &training{start: start, x: X, target: make([]float64, len(y)), sigma2: opt.Sigma2, root: root,
		progress: opt.Progress}
	if opt.NoDistance {
		t.sigma2 = 0
	}
	var fixed []float64 // the part of the surrogate that training does not change
	if f.base != nil {
		fixed = f.base.JVP(X, f.tangent)
		if f.Net == nil {
			for i, v := range start.Eval(X) {
				fixed[i] -= v
			}
		}
	}
	for i, v := range y {
		t.target[i] = v / f.Nu
		if noise := opt.noise(i); noise > 0 && !opt.NoPerturbation {
			t.target[i] += math.Sqrt(noise) * rng.NormFloat64()
		}
		if fixed != nil {
			t.target[i] -= fixed[i]
		}
	}
	applyWeights(t.target, root)
	if err := f.minimize(ctx, t, opt); err != nil {
		return nil, err
	}
	f.Report.RMSE *= f.Nu
	f.Report.Objective *= f.Nu * f.Nu
	return f, nil
}

// minimize computes the parameters of the network or of its linearization.
func (f *Surrogate) minimize(ctx context.Context, t *training, opt Options) (err error) {
	if opt.Linear {
		var u Tangent
		switch opt.Trainer {
		case GaussNewton, "":
			u, f.Report, err = t.direct(ctx)
		case GradientDescent:
			u, f.Report, err = t.descend(ctx, opt.Epochs, opt.Rate, true)
		default:
			err = fmt.Errorf("a linearized network is trained by %s or %s, not by %s", GaussNewton, GradientDescent,
				opt.Trainer)
		}
		if err != nil {
			return err
		}
		if f.base == nil {
			f.base, f.tangent = t.start, u
			return nil
		}
		f.tangent = f.tangent.Plus(u)
		return nil
	}
	switch opt.Trainer {
	case GaussNewton, "":
		f.Net, f.Report, err = t.gaussNewton(ctx)
	case Adam:
		f.Net, f.Report, err = t.adam(ctx, opt.Epochs, opt.Rate)
	case GradientDescent:
		var u Tangent
		u, f.Report, err = t.descend(ctx, opt.Epochs, opt.Rate, false)
		if err == nil {
			f.Net = t.start.plus(u.layers)
		}
	default:
		err = fmt.Errorf("the trainer must be one of %v, got %q", Trainers(), opt.Trainer)
	}
	return err
}

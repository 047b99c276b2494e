package nn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Trainer names the way in which the objective is minimized.
type Trainer string

// The trainers: Gauss–Newton in function space, and Adam as the papers ran it.
const (
	GaussNewton Trainer = "gauss-newton"
	Adam        Trainer = "adam"
)

// Options of training.
type Options struct {
	Sigma2  float64 // noise variance σ² of the targets, and weight of the distance from initialization
	Nu      float64 // scale ν; 0 is taken as 1
	Trainer Trainer
	Epochs  int     // of Adam
	Rate    float64 // of Adam

	Progress func(done, total int) // may be nil
}

// Report tells how training went.
type Report struct {
	Iterations int
	RMSE       float64 // of νf against the perturbed targets
	Objective  float64 // Σ(y' − νf)² + σ²ν²‖θ−θ₀‖²
	Converged  bool
}

// Fitted is a trained surrogate ν f(·, θ).
type Fitted struct {
	Net    *Net
	Nu     float64
	Report Report
}

// Eval is the surrogate at the rows of X.
func (f *Fitted) Eval(X *mat.Dense) []float64 {
	v := f.Net.Eval(X)
	for i := range v {
		v[i] *= f.Nu
	}
	return v
}

// Gradient is the surrogate at one input with its gradient.
func (f *Fitted) Gradient(x, grad []float64) float64 {
	v := f.Net.Gradient(x, grad)
	for j := range grad {
		grad[j] *= f.Nu
	}
	return v * f.Nu
}

// SimpleSMB builds a surrogate as Paria et al. 2022, Alg. 2, does: the targets y are perturbed by νε, ε ~ N(0, σ²); a network is
// drawn afresh and trained from there to minimize Σ(y' − νf)² + σ²ν²‖θ−θ₀‖². With no data (X nil) it is the network at
// initialization. X is n×d, in [−1, 1]^d; y is standardized.
func SimpleSMB(ctx context.Context, a Arch, X *mat.Dense, y []float64, opt Options, rng *rand.Rand) (*Fitted, error) {
	if err := a.Check(); err != nil {
		return nil, err
	}
	if opt.Nu == 0 {
		opt.Nu = 1
	}
	start := New(a, rng)
	if X == nil {
		return &Fitted{Net: start, Nu: opt.Nu}, nil
	}
	target := make([]float64, len(y)) // y'/ν
	for i, v := range y {
		target[i] = v / opt.Nu
		if opt.Sigma2 > 0 {
			target[i] += math.Sqrt(opt.Sigma2) * rng.NormFloat64()
		}
	}
	t := &training{start: start, x: X, target: target, sigma2: opt.Sigma2, progress: opt.Progress}
	train := t.gaussNewton
	if opt.Trainer == Adam {
		train = func(ctx context.Context) (*Net, Report, error) { return t.adam(ctx, opt.Epochs, opt.Rate) }
	}
	net, report, err := train(ctx)
	if err != nil {
		return nil, err
	}
	report.RMSE *= opt.Nu
	report.Objective *= opt.Nu * opt.Nu
	return &Fitted{Net: net, Nu: opt.Nu, Report: report}, nil
}

// training minimizes Σ(target − f)² + σ²‖θ−θ₀‖², the objective of Alg. 2 divided by ν².
type training struct {
	start    *Net
	x        *mat.Dense
	target   []float64
	sigma2   float64
	progress func(done, total int)
}

// objective is the objective and the residuals target − f of a network.
func (t *training) objective(f []float64, moved []layer) (value float64, residual []float64) {
	residual = make([]float64, len(f))
	for i, v := range f {
		residual[i] = t.target[i] - v
		value += residual[i] * residual[i]
	}
	if t.sigma2 > 0 {
		value += t.sigma2 * squared(moved)
	}
	return value, residual
}

func squared(d []layer) float64 {
	sum := 0.0
	for _, l := range d {
		for _, v := range l.w.RawMatrix().Data {
			sum += v * v
		}
		for _, v := range l.b {
			sum += v * v
		}
	}
	return sum
}

// Gradient of the objective at a trained network, as its Euclidean norm: Jᵀ(f − target) + σ²(θ−θ₀), which is zero at a minimum.
func (t *training) firstOrder(net *Net) float64 {
	state := net.run(t.x)
	_, residual := t.objective(state.f, net.minus(t.start))
	for i := range residual {
		residual[i] = -residual[i]
	}
	d := net.minus(t.start)
	for l := range d {
		d[l].w.Scale(t.sigma2, d[l].w)
		for i := range d[l].b {
			d[l].b[i] *= t.sigma2
		}
	}
	state.back(residual, 1, d)
	return math.Sqrt(squared(d))
}

// adam trains by full-batch Adam (Kingma & Ba 2015) with their β₁ = 0.9, β₂ = 0.999, ε = 1e-8, as Paria et al. 2022, App. F.2, do.
func (t *training) adam(ctx context.Context, epochs int, rate float64) (*Net, Report, error) {
	const beta1, beta2, epsilon = 0.9, 0.999, 1e-8
	if epochs < 1 || !(rate > 0) {
		return nil, Report{}, fmt.Errorf("training by Adam needs at least one epoch and a positive rate, got %d and %g", epochs, rate)
	}
	net := t.start.plus(t.start.zeros())
	first, second := net.zeros(), net.zeros()
	report := Report{}
	for epoch := range epochs {
		if err := ctx.Err(); err != nil {
			return nil, report, err
		}
		if t.progress != nil && epoch%50 == 0 {
			t.progress(epoch, epochs)
		}
		state := net.run(t.x)
		for i, v := range state.f {
			state.f[i] = v - t.target[i]
		}
		grad := net.minus(t.start)
		state.back(state.f, t.sigma2, grad)
		c1, c2 := 1-math.Pow(beta1, float64(epoch+1)), 1-math.Pow(beta2, float64(epoch+1))
		update := func(p, g, m, v []float64) {
			for i := range p {
				d := 2 * g[i]
				m[i] = beta1*m[i] + (1-beta1)*d
				v[i] = beta2*v[i] + (1-beta2)*d*d
				p[i] -= rate * (m[i] / c1) / (math.Sqrt(v[i]/c2) + epsilon)
			}
		}
		for l := range net.layers {
			update(net.layers[l].w.RawMatrix().Data, grad[l].w.RawMatrix().Data, first[l].w.RawMatrix().Data, second[l].w.RawMatrix().Data)
			update(net.layers[l].b, grad[l].b, first[l].b, second[l].b)
		}
		report.Iterations++
	}
	value, residual := t.objective(net.run(t.x).f, net.minus(t.start))
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return nil, report, errDiverged
	}
	report.RMSE, report.Objective, report.Converged = rmse(residual), value, true
	return net, report, nil
}

package nn

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Trainer is the way in which the objective is minimized.
type Trainer string

// The trainers: Gauss–Newton in function space; Adam, as in Paria et al. 2022; and plain gradient descent on half the
// objective, as in the theory and in Dai et al. 2022, which can stop early.
const (
	GaussNewton     Trainer = "gauss-newton"
	Adam            Trainer = "adam"
	GradientDescent Trainer = "gradient-descent"
)

// Trainers lists them by name.
func Trainers() []string { return []string{string(GaussNewton), string(Adam), string(GradientDescent)} }

// Options of training.
type Options struct {
	Sigma2  float64 // noise variance σ² of the targets, and weight of the distance from initialization
	Nu      float64 // scale ν; 0 is taken as 1
	Trainer Trainer
	Epochs  int     // of Adam and of gradient descent
	Rate    float64 // of Adam and of gradient descent
	Linear  bool    // train the network's linearization at θ₀: by the closed form or by gradient descent

	// NoiseVars are the variances of the noise of single targets, n of them, if σ² > 0; nil: all are σ². Each target is
	// perturbed with its own variance, and its square is weighted by σ² over it, so that the minimum does not depend on
	// σ², which then scales the steps of a rate.
	NoiseVars []float64

	// The parts that Paria et al. 2022, App. C, omit to see their effect.
	NoPerturbation bool // the targets are not perturbed
	NoDistance     bool // the distance from initialization is not penalized
	From           *Net // training continues from this network; nil samples a new one

	Progress func(done, total int) // may be nil
}

// Report describes the result of training.
type Report struct {
	Iterations int
	RMSE       float64 // of the surrogate at the perturbed targets
	Objective  float64 // Σ(y' − νf)² + σ²ν²‖θ−θ₀‖², with weights if the noise of single targets is known
	Converged  bool
}

// training minimizes Σ(target − f)² + σ²‖θ−θ₀‖², the objective of Alg. 2 divided by ν². If targets have weights, their
// square roots multiply all targets, outputs and rows of the Jacobian.
type training struct {
	start    *Net
	x        *mat.Dense
	target   []float64
	sigma2   float64
	root     []float64 // square roots of the weights; nil if all are 1
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

// direct solves the problem of the linearized network: u = Jᵀ(JJᵀ + σ²I)⁻¹(target − f(X, θ₀)), with jitter if JJᵀ has
// no factor.
func (t *training) direct(ctx context.Context) (Tangent, Report, error) {
	state := t.run(t.start)
	_, right := t.objective(state.f, nil)
	k := kernel(state, state)
	mean := mat.Trace(k) / float64(len(right))
	for jitter := 0.0; jitter < 1e-3; jitter = max(10*jitter, 1e-12) {
		if err := ctx.Err(); err != nil {
			return Tangent{}, Report{}, err
		}
		chol, ok := factorizeShifted(k, t.sigma2+jitter*mean)
		weights := append([]float64(nil), right...)
		if !ok || !invert(chol, weights) {
			continue
		}
		u := t.start.zeros()
		state.back(weights, 0, u)
		r, err := t.report(state, u, 1)
		return Tangent{u}, r, err
	}
	return Tangent{}, Report{}, errors.New("the empirical NTK of the data cannot be factorized, even with jitter")
}

// report is the report of the linearized network after a change u.
func (t *training) report(state *pass, u []layer, iterations int) (Report, error) {
	f := state.forward(u)
	for i := range f {
		f[i] += state.f[i]
	}
	value, residual := t.objective(f, u)
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return Report{}, ErrDiverged
	}
	return Report{Iterations: iterations, RMSE: t.rmse(residual), Objective: value, Converged: true}, nil
}

// descend is gradient descent from θ₀ on half the objective. For the linearized network it computes u with the Jacobian
// at θ₀; otherwise the derivatives are those of the current network.
func (t *training) descend(ctx context.Context, epochs int, rate float64, linear bool) (Tangent, Report, error) {
	if err := checkEpochs(epochs, rate); err != nil {
		return Tangent{}, Report{}, err
	}
	state := t.run(t.start)
	first := state.f
	u := t.start.zeros()
	for epoch := range epochs {
		if err := ctx.Err(); err != nil {
			return Tangent{}, Report{}, err
		}
		if t.progress != nil && epoch%50 == 0 {
			t.progress(epoch, epochs)
		}
		f := state.f
		if linear {
			f = state.forward(u)
			for i, v := range first {
				f[i] += v
			}
		} else if epoch > 0 {
			state = t.run(t.start.plus(u))
			f = state.f
		}
		for i, v := range f {
			f[i] = -rate * (v - t.target[i])
		}
		state.back(f, 1-rate*t.sigma2, u)
	}
	if linear {
		r, err := t.report(state, u, epochs)
		return Tangent{u}, r, err
	}
	value, residual := t.objective(t.eval(t.start.plus(u)), u)
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return Tangent{}, Report{}, fmt.Errorf("%w: the learning rate %g is too large", ErrDiverged, rate)
	}
	return Tangent{u}, Report{Iterations: epochs, RMSE: t.rmse(residual), Objective: value, Converged: true}, nil
}

func checkEpochs(epochs int, rate float64) error {
	if epochs < 1 || !(rate > 0) {
		return fmt.Errorf("training needs at least one epoch and a positive learning rate, got %d and %g", epochs, rate)
	}
	return nil
}

// adam trains by full-batch Adam (Kingma & Ba 2015) with their β₁ = 0.9, β₂ = 0.999, ε = 1e-8, as in Paria et al. 2022,
// App. F.2.
func (t *training) adam(ctx context.Context, epochs int, rate float64) (*Net, Report, error) {
	const beta1, beta2, epsilon = 0.9, 0.999, 1e-8
	if err := checkEpochs(epochs, rate); err != nil {
		return nil, Report{}, err
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
		state := t.run(net)
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
			update(net.layers[l].w.RawMatrix().Data, grad[l].w.RawMatrix().Data, first[l].w.RawMatrix().Data,
				second[l].w.RawMatrix().Data)
			update(net.layers[l].b, grad[l].b, first[l].b, second[l].b)
		}
		report.Iterations++
	}
	value, residual := t.objective(t.run(net).f, net.minus(t.start))
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return nil, report, ErrDiverged
	}
	report.RMSE = t.rmse(residual)
	report.Objective = value
	report.Converged = true
	return net, report, nil
}

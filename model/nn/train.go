package nn

import (
	"context"
	"errors"
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

// Limits of the Gauss–Newton iteration.
const (
	maxIterations = 50
	stopRMSE      = 1e-5 // of standardized targets
	stopChange    = 1e-8 // relative, of the objective
	nearRMSE      = 1e-2 // nearly met
	stallChange   = 0.3  // and hardly falling any more
	firstDamping  = 1e-9 // relative to the mean diagonal of the kernel
	lastDamping   = 1e3
	goodStep      = 0.25 // noiseless, only a step that brings the objective below this part lessens the damping
)

// errDiverged is returned when no damping makes the objective fall from a start that is not finite.
var errDiverged = errors.New("training diverged: the network's outputs are not finite")

// gaussNewton solves the problem in function space. Linearized around θ_k the step δ that minimizes the objective plus λ‖δ‖² is
//
//	δ = Jᵀw − (σ²/s)u,   w = (JJᵀ + sI)⁻¹(r + (σ²/s)Ju),   s = σ² + λ,   u = θ_k − θ₀,
//
// which needs only the n×n matrix JJᵀ. The damping λ (Levenberg) grows until the objective falls, and shrinks after a good step.
func (t *training) gaussNewton(ctx context.Context) (*Net, Report, error) {
	net := t.start
	var moved []layer // θ_k − θ₀, empty where it does not count
	if t.sigma2 > 0 {
		moved = net.zeros()
	}
	state := net.run(t.x)
	value, residual := t.objective(state.f, moved)
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return nil, Report{}, errDiverged
	}
	damping := firstDamping
	report := Report{}
	for report.Iterations < maxIterations && !report.Converged {
		if t.progress != nil {
			t.progress(report.Iterations, maxIterations)
		}
		report.Iterations++
		s := &step{t: t, net: net, state: state, moved: moved, residual: residual, kernel: kernel(state, state)}
		next, ok, err := s.descend(ctx, value, &damping)
		if err != nil {
			return nil, report, err
		}
		if !ok { // no step is better: this is as far as rounding lets it go
			report.Converged = true
			break
		}
		change := (value - next.value) / value
		net, moved, value, residual = next.net, next.moved, next.value, next.residual
		report.Converged = t.done(change, rmse(residual))
		if !report.Converged {
			state = net.run(t.x)
		}
	}
	report.RMSE, report.Objective = rmse(residual), value
	return net, report, nil
}

// done reports whether training is at its end: the objective stands still, or noiseless data are met, or are nearly met and the
// rest, which lies in the directions of the kernel's least eigenvalues, would take many more iterations.
func (t *training) done(change, left float64) bool {
	if change < stopChange {
		return true
	}
	return t.sigma2 == 0 && (left < stopRMSE || left < nearRMSE && change < stallChange)
}

func rmse(r []float64) float64 {
	sum := 0.0
	for _, v := range r {
		sum += v * v
	}
	return math.Sqrt(sum / float64(len(r)))
}

// step is a linearization of the problem, from which steps of any damping are made.
type step struct {
	t        *training
	net      *Net
	state    *pass
	moved    []layer
	residual []float64
	kernel   *mat.Dense // JJᵀ
}

// reached is a point that a step led to.
type reached struct {
	net      *Net
	moved    []layer
	value    float64
	residual []float64
}

// descend takes the least damped step that makes the objective fall; false if none does.
func (s *step) descend(ctx context.Context, value float64, damping *float64) (reached, bool, error) {
	mean := mat.Trace(s.kernel) / float64(len(s.residual))
	for ; *damping <= lastDamping; *damping *= 10 {
		if err := ctx.Err(); err != nil {
			return reached{}, false, err
		}
		delta, ok := s.solve(*damping * mean)
		if !ok {
			continue
		}
		if r := s.reach(delta); r.value < value {
			if s.t.sigma2 > 0 || r.value < goodStep*value {
				*damping = max(*damping/10, firstDamping)
			}
			return r, true, nil
		}
	}
	*damping = lastDamping
	return reached{}, false, nil
}

// reach goes to θ + δ.
func (s *step) reach(delta []layer) reached {
	r := reached{net: s.net.plus(delta)}
	if s.moved != nil {
		r.moved = r.net.minus(s.t.start)
	}
	r.value, r.residual = s.t.objective(r.net.Eval(s.t.x), r.moved)
	return r
}

// solve is the step δ for a damping λ; false if the matrix cannot be factorized.
func (s *step) solve(lambda float64) ([]layer, bool) {
	n := len(s.residual)
	shift := s.t.sigma2 + lambda
	right := append([]float64(nil), s.residual...)
	ratio := 0.0
	if s.moved != nil {
		ratio = s.t.sigma2 / shift
		for i, v := range s.state.forward(s.moved) {
			right[i] += ratio * v
		}
	}
	k := mat.NewSymDense(n, nil)
	var chol mat.Cholesky
	for i := range n {
		for j, v := range s.kernel.RawRowView(i)[i:] {
			k.SetSym(i, i+j, v)
		}
		k.SetSym(i, i, k.At(i, i)+shift)
	}
	if !chol.Factorize(k) || !invert(&chol, right) {
		return nil, false
	}
	delta := s.net.zeros()
	for l := range s.moved {
		delta[l].w.Scale(-ratio, s.moved[l].w)
		for i := range delta[l].b {
			delta[l].b[i] = -ratio * s.moved[l].b[i]
		}
	}
	s.state.back(right, 1, delta)
	return delta, true
}

// invert replaces v by A⁻¹v for the factor of A; false if that is not possible.
func invert(chol *mat.Cholesky, v []float64) bool {
	vec := mat.NewVecDense(len(v), v)
	err := chol.SolveVecTo(vec, vec)
	var warning mat.Condition
	return err == nil || errors.As(err, &warning)
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
		return nil, Report{}, fmt.Errorf("Adam needs at least one epoch and a positive rate, got %d and %g", epochs, rate)
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

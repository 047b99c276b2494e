package nn

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/model"
)

// Limits of the Gauss–Newton iteration.
const (
	maxIterations = 50
	stopRMSE      = 1e-5 // of standardized targets
	stopChange    = 1e-8 // relative, of the objective
	nearRMSE      = 1e-2 // nearly fitted
	stallChange   = 0.3  // and hardly decreasing
	patience      = 5    // iterations after which quasi-Newton steps continue with a regularized objective of ReLU units
	crawlSteps    = 5    // iterations over which crawlChange counts
	// a smaller decrease of the objective is not worth more iterations: over the kinks of ReLU units steps become ever
	// smaller
	crawlChange  = 0.03
	firstDamping = 1e-9 // relative to the mean diagonal of the kernel
	lastDamping  = 1e3
	stallGain    = 0.85  // a damped step that leaves a larger share of the objective has stalled
	bendDamping  = 1e-10 // of curved steps
	partGain     = 0.2   // required gain of a share t of a curved step, as a share of t
	minPart      = 0.02
	goodStep     = 0.25 // without noise, only a step to less than this share of the objective reduces the damping
)

// ErrDiverged is returned if training diverges, or starts at values that are not finite.
var ErrDiverged = errors.New("training diverged: the network's outputs are not finite")

// gaussNewton solves the problem in function space. Linearized around θ_k the step δ that minimizes the objective plus
// λ‖δ‖² is
//
//	δ = Jᵀw − (σ²/s)u,   w = (JJᵀ + sI)⁻¹(r + (σ²/s)Ju),   s = σ² + λ,   u = θ_k − θ₀,
//
// which needs only the n×n matrix JJᵀ. The damping λ (Levenberg) grows until the objective decreases, and shrinks after
// a good step. If σ² > 0 and this does not converge soon, narrow networks are too nonlinear for it, and quasi-Newton
// steps continue; see quasiNewton.
func (t *training) gaussNewton(ctx context.Context) (*Net, Report, error) {
	state := t.run(t.start)
	value, residual := t.objective(state.f, nil)
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return nil, Report{}, ErrDiverged
	}
	if t.sigma2 > 0 || t.root != nil {
		return t.iterate(ctx, state, kernel(state, state))
	}
	parts := state.split()
	if s := t.newStiffSolver(ctx, parts, residual); s != nil {
		if net, report, ok := s.train(state, parts, residual); ok {
			return net, report, ctx.Err()
		}
		state = t.run(t.start) // again, because its memory was used by the steps
	}
	return t.iterate(ctx, state, parts.with(1))
}

// iterate continues from the linearization at the start, with its JJᵀ.
func (t *training) iterate(ctx context.Context, state *pass, jjt *mat.Dense) (*Net, Report, error) {
	if t.sigma2 == 0 || t.start.arch.Activation == ReLU {
		return t.levenberg(ctx, state, jjt)
	}
	return t.newMarquardt(state, jjt).train(ctx)
}

// levenberg is the iteration for ReLU units, over whose kinks the outputs have no curvature, and for objectives without a
// regularizer.
func (t *training) levenberg(ctx context.Context, state *pass, jjt *mat.Dense) (*Net, Report, error) {
	net := t.start
	var moved []layer // θ_k − θ₀, empty if it is not penalized
	if t.sigma2 > 0 {
		moved = net.zeros()
	}
	value, residual := t.objective(state.f, moved)
	damping := firstDamping
	report := Report{}
	var values []float64
	for report.Iterations < maxIterations && !report.Converged {
		if t.progress != nil {
			t.progress(report.Iterations, maxIterations)
		}
		report.Iterations++
		s := &step{t: t, net: net, state: state, moved: moved, residual: residual, kernel: jjt}
		next, ok, err := s.descend(ctx, value, &damping)
		if ok && t.stalled(value, next) {
			var other trialPoint
			other, _, err = s.bend(ctx, value)
			if other.net != nil && other.value < next.value {
				next = other
			}
		}
		if err != nil {
			return nil, report, err
		}
		if !ok { // no step is better: the limit of rounding
			report.Converged = true
			break
		}
		change := (value - next.value) / value
		net = next.net
		moved = next.moved
		value = next.value
		residual = next.residual
		report.Converged = t.done(change, rmse(residual))
		values = append(values, value)
		if t.sigma2 > 0 && t.start.arch.Activation == ReLU && report.Iterations == patience && !report.Converged {
			other, err := t.minimizeInStages(ctx, &report)
			if err != nil {
				return nil, report, err
			}
			if other.value < value {
				net = other.net
				value = other.value
				residual = other.residual
			}
			break
		}
		if n := len(values) - 1 - crawlSteps; n >= 0 && t.sigma2 == 0 && t.start.arch.Activation == ReLU &&
			value > (1-crawlChange)*values[n] && !report.Converged {
			break
		}
		if !report.Converged {
			state = t.runOver(state, net)
			jjt = kernel(state, state)
		}
	}
	report.RMSE, report.Objective = t.rmse(residual), value
	return net, report, nil
}

// done reports whether training has converged: the objective no longer changes, or noiseless data are fitted, or are
// nearly fitted and the rest, which lies in the directions of the kernel's smallest eigenvalues, would take many more
// iterations.
func (t *training) done(change, left float64) bool {
	if change < stopChange {
		return true
	}
	return t.sigma2 == 0 && (left < stopRMSE || left < nearRMSE && change < stallChange)
}

// stalled reports whether a step on noiseless data gains little while they are far from being fitted.
func (t *training) stalled(value float64, next trialPoint) bool {
	return t.sigma2 == 0 && next.value > stallGain*value && rmse(next.residual) > nearRMSE
}

func rmse(r []float64) float64 {
	sum := 0.0
	for _, v := range r {
		sum += v * v
	}
	return math.Sqrt(sum / float64(len(r)))
}

// step is a linearization of the problem, for steps with any damping.
type step struct {
	t        *training
	net      *Net
	state    *pass
	moved    []layer
	residual []float64
	kernel   *mat.Dense // JJᵀ
}

// trialPoint is the result of a step.
type trialPoint struct {
	net      *Net
	moved    []layer
	value    float64
	residual []float64
}

// descend takes the least damped step that decreases the objective; false if none does.
func (s *step) descend(ctx context.Context, value float64, damping *float64) (trialPoint, bool, error) {
	mean := mat.Trace(s.kernel) / float64(len(s.residual))
	for ; *damping <= lastDamping; *damping *= 10 {
		if err := ctx.Err(); err != nil {
			return trialPoint{}, false, err
		}
		delta, _ := s.solve(*damping * mean)
		if delta == nil {
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
	return trialPoint{}, false, nil
}

// reach evaluates θ + δ.
func (s *step) reach(delta []layer) trialPoint {
	r := trialPoint{net: s.net.plus(delta)}
	if s.moved != nil {
		r.moved = r.net.minus(s.t.start)
	}
	r.value, r.residual = s.t.objective(s.t.eval(r.net), r.moved)
	return r
}

// bend takes a step with almost no damping, curved by its geodesic acceleration (Transtrum & Sethna 2012), and
// shortened until the objective decreases in proportion. It is slower than a damped step where those work, but it
// reduces all parts of the residual equally; false if no part of it helps.
func (s *step) bend(ctx context.Context, value float64) (trialPoint, bool, error) {
	delta, chol := s.solve(bendDamping * mat.Trace(s.kernel) / float64(len(s.residual)))
	if delta == nil {
		return trialPoint{}, false, nil
	}
	curve := s.acceleration(delta, chol)
	for part := 1.0; part > minPart; part /= 2 {
		if err := ctx.Err(); err != nil {
			return trialPoint{}, false, err
		}
		end := s.net.zeros()
		for l := range end {
			combine(end[l].w.RawMatrix().Data, delta[l].w.RawMatrix().Data, curve[l].w.RawMatrix().Data, part)
			combine(end[l].b, delta[l].b, curve[l].b, part)
		}
		if r := s.reach(end); r.value < value*(1-partGain*part) {
			return r, true, nil
		}
	}
	return trialPoint{}, false, nil
}

// combine is tδ + ½t²a.
func combine(dst, delta, a []float64, t float64) {
	for i := range dst {
		dst[i] = t*delta[i] + t*t/2*a[i]
	}
}

// solve is the step δ for a damping λ, with the factor of JJᵀ + sI; nil if that cannot be factorized.
func (s *step) solve(lambda float64) ([]layer, *mat.Cholesky) {
	shift := s.t.sigma2 + lambda
	right := append([]float64(nil), s.residual...)
	ratio := 0.0
	if s.moved != nil {
		ratio = s.t.sigma2 / shift
		for i, v := range s.state.forward(s.moved) {
			right[i] += ratio * v
		}
	}
	chol, ok := factorizeShifted(s.kernel, shift)
	if !ok || !invert(chol, right) {
		return nil, nil
	}
	delta := s.net.zeros()
	for l := range s.moved {
		delta[l].w.Scale(-ratio, s.moved[l].w)
		for i := range delta[l].b {
			delta[l].b[i] = -ratio * s.moved[l].b[i]
		}
	}
	s.state.back(right, 1, delta)
	return delta, chol
}

// factorizeShifted is the factor of a symmetric matrix with a shift of its diagonal; false if it has none.
func factorizeShifted(k *mat.Dense, shift float64) (*mat.Cholesky, bool) {
	n, _ := k.Dims()
	a := mat.NewSymDense(n, nil)
	upper := a.RawSymmetric().Data
	for i := range n {
		copy(upper[i*n+i:(i+1)*n], k.RawRowView(i)[i:])
		upper[i*n+i] += shift
	}
	var chol mat.Cholesky
	return &chol, chol.Factorize(a)
}

// invert replaces v by A⁻¹v for the factor of A; false if that is not possible.
func invert(chol *mat.Cholesky, v []float64) bool {
	vec := mat.NewVecDense(len(v), v)
	return model.IgnoreCondition(chol.SolveVecTo(vec, vec)) == nil
}

// acceleration is the change a = −Jᵀ(JJᵀ + sI)⁻¹f_δδ for which the outputs at θ + tδ + ½t²a change linearly in t, to
// second order; f_δδ, the curvature of the outputs along δ, is computed by a difference.
func (s *step) acceleration(delta []layer, chol *mat.Cholesky) []layer {
	const h = 0.1
	probe := s.net.zeros()
	for l := range probe {
		probe[l].w.Scale(h, delta[l].w)
		for i, v := range delta[l].b {
			probe[l].b[i] = h * v
		}
	}
	ahead := s.t.eval(s.net.plus(probe))
	curve := make([]float64, len(ahead))
	for i, along := range s.state.forward(delta) {
		curve[i] = -2 / h * ((ahead[i]-s.state.f[i])/h - along)
	}
	bend := s.net.zeros()
	if invert(chol, curve) {
		s.state.back(curve, 1, bend)
	}
	return bend
}

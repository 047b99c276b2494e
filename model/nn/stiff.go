package nn

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Limits of the training of stiff problems.
const (
	// change of the hidden layers over the square root of their units up to which the linearization is accurate
	maxLinearChange   = 0.3
	maxFollowedChange = 1.2 // the change up to which repeated linearizations work
	// the same if the smallest damping keeps the linearization from fitting the data to stopRMSE
	maxIllFollowedChange = 0.1
	coarseFactor         = 10 // times targetRMSE
	// distance, relative to that of a coarse fit, from which on fitting the data is not attempted: it would fit noise,
	// or more bends than the network has
	maxDistanceRatio = 2.5
	// RMSE of the linearized network; the network itself must reach nearRMSE
	targetRMSE        = 8e-3
	distanceTolerance = 1.2 // relative distance at which a better fit is still accepted
	lambdaSteps       = 7   // tenfold, from firstDamping on
	shareStep         = 4   // factor between the shares of the hidden layers that are tried
	shareSteps        = 15
	stiffSteps        = 2 // a step in all layers, and one in the last
)

// stiffSolver solves a problem without noise whose interpolant is farther from the start than the linearization is
// valid: for smooth networks, with a small γ, and inputs that are close together. Repeated linearizations are slow
// there, the more so the smoother the network is. Instead of the squares alone it minimizes
//
//	‖target − f‖² + λ(‖u_last‖² + ‖u_hidden‖²/s),   u = θ − θ₀,
//
// linearized in the hidden layers: u = SJᵀw, w = (sK_hidden + K_last + λI)⁻¹r, S = diag(s, …, s, 1), where K_hidden and
// K_last are the parts of JJᵀ. λ is the largest value for which the linearized network fits the data to targetRMSE (the
// discrepancy principle, Morozov 1966), or near the start a smaller one that moves it hardly farther, and s the largest
// share for which the hidden layers stay near their linearization. However far the last layer moves, the outputs are
// linear in it: after the one step it is computed exactly, with the same λ.
type stiffSolver struct {
	t             *training
	lambda, share float64
}

// split is JJᵀ in two parts.
type split struct{ hidden, last *mat.Dense }

func (p *pass) split() split {
	n, last := len(p.f), len(p.net.layers)-1
	k := split{mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)}
	addKernel(k.hidden, p, p, 0, last)
	addKernel(k.last, p, p, last, last+1)
	return k
}

// with is sK_hidden + K_last.
func (k split) with(share float64) *mat.Dense {
	sum := mat.DenseCopyOf(k.last)
	floats.AddScaled(sum.RawMatrix().Data, share, k.hidden.RawMatrix().Data)
	return sum
}

// linear is a fit of the linearized network: its λ, its RMSE, and the change of the hidden layers over the square root
// of their units.
type linear struct{ lambda, rmse, moved float64 }

// fit fits the linearization for a share s and a λ relative to the mean of the kernel's diagonal; its RMSE is infinite
// if there is no factor.
func (k split) fit(ctx context.Context, right []float64, share, relative, units float64) linear {
	sum := k.with(share)
	lambda := relative * mat.Trace(sum) / float64(len(right))
	w, ok := []float64(nil), false
	if ctx.Err() == nil {
		w, ok = weights(sum, lambda, right)
	}
	if !ok {
		return linear{lambda, math.Inf(1), math.Inf(1)}
	}
	v := mat.NewVecDense(len(w), w)
	return linear{lambda, lambda * rmse(w), share * math.Sqrt(max(mat.Inner(v, k.hidden, v), 0)/units)}
}

// weights are (K + λI)⁻¹r; false if there are none.
func weights(kernel *mat.Dense, lambda float64, right []float64) ([]float64, bool) {
	w := append([]float64(nil), right...)
	chol, ok := factorizeShifted(kernel, lambda)
	return w, ok && invert(chol, w)
}

// newStiffSolver returns a solver for a problem whose first step would lead too far. It is nil if steps in all layers
// work, if the linearization does not fit the data or only far from the start, or if its last layer has too few units
// to fit them.
func (t *training) newStiffSolver(ctx context.Context, k split, residual []float64) *stiffSolver {
	units := 0
	for _, m := range t.start.arch.Hidden {
		units += m
	}
	fit := func(share float64, i int) linear {
		return k.fit(ctx, residual, share, firstDamping*math.Pow(10, float64(i)), float64(units))
	}
	least := fit(1, 0)
	if least.moved <= maxIllFollowedChange || least.moved <= maxFollowedChange && least.rmse <= stopRMSE ||
		least.rmse > targetRMSE {
		return nil
	}
	largest := func(left float64) int { // largest λ with this RMSE
		return first(lambdaSteps, func(i int) bool { return fit(1, i+1).rmse > left })
	}
	i := largest(targetRMSE)
	distance := fit(1, i).moved
	if distance > maxDistanceRatio*fit(1, largest(coarseFactor*targetRMSE)).moved {
		return nil
	}
	if least.moved <= maxFollowedChange {
		i = first(i, func(i int) bool { return fit(1, i).moved <= distanceTolerance*distance })
	}
	share := func(j int) float64 { return math.Pow(shareStep, -float64(j)) }
	s := share(first(shareSteps, func(j int) bool { return fit(share(j), i).moved <= maxLinearChange }))
	solution := fit(s, i)
	if solution.rmse > targetRMSE && i > 0 {
		solution = fit(s, i-1)
	}
	if solution.rmse > nearRMSE {
		return nil
	}
	return &stiffSolver{t, solution.lambda, s}
}

// first is the smallest i below n from which on a condition holds; n if there is none.
func first(n int, holds func(i int) bool) int {
	from, end := 0, n
	for from < end {
		if mid := (from + end) / 2; holds(mid) {
			end = mid
		} else {
			from = mid + 1
		}
	}
	return from
}

// train takes a step in all layers, and then computes the last layer again, in which the objective is quadratic. It is
// false if the data are not fitted.
func (s *stiffSolver) train(state *pass, k split, residual []float64) (*Net, Report, bool) {
	t := s.t
	last := len(t.start.layers) - 1
	w, ok := weights(k.with(s.share), s.lambda, residual)
	if !ok {
		return nil, Report{}, false
	}
	u := t.start.zeros()
	state.back(w, 0, u)
	for _, l := range u[:last] {
		blas64.Scal(s.share, vector(l.w.RawMatrix().Data))
		blas64.Scal(s.share, vector(l.b))
	}
	net := t.start.plus(u)
	head := (&Net{arch: net.arch, layers: t.start.layers[last:]}).run(net.hidden(t.x))
	_, residual = t.objective(head.f, nil)
	w, ok = weights(kernel(head, head), s.lambda, residual)
	if !ok {
		return nil, Report{}, false
	}
	head.back(w, 0, u[last:])
	net.layers[last] = head.net.plus(u[last:]).layers[0]
	floats.Scale(s.lambda, w) // residuals at the minimum
	return net, Report{Iterations: stiffSteps, RMSE: rmse(w), Objective: floats.Dot(w, w), Converged: true},
		rmse(w) <= nearRMSE
}

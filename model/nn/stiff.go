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
	// change of the hidden layers over the root of their units up to which a step leads where the linearization says
	maxLinearChange   = 0.3
	maxFollowedChange = 1.2 // the change that steps from linearization to linearization follow
	// the change that they follow where the least damping keeps the linearization from meeting the data to stopRMSE
	maxIllFollowedChange = 0.1
	coarseFactor         = 10 // times metRMSE
	// times as far as to meet the data coarsely is too far to go to meet them: it is noise that asks for it, or more
	// bends than the network has
	maxDistanceRatio = 2.5
	// to which the linearized network meets the data; nearRMSE is what the network must keep to
	targetRMSE        = 8e-3
	distanceTolerance = 1.2 // times as far is near enough to meet them better
	lambdaSteps       = 7   // tenfold, from firstDamping on
	shareStep         = 4   // between the shares of the hidden layers that are tried
	shareSteps        = 15
	stiffSteps        = 2 // a step in all layers, and one in the last
)

// stiffSolver is a problem without noise whose interpolant lies farther from the start than the linearization holds
// for: smooth networks, as small γ makes them, and inputs that lie close. Steps from one linearization to the next
// crawl there, the more the smoother the network is. What is minimized in place of the squares alone is
//
//	‖target − f‖² + λ(‖u_last‖² + ‖u_hidden‖²/s),   u = θ − θ₀,
//
// linearized in the hidden layers: u = SJᵀw, w = (sK_hidden + K_last + λI)⁻¹r, S = diag(s, …, s, 1), where K_hidden and
// K_last are the parts of JJᵀ. λ is the largest by which the linearized network meets the data to metRMSE (the
// discrepancy principle, Morozov 1966), or near the start a smaller one that moves it hardly farther, and s the largest
// share by which the hidden layers stay near to their linearization. However far the last layer moves, the outputs are
// linear in it: after the one step it is found exactly, by the same λ.
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

// linear is a fit of the linearized network: its λ, its RMSE, and the change of the hidden layers over the root of
// their units.
type linear struct{ lambda, rmse, moved float64 }

// fit is the linearization's for a share s and a λ relative to the mean of the kernel's diagonal; where that has no
// factor nothing is met.
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

// newStiffSolver is how a problem is trained whose first step would lead too far; nil where steps may be taken in all
// layers alike, and where the linearization does not meet the data, or only far from the start, or its last layer has
// too few units to.
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
	largest := func(left float64) int { // λ that leaves so much
		return first(lambdaSteps, func(i int) bool { return fit(1, i+1).rmse > left })
	}
	i := largest(targetRMSE)
	far := fit(1, i).moved
	if far > maxDistanceRatio*fit(1, largest(coarseFactor*targetRMSE)).moved {
		return nil
	}
	if least.moved <= maxFollowedChange {
		i = first(i, func(i int) bool { return fit(1, i).moved <= distanceTolerance*far })
	}
	share := func(j int) float64 { return math.Pow(shareStep, -float64(j)) }
	s := share(first(shareSteps, func(j int) bool { return fit(share(j), i).moved <= maxLinearChange }))
	at := fit(s, i)
	if at.rmse > targetRMSE && i > 0 {
		at = fit(s, i-1)
	}
	if at.rmse > nearRMSE {
		return nil
	}
	return &stiffSolver{t, at.lambda, s}
}

// first is the least i below n for which a condition holds that holds from there on; n where there is none.
func first(n int, holds func(i int) bool) int {
	from, to := 0, n
	for from < to {
		if mid := (from + to) / 2; holds(mid) {
			to = mid
		} else {
			from = mid + 1
		}
	}
	return from
}

// train takes a step in all layers, and then finds the last layer anew, for which the objective is quadratic. It is
// false where the data are not met.
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
	if w, ok = weights(kernel(head, head), s.lambda, residual); !ok {
		return nil, Report{}, false
	}
	head.back(w, 0, u[last:])
	net.layers[last] = head.net.plus(u[last:]).layers[0]
	floats.Scale(s.lambda, w) // what the minimum leaves of the residuals
	return net, Report{Iterations: stiffSteps, RMSE: rmse(w), Objective: floats.Dot(w, w), Converged: true},
		rmse(w) <= nearRMSE
}

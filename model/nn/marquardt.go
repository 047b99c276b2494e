package nn

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Limits of the iteration of Levenberg and Marquardt.
const (
	maxAcceleration = 0.4 // of ½‖a‖ over ‖δ‖; a more curved path needs more damping
	probeStep       = 0.1 // of the difference that computes the curvature

	minSteps   = 20   // iterations before slowChange counts
	slowSteps  = 5    // iterations over which it counts
	slowChange = 0.03 // a smaller relative decrease of a regularized objective ends the iteration
)

// pace says how the damping follows from the quality of a step: the decrease of the objective over the decrease that
// the linearization predicts.
type pace struct {
	good, bad      float64 // qualities from which on the damping shrinks, and below which it doubles
	shrink, growth float64 // factors; until a first step is accepted, each rejection multiplies that of the growth again
}

// Accelerated steps predict the objective well far from the linearization, and a small damping lets them become long.
var acceleratedPace = pace{good: 0.2, bad: 0.1, shrink: 2, growth: 3}

// marquardt is the iteration of Levenberg and Marquardt for smooth activations and regularized objectives, with the
// damping controlled by the quality of steps. A step evaluates the activations alone; the signals follow if it is
// accepted. The valleys of such objectives are narrow and curved: there the steps have a geodesic acceleration
// (Transtrum & Sethna 2012),
//
//	θ + δ + ½a,   a = −Jᵀ(JJᵀ + sI)⁻¹f_δδ,
//
// and need a third of the iterations.
type marquardt struct {
	*training
	pace

	at     trialPoint
	state  *pass
	kernel *mat.Dense // JJᵀ
	along  []float64  // Ju, u = θ − θ₀, if the distance is penalized
	spare  *pass      // memory of another pass

	damping, mean, factor float64 // λ, the mean of the kernel's diagonal, the growth after the next rejection
	moving                bool    // a step was accepted
}

func (t *training) newMarquardt(state *pass, jjt *mat.Dense) *marquardt {
	m := &marquardt{training: t, pace: acceleratedPace, state: state, kernel: jjt,
		at: trialPoint{net: t.start, moved: t.start.zeros()}, along: make([]float64, len(state.f))}
	m.at.value, m.at.residual = t.objective(state.f, m.at.moved)
	m.mean = mat.Trace(jjt) / float64(len(state.f))
	m.damping, m.factor = m.leastDamping(), m.growth
	return m
}

// leastDamping is a damping that hardly changes a step.
func (m *marquardt) leastDamping() float64 { return max(firstDamping*m.mean, 0.1*m.sigma2) }

func (m *marquardt) train(ctx context.Context) (*Net, Report, error) {
	report := Report{}
	values := []float64{m.at.value}
	for report.Iterations < maxIterations && !report.Converged {
		if m.progress != nil {
			m.progress(report.Iterations, maxIterations)
		}
		report.Iterations++
		before := m.at.value
		ok, err := m.step(ctx)
		if err != nil {
			return nil, report, err
		}
		if !ok { // no step is better: the limit of rounding
			report.Converged = true
			break
		}
		values = append(values, m.at.value)
		report.Converged = m.done((before-m.at.value)/before, rmse(m.at.residual)) || crawls(values)
		if !report.Converged {
			m.linearize()
		}
	}
	report.RMSE, report.Objective = m.rmse(m.at.residual), m.at.value
	return m.at.net, report, nil
}

// crawls reports whether an objective decreases slowly after many iterations, as along narrow valleys.
func crawls(values []float64) bool {
	n := len(values) - 1
	return n >= minSteps && values[n] > (1-slowChange)*values[n-slowSteps]
}

// step moves to a point with a smaller objective; false if there is none.
func (m *marquardt) step(ctx context.Context) (bool, error) {
	for m.damping <= lastDamping*m.mean {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		next, state, quality := m.try()
		if !(next.value < m.at.value) {
			m.damping = max(m.damping*m.factor, m.sigma2/3)
			if !m.moving {
				m.factor *= m.growth
			}
			continue
		}
		m.factor, m.moving = m.growth, true
		switch {
		case quality > m.good:
			m.damping = max(m.damping/m.shrink, m.leastDamping())
		case quality < m.bad:
			m.damping *= 2
		}
		m.spare = m.state
		m.state = state
		m.at = next
		return true, nil
	}
	return false, nil
}

// linearize computes the signals of the point, JJᵀ and Ju.
func (m *marquardt) linearize() {
	m.state.addSignals()
	m.state.weightSignals(m.root)
	m.kernel = kernel(m.state, m.state)
	m.along = m.state.forward(m.at.moved)
}

// try evaluates the step with the present damping, and its quality. Its value is infinite if there is no step.
func (m *marquardt) try() (trialPoint, *pass, float64) {
	none := trialPoint{value: math.Inf(1)}
	shift := m.sigma2 + m.damping
	ratio := m.sigma2 / shift
	w := slices.Clone(m.at.residual)
	floats.AddScaled(w, ratio, m.along)
	chol, ok := factorizeShifted(m.kernel, shift)
	if !ok || !invert(chol, w) {
		return none, nil, 0
	}
	path, ok := m.accelerate(chol, w, ratio)
	if !ok {
		return none, nil, 0
	}
	next := trialPoint{net: m.at.net.plus(m.change(path, ratio))}
	next.moved = next.net.minus(m.start)
	state := m.activate(m.spare, next.net)
	m.spare = state
	next.value, next.residual = m.objective(state.f, next.moved)
	predicted := shift*shift*floats.Dot(w, w) + m.sigma2*squared(next.moved) // the linearization leaves the residual sw
	return next, state, (m.at.value - next.value) / (m.at.value - predicted)
}

// change is Jᵀw − (σ²/s)u.
func (m *marquardt) change(w []float64, ratio float64) []layer {
	d := times(1, m.at.moved)
	m.state.back(w, -ratio, d)
	return d
}

// accelerate returns the weights of δ + ½a; false if the path is too curved.
func (m *marquardt) accelerate(chol *mat.Cholesky, w []float64, ratio float64) ([]float64, bool) {
	n := len(w)
	kw, along := mat.NewVecDense(n, nil), make([]float64, n) // JJᵀw and Jδ
	kw.MulVec(m.kernel, mat.NewVecDense(n, w))
	for i := range along {
		along[i] = kw.AtVec(i) - ratio*m.along[i]
	}
	ahead := m.eval(m.at.net.plus(times(probeStep, m.change(w, ratio))))
	bend := make([]float64, n)
	for i, v := range ahead {
		bend[i] = -2 / probeStep * ((v-m.state.f[i])/probeStep - along[i])
	}
	if !invert(chol, bend) {
		return nil, false
	}
	v := mat.NewVecDense(n, bend)
	long := mat.Inner(v, m.kernel, v) // ‖a‖²
	square := floats.Dot(w, kw.RawVector().Data) - 2*ratio*floats.Dot(w, m.along) + ratio*ratio*squared(m.at.moved)
	if !(long <= 4*maxAcceleration*maxAcceleration*square) {
		return nil, false
	}
	path := slices.Clone(w)
	floats.AddScaled(path, 0.5, bend)
	return path, true
}

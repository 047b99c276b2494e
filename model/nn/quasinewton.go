package nn

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Limits of the quasi-Newton steps.
const (
	quasiMemory   = 20   // steps whose curvature is remembered
	quasiDecrease = 1e-4 // share of the decrease that the gradient predicts (Armijo)
	quasiHalvings = 12
	quasiOver     = 8    // iterations
	quasiChange   = 5e-3 // a smaller relative decrease over quasiOver iterations ends the search
)

// quasiStages are the regularizers, in units of σ², through which the minimum is tracked, and the maximum number of
// iterations of each.
var quasiStages = []struct {
	times float64
	most  int
}{{64, 12}, {4, 28}, {1, 120}}

// quasiNewton minimizes a regularized objective by L-BFGS (Nocedal & Wright 2006, Alg. 7.4), whose first matrix is the
// inverse of Gauss–Newton's at its start,
//
//	(JᵀJ + σ²I)⁻¹ = (I − Jᵀ(JJᵀ + σ²I)⁻¹J)/σ².
//
// The part that Gauss–Newton neglects, the residuals times the curvature of the outputs, exceeds σ² in directions that
// the data do not determine if networks are narrow: there its steps overshoot, and damped ones are slow. L-BFGS learns
// that part from its steps.
type quasiNewton struct {
	t     *training // with the σ² of the stage
	state *pass     // of the start
	chol  *mat.Cholesky
	steps []quasiStep
}

// quasiStep is a step s, the change y of the gradient over it, and 1/sᵀy.
type quasiStep struct {
	s, y []layer
	rho  float64
}

// minimizeInStages minimizes the objective from θ₀ while the regularizer decreases to σ² in stages: the objective has
// many local minima if σ² is small, and the one that is tracked from the start is lower than those reached by long
// first steps.
func (t *training) minimizeInStages(ctx context.Context, report *Report) (trialPoint, error) {
	position := trialPoint{net: t.start, moved: t.start.zeros()}
	for _, stage := range quasiStages {
		relaxed := *t
		relaxed.sigma2 *= stage.times
		state := t.run(position.net)
		position.value, position.residual = relaxed.objective(state.f, position.moved)
		chol, ok := factorizeShifted(kernel(state, state), relaxed.sigma2)
		if !ok {
			break
		}
		q := &quasiNewton{t: &relaxed, state: state, chol: chol}
		var err error
		position, err = q.minimize(ctx, position, stage.most, report)
		if err != nil {
			return position, err
		}
	}
	position.value, position.residual = t.objective(t.eval(position.net), position.moved)
	return position, nil
}

// minimize makes at most a number of steps; the report's Converged says whether it ended because almost nothing was
// left to gain.
func (q *quasiNewton) minimize(ctx context.Context, position trialPoint, most int, report *Report) (trialPoint, error) {
	g := q.t.gradient(q.state, position)
	values := []float64{position.value}
	report.Converged = true
	for k := range most {
		if err := ctx.Err(); err != nil {
			return position, err
		}
		if q.t.progress != nil {
			q.t.progress(report.Iterations, max(maxIterations, report.Iterations+most-k))
		}
		report.Iterations++
		next, state, ok := q.search(position, g)
		if !ok {
			return position, nil
		}
		after := q.t.gradient(state, next)
		y := times(1, after)
		add(-1, g, y)
		s := next.net.minus(position.net)
		if sy := dot(s, y); sy > 0 {
			q.steps = append(q.steps, quasiStep{s, y, 1 / sy})
			q.steps = q.steps[max(0, len(q.steps)-quasiMemory):]
		}
		position, g = next, after
		values = append(values, position.value)
		if n := len(values) - 1 - quasiOver; n >= 0 && values[n]-position.value < quasiChange*position.value {
			return position, nil
		}
	}
	report.Converged = false
	return position, nil
}

// search moves along the direction, halving the step until the objective decreases enough; false if it does not.
func (q *quasiNewton) search(position trialPoint, g []layer) (trialPoint, *pass, bool) {
	d := q.direction(g)
	slope := dot(g, d)
	if !(slope < 0) {
		return position, nil, false
	}
	for part := 1.0; part > 1.0/(1<<quasiHalvings); part /= 2 {
		next := trialPoint{net: position.net.plus(times(part, d))}
		next.moved = next.net.minus(q.t.start)
		state := q.t.run(next.net)
		next.value, next.residual = q.t.objective(state.f, next.moved)
		if next.value < position.value+2*quasiDecrease*part*slope { // the gradient is that of half the objective
			return next, state, true
		}
	}
	return position, nil, false
}

// direction is −Hg by the two-loop recursion.
func (q *quasiNewton) direction(g []layer) []layer {
	d := times(-1, g)
	alpha := make([]float64, len(q.steps))
	for i := len(q.steps) - 1; i >= 0; i-- {
		p := q.steps[i]
		alpha[i] = p.rho * dot(p.s, d)
		add(-alpha[i], p.y, d)
	}
	d = q.precondition(d)
	if n := len(q.steps); n > 0 {
		last := q.steps[n-1]
		d = times(1/(last.rho*dot(last.y, q.precondition(last.y))), d)
	}
	for i, p := range q.steps {
		add(alpha[i]-p.rho*dot(p.y, d), p.s, d)
	}
	return d
}

// precondition is (JᵀJ + σ²I)⁻¹v with the Jacobian at the start.
func (q *quasiNewton) precondition(v []layer) []layer {
	out := times(1/q.t.sigma2, v)
	w := q.state.forward(v)
	if !invert(q.chol, w) {
		return out
	}
	for i := range w {
		w[i] /= -q.t.sigma2
	}
	q.state.back(w, 1, out)
	return out
}

// gradient is the gradient of half the objective, σ²(θ−θ₀) − Jᵀ(target − f).
func (t *training) gradient(state *pass, position trialPoint) []layer {
	g := times(t.sigma2, position.moved)
	minus := make([]float64, len(position.residual))
	for i, r := range position.residual {
		minus[i] = -r
	}
	state.back(minus, 1, g)
	return g
}

// dot is the inner product of two changes of the parameters.
func dot(a, b []layer) float64 {
	sum := 0.0
	for l := range a {
		sum += blas64.Dot(vector(a[l].w.RawMatrix().Data), vector(b[l].w.RawMatrix().Data)) +
			blas64.Dot(vector(a[l].b), vector(b[l].b))
	}
	return sum
}

// add adds c times a change of the parameters to another.
func add(c float64, a, layers []layer) {
	for l := range a {
		blas64.Axpy(c, vector(a[l].w.RawMatrix().Data), vector(layers[l].w.RawMatrix().Data))
		blas64.Axpy(c, vector(a[l].b), vector(layers[l].b))
	}
}

// times is c times a change of the parameters.
func times(c float64, a []layer) []layer {
	out := make([]layer, len(a))
	for l := range a {
		rows, cols := a[l].w.Dims()
		out[l] = layer{mat.NewDense(rows, cols, nil), make([]float64, len(a[l].b))}
	}
	add(c, a, out)
	return out
}

package gp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"bandscope/model"
	"bandscope/model/kernel"
)

// Options say how hyper-parameters are found.
type Options struct {
	Form     kernel.Form
	FitNoise bool    // find the noise too
	Noise    float64 // standard deviation of the noise where it is not found, for standardized targets
	Prior    bool    // weak log-normal priors, which keep few data from running into the corners of the box
	Starts   int     // of the search, at least 1
}

// The box of the hyper-parameters, for inputs in the unit cube and standardized targets.
var (
	lengthBox = [2]float64{0.01, 10}
	scaleBox  = [2]float64{0.05, 20}
	noiseBox  = [2]float64{1e-6, 1}
)

// evidence is the log marginal likelihood as a function of the logarithms of the hyper-parameters: ℓ of every input, s, and
// σ where it is fitted.
type evidence struct {
	x      *mat.Dense
	y      []float64
	opt    Options
	lo, hi []float64 // the box, in logarithms
	d      int
}

func newEvidence(X *mat.Dense, y []float64, opt Options) *evidence {
	_, d := X.Dims()
	e := &evidence{x: X, y: y, opt: opt, d: d}
	add := func(box [2]float64) {
		e.lo, e.hi = append(e.lo, math.Log(box[0])), append(e.hi, math.Log(box[1]))
	}
	for range d {
		add(lengthBox)
	}
	add(scaleBox)
	if opt.FitNoise {
		add(noiseBox)
	}
	return e
}

// unpack makes the kernel and the noise of a point.
func (e *evidence) unpack(theta []float64) (kernel.Stationary, float64) {
	k := kernel.Stationary{Form: e.opt.Form, Lengths: make([]float64, e.d)}
	for j := range e.d {
		k.Lengths[j] = math.Exp(theta[j])
	}
	k.Scale = math.Exp(theta[e.d])
	noise := e.opt.Noise
	if e.opt.FitNoise {
		noise = math.Exp(theta[e.d+1])
	}
	return k, noise
}

// prior is the law of a hyper-parameter's logarithm. The median lengthscale grows with √d, as distances in the cube do; the
// widths are such that a handful of data outweigh them.
func (e *evidence) prior(j int) (mean, sd float64) {
	switch {
	case j < e.d:
		return math.Log(0.3) + 0.5*math.Log(float64(e.d)), 1
	case j == e.d:
		return 0, 1
	}
	return math.Log(1e-3), 3
}

// value is the log marginal likelihood, plus the log prior where there is one, and its gradient.
func (e *evidence) value(theta, grad []float64) float64 {
	k, noise := e.unpack(theta)
	n := len(e.y)
	cov := mat.NewSymDense(n, nil)
	slope := mat.NewDense(n, n, nil) // the factor g of the kernel's derivatives, upper triangle
	for i := range n {
		xi, row := e.x.RawRowView(i), slope.RawRowView(i)
		for j := i; j < n; j++ {
			c, g := k.Radial(k.Square(xi, e.x.RawRowView(j)))
			cov.SetSym(i, j, c)
			row[j] = g
		}
		cov.SetSym(i, i, cov.At(i, i)+noise*noise)
	}
	var chol mat.Cholesky
	if _, err := Factorize(&chol, cov); err != nil {
		return math.Inf(-1)
	}
	alpha := mat.NewVecDense(n, nil)
	var inverse mat.SymDense
	if err := chol.SolveVecTo(alpha, mat.NewVecDense(n, e.y)); err != nil && !conditioned(err) {
		return math.Inf(-1)
	}
	v := -0.5*mat.Dot(alpha, mat.NewVecDense(n, e.y)) - 0.5*chol.LogDet() - 0.5*float64(n)*math.Log(2*math.Pi)
	if err := chol.InverseTo(&inverse); err != nil && !conditioned(err) {
		return math.Inf(-1)
	}
	e.gradient(k, noise, alpha.RawVector().Data, &inverse, slope, grad)
	if e.opt.Prior {
		for j := range theta {
			mean, sd := e.prior(j)
			z := (theta[j] - mean) / sd
			v -= z * z / 2
			grad[j] -= z / sd
		}
	}
	return v
}

// gradient is ½ tr((ααᵀ − K⁻¹) ∂K/∂θ) for every θ.
func (e *evidence) gradient(k kernel.Stationary, noise float64, alpha []float64, inverse *mat.SymDense, slope *mat.Dense, grad []float64) {
	clear(grad)
	inv := inverse.RawSymmetric()
	trace := 0.0
	for i := range alpha {
		xi, gi, ki := e.x.RawRowView(i), slope.RawRowView(i), inv.Data[i*inv.Stride:]
		w := alpha[i]*alpha[i] - ki[i]
		trace += w
		grad[e.d] += w * k.Scale * k.Scale
		for j := i + 1; j < len(alpha); j++ {
			w := 2 * (alpha[i]*alpha[j] - ki[j]) // both triangles
			xj := e.x.RawRowView(j)
			wg := 0.5 * w * gi[j]
			r2 := 0.0
			for c, l := range k.Lengths {
				d := (xi[c] - xj[c]) / l
				r2 += d * d
				grad[c] += wg * d * d
			}
			value := gi[j]
			if k.Form == kernel.Matern52 {
				value, _ = k.Radial(r2)
			}
			grad[e.d] += w * value
		}
	}
	if e.opt.FitNoise {
		grad[e.d+1] = trace * noise * noise
	}
}

// Fit finds the hyper-parameters that maximize the marginal likelihood of standardized targets y at the rows of X, inputs in
// the unit cube, and returns the process with them. The search starts from several points drawn from rng, and stops soon
// after the context is cancelled. With fewer than two data the hyper-parameters stay at the medians of their priors.
func Fit(ctx context.Context, X *mat.Dense, y []float64, d int, opt Options, rng *rand.Rand) (*GP, error) {
	if X == nil || len(y) < 2 {
		k, noise := defaults(d, opt)
		return New(k, noise, X, y)
	}
	e := newEvidence(X, y, opt)
	best, value, err := e.search(ctx, rng)
	if err != nil {
		return nil, err
	}
	if math.IsInf(value, -1) {
		return nil, errors.New("no start of the search for hyper-parameters led to a covariance matrix that can be factorized")
	}
	k, noise := e.unpack(best)
	return New(k, noise, X, y)
}

// defaults are the hyper-parameters of a process without data.
func defaults(d int, opt Options) (kernel.Stationary, float64) {
	k := kernel.Stationary{Form: opt.Form, Scale: 1, Lengths: make([]float64, d)}
	for j := range k.Lengths {
		k.Lengths[j] = 0.3 * math.Sqrt(float64(d)) / 1.5
	}
	if opt.FitNoise {
		return k, 1e-3
	}
	return k, opt.Noise
}

// A search climbs a little from every start, and goes on from the best few.
const (
	firstClimb = 8  // iterations from every start
	finalists  = 2  // starts that go on
	finalClimb = 50 // iterations from those
)

// ascent is a point of the box with its value.
type ascent struct {
	theta []float64
	value float64
}

// search returns the best point of the box that was found.
func (e *evidence) search(ctx context.Context, rng *rand.Rand) ([]float64, float64, error) {
	found := e.climbAll(ctx, e.starts(rng), firstClimb)
	heads := make([][]float64, 0, finalists)
	for _, a := range found[:min(finalists, len(found))] {
		heads = append(heads, a.theta)
	}
	best := e.climbAll(ctx, heads, finalClimb)[0]
	return best.theta, best.value, ctx.Err()
}

// climbAll climbs from several points, two at a time, and returns where that led, the best first.
func (e *evidence) climbAll(ctx context.Context, starts [][]float64, iterations int) []ascent {
	found := make([]ascent, len(starts))
	var wait sync.WaitGroup
	slots := make(chan struct{}, 2)
	for i, start := range starts {
		wait.Add(1)
		slots <- struct{}{}
		go func() {
			defer func() { <-slots; wait.Done() }()
			found[i] = e.climb(ctx, start, iterations)
		}()
	}
	wait.Wait()
	slices.SortStableFunc(found, func(a, b ascent) int { return cmp.Compare(b.value, a.value) })
	return found
}

// starts are the medians of the priors, and points drawn around them.
func (e *evidence) starts(rng *rand.Rand) [][]float64 {
	starts := make([][]float64, max(e.opt.Starts, 1))
	for i := range starts {
		p := make([]float64, len(e.lo))
		common := rng.NormFloat64() // lengthscales of one start resemble each other
		for j := range p {
			mean, sd := e.prior(j)
			p[j] = mean
			if i > 0 {
				z := rng.NormFloat64()
				if j < e.d {
					z = 0.8*common + 0.4*z
				}
				p[j] += min(sd, 1.5) * z
			}
			p[j] = min(max(p[j], e.lo[j]+0.01), e.hi[j]-0.01)
		}
		starts[i] = p
	}
	return starts
}

// climb runs L-BFGS from a start, in coordinates u in which the box is all of space: θ = lo + (hi−lo)/(1+e^−u).
func (e *evidence) climb(ctx context.Context, start []float64, iterations int) ascent {
	m := len(start)
	theta := func(u []float64) (t, slope []float64) {
		t, slope = make([]float64, m), make([]float64, m)
		for j, v := range u {
			s := 1 / (1 + math.Exp(-v))
			t[j] = e.lo[j] + (e.hi[j]-e.lo[j])*s
			slope[j] = (e.hi[j] - e.lo[j]) * s * (1 - s)
		}
		return t, slope
	}
	u0 := make([]float64, m)
	for j, t := range start {
		f := min(max((t-e.lo[j])/(e.hi[j]-e.lo[j]), 1e-6), 1-1e-6)
		u0[j] = math.Log(f / (1 - f))
	}
	memo := model.NewMemo(m, func(u, grad []float64) float64 {
		if ctx.Err() != nil {
			return math.NaN()
		}
		t, slope := theta(u)
		v := e.value(t, grad)
		for j := range grad {
			grad[j] *= -slope[j]
		}
		return -v
	})
	problem := optimize.Problem{
		Func:   memo.Func,
		Grad:   memo.Grad,
		Status: func() (optimize.Status, error) { return optimize.NotTerminated, ctx.Err() },
	}
	result, err := optimize.Minimize(problem, u0, &optimize.Settings{MajorIterations: iterations, GradientThreshold: 1e-4,
		Converger: &optimize.FunctionConverge{Absolute: 1e-7, Relative: 1e-9, Iterations: 5}}, &optimize.LBFGS{})
	if result == nil || (err != nil && ctx.Err() != nil) || math.IsNaN(result.F) {
		return ascent{start, math.Inf(-1)}
	}
	t, _ := theta(result.X)
	return ascent{t, -result.F}
}

// Describe names the hyper-parameters of a stationary process for a person.
func (g *GP) Describe() (lengths []float64, scale float64, err error) {
	k, ok := g.kernel.(kernel.Stationary)
	if !ok {
		return nil, 0, fmt.Errorf("the kernel has no lengthscales")
	}
	return k.Lengths, k.Scale, nil
}

package nn

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// lawCase is a network of some fifty parameters, data whose features are taken at three networks, and the same features
// written out.
type lawCase struct {
	net  *Net
	data *Features
	phi  *mat.Dense // n×p, φ = g/√s
}

const lawScale, lawLambda = 2.0, 0.03

func newLawCase(a Arch) lawCase {
	c := lawCase{net: New(a, newRand(61))}
	parts := []*Features{c.net.Features(inputs(4, a.Inputs, 62))}
	jac := []*mat.Dense{c.net.Jacobian(inputs(4, a.Inputs, 62))}
	for i := range uint64(2) {
		other := New(a, newRand(63+i))
		x := inputs(3, a.Inputs, 65+i)
		parts, jac = append(parts, other.Features(x)), append(jac, other.Jacobian(x))
	}
	c.data = Stack(parts...)
	c.phi = mat.NewDense(c.data.Len(), a.Params(), nil)
	row := 0
	for _, j := range jac {
		n, _ := j.Dims()
		for i := range n {
			c.phi.SetRow(row, j.RawRowView(i))
			row++
		}
	}
	c.phi.Scale(1/math.Sqrt(lawScale), c.phi)
	return c
}

// u is λI + ΦᵀΦ, p×p.
func (c lawCase) u() *mat.Dense {
	_, p := c.phi.Dims()
	u := mat.NewDense(p, p, nil)
	u.Mul(c.phi.T(), c.phi)
	for i := range p {
		u.Set(i, i, u.At(i, i)+lawLambda)
	}
	return u
}

// covariance is λΦ_a U⁻¹Φ_bᵀ at some inputs by the p×p matrix.
func (c lawCase) covariance(t *testing.T, u, x *mat.Dense) *mat.Dense {
	t.Helper()
	phi := c.net.Jacobian(x)
	phi.Scale(1/math.Sqrt(lawScale), phi)
	var solved, cov mat.Dense
	require.NoError(t, solved.Solve(u, phi.T()))
	cov.Mul(phi, &solved)
	cov.Scale(lawLambda, &cov)
	return &cov
}

func diagonalFor(u *mat.Dense) *mat.Dense {
	p, _ := u.Dims()
	d := mat.NewDense(p, p, nil)
	for i := range p {
		d.Set(i, i, u.At(i, i))
	}
	return d
}

// lawArchitectures have about 50 parameters.
func lawArchitectures() map[string]Arch {
	return map[string]Arch{
		"tanh":       {Inputs: 2, Hidden: []int{12}, Activation: Tanh, SigmaW: 1.5, SigmaB: 0.7},
		"relu, deep": {Inputs: 2, Hidden: []int{4, 5}, Activation: ReLU, SigmaW: math.Sqrt2, SigmaB: 0.4},
		"no bias":    {Inputs: 3, Hidden: []int{13}, Activation: ReLU, SigmaW: math.Sqrt2},
	}
}

// σ² by the n×n form is the one by the p×p form, and so is the diagonal approximation; neither needs all gradients at
// one network.
func TestGradientLawIsThatOfTheFullMatrix(t *testing.T) {
	for name, a := range lawArchitectures() {
		c := newLawCase(a)
		x := inputs(200, a.Inputs, 70)
		for _, diagonal := range []bool{false, true} {
			law, err := NewGradientPosterior(a, c.data, lawScale, lawLambda, diagonal)
			require.NoError(t, err)
			sd, err := law.SD(context.Background(), c.net, x)
			require.NoError(t, err)
			u := c.u()
			if diagonal {
				u = diagonalFor(u)
			}
			cov := c.covariance(t, u, x)
			for i, s := range sd {
				if !scalar.EqualWithinAbsOrRel(s*s, cov.At(i, i), 1e-11, 1e-9) {
					t.Fatalf("%s, diagonal %v: σ² = %g, by the p×p matrix %g", name, diagonal, s*s, cov.At(i, i))
				}
			}
		}
		prior, err := NewGradientPosterior(a, nil, lawScale, lawLambda, false)
		require.NoError(t, err)
		sd, _ := prior.SD(context.Background(), c.net, x)
		for i := range sd {
			if want := c.net.EmpiricalNTK(x, x).At(i, i) /
				lawScale; !scalar.EqualWithinAbsOrRel(sd[i]*sd[i], want, 1e-12, 1e-12) {
				t.Fatalf("%s: without data σ² = %g, want %g", name, sd[i]*sd[i], want)
			}
		}
	}
}

// The papers update U by one datum after the other; by the Sherman–Morrison formula that leads to the same law.
func TestRankOneUpdatesReachTheBatch(t *testing.T) {
	a := lawArchitectures()["relu, deep"]
	c := newLawCase(a)
	n, p := c.phi.Dims()
	inverse := mat.NewDense(p, p, nil)
	for i := range p {
		inverse.Set(i, i, 1/lawLambda)
	}
	for i := range n {
		g := c.phi.RowView(i)
		var ug mat.VecDense
		ug.MulVec(inverse, g)
		inverse.RankOne(inverse, -1/(1+mat.Dot(g, &ug)), &ug, &ug)
	}
	law, err := NewGradientPosterior(a, c.data, lawScale, lawLambda, false)
	require.NoError(t, err)
	x := inputs(20, 2, 71)
	sd, _ := law.SD(context.Background(), c.net, x)
	phi := c.net.Jacobian(x)
	for i, s := range sd {
		g := phi.RowView(i)
		if want := lawLambda * mat.Inner(g, inverse, g) /
			lawScale; !scalar.EqualWithinAbsOrRel(s*s, want, 1e-10, 1e-8) {
			t.Errorf("σ² = %g, by rank-one updates %g", s*s, want)
		}
	}
}

// Draws have mean 0 and the covariance λφᵀU⁻¹φ', jointly, within five standard errors.
func TestGradientLawDraws(t *testing.T) {
	const draws = 4000
	x := inputs(4, 2, 72)
	for name, a := range lawArchitectures() {
		if a.Inputs != 2 {
			continue
		}
		c := newLawCase(a)
		for _, diagonal := range []bool{false, true} {
			law, err := NewGradientPosterior(a, c.data, lawScale, lawLambda, diagonal)
			require.NoError(t, err)
			u := c.u()
			if diagonal {
				u = diagonalFor(u)
			}
			cov := c.covariance(t, u, x)
			rng := newRand(73)
			values := mat.NewDense(draws, 4, nil)
			for i := range draws {
				w, err := law.Draw(rng)
				require.NoError(t, err)
				values.SetRow(i, c.net.JVP(x, w))
			}
			for i := range 4 {
				ci := mat.Col(nil, i, values)
				if m := stat.Mean(ci, nil); math.Abs(m) > 5*math.Sqrt(cov.At(i, i)/draws) {
					t.Errorf("%s, diagonal %v: mean %d is %g", name, diagonal, i, m)
				}
				for j := range 4 {
					se := math.Sqrt((cov.At(i, i)*cov.At(j, j) + cov.At(i, j)*cov.At(i, j)) / draws)
					if got := stat.Covariance(ci, mat.Col(nil, j, values), nil); math.Abs(got-cov.At(i, j)) > 5*se {
						t.Errorf("%s, diagonal %v: covariance %d,%d is %g, want %g ± %g", name, diagonal, i, j, got,
							cov.At(i, j), se)
					}
				}
			}
		}
	}
}

func TestGradientLawSlope(t *testing.T) {
	for name, a := range lawArchitectures() {
		c := newLawCase(a)
		values := []float64{0.31, -0.42, 1}[:a.Inputs]
		for _, diagonal := range []bool{false, true} {
			law, err := NewGradientPosterior(a, c.data, lawScale, lawLambda, diagonal)
			require.NoError(t, err)
			f := func(x []float64) float64 {
				sd, _ := law.SD(context.Background(), c.net, mat.NewDense(1, len(x), append([]float64(nil), x...)))
				return sd[0]
			}
			grad := make([]float64, a.Inputs)
			if v := law.Gradient(c.net, values, grad); !scalar.EqualWithinAbsOrRel(v, f(values), 1e-9, 1e-9) {
				t.Errorf("%s: σ with its gradient is %g, want %g", name, v, f(values))
			}
			for j, want := range fd.Gradient(nil, f, values, &fd.Settings{Formula: fd.Central, Step: 1e-6}) {
				if !scalar.EqualWithinAbsOrRel(grad[j], want, 1e-6, 1e-5) {
					t.Errorf("%s, diagonal %v: slope %d is %g, by differences %g", name, diagonal, j, grad[j], want)
				}
			}
		}
	}
}

func TestGradientLawRefuses(t *testing.T) {
	a := lawArchitectures()["tanh"]
	for _, c := range [][2]float64{{0, 1}, {1, 0}, {1, -1}} {
		if _, err := NewGradientPosterior(a, nil, c[0], c[1], false); err == nil {
			t.Errorf("scale %g and λ %g are taken", c[0], c[1])
		}
	}
}

// The papers' network h = √m W_L ReLU(… ReLU(W_1 z/√D)), W ~ N(0, s/m), is the one in the NTK parameterisation with σ_W
// = √s and no biases after W = √(s/m) V: same values, g·g'/m = ∇_V f·∇_V f'/s, mλ‖W−W₀‖² = λs‖V−V₀‖², and so the same
// law with scale s.
func TestPapersScaling(t *testing.T) {
	const m, d, s = 6, 3, 2.0
	net := New(Arch{Inputs: d, Hidden: []int{m, m}, Activation: ReLU, SigmaW: math.Sqrt(s)}, newRand(74))
	ratio := math.Sqrt(s / m)
	paper := func(w [][]float64, z []float64) float64 {
		alpha := make([]float64, d)
		for j, v := range z {
			alpha[j] = v / math.Sqrt(d)
		}
		for l := range 3 {
			rows := len(w[l]) / len(alpha)
			next := make([]float64, rows)
			for k := range next {
				next[k] = blas64.Dot(vector(w[l][k*len(alpha):(k+1)*len(alpha)]), vector(alpha))
				if l < 2 {
					next[k] = math.Max(next[k], 0)
				}
			}
			alpha = next
		}
		return math.Sqrt(m) * alpha[0]
	}
	var weights [][]float64
	for _, l := range net.layers {
		w := append([]float64(nil), l.w.RawMatrix().Data...)
		blas64.Scal(ratio, vector(w))
		weights = append(weights, w)
	}
	X := inputs(5, d, 75)
	features := make([][]float64, 5)
	for i := range 5 {
		if got, want := net.Eval(X)[i], paper(weights, X.RawRowView(i)); !scalar.EqualWithinAbs(got, want, 1e-12) {
			t.Fatalf("f = %g, in the papers' parameterisation %g", got, want)
		}
		for l := range weights {
			for k, was := range weights[l] {
				weights[l][k] = was + 1e-6
				up := paper(weights, X.RawRowView(i))
				weights[l][k] = was - 1e-6
				features[i] = append(features[i], (up-paper(weights, X.RawRowView(i)))/2e-6)
				weights[l][k] = was
			}
		}
	}
	gram := net.Features(X).Gram()
	for i := range 5 {
		for j := range 5 {
			if want := blas64.Dot(vector(features[i]), vector(features[j])) /
				m; !scalar.EqualWithinAbsOrRel(gram.At(i, j)/s, want, 1e-7, 1e-6) {
				t.Errorf("g·g'/m = %g, from the NTK parameterisation %g", want, gram.At(i, j)/s)
			}
		}
	}
	other := New(net.arch, newRand(76))
	distance2 := 0.0
	for l, la := range other.layers {
		for k, v := range la.w.RawMatrix().Data {
			diff := ratio*v - weights[l][k]
			distance2 += diff * diff
		}
	}
	change := other.minus(net)
	for l := range change {
		clear(change[l].b)
	}
	if got := s * squared(change); !scalar.EqualWithinRel(got, m*distance2, 1e-12) {
		t.Errorf("s‖V−V₀‖² = %g, m‖W−W₀‖² = %g", got, m*distance2)
	}
}

func TestZeroLast(t *testing.T) {
	for name, a := range architectures() {
		first := New(a, newRand(77))
		net := first.ZeroLast()
		X := inputs(5, 2, 78)
		for i, v := range net.Eval(X) {
			if v != 0 || first.Eval(X)[i] == 0 {
				t.Errorf("%s: f = %g, before %g", name, v, first.Eval(X)[i])
			}
		}
		hidden := 0
		for l := range a.Hidden {
			hidden += len(net.layers[l].b)
		}
		jac := net.Jacobian(X)
		_, p := jac.Dims()
		last := a.Hidden[len(a.Hidden)-1] + 1
		if mat.Norm(jac.Slice(0, 5, 0, p-last), 2) != 0 || mat.Norm(jac.Slice(0, 5, p-last, p), 2) == 0 {
			t.Errorf("%s: the gradient is not that of the last layer alone", name)
		}
	}
}

// Stochastic gradient descent with one batch of all data is gradient descent on the n-th part of the objective; with
// smaller batches and a small rate it comes near to the same minimum.
func TestSGD(t *testing.T) {
	X := inputs(9, 2, 79)
	y := targets(X)
	start := New(Arch{Inputs: 2, Hidden: []int{60}, Activation: Tanh, SigmaW: 1.5, SigmaB: 0.5}, newRand(80))
	ctx := context.Background()
	full, err := SGD(ctx, start, X, y, SGDOptions{Sigma2: 0.1, Batch: 50, Epochs: 40, Rate: 0.09}, newRand(81))
	require.NoError(t, err)
	want, err := SimpleSMB(ctx, start.arch, X, y,
		Options{Sigma2: 0.1, NoPerturbation: true, From: start, Trainer: GradientDescent,
			Epochs: 40, Rate: 0.01}, nil)
	require.NoError(t, err)
	for i, v := range full.Eval(X) {
		if !scalar.EqualWithinAbs(v, want.Eval(X)[i], 1e-12) {
			t.Errorf("one batch gives %g, gradient descent %g", v, want.Eval(X)[i])
		}
	}
	long, err := SGD(ctx, start, X, y, SGDOptions{Sigma2: 0.1, Batch: 4, Epochs: 4000, Rate: 0.02}, newRand(82))
	require.NoError(t, err)
	best, err := SimpleSMB(ctx, start.arch, X, y, Options{Sigma2: 0.1, NoPerturbation: true, From: start}, nil)
	require.NoError(t, err)
	if long.Report.Objective > 1.05*best.Report.Objective || long.Report.Objective < 0.999*best.Report.Objective {
		t.Errorf("small batches reach %g, Gauss–Newton %g", long.Report.Objective, best.Report.Objective)
	}
	_, err = SGD(ctx, start, X, y, SGDOptions{Batch: 4, Epochs: 500, Rate: 100}, newRand(83))
	assert.Error(t, err, "a rate of 100 does not diverge")
	_, err = SGD(ctx, start, X, y, SGDOptions{Epochs: 1, Rate: 1}, newRand(83))
	assert.Error(t, err, "a batch of no data is taken")
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, err = SGD(ended, start, X, y, SGDOptions{Batch: 4, Epochs: 5, Rate: 0.1}, newRand(83))
	assert.Error(t, err, "a cancelled training goes on")
}

// The full solve from a zero last layer ends where the gradient of ½Σ(h−y)² + ½mλ‖θ−θ₀‖² vanishes, of the linearized
// network to rounding. The objective of ReLU networks has kinks, at which the solve can end and no gradient vanishes:
// it comes within 5 % of what long training by Adam reaches.
func TestNeuralBOFullSolve(t *testing.T) {
	ctx := context.Background()
	X := inputs(12, 3, 84)
	for i := range 12 {
		X.Set(i, 2, 1)
	}
	for _, act := range []Activation{ReLU, Tanh} {
		start := New(Arch{Inputs: 3, Hidden: []int{200}, Activation: act, SigmaW: math.Sqrt2}, newRand(85)).ZeroLast()
		tr := &training{start: start, x: X, target: targets(X), sigma2: 0.02}
		before := tr.firstOrder(start)
		net, report, err := tr.gaussNewton(ctx)
		require.NoError(t, err)
		if after := tr.firstOrder(net); act == Tanh && (after > 1e-4*before || !report.Converged) {
			t.Errorf("%s: the gradient's norm is %g at the end, %g at the start; %+v", act, after, before, report)
		}
		_, adam, err := tr.adam(ctx, 1500, 0.01)
		require.NoError(t, err)
		if report.Objective > 1.05*adam.Objective {
			t.Errorf("%s: the objective is %g, Adam's %g", act, report.Objective, adam.Objective)
		}
		u, _, err := tr.direct(ctx)
		require.NoError(t, err)
		residual := start.JVP(X, u) // f(·, θ₀) = 0
		for i := range residual {
			residual[i] -= tr.target[i]
		}
		slope := start.VJP(X, residual).layers
		for l := range slope {
			blas64.Axpy(tr.sigma2, vector(u.layers[l].w.RawMatrix().Data), vector(slope[l].w.RawMatrix().Data))
		}
		if after := math.Sqrt(squared(slope)); after > 1e-10*before {
			t.Errorf("%s, linearized: the gradient's norm is %g, %g at the start", act, after, before)
		}
	}
}

// Along δt + ½at² the outputs move in a straight line, but for the error of the difference by which their curvature is
// found: that is what the geodesic acceleration is for (Transtrum & Sethna 2012, eq. 9). With a of the opposite sign
// they would be off twice as far as without it.
func TestAccelerationStraightensThePath(t *testing.T) {
	X := inputs(4, 2, 60)
	for name, arch := range architectures() {
		if arch.Activation == ReLU {
			continue // it has no curvature
		}
		net := New(arch, newRand(61))
		tr := &training{start: net, x: X, target: targets(X)}
		state := net.run(X)
		_, residual := tr.objective(state.f, nil)
		s := &step{t: tr, net: net, state: state, residual: residual, kernel: kernel(state, state)}
		delta, chol := s.solve(1e-9 * mat.Trace(s.kernel))
		require.NotNil(t, delta, "no step")
		curve := s.acceleration(delta, chol)
		off := func(bend float64) float64 {
			const h = 0.01
			end := net.zeros()
			for l := range end {
				combine(end[l].w.RawMatrix().Data, delta[l].w.RawMatrix().Data, curve[l].w.RawMatrix().Data, h)
				end[l].w.Add(end[l].w, scaled(curve[l].w, (bend-1)*h*h/2))
				combine(end[l].b, delta[l].b, curve[l].b, h)
				for i, v := range curve[l].b {
					end[l].b[i] += (bend - 1) * h * h / 2 * v
				}
			}
			worst := 0.0
			for i, f := range net.plus(end).Eval(X) {
				worst = max(worst, math.Abs(f-state.f[i]-h*residual[i]))
			}
			return worst
		}
		if with, without := off(1), off(0); with > 0.4*without {
			t.Errorf("%s: the path is off the straight line by %.2g, without the acceleration by %.2g", name, with,
				without)
		}
	}
}

func scaled(m *mat.Dense, factor float64) *mat.Dense {
	var s mat.Dense
	s.Scale(factor, m)
	return &s
}

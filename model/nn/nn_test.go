package nn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 23)) }

func inputs(n, d int, seed uint64) *mat.Dense {
	rng := newRand(seed)
	X := mat.NewDense(n, d, nil)
	for i := range X.RawMatrix().Data {
		X.RawMatrix().Data[i] = 2*rng.Float64() - 1
	}
	return X
}

func targets(X *mat.Dense) []float64 {
	n, _ := X.Dims()
	y := make([]float64, n)
	for i := range y {
		x := X.RawRowView(i)
		y[i] = math.Sin(3*x[0]) + 0.3*x[len(x)-1]
	}
	return y
}

// architectures covers the activations, depths and bias conventions at small sizes.
func architectures() map[string]Arch {
	return map[string]Arch{
		"tanh":       {Inputs: 2, Hidden: []int{7}, Activation: Tanh, SigmaW: 1.5, SigmaB: 0.7},
		"erf, deep":  {Inputs: 2, Hidden: []int{6, 5, 4}, Activation: Erf, SigmaW: 1.2, SigmaB: 0.3},
		"relu, zero": {Inputs: 2, Hidden: []int{8, 8}, Activation: ReLU, SigmaW: 1.4, SigmaB: 0.5, ZeroLastBias: true},
	}
}

// flat lists the parameters in the order of Jacobian's columns.
func flat(n *Net) []*float64 {
	var p []*float64
	for _, l := range n.layers {
		w := l.w.RawMatrix().Data
		for i := range w {
			p = append(p, &w[i])
		}
		for i := range l.b {
			p = append(p, &l.b[i])
		}
	}
	return p
}

// The recurrence of Paria et al. 2022, App. A, written out value by value.
func TestEvalFollowsTheRecurrence(t *testing.T) {
	phi := map[Activation]func(float64) float64{
		Tanh: math.Tanh, Erf: math.Erf, ReLU: func(x float64) float64 { return math.Max(x, 0) }}
	for name, a := range architectures() {
		net := New(a, newRand(1))
		X := inputs(300, 2, 2)
		got := net.Eval(X)
		for i := range got {
			alpha := X.RawRowView(i)
			for l, la := range net.layers {
				next := make([]float64, len(la.b))
				for k := range next {
					for j, v := range alpha {
						next[k] += a.SigmaW / math.Sqrt(float64(len(alpha))) * la.w.At(k, j) * v
					}
					next[k] += a.SigmaB * la.b[k]
					if l < len(a.Hidden) {
						next[k] = phi[a.Activation](next[k])
					}
				}
				alpha = next
			}
			if !scalar.EqualWithinAbs(got[i], alpha[0], 1e-12) {
				t.Fatalf("%s: f = %g, by hand %g", name, got[i], alpha[0])
			}
		}
	}
}

func TestJacobianAgainstDifferences(t *testing.T) {
	X := inputs(3, 2, 3)
	for name, a := range architectures() {
		net := New(a, newRand(4))
		jac := net.Jacobian(X)
		for k, p := range flat(net) {
			const h = 1e-6
			was := *p
			*p = was + h
			up := net.Eval(X)
			*p = was - h
			down := net.Eval(X)
			*p = was
			for i := range up {
				if want := (up[i] - down[i]) / (2 * h); !scalar.EqualWithinAbsOrRel(jac.At(i, k), want, 1e-7, 1e-6) {
					t.Errorf("%s: ∂f%d/∂θ%d = %g, by differences %g", name, i, k, jac.At(i, k), want)
				}
			}
		}
	}
}

func TestKernelIsTheJacobianProduct(t *testing.T) {
	A, B := inputs(5, 2, 5), inputs(3, 2, 6)
	for name, a := range architectures() {
		net := New(a, newRand(7))
		var want, self mat.Dense
		want.Mul(net.Jacobian(A), net.Jacobian(B).T())
		self.Mul(net.Jacobian(A), net.Jacobian(A).T())
		if !mat.EqualApprox(net.EmpiricalNTK(A, B), &want, 1e-11) ||
			!mat.EqualApprox(net.EmpiricalNTK(A, A), &self, 1e-11) {
			t.Errorf("%s: the empirical NTK is not JJᵀ", name)
		}
	}
}

func TestJacobianVectorProduct(t *testing.T) {
	X := inputs(4, 2, 8)
	for name, a := range architectures() {
		net, other := New(a, newRand(9)), New(a, newRand(10))
		u := other.minus(net)
		var v []float64
		for _, l := range u {
			v = append(append(v, l.w.RawMatrix().Data...), l.b...)
		}
		want := mat.NewVecDense(4, nil)
		want.MulVec(net.Jacobian(X), mat.NewVecDense(len(v), v))
		for i, got := range net.run(X).forward(u) {
			if !scalar.EqualWithinAbs(got, want.AtVec(i), 1e-11) {
				t.Errorf("%s: Ju = %g, want %g", name, got, want.AtVec(i))
			}
		}
	}
}

func TestInputGradient(t *testing.T) {
	for name, a := range architectures() {
		net := New(a, newRand(11))
		x, grad := []float64{0.3, -0.4}, make([]float64, 2)
		f := func(x []float64) float64 { return net.Eval(mat.NewDense(1, 2, append([]float64(nil), x...)))[0] }
		if v := net.Gradient(x, grad); !scalar.EqualWithinAbs(v, f(x), 1e-12) {
			t.Errorf("%s: the value with the gradient is %g, want %g", name, v, f(x))
		}
		for j, want := range fd.Gradient(nil, f, x, &fd.Settings{Formula: fd.Central}) {
			if !scalar.EqualWithinAbsOrRel(grad[j], want, 1e-6, 1e-6) {
				t.Errorf("%s: slope %d is %g, by differences %g", name, j, grad[j], want)
			}
		}
	}
}

func TestGaussNewtonIsStationary(t *testing.T) {
	X := inputs(12, 2, 12)
	for name, a := range map[string]Arch{
		"tanh": {Inputs: 2, Hidden: []int{256}, Activation: Tanh, SigmaW: 2, SigmaB: 2},
		"erf":  {Inputs: 2, Hidden: []int{400, 400}, Activation: Erf, SigmaW: 1.5, SigmaB: 0.1},
	} {
		tr := &training{start: New(a, newRand(13)), x: X, target: targets(X), sigma2: 0.1}
		before := tr.firstOrder(tr.start)
		net, report, err := tr.gaussNewton(context.Background())
		require.NoError(t, err)
		if after := tr.firstOrder(net); after > 1e-4*before || !report.Converged {
			t.Errorf("%s: the gradient's norm is %g at the end, %g at the start; %+v", name, after, before, report)
		}
	}
}

func TestNoiselessTrainingInterpolates(t *testing.T) {
	X := inputs(20, 2, 14)
	y := targets(X)
	f, err := SimpleSMB(context.Background(),
		Arch{Inputs: 2, Hidden: []int{1000}, Activation: Tanh, SigmaW: 2, SigmaB: 2}, X, y,
		Options{Nu: 0.5}, newRand(15))
	require.NoError(t, err)
	for i, v := range f.Eval(X) {
		assert.InDelta(t, y[i], v, 1e-3, "at datum %d the surrogate is %g, the target %g", i, v, y[i])
	}
	if f.Report.RMSE > 1e-4 {
		t.Errorf("RMSE %g", f.Report.RMSE)
	}
}

// Training starts from scratch: what was trained before with the same stream of numbers, or with another, changes
// nothing.
func TestTrainingIsFromScratch(t *testing.T) {
	X := inputs(6, 1, 16)
	a := Arch{Inputs: 1, Hidden: []int{100}, Activation: Tanh, SigmaW: 1, SigmaB: 1}
	fit := func() []float64 {
		f, err := SimpleSMB(context.Background(), a, X, targets(X), Options{}, newRand(17))
		require.NoError(t, err)
		return f.Eval(inputs(5, 1, 18))
	}
	first := fit()
	SimpleSMB(context.Background(), a, inputs(9, 1, 19), targets(inputs(9, 1, 19)), Options{}, newRand(20))
	for i, v := range fit() {
		require.Equal(t, first[i], v, "the same training gives %g, before %g", v, first[i])
	}
}

// Adam and Gauss–Newton minimize the same strictly regularized objective, near enough to convex at this width to share
// its minimum.
func TestAdamAgreesWithGaussNewton(t *testing.T) {
	X := inputs(5, 1, 21)
	tr := &training{start: New(Arch{Inputs: 1, Hidden: []int{400}, Activation: Erf, SigmaW: 1.5, SigmaB: 0.5},
		newRand(22)), x: X,
		target: targets(X), sigma2: 0.3}
	gn, report, err := tr.gaussNewton(context.Background())
	require.NoError(t, err)
	adam, slow, err := tr.adam(context.Background(), 3000, 0.01)
	require.NoError(t, err)
	if report.Objective > slow.Objective*(1+1e-6) {
		t.Errorf("Gauss–Newton reaches %g, Adam %g", report.Objective, slow.Objective)
	}
	position := inputs(7, 1, 23)
	g, s := gn.Eval(position), adam.Eval(position)
	for i := range g {
		assert.InDelta(t, s[i], g[i], 0.02, "Gauss–Newton gives %g, Adam %g", g[i], s[i])
	}
}

func TestCancelledTraining(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	X := inputs(6, 1, 24)
	for _, trainer := range []Trainer{GaussNewton, Adam} {
		_, err := SimpleSMB(ctx, Arch{Inputs: 1, Hidden: []int{50}, Activation: Tanh, SigmaW: 1, SigmaB: 1}, X,
			targets(X),
			Options{Trainer: trainer, Epochs: 10, Rate: 0.01}, newRand(1))
		assert.ErrorIs(t, err, context.Canceled, "%s: got %v", trainer, err)
	}
}

// erfLaw is the NNGP kernel and the NTK of one hidden layer of erf units, from their closed forms (Williams 1997; Jacot
// et al. 2018).
func erfLaw(a Arch, x, y []float64) (nngp, ntk float64) {
	w2, b2 := a.SigmaW*a.SigmaW, a.SigmaB*a.SigmaB
	dot := func(u, v []float64) float64 {
		s := 0.0
		for i := range u {
			s += u[i] * v[i]
		}
		return w2/float64(len(u))*s + b2
	}
	xx, yy, xy := 1+2*dot(x, x), 1+2*dot(y, y), dot(x, y)
	kappa := 2 / math.Pi * math.Asin(2*xy/math.Sqrt(xx*yy))
	slope := 4 / math.Pi / math.Sqrt(xx*yy-4*xy*xy)
	nngp = w2*kappa + b2
	return nngp, nngp + w2*slope*xy
}

// laws makes the matrices of both kernels.
func laws(a Arch, A, B *mat.Dense) (nngp, ntk *mat.Dense) {
	n, _ := A.Dims()
	m, _ := B.Dims()
	nngp, ntk = mat.NewDense(n, m, nil), mat.NewDense(n, m, nil)
	for i := range n {
		for j := range m {
			k, th := erfLaw(a, A.RawRowView(i), B.RawRowView(j))
			nngp.Set(i, j, k)
			ntk.Set(i, j, th)
		}
	}
	return nngp, ntk
}

// Paria et al. 2022, Prop. 1: over many fits at great width, the surrogates' mean and covariance are those of the
// closed form.
func TestProposition1(t *testing.T) {
	const fits, width = 400, 300
	X := mat.NewDense(4, 1, []float64{-0.9, -0.3, 0.2, 0.7})
	inputs := mat.NewDense(3, 1, []float64{-0.6, 0.0, 0.95})
	y := []float64{0.5, -1, 0.3, 1.2}
	for _, c := range []struct{ sigma2, nu float64 }{{0, 1}, {0.1, 0.7}} {
		a := Arch{Inputs: 1, Hidden: []int{width}, Activation: Erf, SigmaW: 1.5, SigmaB: 0.8}
		mean, cov := proposition1(a, X, inputs, y, c.sigma2, c.nu)
		// A network of width m differs from the limit by O(1/√m) in each fit, and by O(1/m) in its moments: an
		// allowance of 1.5/m of the prior's variance stands beside the five standard errors.
		follows(t, fmt.Sprintf("σ²=%g ν=%g", c.sigma2, c.nu), fits, inputs, mean, cov, 1.5/width*4,
			func(rng *rand.Rand) (*Surrogate, error) {
				return SimpleSMB(context.Background(), a, X, y, Options{Sigma2: c.sigma2, Nu: c.nu}, rng)
			})
	}
}

// follows checks over many fits that their values have a mean and a covariance, within five standard errors and an
// allowance.
func follows(t *testing.T, name string, fits int, inputs *mat.Dense, mean []float64, cov mat.Matrix, allowance float64,
	fit func(*rand.Rand) (*Surrogate, error)) {
	t.Helper()
	m := len(mean)
	values := mat.NewDense(fits, m, nil)
	for i := range fits {
		f, err := fit(rand.New(rand.NewPCG(uint64(i), 99)))
		require.NoError(t, err)
		values.SetRow(i, f.Eval(inputs))
	}
	n := float64(fits)
	for i := range m {
		ci := mat.Col(nil, i, values)
		se := math.Sqrt(cov.At(i, i) / n)
		if got := stat.Mean(ci, nil); math.Abs(got-mean[i]) > 5*se+allowance {
			t.Errorf("%s: mean %d is %g, want %g ± %g", name, i, got, mean[i], se)
		}
		for j := range m {
			se := math.Sqrt((cov.At(i, i)*cov.At(j, j) + cov.At(i, j)*cov.At(i, j)) / n)
			if got := stat.Covariance(ci, mat.Col(nil, j, values), nil); math.Abs(got-cov.At(i, j)) > 5*se+allowance {
				t.Errorf("%s: covariance %d,%d is %g, want %g ± %g", name, i, j, got, cov.At(i, j), se)
			}
		}
	}
}

// proposition1 is the closed form, by direct inversion.
func proposition1(a Arch, X, inputs *mat.Dense, y []float64, sigma2, nu float64) (mean []float64, cov *mat.Dense) {
	kXX, tXX := laws(a, X, X)
	kxX, txX := laws(a, inputs, X)
	kxx, _ := laws(a, inputs, inputs)
	n := len(y)
	for i := range n {
		tXX.Set(i, i, tXX.At(i, i)+sigma2)
		kXX.Set(i, i, kXX.At(i, i)+sigma2)
	}
	var inv, B, m, cross, tail mat.Dense
	if err := inv.Inverse(tXX); err != nil {
		panic(err)
	}
	B.Mul(txX, &inv) // Θ_xX A⁻¹
	m.Mul(&B, mat.NewVecDense(n, y))
	cross.Mul(&B, kxX.T())
	tail.Mul(&B, kXX)
	cov = new(mat.Dense)
	cov.Mul(&tail, B.T())
	cov.Add(cov, kxx)
	cov.Sub(cov, &cross)
	cov.Sub(cov, cross.T())
	cov.Scale(nu*nu, cov)
	return mat.Col(nil, 0, &m), cov
}

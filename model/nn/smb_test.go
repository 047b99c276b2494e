package nn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// Products with the Jacobian against the Jacobian itself, which is tested by differences.
func TestTangentsAgainstTheJacobian(t *testing.T) {
	for name, a := range architectures() {
		n := New(a, newRand(1))
		X := inputs(5, a.Inputs, 2)
		J := n.Jacobian(X)
		u := a.NewTangent(newRand(3))
		var flatU []float64
		for _, l := range u.layers {
			flatU = append(append(flatU, l.w.RawMatrix().Data...), l.b...)
		}
		var want mat.VecDense
		want.MulVec(J, mat.NewVecDense(len(flatU), flatU))
		for i, v := range n.JVP(X, u) {
			assert.InDelta(t, want.AtVec(i), v, 1e-10, "%s: Ju is %g at %d", name, v, i)
		}
		v := []float64{1, -2, 0.5, 3, 0.1}
		want.Reset()
		want.MulVec(J.T(), mat.NewVecDense(5, v))
		k := 0
		for _, l := range n.VJP(X, v).layers {
			for _, got := range append(append([]float64(nil), l.w.RawMatrix().Data...), l.b...) {
				require.InDelta(t, want.AtVec(k), got, 1e-10, "%s: Jᵀv is %g at %d", name, got, k)
				k++
			}
		}
	}
}

// The input gradient of every kind of surrogate against central differences.
func TestSurrogateGradients(t *testing.T) {
	X := inputs(4, 2, 8)
	y := []float64{1, -1, 0.5, 0}
	for _, unit := range []Activation{Tanh, Erf, ReLU} {
		a := Arch{Inputs: 2, Hidden: []int{30, 20}, Activation: unit, SigmaW: 1.5, SigmaB: 0.5}
		for name, build := range builders() {
			for _, linear := range []bool{false, true} {
				f, err := build(context.Background(), a, X, y, Options{Sigma2: 0.1, Nu: 0.8, Linear: linear},
					newRand(5))
				require.NoError(t, err)
				const h = 1e-5
				x, grad := []float64{0.3, -0.2}, make([]float64, 2)
				value := f.Gradient(x, grad)
				if want := f.Eval(mat.NewDense(1, 2, x))[0]; math.Abs(value-want) > 1e-10 {
					t.Errorf("%s %s: %g beside its gradient, %g alone", name, unit, value, want)
				}
				for j := range x {
					probe := mat.NewDense(2, 2, []float64{x[0], x[1], x[0], x[1]})
					probe.Set(0, j, x[j]+h)
					probe.Set(1, j, x[j]-h)
					v := f.Eval(probe)
					if want := (v[0] - v[1]) / (2 * h); math.Abs(grad[j]-want) > 1e-6 {
						t.Errorf("%s %s: slope %d is %g, by differences %g", name, unit, j, grad[j], want)
					}
				}
			}
		}
	}
}

type builder func(context.Context, Arch, *mat.Dense, []float64, Options, *rand.Rand) (*Surrogate, error)

func builders() map[string]builder {
	return map[string]builder{"simple": SimpleSMB, "posterior": PosteriorSMB, "linear": LinearSMB}
}

// posterior is Gaussian-process regression with a kernel given by its matrices, times ν² in its covariance.
func posterior(kxx, kxX, kXX *mat.Dense, y []float64, sigma2, nu float64) ([]float64, *mat.Dense) {
	n := len(y)
	a := mat.DenseCopyOf(kXX)
	for i := range n {
		a.Set(i, i, a.At(i, i)+sigma2)
	}
	var inv, B, mean, cov mat.Dense
	if err := inv.Inverse(a); err != nil {
		panic(err)
	}
	B.Mul(kxX, &inv)
	mean.Mul(&B, mat.NewVecDense(n, y))
	cov.Mul(&B, kxX.T())
	cov.Sub(kxx, &cov)
	cov.Scale(nu*nu, &cov)
	return mat.Col(nil, 0, &mean), &cov
}

// Paria et al. 2022, Prop. 2: at great width PosteriorSMB draws from the posterior under the NTK, and so does
// LinearSMB.
func TestProposition2(t *testing.T) {
	const fits, width = 300, 200
	X := mat.NewDense(4, 1, []float64{-0.9, -0.3, 0.2, 0.7})
	inputs := mat.NewDense(3, 1, []float64{-0.6, 0.0, 0.95})
	y := []float64{0.5, -1, 0.3, 1.2}
	a := Arch{Inputs: 1, Hidden: []int{width}, Activation: Erf, SigmaW: 1.5, SigmaB: 0.8}
	_, kXX := laws(a, X, X)
	_, kxX := laws(a, inputs, X)
	_, kxx := laws(a, inputs, inputs)
	for name, build := range map[string]builder{"posterior": PosteriorSMB, "linear": LinearSMB} {
		for _, c := range []struct{ sigma2, nu float64 }{{0, 1}, {0.1, 0.7}} {
			mean, cov := posterior(kxx, kxX, kXX, y, c.sigma2, c.nu)
			follows(t, fmt.Sprintf("%s σ²=%g ν=%g", name, c.sigma2, c.nu), fits, inputs, mean, cov, 1.6/width*6,
				func(rng *rand.Rand) (*Surrogate, error) {
					return build(context.Background(), a, X, y, Options{Sigma2: c.sigma2, Nu: c.nu}, rng)
				})
		}
	}
}

// Dai et al. 2022, Alg. 2: at any width, given the features, the draws are those of the posterior under their empirical
// NTK.
func TestLinearDrawsAreExact(t *testing.T) {
	a := Arch{Inputs: 1, Hidden: []int{6}, Activation: Tanh, SigmaW: 2, SigmaB: 1}
	X := mat.NewDense(4, 1, []float64{-0.9, -0.3, 0.2, 0.7})
	inputs := mat.NewDense(3, 1, []float64{-0.6, 0.0, 0.95})
	y := []float64{0.5, -1, 0.3, 1.2}
	base := New(a, newRand(7))
	J, Jx := base.Jacobian(X), base.Jacobian(inputs)
	var kXX, kxX, kxx mat.Dense
	kXX.Mul(J, J.T())
	kxX.Mul(Jx, J.T())
	kxx.Mul(Jx, Jx.T())
	mean, cov := posterior(&kxx, &kxX, &kXX, y, 0.3, 0.9)
	follows(t, "given features", 3000, inputs, mean, cov, 0, func(rng *rand.Rand) (*Surrogate, error) {
		return train(context.Background(), &Surrogate{base: base, tangent: a.NewTangent(rng)}, base, X, y,
			Options{Sigma2: 0.3, Nu: 0.9, Linear: true}, rng)
	})
}

// Gradient descent on the linearized network after t steps, mode by mode of the empirical NTK: the part (1 − ηλ)^t of
// the residual is left.
func TestLinearizedDescent(t *testing.T) {
	a := Arch{Inputs: 1, Hidden: []int{40}, Activation: Erf, SigmaW: 1.5, SigmaB: 0.5}
	X := mat.NewDense(3, 1, []float64{-0.8, 0.1, 0.6})
	y := []float64{1, -1, 0.4}
	const rate, steps = 0.05, 30
	f, err := SimpleSMB(context.Background(), a, X, y,
		Options{Linear: true, Trainer: GradientDescent, Epochs: steps, Rate: rate}, newRand(4))
	require.NoError(t, err)
	start := New(a, newRand(4))
	left := mat.NewVecDense(3, nil)
	left.SubVec(mat.NewVecDense(3, y), mat.NewVecDense(3, start.Eval(X)))
	var decay mat.Dense
	decay.Scale(-rate, start.EmpiricalNTK(X, X))
	for i := range 3 {
		decay.Set(i, i, 1+decay.At(i, i))
	}
	for range steps {
		var next mat.VecDense
		next.MulVec(&decay, left)
		left.CopyVec(&next)
	}
	for i, v := range f.Eval(X) {
		if want := y[i] - left.AtVec(i); math.Abs(v-want) > 1e-10 {
			t.Errorf("%g at datum %d, want %g", v, i, want)
		}
	}
}

// A wide network that descends in fact ends where its linearization does by the closed form, up to O(1/√width).
func TestDescentOfWideNetworks(t *testing.T) {
	a := Arch{Inputs: 1, Hidden: []int{4000}, Activation: Erf, SigmaW: 1.5, SigmaB: 0.5}
	X, y := mat.NewDense(3, 1, []float64{-0.8, 0.1, 0.6}), []float64{1, -1, 0.4}
	inputs := mat.NewDense(2, 1, []float64{-0.4, 0.9})
	opt := Options{Sigma2: 0.1, NoPerturbation: true, Trainer: GradientDescent, Epochs: 400, Rate: 0.1}
	real, err := SimpleSMB(context.Background(), a, X, y, opt, newRand(4))
	require.NoError(t, err)
	direct, err := SimpleSMB(context.Background(), a, X, y, Options{Sigma2: 0.1, NoPerturbation: true, Linear: true},
		newRand(4))
	require.NoError(t, err)
	want := direct.Eval(inputs)
	for i, v := range real.Eval(inputs) {
		assert.InDelta(t, want[i], v, 0.05, "%g at %d, linearized %g", v, i, want[i])
	}
	if math.Abs(real.Report.Objective-direct.Report.Objective) > 0.05*direct.Report.Objective {
		t.Errorf("the objective is %g, linearized %g", real.Report.Objective, direct.Report.Objective)
	}
}

// What Paria et al. 2022, App. C, leave out: without the distance noisy targets are met, without perturbation two fits
// from one start agree, and a warm start leaves its network as it is where that is already at the minimum.
func TestAblations(t *testing.T) {
	a := Arch{Inputs: 1, Hidden: []int{500}, Activation: Tanh, SigmaW: 1.5, SigmaB: 0.5}
	X, y := mat.NewDense(3, 1, []float64{-0.8, 0.1, 0.6}), []float64{1, -1, 0.4}
	fit := func(opt Options, seed uint64) *Surrogate {
		t.Helper()
		f, err := SimpleSMB(context.Background(), a, X, y, opt, newRand(seed))
		require.NoError(t, err)
		return f
	}
	if f := fit(Options{Sigma2: 0.5, NoDistance: true, NoPerturbation: true}, 1); f.Report.RMSE > 1e-4 {
		t.Errorf("without the distance the data are missed by %g", f.Report.RMSE)
	}
	first := fit(Options{Sigma2: 0.5, NoDistance: true, NoPerturbation: true}, 1)
	second := fit(Options{Sigma2: 0.5, NoDistance: true, NoPerturbation: true, From: first.Net}, 2)
	probe := mat.NewDense(2, 1, []float64{-0.3, 0.9})
	for i, v := range second.Eval(probe) {
		if want := first.Eval(probe)[i]; math.Abs(v-want) > 1e-3 {
			t.Errorf("a warm start went from %g to %g", want, v)
		}
	}
}

func TestTrainingRefusals(t *testing.T) {
	a := Arch{Inputs: 1, Hidden: []int{20}, Activation: Tanh, SigmaW: 1, SigmaB: 1}
	X, y := mat.NewDense(1, 1, []float64{0.2}), []float64{1}
	for name, opt := range map[string]Options{
		"no epochs":        {Trainer: GradientDescent, Rate: 0.1},
		"no rate":          {Trainer: Adam, Epochs: 10},
		"linear Adam":      {Trainer: Adam, Linear: true, Epochs: 1, Rate: 1},
		"unknown trainer":  {Trainer: "magic"},
		"a rate too large": {Trainer: GradientDescent, Epochs: 5000, Rate: 1e3},
	} {
		if _, err := SimpleSMB(context.Background(), a, X, y, opt, newRand(1)); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

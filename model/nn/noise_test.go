package nn

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// replicated are data of which three are at one input, with the noise of each, and the same with those averaged by it.
func replicated() (apart *mat.Dense, y, known []float64, dense *mat.Dense, averaged, errors []float64) {
	apart = mat.NewDense(5, 1, []float64{-0.7, 0.1, 0.1, 0.1, 0.8})
	y, known = []float64{0.4, -0.9, -0.3, -0.6, 1.1}, []float64{0.1, 0.04, 0.09, 0.25, 0.02}
	weight, mean := 0.0, 0.0
	for i := 1; i < 4; i++ {
		weight, mean = weight+1/known[i], mean+y[i]/known[i]
	}
	return apart, y, known, mat.NewDense(3, 1, []float64{-0.7, 0.1, 0.8}), []float64{0.4, mean / weight, 1.1},
		[]float64{0.1, 1 / weight, 0.02}
}

// Replicates have the objective of their mean, averaged by their errors, but for a constant: every trainer comes to the
// same network, and not to that of data that count alike. Gauss–Newton stops where the objective changes by 1e-8 of
// itself, so that what is found is as near as the root of that.
func TestKnownNoiseAveragesReplicates(t *testing.T) {
	apart, y, known, dense, averaged, errors := replicated()
	inputs, ctx := mat.NewDense(4, 1, []float64{-1, -0.2, 0.1, 0.5}), context.Background()
	for name, c := range map[string]struct {
		unit      Activation
		opt       Options
		tolerance float64
	}{
		"Gauss–Newton":         {Tanh, Options{}, 3e-4},
		"quasi-Newton":         {ReLU, Options{}, 1e-5},
		"closed form":          {Tanh, Options{Linear: true}, 1e-9},
		"Adam":                 {Tanh, Options{Trainer: Adam, Epochs: 200, Rate: 0.01}, 1e-9},
		"descent":              {Tanh, Options{Trainer: GradientDescent, Epochs: 100, Rate: 0.01}, 1e-9},
		"descent, linearized":  {Tanh, Options{Trainer: GradientDescent, Epochs: 100, Rate: 0.01, Linear: true}, 1e-9},
		"distance not counted": {Tanh, Options{NoDistance: true}, 1e-3},
		"scaled":               {Tanh, Options{Nu: 0.7}, 3e-4},
	} {
		a := Arch{Inputs: 1, Hidden: []int{40}, Activation: c.unit, SigmaW: 1.5, SigmaB: 0.8}
		fit := func(X *mat.Dense, y, known []float64) []float64 {
			opt := c.opt
			opt.Sigma2, opt.NoiseVars, opt.NoPerturbation = 0.02, known, true
			f, err := PosteriorSMB(ctx, a, X, y, opt, newRand(4))
			require.NoError(t, err)
			return f.Eval(inputs)
		}
		want, alike := fit(dense, averaged, errors), fit(apart, y, nil)
		for i, v := range fit(apart, y, known) {
			if math.Abs(v-want[i]) > c.tolerance {
				t.Errorf("%s: %g at input %d with the replicates apart, %g averaged", name, v, i, want[i])
			}
		}
		if math.Abs(alike[2]-want[2]) < 0.01 {
			t.Errorf("%s: the errors change nothing", name)
		}
	}
}

// So it is of stochastic gradient descent in one batch, whose steps are those of the mean over it.
func TestKnownNoiseInSGD(t *testing.T) {
	apart, y, known, dense, averaged, errors := replicated()
	start := New(Arch{Inputs: 1, Hidden: []int{20}, Activation: Tanh, SigmaW: 1.5, SigmaB: 0.8}, newRand(4))
	fit := func(X *mat.Dense, y, known []float64) *Surrogate {
		n := float64(len(y))
		f, err := SGD(context.Background(), start, X, y,
			SGDOptions{Sigma2: 0.02, NoiseVars: known, Batch: 10, Epochs: 50, Rate: 0.02 * n}, newRand(5))
		require.NoError(t, err)
		return f
	}
	a, b := fit(apart, y, known), fit(dense, averaged, errors)
	for i, v := range a.Eval(apart) {
		if want := b.Eval(apart)[i]; math.Abs(v-want) > 1e-9 {
			t.Errorf("%g at datum %d with the replicates apart, %g averaged", v, i, want)
		}
	}
}

// The draws are those of the posterior with the noise of each target on the diagonal: by the closed form exactly, given
// the features, and otherwise at great width.
func TestDrawsWithKnownNoise(t *testing.T) {
	X, inputs := mat.NewDense(4, 1, []float64{-0.9, -0.3, 0.2, 0.7}), mat.NewDense(3, 1, []float64{-0.6, 0.0, 0.95})
	y, known := []float64{0.5, -1, 0.3, 1.2}, []float64{0.5, 0.05, 0.2, 0.02}
	opt := Options{Sigma2: 0.02, NoiseVars: known, Nu: 0.9}
	noisy := func(k *mat.Dense) *mat.Dense {
		k = mat.DenseCopyOf(k)
		for i, v := range known {
			k.Set(i, i, k.At(i, i)+v)
		}
		return k
	}
	a := Arch{Inputs: 1, Hidden: []int{6}, Activation: Tanh, SigmaW: 2, SigmaB: 1}
	base := New(a, newRand(7))
	J, Jx := base.Jacobian(X), base.Jacobian(inputs)
	var kXX, kxX, kxx mat.Dense
	kXX.Mul(J, J.T())
	kxX.Mul(Jx, J.T())
	kxx.Mul(Jx, Jx.T())
	mean, cov := posterior(&kxx, &kxX, noisy(&kXX), y, 0, 0.9)
	follows(t, "given features", 2000, inputs, mean, cov, 0, func(rng *rand.Rand) (*Surrogate, error) {
		linear := opt
		linear.Linear = true
		return train(context.Background(), &Surrogate{base: base, tangent: a.NewTangent(rng)}, base, X, y, linear, rng)
	})
	const width = 400
	wide := Arch{Inputs: 1, Hidden: []int{width}, Activation: Erf, SigmaW: 1.5, SigmaB: 0.8}
	_, wXX := laws(wide, X, X)
	_, wxX := laws(wide, inputs, X)
	_, wxx := laws(wide, inputs, inputs)
	mean, cov = posterior(wxx, wxX, noisy(wXX), y, 0, 0.9)
	follows(t, "great width", 200, inputs, mean, cov, 4.0/width*6, func(rng *rand.Rand) (*Surrogate, error) {
		return PosteriorSMB(context.Background(), wide, X, y, opt, rng)
	})
}

// The law of gradient features with weights is that of weights w ~ N(0, (I + Σ φφᵀ/σ_i²)⁻¹), found here by the p×p
// matrix, whole and by its diagonal.
func TestGradientLawWithKnownNoise(t *testing.T) {
	const lambda, s = 0.05, 2.0
	a := Arch{Inputs: 1, Hidden: []int{5}, Activation: Tanh, SigmaW: math.Sqrt(s)}
	n, known := New(a, newRand(3)), []float64{0.5, 0.05, 0.2}
	X, inputs := mat.NewDense(3, 1, []float64{-0.9, 0.2, 0.7}), mat.NewDense(2, 1, []float64{-0.4, 0.5})
	J, Jx := n.Jacobian(X), n.Jacobian(inputs)
	p := a.Params()
	amounts, precision := make([]float64, 3), mat.NewDense(p, p, nil)
	for i, v := range known {
		amounts[i] = math.Sqrt(lambda / v)
		var outer mat.Dense
		outer.Outer(1/(s*v), J.RowView(i), J.RowView(i))
		precision.Add(precision, &outer)
	}
	for i := range p {
		precision.Set(i, i, precision.At(i, i)+1)
	}
	for _, diagonal := range []bool{false, true} {
		law, err := NewGradientPosterior(a, n.Features(X).ScaleRows(amounts), s, lambda, diagonal)
		require.NoError(t, err)
		sd, err := law.SD(context.Background(), n, inputs)
		require.NoError(t, err)
		m := mat.DenseCopyOf(precision)
		if diagonal {
			m.Apply(func(i, j int, v float64) float64 {
				if i != j {
					return 0
				}
				return v
			}, precision)
		}
		var cov, part mat.Dense
		require.NoError(t, cov.Inverse(m))
		part.Mul(Jx, &cov)
		cov.Reset()
		cov.Mul(&part, Jx.T())
		for i, v := range sd {
			if want := math.Sqrt(cov.At(i, i) / s); math.Abs(v-want) > 1e-9 {
				t.Errorf("diagonal %v, input %d: %g, by the p×p matrix %g", diagonal, i, v, want)
			}
		}
	}
}

// What cannot be the noise of targets is refused.
func TestKnownNoiseIsChecked(t *testing.T) {
	for _, c := range []Options{
		{Sigma2: 0.1, NoiseVars: []float64{1}}, {NoiseVars: []float64{1, 1}}, {Sigma2: 0.1, NoiseVars: []float64{1, 0}},
		{Sigma2: 0.1, NoiseVars: []float64{math.NaN(), 1}},
		{Sigma2: 0.1, NoiseVars: []float64{1, math.Inf(1)}}} {
		if _, err := c.roots(2); err == nil {
			t.Errorf("variances %v with σ² = %g are accepted", c.NoiseVars, c.Sigma2)
		}
	}
}

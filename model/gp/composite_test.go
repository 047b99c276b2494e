package gp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// composites are processes with kernels of expressions, computed by scikit-learn: testdata/composites.py.
type composites struct {
	Cases []struct {
		Expression string
		X, At, Cov [][]float64
		Y, Mean    []float64
		Values     []float64 // of the hyperparameters, in the order of the expression
		Noise      float64
		Evidence   float64   // log marginal likelihood
		Gradient   []float64 // by the logarithms of all that are not fixed, then of the noise
		Best       float64   // log marginal likelihood of the best fit of 41 starts
	}
}

func rows(list [][]float64) *mat.Dense {
	X := mat.NewDense(len(list), len(list[0]), nil)
	for i, x := range list {
		X.SetRow(i, x)
	}
	return X
}

func expression(t *testing.T, text string) *kernel.Expression {
	t.Helper()
	e, err := kernel.Parse(text)
	require.NoError(t, err)
	return &e
}

// compositeOptions are the options of a case; rq of two inputs shares their lengthscale, as scikit-learn's does.
func compositeOptions(t *testing.T, text string, d int) Options {
	opt := Options{Expression: expression(t, text), FitNoise: true, Starts: 5}
	if text == "rq(alpha=2)" {
		opt.SharedLengthscales = make([]int, d)
	}
	return opt
}

func near(t *testing.T, subject string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) {
		t.Errorf("%s is %.12g, by scikit-learn %.12g", subject, got, want)
	}
}

// The evidence, its gradient, the posterior and the quality of the fit are those of scikit-learn.
func TestCompositesAgainstScikitLearn(t *testing.T) {
	for _, c := range readFixture[composites](t, "testdata/composites.json").Cases {
		X := rows(c.X)
		opt := compositeOptions(t, c.Expression, len(c.X[0]))
		e := newEvidence(X, c.Y, opt)
		theta := make([]float64, len(e.lo))
		for i, v := range append(slices.Clone(c.Values), c.Noise) {
			theta[i] = math.Log(v)
		}
		grad := make([]float64, len(theta))
		near(t, c.Expression+": the evidence", e.value(theta, grad, e.workspace()), c.Evidence, 1e-8)
		var free []float64
		for i, g := range grad {
			if e.hi[i] > e.lo[i] {
				free = append(free, g)
			}
		}
		require.Equal(t, len(c.Gradient), len(free), "%s has %d fitted hyperparameters", c.Expression, len(free))
		for i, g := range free {
			near(t, fmt.Sprintf("%s: slope %d of the evidence", c.Expression, i), g, c.Gradient[i], 1e-6)
		}
		k, noise := e.kernelAt(theta)
		g, err := New(k, noise, X, c.Y)
		require.NoError(t, err)
		mean, sd, err := g.Predict(context.Background(), rows(c.At))
		require.NoError(t, err)
		for i := range mean {
			near(t, c.Expression+": a mean", mean[i], c.Mean[i], 1e-8)
			near(t, c.Expression+": a variance", sd[i]*sd[i], c.Cov[i][i], 1e-8)
			inputs := mat.NewDense(1, len(c.At[0]), c.At[0])
			_, _, cov, err := g.PredictPairs(context.Background(), inputs, mat.NewDense(1, len(c.At[i]), c.At[i]))
			require.NoError(t, err)
			near(t, c.Expression+": a covariance", cov[0], c.Cov[0][i], 1e-7)
		}
		for seed := range uint64(3) {
			fit, err := Fit(context.Background(), X, c.Y, len(c.X[0]), opt, newRand(seed))
			require.NoError(t, err)
			if got := fit.LogMarginalLikelihood(); got < c.Best-0.1 {
				t.Errorf("%s, seed %d: the fit has %.4f nats, by scikit-learn %.4f", c.Expression, seed, got, c.Best)
			}
		}
	}
}

// A single stationary kernel is the same process whether it is a form or an expression.
func TestExpressionOfAFormIsTheForm(t *testing.T) {
	X, y := data(12, 2, 3)
	for _, name := range kernel.FormNames() {
		form, _ := kernel.FindForm(name)
		opt := Options{Form: form, FitNoise: true, Priors: &WeakPriors, Starts: 3}
		a := newEvidence(X, y, opt)
		opt.Form, opt.Expression = nil, expression(t, name)
		b := newEvidence(X, y, opt)
		theta := []float64{-1, -0.5, 0.2, -2}                       // the lengthscales, the scale, the noise
		turned := []float64{theta[2], theta[0], theta[1], theta[3]} // the scale comes first
		ga, gb := make([]float64, 4), make([]float64, 4)
		va, vb := a.value(theta, ga, a.workspace()), b.value(turned, gb, b.workspace())
		assert.InDelta(t, vb, va, 1e-9*math.Abs(va), "%s: %.12g as a form, %.12g as an expression", name, va, vb)
		for i, j := range []int{1, 2, 0, 3} {
			if math.Abs(ga[i]-gb[j]) > 1e-7*(1+math.Abs(ga[i])) {
				t.Errorf("%s: slope %d is %.10g as a form, %.10g as an expression", name, i, ga[i], gb[j])
			}
		}
	}
}

// The gradients of all that depends on the inputs equal differences.
func TestCompositeGradients(t *testing.T) {
	settings := &fd.Settings{Formula: fd.Central, Step: 1e-5}
	for _, text := range []string{"se + linear", "periodic*matern32", "(rq + linear)*periodic + 0.3", "linear*linear",
		"0.7*linear"} {
		for _, d := range []int{1, 3} {
			X, y := data(9, d, 4)
			e := newEvidence(X, y, Options{Expression: expression(t, text), Noise: 0.2})
			theta := make([]float64, len(e.lo))
			for i := range theta {
				theta[i] = -0.3 + 0.1*float64(i%3)
			}
			k, noise := e.kernelAt(theta)
			g, err := New(k, noise, X, y)
			require.NoError(t, err)
			prior, err := New(k, noise, nil, nil)
			require.NoError(t, err)
			x, z := []float64{0.31, 0.6, 0.2}[:d], []float64{0.72, 0.4, 0.9}[:d]
			for name, label := range map[string]*GP{"posterior": g, "prior": prior} {
				dmean, dsd := make([]float64, d), make([]float64, d)
				label.Gradient(x, dmean, dsd)
				valueAt := func(k int) func(p []float64) float64 {
					return func(p []float64) float64 {
						mean, sd, _ := label.Predict(context.Background(), mat.NewDense(1, d, slices.Clone(p)))
						return [][]float64{mean, sd}[k][0]
					}
				}
				sameSlopes(t, text+": mean of the "+name, dmean, fd.Gradient(nil, valueAt(0), x, settings))
				sameSlopes(t, text+": sd of the "+name, dsd, fd.Gradient(nil, valueAt(1), x, settings))
				dx, dz := make([]float64, d), make([]float64, d)
				label.Covariance(x, z, dx, dz)
				u := make([]float64, d)
				sameSlopes(t, text+": covariance of the "+name, dx, fd.Gradient(nil, func(p []float64) float64 {
					return label.Covariance(p, z, u, make([]float64, d))
				}, x, settings))
				path, err := label.Path(64, newRand(5))
				require.NoError(t, err)
				grad := make([]float64, d)
				v := path.Gradient(x, grad)
				sameSlopes(t, text+": path of the "+name, grad, fd.Gradient(nil, path.At, x, settings))
				if values := path.Values(mat.NewDense(1, d, slices.Clone(x))); math.Abs(values[0]-v) > 1e-10 {
					t.Errorf("%s: a path is %g, and %g with others", text, v, values[0])
				}
			}
		}
	}
}

func sameSlopes(t *testing.T, subject string, got, want []float64) {
	t.Helper()
	for j := range got {
		if math.Abs(got[j]-want[j]) > 1e-6*(1+math.Abs(want[j])) {
			t.Errorf("%s: slope %d is %g, by differences %g", subject, j, got[j], want[j])
		}
	}
}

// Paths have the mean and the covariance of the posterior, within their standard errors.
func TestCompositePathsHaveTheMoments(t *testing.T) {
	const draws = 1500
	X, y := data(5, 1, 6)
	inputs := mat.NewDense(3, 1, []float64{0.05, 0.4, 0.93})
	for _, text := range []string{"se + linear", "periodic*matern32", "(rq + linear)*periodic", "linear + 0.4"} {
		e := newEvidence(X, y, Options{Expression: expression(t, text), Noise: 0.3})
		k, noise := e.kernelAt(make([]float64, len(e.lo)))
		g, err := New(k, noise, X, y)
		require.NoError(t, err)
		mean, sd, _ := g.Predict(context.Background(), inputs)
		sum, sum2 := make([]float64, 3), make([]float64, 3)
		rng := rand.New(rand.NewPCG(3, 4))
		for range draws {
			p, err := g.Path(256, rng)
			require.NoError(t, err)
			for i, v := range p.Values(inputs) {
				sum[i], sum2[i] = sum[i]+v, sum2[i]+v*v
			}
		}
		for i := range mean {
			m := sum[i] / draws
			v := sum2[i]/draws - m*m
			if math.Abs(m-mean[i]) > 4.5*sd[i]/math.Sqrt(draws) {
				t.Errorf("%s: the mean of paths at %g is %g, want %g ± %g", text, inputs.At(i, 0), m, mean[i],
					sd[i]/math.Sqrt(draws))
			}
			if math.Abs(v/(sd[i]*sd[i])-1) > 0.2 { // the standard error is √(2/draws), of features a few hundredths more
				t.Errorf("%s: the variance of paths at %g is %g, want %g", text, inputs.At(i, 0), v, sd[i]*sd[i])
			}
		}
	}
}

// Without fitted hyperparameters, a fit is the process with the given ones, and integration has nothing to integrate.
func TestFixedExpression(t *testing.T) {
	X, y := data(8, 1, 2)
	opt := Options{Expression: expression(t, "0.49*periodic(length=0.8, period=0.3)*se(length=0.5)"), Noise: 0.05,
		Starts: 5}
	g, err := Fit(context.Background(), X, y, 1, opt, newRand(1))
	require.NoError(t, err)
	if got := g.Kernel().(*kernel.Composite).Values(); !slices.Equal(got, []float64{0.7, 0.8, 0.3, 0.5}) {
		t.Errorf("the hyperparameters are %v", got)
	}
	m, err := Integrate(context.Background(), g, X, y, opt, 8, newRand(1))
	if err != nil || m.Integrated() {
		t.Errorf("the fixed hyperparameters are integrated over: %v", err)
	}
	opt.Expression = expression(t, "periodic*se(length=0.5)")
	if m, err = Integrate(context.Background(), mustFit(t, X, y, opt), X, y, opt, 4, newRand(1)); err != nil ||
		!m.Integrated() {
		t.Fatalf("the fitted hyperparameters are not integrated over: %v", err)
	}
	for _, g := range m.Draws() {
		if v := g.Kernel().(*kernel.Composite).Values()[3]; v != 0.5 {
			t.Errorf("a fixed lengthscale is %g in a draw", v)
		}
	}
}

func mustFit(t *testing.T, X *mat.Dense, y []float64, opt Options) *GP {
	t.Helper()
	_, d := X.Dims()
	g, err := Fit(context.Background(), X, y, d, opt, newRand(1))
	require.NoError(t, err)
	return g
}

// A climb starts at a given composite process, and ends no lower.
func TestCompositeWarmStart(t *testing.T) {
	X, y := data(15, 2, 9)
	opt := Options{Expression: expression(t, "se*periodic + linear"), FitNoise: true, Priors: &WeakPriors, Starts: 2}
	first := mustFit(t, X, y, opt)
	opt.Starts, opt.WarmStarts = 0, []*GP{first}
	e := newEvidence(X, y, opt)
	require.NotNil(t, e.at(first), "the process is no point of its own evidence")
	_, v, err := e.search(context.Background(), nil)
	if err != nil || v < e.value(e.at(first), nil, e.workspace())-1e-6 {
		t.Errorf("the climb ends at %g, below its start: %v", v, err)
	}
	opt.Expression = expression(t, "se*periodic")
	assert.Nil(t, newEvidence(X, y, opt).at(first), "the process is a point of the evidence of another expression")
}

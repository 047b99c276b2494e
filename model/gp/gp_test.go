package gp

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/model/kernel"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 17)) }

// data draws n inputs in the unit cube and smooth targets.
func data(n, d int, seed uint64) (*mat.Dense, []float64) {
	rng := newRand(seed)
	X := mat.NewDense(n, d, nil)
	y := make([]float64, n)
	for i := range n {
		for j := range d {
			X.Set(i, j, rng.Float64())
		}
		y[i] = math.Sin(6*X.At(i, 0)) + 0.5*X.At(i, d-1) + 0.05*rng.NormFloat64()
	}
	return X, y
}

func kernels(d int) map[string]kernel.Stationary {
	l := make([]float64, d)
	for j := range l {
		l[j] = 0.2 + 0.15*float64(j)
	}
	return map[string]kernel.Stationary{
		"se":       {Form: kernel.SE, Scale: 1.3, Lengths: l},
		"matern52": {Form: kernel.Matern52, Scale: 0.8, Lengths: l},
	}
}

// dense computes the posterior by direct inversion, from the textbook formula (Rasmussen & Williams 2006, eq. 2.25 and
// 2.26).
func dense(t *testing.T, k kernel.Stationary, noise float64, X *mat.Dense, y []float64, x []float64) (mean,
	sd float64) {
	t.Helper()
	n, _ := X.Dims()
	cov := mat.NewDense(n, n, nil)
	star := mat.NewVecDense(n, nil)
	for i := range n {
		for j := range n {
			cov.Set(i, j, covariance(k, X.RawRowView(i), X.RawRowView(j)))
		}
		cov.Set(i, i, cov.At(i, i)+noise*noise)
		star.SetVec(i, covariance(k, x, X.RawRowView(i)))
	}
	var inv mat.Dense
	require.NoError(t, inv.Inverse(cov))
	var v mat.VecDense
	v.MulVec(&inv, star)
	return mat.Dot(&v, mat.NewVecDense(n, y)), math.Sqrt(covariance(k, x, x) - mat.Dot(&v, star))
}

// covariance is an independent implementation of the kernel.
func covariance(k kernel.Stationary, x, y []float64) float64 {
	r2 := 0.0
	for j := range x {
		r2 += math.Pow((x[j]-y[j])/k.Lengths[j], 2)
	}
	if k.Form == kernel.SE {
		return k.Scale * k.Scale * math.Exp(-r2/2)
	}
	r := math.Sqrt(r2)
	return k.Scale * k.Scale * (1 + math.Sqrt(5)*r + 5*r2/3) * math.Exp(-math.Sqrt(5)*r)
}

func TestPosteriorEqualsDirectSolve(t *testing.T) {
	for _, d := range []int{1, 3} {
		X, y := data(12, d, 3)
		for name, k := range kernels(d) {
			g, err := New(k, 0.1, X, y)
			require.NoError(t, err)
			position, _ := data(20, d, 4)
			mean, sd, err := g.Predict(context.Background(), position)
			require.NoError(t, err)
			for i := range mean {
				m, s := dense(t, k, 0.1, X, y, position.RawRowView(i))
				if !scalar.EqualWithinAbsOrRel(mean[i], m, 1e-10, 1e-10) ||
					!scalar.EqualWithinAbsOrRel(sd[i], s, 1e-8, 1e-8) {
					t.Errorf("%s %d-D at %v: got %g ± %g, want %g ± %g", name, d, position.RawRowView(i), mean[i], sd[i], m,
						s)
				}
			}
		}
	}
}

// With one noiseless observation y at x₀ the posterior is y·ρ and s²(1−ρ²), ρ the correlation (by hand).
func TestOneObservationByHand(t *testing.T) {
	k := kernel.Stationary{Form: kernel.SE, Scale: 2, Lengths: []float64{0.5}}
	g, err := New(k, 0, mat.NewDense(1, 1, []float64{0.25}), []float64{3})
	require.NoError(t, err)
	mean, sd, _ := g.Predict(context.Background(), mat.NewDense(1, 1, []float64{0.75}))
	rho := math.Exp(-0.5)
	if !scalar.EqualWithinAbs(mean[0], 3*rho, 1e-12) || !scalar.EqualWithinAbs(sd[0], 2*math.Sqrt(1-rho*rho), 1e-12) {
		t.Errorf("got %g ± %g, want %g ± %g", mean[0], sd[0], 3*rho, 2*math.Sqrt(1-rho*rho))
	}
}

func TestNoiselessPosteriorInterpolates(t *testing.T) {
	X, y := data(8, 2, 5)
	for name, k := range kernels(2) {
		g, err := New(k, 0, X, y)
		require.NoError(t, err)
		mean, sd, _ := g.Predict(context.Background(), X)
		for i := range y {
			if math.Abs(mean[i]-y[i]) > 1e-6 || sd[i] > 1e-4 {
				t.Errorf("%s: at observation %d got %g ± %g, want %g ± 0", name, i, mean[i], sd[i], y[i])
			}
		}
	}
}

func TestEvidenceGradient(t *testing.T) {
	X, y := data(15, 2, 6)
	for _, form := range []kernel.Form{kernel.SE, kernel.Matern52} {
		for _, prior := range []bool{false, true} {
			e := newEvidence(X, y, Options{Form: form, FitNoise: true, Priors: weakPriors(prior)})
			theta := []float64{math.Log(0.3), math.Log(0.7), math.Log(1.2), math.Log(0.1)}
			got := make([]float64, 4)
			w := e.workspace()
			e.value(theta, got, w)
			scratch := make([]float64, 4)
			want := fd.Gradient(nil, func(p []float64) float64 {
				return e.value(p, scratch, w)
			}, theta, &fd.Settings{Formula: fd.Central})
			for j := range got {
				if !scalar.EqualWithinAbsOrRel(got[j], want[j], 1e-6, 1e-6) {
					t.Errorf("%s prior %v: derivative %d is %g, by differences %g", form.Name(), prior, j, got[j],
						want[j])
				}
			}
		}
	}
}

// The evidence equals the log density of the normal distribution N(0, K+σ²I), computed from a dense determinant.
func TestEvidenceIsTheNormalDensity(t *testing.T) {
	X, y := data(6, 1, 7)
	for name, k := range kernels(1) {
		g, _ := New(k, 0.2, X, y)
		cov := mat.NewDense(6, 6, nil)
		for i := range 6 {
			for j := range 6 {
				cov.Set(i, j, covariance(k, X.RawRowView(i), X.RawRowView(j)))
			}
			cov.Set(i, i, cov.At(i, i)+0.04)
		}
		var inv mat.Dense
		require.NoError(t, inv.Inverse(cov))
		v := mat.NewVecDense(6, y)
		want := -0.5*mat.Inner(v, &inv, v) - 0.5*math.Log(mat.Det(cov)) - 3*math.Log(2*math.Pi)
		if !scalar.EqualWithinAbs(g.LogMarginalLikelihood(), want, 1e-9) {
			t.Errorf("%s: got %g, want %g", name, g.LogMarginalLikelihood(), want)
		}
	}
}

func TestPredictiveGradient(t *testing.T) {
	X, y := data(10, 3, 8)
	for name, k := range kernels(3) {
		g, _ := New(k, 0.05, X, y)
		x := []float64{0.31, 0.72, 0.55}
		dm, ds := make([]float64, 3), make([]float64, 3)
		mean, sd := g.Gradient(x, dm, ds)
		valueAt := func(which int) func([]float64) float64 {
			return func(p []float64) float64 {
				m, s, _ := g.Predict(context.Background(), mat.NewDense(1, 3, append([]float64(nil), p...)))
				return []float64{m[0], s[0]}[which]
			}
		}
		if !scalar.EqualWithinAbs(mean, valueAt(0)(x), 1e-10) || !scalar.EqualWithinAbs(sd, valueAt(1)(x), 1e-10) {
			t.Errorf("%s: the value with the gradient is %g ± %g, want %g ± %g", name, mean, sd, valueAt(0)(x), valueAt(1)(x))
		}
		wm := fd.Gradient(nil, valueAt(0), x, &fd.Settings{Formula: fd.Central})
		ws := fd.Gradient(nil, valueAt(1), x, &fd.Settings{Formula: fd.Central})
		for j := range 3 {
			if !scalar.EqualWithinAbsOrRel(dm[j], wm[j], 1e-5, 1e-5) ||
				!scalar.EqualWithinAbsOrRel(ds[j], ws[j], 1e-5, 1e-5) {
				t.Errorf("%s: slope %d is %g and %g, by differences %g and %g", name, j, dm[j], ds[j], wm[j], ws[j])
			}
		}
	}
}

// checkMoments compares samples (count×m) with a mean and a covariance, within five standard errors.
func checkMoments(t *testing.T, name string, s *mat.Dense, mean []float64, cov func(i, j int) float64, bias float64) {
	t.Helper()
	count, m := s.Dims()
	n := float64(count)
	for i := range m {
		ci := mat.Col(nil, i, s)
		if got := stat.Mean(ci, nil); math.Abs(got-mean[i]) > 5*math.Sqrt(cov(i, i)/n)+bias {
			t.Errorf("%s: mean %d of the samples is %g, want %g", name, i, got, mean[i])
		}
		for j := range m {
			cj := mat.Col(nil, j, s)
			se := math.Sqrt((cov(i, i)*cov(j, j) + cov(i, j)*cov(i, j)) / n)
			if got := stat.Covariance(ci, cj, nil); math.Abs(got-cov(i, j)) > 5*se+bias {
				t.Errorf("%s: covariance %d,%d of the samples is %g, want %g ± %g", name, i, j, got, cov(i, j), se)
			}
		}
	}
}

func TestSamplesFollowThePosterior(t *testing.T) {
	X, y := data(5, 1, 9)
	inputs := mat.NewDense(4, 1, []float64{0.05, 0.4, 0.62, 0.97})
	for name, k := range kernels(1) {
		g, _ := New(k, 0.1, X, y)
		mean, _, _ := g.Predict(context.Background(), inputs)
		cov := func(i, j int) float64 { // polarization of the posterior variance, by the direct formula
			n, _ := X.Dims()
			c := mat.NewDense(n, n, nil)
			a, b := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
			for p := range n {
				for q := range n {
					c.Set(p, q, covariance(k, X.RawRowView(p), X.RawRowView(q)))
				}
				c.Set(p, p, c.At(p, p)+0.01)
				a.SetVec(p, covariance(k, inputs.RawRowView(i), X.RawRowView(p)))
				b.SetVec(p, covariance(k, inputs.RawRowView(j), X.RawRowView(p)))
			}
			var inv mat.Dense
			inv.Inverse(c)
			return covariance(k, inputs.RawRowView(i), inputs.RawRowView(j)) - mat.Inner(a, &inv, b)
		}
		joint, err := g.Sample(context.Background(), inputs, 4000, newRand(10))
		require.NoError(t, err)
		checkMoments(t, name+" joint", joint, mean, cov, 1e-9)
		paths := mat.NewDense(3000, 4, nil)
		rng := newRand(11)
		for i := range 3000 {
			p, err := g.Path(1024, rng)
			require.NoError(t, err)
			for j := range 4 {
				paths.Set(i, j, p.At(inputs.RawRowView(j)))
			}
		}
		checkMoments(t, name+" paths", paths, mean, cov, 0)
	}
}

func TestPathGradient(t *testing.T) {
	X, y := data(6, 2, 12)
	for name, k := range kernels(2) {
		g, _ := New(k, 0.01, X, y)
		p, err := g.Path(512, newRand(13))
		require.NoError(t, err)
		x, grad := []float64{0.4, 0.6}, make([]float64, 2)
		if v := p.Gradient(x, grad); !scalar.EqualWithinAbs(v, p.At(x), 1e-10) {
			t.Errorf("%s: the value with the gradient is %g, want %g", name, v, p.At(x))
		}
		for j, want := range fd.Gradient(nil, p.At, x, &fd.Settings{Formula: fd.Central}) {
			if !scalar.EqualWithinAbsOrRel(grad[j], want, 1e-5, 1e-5) {
				t.Errorf("%s: slope %d is %g, by differences %g", name, j, grad[j], want)
			}
		}
	}
}

func TestAppendEqualsRefit(t *testing.T) {
	X, y := data(9, 2, 14)
	for name, k := range kernels(2) {
		var g *GP
		g, _ = New(k, 0.1, nil, nil)
		for i := range y {
			var err error
			if g, err = g.Append(X.RawRowView(i), y[i]); err != nil {
				t.Fatal(err)
			}
		}
		whole, _ := New(k, 0.1, X, y)
		position, _ := data(5, 2, 15)
		m1, s1, _ := g.Predict(context.Background(), position)
		m2, s2, _ := whole.Predict(context.Background(), position)
		for i := range m1 {
			if !scalar.EqualWithinAbs(m1[i], m2[i], 1e-9) || !scalar.EqualWithinAbs(s1[i], s2[i], 1e-8) {
				t.Errorf("%s: with Append %g ± %g, with New %g ± %g", name, m1[i], s1[i], m2[i], s2[i])
			}
		}
	}
}

// Leaving out an observation equals conditioning on the others.
func TestLeaveOneOut(t *testing.T) {
	X, y := data(7, 1, 16)
	k := kernels(1)["se"]
	g, _ := New(k, 0.2, X, y)
	mean, sd, err := g.LeaveOneOut()
	require.NoError(t, err)
	for i := range y {
		var xs, ys []float64
		for j := range y {
			if j != i {
				xs, ys = append(xs, X.At(j, 0)), append(ys, y[j])
			}
		}
		m, s := dense(t, k, 0.2, mat.NewDense(6, 1, xs), ys, X.RawRowView(i))
		if s = math.Sqrt(s*s + 0.04); math.Abs(mean[i]-m) > 1e-9 || math.Abs(sd[i]-s) > 1e-9 {
			t.Errorf("without observation %d: got %g ± %g, want %g ± %g", i, mean[i], sd[i], m, s)
		}
	}
}

// The fitted hyperparameters explain data drawn from a known process at least as well as the true ones.
func TestFitReachesTheTruth(t *testing.T) {
	k := kernel.Stationary{Form: kernel.SE, Scale: 1, Lengths: []float64{0.2, 0.8}}
	X, _ := data(60, 2, 18)
	prior, _ := New(k, 0.05, nil, nil)
	draw, err := prior.Sample(context.Background(), X, 1, newRand(19))
	require.NoError(t, err)
	y := mat.Row(nil, 0, draw)
	rng := newRand(20)
	for i := range y {
		y[i] += 0.05 * rng.NormFloat64()
	}
	truth, _ := New(k, 0.05, X, y)
	g, err := Fit(context.Background(), X, y, 2, Options{Form: kernel.SE, FitNoise: true, Starts: 5}, newRand(21))
	require.NoError(t, err)
	if g.LogMarginalLikelihood() < truth.LogMarginalLikelihood() {
		t.Errorf("the fit reaches %g, the truth has %g", g.LogMarginalLikelihood(), truth.LogMarginalLikelihood())
	}
	if g.Noise() < 0.03 || g.Noise() > 0.08 {
		t.Errorf("the noise is 0.05, fitted %g", g.Noise())
	}
}

func TestFitIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	X, y := data(40, 2, 22)
	if _, err := Fit(ctx, X, y, 2, Options{Form: kernel.SE, Starts: 5}, newRand(1)); err != context.Canceled {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestDegenerateData(t *testing.T) {
	same := mat.NewDense(4, 1, []float64{0.5, 0.5, 0.5, 0.5})
	for name, y := range map[string][]float64{"constant": {0, 0, 0, 0}, "contradictory": {-1, 1, -1, 1}} {
		g, err := Fit(context.Background(), same, y, 1,
			Options{Form: kernel.SE, FitNoise: true, Priors: &WeakPriors, Starts: 5}, newRand(2))
		require.NoError(t, err, name)
		mean, sd, _ := g.Predict(context.Background(), mat.NewDense(2, 1, []float64{0.5, 0.9}))
		for i := range mean {
			if math.IsNaN(mean[i]) || math.IsNaN(sd[i]) {
				t.Errorf("%s: got %g ± %g", name, mean[i], sd[i])
			}
		}
	}
}

func BenchmarkFit(b *testing.B) {
	X, y := data(100, 2, 30)
	for b.Loop() {
		if _, err := Fit(context.Background(), X, y, 2,
			Options{Form: kernel.Matern52, FitNoise: true, Priors: &WeakPriors, Starts: 5}, newRand(1)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPredict4000(b *testing.B) {
	X, y := data(100, 2, 31)
	g, _ := New(kernels(2)["matern52"], 0.01, X, y)
	position, _ := data(4000, 2, 32)
	for b.Loop() {
		g.Predict(context.Background(), position)
	}
}

// The jitter is the least power of ten, starting at 1e-10 of the mean diagonal, that makes the matrix positive
// definite. It is added once.
func TestJitter(t *testing.T) {
	for _, c := range []struct {
		diagonal, off, want float64 // the least eigenvalue is diagonal − off
	}{
		{1, 0.5, 0},
		{1, 1, 1e-10},
		{4, 4, 4e-10},
		{1, 1 + 5e-8, 1e-7},
		{1, 1 + 5e-5, 1e-4},
	} {
		cov := mat.NewSymDense(2, []float64{c.diagonal, c.off, c.off, c.diagonal})
		var chol mat.Cholesky
		jitter, err := Factorize(&chol, cov)
		if err != nil || math.Abs(jitter-c.want) > 1e-9*c.want {
			t.Errorf("%v: jitter %g, %v, want %g", c, jitter, err, c.want)
		}
		if added := cov.At(0, 0) - c.diagonal; math.Abs(added-c.want) > 1e-15 {
			t.Errorf("%v: %g was added, want %g", c, added, c.want)
		}
	}
	var chol mat.Cholesky
	if _, err := Factorize(&chol, mat.NewSymDense(2, []float64{1, 1.01, 1.01, 1})); err == nil {
		t.Error("an indefinite matrix was factorized")
	}
}

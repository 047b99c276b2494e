package gp

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// With known errors, the gradient of the evidence equals differences. Known and fitted noise give the same result if
// they are equal.
func TestKnownErrorsInTheEvidence(t *testing.T) {
	X, y := data(8, 2, 31)
	known := []float64{0.1, math.NaN(), 0.4, math.NaN(), 0.05, 0.2, math.NaN(), 0.3}
	for name, form := range map[string]kernel.Form{"se": kernel.SE, "matern52": kernel.Matern52} {
		e := newEvidence(X, y, Options{Form: form, FitNoise: true, Priors: &WeakPriors, NoiseSDs: known})
		theta := []float64{math.Log(0.4), math.Log(0.7), math.Log(1.2), math.Log(0.15)}
		grad := make([]float64, 4)
		v := e.value(theta, grad, e.workspace())
		want := fd.Gradient(nil, func(x []float64) float64 {
			return e.value(x, nil, e.workspace())
		}, theta, &fd.Settings{Formula: fd.Central})
		for j := range grad {
			if math.Abs(grad[j]-want[j]) > 1e-5*(1+math.Abs(want[j])) {
				t.Errorf("%s: the slope by θ%d is %g, by differences %g", name, j, grad[j], want[j])
			}
		}
		k, noise := e.unpack(theta)
		g, err := NewFixedNoise(k, noise, known, X, y)
		require.NoError(t, err)
		if got := g.LogMarginalLikelihood() + e.logPrior(theta, nil); math.Abs(got-v) > 1e-9 {
			t.Errorf("%s: the evidence of the process is %g, of the search %g", name, got, v)
		}
		same := make([]float64, len(y))
		for i := range same {
			same[i] = 0.15
		}
		all, _ := NewFixedNoise(k, 0.9, same, X, y)
		common, _ := New(k, 0.15, X, y)
		values := []float64{0.3, 0.6}
		if all.Mean(values) != common.Mean(values) || all.LogMarginalLikelihood() != common.LogMarginalLikelihood() ||
			all.MaxNoise() != 0.15 || common.MaxNoise() != 0.15 {
			t.Errorf("%s: known noise for all observations gives another process than the same fitted noise", name)
		}
	}
}

// Replicates with errors give the same result as their mean by inverse variances with its error.
func TestReplicatesAreAveragedByTheirErrors(t *testing.T) {
	k := kernel.Stationary{Form: kernel.Matern52, Scale: 1.3, Lengths: []float64{0.4, 0.6}}
	X, y := data(6, 2, 33)
	known := []float64{0.1, 0.2, 0.3, 0.15, 0.2, 0.25}
	inputs := mat.NewDense(8, 2, nil)
	inputs.Copy(X)
	inputs.SetRow(6, X.RawRowView(0))
	inputs.SetRow(7, X.RawRowView(0))
	apart, err := NewFixedNoise(k, 1e-3, append(append([]float64(nil), known...), 0.4, 0.05), inputs,
		append(append([]float64(nil), y...), y[0]+0.3, y[0]-0.1))
	require.NoError(t, err)
	w := []float64{1 / 0.01, 1 / 0.16, 1 / 0.0025}
	total := w[0] + w[1] + w[2]
	joined, joinedErrors := append([]float64(nil), y...), append([]float64(nil), known...)
	joined[0], joinedErrors[0] = y[0]+(w[1]*0.3-w[2]*0.1)/total, math.Sqrt(1/total)
	mean, err := NewFixedNoise(k, 1e-3, joinedErrors, X, joined)
	require.NoError(t, err)
	position, _ := data(9, 2, 34)
	m1, s1, _ := apart.Predict(context.Background(), position)
	m2, s2, _ := mean.Predict(context.Background(), position)
	for i := range m1 {
		if math.Abs(m1[i]-m2[i]) > 1e-9 || math.Abs(s1[i]-s2[i]) > 1e-9 {
			t.Errorf("at point %d: %g ± %g apart, %g ± %g averaged", i, m1[i], s1[i], m2[i], s2[i])
		}
	}
}

// A leave-one-out prediction includes the error of the observation, and paths are as close to the data as the errors
// say.
func TestKnownErrorsElsewhere(t *testing.T) {
	k := kernel.Stationary{Form: kernel.SE, Scale: 1, Lengths: []float64{0.3}}
	X, y := data(5, 1, 35)
	known := []float64{0.1, 0.2, math.NaN(), 1e-5, 0.3}
	g, err := NewFixedNoise(k, 0.05, known, X, y)
	require.NoError(t, err)
	mean, sd, err := g.LeaveOneOut()
	require.NoError(t, err)
	for i := range y {
		var xs, ys, es []float64
		for j := range y {
			if j != i {
				xs, ys, es = append(xs, X.At(j, 0)), append(ys, y[j]), append(es, known[j])
			}
		}
		rest, _ := NewFixedNoise(k, 0.05, es, mat.NewDense(4, 1, xs), ys)
		m, s, _ := rest.Predict(context.Background(), X.Slice(i, i+1, 0, 1).(*mat.Dense))
		if s := math.Hypot(s[0], g.noiseAt(i)); math.Abs(mean[i]-m[0]) > 1e-8 || math.Abs(sd[i]-s) > 1e-8 {
			t.Errorf("without observation %d: %g ± %g, from the others %g ± %g", i, mean[i], sd[i], m[0], s)
		}
	}
	path, err := g.Path(1000, newRand(36))
	require.NoError(t, err)
	if off := math.Abs(path.At(X.RawRowView(3)) - y[3]); off > 1e-3 {
		t.Errorf("a path differs from an exact observation by %g", off)
	}
	grown, err := g.Append([]float64{0.5}, 0.2)
	if err != nil || grown.noiseAt(1) != 0.2 || grown.noiseAt(5) != 0.05 {
		t.Errorf("after Append the errors are %v (%v)", grown.noiseSDs, err)
	}
}

// Believed observations leave the mean unchanged and reduce the standard deviations as real observations do, whatever
// their values.
func TestBelieve(t *testing.T) {
	for name, k := range kernels(2) {
		X, y := data(7, 2, 37)
		out, _ := data(3, 2, 38)
		for _, list := range []bool{true, false} {
			if !list {
				X, y = nil, nil
			}
			g, _ := New(k, 0.1, X, y)
			b, err := g.Believe(t.Context(), out)
			require.NoError(t, err)
			all, values := mat.DenseCopyOf(out), []float64{5, -3, 2}
			if list {
				all = mat.NewDense(10, 2, nil)
				all.Stack(X, out)
				values = append(append([]float64(nil), y...), values...)
			}
			whole, _ := New(k, 0.1, all, values)
			position, _ := data(6, 2, 39)
			m0, _, _ := g.Predict(context.Background(), position)
			m1, s1, _ := b.Predict(context.Background(), position)
			_, s2, _ := whole.Predict(context.Background(), position)
			for i := range m0 {
				if math.Abs(m0[i]-m1[i]) > 1e-9 || math.Abs(s1[i]-s2[i]) > 1e-9 {
					t.Errorf("%s: the belief is %g ± %g, want %g ± %g", name, m1[i], s1[i], m0[i], s2[i])
				}
			}
		}
	}
}

// CrossCovariance equals the covariance of pairs, and its gradient equals differences.
func TestTie(t *testing.T) {
	for name, k := range kernels(2) {
		X, y := data(7, 2, 41)
		for _, values := range []bool{true, false} {
			if !values {
				X, y = nil, nil
			}
			g, _ := New(k, 0.1, X, y)
			places, _ := data(3, 2, 42)
			position, _ := data(4, 2, 43)
			tie, err := g.CrossCovariance(places)
			require.NoError(t, err)
			got := tie.Covariances(position)
			cov, slopes := make([]float64, 3), mat.NewDense(3, 2, nil)
			for i := range 4 {
				x := position.RawRowView(i)
				tie.Gradient(x, cov, slopes)
				for j := range 3 {
					want := posteriorCovariance(t, k, 0.1, X, x, places.RawRowView(j))
					if math.Abs(got.At(i, j)-want) > 1e-10 || math.Abs(cov[j]-want) > 1e-10 {
						t.Errorf("%s: the covariance is %g and %g, want %g", name, got.At(i, j), cov[j], want)
					}
					diff := fd.Gradient(nil, func(u []float64) float64 {
						return posteriorCovariance(t, k, 0.1, X, u, places.RawRowView(j))
					}, x, &fd.Settings{Formula: fd.Central})
					for l, s := range slopes.RawRowView(j) {
						assert.InDelta(t, diff[l], s, 1e-6, "%s: a slope is %g, by differences %g", name, s, diff[l])
					}
				}
			}
		}
	}
}

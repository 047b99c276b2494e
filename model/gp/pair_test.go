package gp

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/model/kernel"
)

// posteriorCovariance returns k(x, z) − k(x, X)(K + σ²I)⁻¹k(X, z) by a dense inverse (Rasmussen & Williams 2006, eq.
// 2.24).
func posteriorCovariance(t *testing.T, k kernel.Stationary, noise float64, X *mat.Dense, x, z []float64) float64 {
	t.Helper()
	if X == nil {
		return covariance(k, x, z)
	}
	n, _ := X.Dims()
	cov, toX, toZ := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		for j := range n {
			cov.Set(i, j, covariance(k, X.RawRowView(i), X.RawRowView(j)))
		}
		cov.Set(i, i, cov.At(i, i)+noise*noise)
		toX.SetVec(i, covariance(k, x, X.RawRowView(i)))
		toZ.SetVec(i, covariance(k, z, X.RawRowView(i)))
	}
	var inverse mat.Dense
	require.NoError(t, inverse.Inverse(cov))
	return covariance(k, x, z) - mat.Inner(toX, &inverse, toZ)
}

// The joint distribution of two values: the covariance equals that of a dense inverse, its gradients equal differences,
// and the moments equal those of single values; with data and without.
func TestPairs(t *testing.T) {
	const noise = 0.1
	for name, k := range kernels(2) {
		X, y := data(9, 2, 1)
		for _, values := range []bool{true, false} {
			if !values {
				X, y = nil, nil
			}
			g, err := New(k, noise, X, y)
			require.NoError(t, err)
			A, _ := data(5, 2, 2)
			B, _ := data(5, 2, 3)
			B.SetRow(0, A.RawRowView(0)) // a value with itself
			atA, atB, cov, err := g.PredictPairs(context.Background(), A, B)
			require.NoError(t, err)
			for _, c := range []struct {
				at  *mat.Dense
				got Moments
			}{{A, atA}, {B, atB}} {
				mean, sd, _ := g.Predict(context.Background(), c.at)
				if !slices.Equal(mean, c.got.Mean) || !slices.Equal(sd, c.got.SD) {
					t.Errorf("%s: in pairs %v ± %v, alone %v ± %v", name, c.got.Mean, c.got.SD, mean, sd)
				}
			}
			for i := range 5 {
				x, z := slices.Clone(A.RawRowView(i)), slices.Clone(B.RawRowView(i))
				want := posteriorCovariance(t, k, noise, X, x, z)
				dx, dz := []float64{9, 9}, []float64{9, 9}
				if got := g.Covariance(x, z, dx, dz); math.Abs(got-want) > 1e-9 || math.Abs(cov[i]-want) > 1e-9 {
					t.Errorf("%s: the covariance is %g, with its slopes %g, want %g", name, cov[i], got, want)
				}
				if i == 0 {
					continue // differences are inaccurate for Matérn kernels here
				}
				byX := fd.Gradient(nil, func(p []float64) float64 {
					return posteriorCovariance(t, k, noise, X, p, z)
				}, x, &fd.Settings{Formula: fd.Central})
				byZ := fd.Gradient(nil, func(p []float64) float64 {
					return posteriorCovariance(t, k, noise, X, x, p)
				}, z, &fd.Settings{Formula: fd.Central})
				for j := range 2 {
					if !scalar.EqualWithinAbsOrRel(dx[j], byX[j], 1e-6, 1e-6) ||
						!scalar.EqualWithinAbsOrRel(dz[j], byZ[j], 1e-6, 1e-6) {
						t.Errorf("%s: slopes %v and %v, by differences %v and %v", name, dx, dz, byX, byZ)
					}
				}
			}
		}
	}
}

// Predictions at many inputs equal those at single inputs.
func TestManyInputs(t *testing.T) {
	k := kernels(2)["matern52"]
	X, y := data(9, 2, 1)
	g, err := New(k, 0.1, X, y)
	require.NoError(t, err)
	many, _ := data(2*chunk+3, 2, 4)
	others, _ := data(2*chunk+3, 2, 5)
	mean, sd, err := g.Predict(context.Background(), many)
	require.NoError(t, err)
	_, moments, cov, err := g.PredictPairs(context.Background(), others, many)
	require.NoError(t, err)
	unused := make([]float64, 2)
	for _, i := range []int{0, 1, chunk - 1, chunk, chunk + 1, 2*chunk - 1, 2 * chunk, 2*chunk + 2} {
		x := many.RawRowView(i)
		wantMean, wantSD := dense(t, k, 0.1, X, y, x)
		if math.Abs(mean[i]-wantMean) > 1e-9 || math.Abs(sd[i]-wantSD) > 1e-7 || math.Abs(g.Mean(x)-wantMean) > 1e-9 ||
			moments.Mean[i] != mean[i] || moments.SD[i] != sd[i] {
			t.Errorf("input %d: %g ± %g, in pairs %g ± %g, its mean alone %g, want %g ± %g", i, mean[i], sd[i],
				moments.Mean[i], moments.SD[i], g.Mean(x), wantMean, wantSD)
		}
		if want := g.Covariance(others.RawRowView(i), x, unused, unused); math.Abs(cov[i]-want) > 1e-12 {
			t.Errorf("pair %d: covariance %g, want %g", i, cov[i], want)
		}
	}
}

// Without data, every method returns that of the prior.
func TestWithoutData(t *testing.T) {
	k := kernels(2)["se"]
	g, err := New(k, 0.3, nil, nil)
	require.NoError(t, err)
	ctx := context.Background()
	position, _ := data(3, 2, 1)
	mean, sd, err := g.Predict(ctx, position)
	if err != nil || !slices.Equal(mean, []float64{0, 0, 0}) || math.Abs(sd[1]-1.3) > 1e-12 {
		t.Errorf("%v ± %v (%v)", mean, sd, err)
	}
	dmean, dsd := []float64{1, 1}, []float64{1, 1}
	if m, s := g.Gradient(position.RawRowView(0), dmean, dsd); m != 0 || math.Abs(s-1.3) > 1e-12 || dmean[0] != 0 ||
		dmean[1] != 0 || dsd[0] != 0 || dsd[1] != 0 {
		t.Errorf("%g ± %g with slopes %v and %v", m, s, dmean, dsd)
	}
	if g.Mean(position.RawRowView(0)) != 0 || g.LogMarginalLikelihood() != 0 || g.Jitter() != 0 || g.Noise() != 0.3 {
		t.Errorf("mean %g, evidence %g, jitter %g, noise %g", g.Mean(position.RawRowView(0)), g.LogMarginalLikelihood(),
			g.Jitter(), g.Noise())
	}
	if m, s, err := g.LeaveOneOut(); err != nil || len(m) != 0 || len(s) != 0 {
		t.Errorf("leave-one-out predictions without data: %v, %v, %v", m, s, err)
	}
	const draws = 4000
	values, err := g.Sample(ctx, position, draws, newRand(3))
	require.NoError(t, err)
	for i := range 3 {
		for j := range 3 {
			want := covariance(k, position.RawRowView(i), position.RawRowView(j))
			if got := stat.Covariance(mat.Col(nil, i, values), mat.Col(nil, j, values), nil); math.Abs(got-want) > 5*
				math.Sqrt((1.69*1.69+want*want)/draws) {
				t.Errorf("samples have the covariance %g at %d,%d, want %g", got, i, j, want)
			}
		}
	}
	posterior, err := g.Append([]float64{0.5, 0.5}, 2)
	require.NoError(t, err)
	if want := 2 * 1.69 / (1.69 + 0.09); math.Abs(posterior.Mean([]float64{0.5, 0.5})-want) > 1e-12 {
		t.Errorf("after one observation the mean there is %g, want %g", posterior.Mean([]float64{0.5, 0.5}), want)
	}
}

// If a distribution has no spread, every draw is its mean.
func TestDrawWithoutSpread(t *testing.T) {
	got, err := Draw([]float64{1, -2}, mat.NewSymDense(2, nil), 3, newRand(1))
	if err != nil || !mat.Equal(got, mat.NewDense(3, 2, []float64{1, -2, 1, -2, 1, -2})) {
		t.Errorf("%v, %v", got, err)
	}
	_, err = Draw([]float64{1, -2}, mat.NewSymDense(2, []float64{1, 3, 3, 1}), 3, newRand(1))
	assert.Error(t, err, "an invalid covariance is accepted")
}

func TestRefusals(t *testing.T) {
	k := kernels(2)["se"]
	X, y := data(4, 2, 1)
	if _, err := New(k, 0.1, X, y[:3]); err == nil {
		t.Error("missing targets are accepted")
	}
	g, err := New(k, 0.1, X, y)
	if err != nil || !g.HasGradient() {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err = g.Predict(ctx, X)
	assert.Error(t, err, "Predict ignores the canceled context")
	_, _, _, err = g.PredictPairs(ctx, X, X)
	assert.Error(t, err, "PredictPairs ignores the canceled context")
	_, err = g.Sample(ctx, X, 1, newRand(1))
	assert.Error(t, err, "Sample ignores the canceled context")
	// a kernel with no other methods has no gradient
	plain, err := New(struct{ kernel.Kernel }{kernels(2)["se"]}, 0.1, X, y)
	if err != nil || plain.HasGradient() {
		t.Errorf("a kernel without derivatives has a gradient (%v)", err)
	}
	_, err = plain.Path(10, newRand(1))
	assert.Error(t, err, "a kernel that is not stationary has paths")
}

package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distmv"
)

func random(n, m int, seed uint64) (*mat.Dense, []float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	phi, y := mat.NewDense(n, m, nil), make([]float64, n)
	for i := range n {
		for j := range m {
			phi.Set(i, j, rng.NormFloat64())
		}
		y[i] = rng.NormFloat64()
	}
	return phi, y
}

// The posterior against the textbook's, S = (ΦᵀΦ/noise + I/prior)⁻¹ and S Φᵀy/noise by a dense inverse, with more data
// than features and fewer.
func TestAgainstTheTextbook(t *testing.T) {
	for _, size := range [][2]int{{3, 7}, {7, 3}, {5, 5}, {1, 4}} {
		n, m := size[0], size[1]
		phi, y := random(n, m, 2)
		const prior, noise = 1.7, 0.3
		h, err := New(phi, y, m, prior, noise)
		require.NoError(t, err)
		var a, s, w mat.Dense
		a.Mul(phi.T(), phi)
		a.Scale(1/noise, &a)
		for i := range m {
			a.Set(i, i, a.At(i, i)+1/prior)
		}
		require.NoError(t, s.Inverse(&a))
		w.Mul(phi.T(), mat.NewVecDense(n, y))
		w.Mul(&s, &w)
		w.Scale(1/noise, &w)
		for i, got := range h.Weights() {
			assert.InDelta(t, w.At(i, 0), got, 1e-9, "%v: weight %d", size, i)
		}
		position, _ := random(4, m, 9)
		mean, sd := h.Predict(position)
		for i := range 4 {
			f := position.RowView(i)
			var sf mat.VecDense
			sf.MulVec(&s, f)
			if want := mat.Dot(f, w.ColView(0)); math.Abs(mean[i]-want) > 1e-9 {
				t.Errorf("%v: mean %g, want %g", size, mean[i], want)
			}
			if want := math.Sqrt(mat.Dot(f, &sf)); math.Abs(sd[i]-want) > 1e-9 {
				t.Errorf("%v: sd %g, want %g", size, sd[i], want)
			}
			for j, got := range h.Covariance(position.RawRowView(i)) {
				assert.InDelta(t, sf.AtVec(j), got, 1e-9, "%v: Sφ", size)
			}
		}
		const draws = 4000
		values := mat.NewDense(draws, m, nil)
		rng := rand.New(rand.NewPCG(3, 3))
		for i := range draws {
			values.SetRow(i, h.Draw(rng))
		}
		for i := range m {
			ci := mat.Col(nil, i, values)
			if got := stat.Mean(ci, nil); math.Abs(got-w.At(i, 0)) > 5*math.Sqrt(s.At(i, i)/draws) {
				t.Errorf("%v: drawn weights have mean %g, want %g", size, got, w.At(i, 0))
			}
			for j := range m {
				se := math.Sqrt((s.At(i, i)*s.At(j, j) + s.At(i, j)*s.At(i, j)) / draws)
				if got := stat.Covariance(ci, mat.Col(nil, j, values), nil); math.Abs(got-s.At(i, j)) > 5*se {
					t.Errorf("%v: drawn weights have covariance %g, want %g", size, got, s.At(i, j))
				}
			}
		}
	}
}

// The evidence is a normal density, and nothing on a grid exceeds its maximum.
func TestEvidence(t *testing.T) {
	for _, size := range [][2]int{{6, 3}, {4, 8}} {
		phi, y := random(size[0], size[1], 5)
		cov := mat.NewSymDense(size[0], nil)
		cov.SymOuterK(0.7, phi)
		for i := range size[0] {
			cov.SetSym(i, i, cov.At(i, i)+0.2)
		}
		normal, _ := distmv.NewNormal(make([]float64, size[0]), cov, nil)
		got, err := LogEvidence(phi, y, 0.7, 0.2)
		if err != nil || math.Abs(got-normal.LogProb(y)) > 1e-9 {
			t.Errorf("%v: log evidence %g (%v), the density %g", size, got, err, normal.LogProb(y))
		}
		prior, noise, err := FitEvidence(t.Context(), phi, y, 1e-6)
		require.NoError(t, err)
		top, _ := LogEvidence(phi, y, prior, noise)
		for p := 1e-5; p < 1e5; p *= 1.5 {
			for q := 1e-6; q < 10; q *= 1.5 {
				if v, _ := LogEvidence(phi, y, p, q); v > top+1e-3 {
					t.Errorf("%v: log evidence %g at %g, %g, %g at the maximum %g, %g", size, v, p, q, top, prior,
						noise)
				}
			}
		}
	}
}

// Data of several characters, some of which have more than one maximum of the evidence, one of them where all is noise:
// nothing on a grid exceeds what is found, and both variances stay inside their bounds, also where the evidence grows
// without one.
func TestEvidenceIsGreatest(t *testing.T) {
	const least = 1e-6
	for _, seed := range []uint64{1, 2, 3, 7, 12, 20, 31} {
		rng := rand.New(rand.NewPCG(seed, 5))
		n, m := 2+rng.IntN(12), 1+rng.IntN(12)
		phi, y := random(n, m, seed)
		switch seed % 4 {
		case 1: // nearly linear
			w, _ := random(m, 1, seed+100)
			mat.NewVecDense(n, y).MulVec(phi, w.ColView(0))
			for i := range y {
				y[i] += 0.01 * rng.NormFloat64()
			}
		case 2: // features of very different sizes
			phi.Apply(func(_, j int, v float64) float64 { return v * math.Pow(10, -float64(j)) }, phi)
		case 3: // smooth ones
			phi.Apply(func(i, j int, _ float64) float64 {
				d := float64(i)/float64(n) - float64(j)/float64(m)
				return math.Exp(-20 * d * d)
			}, phi)
		}
		prior, noise, err := FitEvidence(t.Context(), phi, y, least)
		require.NoError(t, err)
		top, _ := LogEvidence(phi, y, prior, noise)
		spectrum, _ := newSpectrum(phi, y) // its evidence is a normal density: TestEvidence
		for p := -6.0; p <= 6; p += 0.1 {
			for q := -6.0; q <= 1; q += 0.1 {
				if v := spectrum.log(math.Pow(10, p), math.Pow(10, q)); v > top+1e-3 {
					t.Fatalf("seed %d: log evidence %g at %g, %g, %g at the maximum %g, %g", seed, v, math.Pow(10, p),
						math.Pow(10, q), top, prior, noise)
				}
			}
		}
	}
	phi, y := random(6, 3, 8)
	w := mat.NewVecDense(3, []float64{1, -2, 3})
	for _, c := range []struct {
		what         string
		factor       float64
		prior, noise func(v float64) bool
	}{
		{"without noise", 1, func(v float64) bool { return v > 0.5 && v < 50 }, func(v float64) bool {
			return math.Abs(v/least-1) < 1e-9
		}},
		{"without anything", 0, func(v float64) bool { return v < 1e-3 }, func(v float64) bool {
			return math.Abs(v/least-1) < 1e-9
		}},
		{"with weights beyond the greatest", 1e6, func(v float64) bool {
			return math.Abs(v/1e6-1) < 1e-9
		}, func(v float64) bool { return v >= least && v < 10*(1+1e-9) }},
	} {
		mat.NewVecDense(6, y).MulVec(phi, w)
		for i := range y {
			y[i] *= c.factor
		}
		if prior, noise, err := FitEvidence(t.Context(), phi, y, least); err != nil || !c.prior(prior) ||
			!c.noise(noise) {
			t.Errorf("%s: the variances are %g and %g (%v)", c.what, prior, noise, err)
		}
	}
}

func TestWithoutDataItIsThePrior(t *testing.T) {
	h, err := New(nil, nil, 3, 2, 0.1)
	require.NoError(t, err)
	mean, sd := h.Predict(mat.NewDense(1, 3, []float64{1, 2, 2}))
	if mean[0] != 0 || math.Abs(sd[0]-math.Sqrt(18)) > 1e-12 {
		t.Errorf("%g ± %g", mean[0], sd[0])
	}
	if got := h.Covariance([]float64{1, -2, 3}); got[0] != 2 || got[1] != -4 || got[2] != 6 {
		t.Errorf("Sφ is %v", got)
	}
	if h.Prior() != 2 || h.Noise() != 0.1 || !slices.Equal(h.Weights(), make([]float64, 3)) {
		t.Errorf("the variances are %g and %g, the weights %v", h.Prior(), h.Noise(), h.Weights())
	}
	const draws = 4000
	rng := rand.New(rand.NewPCG(5, 5))
	sum, square := 0.0, 0.0
	for range draws {
		w := h.Draw(rng)
		sum += w[1] / draws
		square += w[1] * w[1] / draws
	}
	if math.Abs(sum) > 5*math.Sqrt(2.0/draws) || math.Abs(square-2) > 5*2*math.Sqrt(2.0/draws) {
		t.Errorf("drawn weights have mean %g and variance %g", sum, square)
	}
	phi, y := random(4, 3, 1)
	for name, f := range map[string]func() error{
		"targets that are missing": func() error { _, err := New(phi, y[:3], 3, 1, 1); return err },
		"features that are left":   func() error { _, err := New(phi, y, 2, 1, 1); return err },
	} {
		assert.Error(t, f(), "%s are accepted", name)
	}
	for _, c := range []struct{ prior, noise float64 }{{0, 1}, {1, 0}, {math.NaN(), 1}} {
		_, err = New(nil, nil, 3, c.prior, c.noise)
		assert.Error(t, err, "%v is accepted", c)
	}
}

// Leaving one out equals a regression on the others, whether data or features are fewer.
func TestLeaveOneOut(t *testing.T) {
	for _, m := range []int{3, 12} {
		rng := rand.New(rand.NewPCG(3, uint64(m)))
		phi, y := mat.NewDense(6, m, nil), make([]float64, 6)
		phi.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, phi)
		for i := range y {
			y[i] = rng.NormFloat64()
		}
		h, err := New(phi, y, m, 0.7, 0.2)
		require.NoError(t, err)
		mean, sd, err := h.LeaveOneOut()
		require.NoError(t, err)
		for i := range y {
			rest, ys := mat.NewDense(5, m, nil), []float64(nil)
			for j := range y {
				if j != i {
					rest.SetRow(len(ys), phi.RawRowView(j))
					ys = append(ys, y[j])
				}
			}
			others, _ := New(rest, ys, m, 0.7, 0.2)
			want, latent := others.Predict(phi.Slice(i, i+1, 0, m).(*mat.Dense))
			if s := math.Sqrt(latent[0]*latent[0] + 0.2); math.Abs(mean[i]-want[0]) > 1e-9 || math.Abs(sd[i]-s) > 1e-9 {
				t.Errorf("%d features, without datum %d: %g ± %g, want %g ± %g", m, i, mean[i], sd[i], want[0], s)
			}
		}
	}
}

// Known errors make the posterior that of one noise for each observation, Σ = prior ΦΦᵀ + diag(σ²), whether data or
// features are fewer; and what is left out is predicted with its own.
func TestKnownErrors(t *testing.T) {
	for _, m := range []int{3, 12} {
		rng := rand.New(rand.NewPCG(5, uint64(m)))
		phi, y, known := mat.NewDense(6, m, nil), make([]float64, 6),
			[]float64{0.1, math.NaN(), 0.7, 0.3, math.NaN(), 0.05}
		phi.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, phi)
		cov := mat.NewDense(6, 6, nil)
		cov.Mul(phi, phi.T())
		cov.Scale(0.7, cov)
		for i := range y {
			y[i] = rng.NormFloat64()
			noise := known[i] * known[i]
			if math.IsNaN(noise) {
				noise = 0.2
			}
			cov.Set(i, i, cov.At(i, i)+noise)
		}
		h, err := NewFixedNoise(phi, y, known, m, 0.7, 0.2)
		require.NoError(t, err)
		var inverse mat.Dense
		require.NoError(t, inverse.Inverse(cov))
		inputs, k := mat.NewDense(1, m, nil), mat.NewVecDense(6, nil)
		inputs.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, inputs)
		k.MulVec(phi, inputs.RowView(0))
		k.ScaleVec(0.7, k)
		mean, sd := h.Predict(inputs)
		variance := 0.7*mat.Dot(inputs.RowView(0), inputs.RowView(0)) - mat.Inner(k, &inverse, k)
		if want := mat.Inner(k, &inverse, mat.NewVecDense(6, y)); math.Abs(mean[0]-want) > 1e-9 ||
			math.Abs(sd[0]-math.Sqrt(variance)) > 1e-8 {
			t.Errorf("%d features: %g ± %g, want %g ± %g", m, mean[0], sd[0], want, math.Sqrt(variance))
		}
		left, spread, err := h.LeaveOneOut()
		require.NoError(t, err)
		weighed := mat.NewVecDense(6, nil)
		weighed.MulVec(&inverse, mat.NewVecDense(6, y))
		for i := range y { // Rasmussen & Williams 2006, eq. 5.12
			d := inverse.At(i, i)
			if want := y[i] - weighed.AtVec(i)/d; math.Abs(left[i]-want) > 1e-8 ||
				math.Abs(spread[i]-1/math.Sqrt(d)) > 1e-8 {
				t.Errorf("%d features, without datum %d: %g ± %g, want %g ± %g", m, i, left[i], spread[i], want,
					1/math.Sqrt(d))
			}
		}
	}
}

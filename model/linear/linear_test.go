package linear

import (
	"math"
	"math/rand/v2"
	"testing"

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

// The posterior against the textbook's, S = (ΦᵀΦ/noise + I/prior)⁻¹ and S Φᵀy/noise by a dense inverse, with more data than features and fewer.
func TestAgainstTheTextbook(t *testing.T) {
	for _, size := range [][2]int{{3, 7}, {7, 3}, {5, 5}, {1, 4}} {
		n, m := size[0], size[1]
		phi, y := random(n, m, 2)
		const prior, noise = 1.7, 0.3
		h, err := New(phi, y, m, prior, noise)
		if err != nil {
			t.Fatal(err)
		}
		var a, s, w mat.Dense
		a.Mul(phi.T(), phi)
		a.Scale(1/noise, &a)
		for i := range m {
			a.Set(i, i, a.At(i, i)+1/prior)
		}
		if err := s.Inverse(&a); err != nil {
			t.Fatal(err)
		}
		w.Mul(phi.T(), mat.NewVecDense(n, y))
		w.Mul(&s, &w)
		w.Scale(1/noise, &w)
		for i, got := range h.Weights() {
			if math.Abs(got-w.At(i, 0)) > 1e-9 {
				t.Errorf("%v: weight %d is %g, want %g", size, i, got, w.At(i, 0))
			}
		}
		at, _ := random(4, m, 9)
		mean, sd := h.Predict(at)
		for i := range 4 {
			f := at.RowView(i)
			var sf mat.VecDense
			sf.MulVec(&s, f)
			if want := mat.Dot(f, w.ColView(0)); math.Abs(mean[i]-want) > 1e-9 {
				t.Errorf("%v: mean %g, want %g", size, mean[i], want)
			}
			if want := math.Sqrt(mat.Dot(f, &sf)); math.Abs(sd[i]-want) > 1e-9 {
				t.Errorf("%v: sd %g, want %g", size, sd[i], want)
			}
			for j, got := range h.Covariance(at.RawRowView(i)) {
				if math.Abs(got-sf.AtVec(j)) > 1e-9 {
					t.Errorf("%v: Sφ is %g, want %g", size, got, sf.AtVec(j))
				}
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
		prior, noise, err := FitEvidence(phi, y, 1e-6)
		if err != nil {
			t.Fatal(err)
		}
		top, _ := LogEvidence(phi, y, prior, noise)
		for p := 1e-5; p < 1e5; p *= 1.5 {
			for q := 1e-6; q < 10; q *= 1.5 {
				if v, _ := LogEvidence(phi, y, p, q); v > top+1e-3 {
					t.Errorf("%v: log evidence %g at %g, %g, %g at the maximum %g, %g", size, v, p, q, top, prior, noise)
				}
			}
		}
	}
}

func TestWithoutDataItIsThePrior(t *testing.T) {
	h, err := New(nil, nil, 3, 2, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	mean, sd := h.Predict(mat.NewDense(1, 3, []float64{1, 2, 2}))
	if mean[0] != 0 || math.Abs(sd[0]-math.Sqrt(18)) > 1e-12 {
		t.Errorf("%g ± %g", mean[0], sd[0])
	}
	for _, c := range []struct{ prior, noise float64 }{{0, 1}, {1, 0}, {math.NaN(), 1}} {
		if _, err := New(nil, nil, 3, c.prior, c.noise); err == nil {
			t.Errorf("%v is accepted", c)
		}
	}
}

package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// Squared distances by products equal those of single pairs, with few inputs and with many, also for points that are
// close together. They are never below 0.
func TestSquaredDistances(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		d, n, m int
		length  float64
		product bool
	}{{2, 9, 7, 0.5, false}, {fewInputs - 1, 5, 4, 1, false}, {fewInputs, 17, 9, 1, true}, {40, 30, 70, 2, true},
		{40, 30, 3, 0.05, false}, {100, 1, 1, 3, true}} {
		k := Stationary{Form: SE, Scale: 1, Lengths: make([]float64, c.d)}
		for j := range k.Lengths {
			k.Lengths[j] = c.length * (1 + 0.1*rng.Float64())
		}
		assert.Equal(t, c.product, k.byProducts(), "%d lengthscales of %g: by products %v", c.d, c.length, !c.product)
		A, B := mat.NewDense(c.n, c.d, nil), mat.NewDense(c.m, c.d, nil)
		for i := range c.n {
			for j := range c.d {
				if A.Set(i, j, rng.Float64()); i%3 == 2 {
					A.Set(i, j, A.At(i-1, j)+1e-9*rng.NormFloat64())
				}
			}
		}
		for i := range c.m {
			for j := range c.d {
				if B.Set(i, j, rng.Float64()); i%2 == 0 {
					B.Set(i, j, A.At(i%c.n, j))
				}
			}
		}
		compare := func(subject string, got, want float64) {
			if got < 0 || math.Abs(got-want) > 1e-13+1e-14*want {
				t.Errorf("%d inputs, %s: %g, want %g", c.d, subject, got, want)
			}
		}
		within, between := make([]float64, c.n*c.n), make([]float64, c.n*c.m)
		k.Within(A, within)
		k.between(A, B, between)
		for i := range c.n {
			for j := i; j < c.n; j++ {
				compare("within", within[i*c.n+j], k.Square(A.RawRowView(i), A.RawRowView(j)))
			}
			assert.Equal(t, 0.0, within[i*c.n+i], "a point is %g from itself", within[i*c.n+i])
			for j := range c.m {
				compare("between", between[i*c.m+j], k.Square(A.RawRowView(i), B.RawRowView(j)))
			}
		}
	}
}

// The radials of a triangle are those of its rows to the last bit, packed and not.
func TestUpperRadials(t *testing.T) {
	for _, name := range FormNames() {
		form, err := FindForm(name)
		require.NoError(t, err)
		k := Stationary{Form: form, Scale: 1.3, Lengths: []float64{0.3, 0.7}}
		for _, n := range []int{1, 2, 9, packedBelow, packedBelow + 1} {
			rng := rand.New(rand.NewPCG(8, uint64(n)))
			X := mat.NewDense(n, 2, nil)
			for i := range X.RawMatrix().Data {
				X.RawMatrix().Data[i] = rng.Float64()
			}
			r2, c, g, alone := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
			k.Within(X, r2)
			k.UpperRadials(n, r2, alone, nil)
			k.UpperRadials(n, r2, c, g)
			for i := range n {
				want, slopes := make([]float64, n-i), make([]float64, n-i)
				k.Radials(r2[i*n+i:i*n+n], want, slopes)
				if !slices.Equal(c[i*n+i:i*n+n], want) || !slices.Equal(g[i*n+i:i*n+n], slopes) ||
					!slices.Equal(alone[i*n+i:i*n+n], want) {
					t.Fatalf("%s: row %d of %d differs", name, i, n)
				}
			}
			if k.UpperRadials(n, r2, c, r2); !slices.Equal(r2, g) {
				t.Errorf("%s: the slopes in place differ", name)
			}
		}
	}
}

// What memory held before does not matter.
func TestBuffersAreOverwritten(t *testing.T) {
	for _, d := range []int{2, fewInputs} {
		k := Stationary{Form: Matern52, Scale: 1, Lengths: slices.Repeat([]float64{1}, d)}
		X := mat.NewDense(9, d, nil)
		for i := range X.RawMatrix().Data {
			X.RawMatrix().Data[i] = float64(i%7) / 7
		}
		want, square := k.Cross(X, X), k.Gram(X)
		dirty := slices.Repeat([]float64{math.NaN()}, 200)
		buffers.Put(&dirty)
		assert.True(t, mat.Equal(k.Cross(X, X), want), "%d inputs: the covariances are not those of clean memory", d)
		buffers.Put(&dirty)
		if !mat.Equal(k.Gram(X), square) {
			t.Errorf("%d inputs: the covariances of one matrix are not those of clean memory", d)
		}
	}
}

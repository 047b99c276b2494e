package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas"
	lapack "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// aTriangle is a random n×n matrix whose triangles are well conditioned.
func aTriangle(rng *rand.Rand, n, stride int) []float64 {
	a := random(rng, n*stride)
	for i := range a {
		a[i] /= float64(n + 1)
	}
	for i := range n {
		a[i*stride+i] = 1 + rng.Float64()
	}
	return a
}

// Triangular solves and products are gonum's in all cases. What lies in the other triangle is not read: it is NaN.
func TestTriangles(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	sizes := []int{0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 47, 48, 50, 64, 97, 130}
	for _, s := range []blas.Side{blas.Left, blas.Right} {
		for _, ul := range triangles {
			for _, tA := range transposes {
				for _, d := range []blas.Diag{blas.NonUnit, blas.Unit} {
					for range 20 {
						triangle1(t, rng, s, ul, tA, d, sizes[rng.IntN(len(sizes))], sizes[rng.IntN(len(sizes))],
							[]float64{0, 1, -0.5}[rng.IntN(3)])
					}
				}
			}
		}
	}
}

func triangle1(t *testing.T, rng *rand.Rand, s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int,
	alpha float64) {
	t.Helper()
	order := m
	if s == blas.Right {
		order = n
	}
	lda, ldb := max(1, order)+rng.IntN(3), max(1, n)+rng.IntN(3)
	a := aTriangle(rng, order, lda)
	for i := range order {
		for j := range order {
			if ul == blas.Lower && j > i || ul == blas.Upper && j < i || i == j && d == blas.Unit {
				a[i*lda+j] = math.NaN()
			}
		}
	}
	for _, owners := range []struct {
		name         string
		theirs, ours func(blas.Side, blas.Uplo, blas.Transpose, blas.Diag, int, int, float64, []float64, int,
			[]float64, int)
	}{{"solve", theirs.Dtrsm, ours.Dtrsm}, {"product", theirs.Dtrmm, ours.Dtrmm}} {
		got := random(rng, m*ldb)
		want := append([]float64{}, got...)
		owners.theirs(s, ul, tA, d, m, n, alpha, a, lda, want, ldb)
		owners.ours(s, ul, tA, d, m, n, alpha, a, lda, got, ldb)
		closeTo(t, got, want, order, fmt.Sprintf("%s %c%c%c%c %d×%d α %v", owners.name, s, ul, tA, d, m, n, alpha))
	}
}

// A factor, its inverse, the inverse of the whole and the square of a triangle are gonum's, and leave the other
// triangle alone.
func TestFactors(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	theirs, ours := lapack.Implementation{}, factors{}
	for _, n := range []int{0, 1, 5, 31, 32, 33, 48, 65, 100, 190} {
		for _, ul := range triangles {
			stride := max(1, n) + rng.IntN(3)
			half := aTriangle(rng, n, stride)
			a := make([]float64, n*stride)
			for i := range n {
				for j := range n {
					for l := range n {
						a[i*stride+j] += half[i*stride+l] * half[j*stride+l]
					}
				}
			}
			for _, owners := range []struct {
				name         string
				theirs, ours func([]float64) bool
			}{
				{"factor", func(a []float64) bool { return theirs.Dpotrf(ul, n, a, stride) }, func(a []float64) bool {
					return ours.Dpotrf(ul, n, a, stride)
				}},
				{"inverse", func(a []float64) bool { return theirs.Dpotri(ul, n, a, stride) }, func(a []float64) bool {
					return ours.Dpotri(ul, n, a, stride)
				}},
				{"triangle's inverse", func(a []float64) bool { return theirs.Dtrtri(ul, blas.NonUnit, n, a, stride) },
					func(a []float64) bool { return ours.Dtrtri(ul, blas.NonUnit, n, a, stride) }},
				{"triangle's inverse with ones", func(a []float64) bool {
					return theirs.Dtrtri(ul, blas.Unit, n, a, stride)
				},
					func(a []float64) bool { return ours.Dtrtri(ul, blas.Unit, n, a, stride) }},
				{"square", func(a []float64) bool {
					theirs.Dlauum(ul, n, a, stride)
					return true
				}, func(a []float64) bool { ours.Dlauum(ul, n, a, stride); return true }},
			} {
				from := half
				if owners.name == "factor" {
					from = a
				}
				want, got := append([]float64{}, from...), append([]float64{}, from...)
				if fine, well := owners.theirs(want), owners.ours(got); fine != well {
					t.Fatalf("%s of order %d %c: %v, gonum %v", owners.name, n, ul, well, fine)
				}
				closeTo(t, got, want, 10*n, fmt.Sprintf("%s of order %d %c", owners.name, n, ul))
			}
		}
	}
}

// A matrix that is not positive definite is refused wherever the pivot is that fails, and so is a singular triangle.
func TestNoFactor(t *testing.T) {
	const n = 100
	for _, ul := range triangles {
		for _, values := range []int{0, 40, 70, 99} {
			a := make([]float64, n*n)
			for i := range n {
				a[i*n+i] = 1
			}
			a[values*n+values] = 0
			if (factors{}).Dtrtri(ul, blas.NonUnit, n, append([]float64{}, a...), n) ||
				(factors{}).Dpotri(ul, n, append([]float64{}, a...), n) {
				t.Errorf("%c: a triangle with a zero at %d is inverted", ul, values)
			}
			a[values*n+values] = -1
			assert.False(t, (factors{}).Dpotrf(ul, n, a, n), "%c: a matrix with −1 at %d is factorized", ul, values)
		}
	}
}

// Distances are the sums of squared differences: 0 of a point from itself, symmetric, and as exact where points lie
// close as where they lie far.
func TestSquares(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for _, s := range [][3]int{{1, 1, 1}, {3, 5, 2}, {7, 30, 3}, {40, 26, 5}, {65, 130, 100}, {5, 9, 300}} {
		n, m, d := s[0], s[1], s[2]
		x, y := mat.NewDense(n, d, random(rng, n*d)), mat.NewDense(m, d, random(rng, m*d))
		y.SetRow(0, x.RawRowView(0))
		y.Set(0, d-1, y.At(0, d-1)+1e-6)
		got := mat.NewDense(n, m, nil)
		Squares(got, x, y)
		for i := range n {
			for j := range m {
				want := 0.0
				for l := range d {
					e := x.At(i, l) - y.At(j, l)
					want += e * e
				}
				require.InDelta(t, want, got.At(i, j), 1e-16*float64(d+2)*want, "%v: the square of %d and %d", s, i, j)
			}
		}
		inputs := mat.NewDense(n, n, nil)
		Squares(inputs, x, x)
		for i := range n {
			if inputs.At(i, i) != 0 {
				t.Fatalf("%v: point %d is %v from itself", s, i, inputs.At(i, i))
			}
		}
		require.True(t, mat.Equal(inputs, inputs.T()), "%v: not symmetric", s)
	}
}

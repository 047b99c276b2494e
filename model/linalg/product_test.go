package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

var (
	theirs = gonum.Implementation{}
	ours   = library{}

	transposes = []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}
	triangles  = []blas.Uplo{blas.Upper, blas.Lower}
)

// random fills n values.
func random(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// closeTo fails the test where got is not want but for the rounding of sums of k products of values about 1; NaN must
// be where NaN is.
func closeTo(t *testing.T, got, want []float64, k int, say string) {
	t.Helper()
	within := 1e-14 * float64(k+4)
	for i, w := range want {
		g := got[i]
		if math.IsNaN(w) != math.IsNaN(g) || math.IsInf(w, 0) && g != w ||
			math.Abs(g-w) > within*math.Max(1, math.Abs(w)) {
			t.Fatalf("%s: value %d is %v, gonum has %v", say, i, g, w)
		}
	}
}

// A product is gonum's, of any shape, with edges that fill no tile, strides larger than the rows, transposed or not,
// and any α and β.
func TestProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	sizes := []int{0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 24, 25, 63, 64, 65, 100, 193}
	factors := []float64{0, 1, -1, 0.7}
	for range 400 {
		m, n, k := sizes[rng.IntN(len(sizes))], sizes[rng.IntN(len(sizes))], sizes[rng.IntN(len(sizes))]
		if rng.IntN(8) == 0 {
			k = 256 + rng.IntN(300)
		}
		product1(t, rng, m, n, k, transposes[rng.IntN(3)], transposes[rng.IntN(3)], factors[rng.IntN(4)],
			factors[rng.IntN(4)])
	}
}

func product1(t *testing.T, rng *rand.Rand, m, n, k int, tA, tB blas.Transpose, alpha, beta float64) {
	t.Helper()
	rowsA, columnsA, rowsB, columnsB := m, k, k, n
	if tA != blas.NoTrans {
		rowsA, columnsA = k, m
	}
	if tB != blas.NoTrans {
		rowsB, columnsB = n, k
	}
	lda, ldb, ldc := max(1, columnsA)+rng.IntN(3), max(1, columnsB)+rng.IntN(3), max(1, n)+rng.IntN(3)
	a, b, c := random(rng, rowsA*lda), random(rng, rowsB*ldb), random(rng, m*ldc)
	if beta == 0 && len(c) > 0 {
		c[rng.IntN(len(c))] = math.NaN()
	}
	want := append([]float64{}, c...)
	theirs.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, want, ldc)
	ours.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
	closeTo(t, c, want, k, fmt.Sprintf("%d×%d×%d %c%c α %v β %v", m, n, k, tA, tB, alpha, beta))
}

func TestTrianglesOfProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	sizes := []int{0, 1, 3, 4, 5, 16, 23, 24, 25, 49, 64, 65, 130}
	for range 300 {
		n, k := sizes[rng.IntN(len(sizes))], sizes[rng.IntN(len(sizes))]
		ul, tA := triangles[rng.IntN(2)], transposes[rng.IntN(3)]
		alpha, beta := float64(rng.IntN(3)), float64(rng.IntN(3))-1
		rows, columns := n, k
		if tA != blas.NoTrans {
			rows, columns = k, n
		}
		lda, ldc := max(1, columns)+rng.IntN(3), max(1, n)+rng.IntN(3)
		a, c := random(rng, rows*lda), random(rng, n*ldc)
		want := append([]float64{}, c...)
		theirs.Dsyrk(ul, tA, n, k, alpha, a, lda, beta, want, ldc)
		ours.Dsyrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc)
		closeTo(t, c, want, k, fmt.Sprintf("%d×%d %c%c α %v β %v", n, k, ul, tA, alpha, beta))
	}
}

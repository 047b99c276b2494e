package linalg

import (
	"gonum.org/v1/gonum/blas"
	lapack "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"
)

func init() { lapack64.Use(factors{}) }

// factors is gonum's LAPACK, with Cholesky's factor and the inverse from it replaced. They check their arguments as
// gonum's do and panic with the same words. All go by halves, so that nearly everything is products and triangular
// solves.
type factors struct{ lapack.Implementation }

// Dpotrf factorizes a positive definite matrix given by a triangle, A = L Lᵀ or A = Uᵀ U, in place, and reports whether
// A is positive definite.
func (f factors) Dpotrf(ul blas.Uplo, n int, a []float64, lda int) bool {
	squareArguments(ul, n, a, lda)
	if n <= directOrder {
		return f.Dpotf2(ul, n, a, lda)
	}
	h := half(n)
	corner, rest := a[h*lda:], a[h*lda+h:]
	if !f.Dpotrf(ul, h, a, lda) {
		return false
	}
	if ul == blas.Lower {
		library{}.Dtrsm(blas.Right, ul, blas.Trans, blas.NonUnit, n-h, h, 1, a, lda, corner, lda)
		library{}.Dsyrk(ul, blas.NoTrans, n-h, h, -1, corner, lda, 1, rest, lda)
	} else {
		corner = a[h:]
		library{}.Dtrsm(blas.Left, ul, blas.Trans, blas.NonUnit, h, n-h, 1, a, lda, corner, lda)
		library{}.Dsyrk(ul, blas.Trans, n-h, h, -1, corner, lda, 1, rest, lda)
	}
	return f.Dpotrf(ul, n-h, rest, lda)
}

// Dpotri replaces a Cholesky factor by a triangle of the inverse of A, and reports whether A is regular.
func (f factors) Dpotri(ul blas.Uplo, n int, a []float64, lda int) bool {
	squareArguments(ul, n, a, lda)
	if !f.Dtrtri(ul, blas.NonUnit, n, a, lda) {
		return false
	}
	f.Dlauum(ul, n, a, lda)
	return true
}

// Dtrtri inverts a triangular matrix in place, and reports whether it is regular.
func (f factors) Dtrtri(ul blas.Uplo, d blas.Diag, n int, a []float64, lda int) bool {
	squareArguments(ul, n, a, lda)
	if d != blas.NonUnit && d != blas.Unit {
		panic("lapack: bad Diag")
	}
	for i := 0; i < n && d == blas.NonUnit; i++ {
		if a[i*lda+i] == 0 {
			return false
		}
	}
	f.invert(ul, d, n, a, lda)
	return true
}

// invert inverts a regular triangular matrix in its place: of [P 0; Q R] the inverse is [P⁻¹ 0; −R⁻¹QP⁻¹ R⁻¹].
func (f factors) invert(ul blas.Uplo, d blas.Diag, n int, a []float64, lda int) {
	if n <= directOrder {
		f.Dtrti2(ul, d, n, a, lda)
		return
	}
	h := half(n)
	rest := a[h*lda+h:]
	if ul == blas.Lower {
		corner := a[h*lda:]
		library{}.Dtrsm(blas.Left, ul, blas.NoTrans, d, n-h, h, -1, rest, lda, corner, lda)
		library{}.Dtrsm(blas.Right, ul, blas.NoTrans, d, n-h, h, 1, a, lda, corner, lda)
	} else {
		corner := a[h:]
		library{}.Dtrsm(blas.Left, ul, blas.NoTrans, d, h, n-h, -1, a, lda, corner, lda)
		library{}.Dtrsm(blas.Right, ul, blas.NoTrans, d, h, n-h, 1, rest, lda, corner, lda)
	}
	f.invert(ul, d, h, a, lda)
	f.invert(ul, d, n-h, rest, lda)
}

// Dlauum replaces the triangular matrix by a triangle of Lᵀ L, or of U Uᵀ.
func (f factors) Dlauum(ul blas.Uplo, n int, a []float64, lda int) {
	squareArguments(ul, n, a, lda)
	if n <= directOrder {
		f.Dlauu2(ul, n, a, lda)
		return
	}
	h := half(n)
	rest := a[h*lda+h:]
	f.Dlauum(ul, h, a, lda)
	if ul == blas.Lower {
		corner := a[h*lda:]
		library{}.Dsyrk(ul, blas.Trans, h, n-h, 1, corner, lda, 1, a, lda)
		library{}.Dtrmm(blas.Left, ul, blas.Trans, blas.NonUnit, n-h, h, 1, rest, lda, corner, lda)
	} else {
		corner := a[h:]
		library{}.Dsyrk(ul, blas.NoTrans, h, n-h, 1, corner, lda, 1, a, lda)
		library{}.Dtrmm(blas.Right, ul, blas.Trans, blas.NonUnit, h, n-h, 1, rest, lda, corner, lda)
	}
	f.Dlauum(ul, n-h, rest, lda)
}

// half is about half of n, a multiple of directOrder.
func half(n int) int { return min(up(n/2, directOrder), n-1) }

// squareArguments panics unless the arguments describe a triangle of order n.
func squareArguments(ul blas.Uplo, n int, a []float64, lda int) {
	switch {
	case ul != blas.Upper && ul != blas.Lower:
		panic("lapack: bad Uplo")
	case n < 0:
		panic("lapack: n < 0")
	case lda < max(1, n):
		panic("lapack: bad leading dimension of A")
	case n > 0 && len(a) < (n-1)*lda+n:
		panic("lapack: insufficient length of a")
	}
}

package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
)

func init() { blas64.Use(library{}) }

// library is gonum's BLAS, with the routines on whole matrices in double precision replaced. They check their arguments
// as gonum's do and panic with the same words.
type library struct{ gonum.Implementation }

// Dgemm computes C = α op(A) op(B) + β C, op(A) m×k and op(B) k×n.
func (l library) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	x, y := operand{a, lda, transposed(tA)}, operand{b, ldb, transposed(tB)}
	natural("m", m)
	natural("n", n)
	natural("k", k)
	x.leads("A", m, k)
	y.leads("B", k, n)
	z := operand{data: c, stride: ldc}
	z.leads("C", m, n)
	if m == 0 || n == 0 {
		return
	}
	x.holds("a", m, k)
	y.holds("b", k, n)
	z.holds("c", m, n)
	if tiny(m, n, k) || !y.trans && k < minDepth() {
		l.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	multiply(whole, m, n, k, alpha, x, y, beta, c, ldc)
}

// Dsyrk computes one triangle of C = α A Aᵀ + β C, A n×k, or of C = α Aᵀ A + β C, A k×n.
func (l library) Dsyrk(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64,
	c []float64, ldc int) {
	t := triangular(ul)
	x := operand{a, lda, transposed(tA)}
	natural("n", n)
	natural("k", k)
	z := operand{data: c, stride: ldc}
	x.leads("A", n, k)
	z.leads("C", n, n)
	if n == 0 {
		return
	}
	x.holds("a", n, k)
	z.holds("c", n, n)
	if tiny(n, n, k) {
		l.Implementation.Dsyrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	multiply(t, n, n, k, alpha, x, operand{a, lda, !x.trans}, beta, c, ldc)
}

// tiny reports whether gonum computes a product faster, because packing the factors into tiles takes too long.
func tiny(m, n, k int) bool { return m < tileRows || n < 3 || m*n*k < 1<<11 }

func transposed(t blas.Transpose) bool {
	switch t {
	case blas.NoTrans:
		return false
	case blas.Trans, blas.ConjTrans:
		return true
	}
	panic("blas: illegal transpose")
}

func triangular(ul blas.Uplo) shape {
	switch ul {
	case blas.Lower:
		return lower
	case blas.Upper:
		return upper
	}
	panic("blas: illegal triangle")
}

func natural(name string, n int) {
	if n < 0 {
		panic("blas: " + name + " < 0")
	}
}

// operand is a matrix, or the transpose of one.
type operand struct {
	data   []float64
	stride int
	trans  bool
}

// leads panics if the stride is less than the number of columns of the matrix, which is rows×columns as it is used.
func (o operand) leads(name string, rows, columns int) {
	if o.trans {
		columns = rows
	}
	if o.stride < max(1, columns) {
		panic("blas: bad leading dimension of " + name)
	}
}

// holds panics if the data are too few.
func (o operand) holds(name string, rows, columns int) {
	if o.trans {
		rows, columns = columns, rows
	}
	if len(o.data) < (rows-1)*o.stride+columns {
		panic("blas: insufficient length of " + name)
	}
}

package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// Triangular systems are solved, and triangles multiplied, by halves: what lies beside the two smaller triangles is a
// product (Elmroth, Gustavson, Jonsson and Kågström, Recursive blocked algorithms, 2004). Triangles of at most
// directOrder are worked off row by row, by gonum where there are no vectors, otherwise on strips of the other matrix
// that lie packed.
const directOrder = 32

// Dtrsm solves op(A) X = α B, or X op(A) = α B, A triangular, into B (m×n).
func (l library) Dtrsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64,
	lda int, b []float64, ldb int) {
	t := newTriangle(s, ul, tA, d, m, n, a, lda, b, ldb)
	switch {
	case m == 0 || n == 0:
	case t.order < 8:
		l.Implementation.Dtrsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
	case !t.right && n == 1:
		l.Dscal(m, alpha, b, ldb)
		l.Dtrsv(ul, tA, d, m, a, lda, b, ldb)
	default:
		t.solving = true
		t.work(m, n, alpha)
	}
}

// Dtrmm computes α op(A) B, or α B op(A), A triangular, into B (m×n).
func (l library) Dtrmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64,
	lda int, b []float64, ldb int) {
	t := newTriangle(s, ul, tA, d, m, n, a, lda, b, ldb)
	switch {
	case m == 0 || n == 0:
	case t.order < 8 || t.count < 3:
		l.Implementation.Dtrmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
	default:
		t.work(m, n, alpha)
	}
}

// triangle is T = op(A), and the matrix B that it is solved for or multiplied with, from the left or from the right.
type triangle struct {
	operand
	side    blas.Side
	ul      blas.Uplo
	op      blas.Transpose
	diag    blas.Diag
	order   int
	forward bool // row i of what a solution is put into follows from those before it: of Tᵀ on the right
	right   bool
	solving bool
	b       []float64
	stride  int
	count   int // columns of B, rows if T is on the right
}

// newTriangle checks the arguments of Dtrsm and Dtrmm.
func newTriangle(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, a []float64, lda int,
	b []float64, ldb int) triangle {
	if s != blas.Left && s != blas.Right {
		panic("blas: illegal side")
	}
	below := triangular(ul) == lower
	t := triangle{operand: operand{a, lda, transposed(tA)}, side: s, ul: ul, op: tA, diag: d, order: m,
		right: s == blas.Right, b: b, stride: ldb, count: n}
	if d != blas.Unit && d != blas.NonUnit {
		panic("blas: illegal diagonal")
	}
	natural("m", m)
	natural("n", n)
	if t.right {
		t.order, t.count = n, m
	}
	t.forward = below != t.trans != t.right
	t.leads("A", t.order, t.order)
	y := operand{data: b, stride: ldb}
	y.leads("B", m, n)
	if m > 0 && n > 0 {
		t.holds("a", t.order, t.order)
		y.holds("b", m, n)
	}
	return t
}

// work scales B (m×n) by α, and solves or multiplies.
func (t triangle) work(m, n int, alpha float64) {
	for i := range m {
		scale(whole, i, 0, n, alpha, t.b[i*t.stride:])
	}
	if alpha != 0 {
		t.halve(0, t.order)
	}
}

// halve processes the rows and columns of T from, up to, but not, end.
func (t *triangle) halve(from, end int) {
	if end-from <= directOrder {
		t.direct(from, end)
		return
	}
	mid := from + up((end-from)/2, directOrder/2)
	// One half is computed first and used for the other: solved before, or multiplied after.
	known, other := [2]int{from, mid}, [2]int{mid, end}
	if !t.forward {
		known, other = other, known
	}
	if t.solving {
		t.halve(known[0], known[1])
		t.carry(known, other, -1)
		t.halve(other[0], other[1])
		return
	}
	t.halve(other[0], other[1])
	t.carry(known, other, 1)
	t.halve(known[0], known[1])
}

// plain processes a small triangle with gonum.
func (t *triangle) plain(from, end int) {
	l, a := gonum.Implementation{}, t.part(from, from).data
	do := l.Dtrmm
	if t.solving {
		do = l.Dtrsm
	}
	offset := from * t.stride
	m := end - from
	n := t.count
	if t.right {
		offset = from
		m, n = n, m
	}
	do(t.side, t.ul, t.op, t.diag, m, n, 1, a, t.operand.stride, t.b[offset:], t.stride)
}

// carry adds to the other rows of B (columns, if T is on the right) α times the contribution of the known ones.
func (t *triangle) carry(known, other [2]int, alpha float64) {
	k, o := known[1]-known[0], other[1]-other[0]
	if t.right {
		multiply(whole, t.count, o, k, alpha, operand{t.b[known[0]:], t.stride, false}, t.part(known[0], other[0]), 1,
			t.b[other[0]:], t.stride)
		return
	}
	multiply(whole, o, t.count, k, alpha, t.part(other[0], known[0]),
		operand{t.b[known[0]*t.stride:], t.stride, false}, 1, t.b[other[0]*t.stride:], t.stride)
}

// part is the matrix from row i and column j on.
func (o operand) part(i, j int) operand {
	if o.trans {
		i, j = j, i
	}
	return operand{o.data[i*o.stride+j:], o.stride, o.trans}
}

package kernel

import (
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/linalg"
)

// With more than fewInputs inputs, squared distances are computed by products, ‖x‖² + ‖y‖² − 2x·y, as long as the
// squared width of the unit cube in lengthscales is at most wideCube: the rounding error for close inputs is then less
// than 1e-13.
const (
	fewInputs = 12
	wideCube  = 400
)

// byProducts reports whether squared distances are computed by products.
func (k Stationary) byProducts() bool {
	wide := 0.0
	for _, l := range k.Lengths {
		wide += 1 / (l * l)
	}
	return len(k.Lengths) >= fewInputs && wide <= wideCube
}

// Within writes r² between the rows of X (n×d) to the upper triangle of r2, n×n.
func (k Stationary) Within(X *mat.Dense, r2 []float64) {
	n, d := X.Dims()
	switch {
	case k.byProducts():
	case d >= fewInputs:
		linalg.SquaresWithin(r2, k.scaled(X))
		return
	default:
		all := buffer(n * d)
		defer buffers.Put(all)
		columns, rest := columnsOf(X, *all), make([][]float64, d)
		for i := range n {
			for j, c := range columns {
				rest[j] = c[i:]
			}
			k.squares(X.RawRowView(i), rest, r2[i*n+i:i*n+n])
		}
		return
	}
	s := k.scaled(X)
	blas64.Syrk(blas.NoTrans, -2, s.RawMatrix(), 0, blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: n, Data: r2})
	norms := make([]float64, n)
	for i := range norms {
		norms[i] = -r2[i*n+i] / 2
	}
	for i, q := range norms {
		row := r2[i*n+i : i*n+n]
		for j, v := range row {
			row[j] = max(v+q+norms[i+j], 0)
		}
		row[0] = 0
	}
}

// between writes r² between the rows of A (n×d) and those of B (m×d) to r2, n×m.
func (k Stationary) between(A, B *mat.Dense, r2 []float64) {
	n, _ := A.Dims()
	m, _ := B.Dims()
	a, b := k.scaled(A), k.scaled(B)
	if !k.byProducts() {
		linalg.Squares(mat.NewDense(n, m, r2), a, b)
		return
	}
	blas64.Gemm(blas.NoTrans, blas.Trans, -2, a.RawMatrix(), b.RawMatrix(), 0,
		blas64.General{Rows: n, Cols: m, Stride: m, Data: r2})
	norms := make([]float64, m)
	for j := range norms {
		norms[j] = floats.Dot(b.RawRowView(j), b.RawRowView(j))
	}
	for i := range n {
		q := floats.Dot(a.RawRowView(i), a.RawRowView(i))
		row := r2[i*m : i*m+m]
		for j, v := range row {
			row[j] = max(v+q+norms[j], 0)
		}
	}
}

// scaled returns the rows of X in units of lengthscales, relative to the center of the cube.
func (k Stationary) scaled(X *mat.Dense) *mat.Dense {
	s := mat.DenseCopyOf(X)
	n, _ := s.Dims()
	for i := range n {
		row := s.RawRowView(i)
		for j, l := range k.Lengths {
			row[j] = (row[j] - 0.5) / l
		}
	}
	return s
}

// squares writes r² between x (length d) and many inputs, given by their d columns, to r2.
func (k Stationary) squares(x []float64, columns [][]float64, r2 []float64) {
	clear(r2)
	for j, column := range columns {
		xj, over := x[j], 1/(k.Lengths[j]*k.Lengths[j])
		for i, v := range column[:len(r2)] {
			r2[i] += (v - xj) * (v - xj) * over
		}
	}
}

// columnsFor returns the columns of a matrix.
func columnsFor(X *mat.Dense) [][]float64 {
	n, d := X.Dims()
	return columnsOf(X, make([]float64, n*d))
}

// columnsOf returns the columns of a matrix (n×d) in memory for n·d numbers.
func columnsOf(X *mat.Dense, all []float64) [][]float64 {
	n, d := X.Dims()
	columns := make([][]float64, d)
	for j := range columns {
		columns[j] = all[j*n : (j+1)*n]
	}
	for i := range n {
		for j, v := range X.RawRowView(i) {
			all[j*n+i] = v
		}
	}
	return columns
}

// buffers holds memory for squared distances.
var buffers sync.Pool

// buffer returns memory for n numbers of any value.
func buffer(n int) *[]float64 {
	if b, ok := buffers.Get().(*[]float64); ok && cap(*b) >= n {
		*b = (*b)[:n]
		return b
	}
	b := make([]float64, n)
	return &b
}

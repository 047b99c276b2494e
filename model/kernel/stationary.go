// Package kernel implements covariance functions and their derivatives: stationary ones with a lengthscale per input
// (see Form for how to add one), and those of infinitely wide networks. It fits nothing and holds no data. Callers
// choose lengthscales and scales, and deal with nearly singular matrices.
package kernel

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Kernel is a covariance function over inputs of d values.
type Kernel interface {
	// Gram returns the covariance of the rows of X (n×d) with each other.
	Gram(X *mat.Dense) *mat.SymDense
	// Cross returns the covariance of the rows of A (n×d) with the rows of B (m×d), n×m.
	Cross(A, B *mat.Dense) *mat.Dense
	// Diag returns the variance at each row of X.
	Diag(X *mat.Dense) []float64
}

// Stationary is a stationary kernel with one lengthscale per input: r² = Σ ((x_j − x'_j)/ℓ_j)² (Rasmussen & Williams
// 2006, eq. 4.9 and 4.17).
type Stationary struct {
	Form    Form
	Scale   float64   // the signal's standard deviation s
	Lengths []float64 // ℓ, one per input
}

var _ Kernel = Stationary{}

// Check returns an error for a kernel that is invalid for inputs of d values.
func (k Stationary) Check(d int) error {
	if k.Form == nil {
		return fmt.Errorf("the kernel must be one of %s", strings.Join(FormNames(), ", "))
	}
	if len(k.Lengths) != d {
		return fmt.Errorf("the kernel must have %d lengthscales, got %d", d, len(k.Lengths))
	}
	for _, l := range append([]float64{k.Scale}, k.Lengths...) {
		if !(l > 0) || math.IsInf(l, 0) {
			return fmt.Errorf("the scale and the lengthscales of the kernel must be positive, got %g", l)
		}
	}
	return nil
}

// Square returns r² between two inputs.
func (k Stationary) Square(x, y []float64) float64 {
	sum := 0.0
	for j, l := range k.Lengths {
		d := (x[j] - y[j]) / l
		sum += d * d
	}
	return sum
}

// Radial returns the covariance c at squared distance r², and the factor g of its derivatives:
// ∂c/∂x_j = −g (x_j − x'_j)/ℓ_j², and ∂c/∂log ℓ_j = g ((x_j − x'_j)/ℓ_j)².
func (k Stationary) Radial(r2 float64) (c, g float64) {
	return k.Form.Radial(k.Scale*k.Scale, r2)
}

// Radials computes Radial at many squared distances, and writes the results to c and, unless it is nil, to g, of the
// same length. r2 and g may be the same slice.
func (k Stationary) Radials(r2, c, g []float64) {
	if form, ok := k.Form.(batchRadial); ok {
		form.radials(k.Scale*k.Scale, r2, c, g)
		return
	}
	for i, r := range r2 {
		cov, slope := k.Radial(r)
		c[i] = cov
		if g != nil {
			g[i] = slope
		}
	}
}

// packedBelow is the number of inputs up to which the upper triangle of a matrix of distances is packed: rows are then
// so short that most of the time would be spent between them.
const packedBelow = 128

// UpperRadials is Radials for the upper triangle of n×n matrices: r2 and g may be the same slice, and g may be nil.
func (k Stationary) UpperRadials(n int, r2, c, g []float64) {
	row := func(v []float64, i int) []float64 { return v[i*n+i : i*n+n] }
	if n > packedBelow {
		for i := range n {
			var slopes []float64
			if g != nil {
				slopes = row(g, i)
			}
			k.Radials(row(r2, i), row(c, i), slopes)
		}
		return
	}
	size := n * (n + 1) / 2
	both := buffer(2 * size)
	defer buffers.Put(both)
	packed, values := (*both)[:size], (*both)[size:]
	offset := 0
	for i := range n {
		offset += copy(packed[offset:], row(r2, i))
	}
	slopes := packed
	if g == nil {
		slopes = nil
	}
	k.Radials(packed, values, slopes)
	for i := range n {
		local := row(c, i)
		copy(local, values)
		values = values[len(local):]
		if g != nil {
			copy(row(g, i), packed)
			packed = packed[len(local):]
		}
	}
}

// At returns the covariance of two inputs.
func (k Stationary) At(x, y []float64) float64 {
	c, _ := k.Radial(k.Square(x, y))
	return c
}

// Gram returns the covariance of the rows of X with each other.
func (k Stationary) Gram(X *mat.Dense) *mat.SymDense {
	n, _ := X.Dims()
	g, r2 := mat.NewSymDense(n, nil), buffer(n*n)
	defer buffers.Put(r2)
	k.Within(X, *r2)
	k.UpperRadials(n, *r2, g.RawSymmetric().Data, nil)
	return g
}

// Cross returns the covariance of the rows of A with the rows of B.
func (k Stationary) Cross(A, B *mat.Dense) *mat.Dense {
	n, _ := A.Dims()
	m, _ := B.Dims()
	c, r2 := mat.NewDense(n, m, nil), buffer(n*m)
	defer buffers.Put(r2)
	k.between(A, B, *r2)
	k.Radials(*r2, c.RawMatrix().Data, nil)
	return c
}

// Diag returns the variance at each row of X.
func (k Stationary) Diag(X *mat.Dense) []float64 {
	n, _ := X.Dims()
	v := make([]float64, n)
	for i := range v {
		v[i] = k.Scale * k.Scale
	}
	return v
}

// Slope adds the weighted derivative w ∂k(x, y)/∂x_j to grad, length d, and returns k(x, y).
func (k Stationary) Slope(x, y []float64, w float64, grad []float64) float64 {
	c, g := k.Radial(k.Square(x, y))
	for j, l := range k.Lengths {
		grad[j] -= w * g * (x[j] - y[j]) / (l * l)
	}
	return c
}

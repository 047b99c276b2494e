// Package kernel holds covariance functions: the stationary ones with a lengthscale per input, by their forms (see
// Form, to which one is added by a file and a line), and those of infinitely wide networks. Inputs come in, as pairs or
// matrices, and covariances with their derivatives go out. It fits nothing and holds no data: lengthscales and scales
// are its callers', and so is what to do with a matrix that is nearly singular.
package kernel

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Kernel is a covariance function over inputs of d values.
type Kernel interface {
	// Gram is the covariance of the rows of X (n×d) with each other.
	Gram(X *mat.Dense) *mat.SymDense
	// Cross is the covariance of the rows of A (n×d) with the rows of B (m×d), n×m.
	Cross(A, B *mat.Dense) *mat.Dense
	// Diag is the variance at each row of X.
	Diag(X *mat.Dense) []float64
}

// Stationary is a stationary kernel with one lengthscale per input: r² = Σ ((x_j − x'_j)/ℓ_j)² (Rasmussen & Williams
// 2006, eq. 4.9 and 4.17).
type Stationary struct {
	Form    Form
	Scale   float64   // the signal's standard deviation s
	Lengths []float64 // ℓ, one per input
	// Offset is the prior standard deviation of a constant that is added to the function, whose mean is 0: it integrates
	// an unknown constant mean out (Rasmussen & Williams 2006, §2.7).
	Offset float64
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

// Square is r² between two inputs.
func (k Stationary) Square(x, y []float64) float64 {
	sum := 0.0
	for j, l := range k.Lengths {
		d := (x[j] - y[j]) / l
		sum += d * d
	}
	return sum
}

// Radial returns, without the constant and at squared distance r², the covariance c and the factor g by which its derivatives are made:
// ∂c/∂x_j = −g (x_j − x'_j)/ℓ_j², and ∂c/∂log ℓ_j = g ((x_j − x'_j)/ℓ_j)².
func (k Stationary) Radial(r2 float64) (c, g float64) {
	return k.Form.Radial(k.Scale*k.Scale, r2)
}

// Radials is Radial at many squared distances, in c and, unless that is nil, in g, of the same length. The distances
// may lie in g.
func (k Stationary) Radials(r2, c, g []float64) {
	if form, ok := k.Form.(batchRadial); ok {
		form.radials(k.Scale*k.Scale, r2, c, g)
		return
	}
	for i, r := range r2 {
		cov, slope := k.Radial(r)
		if c[i] = cov; g != nil {
			g[i] = slope
		}
	}
}

// Variance is that of the function at any input.
func (k Stationary) Variance() float64 { return k.Scale*k.Scale + k.Offset*k.Offset }

// addOffset adds the variance of the constant to covariances.
func (k Stationary) addOffset(c []float64) {
	if k.Offset != 0 {
		floats.AddConst(k.Offset*k.Offset, c)
	}
}

// At is the covariance of two inputs.
func (k Stationary) At(x, y []float64) float64 {
	c, _ := k.Radial(k.Square(x, y))
	return c + k.Offset*k.Offset
}

// Gram is the covariance of the rows of X with each other.
func (k Stationary) Gram(X *mat.Dense) *mat.SymDense {
	n, _ := X.Dims()
	g, r2 := mat.NewSymDense(n, nil), make([]float64, n*n)
	k.Within(X, r2)
	for i := range n {
		row := g.RawSymmetric().Data[i*n+i : i*n+n]
		k.Radials(r2[i*n+i:i*n+n], row, nil)
		k.addOffset(row)
	}
	return g
}

// Cross is the covariance of the rows of A with the rows of B.
func (k Stationary) Cross(A, B *mat.Dense) *mat.Dense {
	n, _ := A.Dims()
	m, _ := B.Dims()
	c, r2 := mat.NewDense(n, m, nil), make([]float64, n*m)
	k.between(A, B, r2)
	for i := range n {
		k.Radials(r2[i*m:i*m+m], c.RawRowView(i), nil)
		k.addOffset(c.RawRowView(i))
	}
	return c
}

// Diag is the variance at each row of X.
func (k Stationary) Diag(X *mat.Dense) []float64 {
	n, _ := X.Dims()
	v := make([]float64, n)
	for i := range v {
		v[i] = k.Variance()
	}
	return v
}

// Slope adds to grad, length d, the weighted derivative w ∂k(x, y)/∂x_j, and returns k(x, y).
func (k Stationary) Slope(x, y []float64, w float64, grad []float64) float64 {
	c, g := k.Radial(k.Square(x, y))
	for j, l := range k.Lengths {
		grad[j] -= w * g * (x[j] - y[j]) / (l * l)
	}
	return c + k.Offset*k.Offset
}

package kernel

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// NNGPKernel and NTKKernel are the two kernels of a network as separate covariance functions.
type (
	NNGPKernel struct{ Network }
	NTKKernel  struct{ Network }
)

// whole is Cross without a context.
func (n Network) whole(A, B *mat.Dense) Kernels {
	p, _ := n.Cross(context.Background(), A, B)
	return p
}

// Gram is the covariance of the rows of X with each other.
func (k NNGPKernel) Gram(X *mat.Dense) *mat.SymDense { return symmetric(k.whole(X, X).NNGP) }

// Cross is the covariance of the rows of A with the rows of B.
func (k NNGPKernel) Cross(A, B *mat.Dense) *mat.Dense { return k.whole(A, B).NNGP }

// Diag is the variance at each row of X.
func (k NNGPKernel) Diag(X *mat.Dense) []float64 { v, _ := k.Network.Diag(X); return v }

// Gram is the covariance of the rows of X with each other.
func (k NTKKernel) Gram(X *mat.Dense) *mat.SymDense { return symmetric(k.whole(X, X).NTK) }

// Cross is the covariance of the rows of A with the rows of B.
func (k NTKKernel) Cross(A, B *mat.Dense) *mat.Dense { return k.whole(A, B).NTK }

// Diag is the variance at each row of X.
func (k NTKKernel) Diag(X *mat.Dense) []float64 { _, v := k.Network.Diag(X); return v }

// symmetric returns a matrix that is already symmetric as a mat.SymDense.
func symmetric(m *mat.Dense) *mat.SymDense {
	n, _ := m.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, m.At(i, j))
		}
	}
	return s
}

// tanhMoments computes the moments of tanh by quadrature, with u = √a z₁ and v = along·z₁ + across·z₂, z standard
// normal.
func tanhMoments(a, b, c float64, same bool) (second, slope float64) {
	root := math.Sqrt(a)
	if same {
		return normalMean(root, func(t float64) (float64, float64) { return t * t, (1 - t*t) * (1 - t*t) })
	}
	along := min(max(c/math.Sqrt(a*b), -1), 1) * math.Sqrt(b)
	across := math.Sqrt(max(b-along*along, 0))
	nodes := trapezoid(across)
	for _, n := range trapezoid(math.Max(root, math.Abs(along))) {
		inner, innerSlope := 0.0, 0.0
		for _, m := range nodes {
			t := tanh(along*n.z + across*m.z)
			inner += m.w * t
			innerSlope += m.w * (1 - t*t)
		}
		t := tanh(root * n.z)
		second += n.w * t * inner
		slope += n.w * (1 - t*t) * innerSlope
	}
	return second, slope
}

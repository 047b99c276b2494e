package widenet

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// slopesAt are the gradients of the kernel of the mean between an input and the data, or without data of the input with
// itself: of the tangent kernel or, for NNGP, of that kernel.
func (l *Model) slopesAt(x []float64) *kernel.Slopes {
	others := l.x
	if others == nil {
		others = l.network.Prepare(mat.NewDense(1, len(x), x))
	}
	if l.kind == NNGP {
		return l.network.NNGPSlopesAt(x, others)
	}
	return l.network.SlopesAt(x, others)
}

// Gradient is the mean and the standard deviation at x, length d, with their gradients, for Posterior and NNGP only.
// Where the standard deviation is 0, its gradient is 0.
func (l *Model) Gradient(x, dmean, dsd []float64) (mean, sd float64) {
	clear(dmean)
	clear(dsd)
	s := l.slopesAt(x)
	variance := s.Diag
	back := make([]float64, len(s.Value)) // −2A⁻¹Θ_Xx
	if l.x != nil {
		mean = dot(s.Value, l.weights.RawVector().Data)
		s.Add(dmean, 0, l.weights.RawVector().Data)
		copy(back, s.Value)
		half := blas64.Vector{N: len(back), Inc: 1, Data: back}
		blas64.Trsv(blas.Trans, l.factor(), half)
		variance -= dot(back, back)
		blas64.Trsv(blas.NoTrans, l.factor(), half)
		blas64.Scal(-2, half)
	}
	if !(variance > 0) {
		return mean, 0
	}
	s.Add(dsd, 1, back)
	root := math.Sqrt(variance)
	for j := range dsd {
		dsd[j] *= l.nu / (2 * root)
	}
	return mean, l.nu * root
}

// MeanGradient is the mean at x, length d, with its gradient.
func (l *Model) MeanGradient(x, grad []float64) float64 {
	clear(grad)
	if l.x == nil {
		return 0
	}
	s := l.slopesAt(x)
	s.Add(grad, 0, l.weights.RawVector().Data)
	return dot(s.Value, l.weights.RawVector().Data)
}

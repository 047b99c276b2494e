package widenet

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// LeaveOneOut returns the mean and the standard deviation of the prediction of each target from all the others,
// including noise. With C = A⁻¹ and w_j = C_ij/C_ii the residual of target i is Σ w_j y_j. For the Gaussian processes
// its variance is ν²/C_ii (Rasmussen & Williams 2006, eq. 5.12); for trained networks, whose prediction is f₀(x_i) +
// Σ_{j≠i} −w_j (y_j + ε_j − f₀(x_j)), it is ν² Σ_jk w_j w_k cov(f₀(x_j) + ε_j, f₀(x_k) + ε_k) (Prop. 1 for the other
// data). The error says that the distribution has no closed form for it, as at a finite time, or no spread.
func (l *Model) LeaveOneOut() (mean, sd []float64, err error) {
	if l.kind == FiniteTime || l.kind == WarmStart {
		return nil, nil, fmt.Errorf("%q has no leave-one-out predictions", l.kind)
	}
	if l.x == nil {
		return nil, nil, nil
	}
	n := len(l.y)
	var inverse mat.SymDense
	if err := l.chol.InverseTo(&inverse); err != nil {
		return nil, nil, fmt.Errorf("leave-one-out predictions: %w", err)
	}
	mean, sd = make([]float64, n), make([]float64, n)
	row := mat.NewVecDense(n, nil)
	for i := range n {
		cii := inverse.At(i, i)
		mean[i] = l.y[i] - l.weights.AtVec(i)/cii
		variance := 1 / cii
		if l.kind != Posterior && l.kind != NNGP {
			for j := range n {
				row.SetVec(j, inverse.At(i, j)/cii)
			}
			variance = mat.Inner(row, l.inner, row)
			if l.kind == NoPerturbation { // the observation itself has noise all the same
				variance += l.noise[i]
			}
		}
		sd[i] = l.nu * math.Sqrt(max(variance, 0))
	}
	return mean, sd, nil
}

// LogMarginalLikelihood is log p(y) of the Gaussian process, with covariance ν²A; NaN if the distribution is not a
// Gaussian process, and 0 without data.
func (l *Model) LogMarginalLikelihood() float64 {
	switch {
	case l.kind != Posterior && l.kind != NNGP:
		return math.NaN()
	case l.x == nil:
		return 0
	}
	n := float64(len(l.y))
	return -mat.Dot(mat.NewVecDense(len(l.y), l.y), l.weights)/(2*l.nu*l.nu) - l.chol.LogDet()/2 - n*math.Log(l.nu) -
		n/2*math.Log(2*math.Pi)
}

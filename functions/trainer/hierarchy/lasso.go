package hierarchy

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/trainer"
)

// LambdaL is the weight (2/γ) √(2σ² ln D/(LT)) from which on the lasso recovers the basis out of a dictionary of D
// columns with high probability (Lemma 6.1), γ the mutual incoherence of (6.19), 1 for orthogonal columns.
func LambdaL(sigma float64, dictionary, leaves, rows int, gamma float64) float64 {
	return 2 / gamma * math.Sqrt(2*sigma*sigma*math.Log(float64(dictionary))/float64(leaves*rows))
}

// Lasso is the first line of Algorithm 6.1: the α of least ‖y - B̄α‖²/(2T) + λ‖α‖₁, by coordinate descent in the order
// of the columns, until a sweep changes no coefficient by more than 1e-12 of the greatest. The dictionary is T × D, its
// columns not zero.
func Lasso(dictionary *mat.Dense, y []float64, lambda float64) ([]float64, error) {
	const sweeps = 100_000
	rows, dims := dictionary.Dims()
	columns, squares := make([][]float64, dims), make([]float64, dims)
	for j := range columns {
		columns[j] = mat.Col(nil, j, dictionary)
		squares[j] = floats.Dot(columns[j], columns[j]) / float64(rows)
		if !(squares[j] > 0) {
			return nil, fmt.Errorf("column %d of the dictionary is zero or not finite", j+1)
		}
	}
	alpha, rest := make([]float64, dims), append([]float64(nil), y...)
	for range sweeps {
		var moved float64
		for j, column := range columns {
			before := alpha[j]
			pull := floats.Dot(column, rest)/float64(rows) + squares[j]*before
			alpha[j] = softThreshold(pull, lambda) / squares[j]
			if change := alpha[j] - before; change != 0 {
				floats.AddScaled(rest, -change, column)
				moved = max(moved, math.Abs(change))
			}
		}
		if moved <= 1e-12*floats.Norm(alpha, math.Inf(1)) {
			return alpha, nil
		}
	}
	return nil, fmt.Errorf("the lasso did not converge in %d sweeps", sweeps)
}

// softThreshold moves z towards 0 by λ, and stops there.
func softThreshold(z, lambda float64) float64 {
	return math.Copysign(max(math.Abs(z)-lambda, 0), z)
}

// RecoverBasis is what Algorithm 6.1 finds where the root of Example is to be described out of a dictionary of 32
// orthogonal columns, the Fourier basis of 64 days as far as frequency 16: its coefficients 1, ½, -½ and ¼ are on the
// columns truth, and found are those of the lasso at λ_L with the noise of a seed.
func RecoverBasis(seed uint64) (truth, found []int, err error) {
	const rows, dims, leaves = 64, 32, 8
	dictionary := mat.NewDense(rows, dims, nil)
	for t := range rows {
		dictionary.Set(t, 0, 1)
		for j := 1; j < dims; j++ {
			sin, cos := math.Sincos(2 * math.Pi * float64((j+1)/2*t) / rows)
			if j%2 == 1 {
				dictionary.Set(t, j, math.Sqrt2*sin)
			} else {
				dictionary.Set(t, j, math.Sqrt2*cos)
			}
		}
	}
	y := trainer.NewSource(seed, 68).Normals(rows)
	floats.Scale(1/math.Sqrt(leaves), y)
	truth = []int{0, 15, 16, 31}
	for i, coefficient := range []float64{1, 0.5, -0.5, 0.25} {
		floats.AddScaled(y, coefficient, mat.Col(nil, truth[i], dictionary))
	}
	alpha, err := Lasso(dictionary, y, LambdaL(1, dims, leaves, rows, 1))
	if err != nil {
		return nil, nil, err
	}
	for j, a := range alpha {
		if a != 0 {
			found = append(found, j)
		}
	}
	return truth, found, nil
}

package theory

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// LambdaL is the weight (2/γ) √(2σ² ln D/(LT)) from which on the lasso recovers the basis out of a dictionary of D columns with high probability (Lemma 6.1), γ the
// mutual incoherence of (6.19), 1 for orthogonal columns.
func LambdaL(sigma float64, dictionary, leaves, rows int, gamma float64) float64 {
	return 2 / gamma * math.Sqrt(2*sigma*sigma*math.Log(float64(dictionary))/float64(leaves*rows))
}

// Lasso is the first line of Algorithm 6.1: the α of least ‖y - B̄α‖²/(2T) + λ‖α‖₁, by coordinate descent in the order of the columns, until a sweep changes no
// coefficient by more than 1e-12 of the greatest. The dictionary is T × D, its columns not zero.
func Lasso(dictionary *mat.Dense, y []float64, lambda float64) ([]float64, error) {
	const sweeps = 100_000
	rows, dims := dictionary.Dims()
	columns, squares := make([][]float64, dims), make([]float64, dims)
	for j := range columns {
		columns[j] = mat.Col(nil, j, dictionary)
		squares[j] = floats.Dot(columns[j], columns[j]) / float64(rows)
		if !(squares[j] > 0) {
			return nil, fmt.Errorf("column %d of the dictionary is zero, or not a number", j+1)
		}
	}
	alpha, rest := make([]float64, dims), append([]float64(nil), y...)
	for range sweeps {
		var moved float64
		for j, column := range columns {
			before := alpha[j]
			pull := floats.Dot(column, rest)/float64(rows) + squares[j]*before
			alpha[j] = soft(pull, lambda) / squares[j]
			if change := alpha[j] - before; change != 0 {
				floats.AddScaled(rest, -change, column)
				moved = max(moved, math.Abs(change))
			}
		}
		if moved <= 1e-12*floats.Norm(alpha, math.Inf(1)) {
			return alpha, nil
		}
	}
	return nil, fmt.Errorf("the lasso did not settle in %d sweeps", sweeps)
}

// soft moves z towards 0 by λ, and stops there.
func soft(z, lambda float64) float64 {
	return math.Copysign(max(math.Abs(z)-lambda, 0), z)
}

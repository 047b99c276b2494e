// Package model holds what is believed: the interface that every surrogate meets, and what all of them share. The
// surrogates live in the packages below: kernels, Gaussian processes, neural networks. It knows no optimizer.
//
// Surrogates see inputs in the unit cube and standardized targets (mean 0, standard deviation 1), minimized; n is rows
// of data, d inputs.
package model

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	_ "bandscope/model/linalg" // what computes with matrices, for everyone

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Surrogate is a fitted law over functions.
type Surrogate interface {
	// Predict returns the mean and the standard deviation of the latent (noise-free) function at each row of X (n×d).
	Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error)
	// Sample returns count jointly drawn functions at the rows of X, as the rows of a count×n matrix.
	Sample(ctx context.Context, X *mat.Dense, count int, rng *rand.Rand) (*mat.Dense, error)
}

// Standardizer maps targets to mean 0 and standard deviation 1 and back.
type Standardizer struct{ Mean, SD float64 }

// Standardize returns the standardizer of y. With fewer than two values, or with values that are all equal, the
// standard deviation is taken to be 1.
func Standardize(y []float64) Standardizer {
	s := Standardizer{SD: 1}
	if len(y) == 0 {
		return s
	}
	s.Mean = stat.Mean(y, nil)
	if len(y) > 1 {
		if sd := stat.PopStdDev(y, nil); sd > 1e-12*math.Max(1, math.Abs(s.Mean)) {
			s.SD = sd
		}
	}
	return s
}

// Apply returns the standardized targets.
func (s Standardizer) Apply(y []float64) []float64 {
	z := make([]float64, len(y))
	for i, v := range y {
		z[i] = (v - s.Mean) / s.SD
	}
	return z
}

// Value maps a standardized value back.
func (s Standardizer) Value(z float64) float64 { return s.Mean + s.SD*z }

// IgnoreCondition is the error of solving with a factorized matrix, nil where gonum has solved it and only warns that
// it is badly conditioned. A singular matrix, whose condition number is infinite, is left unsolved.
func IgnoreCondition(err error) error {
	var warning mat.Condition
	if errors.As(err, &warning) && !math.IsInf(float64(warning), 1) {
		return nil
	}
	return err
}

// Center maps inputs from the unit cube to [−1, 1]^d, where networks of this program's parameterisation, and their
// laws, are at home.
func Center(X *mat.Dense) *mat.Dense {
	var c mat.Dense
	c.Apply(func(_, _ int, v float64) float64 { return 2*v - 1 }, X)
	return &c
}

// Package model holds the interface of all surrogates, and what they share. The surrogates are in the packages below:
// kernels, Gaussian processes, neural networks. It depends on no optimizer.
//
// The inputs of surrogates are points of the unit cube, and targets are standardized (mean 0, standard deviation 1) and
// minimized; n is the number of observations, d the number of inputs.
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

// Surrogate is a fitted distribution over functions.
type Surrogate interface {
	// Predict returns the mean and the standard deviation of the latent (noise-free) function at each row of X (n×d).
	Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error)
	// Sample returns count jointly sampled functions at the rows of X, as the rows of a count×n matrix.
	Sample(ctx context.Context, X *mat.Dense, count int, rng *rand.Rand) (*mat.Dense, error)
}

// Standardizer maps targets to mean 0 and standard deviation 1 and back.
type Standardizer struct{ Mean, SD float64 }

// Standardize returns the standardizer of y. With fewer than two values, or if all values are equal, the standard
// deviation is 1.
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

// IgnoreCondition is the error of solving with a factorized matrix, nil if gonum solved it and only warns of a bad
// condition number. A singular matrix, whose condition number is infinite, is not solved.
func IgnoreCondition(err error) error {
	var warning mat.Condition
	if errors.As(err, &warning) && !math.IsInf(float64(warning), 1) {
		return nil
	}
	return err
}

// Center maps inputs from the unit cube to [−1, 1]^d, the inputs of networks and of their distributions.
func Center(X *mat.Dense) *mat.Dense {
	var c mat.Dense
	c.Apply(func(_, _ int, v float64) float64 { return 2*v - 1 }, X)
	return &c
}

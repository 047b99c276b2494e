package diagnostics

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// A model cannot be trusted if it has at least minResiduals leave-one-out residuals and they are more than maxRMSZ
// times as large as it expects, or more than maxOutlierShare (and more than one) are outliers, or its predictions are
// no better than the mean of the others.
const (
	minResiduals    = 5
	maxRMSZ         = 2
	maxOutlierShare = 0.05
)

// minDrift is how many of the last results in a row lie on one side of their predictions if these drift: as many do so
// by chance in 1 of 128 models. minDriftZ is how far they lie from them at least, as the mean of their standardized
// residuals: a model that is nearly exact everywhere does not drift.
const (
	minDrift  = 8
	minDriftZ = 0.5
)

// misfit says how well a model predicts the results that it is fitted to without.
type misfit struct {
	n        int
	outliers int
	rmsZ     float64 // root mean square of the standardized residuals; 1 is expected
	// root mean square error relative to that of predicting each result by the mean of the others; NaN if all results
	// are equal
	relative float64
	// number of the last residuals with the same sign, negative if the results lie below their predictions; 0 if they
	// are too few or too small to matter
	drift int
}

// newMisfit compares n results with their leave-one-out predictions; z are the standardized residuals.
func newMisfit(y, mean, z []float64) misfit {
	m := misfit{n: len(z)}
	squares, missed := 0.0, 0.0
	for i, v := range z {
		if math.Abs(v) > OutlierSD {
			m.outliers++
		}
		squares += v * v
		missed += (y[i] - mean[i]) * (y[i] - mean[i])
	}
	n := float64(m.n)
	m.rmsZ = math.Sqrt(squares / n)
	m.relative = math.Sqrt(missed / (stat.PopVariance(y, nil) * n * math.Pow(n/(n-1), 2)))
	m.drift = drift(z)
	return m
}

// drift is the length of the last run of residuals with the same sign, with that sign, or 0; see misfit.
func drift(z []float64) int {
	n, sum := 0, 0.0
	for i := len(z) - 1; i >= 0 && z[i] != 0 && (z[i] > 0) == (z[len(z)-1] > 0); i-- {
		n, sum = n+1, sum+z[i]
	}
	switch {
	case n < minDrift || math.Abs(sum) < minDriftZ*float64(n):
		return 0
	case sum < 0:
		return -n
	}
	return n
}

// judged reports whether there are enough results to judge by.
func (m misfit) judged() bool { return m.n >= minResiduals }

func (m misfit) hasOutliers() bool {
	return m.judged() && float64(m.outliers) > max(1, maxOutlierShare*float64(m.n))
}

func (m misfit) overconfident() bool { return m.judged() && m.rmsZ > maxRMSZ }

// uninformed reports whether the predictions are no better than the mean of the results.
func (m misfit) uninformed() bool { return m.judged() && !(m.relative < 1) }

// Package paired compares two ways of doing something that were both tried with the same seeds, for the studies of what
// a thesis claims: mean differences with their intervals, what they say of a claim, and values along a curve of trials.
// It runs nothing and prints nothing.
package paired

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// minPairs is the number of pairs below which an interval says nothing.
const minPairs = 8

// Interval is a mean over seeds with its 95 % interval by Student's t.
type Interval struct {
	Mean, Half float64
	N          int // seeds that there is a value of
}

// NewInterval is the interval of values, one a seed; those that are NaN, where there is none, are left out.
func NewInterval(values []float64) Interval {
	var selected []float64
	for _, v := range values {
		if !math.IsNaN(v) {
			selected = append(selected, v)
		}
	}
	n := len(selected)
	if n < 2 {
		return Interval{Mean: math.NaN(), Half: math.NaN(), N: n}
	}
	mean, sd := stat.MeanStdDev(selected, nil)
	quantile := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile(0.975)
	return Interval{Mean: mean, Half: quantile * sd / math.Sqrt(float64(n)), N: n}
}

// Difference is the interval of a - b, seed by seed.
func Difference(a, b []float64) Interval {
	differences := make([]float64, len(a))
	for i := range a {
		differences[i] = a[i] - b[i]
	}
	return NewInterval(differences)
}

// Ratio is a/b, seed by seed: the geometric mean and the ends of its interval.
func Ratio(a, b []float64) (mean, low, high float64, n int) {
	logs := make([]float64, len(a))
	for i := range a {
		logs[i] = math.Log(a[i] / b[i])
	}
	interval := NewInterval(logs)
	return math.Exp(interval.Mean), math.Exp(interval.Mean - interval.Half), math.Exp(interval.Mean + interval.Half), interval.N
}

// String is such as "-0.24 ± 0.10", with the number of seeds where it is not all ten.
func (i Interval) String() string {
	text := fmt.Sprintf("%+.3g ± %.2g", i.Mean, i.Half)
	if i.N != 10 {
		text += fmt.Sprintf(" (n %d)", i.N)
	}
	return text
}

// Verdict is what an interval of a difference says of the claim that it is above zero.
type Verdict string

const (
	Holds        Verdict = "holds"
	Contradicted Verdict = "the contrary holds"
	Inconclusive Verdict = "not seen at this scale"
	TooFew       Verdict = "too few seeds"
)

// Above judges the claim that a mean is above zero: it holds where the whole interval is, and the contrary holds where
// the whole interval is below.
func (i Interval) Above() Verdict {
	switch {
	case i.N < minPairs:
		return TooFew
	case i.Mean-i.Half > 0:
		return Holds
	case i.Mean+i.Half < 0:
		return Contradicted
	}
	return Inconclusive
}

// Below judges the claim that a mean is below zero.
func (i Interval) Below() Verdict { return Interval{-i.Mean, i.Half, i.N}.Above() }

// InterpolateCurve is y where the curve through the points (x, y), in their order, comes first to x = target: linear
// between two points, NaN where it never comes there.
func InterpolateCurve(x, y []float64, target float64) float64 {
	for i := 1; i < len(x); i++ {
		if a, b := x[i-1], x[i]; a != b && min(a, b) <= target && target <= max(a, b) {
			return y[i-1] + (target-a)/(b-a)*(y[i]-y[i-1])
		}
	}
	return math.NaN()
}

package normdist

import "math"

// Bivariate is a normal distribution of two values.
type Bivariate struct {
	Mean, Var  [2]float64
	Covariance float64
}

// Conditional is the mean and the standard deviation of the second value, given the first (Bishop 2006, eq. 2.81 and
// A.6). A first value without variance says nothing about the second.
func (b Bivariate) Conditional(first float64) (mean, sd float64) {
	if b.Var[0] <= 0 {
		return b.Mean[1], math.Sqrt(max(b.Var[1], 0))
	}
	gain := b.Covariance / b.Var[0]
	return b.Mean[1] + gain*(first-b.Mean[0]), math.Sqrt(max(b.Var[1]-gain*b.Covariance, 0))
}

// Correlation is that of the two values, 0 if one of them has no variance.
func (b Bivariate) Correlation() float64 {
	if b.Var[0] <= 0 || b.Var[1] <= 0 {
		return 0
	}
	return min(max(b.Covariance/math.Sqrt(b.Var[0]*b.Var[1]), -1), 1)
}

// RelativeDensity is the density at two values, in parts of its maximum. With a density as the product of that of the
// first value and of the second given it, a narrow ellipse loses no precision.
func (b Bivariate) RelativeDensity(first, second float64) float64 {
	mean, sd := b.Conditional(first)
	return relative(first-b.Mean[0], math.Sqrt(max(b.Var[0], 0))) * relative(second-mean, sd)
}

// relative is the density of a centered normal in parts of its maximum.
func relative(d, sd float64) float64 {
	if sd == 0 {
		if d == 0 {
			return 1
		}
		return 0
	}
	return math.Exp(-d * d / (2 * sd * sd))
}

package normdist

import "math"

// LogImprovement is the logarithm of the expected improvement below the incumbent y* of a normal distribution with a
// mean and a standard deviation: log E max(y* − f, 0) = log σ + log h(z), h(z) = φ(z) + zΦ(z), z = (y* − μ)/σ. It is
// finite if σ > 0 and z is finite, however far above the incumbent the mean lies (after Ament et al. 2023, §4). The
// derivatives are with respect to μ and σ.
func LogImprovement(mean, sd, best float64) (value, dmean, dsd float64) {
	if !(sd > 0) {
		if mean < best {
			return math.Log(best - mean), -1 / (best - mean), 0
		}
		return math.Inf(-1), 0, 0
	}
	z := (best - mean) / sd
	value, ratio := logH(z) // ratio is h'(z)/h(z) = Φ(z)/h(z)
	return math.Log(sd) + value, -ratio / sd, (1 - ratio*z) / sd
}

// logH is log h(z) and its derivative Φ(z)/h(z).
func logH(z float64) (value, slope float64) {
	if z > tailFrom { // the difference loses a factor of 27 of the last digit at most
		phi := math.Exp(-z*z/2 - LogSqrt2Pi)
		cdf := 0.5 * math.Erfc(-z/math.Sqrt2)
		h := phi + z*cdf
		return math.Log(h), cdf / h
	}
	// h(z) = φ(z) (1 + z m(z)) with Mills' ratio m(z) = Φ(z)/φ(z).
	m, k, _ := mills(-z)
	return -z*z/2 - LogSqrt2Pi + math.Log(k*m), 1 / k
}

// LogImprovementProbability is the logarithm of the probability that a normal distribution with a mean and a standard
// deviation lies below a target, log Φ((target − mean)/sd) (Kushner 1964), with its derivatives by mean and deviation.
func LogImprovementProbability(mean, sd, target float64) (value, dmean, dsd float64) {
	if !(sd > 0) {
		if mean < target {
			return 0, 0, 0
		}
		return math.Inf(-1), 0, 0
	}
	z := (target - mean) / sd
	hazard := Truncated(z).Hazard
	return LogCDF(z), -hazard / sd, -hazard * z / sd
}

// ExpectedImprovement is E max(best − f, 0) of a normal law f with a mean and a standard deviation, in their units
// (Jones et al. 1998, eq. 15); best and f are minimized.
func ExpectedImprovement(mean, sd, best float64) float64 {
	v, _, _ := LogImprovement(mean, sd, best)
	return math.Exp(v)
}

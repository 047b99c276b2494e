package optimizers

import "math"

// logEI is the logarithm of the expected improvement below the incumbent y* of a normal law with a mean and a standard
// deviation: log E max(y* − f, 0) = log σ + log h(z), h(z) = φ(z) + zΦ(z), z = (y* − μ)/σ. It is finite wherever σ > 0 and z is,
// however far above the incumbent the mean lies (after Ament et al. 2023, §4). The derivatives are with respect to μ and σ.
func logEI(mean, sd, best float64) (value, dmean, dsd float64) {
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
	const sqrt2, logSqrt2Pi = math.Sqrt2, 0.9189385332046727
	if z > -1 {
		phi := math.Exp(-z*z/2 - logSqrt2Pi)
		cdf := 0.5 * math.Erfc(-z/sqrt2)
		h := phi + z*cdf
		return math.Log(h), cdf / h
	}
	// h(z) = φ(z) (1 + z m(z)) with Mills' ratio m(z) = Φ(z)/φ(z).
	m, rest := mills(-z)
	return -z*z/2 - logSqrt2Pi + math.Log(rest), m / rest
}

// mills is Mills' ratio m = (1 − Φ(t))/φ(t) for t ≥ 1, and 1 − t·m, which would lose all its digits if it were computed from m.
// Both follow from the continued fraction m = 1/(t + 1/(t + 2/(t + 3/(t + …)))): with K = 1/(t + 2/(t + …)), m = 1/(t + K) and
// 1 − t·m = K·m.
func mills(t float64) (m, rest float64) {
	terms := 40 + int(600/(t*t)) // enough for full precision from t = 1 on
	k := t
	for i := terms; i >= 2; i-- {
		k = t + float64(i)/k
	}
	k = 1 / k
	m = 1 / (t + k)
	return m, k * m
}

// ExpectedImprovement is E max(best − f, 0) of a normal law f with a mean and a standard deviation, in their units (Jones et al. 1998,
// eq. 15); best and f are minimized.
func ExpectedImprovement(mean, sd, best float64) float64 {
	v, _, _ := logEI(mean, sd, best)
	return math.Exp(v)
}

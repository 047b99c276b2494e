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

// logSqrt2Pi is ½ log 2π.
const logSqrt2Pi = 0.91893853320467274178

// logH is log h(z) and its derivative Φ(z)/h(z).
func logH(z float64) (value, slope float64) {
	if z > -1 {
		phi := math.Exp(-z*z/2 - logSqrt2Pi)
		cdf := 0.5 * math.Erfc(-z/math.Sqrt2)
		h := phi + z*cdf
		return math.Log(h), cdf / h
	}
	// h(z) = φ(z) (1 + z m(z)) with Mills' ratio m(z) = Φ(z)/φ(z).
	m, k, _ := mills(-z)
	return -z*z/2 - logSqrt2Pi + math.Log(k*m), 1 / k
}

// mills is Mills' ratio m = (1 − Φ(t))/φ(t) for t ≥ 1 by its continued fraction m = 1/(t + k), k = 1/(t + next), next = 2/(t + 3/(t + …)). What would lose
// its digits in a difference follows without one: 1 − t·m = k·m, and 1 − t·k = k·next.
func mills(t float64) (m, k, next float64) {
	terms := 12 + int(400/(t*t)) // enough for full precision from t = 1 on
	next = t
	for i := terms; i >= 3; i-- {
		next = t + float64(i)/next
	}
	next = 2 / next
	k = 1 / (t + next)
	return 1 / (t + k), k, next
}

// tailFrom is below which value the logarithm of Φ is that of its tail: above, the complementary error function has all its digits and costs less.
const tailFrom = -5

// logCDF is the logarithm of the standard normal distribution function Φ, to full precision at both ends.
func logCDF(z float64) float64 {
	switch {
	case z < tailFrom:
		m, _, _ := mills(-z)
		return -z*z/2 - logSqrt2Pi + math.Log(m)
	case z < 0:
		return math.Log(math.Erfc(-z/math.Sqrt2) / 2)
	}
	return math.Log1p(-math.Erfc(z/math.Sqrt2) / 2)
}

// ExpectedImprovement is E max(best − f, 0) of a normal law f with a mean and a standard deviation, in their units (Jones et al. 1998,
// eq. 15); best and f are minimized.
func ExpectedImprovement(mean, sd, best float64) float64 {
	v, _, _ := logEI(mean, sd, best)
	return math.Exp(v)
}

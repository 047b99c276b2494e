// Package normdist holds functions of the normal distribution where the textbook formula loses precision: far out in
// the tails, in the log domain, with the derivatives that a search needs.
package normdist

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// Between is the probability that a standard normal lies between a and b.
func Between(a, b float64) float64 {
	if a > 0 { // of two tails, the differences of the smaller ones
		a, b = -b, -a
	}
	return math.Max((math.Erfc(-b/math.Sqrt2)-math.Erfc(-a/math.Sqrt2))/2, 0)
}

// TimesDensity is x φ(x), 0 at the infinities.
func TimesDensity(x float64) float64 {
	if math.IsInf(x, 0) {
		return 0
	}
	return x * math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
}

// MaximumMoments are the mean and the standard deviation of the larger of two independent normals, exactly (Clark 1961,
// eq. 2 and 3).
func MaximumMoments(m1, s1, m2, s2 float64) (mean, sd float64) {
	a := math.Hypot(s1, s2)
	if a == 0 {
		return math.Max(m1, m2), 0
	}
	z := (m1 - m2) / a
	p, density := distuv.UnitNormal.CDF(z), distuv.UnitNormal.Prob(z)
	mean = m1*p + m2*(1-p) + a*density
	second := (m1*m1+s1*s1)*p + (m2*m2+s2*s2)*(1-p) + (m1+m2)*a*density
	return mean, math.Sqrt(math.Max(second-mean*mean, 0))
}

// Node is a quadrature node for a standard normal.
type Node struct{ At, Weight float64 }

// Nodes are the Gauss–Hermite nodes for a standard normal.
func Nodes(count int) []Node {
	values, weight := make([]float64, count), make([]float64, count)
	quad.Hermite{}.FixedLocations(values, weight, math.Inf(-1), math.Inf(1))
	nodes := make([]Node, count)
	for i := range nodes {
		nodes[i] = Node{math.Sqrt2 * values[i], weight[i] / math.Sqrt(math.Pi)}
	}
	return nodes
}

// Truncation holds quantities of a standard normal truncated to [−γ, ∞).
type Truncation struct {
	Hazard   float64 // φ(γ)/Φ(γ)
	Log      float64 // its logarithm, which never underflows
	Surprise float64 // −log Φ(γ) in units of it: 1/γ for large γ, −γ/2 for very negative ones
}

// Truncated is the Truncation for one γ, to full precision for every γ.
func Truncated(gamma float64) Truncation {
	switch {
	case gamma < tailFrom:
		m, _, _ := mills(-gamma)
		return Truncation{1 / m, -math.Log(m), m * (gamma*gamma/2 + LogSqrt2Pi - math.Log(m))}
	case gamma > -tailFrom:
		m, _, _ := mills(gamma)
		log := -gamma*gamma/2 - LogSqrt2Pi
		q := m * math.Exp(log) // 1 − Φ, below 3e-7
		return Truncation{math.Exp(log) / (1 - q), log + q, m * (1 - q) * (1 + q/2 + q*q/3)}
	}
	cdf := LogCDF(gamma)
	log := -gamma*gamma/2 - LogSqrt2Pi - cdf
	h := math.Exp(log)
	return Truncation{h, log, -cdf / h}
}

// LogSqrt2Pi is ½ log 2π.
const LogSqrt2Pi = 0.91893853320467274178

// mills is Mills' ratio m = (1 − Φ(t))/φ(t) for t ≥ 5 by its continued fraction m = 1/(t + k), k = 1/(t + next), next =
// 2/(t + 3/(t + …)). Two differences that would lose precision follow without one: 1 − t·m = k·m, and 1 − t·k = k·next.
func mills(t float64) (m, k, next float64) {
	terms := 12 + int(400/(t*t)) // enough for full precision from there on
	next = t
	for i := terms; i >= 3; i-- {
		next = t + float64(i)/next
	}
	next = 2 / next
	k = 1 / (t + next)
	return 1 / (t + k), k, next
}

// tailFrom is the value below which log Φ is computed by its tail: above, the complementary error function has full
// precision and is cheaper.
const tailFrom = -5

// LogCDF is the logarithm of the standard normal distribution function Φ, to full precision at both ends.
func LogCDF(z float64) float64 {
	switch {
	case z < tailFrom:
		m, _, _ := mills(-z)
		return -z*z/2 - LogSqrt2Pi + math.Log(m)
	case z < 0:
		return math.Log(math.Erfc(-z/math.Sqrt2) / 2)
	}
	return math.Log1p(-math.Erfc(z/math.Sqrt2) / 2)
}

// LogBetween is the logarithm of the probability that a standard normal lies between a and b, a < b, with its
// derivatives by both, to full precision at both ends.
func LogBetween(a, b float64) (v, byA, byB float64) {
	if a > 0 { // of two tails, the smaller ones
		v, byB, byA = LogBetween(-b, -a)
		return v, -byA, -byB
	}
	v = LogCDF(b)
	if !math.IsInf(a, -1) {
		v += math.Log(-math.Expm1(LogCDF(a) - v))
	}
	slope := func(z float64) float64 {
		if math.IsInf(z, 0) {
			return 0
		}
		return math.Exp(-z*z/2 - LogSqrt2Pi - v)
	}
	return v, -slope(a), slope(b)
}

// LogMean is the logarithm of the mean of exponentials over some samples, with up to three derivatives.
func LogMean(draws []float64, apply func(draw float64) (v float64, slopes [3]float64)) (v float64, slopes [3]float64) {
	top, sum := math.Inf(-1), 0.0 // Σ exp(v) = exp(top)·sum, and the derivatives with the same weights
	for _, y := range draws {
		value, derivatives := apply(y)
		w := math.Exp(value - top)
		if value > top {
			shrink := math.Exp(top - value)
			sum = sum * shrink
			w = 1
			top = value
			for i := range slopes {
				slopes[i] *= shrink
			}
		}
		sum += w
		for i := range slopes {
			slopes[i] += w * derivatives[i]
		}
	}
	for i := range slopes {
		slopes[i] /= sum
	}
	return top + math.Log(sum/float64(len(draws))), slopes
}

// LogHalfLineLoss is the logarithm of the entropy γφ(γ)/(2Φ(γ)) − log Φ(γ) that a standard normal loses when it is
// truncated to [−γ, ∞), with its derivative.
func LogHalfLineLoss(gamma float64) (v, slope float64) {
	if gamma < tailFrom { // with φ/Φ = 1/m = t + k the squares of t = −γ cancel
		m, k, next := mills(-gamma)
		loss := LogSqrt2Pi - math.Log(m) + gamma*k/2
		return math.Log(loss), -k * next / (2 * m * loss)
	}
	c := Truncated(gamma)
	per := gamma/2 + c.Surprise
	return c.Log + math.Log(per), -(1 + gamma*(gamma+c.Hazard)) / (2 * per)
}

package kernel

import "math"

// tanhMoments are found by quadrature, u = √a z₁ and v = along·z₁ + across·z₂ with z standard normal.
func tanhMoments(a, b, c float64, same bool) (second, slope float64) {
	root := math.Sqrt(a)
	if same {
		return normalMean(root, func(t float64) (float64, float64) { return t * t, (1 - t*t) * (1 - t*t) })
	}
	along := min(max(c/math.Sqrt(a*b), -1), 1) * math.Sqrt(b)
	across := math.Sqrt(max(b-along*along, 0))
	nodes := trapezoid(across)
	for _, n := range trapezoid(math.Max(root, math.Abs(along))) {
		inner, innerSlope := 0.0, 0.0
		for _, m := range nodes {
			t := tanh(along*n.z + across*m.z)
			inner += m.w * t
			innerSlope += m.w * (1 - t*t)
		}
		t := tanh(root * n.z)
		second += n.w * t * inner
		slope += n.w * (1 - t*t) * innerSlope
	}
	return second, slope
}

// normalMean is the mean of two functions of tanh(s·z), z standard normal.
func normalMean(s float64, f func(t float64) (float64, float64)) (first, second float64) {
	for _, n := range trapezoid(s) {
		x, y := f(tanh(s * n.z))
		first += n.w * x
		second += n.w * y
	}
	return first, second
}

// tanh is math.Tanh within a few 1e-16, by one exponential.
func tanh(x float64) float64 { return 1 - 2/(math.Exp(2*x)+1) }

// node is a point of a quadrature with its weight.
type node struct{ z, w float64 }

// trapezoid lays the trapezoidal rule for the standard normal law, which converges geometrically for functions that are analytic in a
// strip around the real line; s stretches functions that have poles where tanh has.
func trapezoid(s float64) []node {
	const reach = 7.2
	h := trapezoidStep(s)
	n := int(math.Ceil(reach / h))
	nodes := make([]node, 0, 2*n+1)
	sum := 0.0
	for i := -n; i <= n; i++ {
		z := float64(i) * h
		w := math.Exp(-z * z / 2)
		nodes = append(nodes, node{z, w})
		sum += w
	}
	for i := range nodes {
		nodes[i].w /= sum
	}
	return nodes
}

// trapezoidStep is the step for a function of s·z, z standard normal, that has poles where tanh has. Shifting the path of integration
// by d shows an error of exp(−2πd/h + d²/2), for d up to the poles and, were there none, up to 2π/h.
func trapezoidStep(s float64) float64 {
	const order = 37 // −log of the error
	d := math.Sqrt(2 * order)
	if s > 0 {
		d = min(d, math.Pi/(2*s))
	}
	return 2 * math.Pi * d / (order + d*d/2)
}

// series is the expansion of tanh(√v z) in normalized Hermite polynomials of z: tanh is odd, so the coefficients are those of the
// orders 1, 3, 5, …. The slope has the coefficients √k h_k / √v at the orders k − 1.
type series struct {
	variance float64
	odd      []float64
	rest     []float64 // the part of E φ'² that the terms before each leave
}

const (
	seriesTerms = 2000  // terms at most: enough for variances of up to about 30 whatever the correlation
	seriesError = 1e-11 // of a moment that is found by series
	seriesLook  = 8     // terms between two looks at what the rest can amount to
)

// expand finds the expansion at a variance, which ends where what is left is negligible. Its integrals are trapezoidal sums: the
// product of a Hermite polynomial of order k and the normal density has frequencies of up to √k and little beyond.
func expand(v float64) series {
	s := series{variance: v}
	if v <= 0 {
		return s
	}
	const reach = 12
	root := math.Sqrt(v)
	terms := min(300+int(80*v), seriesTerms) // tanh(√v z) has poles at ±iπ/(2√v): the coefficients fall like exp(−π√(k/2v))
	h := 2 * math.Pi / (math.Sqrt(2*float64(terms)) + 6 + 37*max(2*root/math.Pi, 1.0/6))
	n := int(reach / h)
	values := make([]float64, n) // of tanh at z = h, 2h, …
	now, before := make([]float64, n), make([]float64, n)
	for i := range values {
		z := h * float64(i+1)
		values[i] = tanh(root * z)
		before[i] = 2 * h / math.Sqrt(2*math.Pi) * math.Exp(-z*z/2) // of order 0, with the sum's weight; twice, for −z
		now[i] = z * before[i]
	}
	_, whole := normalMean(root, func(t float64) (float64, float64) { return 0, (1 - t*t) * (1 - t*t) })
	left := whole // what the terms so far leave of it, by subtraction: not exact below 1e-16
	for k := 1; len(s.odd) < terms; k += 2 {
		c := dot(now, values)
		part := float64(k) * c * c / v
		left = max(left-part, 0)
		s.odd = append(s.odd, c)
		s.rest = append(s.rest, part)
		if part < 0.1*seriesError*seriesError {
			left = 10 * part // the coefficients fall like exp(−const √k)
			break
		}
		hermite(before, now, h, k)
		hermite(now, before, h, k+1)
	}
	for j := len(s.rest) - 1; j >= 0; j-- {
		left += s.rest[j]
		s.rest[j] = left
	}
	return s
}

// hermite replaces the normalized Hermite polynomials of order k − 1 by those of order k + 1, given those of order k.
func hermite(before, now []float64, h float64, k int) {
	a, b := h/math.Sqrt(float64(k+1)), math.Sqrt(float64(k)/float64(k+1))
	for i, p := range now {
		before[i] = a*float64(i+1)*p - b*before[i]
	}
}

// mehler is the moments of tanh of a normal pair with covariance c by Mehler's formula, E He_j(u) He_k(v) = δ_jk ρ^k for normalized
// polynomials; ok says that they are as exact as seriesError, by the inequality of Cauchy and Schwarz for what the sums leave out.
func mehler(x, y series, c float64) (second, slope float64, ok bool) {
	r := math.Sqrt(x.variance * y.variance)
	if r == 0 { // as in moments
		return 0, 0, true
	}
	rho := min(max(c/r, -1), 1)
	power := 1.0 // ρ^(k−1)
	for j := range min(len(x.odd), len(y.odd)) {
		k := float64(2*j + 1)
		if (j < seriesLook || j%seriesLook == 0) && math.Sqrt(x.rest[j]*y.rest[j])*power*max(1, r/k) < seriesError {
			return rho * second, slope / r, true
		}
		t := x.odd[j] * y.odd[j] * power
		second += t
		slope += k * t
		power *= rho * rho
	}
	return 0, 0, false
}

package kernel

import "math"

// scale is an error function in the mixture for tanh: erf(s·x) with a weight.
type scale struct{ s, w float64 }

// scales write tanh as a mixture of error functions: the logistic distribution is that of a normal variable whose
// standard deviation is twice a variable τ with Kolmogorov's distribution (Andrews & Mallows 1974; Stefanski 1991), so
// that
//
//	tanh(x) = ∫ erf(x/(√2 τ)) p(τ) dτ.
//
// p falls off doubly exponentially at both ends of log τ, so that the trapezoidal rule there is exact to 1e-14, for
// tanh and its derivative, everywhere.
var scales = func() []scale {
	const step, least, greatest = 0.125, -2.125, 1.5
	var all []scale
	for t := least; t <= greatest; t += step {
		tau := math.Exp(t)
		if w := kolmogorov(tau) * tau * step; w > 1e-17 {
			all = append(all, scale{1 / (math.Sqrt2 * tau), w})
		}
	}
	return all
}()

// kolmogorov returns the density of Kolmogorov's distribution, by the one of its two series that converges immediately.
func kolmogorov(t float64) float64 {
	sum := 0.0
	if t > 0.8 {
		sign := 1.0
		for k := 1.0; k < 10; k++ {
			sum += sign * k * k * math.Exp(-2*k*k*t*t)
			sign = -sign
		}
		return 8 * t * sum
	}
	for k := 1.0; k < 10; k += 2 {
		c := k * k * math.Pi * math.Pi / 8
		sum += (2*c/(t*t) - 1) / (t * t) * math.Exp(-c/(t*t))
	}
	return math.Sqrt(2*math.Pi) * sum
}

// tanhSlopes returns E φ'(u)φ'(v) of normal pairs with variances a and b, for every correlation in rho.
func tanhSlopes(a, b float64, rho []float64) []float64 {
	slopes, squares := make([]float64, len(rho)), make([]float64, len(rho))
	for i, r := range rho {
		squares[i] = r * r * a * b
	}
	for _, k := range scales {
		x := k.s / math.Sqrt(1+2*k.s*k.s*a)
		for _, l := range scales {
			if k.w*l.w < 1e-15 {
				continue
			}
			y := l.s / math.Sqrt(1+2*l.s*l.s*b)
			factor, w := 4*x*x*y*y, 4/math.Pi*k.w*l.w*x*y
			for i, q := range squares {
				slopes[i] += w / math.Sqrt(1-factor*q)
			}
		}
	}
	return slopes
}

package linalg

import (
	"math/big"
	"sync"
)

const (
	expParts  = 128 // number of parts of a power of two
	tanhParts = 32  // steps of the table of tanh to one unit of its argument,
	tanhEnd   = 20  // and where it ends; tanh rounds to 1 from 19.1
	erfParts  = 32  // the same for erf,
	erfEnd    = 6   // which rounds to 1 from 5.9

	precision = 160 // bits of precision when computing the tables
)

// double is a number in two parts, the second below half a unit of the last place of the first.
type double struct{ high, low float64 }

// local is a function at a point, and the coefficients of its Taylor series there from that of the first power on.
type local struct {
	double
	series [8]float64
}

// expTable is 2^(j/expParts), by square roots and products.
var expTable = sync.OnceValue(func() *[expParts]double {
	step := number(2)
	for n := 1; n < expParts; n *= 2 {
		step.Sqrt(step)
	}
	var t [expParts]double
	for j, v := 0, number(1); j < expParts; j++ {
		t[j] = split(v)
		v.Mul(v, step)
	}
	return &t
})

// tanhTable is tanh of the multiples c of 1/tanhParts, 1 − 2/(e^{2c}+1).
var tanhTable = sync.OnceValue(func() *[1024]double {
	step := number(1) // e^{2/tanhParts} by its series
	for k, term := 1.0, number(1); k < 40; k++ {
		term.Mul(term, number(2.0/tanhParts))
		term.Quo(term, number(k))
		step.Add(step, term)
	}
	var t [1024]double
	for j, v := 1, number(1); j <= tanhEnd*tanhParts; j++ {
		v.Mul(v, step)
		q := number(1)
		q.Add(q, v)
		q.Quo(number(2), q)
		t[j] = split(q.Sub(number(1), q))
	}
	return &t
})

// erfTable is erf at the multiples c of 1/erfParts with its Taylor series. The slope at c + r is 2/√π e^{−c²} Σ b_j r^j
// with b_0 = 1 and b_{j+1} = −2 (c b_j + b_{j−1}) / (j+1); the next erf(c) is the series' value at r = 1/erfParts.
var erfTable = sync.OnceValue(func() *[256]local {
	const h = 1.0 / erfParts
	// The slope at c + h is that at c times e^{−(2c+h)h}, of which every step multiplies the last by e^{−2h²}.
	ratio, shrink := number(1), number(1)
	for k, term := 1.0, number(1); k < 20; k++ {
		term.Mul(term, number(-h*h))
		term.Quo(term, number(k))
		ratio.Add(ratio, term)
	}
	shrink.Mul(ratio, ratio)
	// 2/√π
	slope, _, _ := big.ParseFloat("1.12837916709551257389615890312154517168810125865799771368817144", 10, precision,
		big.ToNearestEven)
	var t [256]local
	value := number(0)
	for j := range erfEnd*erfParts + 1 {
		t[j].double = split(value)
		c, power := number(float64(j)*h), number(1)
		b, before := number(1), number(0)
		for n := range 40 {
			term := number(0)
			term.Mul(b, slope)
			term.Quo(term, number(float64(n+1)))
			if n < len(t[j].series) {
				t[j].series[n], _ = term.Float64()
			}
			power.Mul(power, number(h))
			value.Add(value, term.Mul(term, power))
			next := number(0)
			next.Mul(c, b)
			next.Add(next, before)
			next.Mul(next, number(-2))
			next.Quo(next, number(float64(n+1)))
			b, before = next, b
		}
		slope.Mul(slope, ratio)
		ratio.Mul(ratio, shrink)
	}
	return &t
})

func number(v float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(v) }

func split(v *big.Float) double {
	high, _ := v.Float64()
	rest := number(high)
	low, _ := rest.Sub(v, rest).Float64()
	return double{high, low}
}

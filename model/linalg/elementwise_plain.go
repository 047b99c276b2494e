package linalg

import "math"

// The functions of this file process one value after the other. They branch on it only for rare cases, because a
// mispredicted branch costs more than the function. Instead, they look up a near value in a table, and add a short
// series for the rest.

// round rounds to an integer when it is added: the last bits of the sum are those of the integer.
const round = 3 << 51

// sign is the bit of the sign.
const sign = 1 << 63

// plainExp multiplies the two factors of power.
//
//go:norace
func plainExp(dst, x []float64) {
	const normal = 708 // whose exponentials are normal numbers
	table := expTable()
	dst = dst[:len(x)]
	for i, v := range x {
		if !(math.Abs(v) < normal) {
			dst[i] = farExp(v, table)
			continue
		}
		part, two := power(v, table)
		dst[i] = math.Float64frombits(math.Float64bits(part) + two<<52)
	}
}

// power is e^x = part·2^two, of which the lowest 44 bits count, sign included. It takes x = k ln 2/128 + r, 2^(k/128)
// from a table in two parts, and e^r from five terms of its series.
func power(x float64, table *[expParts]double) (part float64, two uint64) {
	const (
		high = 0x1.62e42fef8p-8      // ln 2/128, so many digits that k·high is exact,
		low  = 0x1.1cf79abc9e3b4p-43 // and the rest
	)
	k := x*(expParts/math.Ln2) + round
	bits := math.Float64bits(k)
	k -= round
	r := (x - k*high) - k*low
	c := &table[bits%expParts]
	return c.high + (c.low + c.high*(r+r*r*((0.5+r*(1.0/6))+r*r*(1.0/24+r*(1.0/120))))), bits >> 7
}

// farExp is the exponential of a value that is far from 0, infinite or NaN.
func farExp(x float64, table *[expParts]double) float64 {
	switch {
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	case x != x:
		return x
	}
	part, two := power(x, table)
	return math.Ldexp(part, int(int64(two<<20)>>20))
}

// plainTanh takes |x| = c + r with c a multiple of 1/32, tanh c from a table in two parts, tanh r from four terms of
// its series, and tanh(c+r) = tanh c + tanh r − tanh c tanh r tanh(c+r).
//
//go:norace
func plainTanh(dst, x []float64) {
	const infinity = 0x7ff << 52
	end := math.Float64bits(tanhEnd)
	table := tanhTable()
	dst = dst[:len(x)]
	for i, v := range x {
		b := math.Float64bits(v) &^ sign
		if b-end <= infinity-end { // not for NaN
			b = end
		}
		a := math.Float64frombits(b)
		k := a*tanhParts + round
		c := &table[math.Float64bits(k)%uint64(len(table))]
		r := a - (k-round)*(1.0/tanhParts)
		q := r * r
		t := r + r*q*(-1.0/3+q*(2.0/15+q*(-17.0/315+q*(62.0/2835))))
		u := c.high * t
		w := c.high + (c.low + (t - u*((c.high+t)/(1+u))))
		dst[i] = math.Float64frombits(math.Float64bits(w) | math.Float64bits(v)&sign)
	}
}

// plainErf takes |x| = c + r with c a multiple of 1/32, and the Taylor series at c from a table.
//
//go:norace
func plainErf(dst, x []float64) {
	const infinity = 0x7ff << 52
	end := math.Float64bits(erfEnd)
	table := erfTable()
	dst = dst[:len(x)]
	for i, v := range x {
		b := math.Float64bits(v) &^ sign
		if b-end <= infinity-end { // not for NaN
			b = end
		}
		a := math.Float64frombits(b)
		k := a*erfParts + round
		c := &table[math.Float64bits(k)%uint64(len(table))]
		r := a - (k-round)*(1.0/erfParts)
		q := r * r
		w := c.high + (c.low + r*((c.series[0]+r*c.series[1])+
			q*((c.series[2]+r*c.series[3])+q*((c.series[4]+r*c.series[5])+q*(c.series[6]+r*c.series[7])))))
		dst[i] = math.Float64frombits(math.Float64bits(w) | math.Float64bits(v)&sign)
	}
}

// trig holds the parts of the cosine after a rotation by an even or an odd number of right angles: which of 1 and r the
// series begins with, the factor of r², half of the change of the slope with r², and the rest of the series of cos and
// of sin (coefficients of FreeBSD's msun, k_cos.c and k_sin.c).
var trig = [2]struct {
	one, r, square, bend float64
	series               [6]float64
}{
	{1, 0, -0.5, 0, [6]float64{4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
		-2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11}},
	{0, 1, 0, -0.5, [6]float64{-1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
		2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10}},
}

// π/2 in parts of so few digits that their products by k are exact (Cody & Waite 1980), as long as the argument is
// below cosEnd in size.
const (
	rightFirst  = 0x1.921fb54p+0
	rightSecond = 0x1.10b461p-30
	rightThird  = 0x1.a62633p-58
	rightRest   = 0x1.45c06e0e68948p-86
	cosEnd      = 1 << 24
)

// plainCos takes x = k π/2 + r, with r in two parts, and the series of cos r or of sin r. For values from cosEnd on it
// calls the library.
//
//go:norace
func plainCos(dst, x []float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		if !(math.Abs(v) < cosEnd) {
			dst[i] = math.Cos(v)
			continue
		}
		k := v*(2/math.Pi) + round
		n := math.Float64bits(k)
		k -= round
		a := k * rightSecond
		b := k * rightThird
		c := k * rightRest
		t := v - k*rightFirst
		high := t - a
		r := high - b
		low := (((t - high) - a) + ((high - r) - b)) - c
		f := &trig[n%2]
		s := r * r
		fr := f.r * r
		head := f.one + fr
		side := f.square * s
		w := head + side
		p := (f.series[0] + s*f.series[1]) + s*s*((f.series[2]+s*f.series[3])+s*s*(f.series[4]+s*f.series[5]))
		slope := (f.r - f.one*r) + f.bend*s
		w += ((head - w) + side) + (low*slope + s*(fr+f.one*s)*p)
		dst[i] = math.Float64frombits(math.Float64bits(w) ^ (n+1)>>1<<63)
	}
}

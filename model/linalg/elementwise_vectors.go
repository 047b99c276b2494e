//go:build goexperiment.simd && go1.27

package linalg

import (
	"math"
	"simd"
)

// All values of a vector go through the same computation: a case distinction computes both cases and selects one. Go's
// portable vectors have no table lookup, so the series are longer than those for single values. Constants have names
// because the compiler does not move expressions with literals out of a loop. The coefficients belong to the minimax
// polynomials (Remez), computed with mpmath.

const (
	ln2High = 6.93147180369123816490e-01 // ln 2, so many digits that an exponent times it is exact,
	ln2Low  = 1.90821492927058770002e-10 // and the rest

	// (e^r − 1 − r)/r² for |r| ≤ ln 2/2, within 6e-20/r².
	e0, e1, e2, e3, e4, e5 = 0.4999999999999999997, 0.1666666666666668384, 0.04166666666666672419,
		0.008333333333316738463, 0.001388888888885859449, 0.0001984126989706057242
	e6, e7, e8, e9, e10 = 0.00002480158737344497164, 2.755723423447512455e-6, 2.755723360347512877e-7,
		2.511224078372281381e-8, 2.09268715086744007e-9
)

// block is the number of values that several passes process together.
const block = 256

func all(v float64) simd.Float64s { return simd.BroadcastFloat64s(v) }

// load loads the first values of a slice, and zeros behind its end. simd.LoadFloat64sPart loads a whole vector before it
// masks it (Go 1.27.0), which is a fault where the slice ends at the end of the memory.
func load(x []float64) simd.Float64s {
	if len(x) < simd.VectorBitSize()/64 {
		var part [8]float64 // the longest vector
		copy(part[:], x)
		return simd.LoadFloat64s(part[:])
	}
	return simd.LoadFloat64s(x)
}

// exp takes x = k ln 2 + r with r in two parts, and 2^k in two factors, because one alone may not be a normal number.
func exp(dst, x []float64) {
	if !vectors() {
		plainExp(dst, x)
		return
	}
	least := all(-746)
	most := all(710)
	half := all(0.5)
	ones := all(1)
	integer := all(round)
	perLn2 := all(1 / math.Ln2)
	high := all(-ln2High)
	rest := all(-ln2Low)
	bias := ones.ToBits()
	c0 := all(e0)
	c1 := all(e1)
	c2 := all(e2)
	c3 := all(e3)
	c4 := all(e4)
	c5 := all(e5)
	c6 := all(e6)
	c7 := all(e7)
	c8 := all(e8)
	c9 := all(e9)
	c10 := all(e10)
	lanes := ones.Len()
	for i := 0; i < len(x); i += lanes {
		v := load(x[i:])
		v = least.IfElse(v.Less(least), v)
		v = most.IfElse(v.Greater(most), v)
		k := v.MulAdd(perLn2, integer).Sub(integer)
		t := k.MulAdd(high, v)
		r := k.MulAdd(rest, t)
		low := k.MulAdd(rest, t.Sub(r))
		s := r.Mul(r)
		even := s.MulAdd(s.MulAdd(s.MulAdd(s.MulAdd(s.MulAdd(c10, c8), c6), c4), c2), c0)
		odd := s.MulAdd(s.MulAdd(s.MulAdd(s.MulAdd(c9, c7), c5), c3), c1)
		head := ones.Add(r)
		w := head.Add(ones.Sub(head).Add(r).Add(s.MulAdd(r.MulAdd(odd, even), low)))
		first := k.MulAdd(half, integer)
		second := k.Sub(first.Sub(integer)).Add(integer)
		w = w.Mul(first.ToBits().ShiftAllLeft(52).Add(bias).BitsToFloat64()).
			Mul(second.ToBits().ShiftAllLeft(52).Add(bias).BitsToFloat64())
		w.StorePart(dst[i:])
	}
	scalars()
}

// tanh is m/(m + 2) with m = e^{2|x|} − 1 = (2^k − 1) + 2^k (e^r − 1), where 2|x| = k ln 2 + r.
func tanh(dst, x []float64) {
	if !vectors() {
		plainTanh(dst, x)
		return
	}
	end := all(tanhEnd)
	ones := all(1)
	two := all(2)
	integer := all(round)
	perLn2 := all(1 / math.Ln2)
	high := all(-ln2High)
	rest := all(-ln2Low)
	bias := ones.ToBits()
	negative := all(math.Copysign(0, -1)).ToBits()
	c0 := all(e0)
	c1 := all(e1)
	c2 := all(e2)
	c3 := all(e3)
	c4 := all(e4)
	c5 := all(e5)
	c6 := all(e6)
	c7 := all(e7)
	c8 := all(e8)
	c9 := all(e9)
	c10 := all(e10)
	lanes := ones.Len()
	for i := 0; i < len(x); i += lanes {
		v := load(x[i:])
		a := v.Abs()
		a = end.IfElse(a.Greater(end), a)
		a = a.Add(a)
		n := a.MulAdd(perLn2, integer)
		k := n.Sub(integer)
		t := k.MulAdd(high, a)
		r := k.MulAdd(rest, t)
		low := k.MulAdd(rest, t.Sub(r))
		s := r.Mul(r)
		even := s.MulAdd(s.MulAdd(s.MulAdd(s.MulAdd(s.MulAdd(c10, c8), c6), c4), c2), c0)
		odd := s.MulAdd(s.MulAdd(s.MulAdd(s.MulAdd(c9, c7), c5), c3), c1)
		low = s.MulAdd(r.MulAdd(odd, even), low)
		power := n.ToBits().ShiftAllLeft(52).Add(bias).BitsToFloat64()
		whole, part := power.Sub(ones), power.Mul(r)
		head := whole.Add(part)
		m := head.Add(power.MulAdd(low, whole.Sub(head).Add(part)))
		w := m.Div(m.Add(two))
		w.ToBits().Or(v.ToBits().And(negative)).BitsToFloat64().StorePart(dst[i:])
	}
	scalars()
}

// erf is x + x p(x²) below 1, and 1 − e^{−x²} q(|x| − 2) from there on, where erfc x is e^{−x²} q.
func erf(dst, x []float64) {
	if !vectors() || simd.VectorBitSize() < 512 { // with fewer lanes a table is faster
		plainErf(dst, x)
		return
	}
	var outer [block]float64
	for from := 0; from < len(x); from += block {
		end := min(from+block, len(x))
		e := outer[:end-from]
		minusSquares(e, x[from:end])
		exp(e, e)
		farErf(e, x[from:end])
		nearErf(dst[from:end], x[from:end], e)
	}
	scalars()
}

func minusSquares(dst, x []float64) {
	lanes := simd.Float64s{}.Len()
	for i := 0; i < len(x); i += lanes {
		v := load(x[i:])
		v.Mul(v.Neg()).StorePart(dst[i:])
	}
}

// farErf replaces e, e^{−x²}, by erf |x| where |x| is at least 1.
func farErf(e, x []float64) {
	end := all(erfEnd)
	ones := all(1)
	two := all(2)
	c0 := all(0.2553956763105052858)
	c1 := all(-0.1067964618534962145)
	c2 := all(0.0418027526035683225)
	c3 := all(-0.0154606377638846148)
	c4 := all(0.005440738537147420626)
	c5 := all(-0.001831664281385316919)
	c6 := all(0.0005924699937029756304)
	c7 := all(-0.0001847783360901208214)
	c8 := all(0.00005572833368592121062)
	c9 := all(-0.00001629380661861885097)
	c10 := all(4.628121396238426766e-6)
	c11 := all(-1.27937622097963631e-6)
	c12 := all(3.449246661559929233e-7)
	c13 := all(-9.089412659557010298e-8)
	c14 := all(2.330366460216637112e-8)
	c15 := all(-5.772325180561139462e-9)
	c16 := all(1.443366173824129313e-9)
	c17 := all(-3.872644535214209205e-10)
	c18 := all(9.570533944792794414e-11)
	c19 := all(-1.581400745113247142e-11)
	c20 := all(1.172439217597931603e-12)
	lanes := ones.Len()
	for i := 0; i < len(x); i += lanes {
		a := load(x[i:])
		w := load(e[i:])
		a = a.Abs()
		a = end.IfElse(a.Greater(end), a)
		u := a.Sub(two)
		s := u.Mul(u)
		even := s.MulAdd(s.MulAdd(s.MulAdd(s.MulAdd(
			s.MulAdd(s.MulAdd(s.MulAdd(s.MulAdd(s.MulAdd(s.MulAdd(c20, c18), c16), c14), c12), c10), c8), c6), c4),
			c2), c0)
		odd := s.MulAdd(s.MulAdd(s.MulAdd(s.MulAdd(
			s.MulAdd(s.MulAdd(s.MulAdd(s.MulAdd(s.MulAdd(c19, c17), c15), c13), c11), c9), c7), c5), c3), c1)
		ones.Sub(w.Mul(u.MulAdd(odd, even))).StorePart(e[i:])
	}
}

// nearErf puts erf x below 1 and otherwise outer, with the sign of x, into dst.
func nearErf(dst, x, outer []float64) {
	ones, negative := all(1), all(math.Copysign(0, -1)).ToBits()
	c0 := all(0.1283791670955125668)
	c1 := all(-0.3761263890318354663)
	c2 := all(0.1128379167094525323)
	c3 := all(-0.0268661706432762183)
	c4 := all(0.00522397760742346784)
	c5 := all(-0.0008548325989696758033)
	c6 := all(0.0001205529532049429424)
	c7 := all(-0.00001492474466333548973)
	c8 := all(1.644751767787187371e-6)
	c9 := all(-1.620917591174869566e-7)
	c10 := all(1.372297626592450327e-8)
	c11 := all(-7.801188874097751566e-10)
	lanes := ones.Len()
	for i := 0; i < len(x); i += lanes {
		v := load(x[i:])
		w := load(outer[i:])
		a := v.Abs()
		s := a.Mul(a)
		d := s.Mul(s)
		even := d.MulAdd(d.MulAdd(d.MulAdd(d.MulAdd(d.MulAdd(c10, c8), c6), c4), c2), c0)
		odd := d.MulAdd(d.MulAdd(d.MulAdd(d.MulAdd(d.MulAdd(c11, c9), c7), c5), c3), c1)
		w = a.MulAdd(s.MulAdd(odd, even), a).IfElse(a.Less(ones), w)
		w.ToBits().Or(v.ToBits().And(negative)).BitsToFloat64().StorePart(dst[i:])
	}
}

// cos checks every block for large values, and computes those again with the library, as plainCos does.
func cos(dst, x []float64) {
	if !vectors() {
		plainCos(dst, x)
		return
	}
	for from := 0; from < len(x); from += block {
		end := min(from+block, len(x))
		if allNear(x[from:end]) {
			nearCos(dst[from:end], x[from:end])
			continue
		}
		var input [block]float64
		copy(input[:], x[from:end])
		nearCos(dst[from:end], x[from:end])
		for i, v := range input[:end-from] {
			if !(math.Abs(v) < cosEnd) {
				dst[from+i] = math.Cos(v)
			}
		}
	}
}

// allNear reports whether all values are below cosEnd in size.
func allNear(x []float64) bool {
	end := all(cosEnd)
	near := end.Equal(end)
	lanes := end.Len()
	for i := 0; i < len(x); i += lanes {
		v := load(x[i:])
		near = near.And(v.Abs().Less(end))
	}
	var each [8]int64
	near.ToInt64s().StorePart(each[:])
	for _, v := range each[:lanes] {
		if v == 0 {
			return false
		}
	}
	return true
}

// nearCos takes x = k π/2 + r as plainCos does, and both series.
func nearCos(dst, x []float64) {
	perRight := all(2 / math.Pi)
	integer := all(round)
	ones := all(1)
	half := all(-0.5)
	unit := simd.BroadcastUint64s(1)
	first := all(-rightFirst)
	second := all(rightSecond)
	third := all(rightThird)
	rest := all(-rightRest)
	c0 := all(trig[0].series[0])
	c1 := all(trig[0].series[1])
	c2 := all(trig[0].series[2])
	c3 := all(trig[0].series[3])
	c4 := all(trig[0].series[4])
	c5 := all(trig[0].series[5])
	s0 := all(trig[1].series[0])
	s1 := all(trig[1].series[1])
	s2 := all(trig[1].series[2])
	s3 := all(trig[1].series[3])
	s4 := all(trig[1].series[4])
	s5 := all(trig[1].series[5])
	lanes := ones.Len()
	for i := 0; i < len(x); i += lanes {
		v := load(x[i:])
		n := v.MulAdd(perRight, integer)
		k := n.Sub(integer)
		t := k.MulAdd(first, v)
		a := k.Mul(second)
		b := k.Mul(third)
		high := t.Sub(a)
		r := high.Sub(b)
		low := k.MulAdd(rest, t.Sub(high).Sub(a).Add(high.Sub(r).Sub(b)))
		s := r.Mul(r)
		d := s.Mul(s)
		side := s.Mul(half)
		slope := ones.Add(side)
		cosine := s.MulAdd(c1, c0).Add(d.Mul(s.MulAdd(c3, c2).Add(d.Mul(s.MulAdd(c5, c4)))))
		cosine = low.Neg().MulAdd(r, ones.Sub(slope).Add(side)).Add(d.Mul(cosine))
		cosine = slope.Add(cosine)
		sine := s.MulAdd(s1, s0).Add(d.Mul(s.MulAdd(s3, s2).Add(d.Mul(s.MulAdd(s5, s4)))))
		sine = r.Add(low.MulAdd(slope, r.Mul(s).Mul(sine)))
		bits := n.ToBits()
		w := sine.IfElse(bits.And(unit).Equal(unit), cosine)
		w.ToBits().Xor(bits.Add(unit).ShiftAllRight(1).ShiftAllLeft(63)).BitsToFloat64().StorePart(dst[i:])
	}
	scalars()
}

package linalg

import "fmt"

// Exp puts the exponentials of x into dst, which may be x, at most one unit of the last place off. It panics if the
// lengths differ.
func Exp(dst, x []float64) {
	same(dst, x)
	exp(dst, x)
}

// Tanh puts the hyperbolic tangents of x into dst, which may be x, at most two units of the last place off. It panics
// if the lengths differ.
func Tanh(dst, x []float64) {
	same(dst, x)
	tanh(dst, x)
}

// Erf puts the error function of x into dst, which may be x, at most two units of the last place off. It panics if the
// lengths differ.
func Erf(dst, x []float64) {
	same(dst, x)
	erf(dst, x)
}

// Cos puts the cosines of x into dst, which may be x, at most one unit of the last place off, and beyond 2^24 as far
// off as math.Cos. It panics if the lengths differ.
func Cos(dst, x []float64) {
	same(dst, x)
	cos(dst, x)
}

func same(dst, x []float64) {
	if len(dst) != len(x) {
		panic(fmt.Sprintf("linalg: the output has %d elements, want %d", len(dst), len(x)))
	}
}

//go:build goexperiment.simd && go1.27

package linalg

import (
	"fmt"
	"simd"
)

// Build describes the arithmetic of this program.
func Build() string {
	if !vectors() {
		return "plain arithmetic, because this processor has no vectors that Go's simd can use"
	}
	return fmt.Sprintf("vectors of %d bits", simd.VectorBitSize())
}

// vectors reports whether the processor has vectors; if Go would have to emulate them, plain Go is faster.
func vectors() bool { return !simd.Emulated() }

// minDepth is the number of columns of A below which gonum computes a product with rows of B faster.
func minDepth() int {
	if !vectors() {
		return plainDepth
	}
	return 0
}

// tileWidth is the number of columns of a tile.
func tileWidth() int {
	if !vectors() {
		return plainWidth
	}
	return 2 * simd.VectorBitSize() / 64
}

// tiles sets n tiles of C that lie one below the other, or adds to them, the products of n strips of A and a strip of B
// over k columns and rows.
func tiles(n, k int, a, b, c []float64, stride int, add bool) {
	if !vectors() {
		plainTiles(n, k, a, b, c, stride, add)
		return
	}
	vectorTiles(n, k, a, b, c, stride, add)
}

// squaresTiles is tiles with squares of differences in the place of products.
func squaresTiles(n, k int, a, b, c []float64, stride int, add bool) {
	if !vectors() {
		plainSquares(n, k, a, b, c, stride, add)
		return
	}
	vectorSquares(n, k, a, b, c, stride, add)
}

// vectorTiles is tiles with vectors. Its loop is written out four times because the compiler moves the eight sums to
// other registers in every round. The bounds of a are checked in every step, which keeps the compiler from loading all
// of a first and spilling it: 25 % (Go 1.27.0).
func vectorTiles(n, k int, a, b, c []float64, stride int, add bool) {
	for strip := b; n > 0; n-- {
		b = strip
		var c00, c01, c10, c11, c20, c21, c30, c31 simd.Float64s
		v := c00.Len()
		for l := 0; l < k; l += tileSteps {
			if len(b) < 8*v {
				panic("linalg: a strip is too short")
			}
			_ = a[3]
			b0, b1 := simd.LoadFloat64s(b), simd.LoadFloat64s(b[v:])
			x := simd.BroadcastFloat64s(a[0])
			c00, c01 = x.MulAdd(b0, c00), x.MulAdd(b1, c01)
			x = simd.BroadcastFloat64s(a[1])
			c10, c11 = x.MulAdd(b0, c10), x.MulAdd(b1, c11)
			x = simd.BroadcastFloat64s(a[2])
			c20, c21 = x.MulAdd(b0, c20), x.MulAdd(b1, c21)
			x = simd.BroadcastFloat64s(a[3])
			c30, c31 = x.MulAdd(b0, c30), x.MulAdd(b1, c31)
			_ = a[7]
			b0, b1 = simd.LoadFloat64s(b[2*v:]), simd.LoadFloat64s(b[3*v:])
			x = simd.BroadcastFloat64s(a[4])
			c00, c01 = x.MulAdd(b0, c00), x.MulAdd(b1, c01)
			x = simd.BroadcastFloat64s(a[5])
			c10, c11 = x.MulAdd(b0, c10), x.MulAdd(b1, c11)
			x = simd.BroadcastFloat64s(a[6])
			c20, c21 = x.MulAdd(b0, c20), x.MulAdd(b1, c21)
			x = simd.BroadcastFloat64s(a[7])
			c30, c31 = x.MulAdd(b0, c30), x.MulAdd(b1, c31)
			_ = a[11]
			b0, b1 = simd.LoadFloat64s(b[4*v:]), simd.LoadFloat64s(b[5*v:])
			x = simd.BroadcastFloat64s(a[8])
			c00, c01 = x.MulAdd(b0, c00), x.MulAdd(b1, c01)
			x = simd.BroadcastFloat64s(a[9])
			c10, c11 = x.MulAdd(b0, c10), x.MulAdd(b1, c11)
			x = simd.BroadcastFloat64s(a[10])
			c20, c21 = x.MulAdd(b0, c20), x.MulAdd(b1, c21)
			x = simd.BroadcastFloat64s(a[11])
			c30, c31 = x.MulAdd(b0, c30), x.MulAdd(b1, c31)
			_ = a[15]
			b0, b1 = simd.LoadFloat64s(b[6*v:]), simd.LoadFloat64s(b[7*v:])
			x = simd.BroadcastFloat64s(a[12])
			c00, c01 = x.MulAdd(b0, c00), x.MulAdd(b1, c01)
			x = simd.BroadcastFloat64s(a[13])
			c10, c11 = x.MulAdd(b0, c10), x.MulAdd(b1, c11)
			x = simd.BroadcastFloat64s(a[14])
			c20, c21 = x.MulAdd(b0, c20), x.MulAdd(b1, c21)
			x = simd.BroadcastFloat64s(a[15])
			c30, c31 = x.MulAdd(b0, c30), x.MulAdd(b1, c31)
			a, b = a[16:], b[8*v:]
		}
		put(c, add, c00, c01)
		put(c[stride:], add, c10, c11)
		put(c[2*stride:], add, c20, c21)
		put(c[3*stride:], add, c30, c31)
		if n > 1 {
			c = c[tileRows*stride:]
		}
	}
	scalars()
}

// vectorSquares is squaresTiles with vectors, its loop written out twice: four times is a fifth faster in many
// dimensions, but makes no difference to the time of a step.
func vectorSquares(n, k int, a, b, c []float64, stride int, add bool) {
	for strip := b; n > 0; n-- {
		b = strip
		var c00, c01, c10, c11, c20, c21, c30, c31 simd.Float64s
		v := c00.Len()
		for l := 0; l < k; l += tileSteps / 2 {
			if len(b) < 4*v {
				panic("linalg: a strip is too short")
			}
			_ = a[3]
			b0, b1 := simd.LoadFloat64s(b), simd.LoadFloat64s(b[v:])
			x := simd.BroadcastFloat64s(a[0])
			d0, d1 := x.Sub(b0), x.Sub(b1)
			c00, c01 = d0.MulAdd(d0, c00), d1.MulAdd(d1, c01)
			x = simd.BroadcastFloat64s(a[1])
			d0, d1 = x.Sub(b0), x.Sub(b1)
			c10, c11 = d0.MulAdd(d0, c10), d1.MulAdd(d1, c11)
			x = simd.BroadcastFloat64s(a[2])
			d0, d1 = x.Sub(b0), x.Sub(b1)
			c20, c21 = d0.MulAdd(d0, c20), d1.MulAdd(d1, c21)
			x = simd.BroadcastFloat64s(a[3])
			d0, d1 = x.Sub(b0), x.Sub(b1)
			c30, c31 = d0.MulAdd(d0, c30), d1.MulAdd(d1, c31)
			_ = a[7]
			b0, b1 = simd.LoadFloat64s(b[2*v:]), simd.LoadFloat64s(b[3*v:])
			x = simd.BroadcastFloat64s(a[4])
			d0, d1 = x.Sub(b0), x.Sub(b1)
			c00, c01 = d0.MulAdd(d0, c00), d1.MulAdd(d1, c01)
			x = simd.BroadcastFloat64s(a[5])
			d0, d1 = x.Sub(b0), x.Sub(b1)
			c10, c11 = d0.MulAdd(d0, c10), d1.MulAdd(d1, c11)
			x = simd.BroadcastFloat64s(a[6])
			d0, d1 = x.Sub(b0), x.Sub(b1)
			c20, c21 = d0.MulAdd(d0, c20), d1.MulAdd(d1, c21)
			x = simd.BroadcastFloat64s(a[7])
			d0, d1 = x.Sub(b0), x.Sub(b1)
			c30, c31 = d0.MulAdd(d0, c30), d1.MulAdd(d1, c31)
			a, b = a[8:], b[4*v:]
		}
		put(c, add, c00, c01)
		put(c[stride:], add, c10, c11)
		put(c[2*stride:], add, c20, c21)
		put(c[3*stride:], add, c30, c31)
		if n > 1 {
			c = c[tileRows*stride:]
		}
	}
	scalars()
}

// put adds vectors to c, or sets c to them.
func put(c []float64, add bool, x0, x1 simd.Float64s) {
	v := x0.Len()
	if add {
		x0 = x0.Add(simd.LoadFloat64s(c))
		x1 = x1.Add(simd.LoadFloat64s(c[v:]))
	}
	x0.Store(c)
	x1.Store(c[v:])
}

//go:build goexperiment.simd && go1.27

package fast

import (
	"fmt"
	"runtime"
	"simd"
)

// Build says with what this program computes.
func Build() string {
	if !vectors() {
		return "plain arithmetic, as this processor lacks the vectors that Go's simd needs"
	}
	return fmt.Sprintf("vectors of %d bits", simd.VectorBitSize())
}

// vectors tells whether the processor has vectors; where Go would have to imitate them, plain Go is faster.
func vectors() bool { return !simd.Emulated() }

// wide tells whether a tile of three vectors' width, whose twelve sums stay in registers, is the better one: with the 32 registers of AVX-512 and arm64.
// With the 16 of AVX2 two vectors are better.
func wide() bool { return simd.VectorBitSize() == 512 || runtime.GOARCH == "arm64" }

// tileWidth is how many columns a tile has.
func tileWidth() int {
	lanes := simd.VectorBitSize() / 64
	switch {
	case !vectors():
		return plainWidth
	case wide():
		return 3 * lanes
	}
	return 2 * lanes
}

// tile sets a tile of C, or adds to it, the product of a strip of A and a strip of B over k columns and rows.
func tile(k int, a, b, c []float64, stride int, add bool) {
	switch {
	case !vectors():
		plainTile(k, a, b, c, stride, add)
	case wide():
		tile3(k, a, b, c, stride, add)
	default:
		tile2(k, a, b, c, stride, add)
	}
}

// squaresTile is tile with squares of differences in the place of products.
func squaresTile(k int, a, b, c []float64, stride int, add bool) {
	switch {
	case !vectors():
		plainSquares(k, a, b, c, stride, add)
	case wide():
		squares3(k, a, b, c, stride, add)
	default:
		squares2(k, a, b, c, stride, add)
	}
}

// tile3 is tile where a tile is three vectors wide. The loops are written out because Go's compiler keeps only what has a name in registers, and
// because moving the sums to where the next round expects them then takes a smaller part.
func tile3(k int, a, b, c []float64, stride int, add bool) {
	var c00, c01, c02, c10, c11, c12, c20, c21, c22, c30, c31, c32 simd.Float64s
	v := c00.Len()
	for l := 0; l < k; l += tileSteps {
		if len(a) < 16 || len(b) < 12*v {
			panic("fast: a strip is too short")
		}
		b0, b1, b2 := simd.LoadFloat64s(b), simd.LoadFloat64s(b[v:]), simd.LoadFloat64s(b[2*v:])
		x := simd.BroadcastFloat64s(a[0])
		c00, c01, c02 = x.MulAdd(b0, c00), x.MulAdd(b1, c01), x.MulAdd(b2, c02)
		x = simd.BroadcastFloat64s(a[1])
		c10, c11, c12 = x.MulAdd(b0, c10), x.MulAdd(b1, c11), x.MulAdd(b2, c12)
		x = simd.BroadcastFloat64s(a[2])
		c20, c21, c22 = x.MulAdd(b0, c20), x.MulAdd(b1, c21), x.MulAdd(b2, c22)
		x = simd.BroadcastFloat64s(a[3])
		c30, c31, c32 = x.MulAdd(b0, c30), x.MulAdd(b1, c31), x.MulAdd(b2, c32)
		b0, b1, b2 = simd.LoadFloat64s(b[3*v:]), simd.LoadFloat64s(b[4*v:]), simd.LoadFloat64s(b[5*v:])
		x = simd.BroadcastFloat64s(a[4])
		c00, c01, c02 = x.MulAdd(b0, c00), x.MulAdd(b1, c01), x.MulAdd(b2, c02)
		x = simd.BroadcastFloat64s(a[5])
		c10, c11, c12 = x.MulAdd(b0, c10), x.MulAdd(b1, c11), x.MulAdd(b2, c12)
		x = simd.BroadcastFloat64s(a[6])
		c20, c21, c22 = x.MulAdd(b0, c20), x.MulAdd(b1, c21), x.MulAdd(b2, c22)
		x = simd.BroadcastFloat64s(a[7])
		c30, c31, c32 = x.MulAdd(b0, c30), x.MulAdd(b1, c31), x.MulAdd(b2, c32)
		b0, b1, b2 = simd.LoadFloat64s(b[6*v:]), simd.LoadFloat64s(b[7*v:]), simd.LoadFloat64s(b[8*v:])
		x = simd.BroadcastFloat64s(a[8])
		c00, c01, c02 = x.MulAdd(b0, c00), x.MulAdd(b1, c01), x.MulAdd(b2, c02)
		x = simd.BroadcastFloat64s(a[9])
		c10, c11, c12 = x.MulAdd(b0, c10), x.MulAdd(b1, c11), x.MulAdd(b2, c12)
		x = simd.BroadcastFloat64s(a[10])
		c20, c21, c22 = x.MulAdd(b0, c20), x.MulAdd(b1, c21), x.MulAdd(b2, c22)
		x = simd.BroadcastFloat64s(a[11])
		c30, c31, c32 = x.MulAdd(b0, c30), x.MulAdd(b1, c31), x.MulAdd(b2, c32)
		b0, b1, b2 = simd.LoadFloat64s(b[9*v:]), simd.LoadFloat64s(b[10*v:]), simd.LoadFloat64s(b[11*v:])
		x = simd.BroadcastFloat64s(a[12])
		c00, c01, c02 = x.MulAdd(b0, c00), x.MulAdd(b1, c01), x.MulAdd(b2, c02)
		x = simd.BroadcastFloat64s(a[13])
		c10, c11, c12 = x.MulAdd(b0, c10), x.MulAdd(b1, c11), x.MulAdd(b2, c12)
		x = simd.BroadcastFloat64s(a[14])
		c20, c21, c22 = x.MulAdd(b0, c20), x.MulAdd(b1, c21), x.MulAdd(b2, c22)
		x = simd.BroadcastFloat64s(a[15])
		c30, c31, c32 = x.MulAdd(b0, c30), x.MulAdd(b1, c31), x.MulAdd(b2, c32)
		a, b = a[16:], b[12*v:]
	}
	put3(c, add, c00, c01, c02)
	put3(c[stride:], add, c10, c11, c12)
	put3(c[2*stride:], add, c20, c21, c22)
	put3(c[3*stride:], add, c30, c31, c32)
}

// tile2 is tile where a tile is two vectors wide.
func tile2(k int, a, b, c []float64, stride int, add bool) {
	var c00, c01, c10, c11, c20, c21, c30, c31 simd.Float64s
	v := c00.Len()
	for l := 0; l < k; l += tileSteps {
		if len(a) < 16 || len(b) < 8*v {
			panic("fast: a strip is too short")
		}
		b0, b1 := simd.LoadFloat64s(b), simd.LoadFloat64s(b[v:])
		x := simd.BroadcastFloat64s(a[0])
		c00, c01 = x.MulAdd(b0, c00), x.MulAdd(b1, c01)
		x = simd.BroadcastFloat64s(a[1])
		c10, c11 = x.MulAdd(b0, c10), x.MulAdd(b1, c11)
		x = simd.BroadcastFloat64s(a[2])
		c20, c21 = x.MulAdd(b0, c20), x.MulAdd(b1, c21)
		x = simd.BroadcastFloat64s(a[3])
		c30, c31 = x.MulAdd(b0, c30), x.MulAdd(b1, c31)
		b0, b1 = simd.LoadFloat64s(b[2*v:]), simd.LoadFloat64s(b[3*v:])
		x = simd.BroadcastFloat64s(a[4])
		c00, c01 = x.MulAdd(b0, c00), x.MulAdd(b1, c01)
		x = simd.BroadcastFloat64s(a[5])
		c10, c11 = x.MulAdd(b0, c10), x.MulAdd(b1, c11)
		x = simd.BroadcastFloat64s(a[6])
		c20, c21 = x.MulAdd(b0, c20), x.MulAdd(b1, c21)
		x = simd.BroadcastFloat64s(a[7])
		c30, c31 = x.MulAdd(b0, c30), x.MulAdd(b1, c31)
		b0, b1 = simd.LoadFloat64s(b[4*v:]), simd.LoadFloat64s(b[5*v:])
		x = simd.BroadcastFloat64s(a[8])
		c00, c01 = x.MulAdd(b0, c00), x.MulAdd(b1, c01)
		x = simd.BroadcastFloat64s(a[9])
		c10, c11 = x.MulAdd(b0, c10), x.MulAdd(b1, c11)
		x = simd.BroadcastFloat64s(a[10])
		c20, c21 = x.MulAdd(b0, c20), x.MulAdd(b1, c21)
		x = simd.BroadcastFloat64s(a[11])
		c30, c31 = x.MulAdd(b0, c30), x.MulAdd(b1, c31)
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
	put2(c, add, c00, c01)
	put2(c[stride:], add, c10, c11)
	put2(c[2*stride:], add, c20, c21)
	put2(c[3*stride:], add, c30, c31)
}

// squares3 is tile3 with squares of differences in the place of products.
func squares3(k int, a, b, c []float64, stride int, add bool) {
	var c00, c01, c02, c10, c11, c12, c20, c21, c22, c30, c31, c32 simd.Float64s
	v := c00.Len()
	for l := 0; l < k; l += tileSteps {
		if len(a) < 16 || len(b) < 12*v {
			panic("fast: a strip is too short")
		}
		b0, b1, b2 := simd.LoadFloat64s(b), simd.LoadFloat64s(b[v:]), simd.LoadFloat64s(b[2*v:])
		x := simd.BroadcastFloat64s(a[0])
		d0, d1, d2 := x.Sub(b0), x.Sub(b1), x.Sub(b2)
		c00, c01, c02 = d0.MulAdd(d0, c00), d1.MulAdd(d1, c01), d2.MulAdd(d2, c02)
		x = simd.BroadcastFloat64s(a[1])
		d0, d1, d2 = x.Sub(b0), x.Sub(b1), x.Sub(b2)
		c10, c11, c12 = d0.MulAdd(d0, c10), d1.MulAdd(d1, c11), d2.MulAdd(d2, c12)
		x = simd.BroadcastFloat64s(a[2])
		d0, d1, d2 = x.Sub(b0), x.Sub(b1), x.Sub(b2)
		c20, c21, c22 = d0.MulAdd(d0, c20), d1.MulAdd(d1, c21), d2.MulAdd(d2, c22)
		x = simd.BroadcastFloat64s(a[3])
		d0, d1, d2 = x.Sub(b0), x.Sub(b1), x.Sub(b2)
		c30, c31, c32 = d0.MulAdd(d0, c30), d1.MulAdd(d1, c31), d2.MulAdd(d2, c32)
		b0, b1, b2 = simd.LoadFloat64s(b[3*v:]), simd.LoadFloat64s(b[4*v:]), simd.LoadFloat64s(b[5*v:])
		x = simd.BroadcastFloat64s(a[4])
		d0, d1, d2 = x.Sub(b0), x.Sub(b1), x.Sub(b2)
		c00, c01, c02 = d0.MulAdd(d0, c00), d1.MulAdd(d1, c01), d2.MulAdd(d2, c02)
		x = simd.BroadcastFloat64s(a[5])
		d0, d1, d2 = x.Sub(b0), x.Sub(b1), x.Sub(b2)
		c10, c11, c12 = d0.MulAdd(d0, c10), d1.MulAdd(d1, c11), d2.MulAdd(d2, c12)
		x = simd.BroadcastFloat64s(a[6])
		d0, d1, d2 = x.Sub(b0), x.Sub(b1), x.Sub(b2)
		c20, c21, c22 = d0.MulAdd(d0, c20), d1.MulAdd(d1, c21), d2.MulAdd(d2, c22)
		x = simd.BroadcastFloat64s(a[7])
		d0, d1, d2 = x.Sub(b0), x.Sub(b1), x.Sub(b2)
		c30, c31, c32 = d0.MulAdd(d0, c30), d1.MulAdd(d1, c31), d2.MulAdd(d2, c32)
		b0, b1, b2 = simd.LoadFloat64s(b[6*v:]), simd.LoadFloat64s(b[7*v:]), simd.LoadFloat64s(b[8*v:])
		x = simd.BroadcastFloat64s(a[8])
		d0, d1, d2 = x.Sub(b0), x.Sub(b1), x.Sub(b2)
		c00, c01, c02 = d0.MulAdd(d0, c00), d1.MulAdd(d1, c01), d2.MulAdd(d2, c02)
		x = simd.BroadcastFloat64s(a[9])
		d0, d1, d2 = x.Sub(b0), x.Sub(b1), x.Sub(b2)
		c10, c11, c12 = d0.MulAdd(d0, c10), d1.MulAdd(d1, c11), d2.MulAdd(d2, c12)
		x = simd.BroadcastFloat64s(a[10])
		d0, d1, d2 = x.Sub(b0), x.Sub(b1), x.Sub(b2)
		c20, c21, c22 = d0.MulAdd(d0, c20), d1.MulAdd(d1, c21), d2.MulAdd(d2, c22)
		x = simd.BroadcastFloat64s(a[11])
		d0, d1, d2 = x.Sub(b0), x.Sub(b1), x.Sub(b2)
		c30, c31, c32 = d0.MulAdd(d0, c30), d1.MulAdd(d1, c31), d2.MulAdd(d2, c32)
		b0, b1, b2 = simd.LoadFloat64s(b[9*v:]), simd.LoadFloat64s(b[10*v:]), simd.LoadFloat64s(b[11*v:])
		x = simd.BroadcastFloat64s(a[12])
		d0, d1, d2 = x.Sub(b0), x.Sub(b1), x.Sub(b2)
		c00, c01, c02 = d0.MulAdd(d0, c00), d1.MulAdd(d1, c01), d2.MulAdd(d2, c02)
		x = simd.BroadcastFloat64s(a[13])
		d0, d1, d2 = x.Sub(b0), x.Sub(b1), x.Sub(b2)
		c10, c11, c12 = d0.MulAdd(d0, c10), d1.MulAdd(d1, c11), d2.MulAdd(d2, c12)
		x = simd.BroadcastFloat64s(a[14])
		d0, d1, d2 = x.Sub(b0), x.Sub(b1), x.Sub(b2)
		c20, c21, c22 = d0.MulAdd(d0, c20), d1.MulAdd(d1, c21), d2.MulAdd(d2, c22)
		x = simd.BroadcastFloat64s(a[15])
		d0, d1, d2 = x.Sub(b0), x.Sub(b1), x.Sub(b2)
		c30, c31, c32 = d0.MulAdd(d0, c30), d1.MulAdd(d1, c31), d2.MulAdd(d2, c32)
		a, b = a[16:], b[12*v:]
	}
	put3(c, add, c00, c01, c02)
	put3(c[stride:], add, c10, c11, c12)
	put3(c[2*stride:], add, c20, c21, c22)
	put3(c[3*stride:], add, c30, c31, c32)
}

// squares2 is tile2 with squares of differences in the place of products.
func squares2(k int, a, b, c []float64, stride int, add bool) {
	var c00, c01, c10, c11, c20, c21, c30, c31 simd.Float64s
	v := c00.Len()
	for l := 0; l < k; l += tileSteps {
		if len(a) < 16 || len(b) < 8*v {
			panic("fast: a strip is too short")
		}
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
		b0, b1 = simd.LoadFloat64s(b[4*v:]), simd.LoadFloat64s(b[5*v:])
		x = simd.BroadcastFloat64s(a[8])
		d0, d1 = x.Sub(b0), x.Sub(b1)
		c00, c01 = d0.MulAdd(d0, c00), d1.MulAdd(d1, c01)
		x = simd.BroadcastFloat64s(a[9])
		d0, d1 = x.Sub(b0), x.Sub(b1)
		c10, c11 = d0.MulAdd(d0, c10), d1.MulAdd(d1, c11)
		x = simd.BroadcastFloat64s(a[10])
		d0, d1 = x.Sub(b0), x.Sub(b1)
		c20, c21 = d0.MulAdd(d0, c20), d1.MulAdd(d1, c21)
		x = simd.BroadcastFloat64s(a[11])
		d0, d1 = x.Sub(b0), x.Sub(b1)
		c30, c31 = d0.MulAdd(d0, c30), d1.MulAdd(d1, c31)
		b0, b1 = simd.LoadFloat64s(b[6*v:]), simd.LoadFloat64s(b[7*v:])
		x = simd.BroadcastFloat64s(a[12])
		d0, d1 = x.Sub(b0), x.Sub(b1)
		c00, c01 = d0.MulAdd(d0, c00), d1.MulAdd(d1, c01)
		x = simd.BroadcastFloat64s(a[13])
		d0, d1 = x.Sub(b0), x.Sub(b1)
		c10, c11 = d0.MulAdd(d0, c10), d1.MulAdd(d1, c11)
		x = simd.BroadcastFloat64s(a[14])
		d0, d1 = x.Sub(b0), x.Sub(b1)
		c20, c21 = d0.MulAdd(d0, c20), d1.MulAdd(d1, c21)
		x = simd.BroadcastFloat64s(a[15])
		d0, d1 = x.Sub(b0), x.Sub(b1)
		c30, c31 = d0.MulAdd(d0, c30), d1.MulAdd(d1, c31)
		a, b = a[16:], b[8*v:]
	}
	put2(c, add, c00, c01)
	put2(c[stride:], add, c10, c11)
	put2(c[2*stride:], add, c20, c21)
	put2(c[3*stride:], add, c30, c31)
}

// put3 adds vectors to c, or sets c to them.
func put3(c []float64, add bool, x0, x1, x2 simd.Float64s) {
	v := x0.Len()
	if add {
		x0 = x0.Add(simd.LoadFloat64s(c))
		x1 = x1.Add(simd.LoadFloat64s(c[v:]))
		x2 = x2.Add(simd.LoadFloat64s(c[2*v:]))
	}
	x0.Store(c)
	x1.Store(c[v:])
	x2.Store(c[2*v:])
}

// put2 adds vectors to c, or sets c to them.
func put2(c []float64, add bool, x0, x1 simd.Float64s) {
	v := x0.Len()
	if add {
		x0 = x0.Add(simd.LoadFloat64s(c))
		x1 = x1.Add(simd.LoadFloat64s(c[v:]))
	}
	x0.Store(c)
	x1.Store(c[v:])
}

package linalg

// plainWidth is how many columns a tile of plain Go has.
const plainWidth = 2

// plainDepth is minDepth of plain Go.
const plainDepth = 16

// plainTiles is tiles in plain Go.
//
//go:norace
func plainTiles(n, k int, a, b, c []float64, stride int, add bool) {
	for strip := b; n > 0; n-- {
		b = strip
		var c00, c01, c10, c11, c20, c21, c30, c31 float64
		for l := 0; l < k; l += tileSteps {
			if len(a) < 16 || len(b) < 8 {
				panic("linalg: a strip is too short")
			}
			b0, b1 := b[0], b[1]
			x := a[0]
			c00, c01 = c00+x*b0, c01+x*b1
			x = a[1]
			c10, c11 = c10+x*b0, c11+x*b1
			x = a[2]
			c20, c21 = c20+x*b0, c21+x*b1
			x = a[3]
			c30, c31 = c30+x*b0, c31+x*b1
			b0, b1 = b[2], b[3]
			x = a[4]
			c00, c01 = c00+x*b0, c01+x*b1
			x = a[5]
			c10, c11 = c10+x*b0, c11+x*b1
			x = a[6]
			c20, c21 = c20+x*b0, c21+x*b1
			x = a[7]
			c30, c31 = c30+x*b0, c31+x*b1
			b0, b1 = b[4], b[5]
			x = a[8]
			c00, c01 = c00+x*b0, c01+x*b1
			x = a[9]
			c10, c11 = c10+x*b0, c11+x*b1
			x = a[10]
			c20, c21 = c20+x*b0, c21+x*b1
			x = a[11]
			c30, c31 = c30+x*b0, c31+x*b1
			b0, b1 = b[6], b[7]
			x = a[12]
			c00, c01 = c00+x*b0, c01+x*b1
			x = a[13]
			c10, c11 = c10+x*b0, c11+x*b1
			x = a[14]
			c20, c21 = c20+x*b0, c21+x*b1
			x = a[15]
			c30, c31 = c30+x*b0, c31+x*b1
			a, b = a[16:], b[8:]
		}
		plainPut(c, add, c00, c01)
		plainPut(c[stride:], add, c10, c11)
		plainPut(c[2*stride:], add, c20, c21)
		plainPut(c[3*stride:], add, c30, c31)
		if n > 1 {
			c = c[tileRows*stride:]
		}
	}
}

// plainSquares is squaresTiles in plain Go.
//
//go:norace
func plainSquares(n, k int, a, b, c []float64, stride int, add bool) {
	for strip := b; n > 0; n-- {
		b = strip
		var c00, c01, c10, c11, c20, c21, c30, c31 float64
		for l := 0; l < k; l += tileSteps {
			if len(a) < 16 || len(b) < 8 {
				panic("linalg: a strip is too short")
			}
			b0, b1 := b[0], b[1]
			x := a[0]
			c00, c01 = c00+(x-b0)*(x-b0), c01+(x-b1)*(x-b1)
			x = a[1]
			c10, c11 = c10+(x-b0)*(x-b0), c11+(x-b1)*(x-b1)
			x = a[2]
			c20, c21 = c20+(x-b0)*(x-b0), c21+(x-b1)*(x-b1)
			x = a[3]
			c30, c31 = c30+(x-b0)*(x-b0), c31+(x-b1)*(x-b1)
			b0, b1 = b[2], b[3]
			x = a[4]
			c00, c01 = c00+(x-b0)*(x-b0), c01+(x-b1)*(x-b1)
			x = a[5]
			c10, c11 = c10+(x-b0)*(x-b0), c11+(x-b1)*(x-b1)
			x = a[6]
			c20, c21 = c20+(x-b0)*(x-b0), c21+(x-b1)*(x-b1)
			x = a[7]
			c30, c31 = c30+(x-b0)*(x-b0), c31+(x-b1)*(x-b1)
			b0, b1 = b[4], b[5]
			x = a[8]
			c00, c01 = c00+(x-b0)*(x-b0), c01+(x-b1)*(x-b1)
			x = a[9]
			c10, c11 = c10+(x-b0)*(x-b0), c11+(x-b1)*(x-b1)
			x = a[10]
			c20, c21 = c20+(x-b0)*(x-b0), c21+(x-b1)*(x-b1)
			x = a[11]
			c30, c31 = c30+(x-b0)*(x-b0), c31+(x-b1)*(x-b1)
			b0, b1 = b[6], b[7]
			x = a[12]
			c00, c01 = c00+(x-b0)*(x-b0), c01+(x-b1)*(x-b1)
			x = a[13]
			c10, c11 = c10+(x-b0)*(x-b0), c11+(x-b1)*(x-b1)
			x = a[14]
			c20, c21 = c20+(x-b0)*(x-b0), c21+(x-b1)*(x-b1)
			x = a[15]
			c30, c31 = c30+(x-b0)*(x-b0), c31+(x-b1)*(x-b1)
			a, b = a[16:], b[8:]
		}
		plainPut(c, add, c00, c01)
		plainPut(c[stride:], add, c10, c11)
		plainPut(c[2*stride:], add, c20, c21)
		plainPut(c[3*stride:], add, c30, c31)
		if n > 1 {
			c = c[tileRows*stride:]
		}
	}
}

// plainPut adds two values to c, or sets c to them.
func plainPut(c []float64, add bool, x0, x1 float64) {
	if add {
		x0, x1 = x0+c[0], x1+c[1]
	}
	c[0], c[1] = x0, x1
}

//go:build goexperiment.simd && go1.27

package linalg

import "simd"

// The operations are those of single values, in the same order and without a fused multiplication and addition, so that
// the results are the same to the last bit.

func negativeRoots(dst, q, x []float64) {
	if !vectors() {
		plainNegativeRoots(dst, q, x)
		return
	}
	five := all(5)
	lanes := simd.Float64s{}.Len()
	for i := 0; i < len(x); i += lanes {
		root := five.Mul(load(x[i:])).Sqrt()
		root.StorePart(q[i:])
		root.Neg().StorePart(dst[i:])
	}
	scalars()
}

func matern52(s2 float64, q, c, g []float64) {
	if !vectors() {
		plainMatern52(s2, q, c, g)
		return
	}
	ones := all(1)
	three := all(3)
	five := all(5)
	variance := all(s2)
	lanes := simd.Float64s{}.Len()
	for i := 0; i < len(q); i += lanes {
		root := load(q[i:])
		e := load(c[i:]).Mul(variance)
		linear := ones.Add(root)
		e.Mul(linear.Add(root.Mul(root).Div(three))).StorePart(c[i:])
		if g != nil {
			e.Mul(five).Div(three).Mul(linear).StorePart(g[i:])
		}
	}
	scalars()
}

package linalg

import (
	"fmt"
	"math"
)

// maternBlock is the number of values that several passes of Matern52 process together.
const maternBlock = 64

// Matern52 writes the Matérn covariance with ν = 5/2 and variance s² at squared distances r², s² (1 + q + q²/3) e^−q
// with q = √5 r, into c, and its slope factor 5/3 s² (1 + q) e^−q into g unless that is nil (Rasmussen & Williams 2006,
// eq. 4.17). r2 and g may be the same slice. The vectors round as single values do, except for those of Exp. It panics
// if the lengths differ.
func Matern52(s2 float64, r2, c, g []float64) {
	if len(c) != len(r2) || g != nil && len(g) != len(r2) {
		panic(fmt.Sprintf("linalg: %d covariances and %d slopes of %d distances", len(c), len(g), len(r2)))
	}
	var roots [maternBlock]float64
	for from := 0; from < len(r2); from += maternBlock {
		end := min(from+maternBlock, len(r2))
		q, part := roots[:end-from], c[from:end]
		negativeRoots(part, q, r2[from:end])
		exp(part, part)
		if g == nil {
			matern52(s2, q, part, nil)
		} else {
			matern52(s2, q, part, g[from:end])
		}
	}
}

// plainNegativeRoots writes √(5x) into q, and the negative into dst.
//
//go:norace
func plainNegativeRoots(dst, q, x []float64) {
	for i, v := range x {
		root := math.Sqrt(5 * v)
		q[i], dst[i] = root, -root
	}
}

// plainMatern52 writes the covariances and slopes of the distances q, given e^−q in c.
//
//go:norace
func plainMatern52(s2 float64, q, c, g []float64) {
	if g == nil {
		for i, root := range q {
			c[i] = c[i] * s2 * (1 + root + root*root/3)
		}
		return
	}
	for i, root := range q {
		e := c[i] * s2
		c[i], g[i] = e*(1+root+root*root/3), e*5/3*(1+root)
	}
}

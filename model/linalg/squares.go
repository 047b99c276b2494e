package linalg

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Squares writes the squared distances of the rows of X (n×d) to those of Y (m×d) into dst (n×m). They are sums of
// squared differences, so that those of close points lose no precision, and the distance of a point to itself is 0. X
// and Y may be the same matrix, and dst is then symmetric to the last bit. It panics if the shapes do not match.
func Squares(dst, X, Y *mat.Dense) {
	n, d := X.Dims()
	m, e := Y.Dims()
	if rows, columns := dst.Dims(); d != e || rows != n || columns != m {
		panic(fmt.Sprintf("linalg: %d×%d distances of %d points of %d inputs and %d of %d", rows, columns, n, d, m, e))
	}
	c := dst.RawMatrix()
	squares(whole, c.Data, c.Stride, X, Y)
}

// SquaresWithin writes the squared distances of the rows of X (n×d) to each other into the upper triangle of dst (n×n),
// as Squares does. It panics if the lengths do not match.
func SquaresWithin(dst []float64, X *mat.Dense) {
	n, _ := X.Dims()
	if len(dst) != n*n {
		panic(fmt.Sprintf("linalg: %d distances of %d points to each other", len(dst), n))
	}
	squares(upper, dst, n, X, X)
}

// squares computes squared distances within a shape of c.
func squares(s shape, c []float64, stride int, X, Y *mat.Dense) {
	x, y := X.RawMatrix(), Y.RawMatrix()
	run(product{tiles: squaresTiles, shape: s, m: x.Rows, n: y.Rows, k: x.Cols, alpha: 1,
		a: operand{x.Data, x.Stride, false}, b: operand{y.Data, y.Stride, true}, c: c, stride: stride})
}

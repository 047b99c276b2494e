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
	x, y, c := X.RawMatrix(), Y.RawMatrix(), dst.RawMatrix()
	run(product{tiles: squaresTiles, m: n, n: m, k: d, alpha: 1, a: operand{x.Data, x.Stride, false},
		b: operand{y.Data, y.Stride, true}, c: c.Data, stride: c.Stride})
}

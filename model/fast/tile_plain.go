//go:build !(goexperiment.simd && go1.27)

package fast

// Build says with what this program computes.
func Build() string { return "plain arithmetic" }

// tileWidth is how many columns a tile has.
func tileWidth() int { return plainWidth }

// tile sets a tile of C, or adds to it, the product of a strip of A and a strip of B over k columns and rows.
func tile(k int, a, b, c []float64, stride int, add bool) { plainTile(k, a, b, c, stride, add) }

// squaresTile is tile with squares of differences in the place of products.
func squaresTile(k int, a, b, c []float64, stride int, add bool) {
	plainSquares(k, a, b, c, stride, add)
}

// direct works off a small triangle.
func (t *triangle) direct(from, to int) { t.plain(from, to) }

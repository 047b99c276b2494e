//go:build !(goexperiment.simd && go1.27)

package linalg

// Build describes the arithmetic of this program.
func Build() string { return "plain arithmetic" }

// tileWidth is the number of columns of a tile.
func tileWidth() int { return plainWidth }

// tiles sets n tiles of C that lie one below the other, or adds to them, the products of n strips of A and a strip of B
// over k columns and rows.
func tiles(n, k int, a, b, c []float64, stride int, add bool) { plainTiles(n, k, a, b, c, stride, add) }

// squaresTiles is tiles with squares of differences in the place of products.
func squaresTiles(n, k int, a, b, c []float64, stride int, add bool) {
	plainSquares(n, k, a, b, c, stride, add)
}

// minDepth is the number of columns of A below which gonum computes a product with rows of B faster.
func minDepth() int { return plainDepth }

// direct processes a small triangle.
func (t *triangle) direct(from, end int) { t.plain(from, end) }

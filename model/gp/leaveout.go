package gp

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Without returns the process without observation i, with the same kernel and noise. A rank-one update with
// column i of the factor L adjusts the rows and columns after i, in O(n²) steps (Gill, Golub, Murray & Saunders 1974).
// With inducing inputs, appended observations are left out too.
func (g *GP) Without(i int) (*GP, error) {
	if g.inducing != nil {
		return g.inducing.without(i, g.jitter)
	}
	n, d := g.x.Dims()
	less := &GP{kernel: g.kernel, noise: g.noise, jitter: g.jitter, blocks: withoutBlock(g.blocks, i), blockSD: g.blockSD,
		y: slices.Delete(slices.Clone(g.y), i, i+1)}
	if g.noiseSDs != nil {
		less.noiseSDs = slices.Delete(slices.Clone(g.noiseSDs), i, i+1)
	}
	if n == 1 {
		less.y = nil
		less.noiseSDs = nil
		less.blocks = nil
		return less, nil
	}
	less.x = mat.NewDense(n-1, d, nil)
	upper := mat.NewTriDense(n-1, mat.Upper, nil)
	index := func(j int) int { // the new index of row j
		if j > i {
			return j - 1
		}
		return j
	}
	for j := range n {
		if j == i {
			continue
		}
		less.x.SetRow(index(j), g.x.RawRowView(j))
		for k := range min(j+1, n) {
			if k != i {
				upper.SetTri(index(k), index(j), g.lower.At(j, k))
			}
		}
	}
	if behind := n - 1 - i; behind > 0 {
		var rest mat.Cholesky
		block, left := mat.NewTriDense(behind, mat.Upper, nil), mat.NewVecDense(behind, nil)
		for j := range behind {
			left.SetVec(j, g.lower.At(i+1+j, i))
			for k := j; k < behind; k++ {
				block.SetTri(j, k, g.lower.At(i+1+k, i+1+j))
			}
		}
		rest.SetFromU(block)
		if !rest.SymRankOne(&rest, 1, left) {
			return newGP(less.unfactorized())
		}
		var updated mat.TriDense
		rest.UTo(&updated)
		for j := range behind {
			for k := j; k < behind; k++ {
				upper.SetTri(i+j, i+k, updated.At(j, k))
			}
		}
	}
	less.chol.SetFromU(upper)
	less.finish()
	return less, nil
}

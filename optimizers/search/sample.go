package search

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// candidateCount is the number of points of a dense sample. Searches in three and more dimensions begin with fewer; see
// climbStarts.
func candidateCount(dim int) int {
	if dim == 1 {
		return 1001
	}
	return min(2000*dim, 20000)
}

// Candidates returns a dense sample of a space, with points around the extra ones. The error is that of a space without
// a feasible point, or of the context.
func Candidates(ctx context.Context, space Space, rng *rand.Rand, extra *mat.Dense) (*mat.Dense, error) {
	return sample(ctx, space, candidateCount(space.Dim), rng, extra)
}

// sample returns the starting points of a search: n points of the grid or of the sequence, the extra points, and points
// around those at several scales. The error is that of the context.
func sample(ctx context.Context, space Space, n int, rng *rand.Rand, extra *mat.Dense) (*mat.Dense, error) {
	dim := space.Dim
	around := 0
	if extra != nil {
		around, _ = extra.Dims()
	}
	const perExtra = 32
	pool := mat.NewDense(n+around*(1+perExtra), dim, nil)
	if dim == 1 {
		for i := range n {
			pool.Set(i, 0, float64(i)/float64(n-1))
		}
	} else {
		sampled := pool.Slice(0, n, 0, dim).(*mat.Dense)
		if err := Halton(ctx, sampled, rng); err != nil {
			return nil, err
		}
	}
	space = space.withRegion()
	if err := space.MakeFeasible(ctx, pool.Slice(0, n, 0, dim).(*mat.Dense), rng); err != nil {
		return nil, err
	}
	row := n
	settle := func() { // no feasible point nearby: use one of the sample
		if x := pool.RawRowView(row); !space.Project(x) {
			copy(x, pool.RawRowView(0))
		}
		row++
	}
	for i := range around {
		center := extra.RawRowView(i)
		pool.SetRow(row, center)
		settle()
		for k := range perExtra {
			scale := math.Pow(10, -1-float64(k%4)) // 0.1 to 0.0001 of the cube
			for j, c := range center {
				if space.Domain.Stepwise(j) {
					c = space.step(j, c, rng)
				} else {
					c += scale * rng.NormFloat64()
				}
				pool.Set(row, j, c)
			}
			settle()
		}
	}
	return pool, nil
}

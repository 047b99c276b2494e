package search

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"

	"bandscope/functions/rng"
)

// calls is a context that ends after its error was asked for so many times.
type calls struct {
	context.Context
	left int
}

func (c *calls) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// The sequence is the library's of the same random numbers, but for rounding, and is given up in its middle.
func TestHalton(t *testing.T) {
	for _, c := range []struct{ n, d int }{{1, 1}, {2, 3}, {5, 4}, {128, 2}, {300, 30}, {1000, 3}} {
		got, want := mat.NewDense(c.n, c.d, nil), mat.NewDense(c.n, c.d, nil)
		require.NoError(t, Halton(t.Context(), got, rng.New(1, 0, "sample")))
		rng := rng.New(1, 0, "sample")
		samplemv.Halton{Kind: samplemv.Owen, Q: distmv.NewUnitUniform(c.d, rng), Src: rng}.Sample(want)
		assert.True(t, mat.EqualApprox(got, want, 1e-15), "%d of %d: another sequence", c.n, c.d)
	}
	ctx := &calls{context.Background(), 40}
	if err := Halton(ctx, mat.NewDense(10, 100, nil), rng.New(1, 0, "sample")); !errors.Is(err, context.Canceled) ||
		ctx.left != -1 {
		t.Errorf("%v, asked %d times after its end", err, -ctx.left)
	}
}

// Of as many points as a power of the base of a column one lies in each slice of it (the elementary intervals of Halton
// 1960), whatever the digits are permuted to.
func TestHaltonIsEven(t *testing.T) {
	for j, n := range map[int]int{0: 64, 1: 81, 2: 125, 10: 31 * 31} {
		rows := mat.NewDense(n, j+1, nil)
		require.NoError(t, Halton(t.Context(), rows, rng.New(2, 0, "sample")))
		seen := make([]bool, n)
		for _, v := range mat.Col(nil, j, rows) {
			seen[int(v*float64(n))] = true
		}
		assert.False(t, slices.Contains(seen, false), "column %d: a slice of %d holds no point", j, n)
	}
}

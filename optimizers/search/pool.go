package search

import (
	"context"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

// uniformRow draws a row of the pool that may be the next point, or any row if there is none.
func (s Space) uniformRow(ctx context.Context, rng *rand.Rand) ([]float64, error) {
	rows, err := s.withRegion().region.Draw(ctx, len(s.Domain.Pool.Rows), rng)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(rows, s.isAllowed); i >= 0 {
		return rows[i], nil
	}
	return rows[0], nil
}

// WithoutRepeatedRows is a suggestion of several points without those that are the same point of a finite space as an
// earlier one, unless repeats are allowed there.
func WithoutRepeatedRows(in optimizers.Input, sug optimizers.Suggestion) optimizers.Suggestion {
	rows := rowsFor(sug.X)
	if !in.Domain.IsFinite() || in.Domain.Pool == nil && AllowsRepeats(in) || len(rows) < 2 {
		return sug
	}
	var values []int
	for i, u := range rows {
		if !slices.ContainsFunc(values, func(k int) bool { return slices.Equal(rows[k], u) }) {
			values = append(values, i)
		}
	}
	if len(values) == len(rows) {
		return sug
	}
	X := mat.NewDense(len(values), in.Dim, nil)
	for n, i := range values {
		X.SetRow(n, rows[i])
	}
	sug.X = X
	for _, list := range []*[]float64{&sug.Mean, &sug.SD, &sug.Acquisition} {
		if len(*list) != len(rows) {
			continue
		}
		all := *list
		*list = nil
		for _, i := range values {
			*list = append(*list, all[i])
		}
	}
	return sug
}

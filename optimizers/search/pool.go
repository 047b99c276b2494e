package search

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

// ErrPoolExhausted is the error of a pool of which every row is evaluated, pending, discarded or out of bounds.
var ErrPoolExhausted = errors.New("no row of the table is left: every row within the bounds is measured, pending or " +
	"discarded")

// CheckPool returns ErrPoolExhausted if the input's domain is a pool of which no row may be suggested. An evaluated row is
// never suggested again, whatever the parameters are: its values are on record, and would be the same.
func CheckPool(in optimizers.Input) error {
	if in.Domain == nil || in.Domain.Pool == nil {
		return nil
	}
	s := NewSpace(in)
	rows := s.region.All(0)
	if len(rows) > 0 && !slices.ContainsFunc(rows, s.isAllowed) {
		return ErrPoolExhausted
	}
	return nil // an empty region has an error of its own
}

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

// WithoutRepeatedRows is a suggestion of several points without those that are the same row of a pool as an earlier one;
// of another domain it stays as it is.
func WithoutRepeatedRows(in optimizers.Input, sug optimizers.Suggestion) optimizers.Suggestion {
	rows := rowsFor(sug.X)
	if in.Domain == nil || in.Domain.Pool == nil || len(rows) < 2 {
		return sug
	}
	var kept []int
	for i, u := range rows {
		if !slices.ContainsFunc(kept, func(k int) bool { return slices.Equal(rows[k], u) }) {
			kept = append(kept, i)
		}
	}
	if len(kept) == len(rows) {
		return sug
	}
	X := mat.NewDense(len(kept), in.Dim, nil)
	for n, i := range kept {
		X.SetRow(n, rows[i])
	}
	sug.X = X
	for _, list := range []*[]float64{&sug.Mean, &sug.SD, &sug.Acquisition} {
		if len(*list) != len(rows) {
			continue
		}
		all := *list
		*list = nil
		for _, i := range kept {
			*list = append(*list, all[i])
		}
	}
	return sug
}

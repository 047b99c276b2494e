package search

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

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

//go:build study

package search

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"
)

// ClimbFrom climbs from the best few of some points and returns the largest value of a target; false if the target has
// no value at any of them.
func ClimbFrom(ctx context.Context, space Space, t Target, points *mat.Dense, most int) (Optimum, bool, error) {
	space = space.withRegion()
	values, err := evaluate(ctx, t, space, points)
	if err != nil {
		return Optimum{}, false, err
	}
	places, err := pickSeparated(points, values, most)
	if errors.Is(err, errNowhere) {
		return Optimum{}, false, nil
	}
	top, err := successiveHalving(ctx, space, t, places)
	return top, err == nil, err
}

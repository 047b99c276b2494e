package batch

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers/search"
)

// isEnumerable reports whether all settings of the shared inputs are tried.
func (c *choice) isEnumerable() bool { return c.count() > 0 }

// count is the number of settings of the shared inputs; 0 if a real number is shared, or if there are too many to try
// all.
func (c *choice) count() int {
	count, space := 1, search.NewSpace(c.in)
	for _, j := range c.wish.Shared {
		switch low, high := space.Bounds(j); {
		case low == high:
		case !c.in.Domain.Discrete(j):
			return 0
		default:
			count *= len(c.levels(j))
		}
		if count > maxSettings {
			return 0
		}
	}
	return count
}

// levels are the levels of an input within its bounds.
func (c *choice) levels(j int) []float64 {
	low, high := search.NewSpace(c.in).Bounds(j)
	return slices.DeleteFunc(slices.Clone(c.in.Domain.Inputs[j].Levels), func(u float64) bool {
		return u < low-tolerance || u > high+tolerance
	})
}

// settings are the settings to try, that of a first point first: all of them, or a sequence that depends on the seed
// and the step.
func (c *choice) settings(ctx context.Context, first []float64) ([][]float64, error) {
	list := [][]float64{first}
	add := func(values []float64) {
		values = c.normalize(values)
		if !slices.ContainsFunc(list, func(v []float64) bool {
			return slices.Equal(v, values)
		}) {
			list = append(list, values)
		}
	}
	space := search.NewSpace(c.in)
	if n := c.count(); n > 0 {
		for i := range n {
			values := slices.Clone(first)
			for k, j := range c.wish.Shared {
				if low, high := space.Bounds(j); low < high {
					l := c.levels(j)
					values[k] = l[i%len(l)]
					i /= len(l)
				}
			}
			add(values)
		}
		return list, nil
	}
	sequence := mat.NewDense(inSequence, c.in.Dim, nil)
	if err := search.Halton(ctx, sequence.Slice(0, inSequence, 0, len(c.wish.Shared)).(*mat.Dense),
		c.in.Stream("values to share")); err != nil {
		return nil, err
	}
	for i := range inSequence {
		x := make([]float64, c.in.Dim)
		for k, j := range c.wish.Shared {
			x[j] = sequence.At(i, k)
		}
		space.FromUnit(x)
		values := make([]float64, len(c.wish.Shared))
		for k, j := range c.wish.Shared {
			values[k] = x[j]
		}
		add(values)
	}
	return list, nil
}

// normalize returns shared values as they are recorded when their points are pending.
func (c *choice) normalize(values []float64) []float64 {
	u := make([]float64, c.in.Dim)
	if c.in.Low != nil {
		copy(u, c.in.Low)
	}
	for k, j := range c.wish.Shared {
		u[j] = values[k]
	}
	u = c.method.Normalize(u)
	settled := make([]float64, len(values))
	for k, j := range c.wish.Shared {
		settled[k] = u[j]
	}
	return settled
}

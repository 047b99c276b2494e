package search

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers/space"
)

// withRegion computes the region of a constrained space once for all later calls.
func (s Space) withRegion() Space {
	if s.region != nil || !s.Domain.Constrained() {
		return s
	}
	low := make([]float64, s.Dim)
	high := make([]float64, s.Dim)
	levels := make([][]float64, s.Dim)
	for j := range s.Dim {
		low[j], high[j] = s.Bounds(j)
		if s.Domain.Discrete(j) {
			levels[j] = s.levels(j)
		}
	}
	s.region = space.New(s.Domain, low, high, levels)
	return s
}

// Project moves x to a point of the space near it, in place, and to a feasible one if the space is constrained; false
// if none was found.
func (s Space) Project(x []float64) bool {
	s = s.withRegion()
	if s.region != nil {
		return s.region.Project(x)
	}
	s.clamp(x)
	return true
}

// MakeFeasible moves points of the unit cube into the space, in place. If it is constrained, infeasible points are
// replaced by uniform samples of the feasible set. The error is that of a space without a feasible point, or of the
// context.
func (s Space) MakeFeasible(ctx context.Context, points *mat.Dense, rng *rand.Rand) error {
	n, _ := points.Dims()
	s = s.withRegion()
	var astray []int
	for i := range n {
		if x := s.FromUnit(points.RawRowView(i)); !s.Domain.Feasible(x) {
			astray = append(astray, i)
		}
	}
	if astray == nil {
		return nil
	}
	drawn, err := s.region.Draw(ctx, len(astray), rng)
	if err != nil {
		return err
	}
	for k, i := range astray {
		points.SetRow(i, drawn[k])
	}
	return nil
}

// Feasible returns n uniformly distributed points of the space, n×d. The error is that of a space without a feasible
// point, or of the context.
func (s Space) Feasible(ctx context.Context, n int, rng *rand.Rand) (*mat.Dense, error) {
	points := uniform(n, s.Dim, rng)
	return points, s.MakeFeasible(ctx, points, rng)
}

const (
	memory   = 10   // values below whose greatest the next one may lie, in a climb by projected gradients
	minAim   = 1e-4 // share of the increase predicted by the gradient that a step must reach
	halvings = 30   // of one step
	shorter  = 8    // shorter steps that are tried if one leads nowhere
)

// ascend maximizes the target locally in a constrained space: the spectral projected gradient method (Birgin, Martínez
// & Raydan 2000, SPG2) over the numbers, whose projection is exact for linear constraints; steps that violate another
// constraint are shortened. The error is that of the context.
func ascend(ctx context.Context, t Target, space Space, from []float64, steps int) (best []float64, value float64,
	err error) {
	a := ascent{t, space, space.region.Free(), make([]float64, space.Dim)}
	x, best := slices.Clone(from), slices.Clone(from)
	f, g := a.look(x)
	if math.IsInf(f, 1) {
		return best, math.Inf(-1), ctx.Err()
	}
	least := f
	steady := 0
	last := []float64{f}
	length := 1 / max(floats.Norm(g, math.Inf(1)), 1e-10)
	for range steps {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		y, fy, gy := a.next(x, g, length, slices.Max(last))
		for range shorter { // along a curve a long step may be projected back without improvement
			if y != nil || len(space.Domain.Nonlinear) == 0 {
				break
			}
			length /= 8
			y, fy, gy = a.next(x, g, length, slices.Max(last))
		}
		if y == nil {
			break
		}
		ss, sg := 0.0, 0.0
		for i, j := range a.free {
			s := y[j] - x[j]
			ss += s * s
			sg += s * (gy[i] - g[i])
		}
		length = 10 / max(floats.Norm(gy, math.Inf(1)), 1e-10) // far outside the cube
		if sg > 0 {
			length = min(max(ss/sg, 1e-10), length)
		}
		steady++
		if f-fy > 1e-12+1e-10*math.Abs(f) {
			steady = 0
		}
		x = y
		f = fy
		g = gy
		last = append(last, f)
		if len(last) > memory {
			last = last[1:]
		}
		if f < least {
			least = f
			copy(best, x)
		}
		if steady == 5 {
			break
		}
	}
	return best, -least, ctx.Err()
}

// ascent is the function that ascend minimizes: minus the target over the free numbers.
type ascent struct {
	t      Target
	space  Space
	free   []int
	slopes []float64
}

// look returns minus the target at x with its gradient; +∞ where the next point may not lie.
func (a ascent) look(x []float64) (f float64, g []float64) {
	if !a.space.isAllowed(x) {
		return math.Inf(1), nil
	}
	v := a.t.Gradient(x, a.slopes)
	if math.IsNaN(v) {
		return math.Inf(1), nil
	}
	g = make([]float64, len(a.free))
	for i, j := range a.free {
		g[i] = -a.slopes[j]
	}
	return -v, g
}

// next is the result of a step from x, of at most a length relative to the gradient, whose value does not exceed a
// bound except for the predicted change; nil if no step has that.
func (a ascent) next(x, g []float64, length, bound float64) (y []float64, f float64, gy []float64) {
	target := slices.Clone(x)
	for i, j := range a.free {
		target[j] -= length * g[i]
	}
	if !a.space.region.Fit(target) {
		return nil, 0, nil
	}
	slope, most := 0.0, 0.0
	for i, j := range a.free {
		slope += g[i] * (target[j] - x[j])
		most = max(most, math.Abs(target[j]-x[j]))
	}
	if most < 1e-12 || slope >= 0 {
		return nil, 0, nil
	}
	part := 1.0
	for range halvings {
		y = slices.Clone(x)
		for _, j := range a.free {
			y[j] += part * (target[j] - x[j])
		}
		if a.space.Domain.Feasible(y) || a.space.region.Fit(y) {
			f, gy = a.look(y)
			if f <= bound+minAim*part*slope {
				return y, f, gy
			}
		}
		part /= 2
	}
	return nil, 0, nil
}

// pairNeighbours are the points near x in a constrained space that differ from it in a level, as rows: the neighbors in
// one level, with the numbers moved to feasible values, and in two levels if a linear constraint contains both and the
// second compensates for the first; nil if there are none.
func (s Space) pairNeighbours(x []float64) *mat.Dense {
	var rows []float64
	add := func(y []float64) {
		if s.Domain.Feasible(y) || s.region.Fit(y) {
			rows = append(rows, y...)
		}
	}
	singles := s.neighbours(x)
	if singles == nil {
		return nil
	}
	n, _ := singles.Dims()
	for i := range n {
		other := singles.RawRowView(i)
		j := 0
		for other[j] == x[j] {
			j++
		}
		for _, l := range s.Domain.Linear {
			if l.A[j] == 0 {
				continue
			}
			for k := range x {
				if k == j || l.A[k] == 0 || !s.Domain.Discrete(k) {
					continue
				}
				levels := s.levels(k)
				pair := slices.Clone(other)
				pair[k] = levels[nearest(levels, x[k]-l.A[j]*(other[j]-x[j])/l.A[k])]
				if pair[k] != x[k] {
					add(pair)
				}
			}
		}
		add(other)
	}
	if rows == nil {
		return nil
	}
	return mat.NewDense(len(rows)/len(x), len(x), rows)
}

package front

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"bandscope/functions"
	"bandscope/functions/rng"
	"bandscope/sessions"
	"bandscope/tui/chart"
)

// AttainableSet are true outcomes from the whole domain, within all limits and constraints.
type AttainableSet struct {
	Outcomes  [][]float64
	Triangles [][3]int // indices of outcomes; the insides are attainable too, as their inputs are neighbours
	Complete  bool     // the triangles are the whole set
}

// ComputeAttainable computes the attainable outcomes; nil where there is no true function. Over one or two real
// variables the inputs are a grid, so that the image of the domain has no gaps except its own. Otherwise inputs are
// searched whose outcomes differ from those before (MAP-Elites: Mouret & Clune 2015, "Illuminating search spaces by
// mapping elites"), as the outcomes of random inputs crowd in the middle, and grids of two variables are laid through
// those at the edge.
func ComputeAttainable(ctx context.Context, st sessions.State) (*AttainableSet, error) {
	if st.Problem.Truth == nil {
		return nil, nil
	}
	s := &attainableSampler{problem: st.Problem, all: &AttainableSet{}}
	if t := st.Problem.Table; t != nil {
		for _, x := range t.X {
			s.evaluate(st.Problem.Domain.ToUnit(x))
		}
		return s.all, ctx.Err()
	}
	for j, v := range st.Problem.Domain {
		if v.Levels() == 0 {
			s.real = append(s.real, j)
		}
	}
	u := make([]float64, st.Problem.Dim())
	switch {
	case len(s.real) == 1 && len(u) == 1:
		for i := range attainableLine {
			u[0] = float64(i) / (attainableLine - 1)
			s.evaluate(u)
		}
	case len(s.real) == 2 && len(u) == 2:
		s.grid(u, 0, 1, attainableGrid)
		s.all.Complete = len(s.all.Triangles) > 0
	default:
		rng := rng.New(0, 0, "attainable")
		s.mapElites(ctx, rng)
		s.addGrids(ctx, rng)
	}
	return s.all, ctx.Err()
}

// Numbers of inputs: on a line, along each variable of a grid, in a search, and the random ones at its beginning; then
// along each variable of the grids at the edge, and the number of these grids.
const (
	attainableLine   = 4000
	attainableGrid   = 121
	attainableSearch = 8000
	attainableRandom = 1500
	attainableEdge   = 9
	attainableGrids  = 72
)

// attainableSampler evaluates the true function.
type attainableSampler struct {
	problem       *functions.Problem
	real          []int // the real variables
	all           *AttainableSet
	elites        [][]float64 // inputs that were searched, in the unit cube, and their outcomes
	eliteOutcomes [][]float64
	lo, hi        []float64 // of random outcomes
}

// evaluate adds the outcome of an input in the unit cube; −1 where there is none.
func (s *attainableSampler) evaluate(u []float64) (index int) {
	x := s.problem.Domain.FromUnit(u)
	if s.problem.CheckConstraints(x) != nil {
		return -1
	}
	y, err := s.problem.TrueValues(x)
	if err != nil || !s.problem.Feasible(y) {
		return -1
	}
	s.all.Outcomes = append(s.all.Outcomes, y)
	return len(s.all.Outcomes) - 1
}

// grid evaluates n×n inputs along two variables, with the others as in u, which it changes; neighbours make two
// triangles.
func (s *attainableSampler) grid(u []float64, i, j, n int) {
	indices := make([][]int, n)
	for a := range n {
		indices[a] = make([]int, n)
		for b := range n {
			u[i], u[j] = float64(a)/float64(n-1), float64(b)/float64(n-1)
			indices[a][b] = s.evaluate(u)
		}
	}
	for a := range n - 1 {
		for b := range n - 1 {
			for _, t := range [][3]int{{indices[a][b], indices[a+1][b], indices[a][b+1]},
				{indices[a+1][b], indices[a][b+1], indices[a+1][b+1]}} {
				if min(t[0], t[1], t[2]) >= 0 {
					s.all.Triangles = append(s.all.Triangles, t)
				}
			}
		}
	}
}

// addGrids lays grids of two real variables through the inputs whose outcomes are the farthest in directions all
// around, of any two successive objectives.
func (s *attainableSampler) addGrids(ctx context.Context, rng *rand.Rand) {
	if len(s.elites) == 0 || len(s.real) < 2 {
		return
	}
	count := len(s.problem.Objectives)
	for n := range attainableGrids {
		if ctx.Err() != nil {
			return
		}
		k, angle := n%count, 2*math.Pi*float64(n)/attainableGrids
		l := (k + 1) % count
		distance, farthest := math.Inf(-1), 0
		for e, y := range s.eliteOutcomes {
			if d := math.Cos(angle)*y[k]/(s.hi[k]-s.lo[k]) + math.Sin(angle)*y[l]/(s.hi[l]-s.lo[l]); d > distance {
				distance, farthest = d, e
			}
		}
		pair := rng.Perm(len(s.real))
		s.grid(slices.Clone(s.elites[farthest]), s.real[pair[0]], s.real[pair[1]], attainableEdge)
	}
}

// attainableCells is into how many cells the span of an objective is divided where inputs are searched: an input whose
// outcome is the first in its cell, of any two successive objectives, is an elite, from which others are made.
const attainableCells = 100

func (s *attainableSampler) mapElites(ctx context.Context, rng *rand.Rand) {
	u := make([]float64, s.problem.Dim())
	seen := map[[3]int]bool{}
	var first [][]float64
	for n := range attainableSearch {
		if n%1000 == 0 && ctx.Err() != nil {
			return
		}
		if n == attainableRandom && len(first) > 0 {
			s.lo, s.hi = spans(s.all.Outcomes)
			for i, u := range first {
				s.enter(seen, u, s.all.Outcomes[i])
			}
		}
		if len(s.elites) == 0 || rng.IntN(10) == 0 {
			for j := range u {
				u[j] = rng.Float64()
			}
		} else {
			mutate(rng, u, s.elites)
		}
		i := s.evaluate(u)
		switch {
		case i < 0:
		case s.lo == nil:
			first = append(first, slices.Clone(u))
		default:
			s.enter(seen, u, s.all.Outcomes[i])
		}
	}
}

// enter takes an input among the elites, if its outcome is the first in its cell.
func (s *attainableSampler) enter(seen map[[3]int]bool, u, y []float64) {
	count, fresh := len(s.problem.Objectives), false
	for k := range count {
		cell := [3]int{k}
		for n, o := range []int{k, (k + 1) % count} {
			cell[n+1] = int(math.Floor(attainableCells * (y[o] - s.lo[o]) / (s.hi[o] - s.lo[o])))
		}
		fresh = fresh || !seen[cell]
		seen[cell] = true
	}
	if fresh {
		s.elites, s.eliteOutcomes = append(s.elites, slices.Clone(u)), append(s.eliteOutcomes, y)
	}
}

// mutate makes an input from elites, half of the time from one of the newest, which are at the edge of the known
// outcomes: one on the line through two, one with some variables at a bound, or one with some moved, by little or much.
func mutate(rng *rand.Rand, u []float64, elites [][]float64) {
	from := 0
	if rng.IntN(2) == 0 {
		from = 3 * len(elites) / 4
	}
	copy(u, elites[from+rng.IntN(len(elites)-from)])
	always, kind := rng.IntN(len(u)), rng.IntN(4)
	if kind == 0 {
		other, t := elites[rng.IntN(len(elites))], 1.4*rng.Float64()-0.2
		for j := range u {
			u[j] = min(max(u[j]+t*(other[j]-u[j]), 0), 1)
		}
		return
	}
	step, bound := []float64{0.02, 0.1, 0.4}[rng.IntN(3)], float64(rng.IntN(2))
	for j := range u {
		switch {
		case j != always && rng.IntN(3) > 0:
		case kind == 1:
			u[j] = bound
		default:
			u[j] = min(max(u[j]+step*rng.NormFloat64(), 0), 1)
		}
	}
}

// spans are the minimum and the maximum of each objective, which differ.
func spans(ys [][]float64) (lo, hi []float64) {
	for k := range ys[0] {
		column := make([]float64, len(ys))
		for i, y := range ys {
			column[i] = y[k]
		}
		low, high := chart.Pad(chart.Extent(column))
		lo, hi = append(lo, low), append(hi, high)
	}
	return lo, hi
}

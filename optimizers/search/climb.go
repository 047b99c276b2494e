package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"bandscope/model"
	"bandscope/model/parallel"
)

const (
	climbSteps  = 60 // iterations of one climb
	shortClimbs = 32 // starting points of short climbs, by gradients
	longClimbs  = 10 // starting points of long climbs; half of them in one dimension, where the grid is so fine
)

// climbStage is a stage of the climbs: the number of steps, and how many climbs continue after it.
type climbStage struct{ steps, goOn int }

// successiveHalving climbs from several starting points, the best of which is the first, and returns the best result:
// all climb a few steps, the best few of them that are separated climb further, and the best of these to the end
// (successive halving: Jamieson & Talwalkar 2016). All but the last climbs go by the approximation of the gradient, if
// there is one. The result is never worse than the first starting point.
func successiveHalving(ctx context.Context, space Space, t Target, places []Optimum) (Optimum, error) {
	top, turns := places[0], space.climbStages(t, len(places))
	for i, turn := range turns {
		target, approximate := t, t.ApproximateGradient != nil && i+1 < len(turns)
		if approximate {
			target.Gradient = t.ApproximateGradient
		}
		reached := make([]Optimum, len(places))
		err := parallel.Try(len(places), func(k int) error {
			x, v, err := alternatingClimb(ctx, target, space, places[k].X, turn.steps)
			reached[k] = Optimum{x, v}
			return err
		})
		if err != nil {
			return Optimum{}, err
		}
		if approximate {
			if err := evaluateOptima(ctx, t, space, reached); err != nil {
				return Optimum{}, err
			}
		}
		sortOptima(reached)
		if reached[0].Value > top.Value {
			top = reached[0]
		}
		places = nil
		for _, r := range reached {
			if len(places) < turn.goOn && !isNearAny(r.X, places) {
				places = append(places, r)
			}
		}
	}
	return top, nil
}

// climbStages returns the stages of the climbs to a target from a number of starting points.
func (s Space) climbStages(t Target, count int) []climbStage {
	longer := t.Gradient == nil
	switch {
	case longer && count > longClimbs:
		return []climbStage{{6, 12}, {14, 4}, {climbSteps, 0}}
	case longer:
		return []climbStage{{20, 3}, {climbSteps, 0}}
	case count > longClimbs:
		return []climbStage{{6, 10}, {14, 2}, {climbSteps, 0}}
	case t.ApproximateGradient != nil: // the exact climbs at the end take most of the time
		return []climbStage{{6, 4}, {14, 1}, {climbSteps, 0}}
	}
	return []climbStage{{6, 4}, {14, 2}, {climbSteps, 0}}
}

// sortOptima sorts optima, the best first.
func sortOptima(list []Optimum) {
	slices.SortStableFunc(list, func(a, b Optimum) int { return cmp.Compare(b.Value, a.Value) })
}

// evaluateOptima computes the target at points.
func evaluateOptima(ctx context.Context, t Target, space Space, points []Optimum) error {
	X := mat.NewDense(len(points), space.Dim, nil)
	for i, p := range points {
		X.SetRow(i, p.X)
	}
	values, err := evaluate(ctx, t, space, X)
	for i, v := range values {
		points[i].Value = v
	}
	return err
}

// isNearAny reports whether a point is too close to one of several starting points to climb from both.
func isNearAny(x []float64, places []Optimum) bool {
	least := 0.02 * math.Sqrt(float64(len(x)))
	return slices.ContainsFunc(places, func(p Optimum) bool { return floats.Distance(p.X, x, 2) < least })
}

// pickSeparated picks at most a number of rows of a pool by their values, the best first, none too close to a better
// one.
func pickSeparated(pool *mat.Dense, values []float64, most int) ([]Optimum, error) {
	order, err := descendingOrder(values)
	if err != nil {
		return nil, err
	}
	if _, d := pool.Dims(); d == 1 {
		most /= 2
	}
	var places []Optimum
	for _, i := range order[:min(len(order), 2000)] {
		if len(places) == most || math.IsInf(values[i], -1) {
			break
		}
		if row := pool.RawRowView(i); !isNearAny(row, places) {
			places = append(places, Optimum{slices.Clone(row), values[i]})
		}
	}
	return places, nil
}

// climb maximizes the target locally from a start, over the inputs that are numbers. If the gradient is known it uses
// L-BFGS on the function, continued outside the space by its value at the nearest point inside, with a number of steps;
// otherwise the simplex search of Nelder and Mead. The error is that of the context or of the target.
func climb(ctx context.Context, t Target, space Space, from []float64, steps int) ([]float64, float64, error) {
	free := space.free()
	inside, start := slices.Clone(from), make([]float64, len(free))
	for i, j := range free {
		start[i] = from[j]
	}
	clamp := func(x []float64) []float64 {
		for i, j := range free {
			inside[j] = x[i]
		}
		if space.region != nil {
			space.region.Fit(inside) // if it fails, the point is not allowed
			return inside
		}
		return space.clamp(inside)
	}
	best, bestValue := slices.Clone(from), math.Inf(-1)
	keep := func(v float64) float64 {
		if math.IsNaN(v) || ctx.Err() != nil || !space.isAllowed(inside) {
			return math.Inf(1)
		}
		if v > bestValue {
			bestValue = v
			copy(best, inside)
		}
		return -v
	}
	if space.region != nil && t.Gradient != nil {
		return ascend(ctx, t, space, from, steps)
	}
	settings := climbSettings(t, space, len(start), steps)
	if t.Gradient == nil {
		inputs := mat.NewDense(1, len(from), inside)
		var wrong error
		_, err := model.Minimize(ctx, optimize.Problem{Func: func(x []float64) float64 {
			clamp(x)
			v, err := t.Values(ctx, inputs)
			if err != nil {
				wrong = cmp.Or(wrong, err)
				return math.Inf(1)
			}
			return keep(v[0])
		}}, start, settings, &optimize.NelderMead{SimplexSize: 0.02})
		return best, bestValue, cmp.Or(err, wrong)
	}
	slopes := make([]float64, len(from))
	memo := model.NewMemo(len(start), func(x, grad []float64) float64 {
		v := keep(t.Gradient(clamp(x), slopes))
		for i, out := range x { // the gradient of −t, and 0 towards the outside
			g := -slopes[free[i]]
			low, high := space.Bounds(free[i])
			if out < low || out > high || out == low && g > 0 || out == high && g < 0 {
				g = 0
			}
			grad[i] = g
		}
		return v
	})
	_, err := model.Minimize(ctx, optimize.Problem{Func: memo.Func, Grad: memo.Grad}, start, settings,
		&optimize.LBFGS{})
	return best, bestValue, err
}

// climbSettings are the limits of a climb over some free inputs.
func climbSettings(t Target, space Space, free, steps int) *optimize.Settings {
	settings := &optimize.Settings{MajorIterations: steps, FuncEvaluations: 4 * steps,
		Converger: &optimize.FunctionConverge{Absolute: 1e-12, Relative: 1e-10, Iterations: 5}}
	switch {
	case t.Gradient != nil:
		settings.Converger = &optimize.FunctionConverge{Absolute: 1e-10, Relative: 1e-9, Iterations: 3}
	case t.Gradient == nil:
		settings.FuncEvaluations = 100 * free * steps / climbSteps
		if space.region != nil { // along an edge the simplex turns before it goes on
			settings.Converger = &optimize.FunctionConverge{Absolute: 1e-12, Relative: 1e-10, Iterations: 10 * free}
			settings.MajorIterations *= 4
		}
	}
	return settings
}

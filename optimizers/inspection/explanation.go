package inspection

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/rng"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// Candidate is a point of the unit cube with its prediction and its acquisition value.
type Candidate struct {
	X           []float64
	Acquisition optimizers.Term // the acquisition value; without terms if none are known
	Mean, SD    []float64       // of each objective; nil if the method has no prediction
}

// Explanation describes why a point is chosen.
type Explanation struct {
	Chosen    Candidate
	RunnersUp []RunnerUp // other local optima of the acquisition function, the best first
	DrawRank  *DrawRank  // rank of the minimized function among others, if it is a sample; nil otherwise
}

// RunnerUp is another local optimum of the acquisition function.
type RunnerUp struct {
	Candidate
	Deficit Deficit
}

// Deficit is the term in which a place is furthest behind the chosen one; if it is behind in none, as with a point that
// the user chose, the term with the smallest advantage.
type Deficit struct {
	Name              string
	Objective         int     // the objective, from 1; 0 for none
	AtChosen, AtOther float64 // at the chosen place, and at the other
	Worse             bool    // the place is behind
}

// DrawRank compares the minimized function with others that could have been sampled.
type DrawRank struct {
	Below, Total int     // Below of Total samples are smaller at the chosen point
	Least        float64 // share of the samples with their minimum at the chosen point
}

// maxRunnersUp is the maximum number of runners-up.
const maxRunnersUp = 5

// Explain explains the choice of a point by the acquisition function of a belief. The error wraps ErrUnsupported if it
// has none.
func Explain(ctx context.Context, in optimizers.Input, b optimizers.Belief, x []float64) (*Explanation, error) {
	optima, err := Optima(ctx, in, b, x)
	if err != nil {
		return nil, err
	}
	space, points := search.NewSpace(in), slices.Clone(x)
	for _, o := range optima {
		if !space.Same(o.X, x) && len(points) <= maxRunnersUp*in.Dim {
			points = append(points, o.X...)
		}
	}
	all, err := evaluateCandidates(ctx, b, mat.NewDense(len(points)/in.Dim, in.Dim, points))
	if err != nil {
		return nil, err
	}
	a := &Explanation{Chosen: all[0]}
	for _, p := range all[1:] {
		a.RunnersUp = append(a.RunnersUp, RunnerUp{p,
			deficit(a.Chosen.Acquisition, p.Acquisition, b.Legend().LowerIsBetter)})
	}
	a.DrawRank, err = rankDraw(ctx, in, b, x)
	return a, err
}

// Optima are the local optima of the acquisition function of a belief, with its values as in the search, where higher
// is better.
func Optima(ctx context.Context, in optimizers.Input, b optimizers.Belief, x []float64) ([]search.Optimum, error) {
	starts := search.Stack(search.Incumbents(in.Data, 3), mat.NewDense(1, in.Dim, slices.Clone(x)))
	return search.Optima(ctx, search.NewSpace(in), target(b), in.Stream("why"), starts, maxRunnersUp+1)
}

// target is the acquisition function as in the search: higher is better, and −∞ where the next point may not lie.
func target(b optimizers.Belief) search.Target {
	lower := b.Legend().LowerIsBetter
	return search.Target{Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) {
		v, err := b.Acquisition(ctx, X)
		if err != nil {
			return nil, err
		}
		for i := range v {
			if lower {
				v[i] = -v[i]
			}
		}
		if l, ok := b.(optimizers.Constrained); ok {
			allowed, err := l.Feasible(ctx, X)
			if err != nil {
				return nil, err
			}
			for i := range allowed {
				if !allowed[i] {
					v[i] = math.Inf(-1)
				}
			}
		}
		return v, nil
	}}
}

// evaluateCandidates returns the rows of X as candidates.
func evaluateCandidates(ctx context.Context, b optimizers.Belief, X *mat.Dense) ([]Candidate, error) {
	n, _ := X.Dims()
	bands, err := b.Predict(ctx, X)
	if optimizers.IgnoreUnsupported(err) != nil {
		return nil, err
	}
	wholes, err := decompose(ctx, b, X, bands)
	if err != nil {
		return nil, err
	}
	all := make([]Candidate, n)
	for i := range all {
		all[i] = Candidate{X: mat.Row(nil, i, X), Acquisition: wholes[i]}
		for _, band := range bands {
			all[i].Mean, all[i].SD = append(all[i].Mean, band.Mean[i]), append(all[i].SD, band.SD[i])
		}
	}
	return all, nil
}

// decompose splits the acquisition function at the rows of X into its terms: those of the belief, or for a sampled
// function the mean and the difference between the sample and the mean.
func decompose(ctx context.Context, b optimizers.Belief, X *mat.Dense, bands []optimizers.Band) ([]optimizers.Term,
	error) {
	if decomposer, ok := b.(optimizers.Decomposer); ok {
		if all, err := decomposer.Decompose(ctx, X); !errors.Is(err, optimizers.ErrUnsupported) {
			return all, err
		}
	}
	v, err := b.Acquisition(ctx, X)
	if err != nil {
		return nil, err
	}
	used, err := b.Used(ctx, X)
	if optimizers.IgnoreUnsupported(err) != nil {
		return nil, err
	}
	all, name := make([]optimizers.Term, len(v)), b.Legend().Acquisition
	for i := range all {
		all[i] = optimizers.Term{Name: name, Value: v[i]}
		if len(used) == 1 && len(bands) == 1 && math.Abs(used[0][i]-v[i]) <= 1e-9*(1+math.Abs(v[i])) {
			all[i] = optimizers.NewTerm(b.Legend().Used, optimizers.OperationSum,
				optimizers.Term{Name: "mean", Value: bands[0].Mean[i]},
				optimizers.Term{Name: "sample − mean", Value: v[i] - bands[0].Mean[i]})
		}
	}
	return all, nil
}

// deficit is the term in which another candidate is furthest behind the chosen one, at the deepest level of terms.
func deficit(chosen, other optimizers.Term, lower bool) Deficit {
	here := chosen
	there := other
	objective := 0
	for {
		if here.Objective > 0 {
			objective = here.Objective
		}
		next, most := -1, math.Inf(-1)
		for k := range here.Terms {
			if k >= len(there.Terms) {
				break
			}
			if d := shortfall(here.Operation, here.Terms[k], there.Terms[k], lower); d > most {
				next, most = k, d
			}
		}
		if next < 0 {
			return Deficit{here.Name, objective, here.Value, there.Value,
				shortfall(optimizers.OperationSum, here, there, lower) > 0}
		}
		if here.Operation == optimizers.OperationMin { // the term that binds there
			for k, p := range there.Terms {
				if p.Value < there.Terms[next].Value {
					next = k
				}
			}
		}
		here, there = here.Terms[next], there.Terms[next]
	}
}

// shortfall is how much worse a term is than the chosen one's, as it counts in the combined value.
func shortfall(operation optimizers.Operation, chosen, other optimizers.Term, lower bool) float64 {
	d := chosen.Value - other.Value
	if operation == optimizers.OperationProduct && chosen.Value > 0 && other.Value >= 0 {
		d = math.Log(chosen.Value) - math.Log(max(other.Value, math.SmallestNonzeroFloat64))
	}
	if lower {
		return -d
	}
	return d
}

// manyDraws is the number of functions sampled if the belief does not say how many make its band, and drawnRows the
// number of points.
const (
	defaultDraws = 200
	drawnRows    = 240
)

// rankDraw ranks the function that a belief minimizes among other samples; nil if it minimizes none.
func rankDraw(ctx context.Context, in optimizers.Input, b optimizers.Belief, x []float64) (*DrawRank, error) {
	l := b.Legend()
	if l.Used == "" || l.Samples == "" || in.Objectives != 1 {
		return nil, nil
	}
	space := search.NewSpace(in)
	feasible, err := space.Feasible(ctx, drawnRows, rng.New(0, 0, "places of draws"))
	if err != nil {
		return nil, err
	}
	feasible = search.Stack(search.Stack(mat.NewDense(1, in.Dim, slices.Clone(x)), search.Incumbents(in.Data, 3)), feasible)
	used, err := b.Used(ctx, feasible)
	if err != nil {
		return nil, optimizers.IgnoreUnsupported(err)
	}
	count := l.Draws
	if count == 0 {
		count = defaultDraws
	}
	draws, err := b.Samples(ctx, feasible, count, 0)
	if err != nil {
		return nil, optimizers.IgnoreUnsupported(err)
	}
	d, near := &DrawRank{Total: count}, 0
	for i := range count {
		row := draws[0].RawRowView(i)
		if row[0] < used[0][0] {
			d.Below++
		}
		least := 0
		for j, v := range row {
			if v < row[least] {
				least = j
			}
		}
		if space.Same(feasible.RawRowView(least), x) {
			near++
		}
	}
	d.Least = float64(near) / float64(count)
	return d, nil
}

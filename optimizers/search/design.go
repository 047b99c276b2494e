package search

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/rng"
	"bandscope/model"
	"bandscope/model/kernel"
	"bandscope/model/widenet"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/space"
)

// Params are the parameters that all methods have: those of the initial design, and whether evaluated points are
// suggested again.
func Params() []param.Decl {
	return append(DesignParams(), RepeatsParam())
}

// RepeatsParam declares whether evaluated points are suggested again.
func RepeatsParam() param.Decl {
	return param.Decl{Key: repeatsKey, Label: "repeats", Kind: param.Switch, Default: false,
		Help:   "Whether evaluated points may be suggested again. Without noise, the result would be the same. Where noise is declared or standard errors are known, they may be suggested again in any case.",
		Source: "this program"}
}

// DesignParams are the parameters of the initial design. All methods have them, so that compared methods can share the
// same start.
func DesignParams() []param.Decl {
	return []param.Decl{
		{Key: initialKey, Label: "T_e initial points", Kind: param.Integer, Default: 0, Min: 0, Max: 10000,
			Help:   "Number of initial points. 0 means a number that depends on the size of the design.",
			Source: "Paria et al. 2022, App. F.2"},
		{Key: "design_size", Label: "size of the design", Kind: param.Choice, Default: sizeBySpace,
			Choices: []string{sizeBySpace, sizeByBudget},
			Help:    "With space, there are two initial points per input and one more, at least 5 and at most a third of the budget. With budget, there are 5 per input, within 2.5 to 7.5 % of the budget.",
			Source:  "after Jones et al. 1998 (space); Paria et al. 2022, App. F.2 (budget)"},
		{Key: "design", Label: "initial design", Kind: param.Choice, Default: "lhs",
			Choices: []string{"lhs", "uniform", "uncertainty"},
			Help:    "How the initial points are chosen: from a Latin hypercube, uniformly at random, or each where the posterior under a neural tangent kernel has the largest variance.",
			Source:  "Nadigatla 2022, §4.1.2 (lhs); Paria et al. 2022, Alg. 1 (uniform); Dai et al. 2022, App. B (uncertainty)"},
	}
}

// Values of the parameter for the size of the design.
const (
	sizeBySpace  = "space"
	sizeByBudget = "budget"
)

// initialKey is the key of the parameter that says how many points the initial design has.
const initialKey = "initial"

// InitialPoints are the parameters of an initial design of n points.
func InitialPoints(n int) map[string]any { return map[string]any{initialKey: n} }

// minInitial is the number of initial points that a design by the space has at least, unless the budget is small.
const minInitial = 5

// InitialCount is T_e, the number of points of the initial design, unless the parameter says otherwise. By the space, it
// is 2d + 1 for d effective dimensions, at least 5, at most a third of the budget, and not more than the space has points.
// By the budget, it is 5d, clipped to between 2.5 % and 7.5 % of the budget (Paria et al. 2022, App. F.2). It is always
// at least 2. For a method without a design it is the number of first results that outcomes are measured by, by the
// space.
func InitialCount(in optimizers.Input) int {
	designed := in.Params.Has(initialKey)
	if designed && in.Params.Int(initialKey) > 0 {
		return in.Params.Int(initialKey)
	}
	if !designed || in.Params.Choice("design_size") == sizeBySpace {
		n := min(max(2*effectiveDim(in)+1, minInitial), in.Budget/3)
		if in.Domain.IsFinite() {
			n = min(n, in.Domain.CountUpTo(n))
		}
		return max(n, 2)
	}
	t := float64(in.Budget)
	n := min(max(float64(5*in.Dim), 0.025*t), 0.075*t)
	return max(int(n), 2)
}

// effectiveDim is the number of effective dimensions of the space: a mixture of k components counts as k − 1, an input
// with one level as none, and every other input as one.
func effectiveDim(in optimizers.Input) (d int) {
	if in.Domain != nil {
		d -= len(in.Domain.Mixtures)
	}
	for j := range in.Dim {
		if !in.Domain.Discrete(j) || len(in.Domain.Inputs[j].Levels) > 1 {
			d++
		}
	}
	return d
}

// InDesign reports whether the next point is part of the initial design. A method without its parameters has none.
func InDesign(in optimizers.Input) bool { return HasDesign(in) && in.Step < InitialCount(in) }

// HasDesign reports whether the method has an initial design.
func HasDesign(in optimizers.Input) bool { return in.Params.Has(initialKey) }

// InitialPoint returns the point of the initial design for this step, 1×d in the unit cube. The design depends only on
// the seed, the dimension and its own parameters, never on the method. If that point is evaluated, pending or discarded,
// the next point of the design replaces it, or a random point if all are; the note says why, unless the point is
// a planned one all the same. The error is that of the context, or of a space without a feasible point.
//
// If the space is constrained, the uniform design consists of independent points of the feasible set, and the Latin
// hypercube is a conditioned one; see constrainedDesign.
func InitialPoint(ctx context.Context, in optimizers.Input) (optimizers.Suggestion, error) {
	points, note, err := designPoints(ctx, in)
	if err != nil {
		return optimizers.Suggestion{}, err
	}
	x := points[in.Step%len(points)]
	free := designSpace(in)
	replaced := ""
	if why := free.unavailable(x); why != "" {
		x, replaced, err = free.replacement(ctx, in, points)
		if err != nil {
			return optimizers.Suggestion{}, err
		}
		if replaced != "" {
			note = replaced + why
		}
	}
	return optimizers.Suggestion{X: mat.NewDense(1, in.Dim, x), Note: note}, nil
}

// replacement is a point in place of that of this step, with the start of its note; without a note if the design has a
// point for a later step and nothing was discarded.
func (s Space) replacement(ctx context.Context, in optimizers.Input, points [][]float64) (x []float64, note string,
	err error) {
	for i := range points {
		x = points[(in.Step+i)%len(points)]
		if s.isAvoided(x) {
			continue
		}
		if len(in.Avoid) > 0 {
			note = "another point of the initial design, because its point "
		}
		return x, note, nil
	}
	x, err = s.unevaluated(ctx, in.Stream("in place of a rejected design point"))
	if x == nil {
		return points[in.Step%len(points)], "a repeat, because there is no other point, and that of the initial design ", err
	}
	return x, "a random point, because the point of the initial design ", err
}

// unavailable says why a point of the design cannot be suggested; empty if it can.
func (s Space) unavailable(x []float64) string {
	switch {
	case s.near(x, s.Avoid, AvoidRadius):
		return "was discarded"
	case s.near(x, s.evaluated, s.evaluatedRadius):
		return "was evaluated before"
	case s.near(x, s.Pending, RepeatRadius):
		return "is pending"
	case s.near(x, s.Pending, s.minDistance):
		return "is too close to a pending point"
	}
	return ""
}

// designSpace is the space of the design without the points that are evaluated or pending. Its points keep no distance
// from others, unless the user asks for one.
func designSpace(in optimizers.Input) Space {
	s := NewSpace(in)
	s.minDistance = max(in.MinDistance, RepeatRadius)
	s.evaluated, s.evaluatedRadius = evaluatedPoints(in), RepeatRadius
	return s
}

// designPoints are the points of the design; of the design by uncertainty, whose points depend on the others, the one of
// this step. If that design fails, they are those of the Latin hypercube, with a note.
func designPoints(ctx context.Context, in optimizers.Input) (points [][]float64, note string, err error) {
	n := InitialCount(in)
	rng := rng.New(in.Seed, 0, "initial design")
	space := NewSpace(in)
	switch in.Params.Choice("design") {
	case "uncertainty":
		x, err := maxVariancePoint(ctx, in)
		if err == nil {
			return [][]float64{x}, "", nil
		}
		if err := ctx.Err(); err != nil {
			return nil, "", err
		}
		note = "a point of a Latin hypercube, because the design by uncertainty failed: " + err.Error()
	case "uniform":
		x, err := space.Feasible(ctx, n, rng)
		return rowsFor(x), "", err
	}
	if space.Domain.Constrained() {
		points, err = space.constrainedDesign(ctx, n, rng)
		return points, note, err
	}
	for _, u := range rowsFor(latinHypercube(n, in.Dim, rng)) {
		if in.Params.Choice("design_size") == sizeBySpace {
			centerLevels(u, n, in.Domain)
		}
		points = append(points, space.FromUnit(u))
	}
	space.separate(points)
	return points, note, ctx.Err()
}

// separate replaces each point of a space of few points that is the same as an earlier one by the point that is farthest
// from all others.
func (s Space) separate(points [][]float64) {
	all := rowsFor(s.all())
	for i, x := range points {
		if len(all) == 0 || !s.near(x, points[:i], levelTolerance) {
			continue
		}
		best := 0.0
		for _, u := range all {
			least := math.Inf(1)
			for _, v := range points {
				least = min(least, s.Domain.Distance2(u, v))
			}
			if least > best {
				best, points[i] = least, u
			}
		}
	}
}

// centerLevels moves a point of a Latin hypercube of n points to the middle of its slice along every input with levels,
// in place; not along a grid of more than n values. The design then contains every level of an input with at most n
// levels.
func centerLevels(u []float64, n int, domain *space.Domain) {
	for j := range u {
		if domain.Discrete(j) && (domain.Stepwise(j) || len(domain.Inputs[j].Levels) <= n) {
			u[j] = (math.Floor(u[j]*float64(n)) + 0.5) / float64(n)
		}
	}
}

// constrainedDesign returns n points of a constrained space, like a Latin hypercube: of a thousand uniform points of
// the feasible set, or fifty for each, it takes next the one that lies, in most inputs, in a slice without a point, and
// of several such points the one farthest from the others. The slices of an input contain equally many of the sample's
// points (conditioned Latin hypercubes: Minasny & McBratney 2006, here by greedy choice).
func (s Space) constrainedDesign(ctx context.Context, n int, rng *rand.Rand) ([][]float64, error) {
	points, err := s.Feasible(ctx, min(max(1000, 50*n), 20000), rng)
	if err != nil {
		return nil, err
	}
	count, _ := points.Dims()
	slice, order := make([][]int, s.Dim), make([]int, count) // for every input, the slice of each point
	for j := range s.Dim {
		slice[j] = make([]int, count)
		floats.ArgsortStable(mat.Col(nil, j, points), order)
		for rank, i := range order {
			slice[j][i] = rank * n / count
		}
	}
	taken, distances := make([][]bool, s.Dim), slices.Repeat([]float64{math.Inf(1)}, count)
	for j := range taken {
		taken[j] = make([]bool, n)
	}
	chosen := make([][]float64, n)
	for k := range chosen {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		best, most := 0, -2-s.Dim
		for i := range count {
			fresh := 0
			if distances[i] == 0 { // the same point again, if there is no other
				fresh = -1 - s.Dim
			}
			for j := range slice {
				if !taken[j][slice[j][i]] {
					fresh++
				}
			}
			if fresh > most || fresh == most && distances[i] > distances[best] {
				best, most = i, fresh
			}
		}
		chosen[k] = mat.Row(nil, best, points)
		for i := range count {
			distances[i] = min(distances[i], floats.Distance(chosen[k], points.RawRowView(i), 2))
		}
		for j := range slice {
			taken[j][slice[j][best]] = true
		}
	}
	return chosen, nil
}

// uniform returns n independent uniform points of the unit cube, n×d.
func uniform(n, d int, rng *rand.Rand) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, rng.Float64())
		}
	}
	return x
}

// latinHypercube returns n points of the unit cube, n×d, one in each of n equal slices of every axis.
func latinHypercube(n, d int, rng *rand.Rand) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for j := range d {
		for i, slice := range rng.Perm(n) {
			x.Set(i, j, (float64(slice)+rng.Float64())/float64(n))
		}
	}
	return x
}

// designNetwork is the network whose tangent kernel the design by uncertainty uses. It must not depend on the method.
var designNetwork = kernel.Network{Unit: kernel.Erf, Depth: 1, SigmaW: 2, SigmaB: 2}

// maxVariancePoint is the point with the largest posterior variance under the design's kernel, given the earlier points
// (Dai et al. 2022, App. B). The variance does not depend on values, so pending points count as well.
func maxVariancePoint(ctx context.Context, in optimizers.Input) ([]float64, error) {
	var x *mat.Dense
	for _, looked := range []*mat.Dense{in.Data.X, in.Pending} {
		x = Stack(x, looked)
	}
	n := 0
	if x != nil {
		n, _ = x.Dims()
		x = model.Center(in.Domain.Encode(x))
	}
	l, err := widenet.New(ctx, designNetwork, widenet.Setup{Kind: widenet.Posterior, Sigma2: 1e-6}, x,
		make([]float64, n))
	if err != nil {
		return nil, err
	}
	point, _, err := Maximize(ctx, designSpace(in),
		Target{Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) {
			_, sd, err := l.Predict(ctx, model.Center(in.Domain.Encode(X)))
			return sd, err
		}}, rng.New(in.Seed, in.Step, "initial design"), nil)
	return point, err
}

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
		LegacyDefault: true,
		Help: "Whether evaluated points may be suggested again. Without noise, the result would be the same. Where " +
			"noise is declared or standard errors are known, they may be suggested again in any case.",
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
			Choices: []string{sizeBySpace, sizeByBudget}, LegacyDefault: sizeByBudget,
			Help: "With space, there are two initial points per input and level of a choice, at least 5 and at most a " +
				"quarter of the budget. With budget, there are 5 per input, within 2.5 to 7.5 % of the budget.",
			Source: "after Jones et al. 1998 (space); Paria et al. 2022, App. F.2 (budget)"},
		{Key: "design", Label: "initial design", Kind: param.Choice, Default: "lhs",
			Choices: []string{"lhs", "uniform", "uncertainty"},
			Help: "How the initial points are chosen: from a Latin hypercube, uniformly at random, or each where " +
				"the posterior under a neural tangent kernel has the largest variance.",
			Source: "Nadigatla 2022, §4.1.2 (lhs); Paria et al. 2022, Alg. 1 (uniform); Dai et al. 2022, App. B " +
				"(uncertainty)"},
	}
}

// Values of the parameter for the size of the design.
const (
	sizeBySpace  = "space"
	sizeByBudget = "budget"
)

// initialKey is the key of the parameter that says how many points the initial design has.
const initialKey = "initial"

// InitialCount is T_e, the number of points of the initial design, unless the parameter says otherwise. By the space, it
// is twice the number of effective dimensions, at least 5 and at most a quarter of the budget. By the budget, it is 5d,
// clipped to between 2.5 % and 7.5 % of the budget (Paria et al. 2022, App. F.2). It is always at least 2. For a method
// without a design it is the number of first results that outcomes are measured by, by the space.
func InitialCount(in optimizers.Input) int {
	designed := in.Params.Has(initialKey)
	if designed && in.Params.Int(initialKey) > 0 {
		return in.Params.Int(initialKey)
	}
	t := float64(in.Budget)
	if !designed || in.Params.Choice("design_size") == sizeBySpace {
		return max(int(min(max(float64(2*effectiveDim(in)), 5), t/4)), 2)
	}
	n := min(max(float64(5*in.Dim), 0.025*t), 0.075*t)
	return max(int(n), 2)
}

// effectiveDim is the number of effective dimensions of the space: a choice of k levels counts as k − 1, and so does a
// mixture of k components; every other input counts as one, and an input with one level as none.
func effectiveDim(in optimizers.Input) (d int) {
	if in.Domain != nil {
		d -= len(in.Domain.Mixtures)
	}
	for j := range in.Dim {
		switch {
		case !in.Domain.Discrete(j):
			d++
		case in.Domain.Choice(j):
			d += len(in.Domain.Inputs[j].Levels) - 1
		default:
			d += min(len(in.Domain.Inputs[j].Levels)-1, 1)
		}
	}
	return d
}

// InDesign reports whether the next point is part of the initial design. A method without its parameters has none.
func InDesign(in optimizers.Input) bool { return HasDesign(in) && in.Step < InitialCount(in) }

// HasDesign reports whether the method has an initial design.
func HasDesign(in optimizers.Input) bool { return in.Params.Has(initialKey) }

// InitialPoint returns the point of the initial design for this step, 1×d in the unit cube. The design depends only on
// the seed, the dimension and its own parameters, never on the method. If the design has no such point, or the user
// discarded it, another one replaces it, and the note says why. The error is that of the context, or of a space without
// a feasible point.
//
// If the space is constrained, the uniform design consists of independent points of the feasible set, and the Latin
// hypercube is a conditioned one; see constrainedDesign.
func InitialPoint(ctx context.Context, in optimizers.Input) (optimizers.Suggestion, error) {
	x, note, err := designPoint(ctx, in)
	if err != nil {
		return optimizers.Suggestion{}, err
	}
	if space := designSpace(in); space.isAvoided(x) {
		note = "a random point, because the point of the initial design was discarded"
		if space.near(x, space.Pending, space.minDistance) {
			note = "a random point, because the point of the initial design is too close to a pending point"
		}
		if x, err = space.uniform(ctx, in.Stream("in place of a rejected design point")); err != nil {
			return optimizers.Suggestion{}, err
		}
	}
	return optimizers.Suggestion{X: mat.NewDense(1, in.Dim, x), Note: note}, nil
}

// designSpace is the space of the design. Its points are separated without a minimum distance, unless the user asks for
// one; rows of a pool are not suggested twice.
func designSpace(in optimizers.Input) Space {
	if in.MinDistance == 0 && (in.Domain == nil || in.Domain.Pool == nil) {
		in.Pending = nil
	}
	s := NewSpace(in)
	s.minDistance = in.MinDistance
	return s
}

// designPoint is the point of the design for this step. If a design fails, it is a point of the Latin hypercube, with a
// note.
func designPoint(ctx context.Context, in optimizers.Input) (x []float64, note string, err error) {
	n, rng, space := InitialCount(in), rng.New(in.Seed, 0, "initial design"), designSpace(in)
	switch in.Params.Choice("design") {
	case "uncertainty":
		x, err := maxVariancePoint(ctx, in)
		if err == nil {
			return x, "", nil
		}
		if err := ctx.Err(); err != nil {
			return nil, "", err
		}
		note = "a point of a Latin hypercube, because the design by uncertainty failed: " + err.Error()
	case "uniform":
		points, err := space.Feasible(ctx, n, rng)
		if err != nil {
			return nil, "", err
		}
		return mat.Row(nil, in.Step, points), "", nil
	}
	if space.Domain.Constrained() {
		points, err := space.constrainedDesign(ctx, n, rng)
		if err != nil {
			return nil, "", err
		}
		return points[in.Step], note, nil
	}
	u := mat.Row(nil, in.Step, latinHypercube(n, in.Dim, rng))
	if in.Params.Choice("design_size") == sizeBySpace {
		centerLevels(u, n, in.Domain)
	}
	return space.FromUnit(u), note, ctx.Err()
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
	taken, far := make([][]bool, s.Dim), slices.Repeat([]float64{math.Inf(1)}, count)
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
			if far[i] == 0 { // the same point again, if there is no other
				fresh = -1 - s.Dim
			}
			for j := range slice {
				if !taken[j][slice[j][i]] {
					fresh++
				}
			}
			if fresh > most || fresh == most && far[i] > far[best] {
				best, most = i, fresh
			}
		}
		chosen[k] = mat.Row(nil, best, points)
		for i := range count {
			far[i] = min(far[i], floats.Distance(chosen[k], points.RawRowView(i), 2))
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
	at, _, err := Maximize(ctx, designSpace(in),
		Target{Values: func(ctx context.Context, X *mat.Dense) ([]float64, error) {
			_, sd, err := l.Predict(ctx, model.Center(in.Domain.Encode(X)))
			return sd, err
		}}, rng.New(in.Seed, in.Step, "initial design"), nil)
	return at, err
}

package optimizers

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/param"
	"bandscope/functions/stream"
)

// designParams are the parameters of the initial design, shared by every method so that methods which are compared can
// share the same start.
func designParams() []param.Decl {
	return []param.Decl{
		{Key: "initial", Label: "T_e  initial points", Kind: param.Integer, Default: 0, Min: 0, Max: 10000,
			Help:   "Points of the initial design; 0 takes 5d, kept within 2.5 to 7.5 % of the budget and at least 2.",
			Source: "Paria et al. 2022, App. F.2"},
		{Key: "design", Label: "initial design", Kind: param.Choice, Default: "lhs", Choices: []string{"lhs", "uniform"},
			Help:   "How the initial points are drawn: a Latin hypercube, or uniformly.",
			Source: "Nadigatla 2022, §4.1.2 (lhs); Paria et al. 2022, Alg. 1 (uniform)"},
	}
}

// InitialCount is T_e, the number of points of the initial design: 5d, clipped to between 2.5 % and 7.5 % of the budget
// (Paria et al. 2022, App. F.2) and at least 2, unless the parameter says otherwise.
func InitialCount(in Input) int {
	if n := in.Params.Int("initial"); n > 0 {
		return n
	}
	t := float64(in.Budget)
	n := min(max(float64(5*in.Dim), 0.025*t), 0.075*t)
	return max(int(n), 2)
}

// InitialPoint returns the point of the initial design that belongs to this step, in the unit cube, and false when the
// design is over. The design depends on the seed, the dimension and the design's own parameters only, never on the method.
func InitialPoint(in Input) ([]float64, bool) {
	n := InitialCount(in)
	if in.Step >= n {
		return nil, false
	}
	rng := stream.New(in.Seed, 0, "initial design")
	if in.Params.Choice("design") == "uniform" {
		return mat.Row(nil, in.Step, uniform(n, in.Dim, rng)), true
	}
	return mat.Row(nil, in.Step, latinHypercube(n, in.Dim, rng)), true
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

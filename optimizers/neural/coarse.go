package neural

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/model"
	"bandscope/model/nn"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

const (
	coarseUnits  = 64   // units per hidden layer of an approximation for one or two inputs, twice as many for more
	coarseInputs = 4    // largest number of inputs, except for smooth networks: with more there are too few values to fit
	coarseScale  = 1.0  // scale of the weights up to which networks are smooth
	coarseSaving = 8    // smallest ratio of the parameters of the network and of its approximation
	coarseProbes = 2    // fitted values per weight of the approximation
	coarseChecks = 32   // values to check the approximation with
	coarseRidge  = 1e-8 // relative to the mean square of a feature
	minCoarseR2  = 0.8  // share of the variance of those values that it must explain
)

// coarseApproximation is a cheap approximation of a wide network over the unit cube: a narrow network with the same
// distribution of initial weights, whose last layer, with a plane through the inputs, is fitted by least squares to
// values of the wide one at random points of the space (random features: Rahimi & Recht 2008). It is nil if it saves
// little, or if it does not explain four fifths of the variance of values that it was not fitted to, as for functions
// that are too rough: then the wide network is evaluated everywhere.
func coarseApproximation(ctx context.Context, in optimizers.Input, wide nn.Arch, f Function, space search.Space,
	rng *rand.Rand) (func(context.Context, *mat.Dense) ([]float64, error), error) {
	narrow, units := wide, coarseUnits
	inputs := len(in.Domain.Columns(in.Dim))
	if inputs > 2 {
		units *= 2
	}
	narrow.Hidden = make([]int, len(wide.Hidden))
	for l, m := range wide.Hidden {
		narrow.Hidden[l] = min(m, units)
	}
	if wide.Params() < coarseSaving*narrow.Params() || inputs > coarseInputs && wide.SigmaW > coarseScale {
		return nil, nil
	}
	net := nn.New(narrow, rng)
	features := func(X *mat.Dense) *mat.Dense {
		c := in.Centered(X)
		var all mat.Dense
		all.Augment(net.HiddenFeatures(c), c)
		return &all
	}
	weights := narrow.Hidden[len(narrow.Hidden)-1] + 1 + narrow.Inputs
	probes := coarseProbes * weights
	points, err := space.Feasible(ctx, probes+coarseChecks, rng)
	if err != nil {
		return nil, err
	}
	values, matrix := f.Eval(in.Centered(points)), features(points)
	known := matrix.Slice(0, probes, 0, weights).(*mat.Dense)
	gram := mat.NewSymDense(weights, nil)
	gram.SymOuterK(1, known.T())
	ridge := coarseRidge * mat.Trace(gram) / float64(weights)
	for k := range weights {
		gram.SetSym(k, k, gram.At(k, k)+ridge)
	}
	w := mat.NewVecDense(weights, nil)
	w.MulVec(known.T(), mat.NewVecDense(probes, values[:probes]))
	var chol mat.Cholesky
	if !chol.Factorize(gram) || model.IgnoreCondition(chol.SolveVecTo(w, w)) != nil {
		return nil, ctx.Err()
	}
	var fitted mat.VecDense
	fitted.MulVec(matrix.Slice(probes, probes+coarseChecks, 0, weights), w)
	if !(stat.RSquaredFrom(fitted.RawVector().Data, values[probes:], nil) >= minCoarseR2) {
		return nil, ctx.Err()
	}
	return func(ctx context.Context, X *mat.Dense) ([]float64, error) {
		rows, _ := X.Dims()
		out := make([]float64, rows)
		mat.NewVecDense(rows, out).MulVec(features(X), w)
		return out, ctx.Err()
	}, nil
}

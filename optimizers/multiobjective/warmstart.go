package multiobjective

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// weightKeys are the parameters that the processes do not depend on.
var weightKeys = map[string]bool{"scalarization": true, "prior": true, "reference": true, "beta": true,
	"beta_scale": true, drawScaleKey: true}

// WarmStart keeps the processes if only the weights changed, so that a change of the weights needs no fit.
func (b *belief) WarmStart(in optimizers.Input) (optimizers.Belief, bool) {
	if !equalExcept(b.in, in, weightKeys) {
		return nil, false
	}
	in.Feasible = b.in.Feasible
	next := &belief{processes: b.processes, withPending: b.withPending, lo: b.lo, span: b.span, fronts: b.fronts}
	return next, next.drawScalarization(in, b.draws != nil) == nil
}

// scoringKeys are the parameters on which a method does not depend if weights are only used to evaluate it.
var scoringKeys = map[string]bool{"scalarization": true, "prior": true}

// equalExcept reports whether two inputs are the same except for some parameters and the answers.
func equalExcept(a, b optimizers.Input, keys map[string]bool) bool {
	if a.Step != b.Step || !search.NewSpace(a).Equal(search.NewSpace(b)) || a.Seed != b.Seed ||
		!equalData(a.Data, b.Data) || !slices.Equal(a.Noise, b.Noise) || !slices.Equal(a.Limits, b.Limits) ||
		!slices.EqualFunc(a.Expected, b.Expected, slices.Equal) || len(a.Params.Decls()) != len(b.Params.Decls()) {
		return false
	}
	for _, d := range b.Params.Decls() {
		if !a.Params.Has(d.Key) || !keys[d.Key] && a.Params.Value(d.Key) != b.Params.Value(d.Key) {
			return false
		}
	}
	return true
}

// equalData reports whether two data sets are the same.
func equalData(a, b optimizers.Data) bool {
	same := func(a, b *mat.Dense) bool { return (a == nil) == (b == nil) && (a == nil || mat.Equal(a, b)) }
	return same(a.X, b.X) && same(a.Y, b.Y) && same(a.Failed, b.Failed) && same(a.Limits, b.Limits) &&
		(a.SE == nil) == (b.SE == nil) && (a.SE == nil || equalMatrices(a.SE, b.SE)) &&
		(a.LimitSE == nil) == (b.LimitSE == nil) && (a.LimitSE == nil || equalMatrices(a.LimitSE, b.LimitSE))
}

// equalMatrices reports whether two matrices are the same; NaN, for unknown values, equals NaN.
func equalMatrices(a, b *mat.Dense) bool {
	n, k := a.Dims()
	m, l := b.Dims()
	if n != m || k != l {
		return false
	}
	for i := range n {
		if !floats.Same(a.RawRowView(i), b.RawRowView(i)) {
			return false
		}
	}
	return true
}

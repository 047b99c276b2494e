package search

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

// FeasibilityTerms are the terms of an acquisition function at the rows of X after WeightByFeasibility: its own terms
// times the probability of each limit, or the probabilities alone until some observation meets all limits. For methods
// that do not use these probabilities they are the terms of the acquisition function.
func FeasibilityTerms(ctx context.Context, in optimizers.Input, X *mat.Dense,
	apply func() ([]optimizers.Term, error)) ([]optimizers.Term, error) {
	if !usesProbability(in) {
		return apply()
	}
	chances, err := in.Feasible.LimitProbabilities(ctx, X)
	if err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	all, whole := make([]optimizers.Term, n), "probability that all limits are met"
	if len(in.Limits) == 0 {
		whole = "probability of success"
	}
	for i := range all {
		var parts []optimizers.Term
		for k := range chances {
			name := "probability of success"
			if k < len(in.Limits) {
				name = fmt.Sprintf("probability of %s %s", in.Limits[k].Name, in.Limits[k].Text())
			}
			parts = append(parts, optimizers.Term{Name: name, Value: chances[k][i]})
		}
		all[i] = optimizers.NewTerm(whole, optimizers.OperationProduct, parts...)
		if len(parts) == 1 {
			all[i] = parts[0]
		}
	}
	if !in.AnyFeasible() {
		return all, nil
	}
	terms, err := apply()
	if err != nil {
		return nil, err
	}
	for i, p := range terms {
		all[i] = optimizers.NewTerm(p.Name+" × probability", optimizers.OperationProduct, p, all[i])
	}
	return all, nil
}

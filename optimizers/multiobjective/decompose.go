package multiobjective

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/weights"
)

// Decompose returns the terms of the scalarization of this step: for every objective, its weight times its outcome.
// Unless the terms are added, only the least counts.
func (b *belief) Decompose(ctx context.Context, X *mat.Dense) ([]optimizers.Term, error) {
	u, err := b.outcomes(ctx, X)
	if err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	all := make([]optimizers.Term, n)
	for i := range all {
		all[i] = b.scalarization(u.RawRowView(i))
	}
	return all, nil
}

// scalarization returns the scalarization of outcomes, with its terms.
func (b *belief) scalarization(u []float64) optimizers.Term {
	subject := "bound"
	if b.draws != nil {
		subject = "sample"
	}
	parts := make([]optimizers.Term, len(u))
	for k, v := range u {
		name := subject + " u, from 0 to 1 over the range"
		if b.weighting.Reference != nil {
			v -= b.weighting.Reference[k]
			name = subject + " u minus the corner of the box"
		}
		parts[k] = optimizers.NewTerm("λ·u", optimizers.OperationProduct,
			optimizers.Term{Name: "λ", Value: b.weighting.Weights[k]},
			optimizers.Term{Name: name, Value: v})
		parts[k].Objective = k + 1
	}
	whole := b.weighting.Kind + " scalarization"
	switch b.weighting.Kind {
	case weights.Linear:
		return optimizers.NewTerm(whole, optimizers.OperationSum, parts...)
	case weights.Augmented:
		sum := optimizers.NewTerm("", optimizers.OperationSum, parts...).Value
		return optimizers.NewTerm(whole, optimizers.OperationSum,
			optimizers.NewTerm("smallest λ·u", optimizers.OperationMin, parts...),
			optimizers.Term{Name: fmt.Sprintf("%g × sum of λ·u", weights.Augmentation),
				Value: weights.Augmentation * sum})
	}
	return optimizers.NewTerm(whole, optimizers.OperationMin, parts...)
}

// Decompose returns the terms of the expected improvement of the scalarization.
func (b *parEGOBelief) Decompose(ctx context.Context, X *mat.Dense) ([]optimizers.Term, error) {
	return b.improvement.Decompose(ctx, X)
}

// Decompose returns no terms, because the gain over a front is a single integral.
func (b *frontBelief) Decompose(context.Context, *mat.Dense) ([]optimizers.Term, error) {
	return nil, fmt.Errorf("terms of the acquisition function: %w", optimizers.ErrUnsupported)
}

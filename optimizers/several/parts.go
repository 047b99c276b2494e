package several

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/weights"
)

// Parts are what the scalarization of this step is made of: of every objective its weight times its outcome, of which the least binds where they are not added.
func (b *belief) Parts(ctx context.Context, X *mat.Dense) ([]optimizers.Part, error) {
	u, err := b.outcomes(ctx, X)
	if err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	all := make([]optimizers.Part, n)
	for i := range all {
		all[i] = b.scalarization(u.RawRowView(i))
	}
	return all, nil
}

// scalarization is that of outcomes, with what it is made of.
func (b *belief) scalarization(u []float64) optimizers.Part {
	what := "bound"
	if b.paths != nil {
		what = "draw"
	}
	parts := make([]optimizers.Part, len(u))
	for k, v := range u {
		name := "the " + what + " u, from 0 to 1 over the range"
		if b.chosen.Zero != nil {
			v -= b.chosen.Zero[k]
			name = "the " + what + " u above the corner of the box"
		}
		parts[k] = optimizers.Joined("λ·u", optimizers.AsProduct, optimizers.Part{Name: "λ", Value: b.chosen.Weights[k]}, optimizers.Part{Name: name, Value: v})
		parts[k].Of = k + 1
	}
	whole := b.chosen.Kind + " scalarization"
	switch b.chosen.Kind {
	case weights.Linear:
		return optimizers.Joined(whole, optimizers.AsSum, parts...)
	case weights.Augmented:
		sum := optimizers.Joined("", optimizers.AsSum, parts...).Value
		return optimizers.Joined(whole, optimizers.AsSum, optimizers.Joined("the least λ·u", optimizers.AsLeast, parts...),
			optimizers.Part{Name: fmt.Sprintf("%g × the sum of all", weights.Augmentation), Value: weights.Augmentation * sum})
	}
	return optimizers.Joined(whole, optimizers.AsLeast, parts...)
}

// Parts are those of the expected improvement of the scalarization.
func (b *parEGOBelief) Parts(ctx context.Context, X *mat.Dense) ([]optimizers.Part, error) {
	return b.chosen.Parts(ctx, X)
}

// Parts are none: what is gained over a front is one integral.
func (b *frontBelief) Parts(context.Context, *mat.Dense) ([]optimizers.Part, error) {
	return nil, fmt.Errorf("parts of the acquisition: %w", optimizers.ErrAbsent)
}

package optimizers

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// gpTS is Thompson sampling: it minimizes one function drawn from the posterior.
var gpTS = Spec{
	Name: "gp-ts", Title: "GP-TS", Family: "Gaussian process",
	Summary: "Gaussian process with Thompson sampling: the minimum of one posterior draw",
	Source:  "Thompson 1933; paths after Wilson et al. 2020",
	Params:  gpParams(),
	Fit: func(ctx context.Context, in Input) (Belief, error) {
		b, err := fitGP(ctx, in, 0)
		if err != nil {
			return nil, err
		}
		path, err := b.gp.Path(pathFeatures, in.Stream("thompson"))
		if err != nil {
			return nil, err
		}
		draw := drawn{gradient: path.Gradient, values: func(ctx context.Context, X *mat.Dense) ([]float64, error) { return pathValues(ctx, path, X) }}
		return sampled{&b.momentBelief, b, draw, "the posterior draw"}, nil
	},
}

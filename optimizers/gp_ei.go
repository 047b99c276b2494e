package optimizers

import "context"

// gpEI is expected improvement with a Gaussian process: the gold standard of the neural papers.
var gpEI = Spec{
	Name: "gp-ei", Title: "GP-EI", Family: "Gaussian process",
	Summary: "Gaussian process with expected improvement, found in the log domain",
	Source:  "Jones et al. 1998; as the baseline of Paria et al. 2022, App. F.1",
	Params:  gpParams(),
	Fit: func(ctx context.Context, in Input) (Belief, error) {
		b, err := fitGP(ctx, in, 0)
		if err != nil {
			return nil, err
		}
		best, err := b.incumbent(ctx, b.gp.Noise() > noisyFrom)
		return scored{&b.momentBelief, b, b.expectedImprovement(best)}, err
	},
}

// noisyFrom is the fitted noise, of standardized targets, from which it is more than rounding.
const noisyFrom = 1e-3

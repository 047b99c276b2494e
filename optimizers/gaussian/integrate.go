package gaussian

import (
	"context"
	"fmt"

	"bandscope/functions/rng"
	"bandscope/model"
	"bandscope/model/gp"
	"bandscope/optimizers"
)

// integratedPriors are the priors of hyper-parameters that are integrated over, and integratedOffset the prior standard
// deviation of the constant mean. Chosen by TestCoverageOfPriors (-tags study): of those tried they gave a coverage and a
// log predictive density in the course of searches that none exceeded clearly. Lengthscales are independent, as their
// posterior is averaged over; medians of 0.5 and priors scaled with the dimension cover less.
var (
	integratedPriors = gp.Priors{LengthMedian: 0.25, LengthSD: 0.8, ScaleMedian: 1.5, ScaleSD: 1, NoiseMedian: 1e-3,
		NoiseSD: 1.5}
	integratedOffset = 0.0
)

// hyperparameterDraws is how many sets of hyper-parameters are integrated over.
const hyperparameterDraws = 16

// maxIntegrated is the number of data up to which hyper-parameters are integrated over where that is asked for. More
// data determine them: the bands differ little, and every draw costs as much as a fit.
const maxIntegrated = 50

// integrated is the process with the fitted hyper-parameters or, where the parameters say so and the data are few, that
// which integrates over their posterior.
func integrated(ctx context.Context, in optimizers.Input, objective int, opt gp.Options, scale model.Standardizer,
	g *gp.GP) (*Process, error) {
	n := in.Data.Len()
	if in.Params.Choice("hyperparameters") != integratedLabel || n > maxIntegrated || n < 2 {
		return processFor(in, objective, scale, gp.NewMixture(g)), nil
	}
	f := newPrefix(in, objective, opt, n)
	m, err := gp.Integrate(ctx, g, f.x, f.y, f.opt, hyperparameterDraws,
		rng.New(in.Seed, n, "drawn hyper-parameters", uint64(objective)))
	if err != nil {
		return nil, fmt.Errorf("integrating over the hyper-parameters: %w", err)
	}
	return processFor(in, objective, scale, m), nil
}

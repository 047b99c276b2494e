package gaussian

import (
	"context"
	"fmt"

	"bandscope/functions/lru"
	"bandscope/functions/rng"
	"bandscope/model"
	"bandscope/model/gp"
	"bandscope/optimizers"
)

// integratedPriors are the priors of hyperparameters that are integrated over; TestPriors (-tags study) compares others.
// The median lengthscale grows with √d, and lengthscales resemble each other until the data show otherwise: with
// independent ones, searches in five and more variables follow chance orders of few results into the corners of the cube.
var integratedPriors = gp.WeakPriors

// hyperparameterDraws is the number of posterior draws of the hyperparameters that are averaged over.
const hyperparameterDraws = 16

// limitDraws is their number for a limited quantity (Snoek et al. 2012 average over 10): of its process only the side
// of the limit counts.
const limitDraws = 8

// maxIntegrated is the number of observations up to which the hyperparameters are integrated over. More observations
// determine them: the bands differ little, and every draw costs as much as a fit.
const maxIntegrated = 50

// integrated returns the process with the fitted hyperparameters or, if the parameters say so and there are at most
// maxIntegrated observations, the mixture over the posterior of the hyperparameters.
func integrated(ctx context.Context, in optimizers.Input, objective int, opt gp.Options, scale model.Standardizer,
	g *gp.GP, draws int) (*Process, error) {
	n := in.Data.Len()
	most := maxIntegrated
	if in.Params.Has(shrinkageKey) {
		most = maxIntegratedSparse
	}
	if in.Params.Choice(hyperparametersKey) != integratedLabel || n > most || n < 2 {
		return processFor(in, objective, scale, gp.NewMixture(g)), nil
	}
	f := newPrefix(in, objective, opt, n)
	key := f.key("draws", draws, g.Noise(), g.LogMarginalLikelihood())
	if known, ok := drawCache.Get(key); ok { // for example, for the next point of a batch
		if m, err := f.withDraws(g, known); err == nil {
			return processFor(in, objective, scale, m), nil
		}
	}
	if most > maxIntegrated { // with many observations it takes seconds
		f.opt.Progress = func(done, total int) { in.Report("drawing hyperparameters", done, total) }
	}
	m, err := gp.Integrate(ctx, g, f.x, f.y, f.opt, draws,
		rng.New(in.Seed, n, "drawn hyper-parameters", uint64(objective)))
	if err != nil {
		return nil, fmt.Errorf("integrating over the hyperparameters: %w", err)
	}
	values := make([]*gp.GP, len(m.Draws()))
	for i, draw := range m.Draws() {
		values[i] = draw.WithoutData()
	}
	drawCache.Put(key, values)
	return processFor(in, objective, scale, m), nil
}

// drawCache holds posterior draws of hyperparameters, as processes without their data. All sessions of this process
// share it.
var drawCache = lru.New[lru.Key](1<<21, func(draws []*gp.GP) (size int) {
	for _, g := range draws {
		size += processSize(g)
	}
	return size
})

// withDraws returns the mixture of the processes of these observations with drawn hyperparameters.
func (f prefix) withDraws(mode *gp.GP, draws []*gp.GP) (*gp.Mixture, error) {
	all := make([]*gp.GP, len(draws))
	for i, g := range draws {
		var err error
		all[i], err = f.withHyperparameters(g.Kernel(), g.Noise(), g.BlockSD())
		if err != nil {
			return nil, err
		}
	}
	if len(all) < 2 {
		return gp.NewMixture(mode), nil
	}
	return gp.NewMixtureOf(mode, all), nil
}

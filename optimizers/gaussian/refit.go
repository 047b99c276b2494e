package gaussian

import (
	"context"
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions/lru"
	"bandscope/functions/numfmt"
	"bandscope/functions/rng"
	"bandscope/model"
	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/optimizers"
)

// When a fit that is adjusted to new observations is given up for a search.
const (
	surpriseQuantile = 0.99 // quantile of the χ² distribution above which the newest observations contradict the fit
	// gain of the evidence by an adjustment, in nats, above which the search runs again; one nat more per lengthscale
	// if the number of observations doubles
	maxAdjustGain = 2
	// observations from which on a search for hyperparameters is reported as a part of a long computation
	reportSearchAbove = 200
)

// prefix holds the first n observations of an input, prepared for a fit.
type prefix struct {
	in        optimizers.Input
	objective int
	n         int
	schedule  schedule
	scale     model.Standardizer
	// The observations to which hyperparameters are fitted: all, or with inducing inputs a sample.
	x     *mat.Dense    // encoded; nil without data
	y     []float64     // standardized
	opt   gp.Options    // with the standard errors of the observations
	plain gp.Options    // without them
	all   *observations // with inducing inputs: all observations; otherwise nil
}

func newPrefix(in optimizers.Input, objective int, opt gp.Options, n int) prefix {
	f := prefix{in: in, objective: objective, n: n, schedule: scheduleFor(in.Data.Imports, n), scale: in.Scale(objective, n), plain: opt}
	if n > 0 {
		f.x = in.Domain.Encode(in.Data.X.Slice(0, n, 0, in.Dim).(*mat.Dense))
	}
	f.y = f.scale.Apply(in.Data.Column(objective)[:n])
	f.opt = withErrors(opt, in, objective, n, f.scale.SD)
	if usesInducing(in, n) {
		f.sample()
	}
	return f
}

// withHyperparameters returns the process of these observations with the given hyperparameters.
func (f prefix) withHyperparameters(k kernel.Kernel, noise, blockSD float64) (*gp.GP, error) {
	return gp.NewBlocked(k, noise, f.opt.NoiseSDs, gp.Blocks{Of: f.opt.Blocks, SD: blockSD}, f.x, f.y)
}

// key identifies these observations and one of their fits.
func (f prefix) key(which ...any) lru.Key { return fitKey(f.in, f.objective, f.plain, f.n, which...) }

// first returns the first n of these observations.
func (f prefix) first(n int) prefix { return newPrefix(f.in, f.objective, f.plain, n) }

// fitData fits all observations; with earlier, it also starts from earlier fits.
func fitData(ctx context.Context, in optimizers.Input, objective int, opt gp.Options, earlier bool) (*gp.GP, error) {
	f := newPrefix(in, objective, opt, in.Data.Len())
	switch {
	case !earlier:
		g, err := f.coldFit(ctx)
		if err != nil || f.all == nil {
			return g, err
		}
		return f.condition(ctx, f, g)
	case f.n <= refitEveryBelow:
		return f.scheduledFit(ctx)
	}
	return f.warmFit(ctx)
}

// coldFit fits from the starting points of the search alone.
func (f prefix) coldFit(ctx context.Context) (*gp.GP, error) {
	if f.n >= reportSearchAbove {
		subject := "searching for hyperparameters with " + numfmt.Count(len(f.y), "result")
		if f.all != nil {
			subject += " of " + strconv.Itoa(f.n)
		}
		f.in.Report(subject, 0, 0)
	}
	g, err := gp.Fit(ctx, f.x, f.y, len(f.in.Domain.Columns(f.in.Dim)), f.opt,
		rng.New(f.in.Seed, f.n, "hyper-parameters", uint64(f.objective)))
	if err == nil && f.n == f.schedule.search(f.n) {
		cacheFit(f.key(), g)
	}
	return g, err
}

// climbFrom returns the fit that a climb from another fit reaches, or best if that is not nil and better.
func (f prefix) climbFrom(ctx context.Context, from, best *gp.GP) (*gp.GP, error) {
	opt := f.opt
	opt.Starts = 0
	opt.WarmStarts = []*gp.GP{from}
	opt.Incumbent = best
	return gp.Fit(ctx, f.x, f.y, len(f.in.Domain.Columns(f.in.Dim)), opt, nil)
}

// multistartFit returns the better one of a cold fit and the climb from another fit, if there is one.
func (f prefix) multistartFit(ctx context.Context, from *gp.GP) (*gp.GP, error) {
	g, err := f.coldFit(ctx)
	if err != nil || from == nil {
		return g, err
	}
	return f.climbFrom(ctx, from, g)
}

// scheduledFit runs a search, which happens at every number of observations up to refitEveryBelow and at scheduled
// numbers above. The search also starts from the fit at the previous scheduled number: from the cold fit below
// refitEveryBelow observations, from the scheduled fit otherwise. Between two scheduled numbers it is short, with more
// than shortAbove observations.
func (f prefix) scheduledFit(ctx context.Context) (*gp.GP, error) {
	previous := f.first(f.schedule.search(f.n - 1))
	var from *gp.GP
	var err error
	switch {
	case previous.n >= refitEveryBelow:
		from, err = previous.cachedFit(ctx, previous.scheduledFit, "warm")
	case previous.n > 1:
		from, err = previous.cachedFit(ctx, previous.coldFit)
	}
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	if f.n > shortAbove && f.n != f.schedule.search(f.n) && from != nil {
		return f.shortFit(ctx, from)
	}
	return f.multistartFit(ctx, from) // a cold fit if from is nil
}

// shortFit runs a short search, which also starts from another fit.
func (f prefix) shortFit(ctx context.Context, from *gp.GP) (*gp.GP, error) {
	f.opt.Short, f.opt.WarmStarts = true, []*gp.GP{from}
	return f.coldFit(ctx)
}

// cachedFit returns a fit that is known, or computes and keeps it.
func (f prefix) cachedFit(ctx context.Context, find func(context.Context) (*gp.GP, error), which ...any) (*gp.GP,
	error) {
	if g := f.known(which...); g != nil {
		return g, nil
	}
	g, err := find(ctx)
	if err == nil {
		f.keep(g, which...)
	}
	return g, err
}

// warmFit fits more than refitEveryBelow observations. It starts from the search at the last scheduled number of
// observations. After every few new observations it adjusts that fit to them or, if they contradict it, searches again.
// In between, the hyperparameters stay the same, but the process is always conditioned on all observations.
func (f prefix) warmFit(ctx context.Context) (*gp.GP, error) {
	checks := f.schedule.checks(f.n)
	fitted := f
	g := (*gp.GP)(nil)
	known := len(checks)
	for g == nil && known > 0 { // find the latest cached fit
		known--
		fitted = f.first(checks[known])
		g = fitted.known("warm")
	}
	var err error
	if g == nil {
		g, err = fitted.cachedFit(ctx, fitted.scheduledFit, "warm")
		if err != nil {
			return nil, err
		}
	}
	for _, n := range checks[known+1:] {
		next := f.first(n)
		g, err = next.adjustFit(ctx, fitted, g)
		if err != nil {
			return nil, err
		}
		fitted = next
		fitted.keep(g, "warm")
	}
	return f.condition(ctx, fitted, g)
}

// reuseHyperparameters returns the process of these observations with the hyperparameters of a fit to some of them,
// converted to the standardization of all.
func (f prefix) reuseHyperparameters(position prefix, g *gp.GP) (*gp.GP, error) {
	k, noise, blockSD, err := f.convertHyperparameters(position, g)
	if err != nil {
		return nil, err
	}
	return f.withHyperparameters(k, noise, blockSD)
}

// convertHyperparameters converts the hyperparameters of a fit to some of these observations to the standardization of
// all.
func (f prefix) convertHyperparameters(position prefix, g *gp.GP) (owner kernel.Kernel, noise, blockSD float64, err error) {
	noise, ratio := f.opt.Noise, position.scale.SD/f.scale.SD
	if f.opt.FitNoise {
		noise = g.Noise() * ratio
	}
	switch k := g.Kernel().(type) {
	case kernel.Stationary:
		k.Scale *= ratio
		return k, noise, g.BlockSD() * ratio, nil
	case *kernel.Composite:
		return k.Rescaled(ratio), noise, g.BlockSD() * ratio, nil
	}
	return nil, 0, 0, fmt.Errorf("a kernel of type %T has no scale", g.Kernel())
}

// adjustFit climbs from a fit to some of the observations. It runs a search instead in three cases: if the other
// observations contradict the fit, because the sum of the squares of their innovations is above the surpriseQuantile of
// its distribution; if the covariance matrix is numerically singular, since there is then often a better explanation
// that a climb does not reach; and if the climb raises the evidence by more than maxAdjustGain allows.
func (f prefix) adjustFit(ctx context.Context, position prefix, g *gp.GP) (*gp.GP, error) {
	held, err := f.reuseHyperparameters(position, g)
	if err != nil || held.Jitter() > 0 {
		return f.multistartFit(ctx, g)
	}
	off := 0.0
	if f.all == nil { // a sample has too few of the new observations
		for _, z := range held.Innovations()[position.n:] {
			off += z * z
		}
	}
	if off > (distuv.ChiSquared{K: float64(f.n - position.n)}).Quantile(surpriseQuantile) {
		return f.multistartFit(ctx, held)
	}
	next, err := f.climbFrom(ctx, held, nil)
	if err != nil {
		return nil, err
	}
	_, d := f.x.Dims()
	if next.LogMarginalLikelihood() > held.LogMarginalLikelihood()+maxAdjustGain+float64(d*(f.n-position.n))/float64(position.n) {
		return f.multistartFit(ctx, next)
	}
	return next, nil
}

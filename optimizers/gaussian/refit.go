package gaussian

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions/lru"
	"bandscope/functions/rng"
	"bandscope/model"
	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/optimizers"
)

// When hyper-parameters are searched for, and when those of a few data ago still hold.
const (
	fitEvery          = 5    // data from one scheduled search to the next, while they are few
	refitEveryBelow   = 50   // data, above which a search is scheduled for so many times the data of the last one:
	refitGrowth       = 1.25 // at least
	checksPerDoubling = 40   // as many looks at the newest data there would be while data double, at least one a datum
	surpriseQuantile  = 0.99 // of the law of the newest data's squared deviations that they lie within
	// nats that the evidence gains, at most, by what is adjusted, besides one for every lengthscale where the data
	// double
	maxAdjustGain = 2
)

// scheduled is the greatest number of data, up to n, at which hyper-parameters are searched for whatever the data are;
// 0 for none.
func scheduled(n int) int {
	if n <= refitEveryBelow {
		return n / fitEvery * fitEvery
	}
	at, next := 0, refitEveryBelow
	for next <= n {
		at, next = next, int(math.Ceil(refitGrowth*float64(next)/fitEvery))*fitEvery
	}
	return at
}

// prefix are the prefix n data of an input, as a fit sees them.
type prefix struct {
	in        optimizers.Input
	objective int
	n         int
	scale     model.Standardizer
	x         *mat.Dense // encoded; nil without data
	y         []float64  // standardized
	opt       gp.Options // with their errors
	plain     gp.Options // without
}

func newPrefix(in optimizers.Input, objective int, opt gp.Options, n int) prefix {
	f := prefix{in: in, objective: objective, n: n, scale: in.Scale(objective, n), plain: opt}
	if n > 0 {
		f.x = in.Domain.Encode(in.Data.X.Slice(0, n, 0, in.Dim).(*mat.Dense))
	}
	f.y = f.scale.Apply(in.Data.Column(objective)[:n])
	f.opt = withErrors(opt, in, objective, n, f.scale.SD)
	return f
}

// withHyperparameters is the process of these data with some hyper-parameters.
func (f prefix) withHyperparameters(k kernel.Kernel, noise float64) (*gp.GP, error) {
	return gp.NewFixedNoise(k, noise, f.opt.NoiseSDs, f.x, f.y)
}

// key tells these data, and which of their fits it is, apart from all others.
func (f prefix) key(which ...any) lru.Key { return fitKey(f.in, f.objective, f.plain, f.n, which...) }

// first are the first n of these data.
func (f prefix) first(n int) prefix { return newPrefix(f.in, f.objective, f.plain, n) }

// fitData is the fit to all data: with what was fitData earlier, from that or from afresh too.
func fitData(ctx context.Context, in optimizers.Input, objective int, opt gp.Options, earlier bool) (*gp.GP, error) {
	f := newPrefix(in, objective, opt, in.Data.Len())
	switch {
	case !earlier:
		return f.coldFit(ctx)
	case f.n <= refitEveryBelow:
		return f.scheduledFit(ctx)
	}
	return f.warmFit(ctx)
}

// coldFit fits with no other start than those of the search.
func (f prefix) coldFit(ctx context.Context) (*gp.GP, error) {
	g, err := gp.Fit(ctx, f.x, f.y, len(f.in.Domain.Columns(f.in.Dim)), f.opt,
		rng.New(f.in.Seed, f.n, "hyper-parameters", uint64(f.objective)))
	if err == nil && f.n == scheduled(f.n) {
		cacheFit(f.key(), g)
	}
	return g, err
}

// climbFrom is the fit that a climb from another one leads to, or the best one that was found afresh, if any, where
// that is better.
func (f prefix) climbFrom(ctx context.Context, from, best *gp.GP) (*gp.GP, error) {
	opt := f.opt
	opt.Starts, opt.WarmStarts, opt.Incumbent = 0, []*gp.GP{from}, best
	return gp.Fit(ctx, f.x, f.y, len(f.in.Domain.Columns(f.in.Dim)), opt, nil)
}

// searched is the better one of the fresh fit and of what a climb from another one, if there is any, leads to.
func (f prefix) multistartFit(ctx context.Context, from *gp.GP) (*gp.GP, error) {
	g, err := f.coldFit(ctx)
	if err != nil || from == nil {
		return g, err
	}
	return f.climbFrom(ctx, from, g)
}

// due is the fit where a search is made whatever the data are: at any number of them while they are few, later at
// scheduled ones. It starts from the one before too: of few data from their fresh fit, later from one that started so
// itself.
func (f prefix) scheduledFit(ctx context.Context) (*gp.GP, error) {
	at := f.first(scheduled(f.n - 1))
	var from *gp.GP
	var err error
	switch {
	case at.n >= refitEveryBelow:
		from, err = at.cachedFit(ctx, at.scheduledFit, "followed")
	case at.n > 1:
		from, err = at.cachedFit(ctx, at.coldFit)
	}
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	return f.multistartFit(ctx, from) // from afresh alone where there is nothing to start from
}

// cachedFit is a fit that is kept, or else is found and kept from then on.
func (f prefix) cachedFit(ctx context.Context, find func(context.Context) (*gp.GP, error), which ...any) (*gp.GP,
	error) {
	if g, ok := fitCache.Get(f.key(which...)); ok {
		return g, nil
	}
	g, err := find(ctx)
	if err == nil {
		cacheFit(f.key(which...), g)
	}
	return g, err
}

// followed is the fit to many data. From what is searched at the last scheduled number of data on, the newest are
// looked at every few data, and what is known is adjusted to them or, where they contradict it, searched for again.
// Between two looks hyper-parameters stay what they are: the process is conditioned on all data all the same.
func (f prefix) warmFit(ctx context.Context) (*gp.GP, error) {
	start := scheduled(f.n)
	stride := max(1, start/checksPerDoubling)
	at, g := f, (*gp.GP)(nil)
	for n := f.n - (f.n-start)%stride; g == nil && n >= start; n -= stride { // the last one that is known
		at = f.first(n)
		g, _ = fitCache.Get(at.key("followed"))
	}
	var err error
	if g == nil {
		if g, err = at.cachedFit(ctx, at.scheduledFit, "followed"); err != nil {
			return nil, err
		}
	}
	for at.n+stride <= f.n {
		next := f.first(at.n + stride)
		if g, err = next.adjustFit(ctx, at, g); err != nil {
			return nil, err
		}
		at = next
		cacheFit(at.key("followed"), g)
	}
	return f.reuseHyperparameters(at, g)
}

// held is the process of these data with the hyper-parameters of a fit to some of them, in their units.
func (f prefix) reuseHyperparameters(at prefix, g *gp.GP) (*gp.GP, error) {
	k, ok := g.Kernel().(kernel.Stationary)
	if !ok {
		return nil, fmt.Errorf("a kernel of type %T has no scale", g.Kernel())
	}
	noise, ratio := f.opt.Noise, at.scale.SD/f.scale.SD
	k.Scale *= ratio
	if f.opt.FitNoise {
		noise = g.Noise() * ratio
	}
	return f.withHyperparameters(k, noise)
}

// adjustFit is the fit that a climb from the one to some of the data leads to. It is searched for instead where the
// other data contradict that one: where they, as it predicts each from those before it, lie further off than one time
// in a hundred by the law of a sum of squares; where the covariance matrix is singular to the last digits, beside which
// there is often a better explanation that a climb does not reach; and where the climb leads far away from it.
func (f prefix) adjustFit(ctx context.Context, at prefix, g *gp.GP) (*gp.GP, error) {
	held, err := f.reuseHyperparameters(at, g)
	if err != nil || held.Jitter() > 0 {
		return f.multistartFit(ctx, g)
	}
	off := 0.0
	for _, z := range held.Innovations()[at.n:] {
		off += z * z
	}
	if off > (distuv.ChiSquared{K: float64(f.n - at.n)}).Quantile(surpriseQuantile) {
		return f.multistartFit(ctx, held)
	}
	next, err := f.climbFrom(ctx, held, nil)
	if err != nil {
		return nil, err
	}
	_, d := f.x.Dims()
	if next.LogMarginalLikelihood() > held.LogMarginalLikelihood()+maxAdjustGain+float64(d*(f.n-at.n))/float64(at.n) {
		return f.multistartFit(ctx, next)
	}
	return next, nil
}

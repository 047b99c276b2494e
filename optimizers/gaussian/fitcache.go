package gaussian

import (
	"bandscope/functions/lru"
	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/optimizers"
)

// fitCache holds fits, without their data, from which later fits start. All sessions of this process share it.
var fitCache = lru.New[lru.Key](1<<20, func(g *gp.GP) int {
	lengths, _, _ := g.Describe()
	if k, ok := g.Kernel().(*kernel.Composite); ok {
		return 4096 + 8*len(k.Values())
	}
	return 256 + 8*len(lengths)
})

// cacheFit caches a fit, without its data.
func cacheFit(key lru.Key, g *gp.GP) {
	fitCache.Put(key, g.WithoutData())
}

// fitKey returns a key of everything that a fit to the first n observations depends on. which identifies the kind of
// the fit; it is empty for a cold fit.
func fitKey(in optimizers.Input, objective int, opt gp.Options, n int, which ...any) lru.Key {
	d := lru.NewDigest()
	d.Text(in.Seed, objective, in.Dim, n, in.Params.Choice(kernelKey), opt.FitNoise, opt.Noise, opt.Length, opt.Priors != nil, opt.Starts,
		opt.IndependentPriors, opt.SharedLengthscales, opt.HalveEarly)
	d.Text(which...)
	if s := scheduleFor(in.Imports(), n); s != nil {
		d.Text(s)
	}
	if p := opt.Priors; p != nil && *p != gp.WeakPriors {
		d.Text(*p)
		d.Numbers(opt.LengthFactors...)
	}
	if n < 2 || in.FixedScale { // otherwise the scale follows from the observations
		s := in.Scale(objective, n)
		d.Numbers(s.Mean, s.SD)
	}
	if in.Noise != nil {
		d.Numbers(in.Noise[objective])
	}
	x := in.Domain.Encode(in.Data.X)
	for i := range n {
		if in.Data.SE != nil {
			d.Numbers(in.Data.SE.At(i, objective))
		}
		d.Numbers(x.RawRowView(i)...)
		d.Numbers(in.Data.Y.At(i, objective))
	}
	if in.Data.Blocks != nil {
		d.Text(in.Data.Blocks[:n])
	}
	return d.Key()
}

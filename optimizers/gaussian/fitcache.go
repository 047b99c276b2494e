package gaussian

import (
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"bandscope/functions/lru"
	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/optimizers"
)

// fitCache holds fits, without their data, from which later fits start. All sessions of this process share it.
var fitCache = lru.New[lru.Key](1<<20, processSize)

// processSize is the size of a process without data, in bytes.
func processSize(g *gp.GP) int {
	lengths, _, _ := g.Describe()
	if k, ok := g.Kernel().(*kernel.Composite); ok {
		return 4096 + 8*len(k.Values())
	}
	return 256 + 8*len(lengths)
}

// cacheFit caches a fit, without its data.
func cacheFit(key lru.Key, g *gp.GP) {
	fitCache.Put(key, g.WithoutData())
}

// known returns a fit to these observations from the cache or the store of the input, without its data; nil if it is in
// neither. which identifies the kind of the fit.
func (f prefix) known(which ...any) *gp.GP {
	key := f.key(which...)
	g, cached := fitCache.Get(key)
	if !f.stored() {
		return g
	}
	if !cached {
		values, ok := f.in.Fits.Load(storeKey(key))
		if !ok {
			return nil
		}
		var err error
		g, err = gp.FromHyperparameters(len(f.in.Domain.Columns(f.in.Dim)), f.opt, values)
		if err != nil {
			return nil // not of a fit with these options
		}
		fitCache.Put(key, g)
	}
	f.in.Fits.Save(storeKey(key), g.Hyperparameters())
	return g
}

// keep puts a fit to these observations, without its data, into the cache and the store of the input.
func (f prefix) keep(g *gp.GP, which ...any) {
	key := f.key(which...)
	cacheFit(key, g)
	if f.stored() {
		f.in.Fits.Save(storeKey(key), g.Hyperparameters())
	}
}

// stored reports whether fits to these observations are stored for other processes. With fewer than refitEveryBelow
// observations, a fit builds on one earlier fit to fewer observations at most.
func (f prefix) stored() bool { return f.in.Fits != nil && f.n >= refitEveryBelow }

// storeKey is the key of a fit for all processes whose fits are the same to the last bit: those of the same program,
// built by the same compiler, that round in the same way.
func storeKey(key lru.Key) string {
	d := lru.NewDigest()
	d.Text(key, arithmetic())
	sum := d.Key()
	return hex.EncodeToString(sum[:16])
}

// arithmetic identifies this build of the program and how it computes on this processor: the vectors of a processor
// round differently from plain arithmetic, and from other vectors, and another version may search differently.
var arithmetic = sync.OnceValue(func() lru.Key {
	d := lru.NewDigest()
	d.Text(fitRevision, runtime.Version(), runtime.GOARCH)
	if info, ok := debug.ReadBuildInfo(); ok {
		d.Text(info.Main.Version)
		for _, s := range info.Settings {
			d.Text(s.Key, s.Value)
			if s.Key == "vcs.modified" && s.Value == "true" {
				d.Text(executable())
			}
		}
	}
	d.Numbers(gp.RoundingProbe()...)
	return d.Key()
})

// executable tells this program from others that were built from uncommitted changes of the same version.
func executable() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}

// fitRevision changes when fits change without a new version of the program.
const fitRevision = 1

// fitKey returns a key of everything that a fit to the first n observations depends on. which identifies the kind of
// the fit; it is empty for a cold fit.
func fitKey(in optimizers.Input, objective int, opt gp.Options, n int, which ...any) lru.Key {
	d := lru.NewDigest()
	d.Text(in.Seed, objective, in.Dim, n, in.Params.Choice(kernelKey), opt.FitNoise, opt.Noise, opt.Length, opt.Priors != nil, opt.Starts,
		opt.IndependentPriors, opt.SharedLengthscales, opt.HalveEarly)
	d.Text(which...)
	if usesInducing(in, n) {
		d.Text("sample")
	}
	if in.Fits != nil { // apart from fits of inputs without a store, such as a verification's, which are all computed
		d.Text("stored")
	}
	if s := scheduleFor(in.Data.Imports, n); s != nil {
		d.Text(s)
	}
	if p := opt.Priors; p != nil && *p != gp.WeakPriors {
		d.Text(*p)
	}
	d.Numbers(opt.LengthFactors...)
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

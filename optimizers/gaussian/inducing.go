package gaussian

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/lru"
	"bandscope/functions/numfmt"
	"bandscope/functions/rng"
	"bandscope/model/gp"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
)

// With many observations, a process is conditioned on all of them through inducing inputs (FITC: Snelson & Ghahramani
// 2006; see gp.NewInducing). TestInducingAgainstExact (-tags study) compares it with exact inference. The hyperparameters
// are those of an exact fit to a sample of the observations: the likelihood of the approximation is greatest with too
// little noise, and the variational bound of Titsias 2009 with too much (Bauer et al. 2016). The inducing inputs are the
// best results, near which a search decides, and then those of the greatest conditional variance (Burt et al. 2020).
// Results after the last check of the hyperparameters are inducing inputs too, so that the model is certain where it was
// just evaluated (Maddox et al. 2021).

// Settings of inference through inducing inputs.
const (
	maxExact      = 2000 // observations up to which inference is exact, unless the parameters say otherwise
	inducingCount = 1000 // inducing inputs, without those of new observations
	bestInducing  = 250  // of these, the best observations
	fitSample     = 1000 // observations in the sample to which hyperparameters are fitted
)

// Key and values of the parameter for the inference.
const (
	inferenceKey  = "inference"
	autoLabel     = "auto"
	exactLabel    = "exact"
	inducingLabel = "inducing"
)

// inferenceParam declares the inference.
func inferenceParam() param.Decl {
	return param.Decl{Key: inferenceKey, Label: "inference", Kind: param.Choice, Default: autoLabel,
		Choices: []string{autoLabel, exactLabel, inducingLabel},
		Help: fmt.Sprintf("Exact inference takes time that grows with the cube of the number of results. Inducing points approximate it with %d points, and hyperparameters are fitted to a sample. Auto is exact up to %d results.",
			inducingCount, maxExact),
		Source: "Snelson & Ghahramani 2006; Burt et al. 2020, §4.3 (choice of the points)"}
}

// usesInducing reports whether the process of the first n observations has inducing inputs.
func usesInducing(in optimizers.Input, n int) bool {
	if !in.Params.Has(inferenceKey) {
		return false
	}
	switch in.Params.Choice(inferenceKey) {
	case exactLabel:
		return false
	case inducingLabel:
		return n > inducingCount
	}
	return n > maxExact
}

// observations are inputs (encoded) and standardized targets, with their standard errors and blocks in the options.
type observations struct {
	x   *mat.Dense
	y   []float64
	opt gp.Options
}

// sample replaces the observations by a sample of them, one of each of fitSample stretches of equal length, for the fit
// of the hyperparameters.
func (f *prefix) sample() {
	f.all = &observations{f.x, f.y, f.opt}
	stream := rng.New(f.in.Seed, 0, "sample for hyper-parameters")
	_, d := f.x.Dims()
	f.x = mat.NewDense(fitSample, d, nil)
	f.y = nil
	f.opt.NoiseSDs = nil
	f.opt.Blocks = nil
	for k := range fitSample {
		from, end := k*f.n/fitSample, (k+1)*f.n/fitSample
		i := from + stream.IntN(end-from)
		f.x.SetRow(k, f.all.x.RawRowView(i))
		f.y = append(f.y, f.all.y[i])
		if s := f.all.opt.NoiseSDs; s != nil {
			f.opt.NoiseSDs = append(f.opt.NoiseSDs, s[i])
		}
		if b := f.all.opt.Blocks; b != nil {
			f.opt.Blocks = append(f.opt.Blocks, b[i])
		}
	}
}

// whole returns all observations.
func (f prefix) whole() observations {
	if f.all == nil {
		return observations{f.x, f.y, f.opt}
	}
	return *f.all
}

// condition is reuseHyperparameters with the process of all observations, also where the hyperparameters are fitted to a
// sample.
func (f prefix) condition(ctx context.Context, fitted prefix, g *gp.GP) (*gp.GP, error) {
	if f.all == nil {
		return f.reuseHyperparameters(fitted, g)
	}
	rows, err := fitted.inducingRows(ctx, g)
	if err != nil {
		return nil, err
	}
	rows, err = f.addNewRows(ctx, g, rows, fitted.n)
	if err != nil {
		return nil, err
	}
	k, noise, blockSD, err := f.convertHyperparameters(fitted, g)
	if err != nil {
		return nil, err
	}
	whole := f.all
	return gp.NewInducing(ctx, k, noise, whole.opt.NoiseSDs, gp.Blocks{Of: whole.opt.Blocks, SD: blockSD}, whole.x, whole.y, rows,
		func(done, total int) {
			f.in.Report("conditioning the model on all results", done, total)
		})
}

// rowsCache holds the inducing inputs of fits. All sessions of this process share it.
var rowsCache = lru.New[lru.Key](1<<20, func(rows []int) int { return 256 + 8*len(rows) })

// inducingRows returns the indices of the inducing inputs for the hyperparameters of a fit.
func (f prefix) inducingRows(ctx context.Context, g *gp.GP) ([]int, error) {
	key := f.key("inducing inputs", g.Hyperparameters())
	if rows, ok := rowsCache.Get(key); ok {
		return rows, nil
	}
	whole := f.whole()
	best := make([]int, f.n)
	for i := range best {
		best[i] = i
	}
	slices.SortStableFunc(best, func(a, b int) int { return cmp.Compare(whole.y[a], whole.y[b]) })
	rows, err := gp.SelectInducing(ctx, g.Kernel(), whole.x, best[:min(bestInducing, f.n)], inducingCount,
		func(done, total int) { f.in.Report("selecting inducing points", done, total) })
	if err == nil {
		rowsCache.Put(key, rows)
	}
	return rows, err
}

// addNewRows adds the observations from one on to the inducing inputs, except those whose values follow from the others.
func (f prefix) addNewRows(ctx context.Context, g *gp.GP, rows []int, from int) ([]int, error) {
	if from == f.n {
		return rows, nil
	}
	all := slices.Clone(rows)
	for i := from; i < f.n; i++ {
		all = append(all, i)
	}
	_, d := f.all.x.Dims()
	x, order := mat.NewDense(len(all), d, nil), make([]int, len(all))
	for k, i := range all {
		x.SetRow(k, f.all.x.RawRowView(i))
		order[k] = k
	}
	selected, err := gp.SelectInducing(ctx, g.Kernel(), x, order, len(all), nil)
	for k, i := range selected {
		selected[k] = all[i]
	}
	return selected, err
}

// describeInference says how the posterior is approximated; empty if it is exact.
func (b *Process) describeInference() string {
	m, n := b.GP.Mode().Inducing()
	if m == 0 {
		return ""
	}
	return fmt.Sprintf("approximated by %s for %s", numfmt.Count(m, "inducing point"), numfmt.Count(n, "result"))
}

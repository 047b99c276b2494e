package gaussian

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions/numfmt"
	"bandscope/functions/transform"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/normdist"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// MES is max-value entropy search.
var MES = optimizers.Register(optimizers.Spec{
	Name: "mes", Title: "MES", Family: "cost-aware", Rank: 6,
	Pending: optimizers.PendingFantasies, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsUnsupported,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "max-value entropy search: the information about the best value, ignoring costs",
	Source:  "Wang & Jegelka 2017; as the baseline of Paria 2022 (thesis), §4.6",
	Params:  append(MESParams(), Params()...),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, err := FitMES(ctx, in)
		return b, err
	},
})

// MESParams are the parameters of max-value entropy search.
func MESParams() []param.Decl {
	return []param.Decl{
		{Key: "maxima", Label: "y* sampling", Kind: param.Choice, Default: "gumbel",
			Choices: []string{"gumbel", "sampled"},
			Help:    "How the best value y* is sampled: from a Gumbel distribution fitted to its quantiles, or as the minima of posterior samples.",
			Source:  "Wang & Jegelka 2017, §3.1 (gumbel), §3.2 (sampled)"},
		{Key: "draws", Label: "y* samples", Kind: param.Integer, Default: 10, Min: 1, Max: 1000,
			Help:   "Number of samples of y* over which the information is averaged.",
			Source: "Wang & Jegelka 2017, §5 (10 to 100)"},
	}
}

// FitMES returns the belief that maximizes the information about the minimum.
func FitMES(ctx context.Context, in optimizers.Input) (acquisition.ScoredBelief, error) {
	g, err := Fit(ctx, in, 0)
	if err != nil {
		return acquisition.ScoredBelief{}, err
	}
	best, err := g.BestValues(ctx, nil)
	if err != nil {
		return acquisition.ScoredBelief{}, err
	}
	return acquisition.NewScoredBelief(ctx, MaxValueProcess{g, best},
		acquisition.Score{Name: "information about the best value (nats), higher is better", NonNegative: true,
			Learns: true,
			Value:  logMaxValueEntropy(best), Conditional: entropyGiven(best), Fantasies: entropyFantasies,
			Terms: entropyParts(best), Display: math.Exp})
}

// MaxValueProcess is a process with samples of its minimum, standardized. Its description includes the samples.
type MaxValueProcess struct {
	*Process
	Best []float64
}

func (b MaxValueProcess) Describe() optimizers.Legend {
	l := b.Process.Describe()
	text := "Gumbel"
	if b.In.Params.Choice("maxima") == "sampled" {
		text = "sample paths"
	}
	mean, sd := stat.MeanStdDev(b.Best, nil)
	best, g := b.Scale.Value(mean), transform.Transform{Sign: 1}
	if all := b.In.Transforms; all != nil && all[b.Objective].IsLog() {
		g = all[b.Objective]
		best = g.Invert(best)
	}
	drawn := numfmt.Format(best)
	if len(b.Best) > 1 {
		drawn += g.FormatSD(best, sd*b.Scale.SD, numfmt.Format)
	}
	l.Facts = append([]optimizers.Fact{{Name: "y* by", Value: text}, {Name: "y* drawn", Value: drawn}}, l.Facts...)
	return l
}

// logMaxValueEntropy returns the logarithm of the information that an evaluation gives about the minimum, averaged over
// samples y* of it (Wang & Jegelka 2017, eq. 6, for minimization): γφ(γ)/(2Φ(γ)) − log Φ(γ) with γ = (μ − y*)/σ. In the
// log domain the gradient does not vanish, however far the mean is from y*.
func logMaxValueEntropy(best []float64) func(mean, sd float64) (v, byMean, bySD float64) {
	return func(mean, sd float64) (v, byMean, bySD float64) {
		sd = max(sd, 1e-12)
		v, slopes := normdist.LogMean(best, func(y float64) (float64, [3]float64) {
			gamma := (mean - y) / sd
			v, slope := normdist.LogHalfLineLoss(gamma)
			return v, [3]float64{slope / sd, -slope * gamma / sd}
		})
		return v, slopes[0], slopes[1]
	}
}

// entropyFantasies is the number of fantasies over which the information is averaged while points are pending. Each
// fantasy uses all samples of the minimum.
const entropyFantasies = 16

// entropyGiven is the information given some known values: no sample of the minimum is above them.
func entropyGiven(best []float64) func(values []float64) func(mean, sd float64) (v, byMean, bySD float64) {
	return func(values []float64) func(mean, sd float64) (v, byMean, bySD float64) {
		minima, least := slices.Clone(best), slices.Min(values)
		for i, y := range minima {
			minima[i] = min(y, least)
		}
		return logMaxValueEntropy(minima)
	}
}

// entropyParts returns the two terms of the information, γφ(γ)/(2Φ(γ)) and −log Φ(γ), each averaged over the samples
// y*, given some known values.
func entropyParts(best []float64) func(values []float64) func(mean, sd float64) optimizers.Term {
	return func(values []float64) func(mean, sd float64) optimizers.Term {
		minima := slices.Clone(best)
		for i, y := range minima {
			minima[i] = slices.Min(append(slices.Clone(values), y))
		}
		return func(mean, sd float64) optimizers.Term {
			narrower, surprise := 0.0, 0.0
			for _, y := range minima {
				gamma := (mean - y) / max(sd, 1e-12)
				log := normdist.LogCDF(gamma)
				narrower += gamma * math.Exp(-gamma*gamma/2-normdist.LogSqrt2Pi-log) / 2
				surprise -= log
			}
			n := float64(len(minima))
			return optimizers.NewTerm("information about the best value (nats)", optimizers.OperationSum,
				optimizers.Term{Name: "−log Φ(γ), surprisal of f(x) ≥ y*", Value: surprise / n},
				optimizers.Term{Name: "γφ(γ)/2Φ(γ), truncation at y*", Value: narrower / n})
		}
	}
}

// BestValues returns samples of the minimum, standardized, by the method that the parameters choose. If full is not
// nil, they are samples of the minimum at full fidelity.
func (b *Process) BestValues(ctx context.Context, full *optimizers.Fidelity) ([]float64, error) {
	places, err := search.Candidates(ctx, search.NewSpace(b.In), b.In.Stream("places of the best value"),
		search.Incumbents(b.In.Data, 3))
	if err != nil {
		return nil, err
	}
	count, _ := places.Dims()
	for i := range count {
		full.SetFull(places.RawRowView(i))
	}
	draw := b.gumbelMinima
	if b.In.Params.Choice("maxima") == "sampled" {
		draw = b.sampledMinima
	}
	best, err := draw(ctx, places, b.In.Params.Int("draws"))
	if err != nil {
		return nil, err
	}
	least, err := b.minObserved(ctx, full)
	for i, y := range best {
		best[i] = min(y, least)
	}
	return best, err
}

// minObserved returns an upper bound of the minimum, standardized: the least of the modeled values at the observed
// points. If the noise is negligible, the bound is five noise standard deviations lower (Wang & Jegelka 2017, published
// code). Evaluations below full fidelity do not count.
func (b *Process) minObserved(ctx context.Context, full *optimizers.Fidelity) (float64, error) {
	values, err := b.ValuesAtData(ctx, b.GP.MaxNoise())
	if err != nil {
		return 0, err
	}
	least := math.Inf(1)
	for i, v := range values {
		if full.IsFull(b.In.Data.X.RawRowView(i)) {
			least = min(least, v)
		}
	}
	if !acquisition.IsNoisy(b.GP.MaxNoise()) {
		least -= 5 * b.GP.Noise()
	}
	return least, nil
}

// gumbelMinima samples the minimum, standardized, from a Gumbel distribution that is fitted to its quartiles by Pr[y* >
// y] ≈ Π Φ((μ − y)/σ) over a sample of the space. The product treats the values as independent; where they are not, y*
// is too low.
func (b *Process) gumbelMinima(ctx context.Context, places *mat.Dense, count int) ([]float64, error) {
	mean, sd, err := b.Surrogate.Predict(ctx, places)
	if err != nil {
		return nil, err
	}
	lo, hi := math.Inf(1), math.Inf(1)
	for i := range mean {
		lo, hi = min(lo, mean[i]-6*sd[i]), min(hi, mean[i]+6*sd[i])
	}
	exceeds := func(y, least float64) bool { // reports whether log Pr[y* > y], a sum of negative terms, is above least
		sum := 0.0
		for i := range mean {
			sum += normdist.LogCDF((mean[i] - y) / max(sd[i], 1e-12))
			if !(sum > least) {
				return false
			}
		}
		return true
	}
	quantile := func(p float64) float64 { // y with Pr[y* ≤ y] = p
		a, c := lo, hi
		for range 50 {
			mid := (a + c) / 2
			if exceeds(mid, math.Log1p(-p)) {
				a = mid
			} else {
				c = mid
			}
		}
		return (a + c) / 2
	}
	q1 := quantile(0.25)
	q2 := quantile(0.5)
	q3 := quantile(0.75)
	// −y* has a Gumbel distribution: Pr[−y* ≤ z] = exp(−exp(−(z − a)/s)).
	s := max((q3-q1)/(math.Log(math.Log(4))-math.Log(math.Log(4.0/3))), 1e-9)
	a := -q2 + s*math.Log(math.Log(2))
	law := distuv.GumbelRight{Mu: a, Beta: s, Src: b.In.Stream("best values")}
	best := make([]float64, count)
	for i := range best {
		best[i] = -law.Rand()
	}
	return best, nil
}

// sampledMinima returns the minima of posterior samples.
func (b *Process) sampledMinima(ctx context.Context, places *mat.Dense, count int) ([]float64, error) {
	best := make([]float64, count)
	for i := range best {
		path, err := b.GP.Path(PathFeatures, b.In.Stream("best values", uint64(i)))
		if err != nil {
			return nil, err
		}
		values, err := PathValues(ctx, path, places)
		if err != nil {
			return nil, err
		}
		best[i] = slices.Min(values)
	}
	return best, nil
}

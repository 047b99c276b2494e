package optimizers

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions/digits"
	"bandscope/optimizers/param"
)

// mes is max-value entropy search, costMES the same per unit of cost.
var (
	mes = Spec{
		Name: "mes", Title: "MES", Family: "cost-aware",
		Summary: "max-value entropy search: what an evaluation tells of the best value, whatever it costs",
		Source:  "Wang & Jegelka 2017; as the baseline of Paria 2022 (thesis), §4.6",
		Params:  append(mesParams(), gpParams()...),
		Fit: func(ctx context.Context, in Input) (Belief, error) {
			b, err := fitMES(ctx, in)
			return b, err
		},
	}
	costMES = Spec{
		Name: "cost-mes", Title: "MES per cost", Family: "cost-aware",
		Summary: "max-value entropy search per unit of cost",
		Source:  "Wang & Jegelka 2017, divided by the cost as Snoek et al. 2012, §3.2, divide EI; Cost MES of Paria 2022 (thesis), §4.6",
		Params:  append(mesParams(), gpParams()...),
		Fit: func(ctx context.Context, in Input) (Belief, error) {
			b, err := fitMES(ctx, in)
			return costed{scored: b, name: "information on the best value per cost (nats), higher is better", shown: math.Exp}, err
		},
	}
)

// mesParams are the parameters of max-value entropy search.
func mesParams() []param.Decl {
	return []param.Decl{
		{Key: "maxima", Label: "best values", Kind: param.Choice, Default: "gumbel", Choices: []string{"gumbel", "sampled"},
			Help:   "Where the draws of the best value come from: a Gumbel law fitted to its quantiles, or the minima of posterior draws.",
			Source: "Wang & Jegelka 2017, §3.1 (gumbel), §3.2 (sampled)"},
		{Key: "draws", Label: "their number", Kind: param.Integer, Default: 10, Min: 1, Max: 1000,
			Help:   "How many draws of the best value the information is averaged over.",
			Source: "Wang & Jegelka 2017, §5 (10 to 100)"},
	}
}

func fitMES(ctx context.Context, in Input) (scored, error) {
	g, err := fitGP(ctx, in, 0)
	if err != nil {
		return scored{}, err
	}
	best, err := g.bestValues(ctx, nil)
	if err != nil {
		return scored{}, err
	}
	return scored{&g.momentBelief, bestValued{g, best}, score{name: "information on the best value (nats), higher is better",
		of: logMaxValueEntropy(best), shown: math.Exp}}, nil
}

// bestValued is a process with draws of its least value, standardized, which it names beside what was fitted.
type bestValued struct {
	*gpBelief
	best []float64
}

func (b bestValued) legend() Legend {
	l := b.gpBelief.legend()
	how := "Gumbel law"
	if b.in.Params.Choice("maxima") == "sampled" {
		how = "drawn paths"
	}
	mean, sd := stat.MeanStdDev(b.best, nil)
	drawn := digits.Of(b.scale.Value(mean))
	if len(b.best) > 1 {
		drawn += " ± " + digits.Of(sd*b.scale.SD)
	}
	l.Facts = append([]Fact{{"y* by", how}, {"y* drawn", drawn}}, l.Facts...)
	return l
}

// logMaxValueEntropy is the logarithm of the information that an evaluation brings on the least value, averaged over draws y* of it (Wang & Jegelka 2017,
// eq. 6, for minimization): γφ(γ)/(2Φ(γ)) − log Φ(γ) with γ = (μ − y*)/σ. In the log domain it has a slope however far the mean is from y*.
func logMaxValueEntropy(best []float64) func(mean, sd float64) (v, byMean, bySD float64) {
	return func(mean, sd float64) (v, byMean, bySD float64) {
		sd = max(sd, 1e-12)
		v, slopes := logMean(best, func(y float64) (float64, [3]float64) {
			gamma := (mean - y) / sd
			v, slope := logHalfLineLoss(gamma)
			return v, [3]float64{slope / sd, -slope * gamma / sd}
		})
		return v, slopes[0], slopes[1]
	}
}

// logMean is the logarithm of the mean of exponentials over some draws, with up to three derivatives.
func logMean(draws []float64, of func(draw float64) (v float64, slopes [3]float64)) (v float64, slopes [3]float64) {
	top, sum := math.Inf(-1), 0.0 // Σ exp(v) = exp(top)·sum, and the derivatives weighed alike
	for _, y := range draws {
		one, by := of(y)
		w := math.Exp(one - top)
		if one > top {
			shrink := math.Exp(top - one)
			sum, w, top = sum*shrink, 1, one
			for i := range slopes {
				slopes[i] *= shrink
			}
		}
		sum += w
		for i := range slopes {
			slopes[i] += w * by[i]
		}
	}
	for i := range slopes {
		slopes[i] /= sum
	}
	return top + math.Log(sum/float64(len(draws))), slopes
}

// logHalfLineLoss is the logarithm of the entropy γφ(γ)/(2Φ(γ)) − log Φ(γ) that a standard normal law loses when it is cut to [−γ, ∞), with its derivative.
func logHalfLineLoss(gamma float64) (v, slope float64) {
	if gamma < tailFrom { // with φ/Φ = 1/m = t + k the squares of t = −γ cancel
		m, k, next := mills(-gamma)
		loss := logSqrt2Pi - math.Log(m) + gamma*k/2
		return math.Log(loss), -k * next / (2 * m * loss)
	}
	c := truncated(gamma)
	per := gamma/2 + c.surprise
	return c.log + math.Log(per), -(1 + gamma*(gamma+c.hazard)) / (2 * per)
}

// truncation is what the law of a standard normal cut to [−γ, ∞) is made of.
type truncation struct {
	hazard   float64 // φ(γ)/Φ(γ)
	log      float64 // its logarithm, which never underflows
	surprise float64 // −log Φ(γ) in units of it: 1/γ for large γ, −γ/2 for very negative ones
}

func truncated(gamma float64) truncation {
	switch {
	case gamma < tailFrom:
		m, _, _ := mills(-gamma)
		return truncation{1 / m, -math.Log(m), m * (gamma*gamma/2 + logSqrt2Pi - math.Log(m))}
	case gamma > -tailFrom:
		m, _, _ := mills(gamma)
		log := -gamma*gamma/2 - logSqrt2Pi
		q := m * math.Exp(log) // 1 − Φ, below 3e-7
		return truncation{math.Exp(log) / (1 - q), log + q, m * (1 - q) * (1 + q/2 + q*q/3)}
	}
	cdf := logCDF(gamma)
	log := -gamma*gamma/2 - logSqrt2Pi - cdf
	h := math.Exp(log)
	return truncation{h, log, -cdf / h}
}

// bestValues are draws of the least value, standardized, in the way that the parameters say; of a problem with a fidelity that counts, of the least value at
// full fidelity.
func (b *gpBelief) bestValues(ctx context.Context, full *Fidelity) ([]float64, error) {
	places := candidates(b.in.Space(), b.in.Stream("places of the best value"), incumbents(b.in.Data, 3))
	count, _ := places.Dims()
	for i := range count {
		full.raise(places.RawRowView(i))
	}
	draw := b.gumbelMinima
	if b.in.Params.Choice("maxima") == "sampled" {
		draw = b.sampledMinima
	}
	best, err := draw(ctx, places, b.in.Params.Int("draws"))
	if err != nil {
		return nil, err
	}
	least, err := b.leastSeen(ctx, full)
	for i, y := range best {
		best[i] = min(y, least)
	}
	return best, err
}

// leastSeen is what the least value cannot be above: the best that the model believes of the data, and without noise to speak of five of its standard
// deviations below (Wang & Jegelka 2017, as published with the paper). Evaluations below full fidelity are none of what is to be found.
func (b *gpBelief) leastSeen(ctx context.Context, full *Fidelity) (float64, error) {
	values, err := b.believed(ctx, b.gp.Noise() > noisyFrom)
	if err != nil {
		return 0, err
	}
	least := math.Inf(1)
	for i, v := range values {
		if full.reached(b.in.Data.X.RawRowView(i)) {
			least = min(least, v)
		}
	}
	if b.gp.Noise() <= noisyFrom {
		least -= 5 * b.gp.Noise()
	}
	return least, nil
}

// gumbelMinima draws least values, standardized: Pr[y* > y] ≈ Π Φ((μ − y)/σ) over a sample of the space, to whose quartiles a Gumbel
// law is fitted. It takes the values at the sample for independent, which puts y* too low where they are not.
func (b *gpBelief) gumbelMinima(ctx context.Context, places *mat.Dense, count int) ([]float64, error) {
	mean, sd, err := b.of.Predict(ctx, places)
	if err != nil {
		return nil, err
	}
	lo, hi := math.Inf(1), math.Inf(1)
	for i := range mean {
		lo, hi = min(lo, mean[i]-6*sd[i]), min(hi, mean[i]+6*sd[i])
	}
	above := func(y float64) float64 { // log Pr[y* > y]
		sum := 0.0
		for i := range mean {
			sum += logCDF((mean[i] - y) / max(sd[i], 1e-12))
		}
		return sum
	}
	quantile := func(p float64) float64 { // y with Pr[y* ≤ y] = p
		a, c := lo, hi
		for range 50 {
			mid := (a + c) / 2
			if above(mid) > math.Log1p(-p) {
				a = mid
			} else {
				c = mid
			}
		}
		return (a + c) / 2
	}
	q1, q2, q3 := quantile(0.25), quantile(0.5), quantile(0.75)
	// −y* follows a Gumbel law: Pr[−y* ≤ z] = exp(−exp(−(z − a)/s)).
	s := max((q3-q1)/(math.Log(math.Log(4))-math.Log(math.Log(4.0/3))), 1e-9)
	a := -q2 + s*math.Log(math.Log(2))
	law := distuv.GumbelRight{Mu: a, Beta: s, Src: b.in.Stream("best values")}
	best := make([]float64, count)
	for i := range best {
		best[i] = -law.Rand()
	}
	return best, nil
}

// sampledMinima are the least values of posterior draws.
func (b *gpBelief) sampledMinima(ctx context.Context, places *mat.Dense, count int) ([]float64, error) {
	best := make([]float64, count)
	for i := range best {
		path, err := b.gp.Path(pathFeatures, b.in.Stream("best values", uint64(i)))
		if err != nil {
			return nil, err
		}
		values, err := pathValues(ctx, path, places)
		if err != nil {
			return nil, err
		}
		best[i] = slices.Min(values)
	}
	return best, nil
}

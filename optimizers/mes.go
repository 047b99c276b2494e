package optimizers

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions/param"
)

// mes is max-value entropy search.
var mes = Spec{
	Name: "mes", Title: "MES", Family: "cost-aware",
	Summary: "max-value entropy search: what an evaluation tells of the best value, whatever it costs",
	Source:  "Wang & Jegelka 2017; as the baseline of Paria 2022 (thesis), §4.6",
	Params:  append(mesParams(), gpParams()...),
	Fit: func(ctx context.Context, in Input) (Belief, error) {
		b, err := fitMES(ctx, in)
		if err != nil {
			return nil, err
		}
		return b, nil
	},
}

// mfMES is the same per unit of cost.
var mfMES = Spec{
	Name: "mf-mes", Title: "MF-MES", Family: "cost-aware",
	Summary: "max-value entropy search per unit of cost",
	Source:  "Takeno et al. 2020, with the fidelity as an input; Cost MES of Paria 2022 (thesis), §4.6",
	Params:  append(mesParams(), gpParams()...),
	Fit: func(ctx context.Context, in Input) (Belief, error) {
		b, err := fitMES(ctx, in)
		if err != nil {
			return nil, err
		}
		s := b.score
		of := s.of
		s.of = func(mean, sd float64) (v, byMean, bySD float64) { // in the log domain, to be divided by the cost
			v, byMean, bySD = of(mean, sd)
			v = max(v, 1e-300)
			return math.Log(v), byMean / v, bySD / v
		}
		return costed{scored: scored{b.momentBelief, b.more, s}, name: "information on the best value per cost (nats), higher is better", shown: math.Exp}, nil
	},
}

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
	draw := g.gumbelMinima
	if in.Params.Choice("maxima") == "sampled" {
		draw = g.sampledMinima
	}
	best, err := draw(ctx, in.Params.Int("draws"))
	if err != nil {
		return scored{}, err
	}
	return scored{&g.momentBelief, g, score{name: "information on the best value (nats), higher is better", of: maxValueEntropy(best), shown: func(v float64) float64 { return v }}}, nil
}

// maxValueEntropy is the information that an evaluation brings on the least value, averaged over draws y* of it (Wang & Jegelka 2017, eq. 6, for minimization):
// γφ(γ)/(2Φ(γ)) − log Φ(γ) with γ = (μ − y*)/σ.
func maxValueEntropy(best []float64) func(mean, sd float64) (v, byMean, bySD float64) {
	return func(mean, sd float64) (v, byMean, bySD float64) {
		sd = max(sd, 1e-12)
		for _, y := range best {
			gamma := (mean - y) / sd
			log := logCDF(gamma)
			h := math.Exp(-gamma*gamma/2-log) / math.Sqrt(2*math.Pi) // φ/Φ
			slope := -h/2 - gamma*h*(gamma+h)/2
			v += gamma*h/2 - log
			byMean += slope / sd
			bySD -= slope * gamma / sd
		}
		n := float64(len(best))
		return v / n, byMean / n, bySD / n
	}
}

// logCDF is the logarithm of the standard normal distribution function, also far in its tail.
func logCDF(z float64) float64 {
	if z > -10 {
		return math.Log(math.Erfc(-z/math.Sqrt2) / 2)
	}
	return -z*z/2 - math.Log(-z) - 0.5*math.Log(2*math.Pi) + math.Log1p(-1/(z*z)+3/(z*z*z*z))
}

// minimaPlaces is the sample of the space over which the least value is looked for.
func (b *gpBelief) minimaPlaces() *mat.Dense {
	return candidates(b.in.Space(), b.in.Stream("places of the best value"), incumbents(b.in.Data, 3))
}

// gumbelMinima draws least values, standardized: Pr[y* > y] ≈ Π Φ((μ − y)/σ) over a sample of the space, to whose quartiles a Gumbel law is fitted.
func (b *gpBelief) gumbelMinima(ctx context.Context, count int) ([]float64, error) {
	mean, sd, err := b.of.Predict(ctx, b.minimaPlaces())
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
	return b.below(best), nil
}

// sampledMinima are the least values of posterior draws.
func (b *gpBelief) sampledMinima(ctx context.Context, count int) ([]float64, error) {
	best := make([]float64, count)
	places := b.minimaPlaces()
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
	return b.below(best), nil
}

// below keeps draws of the least value under what was observed, where that has no noise to speak of.
func (b *gpBelief) below(best []float64) []float64 {
	if b.in.Data.Len() == 0 {
		return best
	}
	least := slices.Min(b.scale.Apply(b.in.Data.Column(0)))
	for i, y := range best {
		best[i] = min(y, least-5*b.gp.Noise())
	}
	return best
}

package costaware

import (
	"context"
	"fmt"
	"math"

	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/param"
)

// IDS is information-directed sampling, which ignores costs. With the bounds of §4.4 of the thesis the ratio is
// smallest, and equal to β, where the confidence bound is smallest: so it chooses the same points as GP-UCB.
var IDS = optimizers.Register(optimizers.Spec{
	Name: "ids", Title: "IDS", Family: "cost-aware", Rank: 2,
	Pending: optimizers.PendingBand, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsUnsupported,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "information-directed sampling: minimizes the squared regret per information, ignoring costs",
	Source:  "Paria 2022 (thesis), eq. 4.2 with the bounds of §4.4; Russo & Van Roy 2014",
	Params:  append(acquisition.BetaParams(), gaussian.Params()...),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, _, err := fitRatio(ctx, in)
		if err != nil {
			return nil, err
		}
		b.In.Cost = nil
		b.name = "information ratio (log10), lower is better"
		return b, nil
	},
})

// CostIDS is cost-aware information-directed sampling.
var CostIDS = optimizers.Register(optimizers.Spec{
	Name: "cost-ids", Title: "CostIDS", Family: "cost-aware", Rank: 1,
	Pending: optimizers.PendingBand, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsUnsupported,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "minimizes cost × squared regret per information, among points with nearly the smallest information ratio",
	Source:  "Paria 2022 (thesis), eq. 4.4 and 4.5",
	Params: append([]param.Decl{
		{Key: "rho", Label: "ρ tolerance", Kind: param.Number, Default: 2.0, Min: 1.0001, Max: 1e6, Log: true,
			Help:   "Largest information ratio of a point, relative to the minimum. Costs weigh more with a larger ρ.",
			Source: "Paria 2022 (thesis), eq. 4.5: ρ > 1, set by the user"},
		{Key: "rho_inf", Label: "ρ = ∞", Kind: param.Switch, Default: false,
			Help:   "Remove the constraint, to see why it is needed: the method then chooses ever cheaper points without information.",
			Source: "Paria 2022 (thesis), §4.4"},
	}, append(acquisition.BetaParams(), gaussian.Params()...)...),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		b, beta, err := fitRatio(ctx, in)
		if err != nil {
			return nil, err
		}
		b.name = "cost × information ratio (log10), lower is better"
		rho := in.Params.Number("rho")
		if !in.Params.Switch("rho_inf") {
			b.limit = func(v float64) bool { return -v <= math.Log(rho*beta)+1e-9 }
			b.name += fmt.Sprintf("; where R ≤ %s R*", numfmt.Exact(rho))
		}
		return costIDSBelief{b, math.Log(beta)}, nil
	},
})

// fitRatio is the belief with the information ratio R(x) = (μ(x) − L)²/σ(x)², where L is the smallest lower confidence
// bound (for minimization; eq. 4.4). Its minimum is β: at every x, μ − √β σ ≥ L.
func fitRatio(ctx context.Context, in optimizers.Input) (b perCostBelief, beta float64, err error) {
	g, err := gaussian.Fit(ctx, in, 0)
	if err != nil {
		return b, 0, err
	}
	beta = acquisition.Beta(in)
	bound, err := acquisition.NewScoredBelief(ctx, g, g.LowerBound(math.Sqrt(beta)))
	if err != nil {
		return b, 0, err
	}
	first, err := bound.Suggest(ctx)
	if err != nil {
		return b, 0, err
	}
	values, err := bound.Target().Values(ctx, first.X)
	if err != nil {
		return b, 0, err
	}
	least := -values[0] // L, standardized
	s := acquisition.Score{LowerIsBetter: true, Value: func(mean, sd float64) (v, byMean, bySD float64) {
		away, sd := max(mean-least, 1e-12), max(sd, 1e-9)
		return 2 * (math.Log(sd) - math.Log(away)), -2 / away, 2 / sd
	}}
	s.Terms = func([]float64) func(mean, sd float64) optimizers.Term {
		return func(mean, sd float64) optimizers.Term {
			away, sd := max(mean-least, 1e-12)*g.Scale.SD, max(sd, 1e-9)*g.Scale.SD
			return acquisition.SumOfLogs("information ratio (log10)",
				optimizers.Term{Name: fmt.Sprintf("regret (μ − L)², μ − L = %s", numfmt.Format(away)),
					Value: away * away},
				optimizers.Term{Name: fmt.Sprintf("1 / information σ², σ = %s", numfmt.Format(sd)),
					Value: 1 / (sd * sd)})
		}
	}
	scored, err := acquisition.NewScoredBelief(ctx, g, s)
	return perCostBelief{ScoredBelief: scored, logScale: true, start: first.X, shown: func(v float64) float64 {
		return -v / math.Ln10
	}}, beta, err
}

// costIDSBelief adds a note to suggestions that cost little and give no information.
type costIDSBelief struct {
	perCostBelief
	minLogRatio float64 // log R*
}

// degenerateRatio is the information ratio of a suggestion, relative to the minimum, from which on it gets a note that
// it gives little information.
const degenerateRatio = 10

// Suggest minimizes the ratio times the cost, with a note if there is no constraint and it would have mattered.
func (b costIDSBelief) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	s, err := b.perCostBelief.Suggest(ctx)
	if err != nil || b.limit != nil {
		return s, err
	}
	v, err := b.Target().Values(ctx, s.X)
	if err != nil {
		return s, err
	}
	if times := math.Exp(-v[0] - b.minLogRatio); times > degenerateRatio {
		note := fmt.Sprintf("a cheap point with little information: its information ratio is %s times the minimum; a finite ρ prevents this", numfmt.Format(times))
		if s.Note != "" {
			note = s.Note + "; " + note
		}
		s.Note = note
	}
	return s, nil
}

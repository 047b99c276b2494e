package multiobjective

import (
	"context"
	"math"

	"bandscope/functions/pareto"
	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/param"
	"bandscope/optimizers/weights"
)

// SMSEGO maximizes the hypervolume that the objectives' confidence bounds would add.
var SMSEGO = optimizers.Register(optimizers.Spec{
	Name: "smsego", Title: "SMS-EGO", Family: "several objectives", Rank: 4, Multi: true,
	Pending: optimizers.PendingBeliever, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByBounds,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "hypervolume improvement of the objectives' confidence bounds",
	Source:  "Ponweiser et al. 2008; as the baseline of Paria 2022 (thesis), ch. 2",
	Params: append([]param.Decl{{Key: "gain", Label: "α of the bound", Kind: param.Number, Default: 1.0, Min: 0.01,
		Max: 10, Log: true,
		Help: "Number of standard deviations between the mean and the bound.", Source: "Ponweiser et al. 2008, §3"}},
		gaussian.Params()...),
	ScoringParams: weights.ScoringParams(), Check: weights.Check, Fit: fitSMS,
})

func fitSMS(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
	b, err := fitFront(ctx, in, "hypervolume of the bounds")
	if err != nil {
		return nil, err
	}
	factor, near := in.Params.Number("gain"), b.epsilons()
	b.gain = func(mean, sd []float64) float64 {
		bound := make([]float64, len(mean))
		for k := range bound {
			bound[k] = mean[k] - factor*sd[k]
		}
		return b.hypervolumeGain(bound, near)
	}
	return b, nil
}

// epsilons returns ε of every objective: how much worse than a bound a point of the front may be and still count as
// dominating it. It is the range of the front divided by the number of its points and of those that may still be added
// (Ponweiser et al. 2008, §3, with c = 1 − 2^−K).
func (b *frontBelief) epsilons() []float64 {
	k := len(b.reference)
	near := make([]float64, k)
	if len(b.front) == 0 {
		return near
	}
	lo, hi := pareto.Range(b.front, k)
	count := float64(len(b.front)) + (1-math.Pow(2, -float64(k)))*float64(max(b.in.Budget-b.in.Step, 0))
	for j := range near {
		if len(b.front) > 1 {
			near[j] = (hi[j] - lo[j]) / count
		}
	}
	return near
}

// hypervolumeGain returns the hypervolume that a point p adds to the front. If points f of the front ε-dominate p, it
// returns minus the greatest Π(1 + max(0, p_k − f_k)) − 1 of these instead, which leads the search to the front
// (Ponweiser et al. 2008, §3).
func (b *frontBelief) hypervolumeGain(point, near []float64) float64 {
	if len(point) == 1 {
		return -point[0]
	}
	penalty, dominated := 0.0, false
	for _, f := range b.front {
		product, under := 1.0, true
		for k, v := range point {
			under = under && f[k] <= v+near[k]
			product *= 1 + math.Max(v-f[k], 0)
		}
		if under {
			penalty, dominated = math.Max(penalty, product-1), true
		}
	}
	if dominated {
		return -penalty
	}
	return pareto.HypervolumeImprovement(point, b.front, b.reference)
}

package optimizers

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/param"
)

// gpUCB is the confidence-bound method; minimizing, the bound is the lower one.
var gpUCB = Spec{
	Name: "gp-ucb", Title: "GP-UCB", Family: "Gaussian process",
	Summary: "Gaussian process with a lower confidence bound",
	Source:  "Srinivas et al. 2010; β of Paria 2022 (thesis), §2.7",
	Params:  append(betaParams(), gpParams()...),
	Fit: func(ctx context.Context, in Input) (Belief, error) {
		g, scale, err := fitGP(ctx, in, 0)
		if err != nil {
			return nil, err
		}
		return &ucbBelief{gpBelief: gpBelief{in: in, gp: g, scale: scale}, root: math.Sqrt(betaOf(in))}, nil
	},
}

// betaParams are the parameters of a confidence bound.
func betaParams() []param.Decl {
	return []param.Decl{
		{Key: "beta", Label: "β schedule", Kind: param.Choice, Default: "thesis", Choices: []string{"thesis", "d-log"},
			Help:   "How β grows with the iteration t: 0.125 log(2t+1), or d log(t+1).",
			Source: "Paria 2022 (thesis), §2.7 (thesis); Srinivas et al. 2010, up to constants (d-log)"},
		{Key: "beta_scale", Label: "β factor", Kind: param.Number, Default: 1.0, Min: 0.001, Max: 1000, Log: true,
			Help:   "A factor on β: more explores more.",
			Source: "1 is the schedule as published"},
	}
}

// betaOf is β_t at the iteration t = Step+1.
func betaOf(in Input) float64 {
	t := float64(in.Step + 1)
	beta := 0.125 * math.Log(2*t+1)
	if in.Params.Choice("beta") == "d-log" {
		beta = float64(in.Dim) * math.Log(t+1)
	}
	return beta * in.Params.Number("beta_scale")
}

type ucbBelief struct {
	gpBelief
	root float64 // √β
}

func (b *ucbBelief) Legend() Legend {
	l := b.legend()
	l.Acquisition, l.Lower = fmt.Sprintf("mean − %.2f sd, lower is better", b.root), true
	return l
}

// Acquisition is the lower confidence bound μ − √β σ in the objective's units.
func (b *ucbBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	values, err := b.bound(ctx, X)
	for i, v := range values {
		values[i] = b.scale.Value(-v)
	}
	return values, err
}

// bound is the negated lower bound, standardized.
func (b *ucbBelief) bound(ctx context.Context, X *mat.Dense) ([]float64, error) {
	mean, sd, err := b.gp.Predict(ctx, X)
	for i := range mean {
		mean[i] = b.root*sd[i] - mean[i]
	}
	return mean, err
}

func (b *ucbBelief) Suggest(ctx context.Context) (Suggestion, error) {
	dmean, dsd := make([]float64, b.in.Dim), make([]float64, b.in.Dim)
	return b.suggest(ctx, Target{
		Values: b.bound,
		Gradient: func(x, grad []float64) float64 {
			mean, sd := b.gp.Gradient(x, dmean, dsd)
			for j := range grad {
				grad[j] = b.root*dsd[j] - dmean[j]
			}
			return b.root*sd - mean
		},
	}, func(v float64) float64 { return b.scale.Value(-v) })
}

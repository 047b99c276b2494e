package acquisition

import (
	"math"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
)

// BetaParams are the parameters of a confidence bound.
func BetaParams() []param.Decl {
	return []param.Decl{
		{Key: "beta", Label: "β schedule", Kind: param.Choice, Default: "thesis", Choices: []string{"thesis", "d-log"},
			Help:   "How β grows with the iteration t: 0.125 log(2t+1) (thesis) or d log(t+1) (d-log).",
			Source: "Paria 2022 (thesis), §2.7 (thesis); Srinivas et al. 2010, up to constants (d-log)"},
		{Key: "beta_scale", Label: "β factor", Kind: param.Number, Default: 1.0, Min: 0.001, Max: 1000, Log: true,
			Help:   "Multiplies β. A larger factor explores more.",
			Source: "1 is the schedule as published"},
	}
}

// Beta returns β_t at the iteration t = Step+1.
func Beta(in optimizers.Input) float64 {
	t := float64(in.Step + 1)
	beta := 0.125 * math.Log(2*t+1)
	if in.Params.Choice("beta") == "d-log" {
		beta = float64(in.Dim) * math.Log(t+1)
	}
	return beta * in.Params.Number("beta_scale")
}

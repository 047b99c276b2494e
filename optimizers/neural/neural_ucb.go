package neural

import (
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// NeuralUCB minimizes f(x; θ_t) − γ√(λ g(x; θ_t)ᵀZ⁻¹g(x; θ_t)/m), Z = λI + Σ g(x_i; θ)g(x_i; θ)ᵀ/m. The factor λ, which
// Zhou et al. 2020, Alg. 1, leave to γ, is that of Zhang et al. 2021; with it γσ is γ times the prior's where there are
// no data.
//
// Published, each x_i enters Z with the gradient at the parameters by which it was chosen, θ_{i−1}. A belief being a
// function of the data alone, that takes n trainings a step; so the default takes all gradients at θ_t, the parameters
// whose linearization σ is meant for, and "published" is a choice.
var NeuralUCB = optimizers.Register(optimizers.Spec{
	Name: "neural-ucb", Title: "NeuralUCB", Family: "neural network", Rank: 8,
	Pending: optimizers.PendingBand, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByBounds,
	Levels: optimizers.LevelsInNetwork, Constraints: optimizers.FeasibleOnly,
	Summary: "lower confidence bound: a trained network minus the uncertainty of its current gradients",
	Source:  "Zhou et al. 2020, Alg. 1; as the baseline of Paria et al. 2022, App. F.1",
	Params: append(append([]param.Decl{
		{Key: "gamma", Label: "γ exploration", Kind: param.Number, Default: 1.0, Min: 0.0001, Max: 1000, Log: true,
			Help:   "Multiplies the width of the confidence interval. A larger factor explores more.",
			Source: "Paria et al. 2022, App. F.2: chosen from 0.01, 0.1 and 1"}},
		banditParams()...), search.Params()...),
	Fit: fitGradients(gradientMethod{factor: "gamma"}),
})

// banditParams are the parameters that NeuralUCB and NeuralTS share.
func banditParams() []param.Decl {
	return append([]param.Decl{
		{Key: "lambda", Role: optimizers.RoleAssumption, Label: "λ regularizer", Kind: param.Number, Default: 0.001,
			Min: 1e-6, Max: 100, Log: true,
			Help:   "Weight of the penalty on the distance from initialization, and noise variance of the linear model of the gradients, for standardized targets.",
			Source: "Paria et al. 2022, App. F.2: chosen from 10⁻⁵ to 10⁻²"},
		{Key: "matrix", Label: "matrix Z", Kind: param.Choice, Default: fullMatrix,
			Choices: []string{fullMatrix, diagMatrix},
			Help:    "The full matrix, by an n×n system, or only its diagonal, as in the published code, which ignores correlations between parameters.",
			Source:  "Zhou et al. 2020, Alg. 1 (full), §7 (diagonal); Dai et al. 2022, §5.5, discuss the error"},
		{Key: "gradients", Label: "past gradients", Kind: param.Choice, Default: gradsCurrent,
			Choices: []string{gradsCurrent, gradsOriginal},
			Help:    "The gradients in Z: all of the current network, or, as published, each of the network that suggested its point, which takes n trainings per step.",
			Source:  "Zhou et al. 2020, Alg. 1 (published)"}},
		param.WithDefaults(gradientParams(), "Zhou et al. 2020; Paria et al. 2022, App. F.2: two layers of 20",
			map[string]any{"width": 20, "depth": 2})...)
}

package neural

import (
	"bandscope/model/nn"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// NeuralBO is Thompson sampling around a trained network, with the uncertainty of a linear model in the network's
// gradients at its initialization: f̃ ~ N(h(x; θ_t), ν²σ_t²(x)), σ_t² = λ g(x; θ₀)ᵀU⁻¹g(x; θ₀)/m, U = λI + Σ g gᵀ/m.
// Targets are minimized and standardized.
//
// The paper samples f̃ at each point independently, which among many points chooses an extreme one and is not a
// function; here f̃ is sampled jointly, with covariance ν²λ g(x)ᵀU⁻¹g(x')/m, as f̃ = h + ν(g/√m)·w, w ~ N(0, λU⁻¹), and
// its minimum is refined by gradient.
//
// As the last layer starts at 0 (§4), the gradients at θ₀ are those of the last layer alone: the features are the
// hidden units.
//
// The paper trains by 50 epochs of SGD in batches of 50 at the rate 0.001 (§7). It does not say whether the loss of a
// batch is summed, as in Alg. 2, or averaged. Summed, the steps are too long from some tens of data on: for 50 data of
// Branin–Hoo the objective ends at 1,073, from 50 at the start (Σ of squares and penalty); averaged, as it is here, it
// is stable but leaves 0.85 of the targets' standard deviation. So the default is the minimum of Alg. 2's objective, by
// Gauss–Newton.
var NeuralBO = optimizers.Register(optimizers.Spec{
	Name: "neural-bo", Title: "NeuralBO", Family: "neural network", Rank: 7,
	Pending: optimizers.PendingDraws, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByDraws,
	Levels: optimizers.LevelsInNetwork, Constraints: optimizers.FeasibleOnly,
	Summary: "Thompson sampling: a trained network plus a random function that is linear in its initial gradients",
	Source:  "Phan-Trong et al. 2023, Alg. 1 and 2",
	Params: append(append([]param.Decl{
		{Key: "nu", Label: "ν exploration", Kind: param.Number, Default: 1.0, Min: 0.001, Max: 1000, Log: true,
			Help:   "Multiplies σ. A larger factor explores more.",
			Source: "Phan-Trong et al. 2023, §7, choose from 0.1, 1 and 10"},
		{Key: "lambda", Role: optimizers.RoleAssumption, Label: "λ regularizer", Kind: param.Number, Default: 1e-6,
			Min: 1e-8, Max: 100, Log: true,
			Help:   "Weight of the penalty on the distance from initialization, and noise variance of the linear model, for standardized targets. A smaller λ follows the data more closely.",
			Source: "Phan-Trong et al. 2023, §7, use 0.01 for noisy values, a noise of a tenth of the standard deviation of the targets; without noise, 0.01 hides the minimum"}},
		param.WithDefaults(param.WithDefaults(gradientParams(), "Phan-Trong et al. 2023, §7",
			map[string]any{"width": 500}),
			"Phan-Trong et al. 2023, §4; with weights of variance 2/m, bounded units are nearly linear and the search goes to corners",
			map[string]any{"activation": string(nn.ReLU)})...), search.Params()...),
	Fit: fitGradients(gradientMethod{zero: true, factor: "nu", sample: true}),
})

package neural

import (
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// NeuralTS is NeuralUCB's Thompson sampling: values are N(f(x; θ_t), ν²σ_t²(x)), σ_t² = λ g(x; θ_t)ᵀU⁻¹g(x; θ_t)/m. The
// paper samples each arm's value independently; here the function is sampled jointly, f + ν(g/√m)·w with w ~ N(0, λU⁻¹)
// or, by the diagonal approximation, w ~ N(0, λ diag(U)⁻¹), which gives every point the same distribution and the
// sample a minimum to search for.
var NeuralTS = optimizers.Register(optimizers.Spec{
	Name: "neural-ts", Title: "NeuralTS", Family: "neural network", Rank: 9,
	Pending: optimizers.PendingDraws, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByDraws,
	Levels: optimizers.LevelsInNetwork, Constraints: optimizers.FeasibleOnly,
	Summary: "Thompson sampling: a trained network plus a random function that is linear in its current gradients",
	Source:  "Zhang et al. 2021, Alg. 1; as the baseline of Dai et al. 2022, §5",
	Params: append(append([]param.Decl{
		{Key: "nu", Label: "ν exploration", Kind: param.Number, Default: 0.5, Min: 0.0001, Max: 1000, Log: true,
			Help:   "Multiplies σ. A larger factor explores more; 1 samples the posterior of the linear model.",
			Source: "Zhang et al. 2021, Alg. 1, tune it; for standardized targets the prior variance is 6 with 1, and 1.5 with 0.5"}},
		banditParams()...), search.Params()...),
	Fit: fitGradients(gradientMethod{factor: "nu", sample: true}),
})

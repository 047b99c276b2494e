package neural

import (
	"fmt"

	"bandscope/model/nn"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// STOBNTS samples a batch of posterior functions under the NTK, each by one training (sample-then-optimize), and
// minimizes each.
var STOBNTS = optimizers.Register(optimizers.Spec{
	Name: "sto-bnts", Title: "STO-BNTS", Family: "neural network", Rank: 3,
	Pending: optimizers.PendingDraws, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByDraws,
	Levels: optimizers.LevelsInNetwork, Constraints: optimizers.FeasibleOnly,
	Summary: "Thompson sampling by training: a batch of networks, each a posterior sample under the NTK",
	Source:  "Dai et al. 2022, Alg. 1",
	Params:  append(stoParams(), search.Params()...),
	Fit:     fitNetworks(builder{build: nn.PosteriorSMB, label: "trained network with δ"}),
})

// STOBNTSLinear samples the batch exactly, from the posterior under the empirical NTK of a random network, in closed
// form.
var STOBNTSLinear = optimizers.Register(optimizers.Spec{
	Name: "sto-bnts-linear", Title: "STO-BNTS-Linear", Family: "neural network", Rank: 4,
	Pending: optimizers.PendingDraws, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByDraws,
	Levels: optimizers.LevelsInNetwork, Constraints: optimizers.FeasibleOnly,
	Summary: "Thompson sampling under the empirical NTK of a random network, exact at any width",
	Source:  "Dai et al. 2022, Alg. 2",
	Params:  append(param.Without(stoParams(), "trainer", "epochs", "rate", "linear"), search.Params()...),
	Fit:     fitNetworks(builder{build: nn.LinearSMB, label: "linearized network"}),
})

// DeepEnsemble is STO-BNTS without the random function and without the regularizer: plain networks, each trained from
// its own initialization.
var DeepEnsemble = optimizers.Register(optimizers.Spec{
	Name: "deep-ensemble", Title: "Deep Ensemble", Family: "neural network", Rank: 5,
	Pending: optimizers.PendingDraws, Errors: optimizers.ErrorsAsWeights, Limits: optimizers.LimitsByDraws,
	Levels: optimizers.LevelsInNetwork, Constraints: optimizers.FeasibleOnly,
	Summary: "like sto-bnts without the random function: each suggestion minimizes a plain network",
	Source:  "Dai et al. 2022, §5.1",
	Params: append(param.WithDefaults(param.Without(stoParams(), "sigma2", "perturb", "distance"),
		"Paria et al. 2022, App. F.2; plain networks differ little from each other and need their full scale",
		map[string]any{"nu": 1.0}), search.Params()...),
	Fit: fitNetworks(builder{build: nn.SimpleSMB, label: "trained network"}),
})

// stoParams are the parameters of Dai et al. 2022, with their recommended network for any dimension; their synthetic
// experiment in one dimension has 8 layers of 64 erf units.
//
// The defaults of ν and σ² are not the paper's. With its weights the prior variance of standardized targets is 16 with
// ReLU units and 7 with erf units, so that with ν = 1 a sample varies by several times the range of the data, and its
// minimum is far from them long after they show where to search; samples of ReLU networks are also as rough as random
// walks. A sample with ν = 1/4 has a prior variance of about one. On Hartmann-6 STO-BNTS-Linear with 64 units ends at
// 0.91 with ν = 1, σ² = 10⁻⁴ and at 0.005 with ν = 1/4; on Branin–Hoo at 0.16 and 0.0007 (medians of three and four
// seeds, 50 evaluations, erf). In one input data are soon dense, and a narrow prior misses valleys between them: on
// samples of a Gaussian process (Dai et al. 2022, fig. 1d) STO-BNTS-Linear ends at 1e-6 with ν = 1 and at 0.05 with ν =
// 1/2, in the median of six seeds; with ν = 1/4 random search ends lower. In one input ν is 1, as in the paper.
func stoParams() []param.Decl {
	paper := "Dai et al. 2022, §5"
	batch := param.Decl{Key: "batch", Label: "batch B", Kind: param.Integer, Default: 1, Min: 1, Max: 64,
		Help:   "Number of points that are suggested and evaluated at once. Each minimizes its own sample.",
		Source: "Dai et al. 2022, Alg. 1"}
	scales := []param.Decl{batch, optimizers.InputsParam(),
		{Key: "sigma_w", Label: "σ_W weight scale", Kind: param.Number, Default: 1.5, Min: 0.1, Max: 20, Log: true,
			Help: "Scale of the weights at initialization.", Source: "the code published with Dai et al. 2022"},
		{Key: "sigma_b", Label: "σ_b bias scale", Kind: param.Number, Default: 1.0, Min: 0, Max: 20,
			Help:   "Scale of the biases at initialization. With a scale near 0, networks are straight lines along every ray from the center of the domain.",
			Source: "0.05 in the code published with Dai et al. 2022, for inputs that are not centered"}}
	keep := param.WithDefaults(param.Without(Params(), "gamma", "auto_gamma", "start"), paper,
		map[string]any{"width": 256, "depth": 2})
	keep = param.WithDefaults(keep, "Dai et al. 2022, App. F: erf for smooth functions, ReLU in the real-world experiments", map[string]any{"activation": string(nn.Erf)})
	keep = param.WithDefaults(keep, "1 in Dai et al. 2022, App. F (β_t); a prior variance of about one",
		map[string]any{"nu": 1.0})
	keep = param.WithDefaults(keep, "0.01 in the code published with Dai et al. 2022", map[string]any{"sigma2": 0.001})
	return append(scales, withNuByInputs(keep, 2)...)
}

// manyInputsNu is the default ν for many inputs: a prior variance of about one.
const manyInputsNu = 0.25

// withNuByInputs makes the default of ν depend on the number of inputs: 1 for fewer than many, manyInputsNu from there
// on. For posterior-greedy that is also not the paper's default, which is 1: its tanh networks too have a prior
// variance of several times that of standardized targets, and no γ in the paper's range compensates for that. On
// Styblinski and Tang's function in 10 inputs it ends after 200 evaluations at 185, 176 and 185 with ν = 1, at 196 and
// 176 with γ = 0.5, and at 42, 42 and 85 with ν = 1/4, where random search has 136; on Hartmann's in 6 after 100 at
// 0.03 and 0.009, and at 6e-5 and 1e-5 (two other seeds). Levy's in 15, Ackley's in 20 and Schwefel's in 3 are the same
// within the spread of two seeds.
func withNuByInputs(decls []param.Decl, many int) []param.Decl {
	for i, d := range decls {
		if d.Key == "nu" {
			decls[i].ByInputs = func(inputs int) any {
				if inputs >= many {
					return manyInputsNu
				}
				return 1.0
			}
			decls[i].Help += fmt.Sprintf(" The default is 1 for fewer than %d inputs and %g for more.",
				many, manyInputsNu)
		}
	}
	return decls
}

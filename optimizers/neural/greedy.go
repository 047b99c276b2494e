package neural

import (
	"bandscope/model/nn"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// Greedy minimizes one freshly trained network. Its belief shows other networks that could have been trained.
var Greedy = optimizers.Register(optimizers.Spec{
	Name: "neural-greedy", Title: "Neural Greedy", Family: "neural network", Rank: 1,
	Pending: optimizers.PendingDraws, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByDraws,
	Levels: optimizers.LevelsInNetwork, Constraints: optimizers.FeasibleOnly,
	Summary: "suggests the minimum of one wide network, trained from scratch at every step",
	Source:  "Paria et al. 2022, Alg. 1 and 2; Nadigatla 2022, Alg. 3",
	Params:  append(greedyParams(), search.Params()...),
	Fit:     fitNetworks(builder{build: nn.SimpleSMB, label: "trained network"}),
})

// PosteriorGreedy minimizes one sample of PosteriorSMB.
var PosteriorGreedy = optimizers.Register(optimizers.Spec{
	Name: "posterior-greedy", Title: "Posterior Greedy", Family: "neural network", Rank: 2,
	Pending: optimizers.PendingDraws, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsByDraws,
	Levels: optimizers.LevelsInNetwork, Constraints: optimizers.FeasibleOnly,
	Summary: "like neural-greedy, plus a random function that makes the network a posterior sample under the NTK",
	Source:  "Paria et al. 2022, Alg. 3",
	Params:  append(withNuByInputs(param.Without(greedyParams(), "start"), fixedInputs+1), search.Params()...),
	Fit:     fitNetworks(builder{build: nn.PosteriorSMB, label: "trained network with δ"}),
})

// fixedInputs is the number of inputs up to which γ is firstGamma by default.
const (
	fixedInputs = 2
	firstGamma  = 2.0
)

// maxGamma is the largest default γ for a number of inputs, whatever the evidence: 15/d, and at least 0.2, below which
// the evidence is not computed. In three inputs it is 5, the end of the range in which the papers tune it. The evidence
// finds how rough the function is, including its ripples, which takes more data than there are in many inputs: smoother
// networks find the valley that contains the ripples.
func maxGamma(inputs int) float64 { return max(15/float64(inputs), 0.2) }

// greedyParams are Params with γ fitted by the evidence in more than two inputs (Paria et al. 2022, App. G; Nadigatla
// 2022, ch. 7), up to maxGamma. No fixed γ works for all functions of many inputs: the evidence chooses about 1.8 for
// Hartmann's in 6, 1.7 for Styblinski and Tang's in 10, and 3.5 for Schwefel's in 3 and Ackley's in 5. If γ should be
// very different from 2, the method with γ = 2 is no better than random search: on Styblinski and Tang's function, the
// median regret after 80 evaluations is 162 with γ = 2, 59 with the fitted γ, and 156 for random search (the guide
// "defaults" has the others). In one and two inputs γ is 2.
func greedyParams() []param.Decl {
	decls := Params()
	for i, d := range decls {
		if d.Key == "gamma" {
			decls[i].Zero = true
			decls[i].ByInputs = func(inputs int) any {
				if inputs > fixedInputs {
					return 0.0
				}
				return firstGamma
			}
			decls[i].Help = "Scale of the weights and biases at initialization. A larger γ gives rougher functions. 0 fits γ to the data, up to 15/d for d inputs. The default is 2 for one or two inputs and 0 for more."
			decls[i].Source = "Paria et al. 2022, App. F.2: tuned in [0.5, 5]; App. G (marginal likelihood)"
		}
	}
	return decls
}

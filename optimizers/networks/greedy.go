package networks

import (
	"bandscope/model/nn"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// Greedy minimizes one freshly trained network. Its belief shows the networks that it could have trained as well.
var Greedy = optimizers.Spec{
	Name: "neural-greedy", Title: "Neural Greedy", Family: "neural network",
	Pending: optimizers.ByDrawing, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.ByDrawnLimits,
	Levels: optimizers.LevelsInNetwork, Constraints: optimizers.FeasibleOnly,
	Summary: "the minimum of one wide network, trained from scratch every time",
	Source:  "Paria et al. 2022, Alg. 1 and 2; Nadigatla 2022, Alg. 3",
	Params:  append(Params(), search.DesignParams()...),
	Fit:     fitNetworks(builder{build: nn.SimpleSMB, one: "trained network"}),
}

// PosteriorGreedy minimizes one draw of PosteriorSMB.
var PosteriorGreedy = optimizers.Spec{
	Name: "posterior-greedy", Title: "Posterior Greedy", Family: "neural network",
	Pending: optimizers.ByDrawing, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.ByDrawnLimits,
	Levels: optimizers.LevelsInNetwork, Constraints: optimizers.FeasibleOnly,
	Summary: "as neural-greedy, with a random function added that makes the network a posterior sample under the NTK",
	Source:  "Paria et al. 2022, Alg. 3",
	Params:  append(param.Without(Params(), "start"), search.DesignParams()...),
	Fit:     fitNetworks(builder{build: nn.PosteriorSMB, one: "trained network with δ"}),
}

package neural

import (
	"bandscope/model/nn"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
)

// Params are the parameters of a trained network, with the defaults of Paria et al. 2022.
func Params() []param.Decl {
	return append([]param.Decl{
		{Key: "gamma", Role: optimizers.RoleAssumption, Label: "γ init scale", Kind: param.Number,
			Default: firstGamma, Min: 0.1, Max: 20, Log: true,
			Help:   "Scale of the weights and biases at initialization, σ_W = σ_b = γ. A larger γ gives rougher functions.",
			Source: "Paria et al. 2022, App. F.2: tuned in [0.5, 5]"},
		{Key: "auto_gamma", Role: optimizers.RoleAssumption, Label: "automatic γ", Kind: param.Switch, Default: false,
			Help:   "Use the γ that maximizes the marginal likelihood of the data under the NTK Gaussian process, from 2 results on. The theory panel (i) shows the curve.",
			Source: "Paria et al. 2022, App. G (future work)"},
		{Key: "sigma2", Role: optimizers.RoleAssumption, Label: "σ² noise variance", Kind: param.Number, Default: 0.0,
			Min: 0, Max: 10,
			Help:   "Variance of the noise added to the targets, and weight of the penalty on the distance from initialization, for standardized targets.",
			Source: "Paria et al. 2022, Alg. 2; 0 in App. F.2"},
		{Key: "nu", Label: "ν scale", Kind: param.Number, Default: 1.0, Min: 0.01, Max: 100, Log: true,
			Help:   "Scale of the randomness of the surrogate. A larger ν explores more.",
			Source: "Paria et al. 2022, Alg. 2; 1 in App. F.2"},
		{Key: "width", Label: "width m", Kind: param.Integer, Default: 5000, Min: 8, Max: 20000, Log: true,
			Help:   "Number of units in each hidden layer. For very wide networks, the search ranks its candidates with a narrower approximation first, and evaluates the best quarter of them exactly.",
			Source: "Paria et al. 2022, App. F.2"},
		{Key: "depth", Label: "hidden layers L", Kind: param.Integer, Default: 1, Min: 1, Max: 10,
			Help:   "Number of hidden layers. With more than one, choose a width of a few hundred, because the number of weights between two layers grows with the square of the width.",
			Source: "Paria et al. 2022, App. F.2"},
		{Key: "activation", Role: optimizers.RoleAssumption, Label: "activation φ", Kind: param.Choice,
			Default: string(nn.Tanh), Choices: nn.Activations(),
			Help:   "Activation function of the hidden units.",
			Source: "Paria et al. 2022, App. A (tanh)"},
		{Key: "last_bias", Label: "last bias", Kind: param.Choice, Default: "normal",
			Choices: []string{"normal", "zero"},
			Help:    "Initial value of the last bias: drawn from N(0, 1), as Propositions 1 and 2 require, or 0. It is trained in both cases.",
			Source:  "Paria et al. 2022, App. A (normal), App. F.2 (zero)"},
	}, trainingParams()...)
}

// trainingParams are the parameters of the training and of the band.
func trainingParams() []param.Decl {
	return []param.Decl{
		{Key: "trainer", Label: "trainer", Kind: param.Choice, Default: string(nn.GaussNewton), Choices: nn.Trainers(),
			Help:   "Gauss–Newton in function space solves an n×n system per step. Adam, which the papers use, is hundreds of times slower. Gradient descent shows how training proceeds.",
			Source: "Adam: Paria et al. 2022, App. F.2"},
		{Key: "epochs", Label: "epochs t", Kind: param.Integer, Default: 5000, Min: 1, Max: 1_000_000, Log: true,
			Help:   "Number of full-batch steps of Adam, of gradient descent or of the finite-time band.",
			Source: "Nadigatla 2022, App. A"},
		{Key: "rate", Label: "rate η", Kind: param.Number, Default: 0.001, Min: 1e-6, Max: 1, Log: true,
			Help:   "Learning rate of Adam, of gradient descent or of the finite-time band.",
			Source: "Paria et al. 2022, App. F.2"},
		{Key: "linear", Label: "linearized", Kind: param.Switch, Default: false,
			Help:   "Train the linearization of the network at its initialization. For very wide networks the result is nearly the same.",
			Source: "Nadigatla 2022, ch. 6; Lee et al. 2019"},
		{Key: "perturb", Label: "perturb targets", Kind: param.Switch, Default: true,
			Help:   "Add noise of variance σ² to the targets before training. Without it the band is too narrow when the data are noisy.",
			Source: "Paria et al. 2022, Alg. 2 line 1; App. C describes training without it"},
		{Key: "distance", Label: "keep near init", Kind: param.Switch, Default: true,
			Help:   "Penalize the distance from initialization with the weight σ². Without it networks interpolate the noise.",
			Source: "Paria et al. 2022, Alg. 2 line 3; App. C describes training without it"},
		{Key: "start", Label: "training starts", Kind: param.Choice, Default: coldStart,
			Choices: []string{coldStart, warmStart},
			Help:    "Start from a fresh random initialization, or warm from the network of the previous step, which leaves little randomness for exploration.",
			Source:  "Paria et al. 2022, Alg. 2 (fresh); App. C (warm)"},
		{Key: "ensemble", Label: "ensemble M", Kind: param.Integer, Default: 8, Min: 2, Max: 100,
			Help:   "Number of independently trained networks in the band. It changes the display, not the suggestions.",
			Source: "for display only"},
		{Key: "band", Role: optimizers.RoleBand, Label: "band", Kind: param.Choice, Default: ensembleBand,
			Choices: bandChoices(),
			Help:    "What the band and the samples show: M trained networks, or a distribution of networks of infinite width. It changes the display, not the suggestions.",
			Source:  "Paria et al. 2022, Prop. 1 (trained), Prop. 2 (posterior), App. C; Nadigatla 2022, ch. 6 (finite-time)"},
	}
}

// Where training can start.
const (
	coldStart = "fresh"
	warmStart = "warm"
)

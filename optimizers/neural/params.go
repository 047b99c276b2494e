package neural

import (
	"bandscope/model/nn"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
)

// Params are the parameters of a trained network, with the defaults of Paria et al. 2022.
func Params() []param.Decl {
	return []param.Decl{
		{Key: "gamma", Role: optimizers.RoleAssumption, Label: "γ  init scale", Kind: param.Number,
			Default: firstGamma, Min: 0.1, Max: 20, Log: true,
			Help: "Scale of weights and biases at initialization, σ_W = σ_b = γ: small γ gives smooth networks, " +
				"large γ wiggly ones.",
			Source: "Paria et al. 2022, App. F.2: tuned in [0.5, 5]"},
		{Key: "auto_gamma", Role: optimizers.RoleAssumption, Label: "automatic γ", Kind: param.Switch, Default: false,
			Help: "Take the γ that maximizes the marginal likelihood of the data under the NTK Gaussian process, " +
				"from two data on; the theory panel (i) shows the curve.",
			Source: "Paria et al. 2022, App. G (future work)"},
		{Key: "sigma2", Role: optimizers.RoleAssumption, Label: "σ² noise variance", Kind: param.Number, Default: 0.0,
			Min: 0, Max: 10,
			Help: "Variance of the perturbation of the targets, and weight of the distance from initialization; " +
				"for standardized targets.",
			Source: "Paria et al. 2022, Alg. 2; 0 in App. F.2"},
		{Key: "nu", Label: "ν  scale", Kind: param.Number, Default: 1.0, Min: 0.01, Max: 100, Log: true,
			Help:   "Scale of the surrogate's randomness: larger values explore more.",
			Source: "Paria et al. 2022, Alg. 2; 1 in App. F.2"},
		{Key: "width", Label: "width m", Kind: param.Integer, Default: 5000, Min: 8, Max: 20000, Log: true,
			Help: "Units of each hidden layer. Where thousands of them are hardly bent, the search looks at its " +
				"candidates through a narrow likeness first, and at the most promising quarter closely.",
			Source: "Paria et al. 2022, App. F.2"},
		{Key: "depth", Label: "hidden layers L", Kind: param.Integer, Default: 1, Min: 1, Max: 10,
			Help: "Number of hidden layers. Above one, choose a width of a few hundred: the weights between two " +
				"layers grow with its square.",
			Source: "Paria et al. 2022, App. F.2"},
		{Key: "activation", Role: optimizers.RoleAssumption, Label: "activation φ", Kind: param.Choice,
			Default: string(nn.Tanh), Choices: nn.Activations(),
			Help:   "The nonlinearity of the hidden units.",
			Source: "Paria et al. 2022, App. A (tanh)"},
		{Key: "last_bias", Label: "last bias", Kind: param.Choice, Default: "normal",
			Choices: []string{"normal", "zero"},
			Help: "Where the last bias starts: drawn from N(0, 1), as Propositions 1 and 2 need it, or 0. It is " +
				"trained in both cases.",
			Source: "Paria et al. 2022, App. A (normal), App. F.2 (zero)"},
		{Key: "trainer", Label: "trainer", Kind: param.Choice, Default: string(nn.GaussNewton), Choices: nn.Trainers(),
			Help: "Gauss–Newton in function space solves an n×n system a step; Adam is what the papers used, " +
				"hundreds of times slower; plain gradient descent can be watched on its way.",
			Source: "Adam: Paria et al. 2022, App. F.2"},
		{Key: "epochs", Label: "epochs t", Kind: param.Integer, Default: 5000, Min: 1, Max: 1_000_000, Log: true,
			Help:   "Full-batch steps of Adam or gradient descent, and of the law of a finite time.",
			Source: "Nadigatla 2022, App. A"},
		{Key: "rate", Label: "rate η", Kind: param.Number, Default: 0.001, Min: 1e-6, Max: 1, Log: true,
			Help:   "Learning rate of Adam or gradient descent, and of the law of a finite time.",
			Source: "Paria et al. 2022, App. F.2"},
		{Key: "linear", Label: "linearized", Kind: param.Switch, Default: false,
			Help: "Train the network's linearization at its initialization, which a very wide network does not " +
				"leave.",
			Source: "Nadigatla 2022, ch. 6; Lee et al. 2019"},
		{Key: "perturb", Label: "perturb targets", Kind: param.Switch, Default: true,
			Help: "Perturb the targets by noise of variance σ² before training; without it the spread is too " +
				"narrow where data are noisy.",
			Source: "Paria et al. 2022, Alg. 2 line 1; App. C tells what happens without"},
		{Key: "distance", Label: "keep near init", Kind: param.Switch, Default: true,
			Help:   "Penalize the distance from initialization by σ²; without it networks interpolate the noise.",
			Source: "Paria et al. 2022, Alg. 2 line 3; App. C tells what happens without"},
		{Key: "start", Label: "training starts", Kind: param.Choice, Default: coldStart,
			Choices: []string{coldStart, warmStart},
			Help: "From a fresh draw, or warm: from the network of the step before, which leaves hardly anything " +
				"to explore with.",
			Source: "Paria et al. 2022, Alg. 2 (fresh); App. C (warm)"},
		{Key: "ensemble", Label: "ensemble M", Kind: param.Integer, Default: 8, Min: 2, Max: 100,
			Help: "How many independently trained networks the band is made of. It changes what is shown, never " +
				"what is chosen.",
			Source: "for the eye only"},
		{Key: "band", Role: optimizers.RoleBand, Label: "band", Kind: param.Choice, Default: ensembleBand,
			Choices: bandChoices(),
			Help: "What band and samples are: M trained networks, or a law of networks of infinite width. It " +
				"changes what is shown, never what is chosen.",
			Source: "Paria et al. 2022, Prop. 1 (trained), Prop. 2 (posterior), App. C; Nadigatla 2022, ch. 6 " +
				"(finite-time)"},
	}
}

// Where training can start.
const (
	coldStart = "fresh"
	warmStart = "warm"
)

package sessions

import (
	"maps"
	"slices"
)

// Comparisons lists the built-in comparisons.
func Comparisons() []Comparison { return slices.Clone(comparisons) }

// What the comparisons are about.
var (
	forrester = Config{Problem: "forrester", Optimizer: "neural-greedy", Seed: 1}
	noisy     = Config{Problem: "forrester", Optimizer: "neural-greedy", Seed: 1, Noise: 2}
	seven     = [][]float64{{0.02}, {0.18}, {0.34}, {0.5}, {0.66}, {0.8}, {0.96}}
	five      = [][]float64{{0.03}, {0.35}, {0.55}, {0.76}, {0.97}}

	// wiggly networks, so that there is something to see between so few data; erf, whose laws are closed forms and at hand at once.
	wiggly = map[string]any{"gamma": 2.5, "width": 1000, "activation": "erf"}
)

// greedyPane is a pane of neural-greedy.
func greedyPane(title string, params map[string]any) Pane {
	return Pane{Title: title, Optimizer: "neural-greedy", Params: params}
}

// lawOf are parameters with the band of a law.
func lawOf(band string, more map[string]any) map[string]any {
	p := map[string]any{"band": band}
	maps.Copy(p, more)
	return p
}

// daiNetwork are parameters with the network of the synthetic experiment of Dai et al. 2022.
func daiNetwork(more map[string]any) map[string]any {
	p := map[string]any{"depth": 8, "width": 64, "activation": "erf", "sigma_b": 0.5, "ensemble": 100}
	maps.Copy(p, more)
	return p
}

// comparisons are the built-in ones, in the order in which they are listed.
var comparisons = []Comparison{
	{Name: "bands", Title: "confidence bands of four methods", Source: "Paria et al. 2022, fig. 1",
		About:  "on noiseless data the band of networks trained from scratch closes at the data, as a Gaussian process's does; a linear head's stays open",
		Config: forrester, Points: five, Panes: []Pane{
			{Title: "NeuralLinTS", Optimizer: "neural-lin-ts", Params: map[string]any{"prior": 1000.0, "noise2": 0.1}},
			{Title: "NeuralUCB", Optimizer: "neural-ucb", Params: map[string]any{"gamma": 1.0, "lambda": 0.01}},
			greedyPane("SimpleSMB", map[string]any{"width": 1000, "ensemble": 40, "gamma": 4.0}),
			{Title: "GP", Optimizer: "gp-ei"}}},
	{Name: "laws", Title: "four laws on the same data", Source: "Paria et al. 2022, Prop. 1 and 2",
		About:  "what a wide network believes is a Gaussian process too: if its last layer alone learns, if it is trained, and its posterior",
		Config: forrester, Points: five, Samples: 4, Panes: []Pane{
			{Title: "GP, squared exponential", Optimizer: "gp-ei"},
			greedyPane("NNGP posterior", lawOf("nngp", wiggly)),
			greedyPane("trained networks (Prop. 1)", lawOf("trained", wiggly)),
			greedyPane("NTK posterior (Prop. 2)", lawOf("posterior", wiggly))}},
	{Name: "samples", Title: "GP posterior samples beside network fits", Source: "Nadigatla 2022, figs. 4.4 and 4.5",
		About:  "one trained network plays the part of one posterior sample: fitted again from another draw it goes elsewhere between the data",
		Config: forrester, Points: five, Samples: 12, NoBand: true, Panes: []Pane{
			{Title: "posterior samples of a GP", Optimizer: "gp-ts"},
			greedyPane("networks trained from scratch", map[string]any{"width": 2000, "ensemble": 12, "gamma": 4.0})}},
	{Name: "posterior", Title: "SimpleSMB against PosteriorSMB", Source: "Paria et al. 2022, Alg. 2 and 3",
		About:  "the random function δ that PosteriorSMB adds widens the spread of trained networks to that of a posterior under the NTK",
		Config: forrester, Points: five, Panes: []Pane{
			greedyPane("SimpleSMB", map[string]any{"width": 1000, "ensemble": 40, "gamma": 2.5}),
			{Title: "PosteriorSMB", Optimizer: "posterior-greedy", Params: map[string]any{"width": 1000, "ensemble": 40, "gamma": 2.5}}}},
	{Name: "width", Title: "an ensemble of width m over the band of infinite width", Source: "Paria et al. 2022, Prop. 1",
		About:  "as the width grows, the spread of an ensemble of trained networks becomes the law of Prop. 1; what is left is of the size that so few draws leave",
		Config: forrester, Points: five, Overlay: true, Distance: true, Knob: "width", Panes: []Pane{
			greedyPane("ensemble of trained networks", map[string]any{"width": 8, "ensemble": 50, "gamma": 4.0, "activation": "erf"}),
			greedyPane("infinite width", lawOf("trained", map[string]any{"gamma": 4.0, "activation": "erf"}))}},
	{Name: "gamma", Title: "the effect of γ", Source: "Paria et al. 2022, App. F.2",
		About:  "the scale at initialization is the lengthscale of wide networks: small γ believes in smooth functions, large γ in wiggly ones",
		Config: forrester, Points: seven, Knob: "gamma", Panes: []Pane{
			greedyPane("γ = 0.5", lawOf("trained", map[string]any{"gamma": 0.5, "width": 1000, "activation": "erf"})),
			greedyPane("γ = 1", lawOf("trained", map[string]any{"gamma": 1.0, "width": 1000, "activation": "erf"})),
			greedyPane("γ = 2", lawOf("trained", map[string]any{"gamma": 2.0, "width": 1000, "activation": "erf"})),
			greedyPane("γ = 5", lawOf("trained", map[string]any{"gamma": 5.0, "width": 1000, "activation": "erf"}))}},
	{Name: "ablations", Title: "what SimpleSMB's two regularizers are for", Source: "Paria et al. 2022, App. C",
		About:  "noisy data: without the distance the mean meets the noise, without perturbation the band is too narrow, warm starts do not explore",
		Config: noisy, Points: seven, Panes: []Pane{
			greedyPane("SimpleSMB", lawOf("trained", map[string]any{"sigma2": 0.1, "width": 1000})),
			greedyPane("without distance", lawOf("no-distance", map[string]any{"sigma2": 0.1, "width": 1000, "distance": false})),
			greedyPane("without perturbation", lawOf("no-perturbation", map[string]any{"sigma2": 0.1, "width": 1000, "perturb": false})),
			greedyPane("warm start", lawOf("warm-start", map[string]any{"sigma2": 0.1, "width": 1000, "start": "warm"}))}},
	{Name: "training", Title: "networks on their way", Source: "Nadigatla 2022, ch. 6; Lee et al. 2019",
		About:  "after t steps of gradient descent: the law of infinite width, and networks really on their way; the arrow keys change t",
		Config: forrester, Points: five, Knob: "epochs", KnobAll: true, Panes: []Pane{
			greedyPane("the law after t steps", lawOf("finite-time", map[string]any{"epochs": 100, "rate": 0.01, "trainer": "gradient-descent", "width": 500})),
			greedyPane("networks after t steps", map[string]any{"epochs": 100, "rate": 0.01, "trainer": "gradient-descent", "width": 500, "ensemble": 16})}},
	{Name: "acquisitions", Title: "a hundred acquisition functions each", Source: "Dai et al. 2022, fig. 1 a-c",
		About:  "each curve is one function that would be minimized: without the random function an ensemble is sure of itself far from the data",
		Config: Config{Problem: "gp-draw", Optimizer: "sto-bnts", Seed: 3}, Points: [][]float64{{0.12}, {0.3}, {0.42}, {0.6}, {0.88}}, Samples: 100, NoBand: true, Panes: []Pane{
			{Title: "Deep Ensemble", Optimizer: "deep-ensemble", Params: daiNetwork(nil)},
			{Title: "STO-BNTS", Optimizer: "sto-bnts", Params: daiNetwork(map[string]any{"sigma2": 0.01})},
			{Title: "STO-BNTS-Linear", Optimizer: "sto-bnts-linear", Params: daiNetwork(map[string]any{"sigma2": 0.01})}}},
	{Name: "costs", Title: "methods that look at the cost, and one that does not", Source: "Paria 2022 (thesis), ch. 4",
		About:  "the minimum lies where evaluations are dear: g races the methods from the same start, and draws their regret by iteration and by cost",
		Config: Config{Problem: "forrester-cost", Optimizer: "cost-ids", Seed: 2}, Points: [][]float64{{0.05}, {0.3}, {0.5}, {0.9}}, Panes: []Pane{
			{Title: "CostIDS", Optimizer: "cost-ids"}, {Title: "EI per cost", Optimizer: "ei-per-cost"},
			{Title: "MES per cost", Optimizer: "cost-mes"}, {Title: "EI", Optimizer: "gp-ei"}}},
}

package registry

// Preset is a method with parameters that make a belief worth to look at.
type Preset struct {
	Title  string
	About  string // the functions that it expects, or how it is made
	Method string
	Set    map[string]any // the parameters that differ from their defaults
}

// presetNoise is the standard deviation of noise, for standardized targets.
const presetNoise = 0.05

// process is the preset of a Gaussian process with a kernel whose hyperparameters are fixed.
func process(title, about, kernel string) Preset {
	return Preset{title, about, "gp-ei", map[string]any{"kernel": kernel, "noise": "fixed", "noise_sd": presetNoise,
		"hyperparameters": "fitted"}}
}

// network is the preset of infinitely wide networks, whose noise has nearly the variance of presetNoise.
func network(title, about, kernel string, gamma float64) Preset {
	return Preset{title, about, "ntk-ucb", map[string]any{"kernel": kernel, "auto_gamma": false, "gamma": gamma,
		"sigma2": 0.0025}}
}

// Presets lists beliefs of one objective of one variable: Gaussian processes by their kernels, networks of infinite
// width, trained networks and a forest. The hyperparameters are for inputs in the unit cube and targets of standard
// deviation 1.
func Presets() []Preset {
	return []Preset{
		process("squared exponential", "very smooth functions", "1*se(length=0.15)"),
		process("Matérn 5/2", "functions with two derivatives", "1*matern52(length=0.2)"),
		process("Matérn 3/2", "functions with one derivative", "1*matern32(length=0.2)"),
		process("Matérn 1/2", "rough functions, without a derivative", "1*matern12(length=0.3)"),
		process("rational quadratic", "short and long lengthscales at once", "1*rq(length=0.15, alpha=0.5)"),
		process("periodic", "functions that repeat", "1*periodic(length=1, period=0.3)"),
		process("linear", "straight lines", "1*linear(bias=1)"),
		process("trend and bumps", "a straight line and a smooth function: a sum of kernels",
			"0.3*se(length=0.1) + 1*linear(bias=1)"),
		process("changing waves", "waves that change slowly: a product of kernels",
			"1*periodic(length=1, period=0.2)*se(length=0.5)"),
		network("NTK", "networks of infinite width, trained", "ntk", 1),
		network("NNGP", "networks of infinite width, of which the last layer is trained", "nngp", 2),
		{"trained networks", "several networks, trained at each change", "neural-greedy",
			map[string]any{"width": 500, "sigma2": 0.0025}},
		{"random forest", "regression trees", "forest-ei", nil},
	}
}

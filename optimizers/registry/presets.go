package registry

// Preset is a method with parameters that make a belief worth to look at.
type Preset struct {
	Title  string
	Method string
	Set    map[string]any // the parameters that differ from their defaults
}

// presetNoise is the standard deviation of noise, for standardized targets.
const presetNoise = 0.05

// process is the preset of a Gaussian process with a kernel whose hyperparameters are fixed.
func process(title, kernel string) Preset {
	return Preset{title, "gp-ei", map[string]any{"kernel": kernel, "noise": "fixed", "noise_sd": presetNoise,
		"hyperparameters": "fitted"}}
}

// network is the preset of infinitely wide networks, whose noise has nearly the variance of presetNoise.
func network(title, kernel string, gamma float64) Preset {
	return Preset{title, "ntk-ucb", map[string]any{"kernel": kernel, "auto_gamma": false, "gamma": gamma, "sigma2": 0.0025}}
}

// Presets lists beliefs of one objective of one variable: Gaussian processes by their kernels, networks of infinite
// width, trained networks and a forest. The hyperparameters are for inputs in the unit cube and targets of standard
// deviation 1.
func Presets() []Preset {
	return []Preset{
		process("squared exponential", "1*se(length=0.15)"),
		process("Matérn 5/2", "1*matern52(length=0.2)"),
		process("Matérn 3/2", "1*matern32(length=0.2)"),
		process("Matérn 1/2", "1*matern12(length=0.3)"),
		process("rational quadratic", "1*rq(length=0.15, alpha=0.5)"),
		process("periodic", "1*periodic(length=1, period=0.3)"),
		process("linear", "1*linear(bias=1)"),
		process("trend and bumps", "0.3*se(length=0.1) + 1*linear(bias=1)"),
		process("changing waves", "1*periodic(length=1, period=0.2)*se(length=0.5)"),
		network("NTK", "ntk", 1),
		network("NNGP", "nngp", 2),
		{"trained networks", "neural-greedy", map[string]any{"width": 500, "sigma2": 0.0025}},
		{"random forest", "forest-ei", nil},
	}
}

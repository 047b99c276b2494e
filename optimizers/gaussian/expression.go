package gaussian

import (
	"slices"

	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
)

// kernelKey is the key of the parameter with the kernel.
const kernelKey = "kernel"

// kernelParam declares the kernel: the name of one, or an expression of several.
func kernelParam() param.Decl {
	named := []string{kernel.Matern52.Name(), kernel.SE.Name()}
	choices := slices.Clone(named)
	for _, name := range kernel.Names() {
		if !slices.Contains(choices, name) {
			choices = append(choices, name)
		}
	}
	return param.Decl{Key: kernelKey, Role: optimizers.RoleAssumption, Label: "kernel", Kind: param.Choice,
		Default: kernel.Matern52.Name(), Choices: choices, Alternatives: named,
		Validate: func(text string) error { _, err := kernel.Parse(text); return err },
		Other:    "an expression such as se + linear",
		Normalize: func(text string) string {
			e, _ := kernel.Parse(text) // a valid text
			return e.String()
		},
		Help:   "Covariance function.",
		Source: "Snoek et al. 2012, §3.1 (matern52); Paria et al. 2022, App. F.1 (se)"}
}

// hyperNames name the hyperparameters of expressions.
var hyperNames = map[kernel.HyperKind]string{kernel.Length: optimizers.FactLengthscale, kernel.Scale: "signal sd",
	kernel.PeriodicLength: "relative lengthscale", kernel.Period: "period", kernel.Alpha: "α", kernel.Bias: "bias"}

// expressionFacts are the hyperparameters of an expression, those of the same kernel and kind in one fact. Where the
// expression has several of a kind, the kernel or the term follows the name.
func (b *Process) expressionFacts(f *kernel.Family) (facts []optimizers.Fact) {
	names := handleNames(f)
	value := func(index int) func(*gp.GP) float64 {
		return func(g *gp.GP) float64 { return g.Kernel().(*kernel.Composite).Values()[index] }
	}
	for i, h := range f.Hyperparameters() {
		if h.Input > 0 {
			continue
		}
		var estimates []optimizers.Estimate
		switch h.Kind {
		case kernel.Length, kernel.Period:
			estimates = b.perInput(func(int) bool { return true },
				func(c int) func(*gp.GP) float64 { return value(i + f.Input(c)) }, h.Box)
		case kernel.Scale:
			estimates = []optimizers.Estimate{b.estimate(value(i), b.deviation, h.Box)}
		default:
			estimates = []optimizers.Estimate{b.estimate(value(i), plainNumber, h.Box)}
		}
		if estimates != nil {
			facts = append(facts, optimizers.NewFact(names[i], estimates...))
		}
	}
	return facts
}

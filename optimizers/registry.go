package optimizers

import "bandscope/functions/param"

// specs is the registry: a method is added by its file and one entry here.
var specs = []Spec{
	neuralGreedy,
	posteriorGreedy,
	stoBNTS,
	stoBNTSLinear,
	deepEnsemble,
	ensemblesEI,
	neuralBO,
	neuralUCB,
	neuralTS,
	neuralLinTS,
	neuralLinUCB,
	dngo,
	forestEI,
	gpEI,
	gpUCB,
	gpTS,
	ntkUCB,
	ntkTS,
	uncertainty,
	costIDS,
	ids,
	eiPerCost,
	mfMES,
	mes,
	moboUCB,
	moboTS,
	parEGO,
	smsEGO,
	ehvi,
	moeadEGO,
	pesmo,
	randomSearch,
}

// All lists every method in the order in which they are shown.
func All() []Spec { return specs }

// Names lists the names of all methods.
func Names() []string {
	names := make([]string, len(specs))
	for i, s := range specs {
		names[i] = s.Name
	}
	return names
}

// Find returns the method with the given name; the error of an unknown one names the nearest.
func Find(name string) (*Spec, error) {
	for i := range specs {
		if specs[i].Name == name {
			return &specs[i], nil
		}
	}
	return nil, param.Unknown("optimizer", name, Names())
}

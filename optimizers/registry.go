package optimizers

import (
	"slices"

	"bandscope/functions/naming"
)

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
	costMES,
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

// Fitting lists the methods that optimize problems of so many objectives.
func Fitting(objectives int) []Spec {
	return slices.DeleteFunc(slices.Clone(specs), func(s Spec) bool { return !s.Fits(objectives) })
}

// FittingNames lists the names of the methods that optimize problems of so many objectives.
func FittingNames(objectives int) []string {
	var names []string
	for _, s := range Fitting(objectives) {
		names = append(names, s.Name)
	}
	return names
}

// Default names the method that a problem of so many objectives is begun with where none is chosen.
func Default(objectives int) string {
	if objectives > 1 {
		return moboTS.Name
	}
	return neuralGreedy.Name
}

// Find returns the method with the given name; the error of an unknown one names the nearest.
func Find(name string) (*Spec, error) {
	for i := range specs {
		if specs[i].Name == name {
			return &specs[i], nil
		}
	}
	return nil, naming.Unknown("optimizer", name, Names())
}

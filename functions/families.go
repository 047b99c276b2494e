package functions

import "slices"

// families is the registry: a test function is added by one entry here.
var families = slices.Concat(oneDimFamilies, anyDimFamilies, twoDimFamilies, hartmannFamilies, costFamilies,
	multiObjectiveFamilies, limitedFamilies, mixedFamilies, mixtureFamilies, trainedFamilies, roverFamilies, bbobFamilies)

// library is where most of the definitions, domains and optima are from.
const library = "Surjanovic & Bingham, Virtual Library of Simulation Experiments"

// anyDim is the greatest dimension of the families that exist in every dimension.
const anyDim = 1000

// minimized is the one objective of the test functions.
func minimized() []Objective { return []Objective{{Name: "f", Direction: Minimize}} }

// singleObjective makes a problem of a function of one value that is minimized.
func singleObjective(dom Domain, opt *Optimum, f func(x []float64) float64) Problem {
	return Problem{Domain: dom, Objectives: minimized(),
		Truth: &Truth{Optimum: opt, Value: func(x []float64) []float64 { return []float64{f(x)} }}}
}

// at is an optimum at one place, or at several.
func at(value float64, x ...[]float64) *Optimum { return &Optimum{Value: value, X: x} }

// repeated is the point with the same value in every dimension.
func repeated(d int, v float64) []float64 { return slices.Repeat([]float64{v}, d) }

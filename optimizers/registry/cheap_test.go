package registry

import "slices"

// cheap are parameters that make every method quick: what these tests ask of a method does not depend on its size, or on
// how many draws of the hyperparameters it averages over.
var cheap = []string{"width=16", "activation=erf", "ensemble=2", "networks=2", "features=50", "trees=10", "restarts=1",
	"hyperparameters=fitted", "draws=2", "subproblems=10", "epochs=50"}

// integrated are those parameters with an average over draws of the hyperparameters.
var integrated = append(slices.Clone(cheap), "hyperparameters=integrated")

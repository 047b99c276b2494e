package registry

// cheap are parameters that make every method quick: what these tests ask of a method does not depend on its size.
var cheap = []string{"width=16", "activation=erf", "ensemble=2", "networks=2", "features=50", "trees=10", "restarts=1",
	"draws=2", "subproblems=10", "epochs=50"}

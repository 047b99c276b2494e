// Package registry lists all methods in the order in which they are shown, and finds one by its name, by the number of
// objectives, or as the default. A method registers itself, in a file of one of the packages that are imported here.
// Nothing is computed here.
package registry

import (
	"cmp"
	"slices"

	"bandscope/functions/didyoumean"
	"bandscope/optimizers"
	_ "bandscope/optimizers/baselines"
	"bandscope/optimizers/constraints"
	_ "bandscope/optimizers/costaware"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/multiobjective"
	"bandscope/optimizers/ntk"
	"bandscope/optimizers/param"
	"bandscope/optimizers/program"
	"bandscope/optimizers/search"
)

// families are the groups of methods, in this order; other ones follow by name.
var families = []string{"neural network", "linear head on a network", "random forest", "Gaussian process",
	"neural tangent kernel",
	"cost-aware", "several objectives", "baseline"}

// specs are the registered methods by family and rank, with the models of limits that they declare and the choice of
// recalibrated bands.
var specs = sortSpecs(optimizers.Registered())

func sortSpecs(all []optimizers.Spec) []optimizers.Spec {
	family := func(s optimizers.Spec) int {
		if i := slices.Index(families, s.Family); i >= 0 {
			return i
		}
		return len(families)
	}
	slices.SortFunc(all, func(a, b optimizers.Spec) int {
		return cmp.Or(family(a)-family(b), cmp.Compare(a.Family, b.Family), a.Rank-b.Rank, cmp.Compare(a.Name, b.Name))
	})
	for i, s := range all {
		all[i] = optimizers.WithRecalibration(constraints.WithLimits(s))
	}
	return all
}

// All lists every method in the order in which they are shown.
func All() []optimizers.Spec { return specs }

// names lists the names of all methods.
func names() []string {
	names := make([]string, len(specs))
	for i, s := range specs {
		names[i] = s.Name
	}
	return names
}

// Supporting lists the methods that optimize problems with a number of objectives, with or without limits.
func Supporting(objectives int, limited bool) []optimizers.Spec {
	return slices.DeleteFunc(slices.Clone(specs), func(s optimizers.Spec) bool {
		return !s.Supports(objectives, limited)
	})
}

// SupportingNames lists the names of the methods that Supporting lists.
func SupportingNames(objectives int, limited bool) []string {
	var names []string
	for _, s := range Supporting(objectives, limited) {
		names = append(names, s.Name)
	}
	return names
}

// First is the method of the first screen, before the user has chosen anything, with an initial design of so many
// points: expected improvement, whose reasons are easy to state.
func First(initial int) (name string, params map[string]any) {
	return gaussian.EI.Name, search.InitialPoints(initial)
}

// Companion is a method that is worth comparing with another.
type Companion struct {
	Title  string
	Method string
	Knobs  []string // parameters of its model, the most instructive first
}

// Companions are the default methods to compare the user's method with: a Gaussian process and one under the neural
// tangent kernel, or, for several objectives, the two best-known ways to a Pareto front.
func Companions(objectives int) []Companion {
	if objectives > 1 {
		return []Companion{{Title: "EHVI", Method: multiobjective.EHVI.Name},
			{Title: "ParEGO", Method: multiobjective.ParEGO.Name}}
	}
	return []Companion{{Title: "GP", Method: gaussian.EI.Name, Knobs: []string{"lengthscale", "kernel"}},
		{Title: "NTK", Method: ntk.UCB.Name, Knobs: []string{"gamma", "depth", "activation"}}}
}

// KeyFor is the key of the parameter with a role: the same in all methods that have it.
func KeyFor(role param.Role) string {
	for _, s := range specs {
		if d, ok := param.Defaults(s.Params).ByRole(role); ok {
			return d.Key
		}
	}
	return ""
}

// Find returns the method with the given name; the error of an unknown one names the nearest. A name such as
// "exec:python cma.py" is the method that a program is.
func Find(name string) (*optimizers.Spec, error) {
	if program.IsName(name) {
		d, err := program.FromName(name)
		if err != nil {
			return nil, err
		}
		return Program(d), nil
	}
	for i := range specs {
		if specs[i].Name == name {
			return &specs[i], nil
		}
	}
	return nil, didyoumean.NewUnknownError("optimizer", name, names())
}

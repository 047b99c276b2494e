package registry

import (
	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/multiobjective"
	"bandscope/optimizers/program"
)

// Program makes a method of the declaration of a program. Where the program has no belief of its own, the one of
// Gaussian processes with the usual acquisition function is drawn.
func Program(d *program.Declaration) *optimizers.Spec {
	return program.Spec(d, func(objectives int) *optimizers.Spec {
		name := gaussian.EI.Name
		if objectives > 1 {
			name = multiobjective.EHVI.Name
		}
		spec, err := Find(name)
		if err != nil {
			panic(err) // it is registered
		}
		return spec
	})
}

// IsProgram reports whether a name is one of a method that is a program.
func IsProgram(name string) bool { return program.IsName(name) }

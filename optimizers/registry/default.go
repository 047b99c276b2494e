package registry

import (
	"fmt"

	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/multiobjective"
)

// Default is the name of the default method for problems with a number of objectives: of the methods that support all
// problems of the study defaults-single or defaults-several, the one with the best mean rank.
func Default(objectives int) string {
	if objectives > 1 {
		return multiobjective.EHVI.Name
	}
	return gaussian.UCB.Name
}

// DescribeDefault says which method is the default for a number of objectives, and why.
func DescribeDefault(objectives int) string {
	kind, study := "one objective", "defaults-single"
	if objectives > 1 {
		kind, study = "several objectives", "defaults-several"
	}
	return fmt.Sprintf("%s is the default for %s: the best mean rank in the study %s", Default(objectives), kind, study)
}

// Steered is the name of the default method for a prior over weights.
func Steered() string { return multiobjective.MOBOTS.Name }

package library

import (
	"bandscope/optimizers/registry"
	"bandscope/sessions"
)

// First is what a person sees who starts the program without saying what to show: a problem, a method and a seed with
// which the search succeeds.
func First() sessions.Config {
	return sessions.Config{Problem: "forrester", Optimizer: registry.First(), Seed: 8}
}

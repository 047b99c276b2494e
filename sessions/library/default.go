package library

import (
	"bandscope/optimizers/registry"
	"bandscope/sessions"
)

// DefaultConfig is what a person sees who starts the program without saying what to show: a problem, a method and a
// seed with which the search succeeds.
func DefaultConfig() sessions.Config {
	return sessions.Config{Problem: "forrester", Optimizer: registry.First(), Seed: 7}
}

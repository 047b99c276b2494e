package sessions

import (
	"bandscope/optimizers/methods"
)

// First is what a person sees who starts the program without saying what to show: a problem, a method and a seed with which the search succeeds.
func First() Config { return Config{Problem: "forrester", Optimizer: methods.First(), Seed: 8} }

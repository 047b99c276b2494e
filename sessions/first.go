package sessions

// First is what a person sees who starts the program without saying what to show: a problem, a method and a seed with which the search succeeds.
// Posterior Greedy (Paria et al. 2022, PosteriorSMB) is a network whose band the truth stays in here.
func First() Config { return Config{Problem: "forrester", Optimizer: "posterior-greedy", Seed: 8} }

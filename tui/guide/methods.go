package guide

import "bandscope/optimizers"

// How methods handle pending points and standard errors, in a sentence for each way.
var (
	Pending = map[optimizers.PendingStrategy]string{
		optimizers.PendingFantasies: "averages the acquisition function over a fixed quasi-random sample of their outcomes",
		optimizers.PendingBand:      "uses the band after the pending points are evaluated, with the current mean",
		optimizers.PendingBeliever:  "assumes that their outcomes equal the posterior mean (kriging believer)",
		optimizers.PendingDraws:     "draws a new sample for each number of pending points, and keeps a distance from them",
		optimizers.PendingByProgram: "the program gets them, if it can use them",
	}
	Errors = map[optimizers.ErrorHandling]string{
		optimizers.ErrorsIgnored:   "ignores them: all observations have the same weight",
		optimizers.ErrorsAsNoise:   "uses them as the known noise of each observation, and the declared noise for all others",
		optimizers.ErrorsAsWeights: "weights the observations, so replicates are averaged by their errors; a single observation counts the same whatever its error",
		optimizers.ErrorsInHead:    "uses them as the noise of each observation in the linear head, but not when training the network",
		optimizers.ErrorsByWeights: "uses them as the noise of each observation, propagated through the scalarization if the errors of all objectives are known",
		optimizers.ErrorsByProgram: "the program gets them",
	}
)

// How methods handle inputs that are not real numbers, known constraints, and limits on measured quantities.
var (
	Levels = map[optimizers.LevelHandling]string{
		optimizers.LevelsInKernel:  "rounds levels inside the kernel; a choice has one lengthscale, or one per descriptor; the order and the names of choices have no effect",
		optimizers.LevelsInLaw:     "encodes levels as numbers, and choices one-hot or by their descriptors; the order and the names of choices have no effect",
		optimizers.LevelsInNetwork: "encodes levels as numbers, and choices one-hot or by their descriptors; in another order, the random weights differ but their distribution does not",
		optimizers.LevelsInTrees:   "splits between levels, and encodes choices one-hot or by their descriptors; in another order, the random splits differ but their distribution does not",
		optimizers.LevelsDrawn:     "draws levels and choices uniformly",
		optimizers.LevelsByProgram: "the program gets the levels, and the names of choices",
	}
	Constraints = map[optimizers.ConstraintHandling]string{
		optimizers.FeasibleOnly:      "maximizes the acquisition function over feasible points only",
		optimizers.FeasibleDraws:     "draws feasible points only",
		optimizers.FeasibleByProgram: "the program gets the constraints; a point that violates one is an error",
	}
	Limits = map[optimizers.LimitHandling]string{
		optimizers.LimitsUnsupported:   "not supported: use another method for problems with limits",
		optimizers.LimitsByProbability: "multiplies the acquisition function by the probability that all limits are met; until a result meets all limits, it maximizes that probability alone",
		optimizers.LimitsByDraws:       "samples the process of each limit, and minimizes the sampled function where all sampled limits are met, or else the violation",
		optimizers.LimitsByBounds:      "searches where the optimistic bounds of the processes of all limits are met, or where the violation is smallest",
		optimizers.LimitsIgnored:       "ignores them: limits only decide which result is the best",
		optimizers.LimitsByProgram:     "the program gets the limits and the measured values",
	}
)

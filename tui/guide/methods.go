package guide

import "bandscope/optimizers"

// What is said of the ways in which methods handle points that are out, and standard errors.
var (
	Pending = map[optimizers.PendingStrategy]string{
		optimizers.PendingFantasies: "the acquisition averaged over what the points that are out may give, a fixed " +
			"quasi-random sample of it",
		optimizers.PendingBand: "the band that will be left when the points that are out are known, the mean as it " +
			"is " +
			"now",
		optimizers.PendingBeliever: "as if the points that are out had given what is expected of them",
		optimizers.PendingDraws:    "a draw of its own for each number of points that are out, kept away from them",
	}
	Errors = map[optimizers.ErrorHandling]string{
		optimizers.ErrorsIgnored: "not used: all observations count alike",
		optimizers.ErrorsAsNoise: "as the noise of each observation, known; a declared noise for all others",
		optimizers.ErrorsAsWeights: "as the weights of observations, so that replicates are averaged by them; what " +
			"is otherwise believed of a single one does not depend on its error",
		optimizers.ErrorsInHead: "as the noise of each observation in the linear head, not in the training of the " +
			"network",
		optimizers.ErrorsByWeights: "as the noise of each observation; of the scalarization by its slope, where the " +
			"errors of all objectives are known",
	}
)

// What is said of the ways in which methods handle inputs that are no real numbers, known constraints, and limits on
// what is measured.
var (
	Levels = map[optimizers.LevelHandling]string{
		optimizers.LevelsInKernel: "levels are rounded inside the kernel; choices have a lengthscale of their own " +
			"on whether they are the same, or one a descriptor: their order and their names change nothing",
		optimizers.LevelsInLaw: "the law of wide networks sees levels as numbers, choices as an input each or by " +
			"their descriptors: their order and their names change nothing",
		optimizers.LevelsInNetwork: "the network sees levels as numbers, choices as an input each or by their " +
			"descriptors: in another order other weights are drawn, of the same law",
		optimizers.LevelsInTrees: "trees split between levels, choices as an input each or by their descriptors: " +
			"in another order other splits are tried, of the same law",
		optimizers.LevelsDrawn: "levels and choices are drawn, all alike",
	}
	Constraints = map[optimizers.ConstraintHandling]string{
		optimizers.FeasibleOnly:  "the acquisition is searched over feasible points alone",
		optimizers.FeasibleDraws: "points are drawn among the feasible ones",
	}
	Limits = map[optimizers.LimitHandling]string{
		optimizers.LimitsUnsupported: "not handled: problems with limits are refused",
		optimizers.LimitsByProbability: "the acquisition times the probability to be within all limits; until a " +
			"result is " +
			"known that is, that probability alone",
		optimizers.LimitsByDraws: "a draw of each limit's process: the least of the drawn function where all drawn " +
			"limits are met, or where they are exceeded least",
		optimizers.LimitsByBounds: "where the optimistic bounds of the limits' processes are met, or where they are " +
			"exceeded least",
		optimizers.LimitsIgnored: "it looks at no result: limits only count in what is best",
	}
)

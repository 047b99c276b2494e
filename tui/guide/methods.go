package guide

import "bandscope/optimizers"

// How methods handle pending points and standard errors, as bandscope list optimizers prints it.
var (
	Pending = map[optimizers.PendingStrategy]string{
		optimizers.PendingFantasies: "average the acquisition function over possible results of the pending points " +
			"(fantasies, a fixed quasi-random sample)",
		optimizers.PendingBand: "keep the mean, and shrink the band as if the pending points were known",
		optimizers.PendingBeliever: "treat pending points as if they had returned their predicted values (kriging " +
			"believer)",
		optimizers.PendingDraws: "use a new draw for each number of pending points, and stay away from them",
	}
	Errors = map[optimizers.ErrorHandling]string{
		optimizers.ErrorsIgnored: "not used: all results have equal weight",
		optimizers.ErrorsAsNoise: "used as the known noise of each result; results without one have the declared noise",
		optimizers.ErrorsAsWeights: "used as weights when replicates are averaged; the error of a single result has " +
			"no " +
			"effect",
		optimizers.ErrorsInHead: "used as the noise of each result in the linear head, but not in the training of " +
			"the " +
			"network",
		optimizers.ErrorsByWeights: "used as the noise of each result, propagated through the scalarization if the " +
			"errors of all objectives are known",
	}
)

// How methods handle integers, levels and choices, known constraints, and limits on measured quantities.
var (
	Levels = map[optimizers.LevelHandling]string{
		optimizers.LevelsInKernel: "the kernel rounds levels; a choice has one lengthscale for equal or not, or one " +
			"per descriptor; order and names of choices have no effect",
		optimizers.LevelsInLaw: "levels are numbers, choices are one-hot encoded or use their descriptors; order and " +
			"names of choices have no effect on the infinitely wide network",
		optimizers.LevelsInNetwork: "levels are numbers, choices are one-hot encoded or use their descriptors; the " +
			"order of choices changes which random weights are drawn",
		optimizers.LevelsInTrees: "trees split between levels, choices are one-hot encoded or use their descriptors; " +
			"the order of choices changes which random splits are tried",
		optimizers.LevelsDrawn: "levels and choices are drawn uniformly",
	}
	Constraints = map[optimizers.ConstraintHandling]string{
		optimizers.FeasibleOnly:  "the acquisition function is optimized over feasible points only",
		optimizers.FeasibleDraws: "points are drawn among the feasible ones",
	}
	Limits = map[optimizers.LimitHandling]string{
		optimizers.LimitsUnsupported: "not supported: problems with limits are refused",
		optimizers.LimitsByProbability: "the acquisition function is multiplied by the probability that all limits " +
			"are " +
			"met; until a result meets them, that probability is used alone",
		optimizers.LimitsByDraws: "each limit is drawn too: the minimum of the drawn function where all drawn limits " +
			"are met, or the smallest violation",
		optimizers.LimitsByBounds: "points whose optimistic bounds meet all limits, or the smallest violation",
		optimizers.LimitsIgnored:  "ignored when points are suggested; the best result must meet them",
	}
)

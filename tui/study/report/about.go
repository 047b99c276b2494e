package report

import "bandscope/sessions/study/stats"

// View is a way to look at a study.
type View int

// The views.
const (
	Curves View = iota
	Ranked
	Reached
	Performance
	Data
	Pairwise
	Differences
	AverageTimes
)

// About says what a view shows and what it rests on, each in a line.
func About(v View) (shows, rests string) {
	switch v {
	case Curves:
		return "What the runs had reached by then: the median over the seeds, and between the quartiles a band.",
			"A place has a band once more than half of the seeds have come so far; a run that failed counts up to " +
				"where it did."
	case Ranked:
		return "The mean rank of each method after each part of its budget, 1 the best, with its interval at 95 %.",
			"Ranks are taken within blocks of one problem and one seed, once every method has come so far; equal " +
				"values share their rank, and a cell that failed is last."
	case Reached:
		return "The share of targets reached after so many evaluations per dimension, all problems alike (COCO's " +
				"ECDF).",
			"51 targets a problem: regrets of 10² to 10⁻⁸ where the optimum is known, otherwise parts of the way " +
				"from the start to the best of the study. No run is restarted in thought."
	case Performance:
		return "The share of blocks solved within so many times what the fastest method takes (Dolan and Moré 2002).",
			"Solved is to come as near to the best of the block as a part of the way from its start. With another " +
				"set of methods the curves are others."
	case Data:
		return "The share of blocks solved within so many times d + 1 evaluations (Moré and Wild 2009).",
			"Solved is to come as near to the best of the block as a part of the way from its start."
	case Pairwise:
		return "Every two methods: how often the one is better, Wilcoxon's signed-rank test, its value corrected for " +
				"all pairs by Holm, and how large the effect is.",
			"Pairs are seeds, ranked problem by problem: it speaks of these problems and other seeds; across " +
				"problems, each one pair, of problems like these. Fewer than six pairs cannot reach 0.05."
	case Differences:
		return "Mean ranks on a line; methods joined by a bar do not differ by Nemenyi's test at 5 % (Demšar 2006).",
			"Blocks are problems and seeds: it speaks of these problems and other seeds. Friedman's test comes " +
				"first: where it sees nothing, the bars mean little."
	case AverageTimes:
		return "Evaluations of all runs up to a target over the runs that reached it (COCO's aRT).",
			"A run that did not reach it counts with all of its evaluations; ∞ where none did."
	}
	return "", ""
}

// Across is what values are drawn over.
func Across(axis stats.Axis) string {
	switch axis {
	case stats.Iterations:
		return "iterations"
	case stats.Cost:
		return "cost"
	}
	return "evaluations"
}

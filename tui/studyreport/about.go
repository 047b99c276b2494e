package studyreport

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

// About says what a view shows and how to read it, each in a line.
func About(v View) (shows, rests string) {
	switch v {
	case Curves:
		return "The median over the seeds, with a band between the quartiles.",
			"The band is drawn where more than half of the seeds have a value. A failed run counts up to its failure."
	case Ranked:
		return "The mean rank after each part of the budget (1 is best), with its 95 % interval.",
			"Methods are ranked within each block (a problem and a seed) that all of them have reached. Equal values share a rank; a failed cell ranks last."
	case Reached:
		return "The share of targets reached against evaluations per dimension (COCO's ECDF).",
			"Each problem has 51 targets and the same weight. Targets are regrets from 10² to 10⁻⁸ where the optimum is known, otherwise fractions of the way from the start to the study's best value. No restarts are simulated."
	case Performance:
		return "The share of blocks solved within a ratio to the fastest method (Dolan, Moré 2002).",
			"The performance ratio is the evaluations divided by those of the fastest method. A run solves a block when it has closed almost all of the gap between the start and the block's best value. The curves change with the set of methods."
	case Data:
		return "The share of blocks solved within a multiple of d + 1 evaluations (Moré, Wild 2009).",
			"A run solves a block when it has closed almost all of the gap between the start and the block's best value."
	case Pairwise:
		return "Each pair of methods: wins, p of Wilcoxon's signed-rank test, p after Holm's correction for all pairs, and effect size.",
			"Each seed is a pair, ranked within its problem: the test generalizes to new seeds of these problems. Across problems, each problem is a pair: the test generalizes to similar problems. Fewer than six pairs cannot reach p = 0.05."
	case Differences:
		return "Mean ranks on a line; a bar joins methods that do not differ in Nemenyi's test at 5 % (Demšar 2006).",
			"Each problem with each seed is a block: the test generalizes to new seeds of these problems. If Friedman's test finds no difference, the bars mean little."
	case AverageTimes:
		return "Evaluations of all runs up to a target, divided by the number of runs that reached it (COCO's aRT).",
			"A run that did not reach the target counts with all its evaluations; ∞ means that no run reached it."
	}
	return "", ""
}

// Across is the quantity of the horizontal axis.
func Across(axis stats.Axis) string {
	switch axis {
	case stats.Iterations:
		return "steps"
	case stats.Cost:
		return "cost"
	}
	return "evaluations"
}

package stats

import (
	"fmt"
	"math"

	"bandscope/functions/numfmt"
)

// View is a way to look at a study.
type View string

// The views.
const (
	Curves       View = "curves"
	Ranked       View = "ranks"
	Reached      View = "targets reached"
	Performance  View = "performance profiles"
	Data         View = "data profiles"
	Pairwise     View = "pairs"
	Differences  View = "critical differences"
	AverageTimes View = "average runtimes"
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

// Words say how the pair compares, by the names of its methods.
func (p Pair) Words(methods []string) string {
	a, b := methods[p.A], methods[p.B]
	if p.N == 0 {
		return fmt.Sprintf("%s and %s: nothing to compare yet", a, b)
	}
	text := fmt.Sprintf("%s against %s: better in %d, worse in %d, the same in %d of %d", a, b, p.Better, p.Worse,
		p.Same, p.N)
	switch {
	case p.Test.N == 0:
		return text
	case p.Few():
		text += "; too few for a test to reach 0.05"
		if p.Tests > 1 {
			text += fmt.Sprintf(" among %d", p.Tests)
		}
	case p.Differ():
		text += "; they differ, " + equals(p.Holm)
	default:
		text += "; no difference is seen, " + equals(p.Holm)
	}
	text += fmt.Sprintf("; %s effect, %s", p.Size(), numfmt.Format(p.Effect))
	if p.Across.N > 0 && MinP(p.Across.N) <= 0.05 {
		text += "; across problems " + equals(p.AcrossHolm)
	}
	return text
}

// Few reports whether no pair with as few differences could reach 0.05, whatever its numbers: alone, or corrected for
// all pairs of methods. With 10 seeds of one problem a pair is one of 25 at most, which 7 methods have 21 of and 8 have
// 28.
func (p Pair) Few() bool { return MinP(p.Test.N)*float64(max(p.Tests, 1)) > 0.05 }

// Differ reports whether the methods differ at 5 %, corrected for all pairs.
func (p Pair) Differ() bool { return p.Holm <= 0.05 }

// Size names how large the effect is: below 0.1 none, below 0.3 small, below 0.5 medium, otherwise large, as for
// correlations (Cohen 1988).
func (p Pair) Size() string {
	switch r := math.Abs(p.Effect); {
	case r < 0.1:
		return "no"
	case r < 0.3:
		return "small"
	case r < 0.5:
		return "medium"
	}
	return "large"
}

// Words say what the test sees, and what the bars of its diagram may mean.
func (f Friedman) Words() string {
	switch {
	case f.Blocks < 2 || len(f.Ranks) < 2:
		return "the test takes two methods and two blocks that all of them have ended"
	case math.IsNaN(f.FP):
		return "all methods are the same in every block"
	}
	text := fmt.Sprintf("Friedman's χ² = %s, %s; Iman and Davenport's F = %s, %s; %d blocks; critical difference %s. ",
		numfmt.Format(f.Chi), equals(f.ChiP), numfmt.Format(f.F),
		equals(f.FP), f.Blocks, numfmt.Format(f.Nemenyi))
	if f.FP > 0.05 {
		return text + "No difference between the methods is seen."
	}
	return text + "The methods are not all the same."
}

// Chance writes the value of a test, as many digits as it deserves.
func Chance(p float64) string {
	switch {
	case math.IsNaN(p):
		return "–"
	case p < 0.0001:
		return "<0.0001"
	case p < 0.01:
		return fmt.Sprintf("%.4f", p)
	case p < 0.1: // on which side of 0.05
		return fmt.Sprintf("%.3f", p)
	}
	return fmt.Sprintf("%.2f", p)
}

// equals writes the value of a test behind a "p".
func equals(p float64) string {
	if p < 0.0001 {
		return "p < 0.0001"
	}
	return "p = " + Chance(p)
}

package stats

import (
	"fmt"
	"math"

	"bandscope/functions/numfmt"
)

// Describe say how the pair compares, by the names of its methods.
func (p Pair) Describe(methods []string) string {
	a, b := methods[p.A], methods[p.B]
	if p.N == 0 {
		return fmt.Sprintf("%s and %s: nothing to compare yet", a, b)
	}
	text := fmt.Sprintf("%s against %s: better in %d, worse in %d, the same in %d of %d", a, b, p.Better, p.Worse,
		p.Same, p.N)
	switch {
	case p.Test.N == 0:
		return text
	case p.Underpowered():
		text += "; too few for a test to reach 0.05"
		if p.Tests > 1 {
			text += fmt.Sprintf(" among %d", p.Tests)
		}
	case p.Significant():
		text += "; they differ, " + formatPEquation(p.Holm)
	default:
		text += "; no difference is seen, " + formatPEquation(p.Holm)
	}
	text += fmt.Sprintf("; %s effect, %s", p.EffectSize(), numfmt.Format(p.Effect))
	if p.Across.N > 0 && MinP(p.Across.N) <= 0.05 {
		text += "; across problems " + formatPEquation(p.AcrossHolm)
	}
	return text
}

// Underpowered reports whether no pair with as few differences could reach 0.05, whatever its numbers: alone, or
// corrected for all pairs of methods. With 10 seeds of one problem a pair is one of 25 at most, which 7 methods have 21
// of and 8 have 28.
func (p Pair) Underpowered() bool { return MinP(p.Test.N)*float64(max(p.Tests, 1)) > 0.05 }

// Significant reports whether the methods differ at 5 %, corrected for all pairs.
func (p Pair) Significant() bool { return p.Holm <= 0.05 }

// EffectSize names how large the effect is: below 0.1 none, below 0.3 small, below 0.5 medium, otherwise large, as for
// correlations (Cohen 1988).
func (p Pair) EffectSize() string {
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

// Describe say what the test sees, and what the bars of its diagram may mean.
func (f Friedman) Describe() string {
	switch {
	case f.Blocks < 2 || len(f.Ranks) < 2:
		return "the test takes two methods and two blocks that all of them have ended"
	case math.IsNaN(f.FP):
		return "all methods are the same in every block"
	}
	text := fmt.Sprintf("Friedman's χ² = %s, %s; Iman and Davenport's F = %s, %s; %d blocks; critical difference %s. ",
		numfmt.Format(f.Chi), formatPEquation(f.ChiP), numfmt.Format(f.F),
		formatPEquation(f.FP), f.Blocks, numfmt.Format(f.Nemenyi))
	if f.FP > 0.05 {
		return text + "No difference between the methods is seen."
	}
	return text + "The methods are not all the same."
}

// FormatP writes the value of a test, as many digits as it deserves.
func FormatP(p float64) string {
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

// formatPEquation writes the value of a test behind a "p".
func formatPEquation(p float64) string {
	if p < 0.0001 {
		return "p < 0.0001"
	}
	return "p = " + FormatP(p)
}

package stats

import (
	"fmt"
	"math"

	"bandscope/functions/numfmt"
)

// Describe describes the comparison of the pair, by the names of its methods.
func (p Pair) Describe(methods []string) string {
	a, b := methods[p.A], methods[p.B]
	if p.N == 0 {
		return fmt.Sprintf("%s and %s: nothing to compare yet", a, b)
	}
	text := fmt.Sprintf("%s against %s: better in %d, worse in %d, equal in %d of %s", a, b, p.Better, p.Worse,
		p.Same, numfmt.Count(p.N, "pair"))
	switch {
	case p.Test.N == 0:
		return text
	case p.Underpowered():
		text += "; too few pairs to reach p = 0.05"
		if p.Tests > 1 {
			text += fmt.Sprintf(" with %d tests", p.Tests)
		}
	case p.Significant():
		text += "; significant difference, " + formatPEquation(p.Holm)
	default:
		text += "; no significant difference, " + formatPEquation(p.Holm)
	}
	text += fmt.Sprintf("; %s effect, %s", p.EffectSize(), numfmt.Format(p.Effect))
	if p.Across.N > 0 && MinP(p.Across.N) <= 0.05 {
		text += "; across problems " + formatPEquation(p.AcrossHolm)
	}
	return text
}

// Underpowered reports whether no test with as few differences could reach 0.05 after the correction for all pairs of
// methods. With 10 seeds of one problem, at most 25 tests are possible: 7 methods have 21 pairs, 8 have 28.
func (p Pair) Underpowered() bool { return MinP(p.Test.N)*float64(max(p.Tests, 1)) > 0.05 }

// Significant reports whether the methods differ at 5 %, corrected for all pairs.
func (p Pair) Significant() bool { return p.Holm <= 0.05 }

// EffectSize classifies the effect: below 0.1 none, below 0.3 small, below 0.5 medium, otherwise large, as for
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

// Describe describes the result of the test.
func (f Friedman) Describe() string {
	switch {
	case f.Blocks < 2 || len(f.Ranks) < 2:
		return "The test needs at least two methods and two blocks that all methods have finished."
	case math.IsNaN(f.FP):
		return "All methods have equal values in every block."
	}
	text := fmt.Sprintf("Friedman's χ² = %s, %s; Iman and Davenport's F = %s, %s; %d blocks; critical difference %s. ",
		numfmt.Format(f.Chi), formatPEquation(f.ChiP), numfmt.Format(f.F),
		formatPEquation(f.FP), f.Blocks, numfmt.Format(f.Nemenyi))
	if f.FP > 0.05 {
		return text + "The methods do not differ significantly."
	}
	return text + "At least one method differs from the others."
}

// FormatP writes a p-value, with more digits the smaller it is.
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

// formatPEquation writes a p-value behind "p =" or "p <".
func formatPEquation(p float64) string {
	if p < 0.0001 {
		return "p < 0.0001"
	}
	return "p = " + FormatP(p)
}

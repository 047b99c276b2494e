package transform

import (
	"cmp"
	"math"
	"slices"
)

// maxRatio is how many times larger in magnitude a value may be than all smaller ones: beyond it they lose all their
// digits in a sum with it.
const maxRatio = 1 << 53

// DropExtremes are the finite values that can be computed with, and drawn, together, the smallest in magnitude first:
// all but those that are maxRatio times larger in magnitude than the others and than 1, such as those of a simulation
// that diverged.
func DropExtremes(values []float64) []float64 {
	finite := slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	slices.SortFunc(finite, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	for i := 1; i < len(finite); i++ {
		if math.Abs(finite[i]) > maxRatio*max(1, math.Abs(finite[i-1])) {
			return finite[:i]
		}
	}
	return finite
}

package front

import (
	"math"

	"bandscope/model/preference"
	"bandscope/optimizers/weights"
	"bandscope/sessions"
)

// MinBox and MaxBox are the outcomes between which a side of a box lies.
const MinBox, MaxBox = -0.5, 2.0

// Sides are the boxes of a prior along two objectives: their ends along x, then along y, as outcomes. A side without an
// end ends at MinBox or MaxBox.
func Sides(prior preference.Prior, st sessions.State, i, j int) (sides [][4]float64) {
	outcomes := weights.OutcomesFor(st.Input())
	ended := func(v, otherwise float64) float64 {
		if math.IsInf(v, 0) {
			return otherwise
		}
		return v
	}
	for _, b := range prior.Boxes() {
		lo, hi := preference.Span(b, outcomes)
		sides = append(sides, [4]float64{ended(lo[i], MinBox), ended(hi[i], MaxBox), ended(lo[j], MinBox),
			ended(hi[j], MaxBox)})
	}
	return sides
}

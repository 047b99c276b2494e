//go:build study

package report

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/optimizers/weights"
	"bandscope/sessions"
)

// TestSteeringStudy is the experiment of Paria 2022 (thesis), §2.7, on Branin-4 and CurrinExp-4: of the evaluations 51
// to 150, the share inside the region mid is larger for MOBO-RS with that region as its prior than for ParEGO and
// random search, in the median of ten seeds. Linear weights cannot aim at a part of a front that is not convex: where
// perfect knowledge of the front would put no greater share there than ParEGO does, no claim is made, and the table
// says what perfect knowledge would do.
func TestSteeringStudy(t *testing.T) {
	share := func(method, scalarization string) (share, perfect float64) {
		shares, ideal := make([]float64, 10), make([]float64, 10)
		for seed := range shares {
			s := start(t, sessions.Config{Problem: "branin4-currin4", Optimizer: method, Seed: uint64(seed),
				Params: map[string]any{"prior": "mid", "scalarization": scalarization}})
			steps(t, s, 150)
			traces := ObjectiveTracesFor(s.State())
			shares[seed] = (150*traces.BoxShare[149] - 50*traces.BoxShare[49]) / 100
			ideal[seed] = reach(t, s.State())
		}
		slices.Sort(shares)
		slices.Sort(ideal)
		share, perfect = (shares[4]+shares[5])/2, (ideal[4]+ideal[5])/2
		t.Logf("%-12s %-10s median share of mid %.3f; sorted %.2f; with perfect knowledge of the front %.2f", method,
			scalarization, share, shares, perfect)
		return share, perfect
	}
	parEGO, _ := share("parego", "tchebyshev")
	random, _ := share("random", "tchebyshev")
	for _, method := range []string{"mobo-rs-ucb", "mobo-rs-ts"} {
		for _, scalarization := range []string{"linear", "tchebyshev"} {
			if s, perfect := share(method, scalarization); perfect > max(parEGO, random) && s <= max(parEGO, random) {
				t.Errorf("%s with the %s scalarization puts %.3f inside mid, the best of the others %.3f", method,
					scalarization, s, max(parEGO, random))
			}
		}
	}
}

// reach is the share of the prior's weights whose best point on the front that is known lies inside the prior's boxes.
func reach(t *testing.T, st sessions.State) float64 {
	in := st.Input()
	lo, hi := weights.ObjectiveRange(in)
	prior, err := weights.PriorFor(in)
	require.NoError(t, err)
	var front [][]float64
	for _, y := range st.Problem.Front().Points(frontPoints) {
		front = append(front, st.Outcome(y, lo, hi))
	}
	drawn, inside := WeightsFor(st, regretWeights), 0
	for _, w := range drawn {
		best, values := math.Inf(-1), []float64(nil)
		for _, u := range front {
			if v, _ := weights.Scalarize(w, u); v > best {
				best, values = v, u
			}
		}
		if prior.Inside(values, weights.OutcomesFor(in)) {
			inside++
		}
	}
	return float64(inside) / float64(len(drawn))
}

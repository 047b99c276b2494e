//go:build study

package sessions

import (
	"slices"
	"testing"
)

// TestSteeringStudy is the experiment of Paria 2022 (thesis), §2.7, on Branin-4 and CurrinExp-4: of the evaluations 51 to 150, the share inside
// the region mid is larger for MOBO-RS with that region as its prior than for ParEGO and random search, in the median of ten seeds.
func TestSteeringStudy(t *testing.T) {
	share := func(method, scalarization string) float64 {
		shares := make([]float64, 10)
		for seed := range shares {
			s := start(t, Config{Problem: "branin4-currin4", Optimizer: method, Seed: uint64(seed), Params: map[string]any{"prior": "mid", "scalarization": scalarization}})
			steps(t, s, 150)
			traces := s.State().ObjectiveTraces()
			shares[seed] = (150*traces.Share[149] - 50*traces.Share[49]) / 100
		}
		slices.Sort(shares)
		median := (shares[4] + shares[5]) / 2
		t.Logf("%-12s %-10s median share of mid %.3f; sorted %.2f", method, scalarization, median, shares)
		return median
	}
	others := max(share("parego", "tchebyshev"), share("random", "tchebyshev"))
	for _, method := range []string{"mobo-rs-ucb", "mobo-rs-ts"} {
		for _, scalarization := range []string{"linear", "tchebyshev"} {
			if s := share(method, scalarization); s <= others {
				t.Errorf("%s with the %s scalarization puts %.3f inside mid, the best of the others %.3f", method, scalarization, s, others)
			}
		}
	}
}

//go:build study

package weights

import (
	"slices"
	"testing"

	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// TestPersonsStudy is how near sixteen persons of each kind are known after twenty answers to the questions that tell
// most, about 40 outcomes on a part of a sphere: without wrong answers, and with one in ten of them wrong.
func TestPersonsStudy(t *testing.T) {
	for _, c := range []struct {
		objectives int
		wrong      float64
		most       float64
	}{{2, 0, 0.03}, {3, 0, 0.06}, {2, 0.1, 0.08}, {3, 0.1, 0.08}} {
		for _, kind := range []string{Linear, Tchebyshev} {
			var at5, at20 []float64
			least := 1e9
			for seed := range uint64(16) {
				in := testbed.InputFor(t, steered, 2, optimizers.Data{})
				in.Objectives, in.Seed = c.objectives, seed
				s := simulate(kind, c.objectives, c.wrong, seed)
				errs, e := s.learn(in, 20)
				at5, at20, least = append(at5, errs[4]), append(at20, errs[19]), min(least, e)
			}
			slices.Sort(at5)
			slices.Sort(at20)
			if (at20[7]+at20[8])/2 > c.most {
				t.Errorf("K=%d, %s, %g wrong: the median error is %.3f, want at most %.3f", c.objectives, kind,
					c.wrong, (at20[7]+at20[8])/2, c.most)
			}
			t.Logf("K=%d, %s, %g wrong: median error %.3f after 5 answers, %.3f after 20 (quartiles %.3f %.3f); least effective %.0f", c.objectives, kind, c.wrong, at5[8], (at20[7]+at20[8])/2, at20[4], at20[12],
				least)
		}
	}
}

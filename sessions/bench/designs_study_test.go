//go:build study

package bench

import (
	"context"
	"flag"
	"math"
	"slices"
	"testing"

	"bandscope/functions"
	"bandscope/sessions"
)

var seeds = flag.Int("seeds", 10, "over how many seeds the designs are compared")

// TestDesigns asks whether published optima of problems with levels, choices and constraints are reached. Stated before it was run: over ten seeds the median of what gp-ei has
// after 100 evaluations is better than that of random and within one percent of the published best, or within one of a value that may be 0; of the yield
// over solvents after 40 evaluations within one. With -seeds fewer are run.
func TestDesigns(t *testing.T) {
	for _, c := range []struct {
		problem string
		steps   int
		within  float64
	}{{"solvents", 40, 1}, {"pressure-vessel", 100, 60.6}, {"welded-beam", 100, 0.0196}, {"branin-mixed", 60, 0.02}, {"labs", 100, 1}, {"ackley-mixed", 100, 1}} {
		t.Run(c.problem, func(t *testing.T) {
			p, err := functions.Find(c.problem, 0)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Run(context.Background(), sessions.Config{Problem: c.problem, Budget: c.steps}, []string{"gp-ei", "random"}, *seeds,
				func(string) (map[string]any, error) { return nil, nil }, nil)
			if err != nil {
				t.Fatal(err)
			}
			ei, random := final(got[0].Median), final(got[1].Median)
			t.Logf("%s, best %.6g: regret after %d of gp-ei %.4g (%.4g), of random %.4g (%.4g)", c.problem, p.Optimum().Value, c.steps, ei, sorted(got[0].Final), random, sorted(got[1].Final))
			if !(ei < random) || !(ei <= c.within) || math.IsNaN(ei) {
				t.Errorf("the rule is not met")
			}
		})
	}
}

func sorted(v []float64) []float64 { v = slices.Clone(v); slices.Sort(v); return v }

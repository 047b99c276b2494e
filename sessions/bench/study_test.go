//go:build study

package bench

import (
	"context"
	"testing"

	"bandscope/sessions"
)

// TestCostStudy is fig. 4.1 of Paria 2022 (thesis), for two of its methods: at half of a budget of 3000 cost-ids has a median regret that is no worse than
// what gp-ei has at its end. The table tells other budgets too, at some of which it is worse.
func TestCostStudy(t *testing.T) {
	for _, budget := range []float64{1000, 1500, 2000, 3000, 4000} {
		got, err := Run(context.Background(), sessions.Config{Problem: "branin-fidelity", CostBudget: budget}, []string{"cost-ids", "gp-ei"}, 10,
			func(string) (map[string]any, error) { return nil, nil }, nil)
		if err != nil {
			t.Fatal(err)
		}
		half, whole := got[0].Median[parts/2-1], final(got[1].Median)
		t.Logf("budget %5g: cost-ids at half of it %.3g, gp-ei at its end %.3g", budget, half, whole)
		if budget == 3000 && half > whole {
			t.Errorf("cost-ids is worse")
		}
	}
}

//go:build study

package acts_test

import (
	"slices"
	"testing"
)

// The default methods are better than random points in a short campaign, at the median of ten seeds.
func TestShortCampaignStudy(t *testing.T) {
	top, median := campaignBest(), map[string]float64{}
	for _, budget := range []int{0, campaignRun} {
		for _, method := range []string{"random", "gp-ei", "gp-ucb"} {
			var share []float64
			for seed := range uint64(10) {
				best, _ := campaign(t, method, seed+1, budget)
				share = append(share, 100*best/top)
			}
			slices.Sort(share)
			median[method] = (share[4] + share[5]) / 2
			t.Logf("budget %2d, %-6s: median %.1f %% of the largest yield, seeds %.1f", budget, method, median[method], share)
		}
		if min(median["gp-ei"], median["gp-ucb"]) <= median["random"] {
			t.Errorf("budget %d: medians %v", budget, median)
		}
	}
}

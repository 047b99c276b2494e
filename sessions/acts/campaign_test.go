package acts_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions/experiment"
	"bandscope/sessions"
	"bandscope/sessions/acts"
)

// campaignLevels are the levels of the variables of a campaign: three choices and two ordered numbers, with 1728
// combinations.
var campaignLevels = []int{4, 12, 4, 3, 3}

// campaignRun is the length of a campaign, in experiments.
const campaignRun = 18

// campaignYield is the yield of a combination, in percent: an effect of each variable and of two pairs, below 100.
func campaignYield(x []float64) float64 {
	effect := 0.0
	for j, v := range x {
		effect += math.Cos(2.3*v*float64(j+1) + float64(j))
	}
	effect += 1.5*math.Sin(1.7*x[0]+0.9*x[1]) + math.Cos(1.1*x[1]*x[4]/4)
	return 100 / (1 + math.Exp(-effect))
}

// campaignBest is the largest yield.
func campaignBest() (best float64) {
	x := make([]float64, len(campaignLevels))
	for i := range 4 * 12 * 4 * 3 * 3 {
		for j, n := range campaignLevels {
			x[j], i = float64(i%n), i/n
		}
		best = max(best, campaignYield(x))
	}
	return best
}

// campaign does a campaign, and returns its best yield and how many of its points the model chose.
func campaign(t *testing.T, method string, seed uint64, budget int) (best float64, byModel int) {
	t.Helper()
	text := "name = \"coupling\"\n"
	for j, n := range campaignLevels {
		kind, list, value := "choice", "choices", "\"level %d\""
		if n == 3 {
			kind, list, value = "ordered", "values", "%d"
		}
		var levels []string
		for i := range n {
			levels = append(levels, fmt.Sprintf(value, i))
		}
		text += fmt.Sprintf("[[variable]]\nname = \"v%d\"\nkind = %q\n%s = [%s]\n", j, kind, list, strings.Join(levels, ", "))
	}
	d, err := experiment.Parse("problem", []byte(text+"[[objective]]\nname = \"yield\"\ndirection = \"maximize\"\n"))
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), sessions.Config{Problem: d.Name, Experiment: d, Optimizer: method, Seed: seed,
		Budget: budget})
	require.NoError(t, err)
	defer s.Close()
	for range campaignRun {
		points, err := acts.AskPoints(t.Context(), s, acts.AskArgs{Count: new(1)}, nil)
		require.NoError(t, err)
		if points[0].Design == nil {
			byModel++
		}
		y := campaignYield(points[0].Input())
		best = max(best, y)
		_, err = acts.TellPoint(s, points[0].Name, result("yield", y), false)
		require.NoError(t, err)
	}
	return best, byModel
}

// In a short campaign over many levels the model chooses points, with a budget and without.
func TestModelIsUsedInAShortCampaign(t *testing.T) {
	for budget, want := range map[int]int{0: 7, campaignRun: 12} {
		if _, n := campaign(t, "gp-ei", 4, budget); n != want {
			t.Errorf("budget %d: the model chose %d points of %d, want %d", budget, n, campaignRun, want)
		}
	}
}

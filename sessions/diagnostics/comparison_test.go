package diagnostics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// A method beside itself agrees in everything; beside another its point is as far as it is, and the result that
// separates them is the one without which they are nearest.
func TestBeside(t *testing.T) {
	quick := map[string]any{"initial": 4, "restarts": 1, "kernel": "se", "hyperparameters": "fitted"}
	s := stepped(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 7, Params: quick}, 8)
	r, err := ExplainNext(t.Context(), s, ExplainOptions{Influence: true}, nil)
	require.NoError(t, err)
	beside := func(method string, params map[string]any) *Comparison {
		t.Helper()
		other, err := s.WithMethod(method, params)
		require.NoError(t, err)
		b, err := CompareChoices(t.Context(), s, r, other, ExplainOptions{}, nil)
		require.NoError(t, err)
		return b
	}
	if b := beside("gp-ei", quick); !b.Same || b.Distance > 1e-9 || math.Abs(b.Correlation-1) > 1e-12 ||
		b.Overlap != 1 || b.Separating != nil || b.SeparationUnavailable != "" {
		t.Errorf("beside itself: %+v", b)
	}
	b := beside("gp-ucb", map[string]any{"initial": 4, "restarts": 1, "kernel": "se",
		"hyperparameters": "fitted", "beta_scale": 40.0})
	if b.Same || math.Abs(b.Distance-math.Abs(b.Other.Chosen.X[0]-r.Chosen.X[0])) > 1e-12 || b.Correlation < 0.5 ||
		b.Overlap >= 1 || b.Separating == nil {
		t.Fatalf("beside a bold bound: %+v", b)
	}
	least := math.Inf(1)
	for i := range r.Influence {
		distance := math.Abs(r.Influence[i].XWithout[0] - b.Other.Influence[i].XWithout[0])
		if least = min(least, distance); math.Abs(b.Distances[i]-distance) > 1e-12 {
			t.Errorf("without result %d they are told to be %g apart, which is %g", i, b.Distances[i], distance)
		}
	}
	if math.Abs(b.Separating.Distance-least) > 1e-12 || least >= b.Distance {
		t.Errorf("without %s they are %g apart, the least is %g, with all %g", b.Separating.Label,
			b.Separating.Distance, least, b.Distance)
	}
	if b := beside("random", nil); b.SeparationUnavailable == "" || !math.IsNaN(b.Correlation) {
		t.Errorf("beside random points: %+v", b)
	}
}

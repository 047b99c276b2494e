package report

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/optimizers/weights"
	"bandscope/sessions"
)

// The traces against their definitions, written apart; better points lower the regret, and an edit of the prior changes
// what it means.
func TestObjectiveTraces(t *testing.T) {
	s := start(t, sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ucb", Seed: 2,
		Params: map[string]any{"initial": 4}})
	steps(t, s, 12)
	st := s.State()
	traces := ObjectiveTracesFor(st)
	if len(traces.Hypervolume) != 12 || len(traces.BayesRegret) != 12 || !traces.Exact || traces.BoxShare != nil {
		t.Fatalf("%+v", traces)
	}
	lo, hi := weights.ObjectiveRange(st.Input())
	mean := 0.0
	for _, w := range WeightsFor(st, regretWeights) {
		front, found := math.Inf(-1), math.Inf(-1)
		for i := range frontPoints {
			x := float64(i) / (frontPoints - 1)
			v, _ := weights.Scalarize(w, st.Outcome([]float64{x, math.Sqrt(1 - x*x)}, lo, hi))
			front = math.Max(front, v)
		}
		for _, it := range st.Iterations {
			v, _ := weights.Scalarize(w, st.Outcome(it.Points[0].Truth, lo, hi))
			found = math.Max(found, v)
		}
		mean += (front - found) / regretWeights
	}
	assert.InDelta(t, mean, traces.BayesRegret[11], 1e-12, "Bayes regret")
	for i := 1; i < 12; i++ {
		if traces.Hypervolume[i] < traces.Hypervolume[i-1]-1e-12 ||
			traces.BayesRegret[i] > traces.BayesRegret[i-1]+1e-12 {
			t.Errorf("iteration %d: hypervolume %g after %g, regret %g after %g", i+1, traces.Hypervolume[i],
				traces.Hypervolume[i-1], traces.BayesRegret[i], traces.BayesRegret[i-1])
		}
	}
	if traces.BayesRegret[11] > 0.5*traces.BayesRegret[3] {
		t.Errorf("the regret fell from %g to %g", traces.BayesRegret[3], traces.BayesRegret[11])
	}
	for i, v := range traces.PriorBayesRegret {
		if v != traces.BayesRegret[i] {
			t.Errorf("before any edit the regret under the first prior is %g, under the present one %g", v,
				traces.BayesRegret[i])
		}
	}
	for _, bad := range []string{"box(0..1)", "dirichlet(0)", "nowhere", "box(1..0, 0..1)"} {
		assert.Error(t, s.Edit("prior", bad), "the prior %s is taken", bad)
	}
	require.NoError(t, s.Edit("prior", "0.5 box(80%..100%, any) + 0.5 flat"))
	if moved := ObjectiveTracesFor(s.State()); moved.PriorBayesRegret[11] != traces.BayesRegret[11] ||
		moved.BayesRegret[11] == traces.BayesRegret[11] {
		t.Errorf("after an edit the first prior's regret is %g, was %g; the present one's %g",
			moved.PriorBayesRegret[11],
			traces.BayesRegret[11], moved.BayesRegret[11])
	}
	if again := ObjectiveTracesFor(s.State()); again.BoxShare == nil || again.BoxShare[11] != 1 &&
		again.BayesRegret[11] == traces.BayesRegret[11] {
		t.Errorf("after an edit of the prior: %+v", again)
	}
}

// A box at one end of the front draws the search there.
func TestBoxesSteer(t *testing.T) {
	share := func(prior string) float64 {
		s := start(t, sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ucb", Seed: 3,
			Params: map[string]any{"initial": 6, "prior": prior}})
		steps(t, s, 26)
		right := 0
		for _, it := range s.State().Iterations[6:] {
			if it.Points[0].Truth[0] > it.Points[0].Truth[1] {
				right++
			}
		}
		return float64(right) / 20
	}
	if right, left := share("box(90%..100%, 5%..20%)"), share("box(5%..20%, 90%..100%)"); right < 0.8 || left > 0.2 {
		t.Errorf("steered to the right %.2f of the points lie there, to the left %.2f", right, left)
	}
}

// Methods for one objective say so when they are given several.
func TestOneObjectiveMethodsRefuseSeveral(t *testing.T) {
	if _, err := sessions.New(t.Context(), sessions.Config{Problem: "schaffer", Optimizer: "gp-ei", Seed: 1}); err ==
		nil {
		t.Error("gp-ei takes two objectives")
	}
	s := start(t, sessions.Config{Problem: "schaffer", Optimizer: "random", Seed: 1})
	if _, err := s.Step(context.Background(), nil); err != nil {
		t.Error(err)
	}
	if traces := ObjectiveTracesFor(s.State()); len(traces.BayesRegret) != 1 || len(traces.Hypervolume) != 1 {
		t.Errorf("%+v", traces)
	}
}

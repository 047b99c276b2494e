package picture

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/picture/internal/trial"
)

// The acquisition along one variable and over two has a hatch exactly where the model expects that a limit is more likely
// violated than met; without limits it has none.
func TestLimitsOfAnAcquisitionGrid(t *testing.T) {
	for _, c := range []struct {
		problem string
		j       int
		limited bool
	}{{"forrester-hot", -1, true}, {"gramacy-toy", 1, true}, {"gramacy-toy", -1, true}, {"branin", 1, false}} {
		s := trial.RunSteps(t, sessions.Config{Problem: c.problem, Optimizer: "gp-ei", Seed: 3}, 7)
		domain := s.State().Problem.Domain
		held := domain.FromUnit(make([]float64, len(domain)))
		for i := range held {
			held[i] = 0.5
		}
		x := domain.FromUnit(held)
		g, err := NewAcquisitionGrid(t.Context(), s, x, 0, c.j, nil)
		require.NoError(t, err)
		if !c.limited {
			if len(g.Beyond.Over.Z) > 0 {
				t.Errorf("%s: without limits something is hatched", c.problem)
			}
			continue
		}
		b, err := s.Belief(t.Context(), nil)
		require.NoError(t, err)
		if len(g.Beyond.Over.Z) != len(g.Values) || g.Beyond.Strip != (c.j < 0) || g.Beyond.Name != halfName {
			t.Fatalf("%s: the hatch is %d of %d nodes, a strip %t", c.problem, len(g.Beyond.Over.Z), len(g.Values), g.Beyond.Strip)
		}
		hatched := 0
		for k, z := range g.Beyond.Over.Z {
			p := domain.FromUnit(g.grid.x.RawRowView(k))
			log, err := optimizers.FeasibilityFor(b).LogProbability(t.Context(), mat.NewDense(1, len(p), domain.ToUnit(p)))
			require.NoError(t, err)
			if math.Abs(z-(0.5-math.Exp(log[0]))) > 1e-9 {
				t.Fatalf("%s at %v: the hatch is %g, the probability %g", c.problem, p, z, math.Exp(log[0]))
			}
			if z > 0 {
				hatched++
			}
		}
		if hatched == 0 || hatched == len(g.Values) {
			t.Errorf("%s: %d of %d nodes are hatched", c.problem, hatched, len(g.Values))
		}
	}
}

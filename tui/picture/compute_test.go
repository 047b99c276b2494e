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
		g, err := ComputeAcquisition(t.Context(), s, x, 0, c.j, nil)
		require.NoError(t, err)
		hatch, nodes := g.LimitHatch(), len(g.Fields[AcquisitionField].Z)
		if !c.limited {
			if !hatch.Empty() {
				t.Errorf("%s: without limits something is hatched", c.problem)
			}
			continue
		}
		b, err := s.Belief(t.Context(), nil)
		require.NoError(t, err)
		if len(hatch.Over.Z) != nodes || hatch.Strip != (c.j < 0) || hatch.Name != halfName {
			t.Fatalf("%s: the hatch is %d of %d nodes, a strip %t", c.problem, len(hatch.Over.Z), nodes, hatch.Strip)
		}
		hatched := 0
		for k, z := range hatch.Over.Z {
			p := domain.FromUnit(g.newGrid(acquisitionNodes(g.View)).x.RawRowView(k))
			log, err := optimizers.FeasibilityFor(b).LogProbability(t.Context(), mat.NewDense(1, len(p), domain.ToUnit(p)))
			require.NoError(t, err)
			if math.Abs(z-(0.5-math.Exp(log[0]))) > 1e-9 {
				t.Fatalf("%s at %v: the hatch is %g, the probability %g", c.problem, p, z, math.Exp(log[0]))
			}
			if z > 0 {
				hatched++
			}
		}
		if hatched == 0 || hatched == nodes {
			t.Errorf("%s: %d of %d nodes are hatched", c.problem, hatched, nodes)
		}
	}
}

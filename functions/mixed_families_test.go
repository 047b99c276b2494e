package functions

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The constraints of the designs are those of their formulas: they hold at a point where nothing that is asked is
// missing. There are designs that hold, and of random ones that do none is better than the best.
func TestDesigns(t *testing.T) {
	for name, least := range map[string]func(x []float64) float64{
		"pressure-vessel": func(x []float64) float64 {
			s := vesselSlack(x[0]/16, x[1]/16, x[2], x[3])
			return min(s[0], s[1], s[2])
		},
		"welded-beam": func(x []float64) float64 { s := beam(x).Slack(); return min(s[0], s[1], s[2], s[3], s[4]) },
	} {
		p, rng := find(t, name, 0), rand.New(rand.NewPCG(8, 1))
		held := 0
		for range 200_000 {
			u := make([]float64, p.Dim())
			for j := range u {
				u[j] = rng.Float64()
			}
			x := p.Domain.FromUnit(u)
			slack := least(x)
			if slack >= 0 {
				held++
			}
			if slack > 0 && p.Truth.Value(x)[0] < p.Optimum().Value {
				t.Errorf("%s: %v costs %g and holds", name, x, p.Truth.Value(x)[0])
			}
			if held%50 == 0 {
				if err := p.CheckConstraints(x); (err == nil) != (slack >= 0) {
					t.Errorf("%s: at %v %g is left, and it is refused with %v", name, x, slack, err)
				}
			}
			if held == 10_000 {
				break
			}
		}
		t.Logf("%s: %d held", name, held)
		if held < 1000 {
			t.Errorf("%s: of 200,000 designs %d hold", name, held)
		}
	}
}

// vesselSlack is how much is left of what the code of boilers and the volume ask of a pressure vessel, by parts of what
// is asked: of the thickness of the shell, of that of the heads, and of the volume of 1,296,000 cubic inches. None may
// be below zero.
func vesselSlack(shell, head, radius, length float64) [3]float64 {
	return [3]float64{
		shell/(0.0193*radius) - 1,
		head/(0.00954*radius) - 1,
		math.Pi*radius*radius*(length+4.0/3*radius)/1_296_000 - 1,
	}
}

// A search, which counts a constraint as satisfied up to its tolerance, finds no price below that of the optimum: where
// a shorter weld violates the limit of the stress by half of the tolerance, the constraint is violated by more than it.
func TestWeldedBeamHasNoPriceBelowTheOptimum(t *testing.T) {
	p := find(t, "welded-beam", 0)
	x := slices.Clone(p.Optimum().X[0])
	require.NoError(t, p.CheckConstraints(x))
	x[3] -= 5e-10 * x[3]
	violated := 0.0
	for _, c := range p.Constraints {
		if c.Excess != nil {
			violated = max(violated, c.Excess(x))
		}
	}
	if slack := beam(x).Slack()[0]; slack > 0 || slack < -searchTolerance || violated <= searchTolerance {
		t.Errorf("with the slack %g the constraint is violated by %g", slack, violated)
	}
}

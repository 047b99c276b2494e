package picture

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/picture/internal/trial"
)

// What is beyond a limit has a mark of its own, whatever it is besides, and the bracket lies where the limits are
// believed to be exceeded rather than met: nowhere else. It is a hatch, as of constraints.
func TestLimitsOfASlice(t *testing.T) {
	s := trial.RunSteps(t, sessions.Config{Problem: "forrester-hot", Optimizer: "gp-ei", Seed: 3}, 7)
	st := s.State()
	p, err := ComputeSlice(t.Context(), s, View{}, []float64{0}, nil)
	require.NoError(t, err)
	described := 0
	for _, f := range p.Legend.Facts {
		if says, term := DescribeFact(f, st); term == "limit" && strings.HasPrefix(says, "The limit ") {
			described++
		}
	}
	if described != len(st.Problem.Limits) {
		t.Errorf("%d of %d limits are described", described, len(st.Problem.Limits))
	}
	c := Drawing{Style: drawn, State: st, Posterior: p}.Chart(MeanField)
	beyond, within := trial.PointsFor(t, c, limitViolationName), trial.PointsFor(t, c, "data")
	count := 0
	for _, it := range st.Iterations {
		if !st.Feasible(it, 0) {
			count++
		}
	}
	if count == 0 || len(beyond.X) != count || len(within.X)+len(trial.PointsFor(t, c, "newest").X)+count != 7 {
		t.Errorf("of 7 points %d are beyond a limit, %d marked so and %d as data", count, len(beyond.X), len(within.X))
	}
	for i, x := range beyond.X {
		if math.Exp(2*x) <= 4 {
			t.Errorf("%g is marked as beyond the limit (%g)", x, beyond.Y[i])
		}
	}
	strips := trial.LayersNamed(c, func(l chart.Hatch) string { return l.Name }, halfName)
	if len(strips) != 1 || !strips[0].Strip || len(p.Fields[FeasibleField].Z) != len(p.Grid()) {
		t.Fatalf("there are %d strips, and the probability at %d of %d inputs", len(strips), len(p.Fields[FeasibleField].Z),
			len(p.Grid()))
	}
	for i, z := range strips[0].Over.Z {
		if (z > 0) != (p.Fields[FeasibleField].Z[i] < 0.5) {
			t.Fatalf("at %g the probability is %g and the hatch %g", p.Grid()[i], p.Fields[FeasibleField].Z[i], z)
		}
	}
	if free := trial.RunSteps(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 3); true {
		p, err := ComputeSlice(t.Context(), free, View{}, []float64{0}, nil)
		if err != nil || !p.Fields[FeasibleField].Empty() {
			t.Errorf("without limits the probability is %v, %v", p.Fields[FeasibleField].Z, err)
		}
	}
}

// Over two variables the probability is a field of its own, and the place where it is ½ a line on the others.
func TestLimitsOfAPlane(t *testing.T) {
	s := trial.RunSteps(t, sessions.Config{Problem: "gramacy-toy", Optimizer: "gp-ei", Seed: 3}, 7)
	p, err := Compute(t.Context(), s, WholePlane(0, 1), []float64{0, 0}, nil, func(*Posterior) {})
	require.NoError(t, err)
	d := Drawing{Style: drawn, State: s.State(), Posterior: p}
	c := d.Chart(MeanField)
	lines := trial.LayersNamed(c, func(l chart.Contours) string { return l.Name }, limitContourName)
	if len(lines) != 1 || lines[0].Levels[0] != 0.5 {
		t.Errorf("the limit is drawn as %+v", lines)
	}
	if h := trial.LayersNamed(c, func(l chart.Hatch) string { return l.Name }, halfName); len(h) != 1 || h[0].Strip {
		t.Errorf("%d regions are hatched", len(h))
	} else {
		for i, z := range p.Fields[FeasibleField].Z {
			require.Equal(t, z < 0.5, h[0].Over.Z[i] > 0, "node %d with the probability %g is hatched", i, z)
		}
	}
	if len(trial.PointsFor(t, c, limitViolationName).X) == 0 ||
		p.Name(FeasibleField) != feasibilityName {
		t.Errorf("no point is marked, or %q", p.Name(FeasibleField))
	}
	for _, z := range p.Fields[FeasibleField].Z {
		if z < 0 || z > 1 {
			t.Fatalf("a probability of %g", z)
		}
	}
}

package report

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// The belief as numbers has the probability of each limit and of all; tables say what is within all limits; best values
// and regrets are of that alone.
func TestLimitsAreTold(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "gramacy-toy", Optimizer: "gp-ei", Seed: 3})
	require.NoError(t, err)
	defer s.Close()
	for range 7 {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	r, err := Inspect(t.Context(), s, InspectOptions{Inputs: [][]float64{{0.2, 0.4}, {0.9, 0.9}}}, nil)
	if err != nil || len(r.Limits) != 2 || r.Limits[0].Name != "wave" || len(r.Feasible) != 2 {
		t.Fatalf("%+v, %v", r.Limits, err)
	}
	for i, p := range r.Feasible {
		if want := r.Limits[0].Values[i] * r.Limits[1].Values[i]; math.Abs(float64(p-want)) > 1e-12 {
			t.Errorf("all limits are met with the probability %g, want %g", p, want)
		}
	}
	st := s.State()
	traces := TracesFor(st)
	best := math.Inf(1)
	for i, it := range st.Iterations {
		if row := RowFor(st, i, traces); row.Feasible[0] != st.Problem.Feasible(it.Points[0].Y) {
			t.Errorf("step %d is feasible: %v", i+1, row.Feasible)
		}
		if st.Problem.Feasible(it.Points[0].Y) {
			best = min(best, it.Points[0].Y[0])
		}
		if got := traces.Best[i]; got != best && !(math.IsNaN(got) && math.IsInf(best, 1)) {
			t.Errorf("after step %d the best is %g, want %g", i+1, got, best)
		}
		if got, want := traces.SimpleRegret[i], best-st.Problem.Optimum().Value; !math.IsInf(best, 1) &&
			math.Abs(got-want) > 1e-12 {
			t.Errorf("after step %d the regret is %g, want %g", i+1, got, want)
		}
	}
	var csv bytes.Buffer
	if err := Export(t.Context(), st, &csv, "csv"); err != nil ||
		!strings.HasPrefix(csv.String(), "step,source,x1,x2,f,f_true,wave,wave_true,radius,radius_true,failed,feasible,") {
		t.Errorf("the table is %q, %v", csv.String()[:100], err)
	}
}

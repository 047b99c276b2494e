package diagnostics

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/optimizers/inspection"
	"bandscope/sessions"
)

// A calibration over searches has a row for each function and number of evaluations and one for all, depends on nothing
// but the plan, and its cells are those of the same searches made by hand.
func TestSearchCalibration(t *testing.T) {
	p := SearchPlan{Functions: []string{"forrester", "sine-trend"}, Seeds: 3, At: []int{4, 6},
		Config: sessions.Config{Optimizer: "gp-ei", Params: map[string]any{"initial": 3}}}
	rows, err := MeasureSearchCalibration(t.Context(), p, nil)
	if err != nil || len(rows) != 5 {
		t.Fatalf("%v (%v)", rows, err)
	}
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "sine-trend", Optimizer: "gp-ei", Seed: 2, Budget: 6,
		Params: map[string]any{"initial": 3}})
	require.NoError(t, err)
	defer s.Close()
	for range 6 {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	b, err := s.Belief(t.Context(), nil)
	require.NoError(t, err)
	over, err := PredictDomain(t.Context(), s.State(), b)
	require.NoError(t, err)
	want := cellOf(over[0])
	cells, err := p.search(t.Context(), "sine-trend", 2)
	if err != nil || !reflect.DeepEqual(cells[1], want) {
		t.Errorf("the cell is %v, by hand %v (%v)", cells, want, err)
	}
	for i, r := range rows[:4] {
		if r.Function != p.Functions[i/2] || r.Evaluations != p.At[i%2] || len(r.Coverage) != len(inspection.Levels) ||
			!(r.Coverage[0].Value < r.Coverage[2].Value) || r.Narrow < 0 || r.Narrow > 1 {
			t.Errorf("row %d: %+v", i, r)
		}
	}
	mean := 0.0
	for _, r := range rows[:4] {
		mean += r.LogDensity.Value / 4
	}
	if math.Abs(mean-rows[4].LogDensity.Value) > 1e-12 || rows[4].Evaluations != 0 {
		t.Errorf("of all %+v, want the mean %g", rows[4], mean)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = MeasureSearchCalibration(cancelled, p, nil)
	assert.ErrorIs(t, err, context.Canceled, "cancelled: %v", err)
}

// The log density of a cell is that of the standardized truth: of a band that is the standard normal law around a truth
// of standard deviation 1 it is −½ log 2π − z²/2, and one point takes 50 at most.
func TestCellOf(t *testing.T) {
	h := inspection.Predictions{Y: []float64{-1, 0, 1}, Mean: make([]float64, 3), SD: []float64{1, 1, 1},
		Z: []float64{-1, 0, 1}, LogDensity: []float64{-1.4189385, -0.9189385, -1e9}}
	if c := cellOf(h); math.Abs(c[len(c)-1]-(-1.4189385-0.9189385-50)/3) > 1e-6 || c[0] != 1.0/3 || c[2] != 1 {
		t.Errorf("the cell is %v", c)
	}
}

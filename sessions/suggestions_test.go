package sessions

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/optimizers"
)

// Points within narrowed bounds are those bounds to the last digit, and verify: what the unit cube rounds away does not
// leave them.
func TestBoundsHoldToTheLastDigit(t *testing.T) {
	s := start(t, Config{Problem: "branin", Optimizer: "random", Seed: 5})
	missed := 0 // values that the way to the unit cube and back does not keep
	for i := range 20 {
		v := -5 + 15*float64(2*i+1)/41
		u := s.rec.State().Problem.Domain.ToUnit([]float64{v, 0})
		if s.rec.State().Problem.Domain.FromUnit(u)[0] != v {
			missed++
		}
		require.NoError(t, s.Bound(t.Context(), "x1", v, v, ""))
		it, err := s.Step(context.Background(), nil)
		if err != nil || it.Points[0].X[0] != v {
			t.Errorf("pinned at %v, it evaluates %v, %v", v, it.Inputs(), err)
		}
	}
	assert.NotEqual(t, 0, missed, "no value is rounded: the test shows nothing")
	repeats(t, s, 20)
}

// A suggestion becomes an iteration in the problem's units and directions, with its time in seconds to the microsecond.
func TestPointsOf(t *testing.T) {
	p := &functions.Problem{Domain: functions.Domain{{Name: "a", Low: -5, High: 10}, {Name: "b", Low: 100, High: 300}},
		Objectives: []functions.Objective{{Name: "f", Direction: functions.Maximize}}}
	st := State{Problem: p, Spec: &optimizers.Spec{Name: "method"}}
	sug := optimizers.Suggestion{X: mat.NewDense(2, 2, []float64{0, 0.5, 0.2, 1}), Mean: []float64{2, -3},
		SD: []float64{0.5, 0.25}, Note: "said"}
	it := st.newIteration(sug, 1500001499*time.Nanosecond)
	want := [][]float64{{-5, 200}, {-2, 300}}
	for i, x := range want {
		for j, v := range x {
			assert.InDelta(t, v, it.Points[i].X[j], 1e-12, "point %d is %v, want %v", i, it.Points[i].X, x)
		}
	}
	if len(it.Points) != 2 || it.Seconds != 1.500001 || it.Points[0].Mean != -2 || it.Points[1].Mean != 3 ||
		it.Points[0].SD != 0.5 || it.By != "method" || it.Note != "said" {
		t.Errorf("got %+v", it)
	}
}

// A nudge moves every value by its last bit, some up and some down, differently by pattern, and leaves what is on
// record alone.
func TestNudged(t *testing.T) {
	s := start(t, Config{Problem: "branin", Optimizer: "random", Seed: 3})
	steps(t, s, 8)
	made, err := s.Suggestions()
	require.NoError(t, err)
	m := made[7]
	ups := func(n Suggestion) (bits string) {
		require.Equal(t, 7, len(n.Before.Iterations), "%d data", len(n.Before.Iterations))
		for i, it := range n.Before.Iterations {
			was, now := s.State().Iterations[i].Points[0].Y[0], it.Points[0].Y[0]
			switch now {
			case math.Nextafter(was, math.Inf(1)):
				bits += "1"
			case math.Nextafter(was, math.Inf(-1)):
				bits += "0"
			default:
				t.Errorf("%v becomes %v", was, now)
			}
		}
		return bits
	}
	a, b := ups(m.Perturb(0)), ups(m.Perturb(1))
	if a == b || a != ups(m.Perturb(0)) || !strings.Contains(a, "0") || !strings.Contains(a, "1") {
		t.Errorf("patterns %s and %s", a, b)
	}
}

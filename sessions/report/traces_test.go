package report

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/functions"
	"bandscope/sessions"
)

// The traces of a single objective by hand: two batches with failures among them, of a problem with the optimum 1.
func TestTracesByHand(t *testing.T) {
	nan := math.NaN()
	problem := &functions.Problem{Objectives: []functions.Objective{{Name: "f", Direction: functions.Maximize}},
		Truth: &functions.Truth{Optimum: &functions.Optimum{Value: 10}}}
	it := func(y, truth, cost []float64) sessions.Iteration {
		var i sessions.Iteration
		for b := range y {
			i.Points = append(i.Points, sessions.Point{X: []float64{0}, Y: y[b : b+1], Truth: truth[b : b+1],
				Failed: math.IsNaN(y[b]), Cost: cost[b]})
		}
		return i
	}
	st := sessions.State{Problem: problem, Iterations: []sessions.Iteration{
		it([]float64{nan}, []float64{nan}, []float64{1}),
		it([]float64{4.5, 6.5}, []float64{4, 6}, []float64{2, 3}), // regrets 6 and 4: the iteration counts 4
		it([]float64{nan}, []float64{nan}, []float64{1}),
		it([]float64{5.5}, []float64{5}, []float64{2}),            // regret 5
		it([]float64{9.5, nan}, []float64{9, 3}, []float64{4, 1}), // regret 1
	}}
	got := TracesFor(st)
	for name, c := range map[string][2][]float64{
		"best":       {got.Best, {nan, 6.5, 6.5, 6.5, 9.5}},
		"simple":     {got.SimpleRegret, {nan, 4, 4, 4, 1}},
		"cumulative": {got.CumulativeRegret, {nan, 4, 4, 9, 10}},
		"spent":      {got.Cost, {1, 6, 7, 9, 14}},
		"weighted":   {got.WeightedRegret, {nan, 24, 24, 34, 38}},
	} {
		assert.Equal(t, fmt.Sprint(c[1]), fmt.Sprint(c[0]), "%s: %v, want %v", name, c[0], c[1])
	}
	problem.Truth = nil
	if got := TracesFor(sessions.State{Problem: problem, Iterations: st.Iterations}); got.SimpleRegret != nil ||
		got.CumulativeRegret != nil || got.WeightedRegret != nil || got.Best[4] != 9.5 {
		t.Errorf("without a known optimum: %+v", got)
	}
}

// Regret over cost by hand (Paria 2022, thesis, eq. 4.8 and 4.9).
func TestByCost(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		greatest float64
		count    int
		want     []float64
	}{
		{10, 5, []float64{5, 5, 2, 2, 1}}, // at 2, 4, 6, 8, 10
		{20, 4, []float64{2, 1, nan, nan}},
		{1, 2, []float64{nan, 5}},
	} {
		got := ByCost([]float64{5, 2, 1}, []float64{1, 5, 10}, c.greatest, c.count)
		for i, v := range got {
			if v != c.want[i] && !(math.IsNaN(v) && math.IsNaN(c.want[i])) {
				t.Errorf("up to %g: %v, want %v", c.greatest, got, c.want)
				break
			}
		}
	}
	s := start(t, sessions.Config{Problem: "forrester-cost", Optimizer: "random"})
	steps(t, s, 5)
	tr, weighted := TracesFor(s.State()), 0.0
	for _, it := range s.State().Iterations {
		weighted += it.Points[0].Cost * (it.Points[0].Truth[0] - s.State().Problem.Optimum().Value)
	}
	assert.InDelta(t, weighted, tr.WeightedRegret[4], 1e-9, "the regret weighted by cost")
}

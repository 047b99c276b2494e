package picture

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/sessions"
	"bandscope/tui/theme"
)

// onLog is a session of three results on variables of which the first is logarithmic.
func onLog(t *testing.T, dim int) *sessions.Session {
	t.Helper()
	d := &experiment.Declaration{Name: "p",
		Variables: functions.Domain{{Name: "k", Low: 1e-4, High: 1, Scale: functions.Log},
			{Name: "x", Low: 0, High: 1}}[:dim],
		Objectives: []functions.Objective{{Name: "y", Direction: functions.Minimize}}}
	s, err := sessions.New(t.Context(), sessions.Config{Experiment: d, Seed: 1})
	require.NoError(t, err)
	s.SetEvaluator(evaluator{})
	for range 3 {
		_, err = s.Step(context.Background(), nil)
		require.NoError(t, err)
	}
	return s
}

type evaluator struct{}

func (evaluator) Evaluate(_ context.Context, x []float64) (functions.Outcome, error) {
	return functions.Outcome{Values: []float64{math.Log(x[0])}}, nil
}

// Pictures along a logarithmic variable are laid evenly over its factors, and drawn on logarithmic axes.
func TestLogarithmicVariables(t *testing.T) {
	s := onLog(t, 1)
	p, err := Compute(context.Background(), s, View{}, nil, nil, nil)
	require.NoError(t, err)
	even := 0
	grid := p.Grid()
	for i := 1; i < len(grid); i++ {
		if math.Abs(math.Log(grid[i]/grid[i-1])-math.Log(1e4)/float64(lineNodes[1]-1)) < 1e-9 {
			even++
		}
	}
	if grid[0] != 1e-4 || grid[len(grid)-1] != 1 || even < lineNodes[1]-10 {
		t.Errorf("the grid goes from %g to %g, in %d equal factors", grid[0], grid[len(grid)-1], even)
	}
	st := theme.New(true, theme.NoColor, false)
	d := Drawing{State: s.State(), Posterior: p, Style: st}
	for name, axis := range map[string]bool{
		"the belief": d.Chart(MeanField).X.Log, "the acquisition": d.Chart(AcquisitionField).X.Log} {
		assert.True(t, axis, "%s is drawn on an even axis", name)
	}
	two := onLog(t, 2)
	plane, err := Compute(context.Background(), two, WholePlane(0, 1).Zoomed([2]float64{0.5, 0.5}),
		Anchor(two.State()), nil, func(*Posterior) {})
	require.NoError(t, err)
	c := Drawing{State: two.State(), Posterior: plane, Style: st}.Chart(MeanField)
	if !c.X.Log || c.Y.Log || math.Abs(c.X.Min-1e-3) > 1e-12 || math.Abs(c.X.Max-0.1) > 1e-9 || c.Y.Min != 0.25 {
		t.Errorf("half of the plane is drawn over %+v, %+v", c.X, c.Y)
	}
	if u, v := plane.Place([]float64{1e-2, 0.5}); math.Abs(u-0.5) > 1e-9 || math.Abs(v-0.5) > 1e-9 {
		t.Errorf("its middle is at %g, %g", u, v)
	}
}

package front

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// The outcomes beyond a limit are hatched, with a line at the limit, whatever the scale of the axis; an axis reaches a
// limit that is near its values, and not one that is far.
func TestLimitLayers(t *testing.T) {
	bound := func(v float64) *float64 { return &v }
	objectives := []functions.Objective{
		{Name: "yield", Direction: functions.Maximize, AtLeast: bound(40)},
		{Name: "impurity", Direction: functions.Minimize, AtMost: bound(10), Scale: functions.Log,
			Range: &[2]float64{0.1, 1000}}}
	d := Drawing{Style: theme.New(true, theme.TrueColor, false), J: 1,
		State: sessions.State{Problem: &functions.Problem{Objectives: objectives}}}
	x, y := chart.Axis{Min: 0, Max: 100}, chart.Axis{Min: 1, Max: 100, Log: true}
	layers := d.limitLayers(x, y)
	require.Equal(t, 3, len(layers), "there are %d layers", len(layers))
	over := layers[0].(chart.Hatch).Over
	for _, c := range []struct {
		u, v   float64 // parts of the axes
		beyond bool
	}{{0.3, 0.2, true}, {0.5, 0.4, false}, {0.5, 0.6, true}, {0.2, 0.9, true}, {0.45, 0.45, false}} {
		assert.Equal(t, c.beyond, over.At(c.u, c.v) > 0, "at (%g, %g) beyond", c.u, c.v)
	}
	if line := layers[1].(chart.Curve); line.X[0] != 40 || line.X[1] != 40 {
		t.Errorf("the line of the first objective is %v", line.X)
	}
	if line := layers[2].(chart.Curve); line.Y[0] != 10 || line.X[1] != 100 {
		t.Errorf("the line of the second objective is %v", line.Y)
	}
	if got := d.withLimits(0, []float64{50, 70}); len(got) != 3 || got[2] != 40 {
		t.Errorf("a near limit is left out: %v", got)
	}
	if got := d.withLimits(0, []float64{50, 50.1}); len(got) != 2 {
		t.Errorf("a far limit is reached: %v", got)
	}
	objectives[0].AtLeast, objectives[1].AtMost = nil, nil
	assert.Nil(t, d.limitLayers(x, y), "without limits there")
}

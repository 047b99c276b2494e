package picture

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// What breaks a constraint is hatched over fields, large and small, and along lines, as the constraints themselves say,
// and stands in the legends.
func TestConstraintsAreHatched(t *testing.T) {
	d := &experiment.Declaration{Name: "cake",
		Constraints: []string{"a * b <= 0.5", `tin != "small" or a <= 0.8`, "b + c == 1"},
		Variables: functions.Domain{{Name: "a", High: 1}, {Name: "b", High: 1}, {Name: "c", High: 1},
			functions.NewChoice("tin", "small", "large")},
		Objectives: []functions.Objective{{Name: "taste", Direction: functions.Maximize}}}
	s, err := sessions.New(t.Context(), sessions.Config{Experiment: d, Optimizer: "random", Seed: 1})
	require.NoError(t, err)
	st := s.State()
	p := st.Problem
	anchor := Anchor(st)
	assert.NoError(t, p.CheckConstraints(anchor), "without data a slice is taken where a constraint is broken")
	anchor = []float64{0.5, 0.5, 0.5, 0}
	plane, err := Compute(context.Background(), s, WholePlane(0, 2), anchor, nil, func(*Posterior) {})
	require.NoError(t, err)
	const cols, rows = 20, 10
	for i, out := range plane.ConstraintHatch.Cells(cols, rows) {
		a, c := (float64(i%cols)+0.5)/cols, 1-(float64(i/cols)+0.5)/rows
		if want := a > 0.8 || c < 0.4 || c > 0.6; out != want {
			t.Errorf("at a = %g, c = %g it is hatched: %v", a, c, out)
		}
	}
	picture, err := ComputeSlice(context.Background(), s, View{X: 0}, anchor, nil)
	require.NoError(t, err)
	for i, out := range picture.ConstraintHatch.Cells(cols, 1) {
		if a := (float64(i) + 0.5) / cols; out != (a > 0.8) {
			t.Errorf("along a at %g it is hatched: %v", a, out)
		}
	}
	for _, style := range []theme.Style{{}, {ASCII: true}} {
		drawing := Drawing{Style: style, State: st, Posterior: plane, Map: chart.Viridis}
		for _, legend := range [][]string{
			names(drawing.Chart(MeanField).Legend(style)),
			names(drawing.Chart(SDField).Legend(style)),
			names(Drawing{Style: style, State: st, Posterior: picture}.Chart(MeanField).Legend(style))} {
			found := false
			for _, name := range legend {
				found = found || name == constraintName
			}
			assert.True(t, found, "the legend is %q", legend)
		}
	}
}

func names(legend []chart.Entry) (list []string) {
	for _, e := range legend {
		list = append(list, e.Name)
	}
	return list
}

package tui

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions/library"
	"bandscope/sessions/report"
	"bandscope/tui/picture"
)

// The default session succeeds: the model knows the initial design, seven more steps come within a hundredth of the range of
// values to the optimum, and the truth is inside the band.
func TestDefaultSessionSucceeds(t *testing.T) {
	s, err := library.NewDefault(t.Context())
	require.NoError(t, err)
	w := openWindow(t, Options{Session: s, FrontDoor: true}, 80, 24)
	w.shows("the model knows 3 results; next ◆ to explore: ")
	w.press("space")
	w.shows("step 4")
	for range 6 {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	st := s.State()
	if regret := report.TracesFor(st).SimpleRegret[9]; regret > 0.2 {
		t.Errorf("the regret after ten steps is %g", regret)
	}
	p, err := picture.ComputeSlice(t.Context(), s, picture.View{}, nil, nil)
	require.NoError(t, err)
	if share := inside(st.Problem, p); share < 0.95 {
		t.Errorf("the truth is inside the band on %.1f %% of the grid", 100*share)
	}
}

// inside is the share of the grid on which the true function lies within the band.
func inside(problem *functions.Problem, p *picture.Posterior) float64 {
	n := 0
	for _, x := range p.Grid() {
		x := []float64{x}
		if y, err := problem.TrueValues(x); err == nil && y[0] >= p.At(picture.LowerField, x) && y[0] <= p.At(picture.UpperField, x) {
			n++
		}
	}
	return float64(n) / float64(len(p.Grid()))
}

package tui

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/sessions/report"
	"bandscope/tui/picture"
)

// The first start succeeds: ten steps reach the optimum, the truth is inside the network's band, and the Gaussian
// process stands beside it.
func TestFirstStartSucceeds(t *testing.T) {
	if testing.Short() {
		t.Skip("ten networks are trained")
	}
	s, err := sessions.New(t.Context(), library.DefaultConfig())
	require.NoError(t, err)
	w := openWindow(t, Options{Session: s, CompareGP: true}, 80, 24)
	w.shows("GP-EI")
	w.shows("Posterior Greedy")
	w.press("space")
	w.shows("step 1")
	for range 9 {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	st := s.State()
	if regret := report.TracesFor(st).SimpleRegret[9]; regret > 1e-3 {
		t.Errorf("the regret after ten steps is %g", regret)
	}
	p, err := picture.ComputeSlice(t.Context(), s, picture.View{}, nil, nil)
	require.NoError(t, err)
	if share := inside(st.Problem, p); share < 0.95 {
		t.Errorf("the truth is inside the network's band on %.1f %% of the grid", 100*share)
	}
	process, err := s.WithMethod("gp-ei", nil)
	require.NoError(t, err)
	if p, err = picture.ComputeSlice(t.Context(), process, picture.View{}, nil, nil); err != nil {
		t.Fatal(err)
	}
	if share := inside(st.Problem, p); share < 0.90 {
		t.Errorf("the truth is inside the Gaussian process's band on %.1f %% of the grid", 100*share)
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

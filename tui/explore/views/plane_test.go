package views

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/explore/view"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
)

// taken is the picture of a session of some steps, in its scene.
func taken(t *testing.T, s *sessions.Session) (*Plane, view.Scene) {
	t.Helper()
	scene := view.Scene{State: s.State(), Style: theme.New(true, theme.NoColor, false), W: 84, H: 33,
		View: picture.View{Samples: 8}, Reveal: true}
	p := NewPlane(s.State())
	i, err := p.Compute(scene)(t.Context(), s.Snapshot(), nil, func(view.Image) {})
	require.NoError(t, err)
	scene.Report = p.SetImage(scene, i)
	return p, scene
}

// Slices that cannot be computed say why in their place, until they can.
func TestFailedSlices(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 1})
	for range 6 {
		if err == nil {
			_, err = s.Step(t.Context(), nil)
		}
	}
	require.NoError(t, err)
	p, scene := taken(t, s)
	text := func() string { return modetest.Text(p.Panel(scene)) }
	follow := func(snapshot sessions.Snapshot) {
		t.Helper()
		_, look := p.Follow(scene)
		require.NotNil(t, look, "there is nothing to look at along the cursor")
		i, err := look(t.Context(), snapshot, nil, nil)
		require.NoError(t, err)
		p.SetImage(scene, i)
	}
	follow(sessions.Snapshot{}) // of no session, which panics
	if strings.Count(text(), "no slice: ") != 2 || !strings.Contains(text(), "runtime error") {
		t.Errorf("it is not said that there are no slices, and why:\n%s", text())
	}
	p.slices.err = errors.New("it did not converge\u202e")
	if !strings.Contains(text(), "no slice: it did not converge\ufffd") {
		t.Errorf("the reason is not said, or raw:\n%s", text())
	}
	follow(s.Snapshot())
	if strings.Contains(text(), "no slice") {
		t.Errorf("what was computed is not shown:\n%s", text())
	}
	if _, look := p.Follow(scene); look != nil {
		t.Error("slices that are there are computed anew")
	}
	scene.Overlay.Cursor = []float64{0, 5}
	if _, look := p.Follow(scene); look == nil {
		t.Error("slices do not follow the cursor")
	}
}

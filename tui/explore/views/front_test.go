package views

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/explore/view"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
)

// computedFront is the picture of a session of some steps, in its scene.
func computedFront(t *testing.T, steps int) (*sessions.Session, *Front, view.Scene) {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "thesis-xy", Optimizer: "random", Seed: 3})
	for range steps {
		if err == nil {
			_, err = s.Step(t.Context(), nil)
		}
	}
	require.NoError(t, err)
	scene := view.Scene{State: s.State(), Style: theme.New(true, theme.NoColor, false), W: 84, H: 33,
		View: picture.View{Samples: 8}, Reveal: true}
	p := NewFront()
	scene.Report = look(t, s, p, scene)
	return s, p, scene
}

// look lets a picture be computed in a scene, and be taken; it returns what the last image of it told.
func look(t *testing.T, s *sessions.Session, p *Front, scene view.Scene) *view.Report {
	t.Helper()
	whole, err := p.Compute(scene)(context.Background(), s.Snapshot(), func(string, int, int) {}, func(i view.Image) {
		assert.Nil(t, p.SetImage(scene, i), "a picture that is only reweighed tells of where the session stands")
	})
	require.NoError(t, err)
	return p.SetImage(scene, whole)
}

// What a mode previews is drawn beside what holds, until it is dropped or taken; a picture that comes meanwhile is what
// holds then.
func TestPreview(t *testing.T) {
	s, p, scene := computedFront(t, 6)
	held := p.Outcomes()
	tried, err := scene.State.WithEdit("prior", "box(0.5..0.9, 0.5..0.9)")
	require.NoError(t, err)
	other := held.UpdateWeights(tried)
	p.Preview(other)
	p.Preview(other)
	if p.Outcomes() != other || p.CurrentOutcomes() != held || p.Drawing(scene).Previous != held {
		t.Error("what is previewed is not drawn beside what holds")
	}
	p.DropPreview()
	if p.Outcomes() != held || p.CurrentOutcomes() != held || p.Drawing(scene).Previous != nil {
		t.Error("what was dropped is still drawn")
	}
	p.Preview(other)
	if reported := look(t, s, p, scene); reported == nil || p.CurrentOutcomes() == held || p.CurrentOutcomes() != p.Outcomes() {
		t.Error("a picture that came meanwhile is not what holds")
	}
	p.Preview(other)
	p.TakePreview()
	if p.Outcomes() != other || p.CurrentOutcomes() != other {
		t.Error("what was taken is not what holds")
	}
}

// A change of the prior is shown at once by new weights, with the prior before it; the next iteration forgets that.
func TestReweighing(t *testing.T) {
	s, p, scene := computedFront(t, 6)
	before := p.Outcomes()
	require.NoError(t, s.Edit("prior", "dirichlet(3)"))
	reported := look(t, s, p, scene)
	scene.State = s.State()
	if p.Drawing(scene).Previous != before || reported.Head != scene.State.Head {
		t.Error("the prior before the change is not drawn")
	}
	if _, err := s.Step(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	look(t, s, p, scene)
	scene.State = s.State()
	assert.Nil(t, p.Drawing(scene).Previous, "after another iteration the prior before is still drawn")
}

// The panel is as large as its scene; what a mode has below the outcomes stands in place of the prior.
func TestFrontPanel(t *testing.T) {
	_, p, s := computedFront(t, 6)
	for _, size := range [][2]int{{51, 21}, {84, 33}, {148, 57}} {
		s.W, s.H = size[0], size[1]
		if panel := p.Panel(s); panel.W != s.W || panel.H != s.H {
			t.Fatalf("in %v it has %d×%d cells", size, panel.W, panel.H)
		}
	}
	text := func() string { return modetest.Text(p.Panel(s)) }
	if !strings.Contains(text(), "prior over λ") {
		t.Errorf("the prior is not shown:\n%s", text())
	}
	s.Below = &view.Below{Titles: []string{strings.Repeat("far too long ", 20), "which one?"},
		Box: func(w, h int) *layout.Box { return layout.Text(w, "this one") }}
	if shown := text(); strings.Contains(shown, "prior over λ") || !strings.Contains(shown, "which one?") ||
		!strings.Contains(shown, "this one") {
		t.Errorf("what a mode has is not shown in its place:\n%s", shown)
	}
}

// A lesson that leaves the weights out has the space of objectives alone: neither the prior, nor where it aims, nor in
// the legend.
func TestFrontBare(t *testing.T) {
	_, p, scene := computedFront(t, 6)
	weighed := modetest.Text(p.Panel(scene))
	scene.Bare = true
	bare := modetest.Text((&Front{outcomes: p.outcomes, attainable: p.attainable}).Panel(scene))
	for _, values := range []string{"prior over λ", "preferred"} {
		if !strings.Contains(weighed, values) || strings.Contains(bare, values) {
			t.Errorf("%q is missing, or not left out:\n%s", values, bare)
		}
	}
	if lines := strings.Count(bare, "\n") + 1; lines != scene.H {
		t.Errorf("%d lines in a panel of %d", lines, scene.H)
	}
}

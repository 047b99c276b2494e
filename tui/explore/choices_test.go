package explore

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/lesson/page"
	"bandscope/tui/explore/view"
	"bandscope/tui/theme"
)

// written is a lesson over two variables: a page that asks for a choice, one that shows a line and the theory, and one
// that asks for a point.
func written(t *testing.T) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 1,
		Params: map[string]any{"initial": 2}},
		sessions.WithLesson(&sessions.Lesson{Title: "Two variables", About: "A plane.", Hide: []string{"regret"}}))
	require.NoError(t, err)
	write := func(text string, p page.Page, steps int) {
		t.Helper()
		require.NoError(t, s.WritePage(text, p))
		for range steps {
			if _, err := s.Step(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	write("# Before\nWhat will it do?", page.Page{Question: page.Question{
		Choices: []string{"spread out", "stay"}, Reasons: []string{"", "Each new point is far away."}}}, 3)
	write("# Along one\nA slice.", page.Page{View: "line x2 theory"}, 0)
	write("# Where?\nAsked.", page.Page{Ask: true}, 1)
	write("# Then\nThe end.", page.Page{View: "plane acquisition"}, 0)
	s.First()
	return s
}

// A page may ask for a choice, which a number takes and the page marks; it may say what is to be seen beside it,
// and the page behind it shows the usual again.
func TestPagesAskAndShow(t *testing.T) {
	d := driveSession(t, written(t), 80, 24, theme.New(true, theme.NoColor, false))
	active := func(page, window string, want ...string) {
		t.Helper()
		shown := strings.Join(strings.Fields(d.Text()), " ")
		for _, w := range append(want, page) {
			if !strings.Contains(shown, w) {
				t.Errorf("%s does not show %q:\n%s", page, w, d.Text())
			}
		}
		got := map[view.Picture]string{view.Picture(d.M.along()): "line",
			view.Picture(d.M.plane()): "plane"}[d.M.picture()]
		assert.Equal(t, window, got, "%s shows the", page)
	}
	active("Before", "plane", "1 spread out", "2 stay", "press a number")
	d.Press("7")
	active("Before", "plane", "choose a number from 1 to 2")
	d.Press("space")
	active("Before", "plane", "press space again to skip")
	d.Press("2")
	active("Before", "plane", "✓ spread out", "✗ stay. Each new point is far", "away.")
	d.Press("space")
	active("Along one", "line", "along x2", "gain")
	d.Press("space")
	active("Where?", "plane", "press x to choose it")
	for _, keys := range []string{"4", "5", "x", "x right right", "x ctrl+t 0 . 5 enter"} {
		d.Press(strings.Fields(keys)...)
		if shown := d.Text(); strings.Contains(shown, "◆") || strings.Contains(shown, "acquisition ") &&
			!strings.Contains(shown, "hidden until") {
			t.Errorf("%q shows the answer:\n%s", keys, shown)
		}
		d.Press("esc", "esc")
	}
	d.Press("2", "x", "enter")
	active("Then", "plane", "Your point", "4 acquisition")
	d.Press("b", "b")
	active("Along one", "line")
	d.Press("b")
	active("Before", "plane")
}

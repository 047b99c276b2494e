package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
)

// walkOver opens a window on a session of some steps.
func walkOver(t *testing.T, w, h int, dark bool, tier theme.Tier, ascii bool) *window {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3})
	for range 4 {
		if err == nil {
			_, err = s.Step(t.Context(), nil)
		}
	}
	require.NoError(t, err)
	win := openWindow(t, Options{Session: s, Rights: rights.Own(t.TempDir()), ASCII: ascii}, w, h)
	win.a.dark, win.a.tier = dark, tier
	win.a.restyle()
	return win
}

// to goes on with the walk until it tells what is named so, also behind the first stops.
func (w *window) to(name string) {
	w.t.Helper()
	for range 60 {
		for _, l := range strings.Split(w.text(), "\n") {
			if strings.TrimSpace(strings.Trim(l, "│|")) == name {
				return
			}
		}
		if strings.Contains(w.text(), " more items ") {
			w.press("enter")
		} else {
			w.press("down")
		}
	}
	w.t.Errorf("%q is not told:\n%s", name, w.text())
}

// The band, the lengthscale and the acquisition are told with their values, lit in a screen that is dimmed, at every
// size, without colours and in plain characters.
func TestGoldenWalks(t *testing.T) {
	for _, c := range []struct {
		name  string
		w, h  int
		dark  bool
		tier  theme.Tier
		ascii bool
		to    string
	}{
		{"walk-80x24-band", 80, 24, true, theme.TrueColor, false, "±2 sd of the GP posterior"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := walkOver(t, c.w, c.h, c.dark, c.tier, c.ascii)
			w.press("I")
			w.to(c.to)
			screentest.Check(t, c.name, w.screen(), c.ascii)
		})
	}
}

// The walk leads to the glossary and back, follows a click and a session that goes on, and ends where the screen is
// another; where keys are text f2 begins it.
func TestWalking(t *testing.T) {
	w := walkOver(t, 120, 36, true, theme.NoColor, false)
	w.press("I")
	w.shows("Explain this screen (1/")
	w.to("newest")
	w.shows("of step 4")
	w.press("enter")
	w.shows("D = {(x_i, y_i)}")
	w.press("esc")
	w.shows("of step 4")
	w.take(tea.MouseClickMsg{X: 100, Y: 17, Button: tea.MouseLeft})
	w.shows("how much worse the best point so far is than the optimum")
	w.press("e")
	w.shows("e does nothing here")
	w.press("I")
	assert.Nil(t, w.a.explainer, "the key that began the walk does not end it")
	w.press("ctrl+s", "I")
	assert.Nil(t, w.a.explainer, "a letter of a name begins the walk")
	w.press("f2")
	w.to("status")
	w.shows("The prompt: type the requested text")
	w.press("esc", "esc", "I")
	w.to("newest")
	w.a.explainer.Done = true
	w.press("esc", "space", "I")
	w.to("newest")
	w.shows("of step 5")
}

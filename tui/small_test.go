package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/rights"
)

// A window below 80×24 shows the plot alone, and the panel of a mode below it or in its place; other pages need more
// room and say so.
func TestSmallWindow(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 6})
	require.NoError(t, err)
	lacks := func(w *window, text string) {
		t.Helper()
		if strings.Contains(w.text(), text) {
			t.Errorf("the screen shows %q:\n%s", text, w.text())
		}
	}
	w := openWindow(t, Options{Session: s, Rights: rights.Own(t.TempDir())}, 80, 23)
	w.shows("f, minimize")
	w.shows("space step")
	lacks(w, "╮╭")
	w.take(tea.WindowSizeMsg{Width: 60, Height: 16})
	w.shows("f, minimize")
	w.press("space")
	w.shows("step 1: evaluated")
	w.press("e")
	lacks(w, "f, minimize")
	w.shows("leave")
	w.take(tea.WindowSizeMsg{Width: 72, Height: 23})
	w.shows("f, minimize")
	w.shows("leave")
	w.press("esc", "w")
	w.shows("too small: this page needs 80x24, has 72x23; esc goes back")
	w.press("esc")
	w.shows("f, minimize")
	w.take(tea.WindowSizeMsg{Width: 59, Height: 16})
	w.shows("too small: bandscope needs 60x16, has 59x16")
	w.take(tea.WindowSizeMsg{Width: 80, Height: 24})
	w.shows("╮╭")
}

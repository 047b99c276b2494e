package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/internal/explained"
	"bandscope/tui/rights"
)

// The help begins with the keys of where one is, those that can do nothing with their reasons; it scrolls by every
// usual key and the wheel, tells where it is, and leads back to where it was opened.
func TestHelp(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	require.NoError(t, err)
	w := openWindow(t, Options{Session: s, Rights: rights.Own(t.TempDir())}, 80, 24)
	first := func() string { return strings.TrimSpace(strings.Trim(strings.Split(w.text(), "\n")[1], "│ ")) }
	valueAt := func(want int) {
		t.Helper()
		if w.text(); w.a.help.view.YOffset() != want {
			t.Errorf("at line %d, want %d", w.a.help.view.YOffset(), want)
		}
	}
	for keys, want := range map[string]string{
		"": "In the explorer now", "e": "In the editor now", "x": "In a query now", "F": "In the branches now",
		"o": "In this form now", "ctrl+s": "In the explorer now", "n": "In a note now"} {
		if keys != "" {
			w.press(keys)
		}
		before := w.screen()
		w.press("f1")
		assert.Equal(t, want, first(), "after %q the help begins with", keys)
		w.press("esc")
		assert.Equal(t, before, w.screen(), "after %q the help does not lead back", keys)
		if keys != "" {
			w.press("esc")
		}
	}
	w.press("?")
	for _, want := range []string{"Do", "Look", "Record", "take one step", "write or change a note"} {
		w.shows(want)
	}
	assert.LessOrEqual(t, w.a.help.view.TotalLineCount(), 22, "the help is longer than a screen")
	w.press("/")
	w.shows("unavailable: this is the")
	w.types("undo")
	w.shows("In the editor (e)")
	w.shows("ctrl+u")
	w.press("ctrl+u")
	w.shows("unavailable: this is the")
	w.press("pgdown")
	valueAt(20)
	w.press("down")
	valueAt(21)
	w.press("up", "pgup")
	valueAt(0)
	w.take(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	valueAt(3)
	w.press("esc")
	w.shows("In the explorer now")
	w.press("g", "z")
	w.shows("z does nothing in the help; press esc to leave")
	w.take(tea.WindowSizeMsg{Width: 200, Height: 60})
	w.shows("In the explorer")
	explained.Check(t, "the help", w.a.frame(), 200, 60)
	w.press("q")
	assert.True(t, w.a.quitting, "q does not quit from the help")
}

// A key that is not bound where one is says what it does elsewhere; one that is bound nowhere says that it does
// nothing.
func TestUnboundKeysSaySo(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	require.NoError(t, err)
	w := openWindow(t, Options{Session: s, Rights: rights.Own(t.TempDir())}, 120, 36)
	w.press("j")
	w.shows("j does nothing in the explorer (in the editor (e): choose); ? shows the keys")
	w.press("Q")
	w.shows("Q does nothing in the explorer; ? shows the keys")
	w.press("e", "n")
	w.shows("n does nothing in the editor (record: note); ? shows the keys")
	w.press("esc", "l")
	w.shows("this problem has one variable; fields need two")
	w.take(tea.PasteMsg{Content: "q"})
	w.shows("no field for the pasted text")
}

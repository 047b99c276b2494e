package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/widget"
)

// on clicks where a text stands first in the window.
func (w *window) on(text string) {
	w.t.Helper()
	w.a.View() // what is clicked on is what was drawn
	for y, line := range strings.Split(w.text(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			w.take(tea.MouseClickMsg{X: len([]rune(before)) + 1, Y: y, Button: tea.MouseLeft})
			return
		}
	}
	w.t.Fatalf("%q is nowhere:\n%s", text, w.text())
}

// A click gives the keys to the row, the entry, the field or the word under it.
func TestClicksGiveTheKeys(t *testing.T) {
	w := openWindow(t, Options{Session: mustSession(t), Dir: t.TempDir()}, 120, 36)
	w.press("o")
	w.on(" optimizer")
	w.shows("optimizer: type to filter")
	w.on("random")
	w.shows("▸ random")
	w.take(widget.ActionMsg{Action: widget.Declare{}})
	w.on("learned")
	w.shows("▸ failures")
	w.press("esc", "esc")
	w.press("?", "/")
	w.press("b", "a", "n")
	w.on("coverage")
	w.shows("▸ coverage")
}

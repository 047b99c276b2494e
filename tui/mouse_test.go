package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/librarypage"
	"bandscope/tui/rights"
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
	w := openWindow(t, Options{Session: mustSession(t), Rights: rights.Own(t.TempDir())}, 120, 36)
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
	w.press("b", "a", "n", "enter")
	w.on("coverage")
	w.shows("▸ coverage")
}

// click clicks a cell with a button, or moves the mouse there.
func (w *window) click(button tea.MouseButton, x, y int) {
	w.a.View()
	w.take(tea.MouseClickMsg{X: x, Y: y, Button: button})
}

// cellOf is the cell where a text stands first in the window.
func (w *window) cellOf(text string) (x, y int) {
	w.t.Helper()
	for y, line := range strings.Split(w.text(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			return len([]rune(before)), y
		}
	}
	w.t.Fatalf("%q is nowhere:\n%s", text, w.text())
	return 0, 0
}

// Each key of the footer is a button; where it shows two keys, each is one.
func TestFooterIsButtons(t *testing.T) {
	w := openWindow(t, Options{Session: mustSession(t), Rights: rights.Own(t.TempDir())}, 120, 36)
	press := func(text string) { x, y := w.cellOf(text); w.click(tea.MouseLeft, x, y) }
	press("space step")
	w.shows("step 1/50")
	press("? help")
	w.shows("In the explorer now")
	w.press("esc")
	press(": find")
	w.shows("find (1 of")
	w.press("esc", "e")
	before := w.text()
	press("up/down")
	up := w.text()
	x, y := w.cellOf("up/down")
	w.click(tea.MouseLeft, x+len("up/"), y)
	if up == before || w.text() != before {
		t.Errorf("up and down do not go back and forth:\n%s\n%s", up, w.text())
	}
}

// A right click opens the menu of what is under it, a click on a title that of its part, and both do what is chosen; a
// click beside a menu closes it.
func TestMenusOfParts(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3})
	require.NoError(t, err)
	w := openWindow(t, Options{Session: s, Rights: rights.Own(t.TempDir())}, 120, 36)
	w.press("space", "space")
	x, y := w.cellOf("kernel")
	w.click(tea.MouseRight, x, y)
	w.shows("edit kernel")
	w.shows("explain this")
	w.press("enter")
	if k := w.a.current.KeyMap(); !k.Typing {
		t.Errorf("the kernel is not edited but %s:\n%s", k.Title, w.text())
	}
	w.press("esc", "esc")
	x, y = w.cellOf("simple regret")
	w.click(tea.MouseLeft, x, y)
	w.shows("large traces")
	w.click(tea.MouseLeft, 1, 1)
	assert.NotContains(t, w.text(), "large traces", "a click beside the menu does not close it")
	w.click(tea.MouseRight, 40, 12)
	w.shows("choose this point")
	w.press("enter")
	assert.Equal(t, "a query", w.a.current.KeyMap().Title, "the point leads to")
	w.press("esc")
	w.click(tea.MouseRight, 40, 12)
	x, y = w.cellOf("look up")
	w.click(tea.MouseLeft, x, y)
	w.shows("glossary")
	w.press("esc", "m")
	w.shows("Parts of the screen")
	w.press("esc", "i", "m")
	w.shows("explain this")
	w.press("esc", "esc")
}

// A double click does the first action of what is under it: it evaluates a point of the plot, and opens an entry.
func TestDoubleClicks(t *testing.T) {
	w := openWindow(t, Options{Session: mustSession(t), Rights: rights.Own(t.TempDir())}, 120, 36)
	w.click(tea.MouseLeft, 40, 12)
	require.Equal(t, 0, len(w.a.explore.Session().State().Iterations), "one click evaluates")
	w.click(tea.MouseLeft, 40, 12)
	if n := len(w.a.explore.Session().State().Iterations); n != 1 {
		t.Errorf("a double click evaluates %d points:\n%s", n, w.text())
	}
	w.press("o", "shift+tab", "shift+tab")
	x, y := w.cellOf("kernel")
	w.click(tea.MouseLeft, x, y)
	w.clock = w.clock.Add(time.Second)
	w.click(tea.MouseLeft, x, y)
	if _, ok := w.a.current.(*librarypage.Model); !ok {
		t.Fatal("two slow clicks open the lesson")
	}
	w.click(tea.MouseLeft, x, y)
	w.shows("page 1/")
}

// The wheel moves the selection of a list, changes a parameter in the editor, and scrolls a note.
func TestWheel(t *testing.T) {
	w := openWindow(t, Options{Session: mustSession(t), Rights: rights.Own(t.TempDir())}, 120, 36)
	w.press("o")
	x, y := w.cellOf("type to filter")
	before := w.text()
	w.a.View()
	w.take(tea.MouseWheelMsg{X: x, Y: y + 4, Button: tea.MouseWheelDown})
	down := w.text()
	w.a.View()
	w.take(tea.MouseWheelMsg{X: x, Y: y + 4, Button: tea.MouseWheelUp})
	if down == before || w.text() != before {
		t.Error("the wheel does not go through the list")
	}
}

// A button under the mouse is underlined; a move that changes nothing is no message, so that nothing is drawn.
func TestHover(t *testing.T) {
	w := openWindow(t, Options{Session: mustSession(t), Rights: rights.Own(t.TempDir())}, 80, 24)
	x, y := w.cellOf("e edit")
	w.a.View()
	if w.a.idleMotion(tea.MouseMotionMsg{X: x, Y: y, Button: tea.MouseNone}) {
		t.Error("a move onto a button is dropped")
	}
	if !w.a.idleMotion(tea.MouseMotionMsg{X: x + 1, Y: y, Button: tea.MouseNone}) {
		t.Error("a move on a button is drawn")
	}
	assert.False(t, w.a.idleMotion(tea.MouseMotionMsg{X: x, Y: y, Button: tea.MouseLeft}), "a drag is dropped")
	under := func() bool { w.screen(); return w.a.canvas.CellAt(x, y).Style.Underline != 0 }
	assert.True(t, under(), "the button under the mouse is not underlined")
	w.take(tea.MouseMotionMsg{X: 30, Y: 5, Button: tea.MouseNone})
	assert.False(t, under(), "the button stays underlined")
}

// BenchmarkPalette measures the way from the key to the first frame with entries.
func BenchmarkPalette(b *testing.B) {
	w := openWindow(b, Options{Session: mustSession(b), Rights: rights.Own(b.TempDir())}, 120, 36)
	for b.Loop() {
		w.a.openPalette()
		w.a.draw()
		w.a.palette = nil
	}
}

// BenchmarkPaletteTyping measures a typed letter and the frame after it.
func BenchmarkPaletteTyping(b *testing.B) {
	w := openWindow(b, Options{Session: mustSession(b), Rights: rights.Own(b.TempDir())}, 120, 36)
	w.a.openPalette()
	for b.Loop() {
		w.a.palette.Press(screentest.Key("e"))
		w.a.draw()
		w.a.palette.Press(screentest.Key("backspace"))
	}
}

package tui

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/recorder"
	"bandscope/tui/playground"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// A playground lies over the explorer: it is opened from the list, screens are left for it, and it is left for the
// explorer, whose session is as it was. Its file opens as a playground again.
func TestPlaygroundOverExplorer(t *testing.T) {
	dir, before := t.TempDir(), mustSession(t)
	w := openWindow(t, Options{Session: before, Rights: rights.Own(dir)}, 120, 36)
	w.run(w.a.do(widget.Playground{Preset: registry.Presets()[1].Title}))
	w.shows("click to put a result")
	w.press("space", "enter", "right", "right", "up", "enter", "?")
	w.shows("In the playground now")
	w.press("esc")
	w.shows("2 results")
	w.press("ctrl+e")
	w.types(filepath.Join(dir, "belief.svg") + "\n")
	w.shows("exported to")
	if text, err := os.ReadFile(filepath.Join(dir, "belief.svg")); err != nil || !strings.HasPrefix(string(text), "<svg") {
		t.Errorf("the picture begins with %.40q, %v", text, err)
	}
	w.press("o")
	w.shows("playground  ")
	w.press("esc")
	w.shows("2 results")
	opened := w.a.layer.(*playground.Model).Session()
	path := opened.Path()
	w.press("esc", "esc", "esc")
	if w.a.layer != nil || w.a.current != display(w.a.explore) || w.a.explore.Session() != before ||
		before.Note("still open") != nil {
		t.Error("the explorer is not as it was")
	}
	if err := opened.Note("after"); !errors.Is(err, recorder.ErrClosed) {
		t.Errorf("an act on the playground that was left gives %v", err)
	}
	for range 2 {
		w.run(w.a.reopen(path))
		w.shows("2 results")
	}
	w.run(w.a.do(widget.Playground{Preset: "none"}))
	w.shows(`no belief "none"`)
}

// A search goes on from the results of a playground, in the explorer and in a file of its own; the playground stays as it
// was.
func TestPlaygroundSearches(t *testing.T) {
	dir := t.TempDir()
	w := openWindow(t, Options{Session: mustSession(t), Rights: rights.Own(dir)}, 120, 36)
	w.run(w.a.do(widget.Playground{}))
	w.press("f")
	w.shows("there are no results")
	w.press("space", "enter", "right", "enter", "enter", "right", "down", "enter", "f")
	if w.a.layer != nil || w.a.current != display(w.a.explore) {
		t.Fatalf("the search is not shown, but %T", w.a.current)
	}
	st := w.a.explore.Session().State()
	if got := len(st.Results()); got != 3 || st.Config.Playground {
		t.Errorf("the search begins with %d results, %+v", got, st.Config)
	}
	w.press("space")
	w.shows("next")
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) != 2 {
		t.Errorf("the files are %v, %v", files, err)
	}
}

// The window opens on a playground that it is given, and closes it at the end, with the acts that are still outstanding.
func TestWindowOnPlayground(t *testing.T) {
	first := registry.Presets()[0]
	s, err := sessions.New(t.Context(),
		sessions.PlaygroundConfig(sessions.BeliefConfig{Optimizer: first.Method, Params: first.Set}, 1))
	require.NoError(t, err)
	w := openWindow(t, Options{Session: mustSession(t), Playground: s, Rights: rights.Own(t.TempDir())}, 120, 36)
	if _, ok := w.a.current.(*playground.Model); !ok {
		t.Fatalf("it opens on %T", w.a.current)
	}
	w.press("space")
	require.NoError(t, w.a.close())
	err = s.Note("after")
	assert.ErrorIs(t, err, recorder.ErrClosed, "an act on the playground gives %v", err)
}

// The palette opens a playground, and changes its belief.
func TestPaletteOfPlayground(t *testing.T) {
	w := openWindow(t, Options{Session: mustSession(t), Rights: rights.Own(t.TempDir())}, 120, 36)
	w.press(":")
	w.types("playground\n")
	w.shows("click to put a result")
	want := registry.Presets()[3]
	w.press(":")
	w.types(want.Title + "\n")
	w.shows(want.Title + ": ")
}

// A right click on a result removes it, and opens a menu elsewhere; a double click puts one result.
func TestMouseOnPlayground(t *testing.T) {
	w := openWindow(t, Options{Session: mustSession(t), Rights: rights.Own(t.TempDir())}, 120, 36)
	w.run(w.a.do(widget.Playground{}))
	valueAt := func(button tea.MouseButton, x, y int) {
		w.click(button, x, y)
		w.take(tea.MouseReleaseMsg{X: x, Y: y, Button: button})
	}
	before := w.a.layer.(*playground.Model).Session().State().Belief()
	valueAt(tea.MouseLeft, 30, 12)
	valueAt(tea.MouseLeft, 30, 12)
	w.shows("1 result ")
	if now := w.a.layer.(*playground.Model).Session().State().Belief(); !reflect.DeepEqual(now, before) {
		t.Errorf("a double click changes the belief to %+v", now)
	}
	valueAt(tea.MouseRight, 50, 9)
	w.shows("put a result here")
	w.press("enter")
	w.shows("2 results ")
	if got := w.a.layer.(*playground.Model).Session().State().Results(); len(got) != 2 {
		t.Errorf("the menu has put %+v", got)
	}
	valueAt(tea.MouseRight, 30, 12)
	w.shows("1 result ")
	w.take(tea.MouseMotionMsg{X: 60, Y: 15, Button: tea.MouseNone})
	if w.a.menu != nil || w.a.hovers() {
		t.Error("a menu is open, or moves of the mouse are taken")
	}
}

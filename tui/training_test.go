package tui

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/recorder"
	"bandscope/sessions/training"
	"bandscope/tui/labs"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// smallTraining is a session of a lab that trains at once.
func smallTraining(t testing.TB) *training.Session {
	t.Helper()
	l, err := training.Find("flops")
	require.NoError(t, err)
	s, err := training.New(l, map[string]any{"dim": 8, "hidden": 8, "batch": 8, "steps": 40})
	require.NoError(t, err)
	return s
}

// A lab lies over the explorer: it is opened from the list, screens are left for it, and it is left for the explorer,
// whose session is as it was.
func TestTrainingOverExplorer(t *testing.T) {
	dir, before := t.TempDir(), mustSession(t)
	w := openWindow(t, Options{Session: before, Rights: rights.Own(dir)}, 120, 36)
	w.run(w.a.do(widget.Training{Name: "hierarchy"}))
	w.shows("forecasts of a tree of series")
	w.run(w.a.takeAny(smallTraining(t)))
	w.shows("update 0/40")
	w.press("space", "?")
	w.shows("In a lab")
	w.press("esc", "ctrl+e")
	w.types("trace\n")
	w.shows("the extension must be one of .csv .json")
	for range 5 {
		w.press("backspace")
	}
	w.types(filepath.Join(dir, "trace.csv") + "\n")
	w.shows("exported to")
	if text, err := os.ReadFile(filepath.Join(dir, "trace.csv")); err != nil ||
		strings.Count(string(text), "\n") != 11 {
		t.Errorf("the trace is %q, %v", text, err)
	}
	w.press("o")
	w.shows("labs  2")
	w.press("esc")
	w.shows("update 10/40")
	opened := w.a.layer.(*labs.Model).Session()
	w.press("esc", "esc")
	if w.a.layer != nil || w.a.current != display(w.a.explore) || w.a.explore.Session() != before ||
		before.Note("still open") != nil {
		t.Error("the explorer is not as it was")
	}
	if err := opened.Note("after"); !errors.Is(err, recorder.ErrClosed) {
		t.Errorf("an act on the lab that was left gives %v", err)
	}
	w.run(w.a.reopen(opened.Path()))
	w.shows("update 10/40")
	w.run(w.a.reopen(opened.Path()))
	w.shows("update 10/40")
	w.run(w.a.start(sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 1}))
	assert.Nil(t, w.a.layer, "a new session leaves the lab open")
	w.run(w.a.do(widget.Training{Name: "none"}))
	w.shows(`no lab "none"`)
}

// A file that is the session of a lab opens as one, from the list of sessions and offered to be resumed.
func TestTrainingIsResumed(t *testing.T) {
	dir, s := t.TempDir(), smallTraining(t)
	if _, err := s.Step(t.Context(), 10, nil); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, errors.Join(s.SaveAs(filepath.Join(dir, "sparse.jsonl")), s.Close()))
	w := openWindow(t, Options{Session: mustSession(t), Rights: rights.Own(dir), Offer: true}, 120, 36)
	w.shows("ctrl+l resumes lab flops")
	w.press("o", "tab")
	w.shows("saved sessions: type to filter")
	w.shows("update 10 of 40")
	w.press("esc", "ctrl+l")
	w.shows("update 10/40")
}

// The window opens on a lab that it is given, plays it, offers to resume another session, and closes it at the end.
func TestWindowOnTraining(t *testing.T) {
	s := smallTraining(t)
	if _, err := s.Step(t.Context(), 20, nil); err != nil {
		t.Fatal(err)
	}
	full := t.TempDir()
	savedSession(t, full, "branin")
	w := openWindow(t, Options{Session: mustSession(t), Opened: s, Rights: rights.Own(full), Offer: true, Replay: true}, 120, 36)
	if _, ok := w.a.current.(*labs.Model); !ok {
		t.Fatalf("it opens on %T", w.a.current)
	}
	w.shows("update 0/40 (+1)")
	w.press("space")
	w.shows("update 20/40")
	w.press("ctrl+l")
	w.shows("press ctrl+l again to leave this lab")
	require.NoError(t, w.a.close())
	if err := s.Note("after"); !errors.Is(err, recorder.ErrClosed) {
		t.Errorf("an act on the lab gives %v", err)
	}
}

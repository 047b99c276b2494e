package tui

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
	"bandscope/sessions/study/worker"
	"bandscope/tui/rights"
	"bandscope/tui/studypage"
	"bandscope/tui/widget"
)

// tiny is a study in a database of its own, of which nothing has begun.
func tiny(t *testing.T) *studypage.Opening {
	t.Helper()
	d := &study.Declaration{Name: "tiny", Problems: []string{"forrester"}, Methods: []string{"random", "gp-ei"},
		Seeds: 2, Budget: "3"}
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "tiny.db"))
	if err == nil {
		err = worker.Submit(t.Context(), st, d)
	}
	require.NoError(t, err)
	return studypage.OpenStored(st, "tiny", nil)
}

// A study is run on its screen; a cell is opened in the explorer, which is left for the study, and the study stays open
// while other screens are looked at.
func TestAStudyStaysOpen(t *testing.T) {
	before := mustSession(t)
	w := openWindow(t, Options{Session: before, Rights: rights.Own(t.TempDir()), Opened: tiny(t)}, 120, 36)
	w.shows("0 of 4 cells")
	w.press("r")
	w.shows("4 of 4 cells")
	w.shows("complete")
	page := filepath.Join(t.TempDir(), "tiny.")
	for _, ending := range []string{"txt", "html", "csv", "json"} {
		w.press("ctrl+e")
		for range len("tiny.html") {
			w.press("backspace")
		}
		w.types(page + ending + "\n")
		if ending == "txt" {
			w.shows("the extension must be one of .csv, .html, .json")
			continue
		}
		w.shows("exported to")
		if info, err := os.Stat(page + ending); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", ending, err)
		}
	}
	w.press("right", "]", "enter")
	w.shows("step 3/3")
	w.shows("this is a cell of the study tiny; press esc to go back")
	if cfg := w.a.explore.Session().State().Config; cfg.Optimizer != "gp-ei" || cfg.Seed != 2 {
		t.Errorf("the cell is %+v", cfg)
	}
	opened := w.a.companion
	w.press("esc")
	w.shows("4 of 4 cells")
	w.press("6", "esc")
	w.shows("the study tiny stays open")
	w.press("o", "tab", "tab", "tab", "tab", "tab", "tab")
	w.shows("studies: type to filter")
	w.run(w.a.do(widget.Study{Name: "tiny"}))
	if w.a.companion != opened || w.a.current != display(opened) {
		t.Error("the study that was open is not shown")
	}
	w.run(w.a.do(widget.Study{Name: "thesis-9.9"}))
	w.shows(`no study "thesis-9.9"; did you mean thesis-`)
	w.run(w.a.do(widget.Study{Name: "thesis-4.1"}))
	w.shows("study thesis-4.1")
	w.shows("80 of 80 cells")
	if w.a.companion == opened {
		t.Error("the study before is open still")
	}
	w.press("?")
	w.shows("In a study")
	w.press("esc", "q")
	assert.NoError(t, w.a.close())
}

package tui

import (
	"errors"
	"path/filepath"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/sessions/recorder"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// job starts what a command asks for and returns its result, before the window has it.
func job(t *testing.T, cmd tea.Cmd) tea.Msg {
	t.Helper()
	batch, ok := cmd().(tea.BatchMsg)
	if !ok || len(batch) != 2 {
		t.Fatal("it is no job")
	}
	return widget.Perform(rights.Rights{}, batch[0])
}

// savedSession is the file of a session of one step.
func savedSession(t *testing.T, dir, problem string) string {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: problem, Optimizer: "random", Seed: 1})
	require.NoError(t, err)
	_, err = s.Step(t.Context(), nil)
	require.NoError(t, err)
	path := filepath.Join(dir, problem+".jsonl")
	require.NoError(t, errors.Join(s.SaveAs(path), s.Close()))
	return path
}

// free reports whether a session's file is held by nobody.
func free(t *testing.T, path string) bool {
	t.Helper()
	s, err := sessions.Open(t.Context(), path)
	require.NoError(t, err)
	defer s.Close()
	return !s.State().ReadOnly
}

// Where another session is explored, the one before is closed: nothing can be recorded in it any more.
func TestTheSessionBeforeIsClosed(t *testing.T) {
	before := mustSession(t)
	w := openWindow(t, Options{Session: before}, 80, 24)
	w.run(w.a.start(sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 1}))
	if w.a.explore.Session() == before {
		t.Fatal("the session is the one before")
	}
	if err := before.Note("after"); !errors.Is(err, recorder.ErrClosed) {
		t.Errorf("an act on the session before gives %v", err)
	}
}

// The session before is closed also where the program ends before that was done.
func TestTheSessionBeforeIsClosedAtTheEnd(t *testing.T) {
	before := mustSession(t)
	w := openWindow(t, Options{Session: before}, 80, 24)
	w.a.Update(job(t, w.a.start(sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 1})))
	require.NoError(t, w.a.close())
	if err := before.Note("after"); !errors.Is(err, recorder.ErrClosed) {
		t.Errorf("an act on the session before gives %v", err)
	}
}

// Of two sessions that are asked for the later one opens, whatever comes first; the other is left as it was found, and
// nobody holds its file.
func TestTheSessionAskedForLastOpens(t *testing.T) {
	dir := t.TempDir()
	first, second := savedSession(t, dir, "branin"), savedSession(t, dir, "forrester")
	for _, c := range []struct {
		name string
		late bool // the first one is read after the second was asked for
	}{{"read before", false}, {"read after", true}} {
		t.Run(c.name, func(t *testing.T) {
			before := mustSession(t)
			w := openWindow(t, Options{Session: before, Rights: rights.Own(dir)}, 80, 24)
			single := w.a.reopen(first)
			var result tea.Msg
			if !c.late {
				result = job(t, single)
			}
			two := w.a.reopen(second)
			if c.late {
				result = job(t, single)
			}
			w.take(result)
			if w.a.explore.Session() != before || before.Note("still open") != nil {
				t.Error("the session that was given up takes the place of the one before")
			}
			assert.True(t, free(t, first), "the session that was given up holds its file")
			w.run(two)
			if got := w.a.explore.Session().Path(); got != second {
				t.Errorf("%s is open", got)
			}
		})
	}
}

// While a session is opened the screen says so, and esc stops that; what cannot be opened is said, and the session
// before goes on.
func TestOpeningIsShownStoppedAndFails(t *testing.T) {
	dir := t.TempDir()
	path := savedSession(t, dir, "branin")
	before := mustSession(t)
	w := openWindow(t, Options{Session: before, Rights: rights.Own(dir)}, 120, 36)
	cmd := w.a.reopen(path)
	batch := cmd().(tea.BatchMsg)
	w.a.Update(batch[1]()) // the spinner's first turn
	w.shows("opening branin.jsonl (esc stops)")
	w.press("esc")
	w.take(widget.Perform(rights.Rights{}, batch[0]))
	w.shows("stopped")
	if w.a.explore.Session() != before || !free(t, path) {
		t.Error("what was stopped goes on")
	}
	w.run(w.a.reopen(filepath.Join(dir, "gone.jsonl")))
	w.shows("no such file")
	assert.NoError(t, before.Note("still open"), "the previous session")
}

// The explorer is there before the folder was read, and then names the session that can be resumed.
func TestTheFirstScreenDoesNotWaitForTheFolder(t *testing.T) {
	dir := t.TempDir()
	savedSession(t, dir, "branin")
	s, err := library.NewDefault(t.Context())
	require.NoError(t, err)
	w := &window{t: t, stepper: newStepper(Options{Session: s, Rights: rights.Own(dir), Offer: true, FrontDoor: true})}
	defer w.a.close()
	w.take(tea.WindowSizeMsg{Width: 160, Height: 36})
	cmd := w.a.Init()
	w.shows("1 the course")
	w.run(cmd)
	w.shows("ctrl+l resume branin")
	w.press("ctrl+l")
	w.shows("branin")
}

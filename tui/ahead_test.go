package tui

import (
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/recorder"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/rights"
)

// What is typed behind R, before the window knows of it or while the session is read, is for the session that is
// resumed; where that cannot be read, for none.
func TestTypedAheadOfASession(t *testing.T) {
	dir := t.TempDir()
	cfg, err := sessions.Config{Optimizer: "random"}.WithExperiment("../functions/experiment/testdata/espresso.toml")
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	w := openWindow(t, Options{Session: s, Rights: rights.Own(dir)}, 120, 36)
	w.press("space")
	path := filepath.Join(dir, "espresso.jsonl")
	require.NoError(t, s.SaveAs(path))
	require.NoError(t, w.a.close())
	for name, reading := range map[string]bool{"at once": false, "while it is read": true} {
		next := openWindow(t, Options{Session: mustSession(t), Rights: rights.Own(dir), Offer: true}, 120, 36)
		var cmds []tea.Cmd
		next.shows("ctrl+l resumes")
		for _, k := range []string{"ctrl+l", "enter", "4", "2"} {
			_, cmd := next.a.Update(screentest.Key(k))
			if k == "ctrl+l" && reading {
				_, cmd = next.a.Update(cmd()) // the window knows of it, and reads
			}
			cmds = append(cmds, cmd)
		}
		for _, cmd := range cmds {
			next.run(cmd)
		}
		if text := next.text(); !strings.Contains(text, "results of point 1") || !strings.Contains(text, "42") {
			t.Errorf("%s: what is typed behind R is lost:\n%s", name, text)
		}
	}
	gone := openWindow(t, Options{Session: mustSession(t), Rights: rights.Own(dir)}, 120, 36)
	gone.a.typeAhead.opening = true
	gone.a.Update(screentest.Key("X"))
	assert.Equal(t, 1, len(gone.a.typeAhead.keys), "a key is not held while a session is read")
	gone.a.done(failedMsg{err: recorder.ErrMoved})
	gone.press("t")
	if gone.a.typeAhead.opening || len(gone.a.typeAhead.keys) != 0 {
		t.Error("keys are held for a session that cannot be read")
	}
}

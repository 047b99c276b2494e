//go:build unix

package tui_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// A playground in a terminal: clicks put results, a drag moves one, a right click removes one; the file has the acts, and
// opens as a playground again.
func TestPseudoTerminalPlayground(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "play.jsonl")
	term := start(t, 80, 24, dir, "play", "--save", path)
	mouse := func(button, col, row int, end string) string {
		return fmt.Sprintf("\x1b[<%d;%d;%d%s", button, col, row, end)
	}
	click := func(button, col, row int) { term.press(mouse(button, col, row, "M") + mouse(button, col, row, "m")) }
	term.wait("click here")
	click(0, 20, 8)
	term.wait("1 result")
	click(0, 40, 14)
	term.wait("2 results")
	term.press(mouse(0, 40, 14, "M") + mouse(32, 50, 12, "M") + mouse(32, 60, 10, "M") + mouse(0, 60, 10, "m"))
	term.wait("x = 0.7")
	click(2, 20, 8)
	term.wait("1 result ")
	term.press("b")
	term.wait("2 results")
	term.press("B")
	term.wait("1 result ")
	term.press("q")
	if status := term.end(); status != 0 || term.screen.IsAltScreen() {
		t.Fatalf("it ends with status %d, the alternate screen on: %v", status, term.screen.IsAltScreen())
	}
	s, err := sessions.OpenReadOnly(t.Context(), path)
	require.NoError(t, err)
	got := s.State().Results()
	if len(got) != 1 || got[0].X < 0.65 || got[0].X > 0.8 || got[0].Y < 0.5 || got[0].Y > 2 {
		t.Errorf("on record is %+v", got)
	}
	again := start(t, 120, 36, dir, path)
	again.wait("1 result ")
	again.wait("belief: ")
	again.press("q")
	again.end()
}

//go:build unix

package tui_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions/training"
)

// A lab in a terminal: it trains, goes back, is left in the midst of a run, and its file opens as a lab where it was
// left, also when its last line was cut off.
func TestPseudoTerminalTraining(t *testing.T) {
	dir := t.TempDir()
	term := start(t, 80, 24, dir, "lab", "flops", "--set", "dim=16", "--set", "hidden=16", "--set", "batch=16", "--set",
		"steps=1000")
	term.wait("space trains 10 updates")
	term.press("  ")
	term.wait("20/1000")
	term.press("b")
	term.wait("10/1000 (+1)")
	term.press("...r")
	updates := regexp.MustCompile(`(\d+)/1000`)
	term.until("fifty updates", func(s string) bool {
		m := updates.FindStringSubmatch(s)
		return m != nil && len(m[1]) > 1 && m[1] > "50" || m != nil && len(m[1]) > 2
	})
	term.press("q")
	if status := term.end(); status != 0 || term.screen.IsAltScreen() {
		t.Fatalf("it ends with status %d, the alternate screen on: %v", status, term.screen.IsAltScreen())
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*-lab-flops-*.jsonl"))
	require.Equal(t, 1, len(files), "%d files", len(files))
	s, err := training.OpenReadOnly(t.Context(), files[0])
	if err != nil || len(s.Notices()) > 0 || s.State().Step < 50 {
		t.Fatalf("%+v, %v, %v", s.State().Step, s.Notices(), err)
	}
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(files[0], text[:len(text)-40], 0o600))
	again := start(t, 120, 36, dir, files[0])
	again.wait("is incomplete")
	again.wait("/1000")
	again.press("q")
	again.end()
	played := start(t, 120, 36, dir, "replay", files[0])
	played.wait(" 0/1000 (+")
	played.press(" ")
	played.wait(" 10/1000 (+")
	played.press("q")
	played.end()
	if now, err := filepath.Glob(filepath.Join(dir, "*.jsonl")); err != nil || len(now) != 1 {
		t.Errorf("to replay left %v, %v", now, err)
	}
}

//go:build unix

package tui_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// command runs a command of the program and returns what it prints.
func command(t *testing.T, line string) string {
	t.Helper()
	path, err := buildOnce()
	require.NoError(t, err)
	out, err := exec.Command(path, strings.Fields(line)...).CombinedOutput()
	require.NoError(t, err, "%s: %v: %s", line, err, out)
	return string(out)
}

// A command reports a result while two windows show the session: both show it with its author, and both still take their
// turns to write.
func TestPseudoTerminalFollows(t *testing.T) {
	if testing.Short() {
		t.Skip("the program that it starts has no race detector")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "s.jsonl")
	command(t, "run -f forrester -o random -n 2 --save "+file)
	single := start(t, 120, 36, dir, file, "--as", "me")
	two := start(t, 120, 36, dir, file, "--as", "you")
	single.wait("step 2/")
	two.wait("step 2/")
	command(t, "ask --as ann "+file)
	command(t, "tell --as ann "+file+" 3 f=-4")
	for _, term := range []*terminal{single, two} {
		term.wait("step 3/50 by ann via command")
		term.wait("ann via command reported point 3")
	}
	first := func(term *terminal) { // changes of a file that the window has only read
		term.press(" ")
		term.wait("Continue in this file")
		term.press("\r")
	}
	first(single)
	two.wait("step 4/50 by me via explorer")
	first(two)
	single.wait("step 5/50 by you via explorer")
	two.press("\x1b[D") // back; a letter just after the question would still belong to it
	two.wait("step 4/50 (+1)")
	single.press("\x1b[27u") // ends the text of the question
	single.press(" ")
	two.wait("step 4/50 (+2)")
	single.wait("step 6/50")
	for _, term := range []*terminal{single, two} {
		if strings.Contains(term.text(), "read-only") {
			t.Errorf("a window is read-only:\n%s", term.text())
		}
		term.press("q")
		assert.Equal(t, 0, term.end(), "status")
	}
	s, err := sessions.OpenReadOnly(t.Context(), file)
	require.NoError(t, err)
	s.Last()
	var amount []string
	for _, it := range s.State().Iterations {
		amount = append(amount, it.ToldBy.Name)
	}
	if got := strings.Join(amount[2:], " "); got != "ann me you me" || len(s.Notices()) > 0 {
		t.Errorf("the results are by %s, %v", got, s.Notices())
	}
}

// A file that cannot be written is read-only, as before, and is followed.
func TestPseudoTerminalFollowsReadOnly(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root can write to every file")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "s.jsonl")
	command(t, "run -f forrester -o random -n 2 --save "+file)
	require.NoError(t, os.Chmod(file, 0o444))
	term := start(t, 120, 36, dir, file)
	term.wait("read-only")
	term.press("q")
	term.end()
}

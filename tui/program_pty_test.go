//go:build unix

package tui_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// A program evaluates in the explorer: what it says is shown, esc ends it with all that it started while its point
// stays out, and the next start evaluates that point first.
func TestPseudoTerminalHasAProgramEvaluate(t *testing.T) {
	dir := t.TempDir()
	held, hangs, program := filepath.Join(dir, "held"), filepath.Join(dir, "hangs"), filepath.Join(dir, "p.sh")
	require.NoError(t, syscall.Mkfifo(held, 0o600))
	script := "#!/bin/sh\nif [ -e '" + hangs + "' ]; then echo 'waiting for the oven' >&2; exec 3> '" + held +
		"'; sleep 1000 & sleep 1000; fi\necho $BANDSCOPE_X_x\n"
	require.NoError(t, os.WriteFile(program, []byte(script), 0o755))
	file := filepath.Join(dir, "s.jsonl")
	session, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	require.NoError(t, err)
	require.NoError(t, session.SaveAs(file))
	require.NoError(t, session.Close())
	term := start(t, 100, 30, dir, "--exec", program, file)
	term.wait("step 0/")
	term.press(" ")
	term.wait("step 1/")
	require.NoError(t, os.WriteFile(hangs, nil, 0o600))
	term.press(" ")
	pipe, err := os.Open(held) // it is at work
	require.NoError(t, err)
	defer pipe.Close()
	term.wait("waiting for the oven")
	term.press("\x1b")
	if text, err := io.ReadAll(pipe); err != nil || len(text) > 0 { // none holds it any more
		t.Errorf("%s, %v", text, err)
	}
	term.press("q")
	assert.Equal(t, 0, term.end(), "status")
	look, err := sessions.OpenReadOnly(t.Context(), file)
	require.NoError(t, err)
	st := look.State()
	if len(st.Iterations) != 1 || len(st.Pending) != 1 ||
		st.Iterations[0].Points[0].Y[0] != st.Iterations[0].Points[0].X[0] {
		t.Fatalf("%+v, out %+v", st.Iterations, st.Pending)
	}
	require.NoError(t, os.Remove(hangs))
	next := start(t, 100, 30, dir, "--exec", program, file)
	next.wait("step 1/")
	next.press(" ")
	next.wait("step 2/")
	next.press("q")
	next.end()
	if look, err = sessions.OpenReadOnly(t.Context(), file); err != nil || len(look.State().Iterations) != 2 ||
		look.State().Iterations[1].ID != st.Pending[0].ID {
		t.Errorf("%+v, %v", look.State().Iterations, err)
	}
	if text, _ := os.ReadFile(file); strings.Contains(string(text), "p.sh") {
		t.Error("the command stands in the file")
	}
}

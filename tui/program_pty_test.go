//go:build unix

package tui_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bandscope/sessions"
)

// A program evaluates in the explorer: what it says is shown, esc ends it with all that it started while its point
// stays out, and the next start evaluates that point first.
func TestPseudoTerminalHasAProgramEvaluate(t *testing.T) {
	dir := t.TempDir()
	held, hangs, program := filepath.Join(dir, "held"), filepath.Join(dir, "hangs"), filepath.Join(dir, "p.sh")
	if err := syscall.Mkfifo(held, 0o600); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nif [ -e '" + hangs + "' ]; then echo 'waiting for the oven' >&2; exec 3> '" + held +
		"'; sleep 1000 & sleep 1000; fi\necho $BANDSCOPE_X_x\n"
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "s.jsonl")
	session, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	if err := session.SaveAs(file); err != nil {
		t.Fatal(err)
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	term := start(t, 100, 30, dir, "--exec", program, file)
	term.wait("step 0/")
	term.press(" ")
	term.wait("step 1/")
	if err := os.WriteFile(hangs, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	term.press(" ")
	pipe, err := os.Open(held) // it is at work
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	term.wait("waiting for the oven")
	term.press("\x1b")
	if text, err := io.ReadAll(pipe); err != nil || len(text) > 0 { // none holds it any more
		t.Errorf("%s, %v", text, err)
	}
	term.press("q")
	if status := term.end(); status != 0 {
		t.Errorf("status %d", status)
	}
	look, err := sessions.OpenReadOnly(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	st := look.State()
	if len(st.Iterations) != 1 || len(st.Pending) != 1 ||
		st.Iterations[0].Points[0].Y[0] != st.Iterations[0].Points[0].X[0] {
		t.Fatalf("%+v, out %+v", st.Iterations, st.Pending)
	}
	if err := os.Remove(hangs); err != nil {
		t.Fatal(err)
	}
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

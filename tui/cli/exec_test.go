//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// script writes a shell script that can be started.
func script(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o755))
}

// A test function that a program evaluates is stepped as the function itself is, to the last digit, each way.
func TestProgramStepsAsTheFunctionItself(t *testing.T) {
	dir := t.TempDir()
	self, err := program()
	require.NoError(t, err)
	value := fmt.Sprintf(`value() { '%s' eval -f branin -x "$1" | sed 's/.*"y":\[\([^]]*\)\].*/\1/'; }`+"\n", self)
	script(t, dir, "each.sh", value+`value "$BANDSCOPE_X_x1,$BANDSCOPE_X_x2"`)
	script(t, dir, "kept.sh", value+`while read -r line; do
id=${line#*\"id\":}; x1=${line#*\"x1\":}; x2=${line#*\"x2\":}
echo "{\"id\":${id%%,*},\"f\":$(value "${x1%%,*},${x2%%\}*}")}"
done`)
	cut := func(text string) string { // without the seconds
		var b strings.Builder
		for _, row := range rows(t, text) {
			delete(row, "seconds")
			fmt.Fprintln(&b, row)
		}
		return b.String()
	}
	const what = "run -f branin -o gp-ei --seed 3 -n 8 --json"
	itself, errs, status := run(t, dir, what)
	require.Equal(t, 0, status, errs)
	for _, amounts := range []string{
		"--exec ./each.sh", "--exec-pipe ./kept.sh", "--exec ./each.sh --timeout 5m --save s.jsonl"} {
		out, errs, status := run(t, dir, what+" "+amounts)
		if status != 0 || errs != "" || cut(out) != cut(itself) {
			t.Errorf("%s: status %d, %s\n%s\nitself:\n%s", amounts, status, errs, out, itself)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "s.jsonl")); err != nil || bytes.Contains(text, []byte("each.sh")) {
		t.Errorf("the command stands in the file: %v", err)
	}
	if out, errs, status := run(t, dir, "replay --verify s.jsonl"); status != 0 {
		t.Errorf("verify: %s%s", out, errs)
	}
}

// Several at once evaluate every point once; what the program says is shown, and nothing that it writes drives the
// terminal.
func TestProgramEvaluatesSeveralAtOnce(t *testing.T) {
	dir := t.TempDir()
	script(t, dir, "p.sh", "echo $BANDSCOPE_POINT >> points\nprintf 'at \\033[31m%s\\n' $BANDSCOPE_X_x >&2\n"+
		"echo $BANDSCOPE_X_x\n")
	out, errs, status := run(t, dir, "run -f forrester -o random -n 12 --jobs 4 --exec ./p.sh --json --save s.jsonl")
	if status != 0 || len(rows(t, out)) != 13 {
		t.Fatalf("status %d\n%s%s", status, out, errs)
	}
	for _, row := range rows(t, out)[:12] {
		if x, y := row["x"].([]any)[0].([]any)[0], row["y"].([]any)[0].([]any)[0]; x != y {
			t.Errorf("%v came of %v", y, x)
		}
		assert.NotNil(t, row["simple_regret"], "the regret of a test function is not known")
	}
	points, _ := os.ReadFile(filepath.Join(dir, "points"))
	if got := strings.Fields(string(points)); len(got) != 12 {
		t.Errorf("evaluated were %q", got)
	}
	if strings.Count(errs, "point ") != 12 || strings.Contains(errs, "\x1b") ||
		!strings.Contains(errs, "point 12: at \u241b[31m") {
		t.Errorf("said was %q", errs)
	}
}

// What is wrong with the command's words is said before anything is started or written; a program that fails does not
// end the run.
func TestProgramFromTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	script(t, dir, "bad.sh", "echo 'out of beans' >&2\nexit 3\n")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p.toml"), []byte(espresso), 0o644))
	for _, c := range []struct {
		line      string
		status    int
		out, errs string
	}{
		{"run --exec a --exec-pipe b", 2, "", "--exec cannot be used with --exec-pipe"},
		{"run --shell", 2, "", "add --exec CMD or --exec-pipe CMD"},
		{"run --timeout 5s", 2, "", "add --exec CMD or --exec-pipe CMD"},
		{"run --shell", 2, "", "add --exec CMD or --exec-pipe CMD"},
		{"run --exec ./bad.sh --jobs -1", 2, "", "--jobs must be from 1 to"},
		{"run --exec ./bad.sh --timeout -1s", 2, "", "--timeout must be above 0"},
		{"run --exec ./no.sh --save s.jsonl", 2, "", "cannot be started"},
		{"run --exec ./bad.sh|cat", 2, "", "which only a shell understands"},
		{"run --exec ./bad.sh --noise 1", 2, "", "--noise is for test functions only"},
		{"run --problem p.toml --exec ./bad.sh -n 2 --save s.jsonl", 0, "(failed)",
			"point 2: out of beans\npoint 2 failed: the program ended with exit status 3; standard error: out of beans\n"},
		{"run --resume s.jsonl --exec ./bad.sh -n 1 --json", 0, `"step":3`, "point 3: out of beans"},
	} {
		out, errs, status := run(t, dir, c.line)
		if status != c.status || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) {
			t.Errorf("%q: status %d\n%s%s", c.line, status, out, errs)
		}
	}
}

// An interrupt ends the program with all that it started, and where this process is killed nothing is lost either: the
// point that was being evaluated is the one that is evaluated first when the session goes on.
func TestProgramIsInterrupted(t *testing.T) {
	self, err := program()
	require.NoError(t, err)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		dir := t.TempDir()
		require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "held"), 0o600))
		script(t, dir, "hang.sh", "trap '' TERM\nexec 3> held\necho $BANDSCOPE_X_x >&3\nsleep 1000 & sleep 1000\n")
		script(t, dir, "good.sh", "echo $BANDSCOPE_X_x\n")
		c := exec.Command(self, "run", "-f", "forrester", "-o", "random", "-n", "3", "--exec", "./hang.sh", "--save",
			"s.jsonl")
		c.Dir = dir
		var errs bytes.Buffer
		c.Stderr = &errs
		require.NoError(t, c.Start())
		held, err := os.Open(filepath.Join(dir, "held"))
		require.NoError(t, err)
		defer held.Close()
		in := bufio.NewReader(held)
		var x string
		_, err = fmt.Fscanln(in, &x)
		require.NoError(t, err)
		c.Process.Signal(sig)
		c.Wait()
		if sig != syscall.SIGKILL && (c.ProcessState.ExitCode() != 130 ||
			!strings.Contains(errs.String(), "interrupted")) {
			t.Errorf("%v: %s", c.ProcessState, errs.String())
		}
		if _, err := in.ReadByte(); err == nil { // it is at its end when none holds it
			t.Error("the program goes on")
		}
		out, extra, status := run(t, dir, "run --resume s.jsonl -n 1 --exec ./good.sh --json")
		if status != 0 || !strings.Contains(out, `"step":1,`) || !strings.Contains(out, `"x":[[`+x+"]]") {
			t.Errorf("%v: it was at %s: status %d\n%s%s", sig, x, status, out, extra)
		}
	}
}

// A run that hangs in a write which nobody reads is ended by the second signal, with its program.
func TestProgramWhoseWordsNobodyReads(t *testing.T) {
	self, err := program()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "held"), 0o600))
	script(t, dir, "loud.sh", "exec 3> held\nyes 'this is a long line, of which there are as many as anybody can write' | head -n 4000 >&2\necho done >&3\nsleep 1000\n")
	c := exec.Command(self, "run", "-f", "forrester", "-o", "random", "-n", "3", "--exec", "./loud.sh", "--save",
		"s.jsonl")
	c.Dir = dir
	_, err = c.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	held, err := os.Open(filepath.Join(dir, "held")) // its program has begun
	require.NoError(t, err)
	defer held.Close()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.Process.Wait()
	}()
	for wait := time.Millisecond; ; wait *= 2 {
		c.Process.Signal(syscall.SIGINT)
		select {
		case <-ended:
		case <-time.After(wait):
			continue
		}
		break
	}
	if text, _ := io.ReadAll(held); len(text) > 0 {
		t.Errorf("everything was read: %s", text)
	}
	if out, _, _ := run(t, dir, "show s.jsonl"); !strings.Contains(out, "1 pending point") {
		t.Errorf("afterwards: %s", out)
	}
}

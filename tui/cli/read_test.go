package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/eventlog"
	"bandscope/tui/cli"
)

// reading are the commands that only tell of a session, each with its forms: FILE stands for the session, and " | "
// divides arguments.
var reading = map[string][]string{
	"replay": {"replay | --plain | FILE", "replay | --verify | FILE"},
	"list":   {"list | sessions | --dir | .", "list | sessions | s | --dir | . | --json"},
	"export": {"export | FILE", "export | FILE | --format | json", "export | FILE | --format | txt",
		"export | FILE | --format | svg",
		"export | FILE | --format | html", "export | FILE | --format | cast"},
	"predict": {"predict | FILE | -x | x=0.5 | --json", "predict | FILE | -x | x=0.5 | --samples | 2 | --json", "predict | FILE | --grid | 3",
		"predict | FILE | --step | 2 | --grid | 3 | --format | csv"},
	"branch": {"branch | FILE", "branch | FILE | diff | FILE#main"},
	"show": {"show | FILE", "show | FILE | --json", "show | FILE | best", "show | FILE | best | --by | data | --json",
		"show | FILE | history", "show | FILE | history | --json"},
	"why":   {"why | FILE", "why | FILE | --json | --step | 2", "why | FILE | --compare | gp-ei"},
	"check": {"check | FILE", "check | FILE | --json | --step | 3"},
}

// others are the commands that write sessions, or read none.
var others = []string{"add", "ask", "compare", "correct", "discard", "eval", "explain",
	"gallery", "guide", "import", "lab", "lesson", "man", "mcp", "new", "note", "open", "pipe",
	"play", "run", "schema", "script", "set", "steer", "serve", "study", "tell", "version", "work"}

// words are the arguments of a form.
func words(form, file string) []string {
	return strings.Split(strings.ReplaceAll(form, "FILE", file), " | ")
}

// try runs the program within a bounded time.
func try(t *testing.T, dir string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	path, err := program()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, path, args...)
	c.Dir = dir
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	c.Run()
	if ctx.Err() != nil {
		t.Fatalf("%s does not end", strings.Join(args, " "))
	}
	return out.String(), errs.String(), c.ProcessState.ExitCode()
}

// Every command is known to read or to write; those that read change no byte, no time and no file beside, take no lock,
// and work while another process writes.
func TestReadingLeavesFilesAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("other tests run the same commands")
	}
	dir := t.TempDir()
	run(t, dir, "run -f forrester -o gp-ucb -n 4 --save s.jsonl")
	for _, c := range cli.Root().Commands() {
		if slices.Contains(others, c.Name()) == (reading[c.Name()] != nil) {
			t.Errorf("does %s only read?", c.Name())
		}
	}
	path := filepath.Join(dir, "s.jsonl")
	state := func() string {
		data, err := os.ReadFile(path)
		info, errStat := os.Stat(path)
		files, errDir := os.ReadDir(dir)
		if err != nil || errStat != nil || errDir != nil {
			t.Fatal(err, errStat, errDir)
		}
		return fmt.Sprintf("%v %v %s", info.ModTime().UnixNano(), files, data)
	}
	for _, locked := range []bool{false, true} {
		lock := eventlog.NewLock(path)
		if locked {
			if ok, err := lock.TryLock(); !ok {
				t.Fatal(err)
			}
		}
		for _, forms := range reading {
			for _, form := range forms {
				before := state()
				out, errs, status := try(t, dir, words(form, "s.jsonl")...)
				if status != 0 || out == "" || errs != "" {
					t.Errorf("%s, locked %v: status %d, %q", form, locked, status, errs)
				}
				assert.Equal(t, before, state(), "%s has changed the folder", form)
			}
		}
		lock.Unlock()
	}
}

// A signal ends every command, also one that hangs in a write which nobody reads, with the status that shells give it.
func TestSignalsEndCommands(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "s.csv"),
		[]byte("x,f\n"+strings.Repeat("0.123456789,1.23456789\n", 2500)), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "run -f forrester -o random -n 1 --import s.csv --save s.jsonl")
	path, err := program()
	require.NoError(t, err)
	for form, sig := range map[string]syscall.Signal{
		// 2,500 lines do not fit into a pipe
		"replay | --plain | s.jsonl":                              syscall.SIGTERM,
		"export | s.jsonl":                                        syscall.SIGINT,
		"export | s.jsonl | --format | json":                      syscall.SIGHUP,
		"predict | s.jsonl | --grid | 2000":                       syscall.SIGTERM,
		"run | -f | forrester | -o | random | --budget | 1000000": syscall.SIGTERM,
		"run | -f | forrester | -o | random | -n | 9999 | --json": syscall.SIGHUP,
		"run | --resume | s.jsonl | -o | x | -n | 1":              0, // wrong, and no signal
	} {
		c := exec.Command(path, words(form, "")...)
		c.Dir = dir
		out, err := c.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, c.Start())
		first := make([]byte, 1)
		out.Read(first) // it is at work; nothing more is read
		want := 2
		if sig != 0 {
			c.Process.Signal(sig)
			want = 128 + int(sig)
		}
		deadline := time.AfterFunc(time.Minute, func() { c.Process.Kill() })
		state, err := c.Process.Wait()
		deadline.Stop()
		require.NoError(t, err)
		if got := state.ExitCode(); got != want {
			t.Errorf("%s: status %d (%v) after %v, want %d", form, got, state, sig, want)
		}
		out.Close()
	}
}

// A fork changes nothing for the readers of a file, who can name it.
func TestReadersLeaveForksOut(t *testing.T) {
	dir := t.TempDir()
	for _, line := range []string{"run -f forrester -o random -n 3 --save s.jsonl", "branch s.jsonl goto 1",
		"branch s.jsonl fork short"} {
		_, errs, status := run(t, dir, line)
		require.Zero(t, status, errs)
	}
	for line, want := range map[string]int{"export s.jsonl": 4, "export s.jsonl#short": 2, "replay s.jsonl": 4,
		"replay s.jsonl#short": 2} {
		out, errs, status := run(t, dir, line)
		require.Zero(t, status, errs)
		assert.Equal(t, want, strings.Count(out, "\n"), "%s prints %s", line, out)
	}
	for _, line := range []string{"branch s.jsonl goto main", "branch s.jsonl fork on", "run --resume s.jsonl -n 1"} {
		_, errs, status := run(t, dir, line)
		require.Zero(t, status, errs)
	}
	out, _, _ := run(t, dir, "export s.jsonl")
	assert.Equal(t, 5, strings.Count(out, "\n"), "a fork that is the only way on is left out: %s", out)
	_, errs, status := run(t, dir, "export s.jsonl#long")
	assert.Equal(t, 2, status)
	assert.Contains(t, errs, `no branch "long"; it has on, short`)
}

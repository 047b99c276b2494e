//go:build unix

package tui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	xterm "github.com/charmbracelet/x/term"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// standing is a screen in a mode that the program is ended in: how it is reached, and what it shows then.
type signalCase struct{ name, args, keys, shows string }

// hang stands for a terminal that goes away while SIGHUP is ignored.
const hang = syscall.Signal(0)

var signalCases = []signalCase{
	{"explorer", "-o random", "", "prior"},
	{"step under way", "-o neural-greedy --set trainer=adam --set epochs=1000000 --set width=2000", " ", "(esc stops)"},
	{"running", "-o random --budget 100000", ".....r", "r pause"},
	{"prompt", "-o random", "\x13", "save as"},
	{"editor", "-o gp-ei", "e", "space"},
	{"query", "-o random", "x", "query at"},
	{"plane", "-f branin -o gp-ei", "     ", "step 5/"},
	{"outcomes", "-f thesis-xy -o mobo-rs-ts", "   ", "step 3/"},
	{"box", "-f thesis-xy -o mobo-rs-ts", "  |step 2/|A", "target box"},
	{"open", "-o random", "o", "test functions"},
	{"study at work", "-o random", "o|test functions|\t\t\t\t\t\t|studies: type|thesis-2.6\r|study thesis-2.6|r",
		"keep running while"},
	{"compare", "-o gp-ei", "c", "same data"},
	{"race", "compare gamma", "R", "own data"},
	{"branches", "-o random", " F", "branches of"},
	{"lesson", "lesson acquisition", "", "page 1/"},
	{"help", "-o random", "?", "help:"},
	{"lab training", "lab hierarchy", ")))|100 updates|r", "pause"},
	{"suspended and back", "-o random", "\x1a", "no shell"},
}

// TestPseudoTerminalEnds ends the program by signals, and by taking its terminal away, one of them in every screen: each time
// it ends soon, with the status that shells give for the signal, and the terminal is as it was.
func TestPseudoTerminalEnds(t *testing.T) {
	for i, s := range signalCases {
		sig := []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, hang}[i%4]
		t.Run(fmt.Sprintf("%s/%s", s.name, sig), func(t *testing.T) {
			t.Parallel()
			t.Logf("ended after %.0f ms", float64(s.end(t, sig).Microseconds())/1000)
		})
	}
}

// end opens the program in the place and ends it by a signal. It returns how long that took.
func (s signalCase) end(t *testing.T, sig syscall.Signal) time.Duration {
	t.Helper()
	var amount []string
	if sig == hang {
		amount = []string{"/bin/sh", "-c", `trap '' HUP; exec "$@"`, "sh"}
	}
	term := startBy(t, amount, 100, 30, t.TempDir(), strings.Fields(s.args)...)
	term.wait("space")
	for i, part := range strings.Split(s.keys, "|") { // keys, and what to wait for between them
		if i%2 == 0 {
			term.press(part)
		} else {
			term.wait(part)
		}
	}
	term.wait(s.shows)
	began := time.Now()
	if sig == hang {
		term.file.Close()
	} else {
		term.cmd.Process.Signal(sig)
	}
	code := term.end()
	took := time.Since(began)
	want := map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGINT: 130, syscall.SIGHUP: 129, hang: 1}[sig]
	assert.Equal(t, want, code, "it ends with status")
	if sig == hang {
		return took
	}
	if after, err := lineState(term.file); err != nil || !reflect.DeepEqual(term.cooked, after) {
		t.Errorf("the terminal is left as %+v, it was %+v (%v)", after, term.cooked, err)
	}
	assert.Equal(t, "", term.modes(), "the terminal is left with")
	return took
}

// modes finds what switches the modes of a terminal, and its keyboard enhancements; lines that wrap and a cursor are on
// by themselves.
var modes = regexp.MustCompile(`\x1b\[\?([0-9;]+)([hl])|\x1b\[([<>])[0-9]*u`)

// modes names the modes of the terminal that are not as they were at first: the alternate screen, a hidden cursor,
// mouse reports and the like.
func (t *terminal) modes() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	entries, depth := map[string]bool{"7": true, "25": true}, 0
	for _, m := range modes.FindAllStringSubmatch(string(t.written), -1) {
		for _, mode := range strings.Split(m[1], ";") {
			entries[mode] = m[2] == "h"
		}
		switch m[3] {
		case ">":
			depth++
		case "<":
			depth = max(depth-1, 0)
		}
	}
	var left []string
	for mode, set := range entries {
		if mode != "" && set != (mode == "7" || mode == "25") {
			left = append(left, "mode "+mode)
		}
	}
	if depth > 0 {
		left = append(left, "keyboard enhancements")
	}
	return strings.Join(left, ", ")
}

// lineState is how a terminal handles lines and keys. File.Fd would make reads of it block, also after it is closed.
func lineState(f *os.File) (state *xterm.State, err error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	if e := raw.Control(func(fd uintptr) { state, err = xterm.GetState(fd) }); e != nil {
		return nil, e
	}
	return state, err
}

// TestPseudoTerminalSuspends stops the program from a shell by ctrl+z, brings it back by fg, and ends it while it is
// stopped.
func TestPseudoTerminalSuspends(t *testing.T) {
	path, err := buildOnce()
	require.NoError(t, err)
	if _, err := os.Stat("/bin/bash"); err != nil {
		t.Skip("there is no shell with job control")
	}
	dir := t.TempDir()
	shell := startBy(t, []string{"/bin/bash", "--norc", "--noprofile", "-i"}, 100, 30, dir)
	shell.press("PS1='ready> '; stty -echo\r")
	shell.wait("ready>")
	shell.press(path + " --dir " + dir + " -o random\r")
	shell.wait("prior")
	// A key behind the terminal's answers to the program's questions, which the shell would get after a stop.
	shell.press("?")
	shell.wait("filters all keys")
	shell.press("?")
	shell.wait("prior · ")
	stops := 0
	stop := func() { // the shell's line about an earlier stop is still on its screen
		stops++
		shell.press("\x1a")
		shell.until("the shell to say that the program stopped", func(s string) bool {
			return strings.Count(s, "Stopped") == stops && strings.HasSuffix(strings.TrimSpace(s), "ready>")
		})
	}
	for _, keys := range []string{"", "o", "\x13"} {
		shell.press(keys)
		shell.wait(map[string]string{"": "prior", "o": "test functions", "\x13": "save as"}[keys])
		stop()
		if left := shell.modes(); strings.Contains(left, "1049") || strings.Contains(left, "mode 25") ||
			strings.Contains(left, "100") {
			t.Errorf("while it is stopped the terminal has %s", left)
		}
		shell.press("fg\r")
		shell.wait(map[string]string{"": "prior", "o": "test functions", "\x13": "save as"}[keys])
		if keys != "" {
			shell.press("\x1b")
			shell.wait("space step")
			shell.press("\x1b") // what is typed at once behind a field is no command; another key ends that
			shell.wait("no computation is running")
		}
	}
	shell.press("   ")
	shell.wait("step 3/")
	stop()
	shell.press("kill %1\r")
	shell.wait("interrupted: terminated")
	shell.press("while sleep 0.05; do jobs; done\r")
	shell.wait("Exit 143")
	files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	require.Equal(t, 1, len(files), "%d session files", len(files))
	s, err := sessions.Open(t.Context(), files[0])
	require.NoError(t, err)
	defer s.Close()
	if n := len(s.State().Iterations); n != 3 || s.State().ReadOnly {
		t.Errorf("%d iterations, read-only %v", n, s.State().ReadOnly)
	}
}

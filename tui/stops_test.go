//go:build unix

package tui_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"

	xterm "github.com/charmbracelet/x/term"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shellWith is a shell with job control in which the program runs; the folder is that of its sessions, and pid the
// program's.
func shellWith(t *testing.T, shows string, args ...string) (shell *terminal, pid int) {
	t.Helper()
	path, err := buildOnce()
	require.NoError(t, err)
	if _, err := os.Stat("/bin/bash"); err != nil {
		t.Skip("there is no shell with job control")
	}
	dir := t.TempDir()
	shell = startBy(t, []string{"/bin/bash", "--norc", "--noprofile", "-i"}, 100, 30, dir)
	shell.press("PS1='ready> '; stty -echo\r")
	shell.wait("ready>")
	shell.press("sh -c 'echo $$ >" + filepath.Join(dir, "pid") + "; exec " + path + " --dir " + dir + " " +
		strings.Join(args, " ") + "'\r")
	shell.wait(shows)
	// once a key is answered, the terminal's own answers have been read, which are no input for the shell
	shell.press("?")
	shell.wait("i explains the screen") // the last row: of a frame that arrives in parts the first rows may be there alone
	shell.press("\x1b")
	shell.wait("space step")
	text, err := os.ReadFile(filepath.Join(dir, "pid"))
	require.NoError(t, err)
	if pid, err = strconv.Atoi(strings.TrimSpace(string(text))); err != nil {
		t.Fatal(err)
	}
	return shell, pid
}

// signal sends a signal to a process.
func signal(t *testing.T, pid int, sig syscall.Signal) {
	t.Helper()
	require.NoError(t, syscall.Kill(pid, sig))
}

// TestPseudoTerminalStopsBySignals stops the program from elsewhere, in several screens and while it computes: asked by
// SIGTSTP it gives the terminal back before; after SIGSTOP too the screen is whole again and answers keys at once when
// it is brought back.
func TestPseudoTerminalStopsBySignals(t *testing.T) {
	for _, c := range []struct {
		name, args, shows, keys, under, key, answer string
	}{
		{"idle", "-o random", "prior", "", "prior", "?", "esc leaves"},
		{"prompt", "-o random", "prior", "\x13", "save as", "\x1b", "space step"},
		{"step under way", "-o neural-greedy --set trainer=adam --set epochs=1000000 --set width=2000",
			"±2 sd", " ", "training the network", "\x1b", "stopped"},
	} {
		for name, sig := range map[string]syscall.Signal{"TSTP": syscall.SIGTSTP, "STOP": syscall.SIGSTOP} {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				shell, pid := shellWith(t, c.shows, strings.Fields(c.args)...)
				shell.press(c.keys)
				shell.wait(c.under)
				signal(t, pid, sig)
				shell.waitStopped()
				if left := shell.modes(); sig == syscall.SIGTSTP &&
					(strings.Contains(left, "1049") || strings.Contains(left, "mode 25") ||
						strings.Contains(left, "100")) {
					t.Errorf("while it is stopped the terminal has %s", left)
				}
				shell.emulate("\x1b[2J") // what was on the screen is gone
				shell.press("\x15fg\r")
				shell.wait(c.under)
				shell.press(c.key)
				shell.wait(c.answer)
				if left := shell.modes(); !strings.Contains(left, "1049") || !strings.Contains(left, "mode 25") ||
					!strings.Contains(left, "1006") {
					t.Errorf("when it is back the terminal has %s", left)
				}
				signal(t, pid, syscall.SIGTERM)
				shell.wait("interrupted: terminated")
			})
		}
	}
}

// TestPseudoTerminalStopsWithItsEditor: an editor that is stopped by ctrl+z, for which it sends SIGTSTP to its process
// group, stops the program with it, and the shell has the terminal.
func TestPseudoTerminalStopsWithItsEditor(t *testing.T) {
	editor := filepath.Join(t.TempDir(), "editor")
	require.NoError(t, os.WriteFile(editor, []byte("#!/bin/sh\nkill -TSTP 0\necho written after fg >\"$1\"\n"), 0o700))
	t.Setenv("VISUAL", editor)
	shell, pid := shellWith(t, "prior", "-o", "random")
	shell.press("n")
	shell.wait("ctrl+o")
	shell.press("\x0f")
	shell.waitStopped()
	shell.press("\x15fg\r")
	shell.wait("written after fg")
	signal(t, pid, syscall.SIGTERM)
	shell.wait("interrupted: terminated")
}

// TestPseudoTerminalContinues: a program that goes on without a shell that brings it back, as under a supervisor, sets
// the terminal again as well.
func TestPseudoTerminalContinues(t *testing.T) {
	term := start(t, 100, 30, t.TempDir(), "-o", "random")
	term.wait("prior")
	raw, err := lineState(term.file)
	require.NoError(t, err)
	signal(t, term.cmd.Process.Pid, syscall.SIGSTOP)
	setState(t, term.file, term.cooked)
	term.emulate("\x1b[?1049l\x1b[?25h\x1b[?1006l\x1b[2J")
	signal(t, term.cmd.Process.Pid, syscall.SIGCONT)
	term.wait("prior")
	term.press("?")
	term.wait("i explains the screen")
	if now, err := lineState(term.file); err != nil || !reflect.DeepEqual(now, raw) {
		t.Errorf("the line is %+v, not %+v (%v)", now, raw, err)
	}
	term.press("\x1b")
	term.wait("space step") // which the help hides: an escape with a key right behind it would be another key
	term.press("q")
	assert.Equal(t, 0, term.end(), "it ends with status")
}

// waitStopped waits until the shell says that the program is stopped, and asks for the next command.
func (t *terminal) waitStopped() {
	t.t.Helper()
	t.until("the shell to ask for a command behind Stopped", func(s string) bool {
		index := strings.LastIndex(s, "Stopped")
		return index >= 0 && strings.Contains(s[index:], "ready>")
	})
}

// emulate has the terminal take what another program writes.
func (t *terminal) emulate(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.screen.Write([]byte(text))
}

// setState sets how a terminal handles lines and keys.
func setState(t *testing.T, f *os.File, state *xterm.State) {
	t.Helper()
	raw, err := f.SyscallConn()
	require.NoError(t, err)
	if e := raw.Control(func(fd uintptr) { err = xterm.SetState(fd, state) }); e != nil || err != nil {
		t.Fatal(e, err)
	}
}

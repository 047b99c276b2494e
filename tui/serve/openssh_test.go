//go:build unix

package serve

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The client of OpenSSH joins by code and PIN in a pseudo-terminal, follows, resizes and leaves.
func TestOpenSSH(t *testing.T) {
	program, err := exec.LookPath("ssh")
	if err != nil {
		require.Equal(t, "", os.Getenv("BANDSCOPE_SSH"), err)
		t.Skip("there is no ssh")
	}
	c := begin(t, options(t))
	ada := c.join(t, "ada", true, 120, 36)
	ada.wait("step 0/50")
	join, _ := c.Codes()
	ask := filepath.Join(t.TempDir(), "ask")
	if err := os.WriteFile(ask, []byte("#!/bin/sh\ncase \"$1\" in *code*) echo "+join+";; *) echo 1234;; esac\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(c.address)
	cmd := exec.Command(program, "-tt", "-F", "none", "-p", port, "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
		"-o", "LogLevel=ERROR", "-o", "PreferredAuthentications=keyboard-interactive", "bob@127.0.0.1")
	cmd.Env = append(os.Environ(), "SSH_ASKPASS="+ask, "SSH_ASKPASS_REQUIRE=force", "TERM=xterm-256color")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 100, Rows: 30})
	require.NoError(t, err)
	screen, changed := vt.NewSafeEmulator(100, 30), make(chan struct{}, 1)
	ended := make(chan struct{})
	var mu sync.Mutex
	go func() {
		defer close(ended)
		io.Copy(writerFunc(func(p []byte) (int, error) {
			mu.Lock()
			n, err := screen.Write(p)
			mu.Unlock()
			select {
			case changed <- struct{}{}:
			default:
			}
			return n, err
		}), terminal)
	}()
	go func() {
		io.Copy(terminal, screen)
		io.Copy(io.Discard, screen)
	}()
	t.Cleanup(func() { terminal.Close(); cmd.Process.Kill(); cmd.Wait() })
	wait := func(want string) {
		t.Helper()
		deadline := time.After(patience)
		for {
			mu.Lock()
			text := screen.String()
			mu.Unlock()
			if strings.Contains(text, want) {
				return
			}
			select {
			case <-changed:
			case <-deadline:
				t.Fatalf("waited in vain for %q; the screen:\n%s", want, text)
			}
		}
	}
	wait("ada teaches")
	ada.press(" ")
	wait("step 1/50")
	mu.Lock()
	screen.Resize(120, 40)
	mu.Unlock()
	require.NoError(t, pty.Setsize(terminal, &pty.Winsize{Cols: 120, Rows: 40}))
	wait("b back  x point  n note")
	io.WriteString(terminal, "q")
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatal("ssh does not end")
	}
	assert.NoError(t, cmd.Wait(), "ssh ends with")
}

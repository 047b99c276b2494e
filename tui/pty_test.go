package tui_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// patience bounds how long the tests wait for the program; nothing in them depends on how long it really takes.
const patience = 60 * time.Second

// buildOnce builds the program once for all pseudo-terminal tests.
var buildOnce = sync.OnceValues(func() (string, error) {
	if b := os.Getenv("BANDSCOPE_BINARY"); b != "" {
		return b, nil
	}
	dir, err := os.MkdirTemp("", "bandscope")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "bandscope")
	out, err := exec.Command("go", "build", "-o", path, "bandscope").CombinedOutput()
	if err != nil {
		os.Stderr.Write(out)
	}
	return path, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if os.Getenv("BANDSCOPE_BINARY") == "" {
		if path, err := buildOnce(); err == nil {
			os.RemoveAll(filepath.Dir(path))
		}
	}
	os.Exit(code)
}

// terminal is a program running in a real pseudo-terminal, with an emulator that keeps its screen.
type terminal struct {
	t       *testing.T
	cmd     *exec.Cmd
	file    *os.File
	screen  *vt.SafeEmulator
	changed chan struct{} // holds a token after output
	ended   chan struct{}
	written int // bytes that the program wrote
	mu      sync.Mutex
}

// start runs the program in a window of w×h cells; sessions are kept in dir.
func start(t *testing.T, w, h int, dir string, args ...string) *terminal {
	t.Helper()
	path, err := buildOnce()
	if err != nil {
		t.Fatalf("building the program: %v", err)
	}
	c := exec.Command(path, append([]string{"--dir", dir}, args...)...)
	c.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=", "XDG_DATA_HOME="+dir)
	f, err := pty.StartWithSize(c, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)})
	if err != nil {
		t.Fatalf("starting in a pseudo-terminal: %v", err)
	}
	term := &terminal{t: t, cmd: c, file: f, screen: vt.NewSafeEmulator(w, h),
		changed: make(chan struct{}, 1), ended: make(chan struct{})}
	go term.read()
	go io.Copy(f, term.screen) // answers to the program's questions
	t.Cleanup(func() {
		c.Process.Kill()
		<-term.ended
		f.Close()
	})
	return term
}

func (t *terminal) read() {
	defer close(t.ended)
	buf := make([]byte, 64<<10)
	for {
		n, err := t.file.Read(buf)
		if n > 0 {
			t.screen.Write(buf[:n])
			t.mu.Lock()
			t.written += n
			t.mu.Unlock()
			select {
			case t.changed <- struct{}{}:
			default:
			}
		}
		if err != nil {
			t.cmd.Wait()
			return
		}
	}
}

// text is what the screen shows.
func (t *terminal) text() string {
	var s strings.Builder
	for y := range t.screen.Height() {
		for x := range t.screen.Width() {
			if c := t.screen.CellAt(x, y); c != nil && c.Content != "" {
				s.WriteString(c.Content)
			} else {
				s.WriteByte(' ')
			}
		}
		s.WriteByte('\n')
	}
	return s.String()
}

// wait waits until the screen shows a text.
func (t *terminal) wait(want string) {
	t.t.Helper()
	t.until("the screen to show "+want, func(s string) bool { return strings.Contains(s, want) })
}

func (t *terminal) until(what string, ok func(string) bool) {
	t.t.Helper()
	deadline := time.After(patience)
	for {
		if ok(t.text()) {
			return
		}
		select {
		case <-t.changed:
		case <-t.ended:
			if ok(t.text()) {
				return
			}
			t.t.Fatalf("the program ended before %s; the screen:\n%s", what, t.text())
		case <-deadline:
			t.t.Fatalf("waited in vain for %s; the screen:\n%s", what, t.text())
		}
	}
}

// press types keys as a terminal sends them.
func (t *terminal) press(keys string) {
	t.t.Helper()
	if _, err := t.file.WriteString(keys); err != nil {
		t.t.Fatalf("typing %q: %v", keys, err)
	}
}

// end waits for the program to end and returns its exit status.
func (t *terminal) end() int {
	t.t.Helper()
	select {
	case <-t.ended:
	case <-time.After(patience):
		t.t.Fatalf("the program does not end; the screen:\n%s", t.text())
	}
	return t.cmd.ProcessState.ExitCode()
}

//go:build unix

package tui_test

import (
	"io"
	"os"
	"os/exec"
	ossignal "os/signal"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	xterm "github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// patience bounds how long the tests wait for the program; nothing in them depends on how long it really takes.
const patience = time.Minute

// built is the folder that the program was built into, empty if it was not.
var built string

// buildOnce builds the program once for all pseudo-terminal tests.
var buildOnce = sync.OnceValues(func() (string, error) {
	if b := os.Getenv("BANDSCOPE_BINARY"); b != "" {
		return b, nil
	}
	dir, err := os.MkdirTemp("", "bandscope")
	if err != nil {
		return "", err
	}
	built = dir
	path := filepath.Join(dir, "bandscope")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", path, "bandscope").
		CombinedOutput()
	if err != nil {
		os.Stderr.Write(out)
	}
	return path, err
})

func TestMain(m *testing.M) {
	debug.SetGCPercent(400)               // frames are made and dropped by the thousand
	if ossignal.Ignored(syscall.SIGHUP) { // as under nohup: what this process handles, ends the programs that it starts
		ossignal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	code := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(code)
}

// terminal is a program running in a real pseudo-terminal, with an emulator that keeps its screen.
type terminal struct {
	t       testing.TB
	cmd     *exec.Cmd
	file    *os.File
	mu      sync.Mutex // held while the screen is written, read or resized
	screen  *vt.SafeEmulator
	written []byte        // all that the program wrote
	cooked  *xterm.State  // how the terminal was before it
	changed chan struct{} // holds a token after output
	ended   chan struct{}
}

// start runs the program in a window of w×h cells; sessions are kept in dir.
func start(t testing.TB, w, h int, dir string, args ...string) *terminal {
	t.Helper()
	return startBy(t, []string{}, w, h, dir, args...)
}

// startBy runs the program by way of another that is given its command line, or a shell alone.
func startBy(t testing.TB, amount []string, w, h int, dir string, args ...string) *terminal {
	t.Helper()
	path, err := buildOnce()
	require.NoError(t, err, "building the program")
	line := append(amount, append([]string{path, "--dir", dir}, args...)...)
	if len(args) == 0 && len(amount) > 0 {
		line = amount
	}
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") { // a command has the option behind it
		line = append(amount, append(append([]string{path}, args...), "--dir", dir)...)
	}
	c := exec.Command(line[0], line[1:]...)
	c.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=", "XDG_DATA_HOME="+dir)
	f, tty, err := pty.Open()
	require.NoError(t, err, "opening a pseudo-terminal")
	defer tty.Close()
	require.NoError(t, pty.Setsize(f, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)}))
	if raw, err := f.SyscallConn(); err == nil { // opening and sizing it made reads block, for which closing would wait
		raw.Control(func(fd uintptr) { syscall.SetNonblock(int(fd), true) })
	}
	cooked, err := lineState(f)
	require.NoError(t, err)
	c.Stdin, c.Stdout, c.Stderr = tty, tty, tty
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, c.Start(), "starting in a pseudo-terminal")
	term := &terminal{t: t, cmd: c, file: f, cooked: cooked, screen: vt.NewSafeEmulator(w, h),
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
			t.mu.Lock()
			t.screen.Write(buf[:n])
			t.written = append(t.written, buf[:n]...)
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
	t.mu.Lock()
	defer t.mu.Unlock()
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

// resize gives the window another size and waits until the screen shows a text. A program that is still starting may
// not hear of it: then it is said again, by way of another size.
func (t *terminal) resize(w, h int, want string) {
	t.t.Helper()
	t.mu.Lock()
	t.screen.Resize(w, h)
	t.mu.Unlock()
	again := time.NewTicker(time.Second)
	defer again.Stop()
	deadline := time.After(patience)
	for {
		for _, rows := range []int{h + 1, h} {
			if err := pty.Setsize(t.file, &pty.Winsize{Cols: uint16(w), Rows: uint16(rows)}); err != nil {
				t.t.Fatal(err)
			}
		}
		for waiting := true; waiting; {
			if strings.Contains(t.text(), want) {
				return
			}
			select {
			case <-t.changed:
			case <-again.C:
				waiting = false
			case <-deadline:
				t.t.Fatalf("waited in vain for the screen to show %s; the screen:\n%s", want, t.text())
			}
		}
	}
}

// wait waits until the screen shows a text.
func (t *terminal) wait(want string) {
	t.t.Helper()
	t.until("the screen to show "+want, func(s string) bool { return strings.Contains(s, want) })
}

func (t *terminal) until(subject string, ok func(string) bool) {
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
			t.t.Fatalf("the program ended before %s; the screen:\n%s", subject, t.text())
		case <-deadline:
			t.t.Fatalf("waited in vain for %s; the screen:\n%s", subject, t.text())
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

// TestPseudoTerminal steps, edits, quits and resumes in a real pseudo-terminal.
func TestPseudoTerminal(t *testing.T) {
	dir := t.TempDir()
	term := start(t, 120, 36, dir, "-f", "forrester", "-o", "gp-ei", "--seed", "3")
	term.wait("prior · minimize")
	term.press("    ")
	term.wait("step 4/50")
	term.wait("saved")
	term.press("e")
	term.wait("one of matern52, se")
	term.press("\x1b[C") // right: the next kernel
	term.wait("kernel is now se")
	term.press("\x1b")
	term.wait("space step")
	term.press("b")
	term.wait("step 3/50 (+1)")
	term.press("q")
	require.Equal(t, 0, term.end(), "it ends with status")
	assert.False(t, term.screen.IsAltScreen(), "the alternate screen is left on")
	files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	require.Equal(t, 1, len(files), "%d session files", len(files))
	again := start(t, 80, 24, dir, files[0])
	again.wait("step 3/50 (+1)")
	again.press(" ")
	again.wait("step 4/50")
	again.until("the kernel that was set", regexp.MustCompile(`kernel +squared exponential`).MatchString)
	again.press("q")
	again.end()
}

// A replay only reads: another process goes on with the session meanwhile, and what is done while it plays stays out of
// its file.
func TestPseudoTerminalReplayOnlyReads(t *testing.T) {
	dir := t.TempDir()
	path, err := buildOnce()
	require.NoError(t, err)
	file := filepath.Join(dir, "s.jsonl")
	if out, err := exec.Command(path, "run", "-f", "forrester", "-o", "random", "-n", "2", "--save", file).
		CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	term := start(t, 100, 30, dir, "replay", file)
	term.wait("a recorded session")
	if out, err := exec.Command(path, "run", "--resume", file, "-n", "1").CombinedOutput(); err != nil {
		t.Errorf("going on with the session while it is played: %v: %s", err, out)
	}
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, step := range []string{"step 1/", "step 2/", "step 3/"} {
		term.press(" ")
		term.wait(step)
	}
	term.press("q")
	assert.Equal(t, 0, term.end(), "status")
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("the replay wrote into the file (%v):\n%s", err, after)
	}
}

// TestPseudoTerminalResumesAfterAKill kills the program while it runs; the next start offers what it left.
func TestPseudoTerminalResumesAfterAKill(t *testing.T) {
	dir := t.TempDir()
	term := start(t, 100, 30, dir, "-f", "gramacy-lee", "-o", "random", "--budget", "100000")
	term.wait("prior")
	term.press("...r")
	step := regexp.MustCompile(`step (\d+)/`)
	term.until("ten steps", func(s string) bool {
		m := step.FindStringSubmatch(s)
		return m != nil && len(m[1]) > 1 // ten or more
	})
	term.cmd.Process.Kill()
	<-term.ended
	next := start(t, 100, 30, dir)
	next.wait("ctrl+l resume")
	next.press("\x0c")
	next.wait("gramacy-lee 1-D")
	next.until("the steps to be there", func(s string) bool {
		return !strings.Contains(s, "step 0/") && strings.Contains(s, "random")
	})
	next.press("q")
	next.end()
}

// TestPseudoTerminalAnswersWhileFitting measures how long a key takes to reach the screen while a long fit runs.
func TestPseudoTerminalAnswersWhileFitting(t *testing.T) {
	if _, err := buildOnce(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	term := start(t, 120, 36, t.TempDir(), "-o", "neural-greedy", "--set", "trainer=adam", "--set", "epochs=100000")
	term.wait("bandscope")
	t.Logf("from start to first frame: %v", time.Since(began))
	term.wait("±2 sd")
	term.press(" ")
	term.wait("(esc stops)")
	for i, want := range []string{"speed: 5 per second", "speed: 10 per second", "speed: 5 per second"} {
		key := []string{".", ".", ","}[i]
		before := time.Now()
		term.press("t" + key)
		term.until("the truth to change places", func(s string) bool {
			panels := s[:max(strings.LastIndex(s, "╯"), 0)] // without the footer
			return panels != "" && strings.Contains(panels, "truth") == (i%2 == 1)
		})
		t.Logf("key to frame while a fit runs: %v (%s)", time.Since(before), want)
	}
	term.press("\x1b")
	term.wait("stopped")
	term.press("q")
	assert.Equal(t, 0, term.end(), "it ends with status")
}

// TestPseudoTerminalIsQuietWhenIdle waits for a second in which nothing is written: the last frame may come late and in
// pieces, but whatever blinks or ticks while nobody presses a key never leaves one.
func TestPseudoTerminalIsQuietWhenIdle(t *testing.T) {
	term := start(t, 100, 30, t.TempDir(), "-o", "random")
	term.wait("press space to evaluate")
	for range 3 {
		term.press("t")
		term.press("t")
	}
	term.press("v")
	term.press("?")
	term.wait("esc leaves")
	for late := time.After(patience); ; {
		select {
		case <-term.changed:
			continue
		case <-term.ended:
			t.Fatal("it ended")
		case <-late:
			t.Error("an idle program writes to the terminal")
		case <-time.After(time.Second):
		}
		break
	}
}

func TestPseudoTerminalTooSmall(t *testing.T) {
	term := start(t, 60, 10, t.TempDir(), "-o", "random")
	term.wait("needs 60x16, has 60x10")
	term.resize(100, 30, "space step")
	term.press("?")
	term.wait("i explains the screen")
	term.press("\x1b")
	term.wait("space step")
	term.press("o")
	term.wait("test functions")
	term.press("levy:1\r\r")
	term.press("\x13") // ctrl+s
	term.wait("levy:1")
	term.wait("step 0/50")
	term.press("q")
	term.end()
}

// TestWithoutTerminal: no terminal, a sentence and status 2.
func TestWithoutTerminal(t *testing.T) {
	path, err := buildOnce()
	require.NoError(t, err)
	c := exec.Command(path)
	out, _ := c.CombinedOutput() // ends with a status that is not 0
	if c.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "needs a terminal") {
		t.Errorf("status %d, %s", c.ProcessState.ExitCode(), out)
	}
}

// TestPseudoTerminalPlane drives two variables by keys and by the mouse in a real pseudo-terminal, compares methods on
// them, and comes back.
func TestPseudoTerminalPlane(t *testing.T) {
	term := start(t, 120, 36, t.TempDir(), "-f", "branin", "-o", "gp-ei", "--seed", "3")
	term.wait("2 mean")
	term.press("      ")
	term.wait("step 6/50")
	term.press("4")
	term.wait("4 acquisition, higher is better: expected")
	term.press("\x1b[<0;40;15M\x1b[<0;40;15m") // a click on the large field
	term.wait("query at")
	term.wait("slices through the cursor")
	term.press("\x1b[A\x1b[D") // up, left
	term.wait(" z ")
	term.press("\r")
	term.wait("step 7/50")
	term.press("c")
	term.wait("methods on the same data")
	term.wait("sd of B / sd of A")
	term.press("yy")
	term.wait("overlaid")
	term.press("c")
	term.wait("step 7/50")
	term.press("q")
	assert.Equal(t, 0, term.end(), "it ends with status")
}

// TestPseudoTerminalComparison opens a built-in comparison from the command line and races it.
func TestPseudoTerminalComparison(t *testing.T) {
	term := start(t, 100, 30, t.TempDir(), "compare", "gamma")
	term.wait("the effect of γ")
	term.press("R")
	term.wait("race: own data")
	term.press(" ")
	term.wait("step 8")
	term.press("o")
	term.wait("comparisons")
	term.press("\x1b")
	term.wait("forrester 1-D")
	term.press("q")
	assert.Equal(t, 0, term.end(), "it ends with status")
}

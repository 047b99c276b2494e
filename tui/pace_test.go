//go:build linux && !race

package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
	"unsafe"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"bandscope/functions/sample"
	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/sessions/training"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// frameTime is how long a single Update or View may take at most: a frame at 60 a second.
const frameTime = 16 * time.Millisecond

// limit is what the test allows them: a fit or the like takes many frames, while a processor that another program
// shares, with its caches, can take twice its time for anything. With the tag study, for a machine at rest, it is the
// frame itself.
var limit = 4 * frameTime

// pace measures what the window's loop does, by the time that its thread computes: whatever else the machine does does
// not count.
type pace struct {
	window  *window
	disk    disk
	touched map[string]string        // the files that were touched, and by what
	slow    map[string]time.Duration // what took longer than it may
	most    time.Duration            // of all
	what    string                   // took it
}

// disk tells what was opened, read, written, made, renamed and removed in a folder.
type disk int

func watchDisk(t *testing.T, dir string) disk {
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err == nil {
		_, err = unix.InotifyAddWatch(fd, dir, unix.IN_ALL_EVENTS)
	}
	require.NoError(t, err)
	t.Cleanup(func() { unix.Close(fd) })
	return disk(fd)
}

// touched tells what was touched since it was asked last: the bits of inotify, and the names of files in the folder;
// empty for nothing.
func (d disk) touched() string {
	text := ""
	for buf := make([]byte, 4096); ; {
		n, err := unix.Read(int(d), buf)
		if err != nil || n <= 0 {
			return text
		}
		for position := 0; position < n; {
			e := (*unix.InotifyEvent)(unsafe.Pointer(&buf[position]))
			position += unix.SizeofInotifyEvent
			text += fmt.Sprintf(" %#x %s", e.Mask, strings.TrimRight(string(buf[position:position+int(e.Len)]), "\x00"))
			position += int(e.Len)
		}
	}
}

// spent is the time that f takes on the processor.
func spent(f func()) time.Duration {
	now := func() time.Duration {
		var ts unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
			panic(err)
		}
		return time.Duration(ts.Nano())
	}
	began := now()
	f()
	return now() - began
}

// update gives the window a message and draws it; what is to be computed is returned.
func (p *pace) update(subject string, msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	p.measure("Update of "+subject, func() { _, cmd = p.window.a.Update(msg) })
	p.view("View of " + subject)
	return cmd
}

// view draws the window, a second time where that took too long: it is the same drawing, while memory that the machine
// has to bring back counts on the thread that touches it first.
func (p *pace) view(subject string) {
	p.disk.touched() // by jobs
	took := spent(func() { p.window.a.View() })
	if took > limit {
		took = min(took, spent(func() { p.window.a.View() }))
	}
	p.note(subject, took)
}

// measure notes what takes too long, and what touches a file.
func (p *pace) measure(subject string, f func()) {
	p.disk.touched() // by jobs
	p.note(subject, spent(f))
}

// note takes note of what something took, and of the files that it touched.
func (p *pace) note(subject string, took time.Duration) {
	if text := p.disk.touched(); text != "" {
		p.touched[subject] = text
	}
	if took > p.most {
		p.most, p.what = took, subject
	}
	if took > limit {
		p.slow[subject] = max(p.slow[subject], took)
	}
}

// follow gives the window what its commands bring: also what is computed, or only what screens ask of each other.
func (p *pace) follow(subject string, cmd tea.Cmd, computed bool) {
	if cmd == nil || waits(cmd) {
		return
	}
	switch msg := widget.Perform(rights.Rights{}, cmd).(type) {
	case nil, tea.QuitMsg, tea.SuspendMsg:
	case tea.BatchMsg:
		if computed {
			for _, c := range msg {
				p.follow(subject, c, computed)
			}
		}
	default:
		p.follow(subject, p.update(fmt.Sprintf("%T after %s", msg, subject), msg), computed)
	}
}

// press presses a key, on whatever page and in whatever mode that leads to, and returns.
func (p *pace) press(name string) {
	a := p.window.a
	page := a.current
	p.follow(name, p.update(name, screentest.Key(name)), false)
	if a.current.KeyMap().Typing {
		p.follow("esc", p.update("esc", screentest.Key("esc")), false)
	}
	if a.current != page {
		p.update("the screen after "+name, nil)
	}
	a.current, a.quitting, a.help.shown, a.explainer = page, false, false, nil
}

// TestNothingSlowInTheLoop presses keys on every screen in every mode, with 150 evaluations and a full library: no
// single Update or View takes longer than it may, and none touches the folder of sessions, which may lie on a slow
// disk. Either belongs into a job.
func TestNothingSlowInTheLoop(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector makes everything slow, and other tests run the same jobs")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // its work is not the loop's
	dir := largeSessions(t)
	all := places()
	many := grower{dir: dir, store: t.TempDir(), made: map[string][]byte{}}
	all = append(all, []place{
		{name: "outcomes, box, by weights", cfg: sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ucb",
			Seed: 3}, steps: 2, keys: "A"},
		{name: "open, big sessions", cfg: all[0].cfg, steps: 2, keys: "o tab down up"},
		{name: "replay", cfg: all[0].cfg, steps: 2, replay: true},
		{name: "replay, in the middle", cfg: all[0].cfg, steps: 2, replay: true, keys: "space space . b"},
		{name: "open, another session opened", cfg: all[0].cfg, steps: 2,
			keys: "b o tab down enter"},
		{name: "explore, huge note", cfg: all[0].cfg, steps: 2, prepare: func(s *sessions.Session) error {
			return s.Note(strings.Repeat("*a_ ", 50_000))
		}},
	}...)
	for i, place := range sample.Of(all, 4, 2) {
		t.Run(place.name, func(t *testing.T) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			p := &pace{disk: watchDisk(t, dir), touched: map[string]string{}, slow: map[string]time.Duration{}}
			var cmd tea.Cmd
			p.window = many.grown(t, place)
			p.update("the first size", tea.WindowSizeMsg{Width: 120, Height: 36})
			p.measure("start", func() { cmd = p.window.a.Init() })
			p.follow("start", cmd, true)
			for _, name := range strings.Fields(place.keys) {
				p.follow(name, p.update(name, screentest.Key(name)), name != "r") // which would go on without end
			}
			for _, size := range []tea.WindowSizeMsg{
				{Width: 80, Height: 24}, {Width: 200, Height: 60}, {Width: 120, Height: 36}} {
				p.update(fmt.Sprintf("%dx%d", size.Width, size.Height), size)
			}
			for _, name := range keysAt(i, 2) {
				p.press(name)
			}
			for x := 10; x < 60; x += 10 {
				p.update("a click", tea.MouseClickMsg{X: x, Y: 10, Button: tea.MouseLeft})
				p.update("a drag", tea.MouseMotionMsg{X: x + 2, Y: 12, Button: tea.MouseLeft})
				p.update("a release", tea.MouseReleaseMsg{X: x + 2, Y: 12, Button: tea.MouseLeft})
			}
			for subject, took := range p.slow {
				t.Errorf("%s takes %.0f ms", subject, float64(took.Microseconds())/1000)
			}
			for subject, files := range p.touched {
				t.Errorf("%s touches%s", subject, files)
			}
			t.Logf("most: %.1f ms, %s", float64(p.most.Microseconds())/1000, p.what)
			p.window.a.close()
			runtime.GC()
		})
	}
}

// evaluations is how many a place is grown to; the theory, which takes a fit for every value that it is drawn over, and
// a model's fronts, which are searched for again at every edit, are drawn alike however many there are, and of fewer.
const evaluations, ofTheory = 150, 60

// grower opens places with many evaluations on record, which random search made once for each configuration.
type grower struct {
	dir, store string
	made       map[string][]byte // the files by configuration
}

// grown opens a place, whose session lies in the folder.
func (g *grower) grown(t *testing.T, p place) *window {
	t.Helper()
	o := Options{Rights: rights.Own(g.dir), Offer: true, Replay: p.replay}
	var err error
	if p.training != "" {
		if o.Opened, err = training.Open(t.Context(), trainingFile(t, p.training, nil, 100)); err != nil {
			t.Fatal(err)
		}
	}
	if p.lesson != "" {
		o.Session, err = library.OpenLesson(p.lesson)
	} else {
		o.Session, err = sessions.Open(t.Context(), g.file(t, p))
	}
	if err == nil && p.prepare != nil {
		err = p.prepare(o.Session)
	}
	if err == nil && p.compare {
		c := *library.CompareWith(o.Session)
		o.Comparison = &c
	}
	require.NoError(t, err)
	return &window{t: t, stepper: newStepper(o)}
}

// file is a new file with the place's session.
func (g *grower) file(t *testing.T, p place) string {
	t.Helper()
	n := min(p.steps, 1) * evaluations
	if p.keys == "i" || p.cfg.Optimizer == "mobo-rs-ucb" {
		n = ofTheory
	}
	key := fmt.Sprintf("%+v %d", p.cfg, n)
	if g.made[key] == nil {
		s, err := manyEvaluations(p.cfg, n)
		path := filepath.Join(g.store, fmt.Sprintf("%d.jsonl", len(g.made)))
		if err == nil {
			err = errors.Join(s.SaveAs(path), s.Close())
		}
		b, read := os.ReadFile(path)
		if err = errors.Join(err, read); err != nil {
			t.Fatal(err)
		}
		g.made[key] = b
	}
	path := filepath.Join(g.dir, "open.jsonl")
	require.NoError(t, os.WriteFile(path, g.made[key], 0o600))
	t.Cleanup(func() { os.Remove(path) })
	return path
}

// manyEvaluations is a session with so many evaluations by random search, on which a method goes on.
func manyEvaluations(cfg sessions.Config, n int) (*sessions.Session, error) {
	method := cfg.Optimizer
	cfg.Optimizer, cfg.Params = "random", nil
	s, err := sessions.New(context.Background(), cfg)
	for i := 0; err == nil && i < n; i++ {
		_, err = s.Step(context.Background(), nil)
	}
	if err == nil && method != cfg.Optimizer {
		if err = s.Fork("grown", method); err == nil && s.State().Params.Has("restarts") {
			err = s.Edit("restarts", "1")
		}
	}
	return s, err
}

// largeSessions is a folder with large sessions of several objectives.
func largeSessions(t *testing.T) string {
	dir := t.TempDir()
	for i, problem := range []string{"dtlz2-k3", "thesis-xy"} {
		s, err := manyEvaluations(sessions.Config{Problem: problem, Optimizer: "random", Seed: uint64(i)}, evaluations)
		require.NoError(t, err)
		path := filepath.Join(dir, problem+".jsonl")
		require.NoError(t, s.SaveAs(path))
		s.Close()
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		for k := range 5 {
			require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d.jsonl", problem, k)), b, 0o600))
		}
	}
	return dir
}

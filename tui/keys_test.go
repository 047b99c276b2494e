package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/sample"
	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/sessions/training"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/layout"
	"bandscope/tui/rights"
)

// window drives the program's model without a terminal: what it asks to be computed is computed at once.
type window struct {
	*stepper
	t     testing.TB
	clock time.Time // of the keys
}

func openWindow(t testing.TB, o Options, w, h int) *window {
	t.Helper()
	win := &window{t: t, stepper: newStepper(o), clock: time.Unix(1e9, 0)}
	win.a.now = func() time.Time { return win.clock }
	win.open(w, h)
	t.Cleanup(func() { win.a.close() })
	return win
}

func (w *window) press(names ...string) {
	for _, n := range names {
		w.clock = w.clock.Add(time.Second)
		w.take(screentest.Key(n))
	}
}

// types presses keys as fast as a person types.
func (w *window) types(text string) {
	for _, r := range text {
		w.clock = w.clock.Add(150 * time.Millisecond)
		switch r {
		case ' ':
			w.take(screentest.Key("space"))
		case '\n':
			w.take(screentest.Key("enter"))
		default:
			w.take(screentest.Key(string(r)))
		}
	}
}

// does presses a key and reports whether that changes the screen, at once or by what is computed then, or ends the
// program.
func (w *window) does(name, before string) bool {
	_, cmd := w.a.Update(screentest.Key(name))
	if w.stays = true; w.seen() != before {
		return true
	}
	if cmd == nil {
		return false
	}
	w.run(cmd)
	return w.left || w.a.quitting || w.seen() != before
}

func (w *window) screen() string { return w.a.draw() }

// seen is the screen with the place of the terminal's cursor.
func (w *window) seen() string { return w.screen() + fmt.Sprint(w.a.drawn.Cursor()) }

func (w *window) text() string { return ansi.Strip(w.screen()) }

func (w *window) shows(want string) {
	w.t.Helper()
	if !strings.Contains(w.text(), want) {
		w.t.Errorf("the screen does not show %q:\n%s", want, w.text())
	}
}

// place is a screen in one of its modes: a session, and the keys that lead there.
type place struct {
	name     string
	cfg      sessions.Config
	lesson   string // in place of the configuration
	training string // over a new session, at so many updates
	compare  bool   // methods on its data
	replay   bool   // from the beginning of what is on record
	steps    int
	prepare  func(*sessions.Session) error
	keys     string
}

// places are all screens in all their modes.
func places() []place {
	once := map[string]any{"restarts": 1, "hyperparameters": "fitted"} // a fit in one part of the time
	line := sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3, Params: once}
	plane := sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3, Params: once}
	bare := sessions.Config{Problem: "branin", Optimizer: "random", Seed: 3}
	two := sessions.Config{Problem: "thesis-xy", Optimizer: "random", Seed: 3}
	branches := func(s *sessions.Session) error {
		s.Seek(2)
		if err := s.Fork("other", "random"); err != nil {
			return err
		}
		_, err := s.Step(context.Background(), nil)
		return err
	}
	return []place{
		{name: "explore, nothing done", cfg: line},
		{name: "explore", cfg: line, steps: 4},
		{name: "explore, back", cfg: line, steps: 4, keys: "b"},
		{name: "explore, a method without a belief",
			cfg: sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, steps: 3},
		{name: "explore, with a note", cfg: line, steps: 4, prepare: func(s *sessions.Session) error {
			return s.Note(strings.Repeat("several words to a line, ", 80) + "\n\n" +
				strings.Repeat("and others, ", 120))
		}},
		{name: "explore, running", cfg: line, steps: 4, keys: "r"},
		{name: "editor", cfg: line, steps: 4, keys: "e"},
		{name: "query", cfg: line, steps: 4, keys: "x"},
		{name: "theory", cfg: line, steps: 4, keys: "ctrl+t"},
		{name: "truth hidden", cfg: line, steps: 4, keys: "t"},
		{name: "fields", cfg: plane, steps: 5},
		{name: "fields, query", cfg: bare, steps: 5, keys: "x"},
		{name: "fields, a slice", cfg: bare, steps: 5, keys: "d"},
		{name: "fields, a slice, query", cfg: bare, steps: 5, keys: "d x"},
		{name: "outcomes, nothing done", cfg: two},
		{name: "outcomes", cfg: two, steps: 2},
		{name: "outcomes, fields", cfg: two, steps: 3, keys: "d"},
		{name: "outcomes, editor", cfg: two, steps: 2, keys: "e"},
		{name: "outcomes, box", cfg: two, steps: 2, keys: "A"},
		{name: "outcomes, question", cfg: two, steps: 2, keys: "a"},
		{name: "three outcomes", cfg: sessions.Config{Problem: "dtlz2-k3", Optimizer: "random", Seed: 3}, steps: 6},
		{name: "lesson", lesson: "prior"},
		{name: "lesson, asked", lesson: "acquisition"},
		{name: "lesson, a choice", lesson: "posterior"},
		{name: "compare", cfg: line, steps: 4, compare: true},
		{name: "compare, laid over", cfg: line, steps: 4, compare: true, keys: "y"},
		{name: "compare, race", cfg: line, steps: 4, compare: true, keys: "R"},
		{name: "branches", cfg: line, steps: 4, prepare: branches, keys: "F"},
		{name: "one branch", cfg: line, steps: 4, keys: "F"},
		{name: "open, functions", cfg: line, keys: "o"},
		{name: "open, seed", cfg: line, keys: "o enter tab"},
		{name: "open, start", cfg: line, keys: "o enter tab tab tab tab tab tab"},
		{name: "open, experiment", cfg: line, keys: "o shift+tab"},
		{name: "open, sessions", cfg: line, keys: "o tab"},
		{name: "open, lessons", cfg: line, keys: "o shift+tab shift+tab"},
		{name: "open, labs", cfg: line, keys: "o tab tab tab tab"},
		{name: "experiment, empty", cfg: line, keys: "experiment"},
		{name: "experiment, a number", cfg: line, keys: "experiment down down down down down down tab tab 4 2 left"},
		{name: "experiment, a choice", cfg: line, keys: "experiment down down down down down down down down tab right"},
		{name: "experiment, another row", cfg: line, keys: "experiment down down down down down down down"},
		{name: "help", cfg: line, keys: "?"},
		{name: "lab", cfg: bare, training: "flops", steps: 20},
		{name: "lab, two runs, back", cfg: bare, training: "flops", steps: 20, keys: "c enter b"},
		{name: "lab hierarchy", cfg: bare, training: "hierarchy", steps: 10},
	}
}

// smallTrainings are what the tests' labs have otherwise than the labs, so that they train at once.
var smallTrainings = map[string]map[string]any{"flops": {"dim": 8, "hidden": 8, "batch": 8, "steps": 40},
	"hierarchy": {"hidden": 4, "windows": 2, "nodes": 8, "steps": 40}}

// trainingLessons are the files of sessions of labs that were trained before, by what they are.
var trainingLessons = map[string][]byte{}

// trainingFile is a file of its own with a session of a lab after so many updates, which are trained once.
func trainingFile(t testing.TB, name string, set map[string]any, updates int) string {
	t.Helper()
	path, key := filepath.Join(t.TempDir(), "lab.jsonl"), fmt.Sprint(name, set, updates)
	if b, ok := trainingLessons[key]; ok {
		require.NoError(t, os.WriteFile(path, b, 0o600))
		return path
	}
	l, err := training.Find(name)
	require.NoError(t, err)
	s, err := training.New(l, set)
	if err == nil {
		_, err = s.Step(t.Context(), updates, nil)
	}
	require.NoError(t, err)
	err = errors.Join(s.SaveAs(path), s.Close())
	b, read := os.ReadFile(path)
	if err = errors.Join(err, read); err != nil {
		t.Fatal(err)
	}
	trainingLessons[key] = b
	return path
}

// opener opens a place anew as often as is asked, stepping only once.
func (p place) opener(t testing.TB) func() *window {
	if p.training != "" {
		return p.trainingOpener(t)
	}
	made := filepath.Join(t.TempDir(), "made.jsonl")
	if p.lesson == "" {
		s, err := sessions.New(t.Context(), p.cfg)
		require.NoError(t, err)
		for range p.steps {
			_, err = s.Step(t.Context(), nil)
			require.NoError(t, err)
		}
		if p.prepare != nil {
			require.NoError(t, p.prepare(s))
		}
		require.NoError(t, s.SaveAs(made))
		s.Close()
	}
	return func() *window {
		o := Options{Rights: rights.Own(t.TempDir())}
		var err error
		if p.lesson != "" {
			o.Session, err = library.OpenLesson(p.lesson)
		} else {
			b, read := os.ReadFile(made)
			path := filepath.Join(o.Rights.Sessions, "copy.jsonl")
			if err = os.WriteFile(path, b, 0o600); read != nil || err != nil {
				t.Fatal(read, err)
			}
			o.Session, err = sessions.Open(t.Context(), path)
		}
		require.NoError(t, err)
		if p.compare {
			c := *library.CompareWith(o.Session)
			c.Config, c.Points = p.cfg, [][]float64{{0.1}, {0.5}, {0.9}}
			c.Panes = []library.Pane{{Title: "GP", Optimizer: "gp-ei"}, {Title: "random", Optimizer: "random"},
				{Title: "bound", Optimizer: "gp-ucb"}}
			o.Comparison = &c
		}
		w := openWindow(t, o, 120, 36)
		w.press(strings.Fields(p.keys)...)
		w.a.current.Say("", false)
		return w
	}
}

// trainingOpener opens a place in a lab anew.
func (p place) trainingOpener(t testing.TB) func() *window {
	made := trainingFile(t, p.training, smallTrainings[p.training], p.steps)
	return func() *window {
		s, err := sessions.New(t.Context(), p.cfg)
		require.NoError(t, err)
		l, err := training.OpenReadOnly(t.Context(), made)
		require.NoError(t, err)
		w := openWindow(t, Options{Session: s, Opened: l}, 120, 36)
		w.press(strings.Fields(p.keys)...)
		w.a.current.Say("", false)
		return w
	}
}

// boundKeys are all keys that anything is bound to anywhere, and some that nothing is.
func boundKeys() []string { return keysFor(func(b key.Binding) []string { return b.Keys() }) }

// firstKeys are boundKeys without those that are other ways to press another one.
func firstKeys() []string {
	return keysFor(func(b key.Binding) []string { return b.Keys()[:min(len(b.Keys()), 1)] })
}

// keysAt are one in share of firstKeys that are pressed in the place of a number, and all with the tag study: over all
// places, every key is pressed in several.
func keysAt(place, share int) (names []string) {
	share = sample.Count(share, 1)
	for i, name := range firstKeys() {
		if (i+place)%share == 0 {
			names = append(names, name)
		}
	}
	return names
}

func keysFor(apply func(key.Binding) []string) []string {
	names := []string{"j", "X", "f5", "insert", "ctrl+g", "~", "ä"}
	for _, g := range groups() {
		for _, b := range g.Bindings {
			names = append(names, apply(b)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// keyShare is by how many places keys are shared.
const keyShare = 6

// On every screen and in every mode a key changes what is shown or has its reason told, the palette has every command, and
// every frame that a key leads to is in order. A key is pressed in a part of the places; one that is another way to press
// another, in some.
func TestEveryScreen(t *testing.T) {
	for i, p := range places() {
		if testing.Short() && i%4 > 0 {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			open := p.opener(t)
			w := open()
			before, opened, names := w.seen(), false, keysAt(i, keyShare)
			if i%20 == 0 {
				names = boundKeys()
			}
			for _, name := range names {
				assert.True(t, w.does(name, before), "%s changes nothing and says nothing", name)
				w.checkFrame()
				w.a.current.Say("", false)
				if w.left || w.a.quitting || w.a.help.shown || w.seen() != before {
					w.a.close()
					w = open()
					if opened { // as it was the first time
						continue
					}
					if opened = true; w.seen() != before {
						t.Fatalf("after %s the screen cannot be had as it was:\n%s\nwas\n%s", name, w.text(),
							ansi.Strip(before))
					}
				}
			}
			w.checkPalette()
		})
	}
}

// checkFrame checks that the frame is as large as the window, that its boxes lie where they belong, and that the walk
// over it stands on cells of it.
func (w *window) checkFrame() {
	w.t.Helper()
	a := w.a
	lines := strings.Split(ansi.Strip(a.View().Content), "\n")
	if len(lines) > max(a.height, 1) {
		w.t.Errorf("%d lines in a window of %d", len(lines), a.height)
	}
	for _, l := range lines {
		if n := ansi.StringWidth(l); n > a.width {
			w.t.Errorf("%d columns in a window of %d: %s", n, a.width, l)
		}
	}
	if a.small() || a.help.shown || w.left {
		return
	}
	f := layout.Arrange(a.frame(), a.width, a.height)
	for _, fault := range f.Faults() {
		w.t.Error(fault)
	}
	for _, p := range f.DescribedBoxes() {
		if len(f.Spans(p)) == 0 {
			w.t.Errorf("%q is nowhere", f.Path(p))
		}
	}
}

// What is typed on after a field was left runs no command; after a pause keys are commands again.
func TestTypingOnRunsNothing(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	require.NoError(t, err)
	w := openWindow(t, Options{Session: s, Rights: rights.Own(t.TempDir())}, 120, 36)
	w.press("space", "space", "space")
	w.press("go_to_a_step")
	w.types("2\nbqV space")
	w.shows(`ignored "bqV space", typed after the field closed`)
	if n := len(s.State().Iterations); n != 2 || w.a.quitting {
		t.Errorf("at step %d, quitting %v", n, w.a.quitting)
	}
	w.press("space")
	w.shows("step 3/")
	w.press("e")
	w.clock = w.clock.Add(time.Second)
	w.types("3\nq")
	if w.a.quitting {
		t.Error("a letter behind a value ends the program")
	}
	w.press("q")
	assert.True(t, w.a.quitting, "q does not end the program after a pause")
}

// An answer to a question is no text: the key after it is a command at once.
func TestKeyAfterAnAnswerRuns(t *testing.T) {
	for name, c := range map[string]struct {
		asks, typed, shows string
	}{
		"the explorer, this file": {"space", "\nn", "new note on step 2"},
		"the explorer, a copy":    {"space", "cn", "new note on step 2"},
		"a comparison, a copy":    {"c space", "cx", "x does nothing in a comparison"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			opened, err := sessions.OpenProtected(t.Context(), savedSession(t, dir, "forrester"))
			require.NoError(t, err)
			w := openWindow(t, Options{Session: opened, Rights: rights.Own(dir)}, 120, 36)
			w.press(strings.Fields(c.asks)...)
			w.types(c.typed)
			assert.NotContains(t, w.text(), "ignored")
			w.shows(c.shows)
		})
	}
}

// R asks before it leaves a session in which something was done; a second R goes, anything else stays.
func TestResumeAsks(t *testing.T) {
	dir := t.TempDir()
	earlier, err := sessions.New(t.Context(), sessions.Config{Problem: "branin", Optimizer: "random", Seed: 3})
	require.NoError(t, err)
	_, err = earlier.Step(t.Context(), nil)
	require.NoError(t, err)
	require.NoError(t, library.Save(earlier, dir))
	earlier.Close()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	require.NoError(t, err)
	w := openWindow(t, Options{Session: s, Rights: rights.Own(dir), Offer: true}, 120, 36)
	w.press("space", "ctrl+l")
	w.shows("press ctrl+l again to leave this session of 1 step, which is saved, for branin")
	w.press("t", "ctrl+l")
	w.shows("ctrl+l again")
	if w.a.explore.Session() != s {
		t.Fatal("the session was left")
	}
	w.press("ctrl+l")
	w.shows("branin 2-D")
	fresh := openWindow(t, Options{Session: mustSession(t), Rights: rights.Own(dir), Offer: true}, 120, 36)
	fresh.press("ctrl+l")
	assert.NotContains(t, fresh.text(), "ctrl+l again", "ctrl+l asks though nothing was done")
}

func mustSession(t testing.TB) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 9})
	require.NoError(t, err)
	return s
}

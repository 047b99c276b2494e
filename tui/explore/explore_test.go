package explore

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions"
	"bandscope/sessions/shelf"
	"bandscope/tui/explore/acts"
	"bandscope/tui/explore/aim"
	"bandscope/tui/explore/line"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/note"
	"bandscope/tui/explore/outcomes"
	"bandscope/tui/explore/parameters"
	"bandscope/tui/explore/plane"
	"bandscope/tui/explore/query"
	"bandscope/tui/explore/question"
	"bandscope/tui/internal/golden"
	"bandscope/tui/internal/press"
	"bandscope/tui/layout"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// driver runs a Model without a terminal: commands run on goroutines, their messages are fed back until nothing is computed.
type driver struct {
	t    testing.TB
	m    *Model
	msgs chan tea.Msg
	sent []screen.Action // what the model asked of the window
}

func drive(t testing.TB, cfg sessions.Config, w, h int, st theme.Style) *driver {
	t.Helper()
	s, err := sessions.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return driveSession(t, s, w, h, st)
}

func driveSession(t testing.TB, s *sessions.Session, w, h int, st theme.Style) *driver {
	t.Helper()
	d := &driver{t: t, m: New(s, ""), msgs: make(chan tea.Msg, 256)}
	d.m.Resize(w, h)
	d.m.Restyle(st)
	d.run(d.m.Init())
	d.settle()
	return d
}

func (d *driver) run(cmd tea.Cmd) {
	if cmd != nil {
		go func() { d.msgs <- cmd() }()
	}
}

// settle takes messages until no computation is under way.
func (d *driver) settle() {
	for d.m.Busy() {
		d.take(<-d.msgs)
	}
}

func (d *driver) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case screen.ActionMsg:
		d.sent = append(d.sent, msg.Action)
	default:
		d.run(d.m.Update(msg))
	}
}

// cell is the cell of the window under which the values along the axes of the picture, as unit has them, are nearest to u and v.
func (d *driver) cell(u, v float64, unit func(values []float64) []float64) tea.Mouse {
	d.t.Helper()
	m, f, best, at := d.m, d.frame(), math.Inf(1), tea.Mouse{Button: tea.MouseLeft}
	for y := range m.Height {
		for x := range m.layout().main {
			if _, values := (screen.Hit{MouseMsg: tea.MouseClickMsg{X: x, Y: y}, Path: f.PathAt(x, y)}).Value(); len(values) == 2 {
				unit := unit(values)
				if far := math.Hypot(unit[0]-u, unit[1]-v); far < best {
					best, at.X, at.Y = far, x, y
				}
			}
		}
	}
	return at
}

// press types keys: single characters, or names such as enter, esc, left, space.
func (d *driver) press(names ...string) {
	for _, n := range names {
		d.run(d.m.Update(press.Key(n)))
		d.settle()
	}
}

// anew lets the next frame draw everything, by turning dark into light and back.
func (d *driver) anew() {
	light := theme.New(false, theme.TrueColor, false)
	if d.m.Style.Key() == light.Key() {
		light = trueColor
	}
	d.m.Restyle(light)
}

// frame is the screen with the places of its boxes.
func (d *driver) frame() *layout.Frame { return layout.Arrange(d.m.Frame(), d.m.Width, d.m.Height) }

// mouse is a message of the mouse as the window gives it to the page.
func (d *driver) mouse(msg tea.MouseMsg) {
	at := msg.Mouse()
	d.run(d.m.Update(screen.Hit{MouseMsg: msg, Path: d.frame().PathAt(at.X, at.Y)}))
	d.settle()
}

func (d *driver) screen() string { return layout.Render(d.m.Frame(), d.m.Width, d.m.Height) }

func (d *driver) text() string { return ansi.Strip(d.screen()) }

func (d *driver) shows(want string) {
	d.t.Helper()
	if !strings.Contains(d.text(), want) {
		d.t.Errorf("the screen does not show %q:\n%s", want, d.text())
	}
}

var trueColor = theme.New(true, theme.TrueColor, false)

func TestGoldenScreens(t *testing.T) {
	plane := sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3}
	gp := sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}
	for i, c := range []struct {
		name  string
		cfg   sessions.Config
		w, h  int
		style theme.Style
		keys  string
	}{
		{"prior-80x24", gp, 80, 24, trueColor, ""},
		{"steps-80x24", gp, 80, 24, trueColor, "space space space space space"},
		{"steps-120x36", gp, 120, 36, trueColor, "space space space space space"},
		{"steps-200x60", gp, 200, 60, trueColor, "space space space space space"},
		{"steps-120x36-light", gp, 120, 36, theme.New(false, theme.TrueColor, false), "space space space space space"},
		{"steps-120x36-256", gp, 120, 36, theme.New(true, theme.Color256, false), "space space space space space"},
		{"steps-120x36-16", gp, 120, 36, theme.New(true, theme.Color16, false), "space space space space space"},
		{"steps-80x24-nocolor", gp, 80, 24, theme.New(true, theme.NoColor, false), "space space space space space"},
		{"steps-120x36-nocolor", gp, 120, 36, theme.New(true, theme.NoColor, false), "space space space space space"},
		{"steps-200x60-nocolor", gp, 200, 60, theme.New(true, theme.NoColor, false), "space space space space space"},
		{"steps-80x24-ascii", gp, 80, 24, theme.New(true, theme.NoColor, true), "space space space space space"},
		{"steps-120x36-ascii", gp, 120, 36, theme.New(true, theme.NoColor, true), "space space space space space"},
		{"steps-200x60-ascii", gp, 200, 60, theme.New(true, theme.NoColor, true), "space space space space space"},
		{"edit-80x24", gp, 80, 24, trueColor, "space space e down down"},
		{"query-80x24", gp, 80, 24, trueColor, "space space space space x left left"},
		{"hidden-80x24", gp, 80, 24, trueColor, "space space space space t"},
		{"theory-120x36", sessions.Config{Problem: "forrester", Optimizer: "neural-greedy", Seed: 3, Params: map[string]any{"width": 200, "auto_gamma": true}}, 120, 36,
			trueColor, "space space space space space i"},
		{"greedy-120x36", sessions.Config{Problem: "forrester", Optimizer: "neural-greedy", Seed: 3, Params: map[string]any{"width": 200}}, 120, 36,
			trueColor, "space space space space"},
		{"random-80x24", sessions.Config{Problem: "sine-trend", Optimizer: "random", Seed: 3}, 80, 24, trueColor, "space space space space"},
		{"slice-120x36", sessions.Config{Problem: "branin", Optimizer: "gp-ucb", Seed: 3}, 120, 36, trueColor, "space space space space d ]"},
		{"plane-80x24", plane, 80, 24, trueColor, "eight"},
		{"plane-120x36", plane, 120, 36, trueColor, "eight"},
		{"plane-200x60", plane, 200, 60, trueColor, "eight"},
		{"plane-120x36-light", plane, 120, 36, theme.New(false, theme.TrueColor, false), "eight 4 #"},
		{"plane-120x36-256", plane, 120, 36, theme.New(true, theme.Color256, false), "eight l"},
		{"plane-120x36-16", plane, 120, 36, theme.New(true, theme.Color16, false), "eight"},
		{"plane-120x36-nocolor", plane, 120, 36, theme.New(true, theme.NoColor, false), "eight"},
		{"plane-80x24-ascii", plane, 80, 24, theme.New(true, theme.NoColor, true), "eight"},
		{"plane-120x36-cursor", plane, 120, 36, trueColor, "eight x left up up"},
		{"plane-120x36-zoom", plane, 120, 36, trueColor, "eight 3 z z Y"},
		{"steer-80x24", sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ts", Seed: 3}, 80, 24, trueColor, "eight"},
		{"steer-120x36", sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ucb", Seed: 3}, 120, 36, trueColor, "eight B right right down down enter v"},
		{"steer-120x36-nocolor", sessions.Config{Problem: "zdt3:2", Optimizer: "mobo-rs-ucb", Seed: 3}, 120, 36, theme.New(true, theme.NoColor, false), "eight B"},
		{"steer-200x60-light", sessions.Config{Problem: "branin4-currin4", Optimizer: "mobo-rs-ucb", Seed: 3}, 200, 60, theme.New(false, theme.TrueColor, false), "eight"},
		{"steer-120x36-question", sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ts", Seed: 3}, 120, 36, trueColor, "eight a"},
		{"steer-80x24-answers-ascii", sessions.Config{Problem: "branin-currin", Optimizer: "mobo-rs-ucb", Seed: 3}, 80, 24, theme.New(true, theme.NoColor, true), "eight a 1 a 2"},
		{"steer-120x36-triangle", sessions.Config{Problem: "dtlz2-k3", Optimizer: "mobo-rs-ucb", Seed: 3, Params: map[string]any{"prior": "dirichlet(4)"}}, 120, 36, trueColor, "eight"},
		{"coordinates-120x36", sessions.Config{Problem: "hartmann:6", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor, "eight p ] }"},
		{"cost-80x24", sessions.Config{Problem: "forrester-cost", Optimizer: "cost-ids", Seed: 3}, 80, 24, trueColor, "space space space space space space"},
		{"cost-120x36-nocolor", sessions.Config{Problem: "forrester-cost", Optimizer: "cost-ids", Seed: 3}, 120, 36, theme.New(true, theme.NoColor, false), "space space space space space space v v v"},
		{"cost-200x60", sessions.Config{Problem: "forrester", Optimizer: "cost-mes", Seed: 3, Cost: "exp(2*x)", CostBudget: 60}, 200, 60, trueColor, "space space space space space space"},
		{"cost-plane-120x36-light", sessions.Config{Problem: "branin-cost", Optimizer: "cost-ids", Seed: 3}, 120, 36, theme.New(false, theme.TrueColor, false), "eight 4"},
		{"maximize-80x24", sessions.Config{Problem: "currin", Optimizer: "gp-ts", Seed: 3}, 80, 24, trueColor, "space space space space space"},
		{"limits-80x24", sessions.Config{Problem: "forrester-hot", Optimizer: "gp-ei", Seed: 3}, 80, 24, trueColor, "space space space space space space space"},
		{"limits-plane-120x36-nocolor", sessions.Config{Problem: "gramacy-toy", Optimizer: "gp-ei", Seed: 3}, 120, 36, theme.New(true, theme.NoColor, false), "space space space space space space space space"},
	} {
		if testing.Short() && i%5 > 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			s, err := sessions.New(t.Context(), c.cfg)
			if err != nil {
				t.Fatal(err)
			}
			keys := strings.Fields(strings.Replace(c.keys, "eight", strings.Repeat("space ", 8), 1))
			for ; len(keys) > 1 && keys[1] == "space"; keys = keys[1:] { // the pictures before the last step are not looked at
				if _, err := s.Step(t.Context(), nil); err != nil {
					t.Fatal(err)
				}
			}
			d := driveSession(t, s, c.w, c.h, c.style)
			d.press(keys...)
			golden.Check(t, c.name, d.screen(), c.style.ASCII)
			d.told(t, c.name)
		})
	}
}

// No window makes the screen wider or taller than it is.
func TestEverySizeFits(t *testing.T) {
	if testing.Short() {
		t.Skip("it computes on one goroutine")
	}
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor)
	d.press("space", "space", "space", "space")
	for _, mode := range []string{"", "e", "x", "w"} {
		if mode != "" {
			d.press(mode)
		}
		for w := 80; w <= 200; w += 7 {
			for h := 24; h <= 60; h += 5 {
				d.m.Resize(w, h)
				if b := d.m.Frame(); b.W != w || b.H != h {
					t.Fatalf("%dx%d, mode %q: it has %d×%d cells", w, h, mode, b.W, b.H)
				}
				for _, fault := range d.frame().Faults() {
					t.Fatalf("%dx%d, mode %q: %s", w, h, mode, fault)
				}
			}
		}
		d.press("esc")
	}
}

func TestSteppingAndMoving(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor)
	d.shows("prior belief")
	d.press("b")
	d.shows("nothing to go back to")
	d.press("space", "space", "space", "space")
	d.shows("step 4/50")
	d.press("b")
	d.shows("step 3/50 (+1)")
	d.press("g")
	d.shows("step 0/50 (+4)")
	d.press("G")
	d.shows("step 4/50")
	d.press("t")
	if strings.Contains(d.text(), "true function") || strings.Contains(d.text(), "regret 5") {
		t.Error("the hidden truth is still told")
	}
}

// An edited parameter changes the belief over the same data at once, and is an event that can be undone.
func TestEditing(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor)
	d.press("space", "space", "space", "space")
	before := d.m.along().Image().Picture
	d.press("e", "right")
	if got := d.m.state.Params.Choice("kernel"); got != "matern52" {
		t.Fatalf("the kernel is %s", got)
	}
	if d.m.along().Image().Picture == before || reflect.DeepEqual(d.m.along().Image().Picture.Upper, before.Upper) || len(d.m.state.Iterations) != 4 {
		t.Error("the belief does not change at once over the same data")
	}
	d.press("u")
	if got := d.m.state.Params.Choice("kernel"); got != "se" {
		t.Errorf("after undo the kernel is %s", got)
	}
	d.press("down", "down", "enter")
	for range 8 {
		d.press("backspace")
	}
	d.press("7", "enter")
	d.shows("noise_sd must be in [1e-6, 1]")
	if !d.m.Typing() {
		t.Error("an invalid value closes the editor")
	}
	d.press("backspace", ".", "5", "enter")
	if got := d.m.state.Params.Number("noise_sd"); got != 0.5 {
		t.Errorf("noise_sd is %g", got)
	}
	d.press("esc", "space")
	d.shows("step 5/50")
}

func TestQuerying(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	d.press("x", ".", "3", "enter", "enter")
	it := d.m.state.Iterations
	if len(it) != 1 || it[0].By != "person" || it[0].X[0][0] != 0.3 {
		t.Fatalf("got %+v", it)
	}
	d.shows("you evaluated x = 0.3")
	d.press("x", "7", "enter")
	d.shows("x must be in [0, 1], got 7")
	d.press("esc", "right", "enter")
	if n := len(d.m.state.Iterations); n != 2 {
		t.Errorf("%d iterations", n)
	}
	d.mouse(tea.MouseClickMsg{X: 40, Y: 10})
	if d.m.overlay().Cursor == nil {
		t.Error("a click on the plot does not put the cursor there")
	}
}

func TestSamplesAndAbsence(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor)
	d.press("space", "space", "space")
	first := d.m.along().Image().Picture.Samples
	d.press("s")
	if reflect.DeepEqual(first, d.m.along().Image().Picture.Samples) {
		t.Error("s draws the same samples")
	}
	d.press("+", "+", "-")
	if n := len(d.m.along().Image().Picture.Samples); n != 9 {
		t.Errorf("%d samples", n)
	}
	r := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	r.press("s")
	r.shows("no surrogate samples")
}

// A key is answered while a computation runs, and esc ends it.
func TestStoppingALongFit(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "neural-greedy", Seed: 3,
		Params: map[string]any{"trainer": "adam", "epochs": 1_000_000, "width": 2000}})
	if err != nil {
		t.Fatal(err)
	}
	d := &driver{t: t, m: New(s, ""), msgs: make(chan tea.Msg, 256)}
	d.m.Resize(120, 36)
	d.m.Restyle(trueColor)
	d.run(d.m.Init())
	d.settle() // the prior needs no training
	d.run(d.m.Update(press.Key("space")))
	for len(d.m.state.Iterations) == 0 {
		d.take(<-d.msgs)
	}
	d.shows("step 1: evaluated") // while the fit of a million epochs is under way
	d.run(d.m.Update(press.Key("t")))
	if d.m.reveal || !d.m.Jobs.Busy() {
		t.Fatal("the key is not answered while the fit runs")
	}
	d.run(d.m.Update(press.Key("esc")))
	if d.m.Jobs.Busy() {
		t.Error("esc does not stop it")
	}
	d.shows("stopped")
}

func TestRunStopsAtTheBudget(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3, Budget: 6}, 120, 36, trueColor)
	d.m.Speed = screen.Fastest
	d.press("r")
	for d.m.Running {
		d.take(<-d.msgs)
	}
	if n := len(d.m.state.Iterations); n != 6 {
		t.Errorf("%d iterations", n)
	}
	d.settle()
	d.shows("budget of 6 iterations is spent")
}

// Help is made from the commands: every one of them is in it, and no key has two that can act at once, but for the numbers that answer a lesson first.
func TestHelpIsComplete(t *testing.T) {
	listed := map[string]bool{}
	for _, g := range Groups() {
		for _, b := range g.Bindings {
			listed[b.Help().Key] = true
		}
	}
	for where, bindings := range map[string][]key.Binding{"the explorer": screen.Bindings(steppingCommands()), "the editor": parameters.Bindings(), "a query": query.Bindings(),
		"a box": aim.Bindings(), "a question": question.Bindings(), "a note": note.Bindings()} {
		bound := map[string]string{}
		for _, b := range bindings {
			if name := b.Help().Key; name != "" && !listed[name] {
				t.Errorf("%s is not in the help", name)
			}
			for _, name := range b.Keys() {
				if other, ok := bound[name]; ok && other != "answer: what a lesson asks" { // which it does first, where a lesson asks
					t.Errorf("in %s %s does %q and %q", where, name, other, b.Help().Desc)
				}
				bound[name] = b.Help().Desc
			}
		}
	}
}

// Every key of a hint line is one of a command.
func TestHintsAreCommands(t *testing.T) {
	for _, hints := range []string{(*line.Picture)(nil).Hints(), (*plane.Picture)(nil).Hints(), outcomes.New().Hints(), readingHints} {
		for name := range strings.FieldsSeq(hints) {
			if !slices.ContainsFunc(steppingCommands(), func(c command) bool { return c.Help().Key == name }) {
				t.Errorf("there is no command %q", name)
			}
		}
	}
}

func TestStaleResultsAreDropped(t *testing.T) {
	var j screen.Jobs
	first := j.Start("first", nil)
	_ = first
	old := j
	j.Start("second", nil)
	if _, ok := j.Take(screen.DoneMsg{}); ok {
		t.Error("a result that belongs to no job is taken")
	}
	if old.Busy() != true || !j.Busy() {
		t.Error("the jobs are not busy")
	}
}

// Nothing of a session file, of an error or of what was typed reaches the terminal raw.
func TestControlCharactersAreShown(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, theme.New(true, theme.NoColor, false))
	d.m.Last = &shelf.Entry{Problem: "evil\x1b]0;title\x07", Optimizer: "\x1b[2J", Steps: 3}
	for _, s := range []string{d.screen(), func() string { d.m.Say("broken \x1b[31m file\x9b1m", true); return d.screen() }()} {
		for i, part := range strings.Split(s, "\x1b") {
			if i > 0 && strings.TrimLeft(part, "[01;")[0] != 'm' {
				t.Errorf("an escape sequence reaches the screen: %q", part[:min(len(part), 12)])
			}
		}
		if strings.ContainsAny(s, "\x07\u009b") {
			t.Error("a control character reaches the screen")
		}
	}
}

// A damaged session opens with what is said of it, and cannot be written to.
func TestDamagedSession(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := s.Step(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	log, _ := os.ReadFile(path)
	lines := strings.SplitAfter(string(log), "\n")
	lines[3] = "damage\n"
	os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644)
	damaged, err := sessions.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer damaged.Close()
	d := &driver{t: t, m: New(damaged, ""), msgs: make(chan tea.Msg, 256)}
	d.m.Resize(200, 40)
	d.m.Restyle(trueColor)
	d.run(d.m.Init())
	d.settle()
	d.shows("line 4 is damaged")
	d.shows("w saves what can be read elsewhere")
	d.shows("read-only")
	d.press("space")
	d.shows("the file is read-only here; w saves the session elsewhere")
}

// A session whose file another program takes away while the explorer has it goes on in a new file beside it, with what was done, and that is said at once; a run
// stands still for it.
func TestLostFile(t *testing.T) {
	dir := t.TempDir()
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 200, 40, trueColor)
	d.m.Dir = dir
	d.press("space")
	path := d.m.state.Path
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	d.m.Running = true
	d.press("space")
	d.shows(filepath.Base(path) + " was removed by another program while it was open here; the whole session is now in")
	rescued := strings.TrimSuffix(path, ".jsonl") + "-rescued.jsonl"
	if d.m.Running || d.m.state.Path != rescued {
		t.Errorf("it runs: %v; the session is in %s", d.m.Running, d.m.state.Path)
	}
	d.press("space")
	if text, bad := d.m.Status.Said(); bad {
		t.Errorf("it is said again: %s", text)
	}
	d.m.session.Close()
	again, err := sessions.Open(rescued)
	if err != nil || len(again.State().Iterations) != 3 {
		t.Errorf("the file has %d steps, %v", len(again.State().Iterations), err)
	}
	again.Close()
}

// lame suggests a point, which is on record, and fails then.
type lame struct{ wrong error }

func (lame) Doing() string { return "trying" }

func (l lame) Do(ctx context.Context, s *sessions.Session, progress sessions.Progress) (string, error) {
	_, err := s.Ask(ctx, progress)
	return "", errors.Join(err, l.wrong)
}

// What an act put on record before it failed is on disk, also of the first one; one that failed whole leaves no file.
func TestActsThatFailInPartAreKept(t *testing.T) {
	wrong := errors.New("half of it failed")
	for what, c := range map[string]struct {
		act   mode.Change
		files int
	}{
		"in part":            {lame{wrong}, 1},
		"in part, cancelled": {lame{context.Canceled}, 1},
		"whole":              {acts.Correct{Text: "step 9 = 1"}, 0},
	} {
		d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
		d.m.Dir = t.TempDir()
		d.run(d.m.alter(c.act))
		d.settle()
		files, err := filepath.Glob(filepath.Join(d.m.Dir, "*.jsonl"))
		if err != nil || len(files) != c.files {
			t.Fatalf("%s: the folder holds %q, %v", what, files, err)
		}
		if c.act == (lame{wrong}) {
			d.shows("half of it failed")
		}
		for _, path := range files {
			if s, err := sessions.Peek(t.Context(), path); err != nil || len(s.State().Out) != 1 {
				t.Errorf("%s: the file has %d points that are out, %v", what, len(s.State().Out), err)
			}
		}
		d.m.session.Close()
	}
}

// The plane is driven by keys and by the mouse: fields, cursor, query, zoom and back, and back to a slice.
func TestPlane(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor)
	d.press("space", "space", "space", "space", "space", "space")
	d.shows("2 mean")
	for key, want := range map[string]string{"1": "1 true function", "3": "3 standard deviation", "4": "4 acquisition, higher is better: expected improvement", "5": "5 one of the"} {
		d.press(key)
		d.shows(want)
	}
	d.press("2", "x")
	d.shows("along the cursor")
	before := d.m.overlay().Cursor
	d.press("left", "up")
	if at := d.m.overlay().Cursor; at[0] >= before[0] || at[1] <= before[1] {
		t.Errorf("the cursor went from %v to %v", before, at)
	}
	d.shows("z ")
	d.press("enter")
	if n := len(d.m.state.Iterations); n != 7 || d.m.state.Iterations[6].By != sessions.ByPerson {
		t.Errorf("%d iterations", n)
	}
	d.mouse(tea.MouseClickMsg(d.cell(0.5, 0.5, d.m.state.Problem.Domain.ToUnit)))
	if at := d.m.state.Problem.Domain.ToUnit(d.m.overlay().Cursor); math.Abs(at[0]-0.5) > 0.05 || math.Abs(at[1]-0.5) > 0.05 {
		t.Errorf("a click in the middle puts the cursor at %v", at)
	}
	d.press("esc", "z", "z")
	d.shows("×4")
	d.press("Z", "Z", "Z")
	d.shows("the whole domain")
	d.press("t", "1")
	d.shows("the true function is hidden")
	d.press("d")
	d.shows("along x1")
	d.press("s", "]", "d", "i")
	d.shows("information gain")
}

// BenchmarkPlane draws a window of 200×60 with five fields and two slices; BenchmarkCursor the same after the cursor moved.
func BenchmarkPlane(b *testing.B) {
	d := drive(b, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3}, 200, 60, trueColor)
	for range 20 {
		d.press("space")
	}
	b.ResetTimer()
	for b.Loop() {
		d.anew()
		d.screen()
	}
}

func BenchmarkCursor(b *testing.B) {
	d := drive(b, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3}, 200, 60, trueColor)
	for range 20 {
		d.press("space")
	}
	d.press("x")
	right := false
	for b.Loop() {
		right = !right
		d.m.Update(press.Key(map[bool]string{true: "right", false: "left"}[right]))
		d.screen()
	}
}

// BenchmarkRefresh is a whole refresh of a plane at fifty data: all fields and both slices.
func BenchmarkRefresh(b *testing.B) {
	d := drive(b, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3}, 200, 60, trueColor)
	for range 50 {
		d.press("space")
	}
	for b.Loop() {
		d.run(d.m.Look())
		d.settle()
		d.screen()
	}
}

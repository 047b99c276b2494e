package explore

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/sample"
	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/modes"
	"bandscope/tui/explore/note"
	"bandscope/tui/explore/views"
	"bandscope/tui/internal/pagetest"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/picture"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
	"bandscope/tui/widget"

	// The pages of the session, whose keys the explorer has.
	_ "bandscope/tui/branches"
	_ "bandscope/tui/modelcheck"
)

// driver runs a Model without a terminal: commands run on goroutines, their messages are fed back until nothing is
// computed.
type driver struct{ *pagetest.Driver[*Model] }

func drive(t testing.TB, cfg sessions.Config, w, h int, st theme.Style) *driver {
	t.Helper()
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	return driveSession(t, s, w, h, st)
}

// driveAfter is drive after so many steps. Only the last is taken by its key: the pictures before it are not looked at,
// and not computed.
func driveAfter(t testing.TB, steps int, cfg sessions.Config, w, h int, st theme.Style) *driver {
	t.Helper()
	s, err := sessions.New(t.Context(), cfg)
	for i := 1; i < steps && err == nil; i++ {
		_, err = s.Step(t.Context(), nil)
	}
	require.NoError(t, err)
	d := driveSession(t, s, w, h, st)
	d.Press("space")
	return d
}

func driveSession(t testing.TB, s *sessions.Session, w, h int, st theme.Style) *driver {
	t.Helper()
	m := New(s, "")
	m.Permit(rights.Own(""))
	return &driver{pagetest.New(t, m, w, h, st, m.Busy)}
}

// cell is the cell of the window under which the values along the axes of the picture, as unit has them, are nearest to
// u and v.
func (d *driver) cell(u, v float64, unit func(values []float64) []float64) tea.Mouse {
	d.T.Helper()
	m, f, best, mouse := d.M, d.Arranged(), math.Inf(1), tea.Mouse{Button: tea.MouseLeft}
	for y := range m.Height {
		for x := range m.layout().main {
			if _, values := (widget.Hit{MouseMsg: tea.MouseClickMsg{X: x, Y: y}, Path: f.PathAt(x, y)}).
				Value(); len(values) == 2 {
				unit := unit(values)
				if distance := math.Hypot(unit[0]-u, unit[1]-v); distance < best {
					best, mouse.X, mouse.Y = distance, x, y
				}
			}
		}
	}
	return mouse
}

// anew lets the next frame draw everything, by turning dark into light and back.
func (d *driver) anew() {
	light := theme.New(false, theme.TrueColor, false)
	if d.M.Style.Key() == light.Key() {
		light = trueColor
	}
	d.M.Restyle(light)
}

var (
	trueColor = theme.New(true, theme.TrueColor, false)
	noColor   = theme.New(true, theme.NoColor, false)
)

// Each screen without colours in the least window, and each kind of picture in colours.
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
		{"prior-80x24", gp, 80, 24, noColor, ""},
		{"steps-80x24", gp, 80, 24, noColor, "space space space space space"},
		{"steps-120x36", gp, 120, 36, trueColor, "space space space space space"},
		{"edit-80x24", gp, 80, 24, noColor, "space space e down down"},
		{"query-80x24", gp, 80, 24, noColor, "space space space space x left left"},
		{"theory-120x36", sessions.Config{Problem: "forrester", Optimizer: "neural-greedy", Seed: 3,
			Params: map[string]any{"width": 200, "auto_gamma": true}}, 120, 36,
			trueColor, "space space space space space ctrl+t"},
		{"random-80x24", sessions.Config{Problem: "sine-trend", Optimizer: "random", Seed: 3}, 80, 24, noColor,
			"space space space space"},
		{"slice-120x36", sessions.Config{Problem: "branin", Optimizer: "gp-ucb", Seed: 3}, 120, 36, trueColor,
			"space space space space d ]"},
		{"plane-80x24", plane, 80, 24, noColor, "eight"},
		{"plane-120x36", plane, 120, 36, trueColor, "eight"},
		{"steer-80x24", sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ts", Seed: 3}, 80, 24, noColor,
			"eight"},
		{"steer-120x36", sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ucb", Seed: 3}, 120, 36, trueColor,
			"eight A right right down down enter v"},
		{"steer-120x36-triangle", sessions.Config{Problem: "dtlz2-k3", Optimizer: "mobo-rs-ucb", Seed: 3,
			Params: map[string]any{"prior": "dirichlet(4)"}}, 120, 36, trueColor, "eight"},
		{"coordinates-120x36", sessions.Config{Problem: "hartmann:6", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor,
			"eight all_variables ] }"},
		{"cost-80x24", sessions.Config{Problem: "forrester-cost", Optimizer: "cost-ids", Seed: 3}, 80, 24, noColor,
			"space space space space space space"},
		{"limits-80x24", sessions.Config{Problem: "forrester-hot", Optimizer: "gp-ei", Seed: 3}, 80, 24, noColor,
			"space space space space space space space"},
		{"limits-plane-120x36", sessions.Config{Problem: "gramacy-toy", Optimizer: "gp-ei", Seed: 3}, 120, 36,
			trueColor, "space space space space space space space space"},
		{"yarn-120x36", sessions.Config{Problem: "cornell-yarn", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor, "eight l"},
	} {
		if testing.Short() && i%12 > 0 { // jobs are the same for all screens of a method
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			s, err := sessions.New(t.Context(), c.cfg)
			require.NoError(t, err)
			keys := strings.Fields(strings.Replace(c.keys, "eight", strings.Repeat("space ", 8), 1))
			for ; len(keys) > 1 && keys[1] == "space"; keys = keys[1:] {
				// the pictures before the last step are not looked at
				_, err = s.Step(t.Context(), nil)
				require.NoError(t, err)
			}
			d := driveSession(t, s, c.w, c.h, c.style)
			d.Press(keys...)
			screentest.Check(t, c.name, d.Screen(), false)
			d.told(t, c.name)
			d.M.Restyle(theme.New(true, theme.NoColor, true))
			screentest.ASCII(t, c.name, d.Screen())
		})
	}
}

// No window makes the screen wider or taller than it is.
func TestEverySizeFits(t *testing.T) {
	if testing.Short() {
		t.Skip("it computes on one goroutine")
	}
	d := driveAfter(t, 4, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor)
	for _, mode := range []string{"", "e", "x", "w"} {
		if mode != "" {
			d.Press(mode)
		}
		for w := 80; w <= 200; w += sample.Stride(23) {
			for h := 24; h <= 60; h += sample.Stride(11) {
				d.Resize(w, h)
				if b := d.M.Frame(); b.W != w || b.H != h {
					t.Fatalf("%dx%d, mode %q: it has %d×%d cells", w, h, mode, b.W, b.H)
				}
				for _, fault := range d.Arranged().Faults() {
					t.Fatalf("%dx%d, mode %q: %s", w, h, mode, fault)
				}
			}
		}
		d.Press("esc")
	}
}

func TestSteppingAndMoving(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor)
	d.Shows("prior · minimize")
	d.Press("b")
	d.Shows("this is the start")
	d.Press("space", "space", "space", "space")
	d.Shows("step 4/50")
	d.Press("b")
	d.Shows("step 3/50 (+1)")
	d.Press("g")
	d.Shows("step 0/50 (+4)")
	d.Press("G")
	d.Shows("step 4/50")
	d.Press("t")
	if strings.Contains(d.Text(), "true function") || strings.Contains(d.Text(), "regret 5") {
		t.Error("the hidden truth is still told")
	}
}

// An edited parameter changes the belief over the same data at once, and is an event that can be undone.
func TestEditing(t *testing.T) {
	d := driveAfter(t, 4, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor)
	before := d.M.along().Posterior()
	d.Press("e", "right")
	require.Equal(t, "se", d.M.state.Params.Choice("kernel"), "the kernel")
	if d.M.along().Posterior() == before || reflect.DeepEqual(d.M.along().Posterior().Fields[picture.UpperField], before.Fields[picture.UpperField]) ||
		len(d.M.state.Iterations) != 4 {
		t.Error("the belief does not change at once over the same data")
	}
	d.Press("ctrl+u")
	assert.Equal(t, "matern52", d.M.state.Params.Choice("kernel"), "after undo the kernel")
	d.Press("down", "down", "enter")
	for range 8 {
		d.Press("backspace")
	}
	d.Press("7", "enter")
	d.Shows("noise_sd must be in [1e-6, 1]")
	assert.True(t, d.M.Typing(), "an invalid value closes the editor")
	d.Press("backspace", ".", "5", "enter")
	assert.Equal(t, 0.5, d.M.state.Params.Number("noise_sd"), "noise_sd")
	d.Press("esc", "space")
	d.Shows("step 5/50")
}

func TestQuerying(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	d.Press("x", ".", "3", "enter", "enter")
	it := d.M.state.Iterations
	if len(it) != 1 || it[0].By != "person" || it[0].Points[0].X[0] != 0.3 {
		t.Fatalf("got %+v", it)
	}
	d.Shows("you evaluated x = 0.3")
	d.Press("x", "7", "enter")
	d.Shows("x must be in [0, 1], got 7")
	d.Press("esc", "right", "enter")
	if n := len(d.M.state.Iterations); n != 2 {
		t.Errorf("%d iterations", n)
	}
	d.Mouse(tea.MouseClickMsg{X: 40, Y: 10})
	assert.NotNil(t, d.M.overlay().Cursor, "a click on the plot does not put the cursor there")
}

func TestSamplesAndAbsence(t *testing.T) {
	d := driveAfter(t, 3, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor)
	first := d.M.along().Posterior().Samples
	d.Press("s")
	assert.False(t, reflect.DeepEqual(first, d.M.along().Posterior().Samples), "s draws the same samples")
	d.Press(")", ")", "(")
	if n := len(d.M.along().Posterior().Samples); n != 9 {
		t.Errorf("%d samples", n)
	}
	r := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	r.Press("s")
	r.Shows("no surrogate samples")
}

// A key is answered while a computation runs, and esc ends it.
func TestStoppingALongFit(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "neural-greedy", Seed: 3,
		Params: map[string]any{"trainer": "adam", "epochs": 1_000_000, "width": 2000}})
	require.NoError(t, err)
	d := driveSession(t, s, 120, 36, trueColor) // the prior needs no training
	d.Run(d.M.Update(screentest.Key("space")))
	for len(d.M.state.Iterations) == 0 {
		d.Take(<-d.Msgs)
	}
	d.Shows("step 1: evaluated") // while the fit of a million epochs is under way
	d.Run(d.M.Update(screentest.Key("t")))
	if d.M.reveal || !d.M.Jobs.Busy() {
		t.Fatal("the key is not answered while the fit runs")
	}
	d.Run(d.M.Update(screentest.Key("esc")))
	assert.False(t, d.M.Jobs.Busy(), "esc does not stop it")
	d.Shows("stopped")
}

func TestRunStopsAtTheBudget(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3, Budget: 6}, 120, 36, trueColor)
	d.M.Speed = widget.MaxSpeed
	d.Press("r")
	for d.M.Running {
		d.Take(<-d.Msgs)
	}
	if n := len(d.M.state.Iterations); n != 6 {
		t.Errorf("%d iterations", n)
	}
	d.Settle()
	d.Shows("budget of 6 iterations is spent")
}

// Help is made from the commands: every one of them is in it, and no key has two that can act at once, but for the
// numbers that answer a lesson first.
func TestHelpIsComplete(t *testing.T) {
	listed := map[string]bool{}
	for _, g := range append(Groups(), widget.GlobalGroup()) {
		for _, b := range g.Bindings {
			listed[b.Help().Key] = true
		}
	}
	for where, bindings := range map[string][]key.Binding{
		"the explorer": widget.Bindings(steppingCommands()), "the editor": modes.ParameterBindings(),
		"a query": modes.PointBindings(),
		"a box":   modes.BoxBindings(), "a question": modes.PreferenceBindings(), "a note": note.Bindings()} {
		bound := map[string]string{}
		for _, b := range bindings {
			if name := b.Help().Key; name != "" && !listed[name] {
				t.Errorf("%s is not in the help", name)
			}
			for _, name := range b.Keys() {
				if other, ok := bound[name]; ok && other != "answer, in a lesson" && other != "enlarge a panel" {
					// which it does first, where a lesson asks, and where there are no fields
					t.Errorf("in %s %s does %q and %q", where, name, other, b.Help().Desc)
				}
				bound[name] = b.Help().Desc
			}
		}
	}
}

// Every key of a hint line is one of a command.
func TestHintsAreCommands(t *testing.T) {
	for _, hints := range []string{
		(*views.Line)(nil).Hints(), (*views.Plane)(nil).Hints(), views.NewFront().Hints(), readingHints} {
		for name := range strings.FieldsSeq(hints) {
			assert.Equal(t, 1, len(widget.BindingsFor(steppingCommands(), name)), "there is no command %q", name)
		}
	}
}

func TestStaleResultsAreDropped(t *testing.T) {
	var j widget.Jobs
	first := j.Start("first", nil)
	_ = first
	old := j
	j.Start("second", nil)
	if _, ok := j.Take(widget.DoneMsg{}); ok {
		t.Error("a result that belongs to no job is taken")
	}
	if old.Busy() != true || !j.Busy() {
		t.Error("the jobs are not busy")
	}
}

// Nothing of a session file, of an error or of what was typed reaches the terminal raw.
func TestControlCharactersAreShown(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36,
		theme.New(true, theme.NoColor, false))
	d.M.Last = &library.Entry{Problem: "evil\x1b]0;title\x07", Optimizer: "\x1b[2J", Steps: 3}
	for _, s := range []string{
		d.Screen(), func() string { d.M.Say("broken \x1b[31m file\x9b1m", true); return d.Screen() }()} {
		for i, part := range strings.Split(s, "\x1b") {
			if i > 0 && strings.TrimLeft(part, "[01;")[0] != 'm' {
				t.Errorf("an escape sequence reaches the screen: %q", part[:min(len(part), 12)])
			}
		}
		assert.False(t, strings.ContainsAny(s, "\x07\u009b"), "a control character reaches the screen")
	}
}

// A damaged session opens with what is said of it, and cannot be written to.
func TestDamagedSession(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	require.NoError(t, err)
	require.NoError(t, s.SaveAs(path))
	for range 3 {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	s.Close()
	log, _ := os.ReadFile(path)
	lines := strings.SplitAfter(string(log), "\n")
	lines[3] = "damage\n"
	os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644)
	damaged, err := sessions.Open(t.Context(), path)
	require.NoError(t, err)
	defer damaged.Close()
	d := driveSession(t, damaged, 200, 40, trueColor)
	d.Shows("line 4 is damaged")
	d.Shows("press ctrl+s to save the readable part to another file")
	d.Shows("read-only")
	d.Press("space")
	d.Shows("the file is read-only here; press ctrl+s to save the session to another file")
}

// A session whose file another program takes away while the explorer has it goes on in a new file beside it, with what
// was done, and that is said at once; a run stands still for it.
func TestLostFile(t *testing.T) {
	dir := t.TempDir()
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 200, 40, trueColor)
	d.M.Dir = dir
	d.Press("space")
	path := d.M.state.Path
	require.NoError(t, os.Remove(path))
	d.M.Running = true
	d.Press("space")
	d.Shows(filepath.Base(path) + " was removed by another program while it was open here; the whole session is now in")
	rescued := strings.TrimSuffix(path, ".jsonl") + "-rescued.jsonl"
	if d.M.Running || d.M.state.Path != rescued {
		t.Errorf("it runs: %v; the session is in %s", d.M.Running, d.M.state.Path)
	}
	d.Press("space")
	if text, bad := d.M.Status.Message(); bad {
		t.Errorf("it is said again: %s", text)
	}
	d.M.session.Close()
	again, err := sessions.Open(t.Context(), rescued)
	if err != nil || len(again.State().Iterations) != 3 {
		t.Errorf("the file has %d steps, %v", len(again.State().Iterations), err)
	}
	again.Close()
}

// failingChange suggests a point, which is on record, and fails then.
type failingChange struct{ wrong error }

func (failingChange) Doing() string { return "trying" }

func (l failingChange) Do(ctx context.Context, s *sessions.Session, progress sessions.Progress) (string, error) {
	_, err := s.Ask(ctx, progress)
	return "", errors.Join(err, l.wrong)
}

// What an act put on record before it failed is on disk, also of the first one; one that failed whole leaves no file.
func TestActsThatFailInPartAreKept(t *testing.T) {
	wrong := errors.New("half of it failed")
	for name, c := range map[string]struct {
		act   mode.Change
		files int
	}{
		"in part":            {failingChange{wrong}, 1},
		"in part, cancelled": {failingChange{context.Canceled}, 1},
		"whole":              {Correct{Text: "step 9 = 1"}, 0},
	} {
		d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
		d.M.Dir = t.TempDir()
		d.Run(d.M.alter(c.act))
		d.Settle()
		files, err := filepath.Glob(filepath.Join(d.M.Dir, "*.jsonl"))
		if err != nil || len(files) != c.files {
			t.Fatalf("%s: the folder holds %q, %v", name, files, err)
		}
		if c.act == (failingChange{wrong}) {
			d.Shows("half of it failed")
		}
		for _, path := range files {
			if s, err := sessions.OpenReadOnly(t.Context(), path); err != nil || len(s.State().Pending) != 1 {
				t.Errorf("%s: the file has %d points that are out, %v", name, len(s.State().Pending), err)
			}
		}
		d.M.session.Close()
	}
}

// The plane is driven by keys and by the mouse: fields, cursor, query, zoom and back, and back to a slice.
func TestPlane(t *testing.T) {
	if testing.Short() {
		t.Skip("TestGoldenScreens runs the same jobs")
	}
	d := driveAfter(t, 6, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor)
	d.Shows("2 mean")
	for key, want := range map[string]string{
		"1": "1 true function", "3": "3 standard deviation",
		"4": "4 acquisition, higher is better: expected improvement", "5": "5 one of the"} {
		d.Press(key)
		d.Shows(want)
	}
	d.Press("2", "x")
	d.Shows("slices through the cursor")
	before := d.M.overlay().Cursor
	d.Press("left", "up")
	if cursor := d.M.overlay().Cursor; cursor[0] >= before[0] || cursor[1] <= before[1] {
		t.Errorf("the cursor went from %v to %v", before, cursor)
	}
	d.Shows("z ")
	d.Press("enter")
	if n := len(d.M.state.Iterations); n != 7 || d.M.state.Iterations[6].By != sessions.ByPerson {
		t.Errorf("%d iterations", n)
	}
	d.Mouse(tea.MouseClickMsg(d.cell(0.5, 0.5, d.M.state.Problem.Domain.ToUnit)))
	if cursor := d.M.state.Problem.Domain.ToUnit(d.M.overlay().Cursor); math.Abs(cursor[0]-0.5) > 0.05 ||
		math.Abs(cursor[1]-0.5) > 0.05 {
		t.Errorf("a click in the middle puts the cursor at %v", cursor)
	}
	d.Press("esc", "+", "+")
	d.Shows("×4")
	d.Press("-", "-", "-")
	d.Shows("the whole domain")
	d.Press("t", "1")
	d.Shows("the true function is hidden")
	d.Press("d")
	d.Shows("along x1")
	d.Press("s", "]", "d", "ctrl+t")
	d.Shows("information gain")
}

// BenchmarkPlane draws a window of 200×60 with five fields and two slices; BenchmarkCursor the same after the cursor
// moved.
func BenchmarkPlane(b *testing.B) {
	d := drive(b, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3}, 200, 60, trueColor)
	for range 20 {
		d.Press("space")
	}
	b.ResetTimer()
	for b.Loop() {
		d.anew()
		d.Screen()
	}
}

func BenchmarkCursor(b *testing.B) {
	d := drive(b, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3}, 200, 60, trueColor)
	for range 20 {
		d.Press("space")
	}
	d.Press("x")
	right := false
	for b.Loop() {
		right = !right
		d.M.Update(screentest.Key(map[bool]string{true: "right", false: "left"}[right]))
		d.Screen()
	}
}

// BenchmarkRefresh is a whole refresh of a plane at fifty data: all fields and both slices.
func BenchmarkRefresh(b *testing.B) {
	d := drive(b, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3}, 200, 60, trueColor)
	for range 50 {
		d.Press("space")
	}
	for b.Loop() {
		d.Run(d.M.UpdatePicture())
		d.Settle()
		d.Screen()
	}
}

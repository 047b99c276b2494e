package librarypage

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/layout"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

func model(t *testing.T) *Model {
	t.Helper()
	m := New(sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 7}, "", t.TempDir())
	m.Permit(rights.Own(""))
	m.Resize(120, 36)
	m.Restyle(theme.New(true, theme.NoColor, false))
	m.Init()
	return m
}

// enter types text; enter, tab and down by name. It returns the last message that the screen sent, or the action that
// it wants.
func enter(m *Model, parts ...string) (sent tea.Msg) {
	named := []string{"enter", "tab", "down", "backspace", "esc"}
	for _, p := range parts {
		presses := screentest.Text(p)
		if slices.Contains(named, p) {
			presses = []tea.KeyPressMsg{screentest.Key(p)}
		}
		for _, k := range presses {
			if cmd := m.Update(k); cmd != nil && m.field == fieldStart || cmd != nil && p == "esc" {
				sent = cmd()
				if want, ok := sent.(widget.ActionMsg); ok {
					sent = want.Action
				}
			}
		}
	}
	return sent
}

// settle lets what is asked for be read and done, and the preview, as the window does.
func settle(m *Model, cmds ...tea.Cmd) {
	for _, cmd := range append(cmds, m.loadPreview()) {
		if cmd == nil || waits(cmd) {
			continue
		}
		switch msg := widget.Perform(rights.Rights{}, cmd).(type) {
		case tea.BatchMsg:
			settle(m, msg...)
		default:
			settle(m, m.Update(msg))
		}
	}
}

// waits reports whether a command does nothing but wait for a clock.
func waits(cmd tea.Cmd) bool {
	name := runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()).Name()
	return strings.Contains(name, "/cursor.") || strings.Contains(name, ".Tick.func")
}

func text(m *Model) string { return ansi.Strip(layout.Render(m.Frame(), m.Width, m.Height)) }

func TestChoosingByTyping(t *testing.T) {
	m := model(t)
	sent := enter(m, "ackley:5", "enter", "greedy", "enter", "backspace", "42", "enter", "backspace", "0.5", "enter",
		"80", "enter", "1+x1^2", "enter", "99", "enter", "enter")
	got, ok := sent.(widget.Start)
	if !ok {
		t.Fatalf("it sends %#v\n%s", sent, text(m))
	}
	c := got.Config
	if c.Problem != "ackley:5" || c.Optimizer != "neural-greedy" || c.Seed != 42 || c.Noise != 0.5 || c.Budget != 80 ||
		c.Cost != "1+x1^2" || c.CostBudget != 99 {
		t.Errorf("got %+v", c)
	}
}

func TestWrongEntriesStayWithTheirReason(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"hartmann:4", "enter"}, "3 or 6"},
		{[]string{"qqqq", "enter"}, "no function"},
		{[]string{"enter", "tab", "x", "enter"}, "the seed must be"},
		{[]string{"enter", "tab", "tab", "-", "enter"}, "standard deviation"},
		{[]string{"enter", "tab", "tab", "tab", "0", "enter"}, "from 1 to 1000000"},
	} {
		m := model(t)
		enter(m, c.keys...)
		if s := strings.Join(strings.Fields(strings.ReplaceAll(text(m), "│", " ")), " "); !strings.Contains(s,
			c.want[:6]) {
			t.Errorf("%v: the screen does not say %q:\n%s", c.keys, c.want, text(m))
		}
	}
}

func TestFilterAndPreview(t *testing.T) {
	m := model(t)
	enter(m, "bran")
	if s := text(m); !strings.Contains(s, "Branin–Hoo") || strings.Contains(s, "gramacy") ||
		!strings.Contains(s, "optimum: 0.3979") {
		t.Errorf("got\n%s", s)
	}
	if _, ok := enter(m, "esc").(widget.Close); !ok {
		t.Error("esc does not close")
	}
}

// In windows of every size, with every field, boxes lie inside of what holds them and beside each other, and the last
// row tells keys.
func TestEverySizeFits(t *testing.T) {
	m := model(t)
	for f := range fieldCount {
		m.focus(f)
		for w := 80; w <= 200; w += 11 {
			for h := 24; h <= 60; h += 7 {
				m.Resize(w, h)
				frame := layout.Arrange(m.Frame(), w, h)
				for _, fault := range frame.Faults() {
					t.Errorf("%s, %dx%d: %s", fields[f].name, w, h, fault)
				}
				if under := frame.PathAt(2, h-1); len(under) < 2 || under[1].Name != "keys" {
					t.Errorf("%s, %dx%d: the last row is %v", fields[f].name, w, h, under)
				}
			}
		}
	}
}

// The library renames, copies, deletes and brings back the selected session; what goes wrong is said.
func TestLibrary(t *testing.T) {
	dir := t.TempDir()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random"})
	require.NoError(t, err)
	_, err = s.Step(context.Background(), nil)
	require.NoError(t, err)
	require.NoError(t, s.Note("first light"))
	require.NoError(t, s.SaveAs(filepath.Join(dir, "one.jsonl")))
	require.NoError(t, s.Close())
	m := New(sessions.Config{Problem: "branin", Optimizer: "gp-ei"}, "", dir)
	m.Resize(130, 36)
	m.Restyle(theme.New(true, theme.NoColor, false))
	read := m.Init()
	m.focus(fieldSessions)
	if !strings.Contains(text(m), "reading the folder") {
		t.Errorf("while the folder is read:\n%s", text(m))
	}
	settle(m, read)
	if m.lists[fieldFunction][0].value != "forrester" || m.lists[fieldOptimizer][0].value != "random" {
		t.Errorf("used last are %s and %s", m.lists[fieldFunction][0].value, m.lists[fieldOptimizer][0].value)
	}
	for _, want := range []string{"one  forrester · random · 1 step", "note 1: first light", "ctrl+d delete"} {
		if !strings.Contains(text(m), want) {
			t.Errorf("the screen does not show %q:\n%s", want, text(m))
		}
	}
	ctrl := func(r rune) { settle(m, m.Update(tea.KeyPressMsg{Code: r, Mod: tea.ModCtrl})) }
	name := func(parts ...string) {
		enter(m, parts...)
		settle(m, m.Update(tea.KeyPressMsg{Code: tea.KeyEnter}))
	}
	files := func(want string) {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
		for i := range found {
			found[i] = strings.TrimSuffix(filepath.Base(found[i]), ".jsonl")
		}
		slices.Sort(found)
		if got := strings.Join(found, " "); err != nil || got != want {
			t.Errorf("the folder holds %q, want %q; %s", got, want, said(m))
		}
	}
	ctrl('y')
	name()
	files("one one-copy")
	ctrl('r')
	name("2")
	files("one one-copy2")
	ctrl('r')
	name("/x")
	if !strings.Contains(said(m), "must not contain slashes") {
		t.Errorf("a name with a slash: %q", said(m))
	}
	enter(m, "esc")
	ctrl('d')
	files("one")
	ctrl('u')
	files("one one-copy2")
	ctrl('u')
	if !strings.Contains(said(m), "nothing was deleted") {
		t.Errorf("said %q", said(m))
	}
	m.folder.open = filepath.Join(dir, "one-copy2.jsonl")
	m.selectValue(fieldSessions, m.folder.open)
	ctrl('d')
	files("one one-copy2")
}

func TestGoldenScreens(t *testing.T) {
	dir := t.TempDir()
	when := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for _, name := range []string{"tuesday", "20261121-090000-branin-gp-ei-2"} {
		b, err := os.ReadFile(filepath.Join("testdata", "library", name+".jsonl"))
		require.NoError(t, err)
		path := filepath.Join(dir, name+".jsonl")
		require.NoError(t, os.WriteFile(path, b, 0o600))
		require.NoError(t, os.Chtimes(path, when, when))
		when = when.Add(time.Hour)
	}
	lessons := readSome(t, dir)
	for _, c := range []struct {
		name  string
		field field
		w, h  int
		style theme.Style
	}{
		{"functions-120x36", fieldFunction, 120, 36, theme.New(true, theme.TrueColor, false)},
		{"library-80x24", fieldSessions, 80, 24, theme.New(true, theme.NoColor, false)},
		{"lessons-80x24", fieldLessons, 80, 24, theme.New(true, theme.NoColor, false)},
		{"gallery-80x24", fieldGallery, 80, 24, theme.New(true, theme.NoColor, false)},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := New(sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 7}, "", dir)
			m.Resize(c.w, c.h)
			m.Restyle(c.style)
			m.lessons = lessons
			read := m.Init()
			settle(m, read)
			m.focus(c.field)
			settle(m)
			screentest.Check(t, c.name, layout.Render(m.Frame(), c.w, c.h), false)
			m.Restyle(theme.New(true, theme.NoColor, true))
			screentest.ASCII(t, c.name, layout.Render(m.Frame(), c.w, c.h))
			for f := range fieldCount { // and of every other field
				m.focus(f)
				explained.Check(t, c.name+", "+fields[f].name, m.Frame(), c.w, c.h)
			}
		})
	}
}

// readSome is a course, of which it keeps that some was read: the first lesson to its end, the second to its exercise,
// a part of the third.
func readSome(t *testing.T, dir string) (lessons []library.LessonEntry) {
	t.Helper()
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	right := map[int]bool{4: true, 6: false}
	err := lesson.AddProgress(t.Context(), dir, lesson.Progress{
		"prior": {FarthestPage: 9, CurrentPage: 1, Answers: right,
			Exercise: lesson.ExerciseProgress{Begun: noon, Done: noon}},
		"posterior": {FarthestPage: 9, Answers: right, Exercise: lesson.ExerciseProgress{Begun: noon}},
		"kernel":    {FarthestPage: 3, CurrentPage: 3, Read: noon},
	})
	require.NoError(t, err)
	for _, part := range []struct{ name, lessons string }{
		{"foundations", "prior posterior kernel noise acquisition regret variables"},
		{"networks", "width trained ntk gamma greedy batch gradients heads"},
		{"several objectives", "fronts scalarizations steering boxes answers"}, {"cost", "information"},
		{"practice", "experiment"}, {"labs", "sparsity coherence"},
	} {
		for _, name := range strings.Fields(part.lessons) {
			lessons = append(lessons, library.LessonEntry{Name: name, Number: len(lessons) + 1, Part: part.name,
				Title:   "What there is to know of " + name,
				About:   "One sentence that says what is learned of it, and by what.",
				Problem: "forrester", Optimizer: "gp-ei", Pages: 9, Questions: 3,
				Exercise: &sessions.Exercise{Config: sessions.Config{Problem: "forrester", Optimizer: "gp-ei"}}})
		}
	}
	return lessons
}

// The list of methods holds those that fit the function, and each kind of function keeps the one that was chosen for
// it.
func TestMethodsFitTheFunction(t *testing.T) {
	m := model(t)
	names := func() (names []string) {
		for _, it := range m.lists[fieldOptimizer] {
			names = append(names, it.value)
		}
		return names
	}
	if !slices.Contains(names(), "gp-ei") {
		t.Fatalf("of one objective there is no gp-ei: %v", names())
	}
	enter(m, "thesis-xy")
	if slices.Contains(names(), "gp-ei") || !slices.Contains(names(), "ehvi") || !slices.Contains(names(), "random") {
		t.Errorf("of two objectives the list holds %v", names())
	}
	m.config.Problem = ""
	m.Update(tea.KeyPressMsg{Code: 's', Mod: tea.ModCtrl})
	if said(m) != "" || m.config.Optimizer != "ehvi" {
		t.Errorf("a function of two objectives starts with %q: %s", m.config.Optimizer, said(m))
	}
	for range "thesis-xy" {
		enter(m, "backspace")
	}
	enter(m, "branin4")
	if got, _ := m.chosen(fieldOptimizer); got != "ehvi" {
		t.Errorf("another function of two objectives has %q", got)
	}
	for range "branin4" {
		enter(m, "backspace")
	}
	enter(m, "forrester")
	if got, _ := m.chosen(fieldOptimizer); got != "gp-ei" {
		t.Errorf("back at one objective the method is %q", got)
	}
}

// The parameters of the session that is open belong to its method: they stay with it, and are left out for another one.
func TestParametersStayWithTheirMethod(t *testing.T) {
	changed := map[string]any{"kernel": "matern52"}
	for _, c := range []struct {
		method string
		want   int
	}{{"gp-ei", 1}, {"gp-ucb", 0}, {"random", 0}} {
		m := New(sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 7, Params: changed}, "", t.TempDir())
		m.Resize(120, 36)
		m.Init()
		sent := enter(m, "enter", c.method, "enter", "enter", "enter", "enter", "enter", "enter", "enter")
		got, ok := sent.(widget.Start)
		if !ok || got.Config.Optimizer != c.method || len(got.Config.Params) != c.want {
			t.Errorf("%s starts with %#v", c.method, sent)
		}
	}
	assert.Equal(t, 1, len(changed), "the open session's parameters were changed")
}

// The footer of the form says how one takes and how one leaves, in every field and at the least size.
func TestFormsFooter(t *testing.T) {
	m := model(t)
	m.Resize(80, 24)
	for range int(fieldCount) {
		lines := strings.Split(text(m), "\n")
		footer := lines[len(lines)-1]
		for _, want := range []string{" enter", " esc"} {
			if !strings.Contains(" "+footer, want) {
				t.Errorf("in the field %s the footer lacks%s: %s", fields[m.field].name, want, footer)
			}
		}
		enter(m, "tab")
	}
}

// said is what stands under the form.
func said(m *Model) string {
	text, _ := m.Status.Message()
	return text
}

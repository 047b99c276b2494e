package tui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"bandscope/functions/sample"
	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/tui/compare"
	"bandscope/tui/experimentform"
	"bandscope/tui/explore/note"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/librarypage"
	"bandscope/tui/modelcheck"
	"bandscope/tui/palette"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// goal is something that a person wants, in plain words, who knows no key but that of the palette.
type goal struct {
	words   string // as they are typed
	on      string // a problem whose session is open in place of the first start, for what needs its results
	steps   int    // of the session before
	reached func(w *window) bool
}

// at reports whether the page is of a type.
func at[P any](w *window) bool { _, ok := w.a.current.(P); return ok }

// goals are what people want in the first quarter of an hour.
func goals() []goal {
	says := func(text string) func(*window) bool {
		return func(w *window) bool { return strings.Contains(w.text(), text) }
	}
	steps := func(n int) func(*window) bool {
		return func(w *window) bool { return len(w.a.explore.Session().State().Iterations) == n }
	}
	mode := func(title string) func(*window) bool {
		return func(w *window) bool { return w.a.current.KeyMap().Title == title }
	}
	field := func(name string) func(*window) bool {
		return func(w *window) bool { return at[*librarypage.Model](w) && strings.Contains(w.text(), name+": type") }
	}
	return []goal{
		{words: "step", reached: steps(4)},
		{words: "run", reached: steps(4)},
		{words: "back", steps: 3, reached: steps(2)},
		{words: "edit restarts", reached: func(w *window) bool {
			return strings.Contains(w.text(), "▸restarts") && w.a.current.KeyMap().Typing
		}},
		{words: "compare methods", reached: at[*compare.Model]},
		{words: "explain this screen", reached: func(w *window) bool { return w.a.explainer != nil }},
		{words: "why this point", steps: 3, reached: at[*modelcheck.ExplainPage]},
		{words: "check the model", steps: 3, reached: at[*modelcheck.CheckPage]},
		{words: "course", reached: field("course")},
		{words: "my own experiment", reached: at[*experimentform.Model]},
		{words: "fork", reached: says("fork here as")},
		{words: "write a note", reached: mode((&note.Editor{}).Title())},
		{words: "export", reached: says("export to")},
		{words: "verify", steps: 2, reached: says("verified: 3 suggestions")},
		{words: "draw a box", on: "branin-currin", steps: 6, reached: mode("a target box")},
		{words: "answer a question", on: "branin-currin", steps: 6, reached: mode("a preference question")},
		{words: "change the colour map", on: "branin", steps: 2, reached: says("colour map: ")},
		{words: "go to step 7", steps: 9, reached: steps(7)},
		{words: "open a session", reached: field("saved sessions")},
		{words: "study", reached: field("studies")},
		{words: "quit", reached: func(w *window) bool { return w.a.quitting }},
		{words: "gp-ucb", steps: 1, reached: func(w *window) bool {
			return w.a.explore.Session().State().Spec.Name == "gp-ucb"
		}},
		{words: "branin", on: "forrester", reached: func(w *window) bool {
			return w.a.explore.Session().State().Problem.Name == "branin"
		}},
		{words: "show the truth", reached: func(w *window) bool { return !strings.Contains(w.text(), " truth") }},
		{words: "save", reached: says("save as")},
		{words: "what is a lengthscale", reached: says("glossary")},
		{words: "race", reached: says("race: own data")},
		{words: "theory", steps: 3, reached: says("information gain")},
		{words: "help", reached: func(w *window) bool { return w.a.help.shown }},
		{words: "mark this step", steps: 2, reached: says("marked")},
		{words: "undo", steps: 3, reached: steps(2)},
		{words: "compare with a network", steps: 3, reached: at[*compare.Model]},
		{words: "draw the prior", on: "branin-currin", steps: 6, reached: mode("the prior over weights")},
		{words: "zoom in", reached: says("▲ 15.8")},
		{words: "start again", steps: 3, reached: steps(0)},
		{words: "save a picture", steps: 2, reached: says("export to")},
		{words: "report", steps: 2, reached: says("export to")},
		{words: "kernel", reached: func(w *window) bool { return strings.Contains(w.text(), "▸kernel") }},
		{words: "playground", reached: says("click here to put a result")},
		{words: "python", reached: says("guide: Python")},
	}
}

// Each goal is reached, from the first start or where its session is open, in two key presses and typed letters: one key
// opens the palette and one accepts its first entry.
func TestGoalsAreReachedByTheirNames(t *testing.T) {
	if testing.Short() {
		t.Skip("TestEveryScreen runs the same jobs")
	}
	for _, g := range sample.Of(goals(), 3, 1) {
		t.Run(g.words, func(t *testing.T) {
			w := firstStart(t, g.on, g.steps)
			w.press("ctrl+p") // one,
			w.types(g.words)
			w.press("enter") // and two
			if !g.reached(w) {
				t.Errorf("it leads to\n%s", w.text())
			}
		})
	}
}

// firstStart is the program as it starts first, or with a session on a problem, after so many steps.
func firstStart(t *testing.T, active string, steps int) *window {
	t.Helper()
	cfg := sessions.Config{Problem: active, Optimizer: "random", Seed: 3}
	if active == "branin-currin" {
		cfg.Optimizer = "mobo-rs-ts"
	}
	start := func() (*sessions.Session, error) { return sessions.New(t.Context(), cfg) }
	if active == "" {
		start = func() (*sessions.Session, error) { return library.NewDefault(t.Context()) }
	}
	s, err := start()
	require.NoError(t, err)
	for i := 1 + len(s.State().Iterations); i < steps; i++ {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	w := openWindow(t, Options{Session: s, Rights: rights.Own(t.TempDir()), FrontDoor: active == "", Offer: true}, 100, 30)
	if len(s.State().Iterations) < steps {
		w.press("space")
	}
	return w
}

// checkPalette checks that every command of the screen is in its palette, which is made from the same tables as
// dispatch, help and footer.
func (w *window) checkPalette() {
	w.t.Helper()
	if w.a.help.shown {
		w.press("esc")
	}
	entries := w.a.entries()
	for _, k := range w.a.current.KeyMap().Keys {
		if widget.Shown(k.Binding) == "" || k.Help() == widget.PaletteKey.Help() {
			continue
		}
		i := slices.IndexFunc(entries, func(e palette.Entry) bool {
			return e.Name == k.Help().Desc && e.Key == k.Help().Key && e.Disabled == k.DisabledReason()
		})
		if i < 0 {
			w.t.Errorf("%s %q is not in the palette", k.Help().Key, k.Help().Desc)
		}
	}
	for _, g := range groups()[1:] {
		for _, b := range g.Bindings {
			name := b.Help().Desc
			if widget.Shown(b) == "" || len(b.Keys()) == 0 || slices.Contains(moving, b.Keys()[0]) {
				continue
			}
			if !slices.ContainsFunc(entries, func(e palette.Entry) bool { return e.Name == name }) {
				w.t.Errorf("%s (%s) is not in the palette", name, g.Title)
			}
		}
	}
}

// A command that is chosen in the palette does what its key does.
func TestPaletteDoesWhatKeysDo(t *testing.T) {
	if testing.Short() {
		t.Skip("TestEveryScreen runs the same jobs")
	}
	open := places()[0].opener(t)
	var names []string
	w := open()
	for _, k := range w.a.current.KeyMap().Keys {
		if widget.Shown(k.Binding) != "" && k.DisabledReason() == "" && len(k.Keys()) > 0 &&
			k.Help() != widget.PaletteKey.Help() && k.Help().Key != "ctrl+z" {
			names = append(names, k.Help().Desc)
		}
	}
	for _, name := range sample.Of(names, 3, 2) {
		t.Run(name, func(t *testing.T) {
			byKey, byName := open(), open()
			i := slices.IndexFunc(byKey.a.current.KeyMap().Keys, func(k widget.Key) bool { return k.Help().Desc == name })
			byKey.take(widget.KeyPress(byKey.a.current.KeyMap().Keys[i].Keys()[0]))
			byName.press("ctrl+p")
			byName.a.palette.Type(name)
			byName.press("enter")
			text := func(w *window) string { return strings.ReplaceAll(w.text(), w.a.options.Rights.Sessions, "") }
			if a, b := text(byKey), text(byName); a != b && !byKey.a.quitting {
				t.Errorf("by its key:\n%s\nby its name:\n%s", a, b)
			}
		})
	}
}

// The last commands come first, also after the program was started again; a damaged record of them is none.
func TestRecentCommandsComeFirst(t *testing.T) {
	dir := t.TempDir()
	open := func() *window {
		return openWindow(t, Options{Session: mustSession(t), Rights: rights.Own(dir)}, 100, 30)
	}
	w := open()
	for _, words := range []string{"mark the step", "samples"} {
		w.press(":")
		w.types(words)
		w.press("enter")
	}
	w = open()
	w.press(":")
	lines := strings.Split(w.text(), "\n")
	i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "▸") })
	if i < 0 || !strings.Contains(lines[i], "samples") || !strings.Contains(lines[i+1], "mark the step") {
		t.Errorf("the last commands are not first:\n%s", w.text())
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "window.json"), []byte(`{"recent":["sam`), 0o600))
	if w = open(); len(w.a.remembered.Recent) != 0 {
		t.Errorf("of a damaged record %q is left", w.a.remembered.Recent)
	}
}

// The palette and the menus look as they were looked at last.
func TestGoldenPalette(t *testing.T) {
	for _, c := range []struct {
		name  string
		w, h  int
		ascii bool
		keys  string
	}{
		{"palette-80x24-ascii", 80, 24, true, ": k e r n e l"},
		{"menu-80x24", 80, 24, false, "space m"},
		{"help-80x24", 80, 24, false, "space ?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3,
				Params: map[string]any{"restarts": 1}})
			require.NoError(t, err)
			w := openWindow(t, Options{Session: s, Rights: rights.Own(t.TempDir()), ASCII: c.ascii}, c.w, c.h)
			if c.ascii {
				w.a.setProfile(colorprofile.ASCII)
			}
			w.press(strings.Fields(c.keys)...)
			screentest.Check(t, c.name, w.screen(), c.ascii)
		})
	}
}

// The window that opens without a session shows three ways to go on below the plot, until one of them is taken, or esc
// hides them.
func TestWays(t *testing.T) {
	way := "1 the course"
	open := func() *window {
		w := firstStart(t, "", 0)
		w.shows("the model knows 3 results; next ◆ to explore: ")
		w.shows(way)
		explained.Check(t, "the ways", w.a.overlaid(w.a.frame()), 100, 30)
		return w
	}
	w := open()
	w.press("1")
	w.shows("course: type to filter")
	w = open()
	w.press("2")
	if !at[*compare.Model](w) {
		t.Errorf("2 leads to\n%s", w.text())
	}
	w = open()
	x, y := w.cellOf("3 your own")
	w.click(tea.MouseLeft, x, y)
	if !at[*experimentform.Model](w) {
		t.Errorf("a click leads to\n%s", w.text())
	}
	w = open()
	w.press("e", "1")
	w.shows("type")
	w.press("esc", "esc")
	w.press("space", "esc", "space")
	if strings.Contains(w.text(), way) || len(w.a.explore.Session().State().Iterations) != 5 {
		t.Errorf("after esc:\n%s", w.text())
	}
	w = open()
	w.take(tea.WindowSizeMsg{Width: 60, Height: 16})
	w.shows("1 course  2 GP and network  3 experiment")
	if w = firstStart(t, "branin-currin", 4); strings.Contains(w.text(), way) {
		t.Error("the ways are shown at another start")
	}
}

package palette

import (
	"fmt"
	"image"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"

	"bandscope/tui/internal/explained"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// sample are entries of every kind; done records which of them was done.
func sample(done *string) []Entry {
	do := func(name string) func() tea.Cmd {
		return func() tea.Cmd { *done = name; return nil }
	}
	list := []Entry{
		{Name: "step", About: "take one step", Key: "space"},
		{Name: "mark the step", Key: "*"},
		{Name: "note", About: "write a note on this step", Key: "n"},
		{Name: "compare", About: "compare methods on the same data", Key: "c"},
		{Name: "export: picture, report", Key: "ctrl+e"},
		{Name: "several points", Key: "p", Disabled: "points are evaluated automatically"},
		{Name: "γ  init scale", Also: "gamma edit set", Kind: Parameter, About: "the spread of the untrained networks"},
		{Name: "studies", Also: "open table", Kind: Place},
		{Name: "race", Kind: Elsewhere, Key: "R"},
		{Name: "undo", Kind: Elsewhere, Key: "ctrl+u"},
		{Name: "back", Key: "b"},
		{Name: "report", Disabled: "points are evaluated automatically"},
		{Name: "gp-ucb", Also: "GP-UCB method", Kind: Method},
		{Name: "branin", Kind: Function},
		{Name: "branin-currin", Kind: Function},
		{Name: "samples", Kind: Comparison},
		{Name: "lengthscale", Also: "range", Kind: Term, About: "The distance over which a function changes."},
		{Name: "study", Kind: Term},
	}
	for i := range list {
		list[i].Do = do(list[i].Name)
	}
	return list
}

// The best match of a search is first.
func TestSearch(t *testing.T) {
	all := index(sample(new(string)))
	for _, c := range []struct {
		typed, first string
		recent       []string
	}{
		{"step", "step", nil},
		{"the step", "step", nil},
		{"mark this step", "mark the step", nil},
		{"mark", "mark the step", nil},
		{"write a note", "note", nil},
		{"cmpr", "compare", nil},
		{"comp", "compare", nil},
		{"export", "export: picture, report", nil},
		{"report", "export: picture, report", nil}, // the other can do nothing now
		{"undo", "back", nil},                      // the other belongs to another screen
		{"gamma", "γ  init scale", nil},
		{"edit γ", "γ  init scale", nil},
		{"γ", "γ  init scale", nil},
		{"study", "studies", nil},
		{"open a study", "studies", nil},
		{"what is a study", "study", nil},
		{"branin", "branin", nil},
		{"bran", "branin-currin", []string{"function branin-currin"}},
		{"currin", "branin-currin", nil},
		{"ucb", "gp-ucb", nil},
		{"race the methods", "race", nil},
		{"points", "several points", nil},
		{"", "step", nil},
		{"", "race", []string{"race", "compare"}},
		{"qqq", "", nil},
		{"xyz qqq step", "", nil},
	} {
		found := search(all, c.typed, c.recent)
		if c.first == "" && len(found) == 0 {
			continue
		}
		if len(found) == 0 || found[0].Name != c.first {
			t.Errorf("%q finds %v, want %q first", c.typed, names(found), c.first)
		}
	}
	for _, e := range search(all, "", nil) {
		if e.Kind > Place {
			t.Errorf("without a text there is %q", e.Name)
		}
	}
}

func names(entries []Entry) (list []string) {
	for _, e := range entries {
		list = append(list, e.Name)
	}
	return list
}

// A search takes any text, and finds only entries.
func FuzzSearch(f *testing.F) {
	for _, text := range []string{"", "step", "go to 7", "γ σ²", "\x00\x1b[31m", "日本", strings.Repeat("a ", 99)} {
		f.Add(text)
	}
	all := index(sample(new(string)))
	f.Fuzz(func(t *testing.T, text string) {
		seen := map[string]bool{}
		for _, e := range search(all, text, []string{"note"}) {
			if seen[e.ID()] {
				t.Errorf("%q finds %q twice", text, e.Name)
			}
			seen[e.ID()] = true
		}
		typedNumber(text)
	})
}

// A number goes to a step, alone or with words about going there.
func TestTypedNumber(t *testing.T) {
	for text, want := range map[string]int{"7": 7, "go to step 12": 12, "step 0": 0, "update 40": 40, "page 3": 3,
		"gp 7": -1, "7 8": -1, "": -1, "step": -1, "99999999999999999999": -1} {
		if n, ok := typedNumber(text); ok != (want >= 0) || ok && n != want {
			t.Errorf("%q is %d, %v, want %d", text, n, ok, want)
		}
	}
}

// press types keys into a palette.
func (p *Palette) press(keys ...string) {
	for _, k := range keys {
		p.Press(widget.KeyPress(k))
	}
}

// Keys choose an entry and take it; one that can do nothing now is not taken, and the palette says why.
func TestKeysOfThePalette(t *testing.T) {
	number := func(n int) (Entry, bool) { return Entry{Name: fmt.Sprintf("go to step %d", n)}, n < 10 }
	for _, c := range []struct{ keys, want string }{
		{"enter", "step"}, {"down enter", "mark the step"}, {"down down up enter", "mark the step"},
		{"tab shift+tab enter", "step"}, {"pgdown pgup enter", "step"}, {"c o m p enter", "compare"},
		{"c o m p backspace enter", "compare"}, {"p o i n t s enter", ""}, {"esc", ""}, {"ctrl+p", ""}, {"z q enter", ""},
		{"7 enter", "go to step 7"}, {"1 2 enter", ""}, {"up down enter", "step"}, {"c o m p up down down enter", "compare"},
	} {
		p := New(sample(new(string)), nil, number)
		p.press(strings.Fields(c.keys)...)
		got := ""
		if p.Chosen != nil {
			got = p.Chosen.Name
		}
		if got != c.want || p.Done != (got != "" || strings.HasPrefix(c.keys, "esc") || c.keys == "ctrl+p") {
			t.Errorf("%s chooses %q (%v), want %q", c.keys, got, p.Done, c.want)
		}
	}
	p := New(sample(new(string)), nil, nil)
	p.press("p", "o", "i", "n", "t", "s", "enter")
	if shown := layout.Render(p.Frame(theme.New(true, theme.NoColor, true), 80, 24), 80, 24); !strings.Contains(shown,
		"not now: points are evaluated automatically") {
		t.Errorf("the reason is not shown:\n%s", shown)
	}
	p.Press(tea.PasteMsg{Content: "x\nstep"})
	p.Add([]Entry{{Name: "pointsx step", Kind: Session}})
	assert.NotEqual(t, 0, len(p.matches), "pasted text is not searched, or added entries are not found")
}

// frame is a frame of the palette or a menu over an empty window.
func frame(b *layout.Box, w, h int) *layout.Frame {
	return layout.Arrange(layout.New(w, h, b), w, h)
}

// on is a mouse message at the row of a text.
func on(t *testing.T, b *layout.Box, text string) (x, y int, path []layout.PlacedBox) {
	t.Helper()
	for y, line := range strings.Split(layout.Render(layout.New(100, 30, b), 100, 30), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			x = len([]rune(before))
			return x, y, frame(b, 100, 30).PathAt(x, y)
		}
	}
	t.Fatalf("%q is nowhere", text)
	return 0, 0, nil
}

// A click takes an entry, one beside the palette closes it, the mouse over an entry selects it, and the wheel goes on.
func TestMouseInThePalette(t *testing.T) {
	st := theme.New(true, theme.NoColor, true)
	open := func() *Palette { return New(sample(new(string)), nil, nil) }
	p := open()
	x, y, path := on(t, p.Frame(st, 100, 30), "compare methods")
	p.Mouse(tea.MouseMotionMsg{X: x, Y: y}, path)
	if p.matches[p.at].Name != "compare" || p.Done {
		t.Errorf("the mouse selects %q", p.matches[p.at].Name)
	}
	p.Mouse(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelDown}, path)
	p.Mouse(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelDown}, path)
	p.Mouse(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelUp}, path)
	assert.Equal(t, "export: picture, report", p.matches[p.at].Name, "the wheel goes to")
	p.Mouse(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}, path)
	if p.Chosen == nil || p.Chosen.Name != "compare" {
		t.Errorf("a click takes %+v", p.Chosen)
	}
	p = open()
	p.Frame(st, 100, 30)
	p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, nil)
	if !p.Done || p.Chosen != nil {
		t.Error("a click beside the palette does not close it")
	}
}

// A menu takes entries by enter, by their keys and by clicks, opens menus of its entries, and goes back.
func TestMenu(t *testing.T) {
	sub := []Entry{{Name: "inner", Key: "i"}}
	open := func() *Menu {
		return NewMenu("part", append(sample(new(string))[:6], Entry{Name: "more", Sub: func() []Entry { return sub }}),
			image.Pt(90, 28))
	}
	for _, c := range []struct {
		keys, want string
		done       bool
	}{
		{"enter", "step", true}, {"down enter", "mark the step", true}, {"n", "note", true}, {"*", "mark the step", true},
		{"p", "", false}, {"esc", "", true}, {"m", "", true}, {"left", "", true}, {"x", "", false},
		{"up enter", "", false},
		{"up enter enter", "inner", true},
		{"down down down down down down right i", "inner", true},
		{"down down down down down down enter left enter", "", false},
	} {
		m := open()
		for _, k := range strings.Fields(c.keys) {
			m.Press(widget.KeyPress(k))
		}
		got := ""
		if m.Chosen != nil {
			got = m.Chosen.Name
		}
		if got != c.want || m.Done != c.done {
			t.Errorf("%s chooses %q (%v), want %q", c.keys, got, m.Done, c.want)
		}
	}
	m, st := open(), theme.New(true, theme.NoColor, true)
	x, y, path := on(t, m.Frame(st, 100, 30), "compare methods")
	m.Mouse(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}, path)
	if m.Chosen == nil || m.Chosen.Name != "compare" {
		t.Errorf("a click takes %+v", m.Chosen)
	}
}

// The palette and a menu fit into every window in which pages are shown, and describe everything on them.
func TestFramesAreDescribed(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
		for _, st := range []theme.Style{theme.New(true, theme.TrueColor, false), theme.New(false, theme.NoColor, true)} {
			p := New(sample(new(string)), nil, nil)
			for _, keys := range []string{"", "b", "z z z z z"} {
				p.press(strings.Fields(keys)...)
				explained.Check(t, "the palette", layout.New(size[0], size[1], p.Frame(st, size[0], size[1])), size[0], size[1])
			}
			for _, values := range []image.Point{{}, {X: size[0] - 1, Y: size[1] - 1}} {
				m := NewMenu("part", sample(new(string)), values)
				explained.Check(t, "a menu", layout.New(size[0], size[1], m.Frame(st, size[0], size[1])), size[0], size[1])
			}
		}
	}
}

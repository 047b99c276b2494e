package librarypage

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/layout"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// started is what the form asks for when it is started as it stands.
func started(t *testing.T, m *Model) sessions.Config {
	t.Helper()
	cmd := m.Update(tea.KeyPressMsg{Code: 's', Mod: tea.ModCtrl})
	if said(m) != "" || cmd == nil {
		t.Fatalf("the form does not start: %s", said(m))
	}
	msg := widget.Perform(rights.Rights{}, cmd)
	if batch, ok := msg.(tea.BatchMsg); ok {
		msg = widget.Perform(rights.Rights{}, batch[0])
	}
	want, _ := msg.(widget.ActionMsg)
	start, ok := want.Action.(widget.Start)
	require.True(t, ok, "the form sends %#v", msg)
	return start.Config
}

// The form begins with the setting of the session that is explored: started at once, it asks for the same again, but
// for the budget, which goes with the dimension.
func TestTheFormBeginsWithWhatIs(t *testing.T) {
	for _, c := range []sessions.Config{
		{Problem: "forrester", Optimizer: "gp-ei", Seed: 7},
		{Problem: "hartmann:6", Optimizer: "gp-ucb", Seed: 18446744073709551615, Noise: 0.125},
		{Problem: "forrester", Optimizer: "ei-per-cost", Seed: 1, Cost: "1 + 9*x^2", CostBudget: 30.5},
		{Problem: "thesis-xy", Optimizer: "mobo-rs-ts", Seed: 2, Params: map[string]any{"prior": "box(0.5..0.8, any)"}},
	} {
		m := New(c, "", t.TempDir())
		m.Resize(120, 36)
		m.Restyle(theme.New(true, theme.NoColor, false))
		m.Init()
		assert.Equal(t, c, started(t, m), "%+v becomes", c)
	}
	m := New(sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 7, Noise: 0.5, Cost: "x + 1",
		CostBudget: 20, Params: map[string]any{"kernel": "rbf"}}, "", t.TempDir())
	m.Resize(120, 36)
	m.Init()
	for _, f := range []field{fieldCost, fieldCostBudget} { // an emptied field takes nothing
		m.inputs[f].SetValue("")
	}
	m.selectValue(fieldOptimizer, "random")
	if got := started(t, m); got.Cost != "" || got.CostBudget != 0 || got.Params != nil || got.Optimizer != "random" ||
		got.Noise != 0.5 {
		t.Errorf("emptied fields and another method give %+v", got)
	}
}

// What is written into a field that does not take it stays there with the reason, and nothing starts.
func TestEveryFieldRefuses(t *testing.T) {
	for _, c := range []struct {
		field field
		text  string
		want  string
	}{
		{fieldSeed, "-1", "whole number"}, {fieldSeed, "1.5", "whole number"}, {fieldSeed, "", "whole number"},
		{fieldNoise, "-0.1", "at least 0"}, {fieldNoise, "NaN", "at least 0"}, {fieldNoise, "1e300", "at least 0"},
		{fieldNoise, "", "at least 0"}, {fieldBudget, "0", "from 1 to 1000000"}, {fieldBudget, "1000001", "from 1"},
		{fieldBudget, "ten", "from 1"}, {fieldCost, "1 +", "cost"}, {fieldCost, "y", "y"},
		{fieldCostBudget, "0", "positive"}, {fieldCostBudget, "-3", "positive"},
		{fieldCostBudget, "1e300", "positive"}, {fieldCostBudget, "much", "positive"},
		{fieldFunction, "hartmann:4", "3 or 6"}, {fieldOptimizer, "qqqq", "qqqq"},
	} {
		m := model(t)
		m.inputs[c.field].SetValue(c.text)
		m.start()
		if !strings.Contains(said(m), c.want) || m.field != c.field || m.inputs[c.field].Value() != c.text {
			t.Errorf("%s %q: said in %s is %q", fields[c.field].name, c.text, fields[m.field].name, said(m))
		}
	}
	for f, text := range map[field]string{fieldSeed: "0", fieldNoise: "0", fieldBudget: "1", fieldCostBudget: "0.001"} {
		m := model(t)
		m.inputs[f].SetValue(text)
		if started(t, m); said(m) != "" {
			t.Errorf("%s %q: %s", fields[f].name, text, said(m))
		}
	}
}

// Every function and every method can be looked at before it is taken, with all that there is to know of it.
func TestEveryEntryHasAPreview(t *testing.T) {
	m := model(t)
	m.Resize(200, 70)
	for _, it := range m.lists[fieldFunction] {
		m.selectValue(fieldFunction, it.value)
		p, err := functions.Find(it.value, 0)
		require.NoError(t, err)
		shown := text(m)
		lines := strings.Join(strings.Fields(shown), " ")
		if !strings.Contains(lines, "source: ") || strings.Contains(lines, "optimum: ") != (p.Optimum() != nil) ||
			strings.Contains(lines, "cost of an evaluation") != (p.Cost != nil) ||
			strings.Contains(lines, "full at") != (p.Fidelity != nil) {
			t.Errorf("%s:\n%s", it.value, shown)
		}
		drawn := strings.ContainsFunc(shown, func(r rune) bool { return r > 0x2800 && r < 0x2900 })
		if drawn != (p.Truth != nil) || drawn == strings.Contains(lines, "no plot: ") {
			t.Errorf("the sketch of %s:\n%s", it.value, shown)
		}
	}
	m.focus(fieldOptimizer)
	for _, s := range registry.Supporting(1, false) {
		m.selectValue(fieldOptimizer, s.Name)
		if shown := text(m); !strings.Contains(shown, "family: "+s.Family) {
			t.Errorf("%s:\n%s", s.Name, shown)
		}
	}
}

// Moving about: tab and shift+tab go round, up and down move in a list and between the other fields, and the ends of a
// list say that they are.
func TestMovingInTheForm(t *testing.T) {
	m := model(t)
	press := func(code rune, mod tea.KeyMod) { m.Update(tea.KeyPressMsg{Code: code, Mod: mod}) }
	for i := range int(fieldCount) + 1 {
		if want := (fieldFunction + field(i)) % fieldCount; m.field != want {
			t.Fatalf("after %d tabs one is in %s", i, fields[m.field].name)
		}
		press(tea.KeyTab, 0)
	}
	press(tea.KeyTab, tea.ModShift)
	if press(tea.KeyTab, tea.ModShift); m.field != fieldExperiment {
		t.Errorf("above the functions is %s", fields[m.field].name)
	}
	m.focus(0)
	if press(tea.KeyTab, tea.ModShift); m.field != fieldStart {
		t.Errorf("back beyond the first is %s", fields[m.field].name)
	}
	m.focus(fieldSeed)
	if press(tea.KeyDown, 0); m.field != fieldNoise {
		t.Errorf("below the seed is %s", fields[m.field].name)
	}
	if press(tea.KeyUp, 0); m.field != fieldSeed {
		t.Errorf("above the noise is %s", fields[m.field].name)
	}
	m.focus(fieldLessons)
	n := len(m.lists[fieldLessons])
	for i := range n + 2 {
		if m.selected[fieldLessons] != min(i, n-1) || (said(m) != "") != (i > n-1) {
			t.Fatalf("after %d times down entry %d is selected, said is %q", i, m.selected[fieldLessons], said(m))
		}
		press(tea.KeyDown, 0)
	}
	for i := range n + 1 {
		if m.selected[fieldLessons] != max(n-1-i, 0) {
			t.Fatalf("after %d times up entry %d is selected", i, m.selected[fieldLessons])
		}
		press(tea.KeyUp, 0)
	}
	if !strings.Contains(said(m), "first") {
		t.Errorf("at the top is said %q", said(m))
	}
}

// A domain is told by its first three variables.
func TestDomains(t *testing.T) {
	for d, want := range map[int]string{
		1: "domain: [0, 2]", 3: "domain: [0, 2] × [0, 2] × [0, 2]", 4: "domain: [0, 2] × [0, 2] × [0, 2] × …",
		6: "domain: [0, 2] × [0, 2] × [0, 2] × …"} {
		assert.Equal(t, want, domainLine(functions.Box(d, 0, 2)), "of %d variables", d)
	}
}

// What is typed beyond the width of its field is shown around the cursor, which is the terminal's, and its name stays.
func TestLongValues(t *testing.T) {
	m := model(t)
	enter(m, "enter", "tab", "tab", "tab", "tab", "1 + exp(x) + exp(2*x) + exp(3*x)")
	check := func(want string, col int) {
		t.Helper()
		row := formRow(fieldCost) + 1
		position, ok := layout.Arrange(m.Frame(), m.Width, m.Height).Cursor()
		if l := strings.Split(strings.Split(text(m), "\n")[row], "│")[1]; !strings.Contains(l,
			"▸ cost           "+want) || !ok || position.X != 19+col || position.Y != row {
			t.Errorf("at %v (%v) stands %q, want %q and column %d", position, ok, l, want, 19+col)
		}
	}
	check("2*x) + exp(3*x) ", 15)
	for range 20 {
		m.Update(screentest.Key("left"))
	}
	check("1 + exp(x) + exp", 12)
	m.Update(screentest.Key("home"))
	check("1 + exp(x) + exp", 0)
}

// The cursor of the terminal is in the field that is typed into, also where a list stands on an entry of it, and
// nowhere else.
func TestTheCursorIsInTheField(t *testing.T) {
	m := model(t)
	for f := range fieldCount {
		m.focus(f)
		frame := layout.Arrange(m.Frame(), m.Width, m.Height)
		cursor, ok := frame.Cursor()
		if path := frame.PathAt(cursor.X, cursor.Y); ok != (f != fieldStart) || ok &&
			(cursor.Y != formRow(f)+1 || path[len(path)-2].Name != fields[f].name) {
			t.Errorf("in %s the cursor is at %v (%v)", fields[f].name, cursor, ok)
		}
		n := 0
		for _, p := range frame.Boxes {
			if p.Focus != nil {
				n++
			}
		}
		if n < int(fieldCount) {
			t.Errorf("in %s %d boxes take keys", fields[f].name, n)
		}
	}
	m.focus(fieldLessons)
	enter(m, "ker")
	if !strings.Contains(text(m), "▸ course  ker") {
		t.Errorf("what is typed does not stand behind the name:\n%s", text(m))
	}
	if m.Status.Ask("rename to", "tuesday", nil); !strings.Contains(text(m),
		" rename to: tuesday   enter accept, esc cancel") {
		t.Errorf("it is not asked:\n%s", text(m))
	}
	if cursor, ok := layout.Arrange(m.Frame(), m.Width, m.Height).Cursor(); !ok || cursor.Y != m.Height-1 ||
		cursor.X != len(" rename to: tuesday") {
		t.Errorf("asked for a name, the cursor is at %v (%v)", cursor, ok)
	}
	explained.Check(t, "asked for a name", m.Frame(), m.Width, m.Height)
}

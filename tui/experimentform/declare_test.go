package experimentform

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/experiment"
	"bandscope/sessions"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/layout"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// form drives the screen; what it wants of the window is kept.
type form struct {
	*Model
	t    *testing.T
	want widget.Action
}

func open(t *testing.T, from sessions.Config) *form {
	t.Helper()
	f := &form{Model: New(), t: t}
	f.Permit(rights.Own(""))
	require.NoError(t, f.Begin(from))
	f.Resize(120, 36)
	f.Restyle(theme.New(true, theme.TrueColor, false))
	f.Init()
	return f
}

func (f *form) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if name := runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()).Name(); strings.Contains(name, "/cursor.") ||
		strings.Contains(name, ".Tick.func") {
		return // it waits for a clock
	}
	switch msg := widget.Perform(rights.Rights{}, cmd).(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			f.do(c)
		}
	case widget.ActionMsg:
		f.want = msg.Action
	default:
		f.do(f.Update(msg))
	}
}

// press presses keys by their names.
func (f *form) press(names ...string) {
	for _, n := range names {
		f.do(f.Update(screentest.Key(n)))
	}
}

func (f *form) types(text string) {
	for _, k := range screentest.Text(text) {
		f.do(f.Update(k))
	}
}

// fills fills fields in their order, key=text in each line, a + for another row: tab goes on to the next of that name.
func (f *form) fills(script string) {
	f.t.Helper()
	for line := range strings.Lines(script) {
		key, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		for n := 0; ; n++ {
			field, ok := f.field(f.at)
			if ok && field.Key == key || !ok && key == "+" {
				break
			}
			if n > 50 {
				f.t.Fatalf("there is no field %q", key)
			}
			f.press("tab")
		}
		if key == "+" {
			f.press("enter")
		}
		f.types(text)
	}
}

func (f *form) text() string { return ansi.Strip(layout.Render(f.Frame(), f.Width, f.Height)) }

func (f *form) shows(want string) {
	f.t.Helper()
	if !strings.Contains(f.text(), want) {
		f.t.Errorf("the screen does not show %q:\n%s", want, f.text())
	}
}

// example is the example of the guide to experiments.
const example = "../../functions/experiment/testdata/espresso.toml"

// espresso is that example as it is typed.
const espresso = `name=espresso
about=extraction against bitterness on the lever machine
budget=24
name=dose
unit=g
low=14
high=20
+
name=time
unit=s
low=20
high=40
name=extraction
direction=ma
unit=%
range=14 to 24
noise=0.3
+
name=bitterness
direction=m
range=0..10`

// The guide's example, typed, is the guide's file; the session that is wanted is about it, and a point can be asked
// for.
func TestTypedWrittenAndBegun(t *testing.T) {
	want, err := os.ReadFile(example)
	require.NoError(t, err)
	dir := t.TempDir()
	t.Chdir(dir)
	f := open(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 7})
	f.fills(espresso)
	f.shows("complete: ctrl+s")
	f.press("ctrl+s")
	f.shows("write to: espresso.toml")
	f.press("enter")
	start, ok := f.want.(widget.Start)
	if !ok {
		t.Fatalf("it wants %#v:\n%s", f.want, f.text())
	}
	if start.Config.Problem != "espresso" || start.Config.Seed != 7 || start.Config.Optimizer != "" ||
		start.Config.ExperimentFile == nil {
		t.Errorf("a session is wanted with %+v", start.Config)
	}
	got, err := os.ReadFile("espresso.toml")
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "the file is\n%s\nwant\n%s", got, want)
	if s, err := sessions.New(t.Context(), start.Config); err != nil || s.State().Spec.Name != "ehvi" {
		t.Errorf("the session: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("%v is left behind", left)
	}
}

// A file that is there is only replaced when it was asked back, and a name that cannot be written to stays to be
// mended.
func TestFilesAreNotOverwritten(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("espresso.toml", []byte("mine"), 0o600))
	f := open(t, sessions.Config{})
	f.fills(espresso)
	f.press("ctrl+s", "enter")
	f.shows("espresso.toml already exists; press enter again to replace it")
	if text, _ := os.ReadFile("espresso.toml"); string(text) != "mine" || f.want != nil {
		t.Fatalf("it is %q, wanted is %v", text, f.want)
	}
	f.types("-2")
	f.press("enter") // another name, with another ending
	if _, err := os.Stat("espresso.toml-2.toml"); err != nil || f.want == nil {
		t.Errorf("%v, wanted is %v:\n%s", err, f.want, f.text())
	}
	f.want = nil
	f.press("ctrl+s", "enter", "enter")
	if text, _ := os.ReadFile("espresso.toml"); !strings.HasPrefix(string(text), "name   = \"espresso\"") ||
		f.want == nil {
		t.Errorf("it is %q, wanted is %v", text, f.want)
	}
	f.want = nil
	f.press("ctrl+s")
	for range "espresso.toml" {
		f.press("backspace")
	}
	f.types("no/such/folder\n")
	f.shows("write to: no/such/folder")
	f.shows("cannot write a file to the folder")
	f.press("esc")
	if f.press("esc"); f.want != widget.Action(widget.Close{}) {
		t.Errorf("esc wants %#v", f.want)
	}
}

// What is wrong is said under its row while it is typed, in the words of the file's checks; what is missing only when
// it is to be written.
func TestFaultsStandUnderTheirFields(t *testing.T) {
	f := open(t, sessions.Config{})
	f.shows("6 fields to fill in")
	f.types("branin")
	f.shows(`× "branin" is the name of a test function; choose another`)
	f.fills("name=x\ncost=2*z\nname=dose\nlow=20\nhigh=14")
	lines := strings.Split(f.text(), "\n")
	for i, l := range lines {
		if strings.Contains(l, " dose ") && !strings.Contains(lines[i+1],
			"× low must be less than high, got") {
			t.Errorf("under the row stands %q", lines[i+1])
		}
	}
	f.fills("high=0\nname=y")
	if strings.Contains(f.text(), "has no direction") {
		t.Errorf("what is missing is told before it is wanted:\n%s", f.text())
	}
	f.press("ctrl+s")
	f.shows("this objective has no direction")
	if field, _ := f.field(f.at); field.Key != "budget" && field.Key != "direction" {
		t.Errorf("the cursor is on %q", field.Key)
	}
}

// The smallest worthwhile improvement is checked while it is typed.
func TestWorthwhileIsChecked(t *testing.T) {
	for text, want := range map[string]string{"-2": "× worthwhile must be", "0": "× worthwhile must be above 0, got 0",
		"2 %": "× worthwhile", "much": "× worthwhile", "1e999": "× worthwhile"} {
		f := open(t, sessions.Config{})
		f.fills("worthwhile=" + text)
		f.shows(want)
	}
	f := open(t, sessions.Config{})
	f.fills("worthwhile=0.5")
	if strings.Contains(f.text(), "× worthwhile") {
		t.Errorf("0.5 is a fault:\n%s", f.text())
	}
}

// The cost is tried off the update loop, and what is wrong with it stands under it.
func TestCostIsTried(t *testing.T) {
	f := open(t, sessions.Config{})
	f.fills(strings.Replace(espresso, "name=dose", "cost=dose - 17\nname=dose", 1))
	f.shows(`× the cost "dose - 17" is`)
	f.press("ctrl+s")
	if f.at.table != experiment.Root || f.Status.Open() {
		t.Errorf("ctrl+s leads to %+v", f.at)
	}
	f.types("\b")
	f.press("backspace", "backspace")
	f.types("3")
	f.shows("complete")
}

// Constraints are typed with semicolons between them, checked while they are, and tried as the cost is.
func TestConstraintsAreTyped(t *testing.T) {
	f := open(t, sessions.Config{})
	f.fills(strings.Replace(espresso, "name=dose", "constraints=dose + time <= 55; max(dose, 15) <= tme\nname=dose", 1))
	f.shows("you mean time?)")
	f.fills("constraints=")
	f.press("backspace", "backspace", "backspace")
	f.types("9")
	f.shows(`× the constraint "max(dose, 15) <= 9" does not hold at`)
	f.press("backspace")
	f.types("19")
	f.shows("complete")
	if want := []string{
		"dose + time <= 55", "max(dose, 15) <= 19"}; !slices.Equal(f.written.Declaration.Constraints, want) {
		t.Errorf("the constraints are %q", f.written.Declaration.Constraints)
	}
}

// Rows are added, moved, removed and brought back; a form is emptied and brought back.
func TestRows(t *testing.T) {
	f := open(t, sessions.Config{})
	names := func() string {
		var list []string
		for _, row := range f.draft.Variables {
			list = append(list, row["name"])
		}
		return strings.Join(list, " ")
	}
	check := func(want string, keys ...string) {
		t.Helper()
		if f.press(keys...); names() != want {
			t.Errorf("after %v the variables are %q, want %q", keys, names(), want)
		}
	}
	check("a", "down", "down", "down", "down", "a")
	check("a b", "down", "b") // typing behind the last row begins one
	check("a b c", "down", "enter", "c")
	check("a c b", "shift+up")
	check("c a b", "shift+up")
	check("c a b", "shift+up")
	f.shows("the row cannot move further")
	check("a c b", "shift+down")
	check("a b", "ctrl+d")
	check("a c b", "ctrl+u")
	check("", "empty_the_form")
	check("a c b", "ctrl+u")
	check("a c b", "ctrl+u")
	f.shows("nothing was removed or replaced")
	check("a c b", "down", "down", "down", "ctrl+d")
	if f.shows("no row is selected; up and down go to one"); len(f.draft.Objectives) != 1 {
		t.Errorf("%d objectives", len(f.draft.Objectives))
	}
}

// A choice is chosen by the arrows, by its first letters and by one letter again and again, and taken away.
func TestChoices(t *testing.T) {
	f := open(t, sessions.Config{})
	direction, scale := f.draft.Objectives[0], f.draft.Variables[0]
	f.enter(spot{experiment.Objectives, 0, 1})
	for _, c := range []struct{ key, want string }{
		{"right", "minimize"}, {"right", "maximize"}, {"right", "minimize"}, {"left", "maximize"}, {"backspace", ""},
		{"left", "maximize"}, {"delete", ""},
		{"m", "minimize"}, {"a", "maximize"}, {"m", "minimize"}, {"m", "maximize"}, {"x", "maximize"}} {
		if f.press(c.key); direction["direction"] != c.want {
			t.Errorf("%s chooses %q, want %q", c.key, direction["direction"], c.want)
		}
	}
	f.shows("x is not a choice; left and right go through minimize, maximize")
	f.goTo(experiment.Place{Table: experiment.Variables, Key: "scale"})
	for _, c := range []struct{ key, want string }{
		{"right", "log"}, {"right", ""}, {"l", "log"}, {"l", ""}, {"l", "log"}, {"l", ""}, {"i", ""}, {"l", "log"},
		{"o", "log"}} {
		if f.press(c.key); scale["scale"] != c.want {
			t.Errorf("%s chooses %q, want %q", c.key, scale["scale"], c.want)
		}
	}
}

// What was typed stays when the form is left; what a session declares fills it, and what stood there can be brought
// back; a file fills it too.
func TestFormIsFilled(t *testing.T) {
	cfg, err := sessions.Config{Optimizer: "ehvi", Seed: 3}.WithExperiment(example)
	require.NoError(t, err)
	name := func(f *form) string { return f.draft.Root["name"] }
	f := open(t, sessions.Config{Problem: "branin"})
	f.types("mine")
	if f.Begin(sessions.Config{Problem: "branin"}); name(f) != "mine" {
		t.Errorf("what was typed is %q", name(f))
	}
	if f.Begin(cfg); name(f) != "espresso" || f.written.Declaration == nil {
		t.Errorf("the form is filled with %q", name(f))
	}
	f.shows("a new experiment like espresso")
	f.press("ctrl+u")
	assert.Equal(t, "mine", name(f), "brought back")
	f.Begin(cfg)
	f.types("-2")
	if f.Begin(cfg); name(f) != "espresso-2" {
		t.Errorf("the changed copy is %q", name(f))
	}
	t.Chdir(t.TempDir())
	f.press("ctrl+s", "enter")
	if start, ok := f.want.(widget.Start); !ok || start.Config.Optimizer != "ehvi" ||
		start.Config.Problem != "espresso-2" {
		t.Errorf("wanted is %+v", f.want)
	}
	if f.Begin(sessions.Config{}); name(f) != "" {
		t.Errorf("after a session was begun the form has %q", name(f))
	}
	f.press("ctrl+l")
	f.types("espresso-2.toml\n")
	if name(f) != "espresso-2" {
		t.Errorf("filled from the file it has %q:\n%s", name(f), f.text())
	}
	require.NoError(t, os.WriteFile("bad.toml", []byte("name = 3\nlow = 4\n"), 0o600))
	f.press("ctrl+l")
	f.types("bad.toml\n")
	f.shows("bad.toml: line 1, column 8: name must be text in quotes")
	f.shows("more)")
}

// Screens at three sizes, and without colours and signs.
func TestScreens(t *testing.T) {
	const wrong = `name=espresso
budget=40
about=extraction against bitterness on the lever machine
cost=1 + dose/10
name=dose
unit=g
low=14
high=20
+
name=time
unit=s
low=40
high=20
scale=lo
+
name=max
low=14,5
name=extraction
direction=ma
unit=%
range=24..14
noise=0.3
+
name=bitterness
direction=m
unit=`
	for _, c := range []struct {
		name, typed string
		w, h        int
		style       theme.Style
	}{
		{"empty-80x24", "", 80, 24, theme.New(true, theme.NoColor, false)},
		{"complete-120x36", espresso, 120, 36, theme.New(true, theme.TrueColor, false)},
		{"wrong-80x24", wrong, 80, 24, theme.New(true, theme.NoColor, false)},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := open(t, sessions.Config{})
			f.Resize(c.w, c.h)
			f.Restyle(c.style)
			f.fills(c.typed)
			screentest.Check(t, c.name, layout.Render(f.Frame(), c.w, c.h), false)
			explained.Check(t, c.name, f.Frame(), c.w, c.h)
			f.Restyle(theme.New(true, theme.NoColor, true))
			screentest.ASCII(t, c.name, layout.Render(f.Frame(), c.w, c.h))
		})
	}
}

// In windows of every size, wherever the cursor is, boxes lie inside of what holds them and beside each other, and the
// terminal's cursor stands in the field that is typed into, behind what is typed.
func TestEverySizeFits(t *testing.T) {
	f := open(t, sessions.Config{})
	f.fills("name=p\nname=solvent\nkind=c\nchoices=toluene, DMF, a solvent with a name that is longer than its field\n+\nname=x\nlow=3\nhigh=1\n+\nname=y\nkind=o\nvalues=1 2 3\nname=y\ndirection=mi\n+\nname=z\n+\n" +
		"name=limited\nat_most=3")
	for _, line := range f.lines() {
		for _, s := range line {
			f.enter(s)
			field, ok := f.field(s)
			for _, w := range []int{80, 117, 118, 200} {
				for _, h := range []int{24, 60} {
					f.Resize(w, h)
					frame := layout.Arrange(f.Frame(), w, h)
					for _, fault := range frame.Faults() {
						t.Errorf("%+v, %dx%d: %s", s, w, h, fault)
					}
					cursor, typed := frame.Cursor()
					if typed != (ok && field.Choices == nil) {
						t.Errorf("%+v, %dx%d: the cursor is at %v (%v)", s, w, h, cursor, typed)
					}
					if before := layout.Render(f.Frame(), cursor.X, h); typed && f.Model.text(s) != "" {
						if row := strings.Split(ansi.Strip(before), "\n")[cursor.Y]; !strings.HasSuffix(f.Model.text(s),
							row[max(len(row)-3, 0):]) && !strings.HasSuffix(row, f.Model.text(s)) {
							t.Errorf("%+v, %dx%d: before the cursor stands %q", s, w, h, row)
						}
					}
				}
			}
		}
		explained.Check(t, f.rowName(line), f.Frame(), f.Width, f.Height)
	}
}

// A row shows the fields that fit its kind; what is typed in the others comes back with the kind and is in no file.
func TestKinds(t *testing.T) {
	f := open(t, sessions.Config{})
	f.fills("name=p\nbudget=9\nname=solvent\nlow=1\nhigh=6\nname=y\ndirection=mi")
	f.shows("complete")
	kind := func(letter, shown, in, out string) {
		t.Helper()
		f.goTo(experiment.Place{Table: experiment.Variables, Key: "kind"})
		f.types(letter)
		f.shows(shown)
		if text := string(f.written.Text); !strings.Contains(text, in) || strings.Contains(text, out) {
			t.Errorf("the file of %s is\n%s", letter, text)
		}
	}
	kind("o", "kind       unit values", `kind = "ordered"`, "high")
	f.shows("1 field to fill in")
	f.fills("values=0.5 1 2.5")
	f.shows("complete")
	kind("c", "kind       unit choices", `kind = "choice"`, "0.5")
	f.fills("choices=toluene, DMF")
	f.shows("complete")
	kind("i", "kind       unit low      high", "high = 6", "toluene")
	f.shows("complete")
	kind("o", "0.5 1 2.5", "[0.5, 1, 2.5]", "high")
}

// An example is shown as it is typed: without the quotes and brackets of the file.
func TestExamplesAreAsTyped(t *testing.T) {
	want := map[string]string{"choices": "water, ethanol", "constraints": "dose * ratio <= 40",
		"values": "0.1, 0.3, 1, 3", "descriptors": "boiling = [100, 78]", "range": "14, 24", "at_most": "10"}
	for _, table := range []string{experiment.Root, experiment.Variables, experiment.Objectives, experiment.Limits} {
		for _, f := range experiment.Fields(table) {
			text := exampleFor(f)
			if strings.ContainsAny(text, `"{}`) || strings.Count(text, "[") != strings.Count(text, "]") || text == "" {
				t.Errorf("%s %s: the example is %q", table, f.Key, text)
			}
			if w := want[f.Key]; w != "" && table != experiment.Limits && text != w {
				t.Errorf("%s %s: the example is %q, want %q", table, f.Key, text, w)
			}
		}
	}
}

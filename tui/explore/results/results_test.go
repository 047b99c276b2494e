package results

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/explore/mode"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/widget"
)

// espresso is a session on an experiment of two variables and two objectives, with so many points out.
func espresso(t *testing.T, out int) *sessions.Session {
	t.Helper()
	return waiting(t, "espresso", out)
}

// waiting is a session on an experiment, with so many points out.
func waiting(t *testing.T, name string, out int) *sessions.Session {
	t.Helper()
	cfg, err := sessions.Config{Seed: 3, Optimizer: "random",
		Params: map[string]any{"design_size": "budget"}}.WithExperiment(
		"../../../functions/experiment/testdata/" + name + ".toml")
	require.NoError(t, err)
	s := modetest.Session(t, cfg, 0)
	for range out {
		_, err = s.Ask(t.Context(), nil)
		require.NoError(t, err)
	}
	return s
}

// typed presses keys by their names, and does what is to be told on the session; a word that is no key is typed.
func typed(t *testing.T, s *sessions.Session, f *Form, keys string) (all []widget.Action) {
	t.Helper()
	for name := range strings.FieldsSeq(keys) {
		var got []widget.Action
		switch name {
		case "enter", "tab", "shift+tab", "up", "down", "ctrl+s", "ctrl+x", "ctrl+k", "esc", "backspace", "left",
			"right":
			got = modetest.Press(f, modetest.Scene(s), name)
		default:
			got = modetest.Type(f, modetest.Scene(s), name)
		}
		all = append(all, got...)
		for _, a := range got {
			if change, ok := a.(mode.Change); ok {
				_, err := change.Do(t.Context(), s, nil)
				all = append(all, modetest.Take(f, modetest.Scene(s), mode.Changed{Err: err})...)
			}
		}
	}
	return all
}

// Where it was really run a choice is chosen, or named by the beginning of its name; what is no level is said.
func TestChoices(t *testing.T) {
	s, f := waiting(t, "coupling", 1), newForm()
	d := s.State().Problem.Domain
	suggested := d.Text(s.State().Pending[0].Points[0].X)
	modetest.Start(f, modetest.Scene(s))
	typed(t, s, f, "42 tab tab tab right right left tab 2.5")
	if got := modetest.Text(f.Panel(modetest.Scene(s), 60, 30)); !strings.Contains(got,
		"portions must be a whole number, got 2.5") {
		t.Errorf("%s has no word of 2.5 portions", got)
	}
	typed(t, s, f, "backspace backspace tab dio tab")
	if got := modetest.Text(f.Panel(modetest.Scene(s), 60, 30)); !strings.Contains(got, "dioxane") {
		t.Errorf("%s has no dioxane", got)
	}
	typed(t, s, f, "ctrl+s")
	its := s.State().Iterations
	if len(its) != 1 {
		t.Fatalf("nothing was told of %s: %s", suggested, modetest.Text(f.Panel(modetest.Scene(s), 60, 30)))
	}
	if got := d.Text(its[0].Points[0].X); !strings.Contains(got, "portions = 2, solvent = dioxane") {
		t.Errorf("run at %s, suggested %s", got, suggested)
	}
}

// What is entered is told, and nothing else: the form says of everything what is wrong with it, and where.
func TestReport(t *testing.T) {
	for _, c := range []struct {
		name, keys string
		want       string // of the first iteration that is done, or what is missing of the first that is out
		says       string // some of the last sentence
	}{
		{"all values", "18.2 tab tab 3 ctrl+s", "y 18.2 3", ""},
		{"by enter alone", "18.2 enter enter 3 enter enter enter enter enter enter enter", "y 18.2 3", ""},
		{"with an error", "18.2 tab 0.3 tab 3 ctrl+s", "y 18.2 3 se 0.3 NaN", ""},
		{"in part", "18.2 ctrl+s", "waits for bitterness", ""},
		{"the rest later", "18.2 ctrl+s 3 ctrl+s", "y 18.2 3", ""},
		{"failed", "tab tab tab tab tab tab tab clogged ctrl+s", "failed clogged", ""},
		{"elsewhere", "18.2 tab tab 3 tab tab 15 ctrl+s", "y 18.2 3 at 15", ""},
		{"with cost and note", "18.2 tab tab 3 shift+tab shift+tab shift+tab nice shift+tab shift+tab 2 ctrl+s",
			"y 18.2 3 cost 2 note nice", ""},
		{"nothing", "ctrl+s", "", "the form is empty"},
		{"no number", "18x tab tab 3 ctrl+s", "", `extraction: "18x" is not a number`},
		{"a comma", "18,2 ctrl+s", "", "write 18.2 with a decimal point"},
		{"the number is not finite", "NaN ctrl+s", "", "leave it empty and enter the reason below"},
		{"too large", "1e999 ctrl+s", "", "the number is not finite"},
		{"mended", "18x tab tab 3 ctrl+s backspace ctrl+s", "y 18 3", "is not a number"},
		{"an error that is none", "18 tab 0 ctrl+s", "", "a standard error must be positive"},
		{"an error alone", "tab 1 tab 3 ctrl+s", "", "extraction has a standard error but no value"},
		{"outside of the bounds", "18 tab tab tab tab 9 ctrl+s", "",
			"dose = 9 g is outside of its bounds, 14 to 20; press ctrl+s again to report it"},
		{"outside of the bounds and sure", "18 tab tab 3 tab tab 9 ctrl+s ctrl+s", "y 18 3 at 9", "to report it"},
		{"elsewhere, to the last digit", "18.2 tab tab 3 tab tab backspace 5 ctrl+s", "y 18.2 3 at 17.35", ""},
		{"told anew", "18.2 tab 0.3 ctrl+s ctrl+x backspace 9 tab tab 3 ctrl+s", "y 18.9 3 se 0.3 NaN",
			"change the reported result"},
		{"told anew in part", "18.2 ctrl+s ctrl+x backspace 9 ctrl+s 3 ctrl+s", "y 18.9 3", "the reported result"},
		{"not told anew", "18.2 ctrl+s ctrl+x 9 ctrl+x 3 ctrl+s", "y 18.2 3", "change the reported result"},
		{"nothing to tell anew", "ctrl+x", "", "no reported result to correct"},
		{"failed with values", "18 tab tab 3 tab tab tab tab tab clogged ctrl+s", "", "clear one of them"},
		{"outside of the range", "42 tab tab 3 ctrl+s", "",
			"extraction: 42 % is outside the expected range 14 to 24; press ctrl+s again to report it"},
		{"outside and sure", "42 tab tab 3 ctrl+s ctrl+s", "y 42 3", "to report it"},
		{"outside and changed", "42 tab tab 3 ctrl+s backspace 4 ctrl+s", "", "to report it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, f := espresso(t, 1), newForm()
			modetest.Start(f, modetest.Scene(s))
			text := ""
			for _, a := range typed(t, s, f, c.keys) {
				if say, ok := a.(mode.Say); ok {
					text = say.Text
				}
			}
			assert.Equal(t, c.want, outcome(s.State()), "told")
			if !strings.Contains(text, c.says) || c.says == "" && text != "" {
				t.Errorf("it says %q, want %q", text, c.says)
			}
			if out := len(s.State().Pending); (out == 0) != (c.want != "" && !strings.HasPrefix(c.want, "waits")) {
				t.Errorf("%d points are out", out)
			}
		})
	}
}

// outcome is what came of the first point, in words.
func outcome(st sessions.State) string {
	if len(st.Iterations) == 0 {
		if st.Pending[0].HasResults() {
			return "waits for " + strings.Join(st.Pending[0].Points[0].Missing, ", ")
		}
		return ""
	}
	it := st.Iterations[0]
	var parts []string
	if it.Points[0].Failed {
		parts = append(parts, "failed "+it.Points[0].Reason)
	} else {
		parts = append(parts, "y", widget.Number(it.Points[0].Y[0]), widget.Number(it.Points[0].Y[1]))
	}
	if it.Points[0].SE != nil && it.Points[0].SE[0] > 0 {
		parts = append(parts, "se", widget.Number(it.Points[0].SE[0]), widget.Number(it.Points[0].SE[1]))
	}
	if it.Points[0].Suggested != nil {
		parts = append(parts, "at", widget.Number(it.Points[0].X[0]))
	}
	if it.Points[0].Cost != 1 {
		parts = append(parts, "cost", widget.Number(it.Points[0].Cost))
	}
	if it.Points[0].Note != "" {
		parts = append(parts, "note", it.Points[0].Note)
	}
	return strings.Join(parts, " ")
}

// Where several points are out each has what was typed for it, also after the form was left; they are told in any
// order.
func TestSeveralOut(t *testing.T) {
	s, f := espresso(t, 3), newForm()
	out := s.State().Pending
	require.Equal(t, []widget.Action{mode.Enter{Mode: f}}, modetest.Start(f, modetest.Scene(s)), "it starts with")
	got := typed(t, s, f, "15 down 16 esc")
	if want := "your input is kept"; len(got) != 2 || !strings.Contains(got[0].(mode.Say).Text, want) ||
		got[1] != (mode.Leave{}) {
		t.Errorf("leaving gives %+v", got)
	}
	modetest.Start(f, modetest.Scene(s))
	typed(t, s, f, "tab tab 4 ctrl+s")
	if its := s.State().Iterations; len(its) != 1 || its[0].ID != out[1].ID || its[0].Points[0].Y[0] != 16 ||
		its[0].Points[0].Y[1] != 4 {
		t.Fatalf("told is %+v", its)
	}
	got = typed(t, s, f, "tab tab 5 ctrl+s 17 tab tab 6 ctrl+s")
	if its := s.State().Iterations; len(its) != 3 || its[1].ID != out[0].ID || its[1].Points[0].Y[0] != 15 ||
		got[len(got)-1] != (mode.Leave{}) {
		t.Errorf("told is %+v, with %+v", its, got)
	}
	if got := modetest.Start(f, modetest.Scene(s)); !reflect.DeepEqual(got,
		[]widget.Action{mode.Say{Text: NonePending}}) {
		t.Errorf("without a point it starts with %+v", got)
	}
}

// Behind a point that is told in part comes the next one.
func TestNextBehindAPart(t *testing.T) {
	s, f := espresso(t, 2), newForm()
	modetest.Start(f, modetest.Scene(s))
	typed(t, s, f, "18 ctrl+s 19 ctrl+s")
	if out := s.State().Pending; len(out) != 2 || !out[0].HasResults() || !out[1].HasResults() ||
		out[1].Points[0].Y[0] != 19 {
		t.Errorf("out are %+v", out)
	}
}

// What could not be told stays in the form.
func TestReportErrors(t *testing.T) {
	s, f := espresso(t, 1), newForm()
	modetest.Start(f, modetest.Scene(s))
	modetest.Type(f, modetest.Scene(s), "18")
	if got := modetest.Press(f, modetest.Scene(s), "ctrl+s"); len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	if got := modetest.Press(f, modetest.Scene(s), "ctrl+s"); len(got) != 0 {
		t.Errorf("while it is told it is told again: %+v", got)
	}
	modetest.Take(f, modetest.Scene(s), mode.Changed{Err: errors.New("the disk is full")})
	if text := modetest.Text(f.Panel(modetest.Scene(s), 60, 30)); !strings.Contains(text, "extraction  18") {
		t.Errorf("it is lost:\n%s", text)
	}
	modetest.Take(f, modetest.Scene(s), tea.PasteMsg{Content: ".25"})
	typed(t, s, f, "ctrl+s")
	if st := s.State(); st.Pending[0].Points[0].Y[0] != 18.25 {
		t.Errorf("told is %+v", st.Pending)
	}
}

// The point that a person has just given out comes first.
func TestOwnPointFirst(t *testing.T) {
	s, f := espresso(t, 2), newForm()
	if _, err := s.AskPoint([]float64{15, 25}); err != nil {
		t.Fatal(err)
	}
	modetest.Start(f, modetest.Scene(s))
	if text := modetest.Text(f.Panel(modetest.Scene(s), 60, 30)); !strings.Contains(text, "point 3") ||
		!strings.Contains(text, "your own point") {
		t.Errorf("the form is\n%s", text)
	}
}

// Form and list have the size that they are given, and show the field that is typed.
func TestListOfABatch(t *testing.T) {
	s := espresso(t, 1)
	list, err := s.AskBatch(t.Context(), sessions.Batch{Points: 2, Shared: []string{"dose"}, MinDistance: 0.1}, nil)
	require.NoError(t, err)
	value := "dose " + widget.Number(list[0].Points[0].X[0]) + " g"
	text := modetest.Text(Box(modetest.Scene(s), 40, 30))
	if n := strings.Count(text, "2 at "+value+", 0.1 apart"); n != 1 {
		t.Errorf("what the batch shares stands there %d times:\n%s", n, text)
	}
	if n := strings.Count(text, "dose "); n != 3 {
		// of the point before it, over the batch, and in the reason of the first
		t.Errorf("the dose stands there %d times:\n%s", n, text)
	}
}

func TestPanels(t *testing.T) {
	s, f := espresso(t, 5), newForm()
	scene := modetest.Scene(s)
	scene.Now = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	scene.Asked = map[string]time.Time{s.State().Pending[0].ID: scene.Now.Add(-125 * time.Minute),
		s.State().Pending[1].ID: scene.Now.Add(-75 * time.Hour),
		s.State().Pending[2].ID: scene.Now.Add(-3 * time.Minute)}
	modetest.Start(f, scene)
	for range 9 {
		f.Update(scene, screentest.Key("tab"))
		for h := 4; h < 30; h++ {
			for _, w := range []int{24, 40, 72} {
				form, list := f.Panel(scene, w, h), Box(scene, w, h)
				explained.Check(t, "the form", form, w, h)
				explained.Check(t, "the list", list, w, h)
				if text := modetest.Text(form); !strings.Contains(text, "▸") {
					t.Fatalf("%d×%d does not show the field:\n%s", w, h, text)
				}
			}
		}
	}
	text := modetest.Text(Box(scene, 40, 20))
	for _, want := range []string{"5 pending points", "2 h", "3 days", "3 min", "dose", " g", " s"} {
		assert.Contains(t, text, want, "the list does not show %q:\n%s", want, text)
	}
	assert.Equal(t, "5 points are pending; press enter to report their results", Sentence(s.State()), "it")
}

// A long name gives way to its number: what is to be set is read in a narrow list, too.
func TestTheListShowsTheNumbers(t *testing.T) {
	cfg := sessions.Config{Seed: 3, Optimizer: "random"}
	file := filepath.Join(t.TempDir(), "long.toml")
	text := "name = \"long\"\n[[variable]]\nname = \"detuning_of_the_laser_from_resonance\"\nlow = 1e-9\n" +
		"high = 5e-9\nunit = \"m\"\n[[objective]]\nname = \"counts\"\ndirection = \"maximize\"\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	cfg, err := cfg.WithExperiment(file)
	require.NoError(t, err)
	s := modetest.Session(t, cfg, 0)
	it, err := s.Ask(t.Context(), nil)
	require.NoError(t, err)
	want := widget.Number(it.Points[0].X[0]) + " m"
	for w := 20; w <= 80; w += 5 {
		if shown := modetest.Text(Box(modetest.Scene(s), w, 8)); !strings.Contains(shown, want) {
			t.Errorf("in %d columns %s is not shown:\n%s", w, want, shown)
		}
	}
}

// The list says in how long each result is due, beside the age or in a line of its own, and for how long it has been.
func TestDueResults(t *testing.T) {
	cfg, err := sessions.Config{Seed: 3, Optimizer: "random"}.WithExperiment(
		"../../../functions/experiment/testdata/espresso.toml")
	require.NoError(t, err)
	cfg.Experiment.Duration = "2d"
	s := modetest.Session(t, cfg, 0)
	for range 2 {
		_, err = s.Ask(t.Context(), nil)
		require.NoError(t, err)
	}
	scene := modetest.Scene(s)
	scene.Now = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	scene.Asked = map[string]time.Time{s.State().Pending[0].ID: scene.Now.Add(-53 * time.Hour),
		s.State().Pending[1].ID: scene.Now.Add(-3 * time.Hour)}
	for w, want := range map[int][]string{60: {"2 days, was due 5 h ago", "3 h, due in 45 h"},
		26: {"was due 5 h ago", "due in 45 h"}} {
		box := Box(scene, w, 20)
		explained.Check(t, "the list", box, w, 20)
		for _, text := range want {
			if shown := modetest.Text(box); !strings.Contains(shown, text) {
				t.Errorf("in %d columns %q is not shown:\n%s", w, text, shown)
			}
		}
	}
	if says := saysFor(scene, Pending(s.State())[0]); !strings.Contains(says,
		"pending for 2 days since 2026-02-28 07:00, was due 5 h ago (07:00)") {
		t.Errorf("the description is %q", says)
	}
}

// A session with blocks has a field for that of a result, which begins with the plate of the point; one without blocks
// has none.
func TestBlockOfAResult(t *testing.T) {
	s, f := espresso(t, 3), newForm()
	modetest.Start(f, modetest.Scene(s))
	panel := func() string { return modetest.Text(f.Panel(modetest.Scene(s), 60, 30)) }
	if strings.Contains(panel(), "block") {
		t.Errorf("a session without blocks has the field:\n%s", panel())
	}
	plate := sessions.Plate{Name: "monday", Rows: 1, Columns: 2, Wells: []sessions.Well{
		{Name: "A1", Point: s.State().Pending[0].ID}, {Name: "A2", Point: s.State().Pending[1].ID}}}
	if _, err := s.Plate(plate); err != nil {
		t.Fatal(err)
	}
	if got := panel(); !strings.Contains(got, "block") || !strings.Contains(got, "monday") {
		t.Errorf("the form has no block:\n%s", got)
	}
	explained.Check(t, "with a block", f.Panel(modetest.Scene(s), 60, 30), 60, 30)
	typed(t, s, f, "18 tab tab 3 ctrl+s") // as it is
	typed(t, s, f, "18 tab tab 4 shift+tab shift+tab shift+tab shift+tab backspace backspace backspace backspace backspace backspace tuesday ctrl+s")
	typed(t, s, f, "18 tab tab 5 shift+tab shift+tab shift+tab shift+tab "+strings.Repeat("x", sessions.MaxBlock+1)+" ctrl+s")
	if got := panel(); !strings.Contains(got, "the name of a block has at most 64") {
		t.Errorf("a long name is taken:\n%s", got)
	}
	var blocks []string
	for _, it := range s.State().Iterations {
		blocks = append(blocks, it.Points[0].Block)
	}
	if want := []string{"monday", "tuesday"}; !reflect.DeepEqual(blocks, want) || !reflect.DeepEqual(s.State().Blocks(), want) {
		t.Errorf("the blocks are %q of %q", blocks, s.State().Blocks())
	}
}

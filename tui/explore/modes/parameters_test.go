package modes

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/tui/explore/mode"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/widget"
)

// applied does the edits among actions on the session, and gives what a mode sees of it then.
func applied(t *testing.T, s *sessions.Session, actions []widget.Action) mode.Scene {
	t.Helper()
	for _, a := range actions {
		if e, ok := a.(SetParameter); ok {
			if _, err := e.Do(t.Context(), s, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	return modetest.Scene(s)
}

func TestKeys(t *testing.T) {
	for _, c := range []struct {
		name string
		keys string
		want []widget.Action
	}{
		{"a step on", "right", []widget.Action{SetParameter{"kernel", "se"}}},
		{"a step back", "right left", []widget.Action{SetParameter{"kernel", "se"},
			SetParameter{"kernel", "matern52"}}},
		{"undone", "right ctrl+u ctrl+u", []widget.Action{SetParameter{"kernel", "se"}, SetParameter{"kernel", "matern52"},
			mode.Say{Text: "no edit to undo"}}},
		{"the default", "right delete", []widget.Action{SetParameter{"kernel", "se"},
			SetParameter{"kernel", "matern52"}}},
		{"as it is by default", "delete", []widget.Action{mode.Say{Text: "kernel already has its default value"}}},
		{"another, typed", "down down 0 . 5 enter", []widget.Action{SetParameter{"noise_sd", "0.5"}}},
		{"round the other way", "up down right", []widget.Action{SetParameter{"kernel", "se"}}},
		{"typed over", "enter backspace backspace backspace backspace backspace backspace backspace backspace s e enter",
			[]widget.Action{SetParameter{"kernel", "se"}}},
		{"typed as it is", "enter enter", nil},
		{"not valid, mended", "down down 7 enter backspace 1 enter", []widget.Action{SetParameter{"noise_sd", "1"}}},
		{"typing left", "down down 7 esc right esc",
			[]widget.Action{SetParameter{"noise_sd", "0.00015"}, mode.Leave{}}},
		{"a text, typed", "down down down f i t t e enter backspace e d enter", nil},
		{"a text that begins as commands do", "down down down e u j k q ? - = esc right ctrl+u esc",
			[]widget.Action{SetParameter{"lengthscale", "0.05"}, SetParameter{"lengthscale", "fitted"}, mode.Leave{}}},
		{"a text of digits", "down down down 0 . 5 enter", []widget.Action{SetParameter{"lengthscale", "0.5"}}},
		{"left", "e", []widget.Action{mode.Leave{}}},
		{"not its own", "w", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := modetest.Session(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 0)
			scene, e := modetest.Scene(s), newParameterMode()
			require.Equal(t, []widget.Action{mode.Enter{Mode: e}}, modetest.Start(e, scene), "it starts with")
			var got []widget.Action
			for name := range strings.FieldsSeq(c.keys) {
				actions := modetest.Press(e, scene, name)
				got, scene = append(got, actions...), applied(t, s, actions)
			}
			assert.Equal(t, c.want, got, c.keys)
		})
	}
}

// noiseFact is a fitted hyperparameter.
var noiseFact = optimizers.NewFact("noise sd",
	optimizers.Estimate{Value: 0.125, Low: 0.1, High: 0.2, Min: 1e-6, Max: 1, Text: "0.5", Interval: "0.4–0.8"})

// What is typed is text, and what is wrong with it is told while it is.
func TestTyping(t *testing.T) {
	scene := modetest.Scene(modetest.Session(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 0))
	scene.Legend.Facts = []optimizers.Fact{noiseFact}
	e := newParameterMode()
	modetest.Start(e, scene)
	shown := func() string { return modetest.Text(e.Panel(scene, 50, 24)) }
	if e.Typing() || strings.Contains(shown(), "must be") || !strings.Contains(shown(), "scaled: noise sd 0.125") {
		t.Errorf("before typing:\n%s", shown())
	}
	modetest.Press(e, scene, "down", "down", "7", "0")
	if !e.Typing() || !strings.Contains(strings.Join(strings.Fields(shown()), " "), "noise_sd must be in") {
		t.Errorf("while 70 is typed:\n%s", shown())
	}
	modetest.Take(e, scene, tea.PasteMsg{Content: "x"})
	assert.Equal(t, "70x", e.field.Text(), "pasted into")
	modetest.Press(e, scene, "esc")
	if e.Typing() || strings.Contains(shown(), "must be") {
		t.Errorf("behind esc:\n%s", shown())
	}
}

// A method without parameters is not edited; of one parameter there is none to choose.
func TestFewParameters(t *testing.T) {
	scene := modetest.Scene(modetest.Session(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 0))
	decls := scene.Params.Set.Decls()
	e := newParameterMode()
	scene.Params.Set = param.Defaults(nil)
	if got, want := modetest.Start(e, scene), []widget.Action{
		mode.Say{Text: "GP-EI has no parameters"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("it starts with %+v, want %+v", got, want)
	}
	scene.Params.Set = param.Defaults(decls[:1])
	modetest.Start(e, scene)
	if got, want := modetest.Press(e, scene, "down"), []widget.Action{
		mode.Say{Text: "there is only one parameter"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("down gives %+v, want %+v", got, want)
	}
}

// The panel keeps the selected parameter in sight.
func TestPanel(t *testing.T) {
	scene := modetest.Scene(modetest.Session(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 0))
	decls := scene.Params.Set.Decls()
	e := newParameterMode()
	modetest.Start(e, scene)
	for i, d := range decls {
		if shown := modetest.Text(e.Panel(scene, 40, 12)); !strings.Contains(shown, "▸"+d.Label[:4]) {
			t.Errorf("parameter %d, %s, is not in sight:\n%s", i, d.Label, shown)
		}
		modetest.Press(e, scene, "down")
	}
}

// The panel of the belief draws hyperparameters as bars, with their intervals in numbers where there is room, lists the
// parameters that are not at their defaults, and counts those that it hides, in a panel of any height.
func TestBelief(t *testing.T) {
	s := modetest.Session(t, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3}, 0)
	if _, err := (SetParameter{"restarts", "7"}).Do(t.Context(), s, nil); err != nil {
		t.Fatal(err)
	}
	scene := modetest.Scene(s)
	length := func(variable int, v float64) optimizers.Estimate {
		return optimizers.Estimate{Variable: variable, Value: v, Low: v, High: v, Min: 0.01, Max: 10, Text: fmt.Sprint(v)}
	}
	b := Belief{
		Facts: []optimizers.Fact{optimizers.NewFact(optimizers.FactLengthscale, length(1, 0.01), length(2, 10)), noiseFact,
			{Name: "log evidence", Value: "-3"}},
		Choices: []optimizers.Fact{{Name: "kernel", Value: "Matérn 5/2, one lengthscale per variable"}},
	}
	for w, want := range map[int][]string{
		60: {"lengthscale x1 ●─", "─●            10", "noise sd       ──", "─●━─── 0.5 (0.4–0.8)", " Matérn 5/2, one lengthscale per variable"},
		32: {"lengthscale x1 ●─", "─●   10", "noise sd       ──────●─  0.5 │", "kernel            Matérn 5/2"},
		28: {"ℓ x1     ●─", "noise sd ────────●─  0.5 │"},
	} {
		natural := ParameterRows(scene, b, w)
		shown := modetest.Text(ParameterPanel(scene, b, w, natural))
		for _, text := range append(want, "log evidence", "restarts", fmt.Sprintf("%d more settings (e)", len(scene.Params.Decls())-1)) {
			assert.Contains(t, shown, text, "in %d columns", w)
		}
		assert.NotContains(t, shown, "hyperpriors")
		for h := 3; h < natural+3; h++ {
			panel := ParameterPanel(scene, b, w, h)
			assert.Equal(t, h, panel.H)
			assert.Contains(t, modetest.Text(panel), "(e)", "in %d rows", h)
		}
	}
	all := ParameterRows(scene, Belief{}, 60)
	assert.Contains(t, modetest.Text(ParameterPanel(scene, Belief{}, 60, all)), "recalibration", "without a fit")
	assert.NotContains(t, modetest.Text(ParameterPanel(scene, Belief{}, 60, all)), "(e)", "without a fit")
	assert.Contains(t, modetest.Text(ParameterPanel(scene, Belief{}, 60, all-1)), "2 more settings (e)", "without a fit")
	b.Folded = true
	assert.NotContains(t, modetest.Text(ParameterPanel(scene, b, 60, 20)), "restarts")
}

// Of many lengthscales the shortest are shown.
func TestShortestLengthscales(t *testing.T) {
	scene := modetest.Scene(modetest.Session(t, sessions.Config{Problem: "hartmann", Optimizer: "gp-ei", Seed: 3}, 0))
	var all []optimizers.Estimate
	for i, v := range []float64{6, 5, 4, 3, 2, 1} {
		all = append(all, optimizers.Estimate{Variable: i + 1, Value: v, Low: v, High: v, Min: 0.01, Max: 10, Text: fmt.Sprint(v)})
	}
	shown := modetest.Text(ParameterPanel(scene, Belief{Facts: []optimizers.Fact{optimizers.NewFact(optimizers.FactLengthscale, all...)}}, 50, 10))
	for text, want := range map[string]bool{"x6": true, "x5": true, "x4": true, "x3": false, "3 longer ones": true} {
		assert.Equal(t, want, strings.Contains(shown, text), "%s in\n%s", text, shown)
	}
}

// All that is seen of the panel is described, also while a value is typed.
func TestDescribed(t *testing.T) {
	scene := modetest.Scene(modetest.Session(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 0))
	scene.Legend.Facts = []optimizers.Fact{noiseFact}
	belief := Belief{Facts: []optimizers.Fact{noiseFact, {Name: "log evidence", Value: "-3"}},
		Choices: []optimizers.Fact{{Name: "kernel", Value: "Matérn 5/2"}, {Name: "acquisition", Value: "expected improvement"}}}
	for _, keys := range []string{"", "right", "down down 7 0"} {
		e := newParameterMode()
		modetest.Start(e, scene)
		modetest.Press(e, scene, strings.Fields(keys)...)
		for h := 3; h < 40; h += 3 {
			explained.Check(t, fmt.Sprintf("%q in %d rows", keys, h), e.Panel(scene, 40, h), 40, h)
			explained.Check(t, fmt.Sprintf("not edited, in %d rows", h), ParameterPanel(scene, belief, 40, h), 40, h)
		}
	}
}

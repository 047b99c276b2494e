package modes

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/explore/mode"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// pointScene is that of Forrester's function on [0, 1], or Branin's on [-5, 10] × [0, 15], drawn 50 cells wide and 20
// high, without data.
func pointScene(t *testing.T, problem string) mode.Scene {
	t.Helper()
	s := modetest.Scene(modetest.Session(t, sessions.Config{Problem: problem, Optimizer: "random", Seed: 3}, 0))
	for i, v := range s.State.Problem.Domain {
		s.Axes = append(s.Axes, mode.Axis{Variable: i, Low: v.Low, High: v.High, Cells: func() int {
			return []int{50, 20}[i]
		}})
	}
	s.ReadingsAt = func(point []float64) []mode.Reading { return []mode.Reading{{Name: "mean", Value: 2 * point[0]}} }
	return s
}

func TestPointKeys(t *testing.T) {
	line, plane := pointScene(t, "forrester"), pointScene(t, "branin")
	known, asked := line, line
	known.Next, asked.Asking = []float64{0.875}, true
	slice := plane
	slice.Axes = plane.Axes[1:]
	zoomed := plane
	zoomed.Axes = []mode.Axis{{Variable: 0, Low: 0, High: 5, Cells: plane.Axes[0].Cells},
		{Variable: 1, Low: 0, High: 8, Cells: plane.Axes[1].Cells}}
	chosen := func(x ...float64) []widget.Action {
		return []widget.Action{mode.Recompute{}, mode.Leave{}, EvaluatePoint{x}}
	}
	say := func(text string) widget.Action { return mode.Say{Text: text} }
	for _, c := range []struct {
		name  string
		scene mode.Scene
		from  []float64
		keys  string
		want  []widget.Action
	}{
		{"a cell to the right", line, []float64{0.5}, "right enter", chosen(0.52)},
		{"ten to the left", line, []float64{0.5}, "shift+left enter", chosen(0.3)},
		{"to the edge", line, []float64{0.125}, "shift+left enter", chosen(0)},
		{"at the edge", line, []float64{1}, "right", []widget.Action{say("the cursor is at the edge of the domain")}},
		{"no other variable", line, []float64{0.5}, "up",
			[]widget.Action{say("this problem has one variable; move with left and right")}},
		{"evaluated as it is", line, []float64{0.5}, "x", chosen(0.5)[1:]},
		{"left", line, []float64{0.5}, "esc", []widget.Action{mode.Leave{}}},
		{"typed", line, []float64{0.5}, ". 2 5 enter enter", chosen(0.25)},
		{"typing left", line, []float64{0.5}, "7 esc right enter", chosen(0.52)},
		{"not valid, mended", line, []float64{0.5}, "7 enter backspace . 7 5 enter enter", chosen(0.75)},
		{"no next point", line, []float64{0.5}, "tab", []widget.Action{say("the next point is not known")}},
		{"the next point", known, []float64{0.5}, "tab enter", chosen(0.875)},
		{"a guess", asked, []float64{0.5}, "enter", []widget.Action{mode.Leave{}, mode.Guess{X: []float64{0.5}}}},
		{"up", plane, []float64{2.5, 7.5}, "up enter", chosen(2.5, 8.25)},
		{"both typed", plane, []float64{2.5, 7.5}, "- 2 , 3 enter enter", chosen(-2, 3)},
		{"the first typed", plane, []float64{2.5, 7.5}, "5 enter enter", chosen(5, 7.5)},
		{"at the edge of a plane", plane, []float64{10, 7.5}, "right",
			[]widget.Action{say("the cursor is at the edge of the plot")}},
		{"a cell of a part", zoomed, []float64{2.5, 7.5}, "right enter", chosen(2.6, 7.5)},
		{"the edge of a part", zoomed, []float64{4.5, 7.5}, "shift+right enter", chosen(5, 7.5)},
		{"along a slice", slice, []float64{2.5, 7.5}, "right enter", chosen(2.5, 8.25)},
		{"not along the other", slice, []float64{2.5, 7.5}, "down",
			[]widget.Action{say("the slice shows one variable; move with left and right")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := newPointMode()
			if got := modetest.Start(q, c.scene); !reflect.DeepEqual(got,
				[]widget.Action{mode.Enter{Mode: q}, mode.Recompute{}}) {
				t.Fatalf("it starts with %+v", got)
			}
			q.at = c.from
			assert.Equal(t, c.want, modetest.Press(q, c.scene, strings.Fields(c.keys)...), c.keys)
		})
	}
}

// The cursor begins where it was left, along the variables that are shown; the others are held at the anchor.
func TestWhereItWasLeft(t *testing.T) {
	plane := pointScene(t, "branin")
	slice := plane
	slice.Axes = plane.Axes[1:]
	q := newPointMode()
	modetest.Start(q, plane)
	anchor := q.at
	left := []float64{anchor[0] + 1, anchor[1] + 1}
	q.at = left
	if modetest.Start(q, plane); !reflect.DeepEqual(q.at, left) {
		t.Errorf("on the plane at %v, left at %v", q.at, left)
	}
	if modetest.Start(q, slice); !reflect.DeepEqual(q.at, []float64{anchor[0], left[1]}) {
		t.Errorf("on the slice at %v, the anchor is %v", q.at, anchor)
	}
	if modetest.Start(q, pointScene(t, "forrester")); len(q.at) != 1 {
		t.Errorf("on another problem at %v", q.at)
	}
}

// clicked is a click on a cell of a picture of Branin's function, a cell an eighth of a unit, from column 10 and row 5
// on.
func clicked(x, y int) widget.Hit {
	picture := &layout.Box{W: 200, H: 200, Value: func(col, row float64) []float64 {
		return []float64{(col - 0.5) / 8, (row - 0.5) / 8}
	}}
	hit := widget.Hit{MouseMsg: tea.MouseClickMsg{X: x, Y: y}, Path: []layout.PlacedBox{{Box: &layout.Box{}}}}
	if x >= 10 {
		hit.Path = append(hit.Path, layout.PlacedBox{Box: picture, Area: uv.Rect(10, 5, 200, 200)})
	}
	return hit
}

func TestPointMouse(t *testing.T) {
	s := pointScene(t, "branin")
	q := newPointMode()
	modetest.Start(q, s)
	if got := modetest.Take(q, s, clicked(30, 45)); !reflect.DeepEqual(got, []widget.Action{mode.Recompute{}}) ||
		!reflect.DeepEqual(q.at, []float64{2.5, 5}) {
		t.Errorf("a click gives %+v, the cursor at %v", got, q.at)
	}
	moved := clicked(38, 45)
	moved.MouseMsg = tea.MouseMotionMsg(moved.Mouse())
	for _, hit := range []widget.Hit{clicked(0, 45), moved} {
		if got := modetest.Take(q, s, hit); got != nil || !reflect.DeepEqual(q.at, []float64{2.5, 5}) {
			t.Errorf("%v gives %+v, the cursor at %v", hit, got, q.at)
		}
	}
	modetest.Press(q, s, "7")
	if modetest.Take(q, s, clicked(18, 13)); !reflect.DeepEqual(q.at, []float64{1, 1}) {
		t.Errorf("a click while a value is typed puts the cursor at %v", q.at)
	}
}

// The status line tells the point with what is known there, and what is typed with what is wrong with it.
func TestStatus(t *testing.T) {
	s := pointScene(t, "forrester")
	q := newPointMode()
	modetest.Start(q, s)
	q.at = []float64{0.25}
	shows := func(want string) {
		t.Helper()
		if got := modetest.Text(q.Status(s, 200)); got != " "+want {
			t.Errorf("the status is %q, want %q", got, want)
		}
	}
	shows("query at x = 0.25  mean 0.5")
	modetest.Press(q, s, ".", "5")
	shows("query at: .5   enter moves the cursor there")
	if c := q.Overlay(s).Cursor; !q.Typing() || c[0] != 0.5 {
		t.Errorf("while .5 is typed the cursor is at %v", c)
	}
	modetest.Take(q, s, tea.PasteMsg{Content: "z"})
	shows(`query at: .5z   x must be a number, got ".5z"`)
	modetest.Press(q, s, "backspace", "enter", "7")
	modetest.Press(q, s, "5", "enter")
	if got := modetest.Text(q.Status(s, 200)); !strings.Contains(got, "x must be in [0, 1], got 75") {
		t.Errorf("the status is %q", got)
	}
}

// A point that is chosen is evaluated, and told.
func TestEvaluate(t *testing.T) {
	s := modetest.Session(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 0)
	text, err := EvaluatePoint{[]float64{0.25}}.Do(t.Context(), s, nil)
	if err != nil || !strings.HasPrefix(text, "step 1: you evaluated x = 0.25, f = ") {
		t.Errorf("%q, %v", text, err)
	}
	if it := s.State().Iterations; len(it) != 1 || it[0].By != sessions.ByPerson || it[0].Points[0].X[0] != 0.25 {
		t.Errorf("the iterations are %+v", it)
	}
	_, err = (EvaluatePoint{[]float64{7}}).Do(t.Context(), s, nil)
	assert.Error(t, err, "a point outside of the domain is evaluated")
}

// Where a person evaluates, the point goes out, and its results are asked for; if it cannot go out, the cursor stays.
func TestGivenOut(t *testing.T) {
	scene := modetest.Scene(modetest.Session(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 0))
	scene.Axes = []mode.Axis{{Variable: 0, Low: 0, High: 1, Cells: func() int { return 40 }}}
	scene.ByHand = true
	c := newPointMode()
	modetest.Start(c, scene)
	if got := modetest.Press(c, scene, "enter"); len(got) != 1 || !reflect.DeepEqual(got[0], AskPoint{c.at}) {
		t.Fatalf("enter wants %+v", got)
	}
	if got := modetest.Take(c, scene, mode.Changed{Err: errors.New("the disk is full")}); got != nil {
		t.Errorf("where it failed it wants %+v", got)
	}
	modetest.Press(c, scene, "enter")
	if got, want := modetest.Take(c, scene, mode.Changed{}), []widget.Action{
		mode.Leave{}, mode.Results{}}; !reflect.DeepEqual(got, want) {
		t.Errorf("behind it it wants %+v, want %+v", got, want)
	}
}

// Along a choice a key is a choice; names are typed, or the beginning of one, and tab takes the rest.
func TestChoices(t *testing.T) {
	cfg, err := sessions.Config{Seed: 3, Optimizer: "random"}.WithExperiment(
		"../../../functions/experiment/testdata/coupling.toml")
	require.NoError(t, err)
	s := modetest.Scene(modetest.Session(t, cfg, 0))
	s.Axes = []mode.Axis{{Variable: 3, High: 3, Cells: func() int { return 50 }}}
	s.ReadingsAt = func([]float64) []mode.Reading { return nil }
	for _, c := range []struct{ keys, want string }{
		{"right right", "(60, 1, 3, DMF, Cs2CO3)"},
		{"shift+right left", "(60, 1, 3, DMF, Cs2CO3)"},
		{"1 backspace w a enter", "(60, 1, 3, water, Cs2CO3)"},
		{"1 backspace d tab enter", "(60, 1, 3, dioxane, Cs2CO3)"},
		{"e backspace backspace backspace backspace backspace backspace n tab enter",
			"(60, 1, 3, toluene, none at all)"},
	} {
		q := newPointMode()
		modetest.Start(q, s)
		q.at = []float64{60, 1, 3, 0, 1}
		for key := range strings.FieldsSeq(c.keys) {
			modetest.Press(q, s, key)
		}
		if got := modetest.Text(q.Status(s, 200)); !strings.Contains(got, "query at "+c.want) {
			t.Errorf("%s: %q, want %q", c.keys, got, c.want)
		}
	}
}

// The cursor goes anywhere and tells which constraint is broken there; enter refuses it, with the numbers.
func TestConstraintsAreKept(t *testing.T) {
	cfg, err := sessions.Config{Seed: 3, Optimizer: "random"}.WithExperiment(
		"../../../functions/experiment/testdata/blend.toml")
	require.NoError(t, err)
	s := modetest.Scene(modetest.Session(t, cfg, 0))
	s.Axes = []mode.Axis{{Variable: 3, Low: 20, High: 100, Cells: func() int { return 50 }}}
	s.ReadingsAt = func([]float64) []mode.Reading { return nil }
	q := newPointMode()
	modetest.Start(q, s)
	for temperature, want := range map[float64]string{
		80: "", 100: "temperature * ethanol <= 40: the left side is 50 at ethanol = 0.5, temperature = 100"} {
		q.at = []float64{0.2, 0.5, 0.3, temperature, 1}
		if got := modetest.Text(q.Status(s, 200)); strings.Contains(got, "violates") != (want != "") ||
			!strings.Contains(got, want) {
			t.Errorf("the status is %q, want %q", got, want)
		}
		got := modetest.Press(q, s, "enter")
		evaluated := false
		for _, a := range got {
			_, ok := a.(EvaluatePoint)
			evaluated = evaluated || ok
		}
		assert.Equal(t, want == "", evaluated, "at %g enter wants %+v", temperature, got)
	}
}

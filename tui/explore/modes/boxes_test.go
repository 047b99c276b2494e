package modes

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/model/preference"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/explore/mode"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/layout"
	"bandscope/tui/picture/front"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// where the canvas of the plot begins in the window.
const left, top = 1, 2

// boxScene is a session of six steps of a problem under a prior, its outcomes drawn in 60×20 cells.
func boxScene(t testing.TB, problem, prior string) (*sessions.Session, mode.Scene) {
	t.Helper()
	s := modetest.Session(t, sessions.Config{Problem: problem, Optimizer: "random", Seed: 3}, 6)
	if prior != "" {
		if _, err := (SetPrior{Text: prior}).Do(t.Context(), s, nil); err != nil {
			t.Fatal(err)
		}
	}
	return s, boxSceneOf(t, s)
}

func boxSceneOf(t testing.TB, s *sessions.Session) mode.Scene {
	t.Helper()
	o, err := front.Compute(t.Context(), s.Snapshot(), nil)
	require.NoError(t, err)
	scene := modetest.Scene(s)
	scene.Outcomes = &mode.Outcomes{Displayed: o, Current: o, J: 1}
	return scene
}

func boxMessage(text string) []widget.Action { return []widget.Action{mode.Say{Text: text}} }

func TestBoxStart(t *testing.T) {
	_, s := boxScene(t, "thesis-xy", "")
	elsewhere, unseen := s, s
	elsewhere.Outcomes = nil
	unseen.Outcomes = &mode.Outcomes{}
	single := modetest.Scene(modetest.Session(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3},
		2))
	single.Outcomes = s.Outcomes
	for _, c := range []struct {
		name  string
		scene mode.Scene
		want  []widget.Action
	}{
		{"another picture", elsewhere, boxMessage(
			"a target box needs several objectives and the outcomes view (d)")},
		{"no weights", single, boxMessage(single.State.Spec.Title + " has no prior over weights")},
		{"nothing seen yet", unseen, boxMessage(
			"a target box needs the results of the first points; press space")},
	} {
		assert.Equal(t, c.want, modetest.Start(NewBoxMode(), c.scene), c.name)
	}
	b := &BoxMode{}
	if got, want := modetest.Start(b, s), []widget.Action{
		mode.Enter{Mode: b}, mode.Preview{Outcomes: s.Outcomes.Current}}; !reflect.DeepEqual(got, want) {
		t.Errorf("it starts with %+v, want %+v", got, want)
	}
	if b.box != (box{0.6, 0.8, 0.6, 0.8}) || len(b.prior) != 1 || !b.Busy() {
		t.Errorf("the first box of %s is %v", b.prior, b.box)
	}
	if b.Stop(); b.Busy() {
		t.Error("it goes on when it is stopped")
	}
	_, aimed := boxScene(t, "thesis-xy", "0.5 flat + 0.5 box(0.25..0.5, any)")
	b = &BoxMode{}
	if modetest.Start(b, aimed); b.index != 1 || b.viewIndex != 0 || b.Busy() {
		t.Errorf("of %s part %d is held", b.prior, b.index)
	}
}

// Keys move the box the way that they point, whichever way an objective is better.
func TestKeysMoveTheBox(t *testing.T) {
	_, maximized := boxScene(t, "thesis-xy", "")
	_, minimized := boxScene(t, "zdt3:2", "")
	for _, c := range []struct {
		scene mode.Scene
		keys  string
		want  box
	}{
		{maximized, "right", box{0.65, 0.85, 0.6, 0.8}},
		{maximized, "left", box{0.55, 0.75, 0.6, 0.8}},
		{maximized, "up", box{0.6, 0.8, 0.65, 0.85}},
		{maximized, "down", box{0.6, 0.8, 0.55, 0.75}},
		{maximized, "shift+right shift+up", box{0.61, 0.81, 0.61, 0.81}},
		{minimized, "right", box{0.55, 0.75, 0.6, 0.8}},
		{minimized, "up", box{0.6, 0.8, 0.55, 0.75}},
		{maximized, ")", box{0.575, 0.825, 0.575, 0.825}},
		{maximized, "(", box{0.625, 0.775, 0.625, 0.775}},
		{maximized, ">", box{0.575, 0.825, 0.6, 0.8}},
		{maximized, "<", box{0.625, 0.775, 0.6, 0.8}},
		{maximized, strings.Repeat("< ", 9), box{0.675, 0.725, 0.6, 0.8}}, // not less than nothing
		{maximized, strings.Repeat("right ", 40), box{1.8, 2, 0.6, 0.8}},  // not beyond what can be had
		{maximized, strings.Repeat("left ", 40), box{-0.5, -0.3, 0.6, 0.8}},
	} {
		b := &BoxMode{}
		modetest.Start(b, c.scene)
		if got := modetest.Press(b, c.scene, strings.Fields(c.keys)...); got != nil || !near(b.box, c.want) {
			t.Errorf("%s: the box is %v, want %v; %+v", c.keys, b.box, c.want, got)
		}
	}
}

func near(a, b box) bool {
	for n := range a {
		if math.Abs(a[n]-b[n]) > 1e-9 {
			return false
		}
	}
	return true
}

// steered is the last prior that is wanted.
func steered(actions []widget.Action) string {
	for _, a := range actions {
		if s, ok := a.(SetPrior); ok {
			return s.Text
		}
	}
	return ""
}

func TestKeysChangeThePrior(t *testing.T) {
	const one, two = "box(0.25..0.5, 0.5..0.75)",
		"0.25 flat + 0.5 box(0.25..0.5, 0.5..0.75) + 0.25 box(0.75..0.875, any)"
	for _, c := range []struct {
		name, keys string
		want       []widget.Action
	}{
		{"taken as it is", "enter", []widget.Action{
			SetPrior{one, "the prior over weights now targets the box"}, mode.Leave{}}},
		{"left", "right esc", []widget.Action{mode.Leave{}}},
		{"made flat", "flat_prior", []widget.Action{mode.Leave{}, SetPrior{"flat", "the prior over weights is flat again"}}},
		{"no other", "tab", boxMessage("there is only one box; press A to add another")},
		{"the only one removed", "delete",
			[]widget.Action{mode.Leave{}, SetPrior{"flat", "the prior over weights is flat again"}}},
		{"not its own", "w", nil},
	} {
		_, s := boxScene(t, "thesis-xy", one)
		b := &BoxMode{}
		modetest.Start(b, s)
		assert.Equal(t, c.want, modetest.Press(b, s, strings.Fields(c.keys)...), "%s: %s", c.name, c.keys)
	}
	for _, c := range []struct {
		prior, keys string
		parts       int
		boxes       []string // that are left
	}{
		{one, "A enter", 2, []string{"box(0.25..0.5, 0.5..0.75)", ""}},
		{two, "delete enter", 2, []string{"box(0.75..0.875, any)"}},
		{two, "tab delete enter", 2, []string{"box(0.25..0.5, 0.5..0.75)"}},
		{two, "tab tab delete enter", 2, []string{"box(0.75..0.875, any)"}},
	} {
		_, s := boxScene(t, "thesis-xy", c.prior)
		b := &BoxMode{}
		modetest.Start(b, s)
		text := steered(modetest.Press(b, s, strings.Fields(c.keys)...))
		if prior, err := preference.ParsePrior(text, nil); err != nil || len(prior) != c.parts ||
			len(prior.Boxes()) != len(c.boxes) {
			t.Errorf("%s: %s makes %s, %v", c.prior, c.keys, text, err)
		}
		for _, want := range c.boxes {
			assert.Contains(t, text, want, "%s: %s makes %s, without %s", c.prior, c.keys, text, want)
		}
	}
}

// drawn is the plot, in 60×20 cells.
var drawn = chart.Chart{X: chart.Axis{Min: -0.5, Max: 1.5}, Y: chart.Axis{Min: -0.5, Max: 1.5}}

// at is the mouse on a pair of outcomes.
func at(s mode.Scene, x, y float64) tea.Mouse {
	f, d := drawn.Frame(60, 20), drawing(s)
	return tea.Mouse{X: left + f.Left + int(f.Col(d.Value(s.Outcomes.I, x))),
		Y: top + f.Top + int(f.Row(d.Value(s.Outcomes.J, y))), Button: tea.MouseLeft}
}

// hit is a message of the mouse as the mode gets it.
func hit(s mode.Scene, msg tea.MouseMsg) widget.Hit {
	return widget.Hit{MouseMsg: msg, Path: layout.Arrange(
		drawn.Box(60, 20, s.Style, chart.Description{}).At(left, top), 120, 40).PathAt(left, top)}
}

// A click beside the box puts it there, on it holds it, on a side holds that; what is held follows until it is let go.
func TestBoxMouse(t *testing.T) {
	_, s := boxScene(t, "thesis-xy", "box(0.25..0.5, 0.5..0.75)")
	b := &BoxMode{}
	start := func() box {
		*b = BoxMode{}
		modetest.Start(b, s)
		b.box = box{0.2, 0.8, 0.2, 0.8}
		return b.box
	}
	cells := 0.05 // an outcome more or less is within a cell
	before := start()
	modetest.Take(b, s, hit(s, tea.MouseMotionMsg(at(s, 0.1, 0.1))))
	assert.Equal(t, before, b.box, "moved to %v, and nothing was held", b.box)
	modetest.Take(b, s, hit(s, tea.MouseClickMsg(at(s, 1.2, 1.1))))
	if math.Abs(b.box.middle(0)-1.2) > cells || math.Abs(b.box.middle(1)-1.1) > 2*cells || !b.Busy() {
		t.Errorf("a click beside puts it at %v", b.box)
	}
	before = start()
	modetest.Take(b, s, hit(s, tea.MouseClickMsg(at(s, 0.4, 0.5))))
	assert.Equal(t, before, b.box, "a click on the box moves it to")
	modetest.Take(b, s, hit(s, tea.MouseMotionMsg(at(s, 0.6, 0.5))))
	if math.Abs(b.box[0]-0.4) > cells || math.Abs(b.box[1]-1) > cells ||
		!near(box{2: b.box[2], 3: b.box[3]}, box{2: 0.2, 3: 0.8}) {
		t.Errorf("dragged by 0.2 it is %v", b.box)
	}
	modetest.Take(b, s, hit(s, tea.MouseReleaseMsg{}))
	before = b.box
	modetest.Take(b, s, hit(s, tea.MouseMotionMsg(at(s, 0.1, 0.1))))
	assert.Equal(t, before, b.box, "let go it goes on to")
	start()
	modetest.Take(b, s, hit(s, tea.MouseClickMsg(at(s, 0.8, 0.5))))
	modetest.Take(b, s, hit(s, tea.MouseMotionMsg(at(s, 1.1, 0.3))))
	if math.Abs(b.box[1]-1.1) > cells || b.box[0] != 0.2 || b.box[2] != 0.2 || b.box[3] != 0.8 {
		t.Errorf("a side dragged makes %v", b.box)
	}
	modetest.Take(b, s, hit(s, tea.MouseMotionMsg(at(s, 0, 0.3))))
	if math.Abs(b.box[0]) > cells || b.box[1] != 0.2 {
		t.Errorf("a side dragged beyond the other makes %v", b.box)
	}
	modetest.Take(b, s, hit(s, tea.MouseMotionMsg(tea.Mouse{X: 500})))
	if math.Abs(b.box[0]) > cells {
		t.Errorf("a mouse outside of the plot makes %v", b.box)
	}
}

// done is what the first command of a job brings.
func done(t *testing.T, cmd tea.Cmd) tea.Msg {
	t.Helper()
	batch, ok := cmd().(tea.BatchMsg)
	require.True(t, ok, "no job was begun")
	return widget.Perform(rights.Rights{}, batch[0])
}

// The weights under a box are computed one at a time: what it moved on to meanwhile comes next, and a new picture has
// them computed anew.
func TestPreview(t *testing.T) {
	_, s := boxScene(t, "thesis-xy", "box(0.25..0.5, 0.5..0.75)")
	b := &BoxMode{}
	modetest.Start(b, s)
	first, _ := b.Update(s, tea.KeyPressMsg{Code: tea.KeyRight})
	moved := b.prior.String()
	if second, actions := b.Update(s, tea.KeyPressMsg{Code: tea.KeyRight}); second != nil || actions != nil {
		t.Errorf("while one is computed another is: %+v", actions)
	}
	next, actions := b.Update(s, done(t, first))
	if p, ok := actions[0].(mode.Preview); !ok || p.Outcomes.Prior.String() != moved {
		t.Errorf("previewed is %+v, want the prior %s", actions, moved)
	}
	cmd, actions := b.Update(s, done(t, next))
	if p, ok := actions[0].(mode.Preview); !ok || p.Outcomes.Prior.String() != b.prior.String() || cmd != nil ||
		b.Busy() {
		t.Errorf("previewed is %+v, want the prior %s and no more", actions, b.prior)
	}
	again, actions := b.Update(s, mode.PictureChanged{})
	if again == nil || actions != nil {
		t.Errorf("a new picture gives %+v", actions)
	}
	late := done(t, again)
	modetest.Press(b, s, "esc")
	assert.Nil(t, modetest.Take(b, s, late), "left, it still")
}

// The status line tells the box in the objectives' units, and which others it does not restrict; the plot shows every
// box of the prior.
func TestBoxDrawing(t *testing.T) {
	_, s := boxScene(t, "dtlz2-k3", "0.5 box(0..0.5, any, any) + 0.5 box(any, 0.25..0.75, any)")
	b := &BoxMode{}
	modetest.Start(b, s)
	status := modetest.Text(b.Status(s, 120))
	if names := s.State.Problem.Objectives; !strings.HasPrefix(status, " target  "+names[0].Name+" 0 to 0.5") ||
		!strings.HasSuffix(status, "any "+names[1].Name+", "+names[2].Name) {
		t.Errorf("the status is %q", status)
	}
	o := b.Overlay(s)
	if len(o.Boxes) != 2 || o.MovingBox != 0 || o.Boxes[0] != [4]float64(b.box) || o.Boxes[1][0] != front.MinBox ||
		o.Boxes[1][1] != front.MaxBox {
		t.Errorf("drawn is %+v", o)
	}
	modetest.Press(b, s, "tab")
	if o := b.Overlay(s); o.MovingBox != 1 {
		t.Errorf("moved is %d", o.MovingBox)
	}
}

// A prior is changed once: the one that holds already is not recorded again.
func TestSteer(t *testing.T) {
	s, before := boxScene(t, "thesis-xy", "dirichlet(3)")
	head := before.State.Head
	if text, err := (SetPrior{"dirichlet(3)", "said"}).Do(t.Context(), s, nil); err != nil || text != "said" ||
		s.State().Head != head {
		t.Errorf("%q, %v, at %s", text, err, s.State().Head)
	}
	if text, err := (SetPrior{"flat", "said"}).Do(t.Context(), s, nil); err != nil || text != "said" ||
		s.State().Params.Text("prior") != "flat" {
		t.Errorf("%q, %v, the prior is %s", text, err, s.State().Params.Text("prior"))
	}
	if _, err := (SetPrior{"box(1..0.5, any)", ""}).Do(t.Context(), s, nil); err == nil {
		t.Error("a box inside out is taken")
	}
}

// The first box lies within the limits of the objectives, on whichever side of it they are.
func TestFirstBoxIsWithinLimits(t *testing.T) {
	_, plain := boxScene(t, "thesis-xy", "")
	d := drawing(plain)
	valueAt := func(u float64) *float64 { v := d.Value(0, u); return &v }
	for _, c := range []struct {
		name             string
		atLeast, atMost  *float64 // of f1, which is maximized: at least is a least outcome
		from, to, margin float64
	}{
		{"no limit", nil, nil, 0.6, 0.8, 0}, {"below the box", valueAt(0.4), nil, 0.6, 0.8, 0},
		{"above the box", nil, valueAt(0.95), 0.6, 0.8, 0},
		{"at least more", valueAt(0.7), nil, 0.7, 0.9, 0.002}, {"at least all that is good", valueAt(1.2), nil, 1.2, 1.4, 0.002},
		{"at most less", nil, valueAt(0.5), 0.3, 0.5, 0.002}, {"between", valueAt(0.65), valueAt(0.7), 0.65, 0.7, 0.002},
	} {
		s := plain
		problem := *plain.State.Problem
		problem.Objectives = slices.Clone(problem.Objectives)
		problem.Objectives[0].AtLeast, problem.Objectives[0].AtMost = c.atLeast, c.atMost
		s.State.Problem = &problem
		b := &BoxMode{}
		modetest.Start(b, s)
		if math.Abs(b.box[0]-c.from) > c.margin+1e-9 || math.Abs(b.box[1]-c.to) > c.margin+1e-9 || b.box[2] != 0.6 ||
			b.box[3] != 0.8 {
			t.Errorf("%s: the box is %v, want from %g to %g", c.name, b.box, c.from, c.to)
		}
		for _, u := range b.box[:2] {
			if v := d.Value(0, u); !problem.Objectives[0].Holds(v) {
				t.Errorf("%s: %g of the box %v is beyond the limit %s", c.name, v, b.box,
					problem.Objectives[0].LimitText())
			}
		}
		b.jobs.Stop()
	}
}

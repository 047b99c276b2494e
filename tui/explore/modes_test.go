package explore

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"charm.land/bubbles/v2/key"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/explore/mode"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// puppet is a mode that wants what it is told to, and remembers what it was given.
type puppet struct {
	wants  []widget.Action
	given  []tea.Msg
	typing bool
}

func (p *puppet) Title() string { return "a puppet" }
func (p *puppet) Typing() bool  { return p.typing }
func (p *puppet) Keys(mode.Scene) []widget.Key {
	return []widget.Key{{Binding: widget.Bind("z", "dance", "z")}}
}
func (p *puppet) Start(mode.Scene) (tea.Cmd, []widget.Action) {
	return nil, []widget.Action{mode.Enter{Mode: p}}
}
func (p *puppet) Update(_ mode.Scene, msg tea.Msg) (tea.Cmd, []widget.Action) {
	p.given = append(p.given, msg)
	wants := p.wants
	p.wants = nil
	return nil, wants
}

// marks is a change that marks the step, or fails.
type marks struct{ fail error }

func (marks) Doing() string { return "marking" }
func (c marks) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	if c.fail != nil {
		return "", c.fail
	}
	return "marked by a puppet", s.Mark()
}

func init() {
	declaredModes = append(declaredModes, modeEntry{before: "o", key: widget.Bind("~", "a puppet", "~"),
		new:  func() mode.Mode { return &puppet{} },
		help: widget.Group{Title: "In a puppet (!)"}})
}

// A mode that a file adds has its key where it says, and its heading in the help.
func TestModesAddThemselves(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	d.Press("~")
	assert.Equal(t, "a puppet", d.M.KeyMap().Title, "the key begins")
	groups := Groups()
	acts := groups[slices.IndexFunc(groups, func(g widget.Group) bool { return g.Title == actTitle })].Bindings
	index := slices.IndexFunc(acts, func(b key.Binding) bool { return b.Help().Key == "~" })
	if index < 0 || acts[index+1].Help().Key != "o" || groups[len(groups)-1].Title != "In a puppet (!)" {
		t.Errorf("the help has %v", groups)
	}
}

// What a mode wants is done by the explorer, in order, and a mode that it has never heard of is told what came of it.
func TestWantsAreDone(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	p := &puppet{}
	begin := func() {
		d.Run(player.Start(d.M, func() mode.Mode { return p }))
		d.Settle()
	}
	want := func(actions ...widget.Action) {
		t.Helper()
		p.wants = actions
		d.Press("z")
	}
	d.Press("space")
	begin()
	if here := d.M.KeyMap(); here.Title != "a puppet" || here.Keys[0].Help().Desc != "dance" || d.M.Running {
		t.Errorf("a mode has begun, and here is %+v", here)
	}
	d.Shows("z dance")
	want(mode.Say{Text: "hello"})
	d.Shows("hello")
	p.given = nil
	want(marks{}, mode.Leave{})
	d.Shows("marked by a puppet")
	if d.M.Modes.Active != nil || len(d.M.session.State().NotesAt(1)) == 0 {
		t.Errorf("the change is not done, or the mode not left: %v", d.M.Modes.Active)
	}
	begin()
	p.given = nil
	want(marks{fail: errors.New("a puppet cannot")})
	d.Shows("a puppet cannot")
	if last := p.given[len(p.given)-1]; !reflect.DeepEqual(last,
		tea.Msg(mode.Changed{Err: errors.New("a puppet cannot")})) {
		t.Errorf("of its change it was told %+v", p.given)
	}
	want(mode.Work{Doing: "dancing", Do: func(context.Context) []widget.Action {
		return []widget.Action{mode.Say{Text: "danced"}}
	}})
	d.Shows("danced")
	want(widget.Compare{})
	for len(d.Actions) == 0 {
		d.Take(<-d.Msgs)
	}
	if d.Actions[0] != widget.Action(widget.Compare{}) {
		t.Errorf("of the window is wanted %+v", d.Actions)
	}
}

// Messages reach the mode that knows them: keys and pasted text only while it has the keys, its own also when it was
// left.
func TestMessagesReachTheMode(t *testing.T) {
	type ownMsg struct{}
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	p := &puppet{typing: true}
	d.Run(player.Start(d.M, func() mode.Mode { return p }))
	d.Press("q")
	d.M.Update(tea.PasteMsg{Content: "pasted"})
	d.Mouse(tea.MouseReleaseMsg{})
	if want := 3; len(p.given) != want || !d.M.Typing() {
		t.Fatalf("while it types it was given %v", p.given)
	}
	p.wants = []widget.Action{mode.Leave{}}
	d.Press("x")
	p.given = nil
	d.Press("t")
	d.M.Update(tea.PasteMsg{Content: "pasted"})
	d.M.Update(ownMsg{})
	assert.Equal(t, []tea.Msg{ownMsg{}}, p.given, "left, it was given")
	again := &puppet{}
	d.Run(player.Start(d.M, func() mode.Mode { return again }))
	if d.M.Modes.Active != mode.Mode(p) {
		t.Error("it is not the same when it begins again")
	}
}

// On a text parameter the characters are typed, whatever commands they are elsewhere; nothing is run, and what is
// pasted is typed too.
func TestTextParametersAreTyped(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 120, 36, trueColor)
	d.Press("e", "down", "down")
	assert.False(t, d.M.KeyMap().Takes(screentest.Key("q")), "q is text on a number")
	d.Press("down")
	d.Shows("enter, any text type a value")
	for _, name := range []string{"q", "?", "I", "b", "o", "e", "u"} {
		require.True(t, d.M.KeyMap().Takes(screentest.Key(name)), "%s is a command on a text", name)
		d.Press(name)
		d.Shows(name + " ")
		if len(d.Actions) > 0 || len(d.M.state.Iterations) > 0 || !d.M.KeyMap().Typing {
			t.Fatalf("%s asks for %+v", name, d.Actions)
		}
		d.Press("esc")
	}
	for _, name := range []string{"ctrl+c", "f1", "left", "esc"} {
		assert.False(t, d.M.KeyMap().Takes(screentest.Key(name)), "%s is text", name)
	}
	d.M.Update(tea.PasteMsg{Content: "0.25"})
	d.Press("enter")
	assert.Equal(t, "0.25", d.M.state.Params.Text("lengthscale"), "pasted is 0.25, taken")
}

// Package modes has the modes of the explorer in which a person decides something: the parameters of the method, target
// boxes (the prior over weights), the next point (with a cursor or typed), which of two outcomes is preferred, and the
// objectives of an experiment. A mode previews a decision off the update loop, and records it only after confirmation.
// The training screen uses the same mode for its parameters.
package modes

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/model/preference"
	"bandscope/tui/explore/mode"
	"bandscope/tui/widget"
)

// BoxMode moves the boxes of a prior.
type BoxMode struct {
	priorDraft
	index     int // of the selected part of the prior
	viewIndex int // of its box among the boxes
	box       box
	grip      mouseGrip
}

// NewBoxMode makes a mode without a selected box.
func NewBoxMode() mode.Mode { return &BoxMode{} }

// boxTurn is one call of the mode.
type boxTurn struct {
	*BoxMode
	*mode.Turn
}

var boxCommands = []widget.Command[boxTurn]{
	{Binding: widget.Bind("arrows", "move the box (shift: finer)", "left", "shift+left"), Do: shifts(0, -1)},
	{Binding: widget.Bind("", "move the box (shift: finer)", "right", "shift+right"), Do: shifts(0, +1)},
	{Binding: widget.Bind("", "move the box (shift: finer)", "up", "shift+up"), Do: shifts(1, +1)},
	{Binding: widget.Bind("", "move the box (shift: finer)", "down", "shift+down"), Do: shifts(1, -1)},
	widget.NewCommand(widget.Bind(") (", "larger, smaller", ")"), nil, grows(coarse/2, coarse/2)),
	widget.NewCommand(widget.Bind("", "larger, smaller", "("), nil, grows(-coarse/2, -coarse/2)),
	widget.NewCommand(widget.Bind("> <", "wider, narrower", ">"), nil, grows(coarse/2, 0)),
	widget.NewCommand(widget.Bind("", "wider, narrower", "<"), nil, grows(-coarse/2, 0)),
	widget.NewCommand(widget.Bind("enter", "apply", "enter"), nil, boxTurn.take),
	widget.NewCommand(widget.Bind("esc", "leave", "esc"), nil, boxTurn.leave),
	widget.NewCommand(widget.Bind("A", "add a box", "A"), nil, func(t boxTurn) tea.Cmd { return t.add(false) }),
	widget.NewCommand(widget.Bind("tab", "next box", "tab"), boxTurn.onlyBox, boxTurn.selectNextBox),
	widget.NewCommand(widget.Bind("delete", "remove the box", "delete", "backspace"), nil, boxTurn.remove),
	widget.NewCommand(widget.Named("flat prior"), nil, boxTurn.flatten),
}

// BoxBindings are the keys of the mode, and the mouse.
func BoxBindings() []key.Binding {
	return append(widget.Bindings(boxCommands), widget.Bind("mouse", "drag the box or one of its sides"))
}

// Title names the mode.
func (b *BoxMode) Title() string { return "a target box" }

// Typing reports that no text is typed.
func (b *BoxMode) Typing() bool { return false }

// Keys are the current keys.
func (b *BoxMode) Keys(s mode.Scene) []widget.Key {
	return widget.Keys(boxTurn{b, &mode.Turn{Scene: s}}, boxCommands)
}

// Start selects the first box of the prior, or a new one.
func (b *BoxMode) Start(s mode.Scene) (tea.Cmd, []widget.Action) {
	t := boxTurn{b, &mode.Turn{Scene: s}}
	return t.start(), t.Actions
}

func (t boxTurn) start() tea.Cmd {
	if said, ok := t.begin(t.Turn, "a target box"); !ok {
		return said
	}
	t.grip = mouseGrip{}
	t.Request(mode.Enter{Mode: t.BoxMode})
	t.Request(mode.Preview{Outcomes: t.Outcomes.Current})
	for i, part := range t.prior {
		if part.Distribution == preference.Box {
			t.selectBox(i)
			return nil
		}
	}
	return t.add(true)
}

// Update takes a key, the mouse, the weights under the new prior, and a new picture, for which it computes them again.
func (b *BoxMode) Update(s mode.Scene, msg tea.Msg) (tea.Cmd, []widget.Action) {
	t := boxTurn{b, &mode.Turn{Scene: s}}
	return t.message(msg), t.Actions
}

func (t boxTurn) message(msg tea.Msg) (cmd tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd, _ = mode.Press(t.Turn, t, boxCommands, msg)
	case widget.Hit:
		switch msg.MouseMsg.(type) {
		case tea.MouseClickMsg:
			cmd = t.grab(msg)
		case tea.MouseMotionMsg:
			cmd = t.drag(msg)
		case tea.MouseReleaseMsg:
			t.grip = mouseGrip{}
		}
	case mode.PictureChanged:
		cmd = t.preview()
	case widget.DoneMsg:
		cmd = t.previewDone(t.Turn, msg)
	}
	return cmd
}

func (t boxTurn) preview() tea.Cmd { return t.priorDraft.preview(t.Turn) }

func (t boxTurn) take() tea.Cmd {
	return t.apply(t.Turn, "the prior over weights now targets the box")
}

func (t boxTurn) leave() tea.Cmd { return t.priorDraft.leave(t.Turn) }

func (t boxTurn) flatten() tea.Cmd { return t.priorDraft.flatten(t.Turn) }

func (t boxTurn) onlyBox() string {
	return widget.Why(len(t.prior.Boxes()) < 2, "there is only one box; press A to add another")
}

// fine and coarse are the steps of a box, as outcomes.
const fine, coarse = 0.01, 0.05

// shifts makes a command that moves the box along an axis, in the direction of the axis whatever the objective's
// direction.
func shifts(axis int, sign float64) func(boxTurn, tea.KeyPressMsg) tea.Cmd {
	return func(t boxTurn, msg tea.KeyPressMsg) tea.Cmd {
		step := sign * coarse
		if strings.HasPrefix(msg.String(), "shift+") {
			step = sign * fine
		}
		t.box.shift(axis, -step*t.State.Problem.Objectives[t.axes()[axis]].Transform().Sign)
		return t.moved()
	}
}

// grows makes a command that moves each side outwards, by x and by y.
func grows(x, y float64) func(boxTurn) tea.Cmd {
	return func(t boxTurn) tea.Cmd {
		t.box.grow(0, x)
		t.box.grow(1, y)
		return t.moved()
	}
}

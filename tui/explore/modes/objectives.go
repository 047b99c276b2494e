package modes

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/functions"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/tui/explore/mode"
	"bandscope/tui/widget"
)

// ObjectivesMode is the list of the objectives, with a form while one is changed or added.
type ObjectivesMode struct {
	mode.WholeSide
	selected int
	form     *form // nil while the list has the keys
	confirm  widget.Confirmation
	saving   bool // a change is being made
}

// ChangeObjective changes an objective, as an event of the session.
type ChangeObjective struct{ acts.ObjectiveArgs }

// Doing names the change.
func (ChangeObjective) Doing() string { return "changing the objectives" }

// Do changes it. If answers or a prior depend on the objectives, the error names the keys that remove them.
func (a ChangeObjective) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	message, err := a.Apply(s)
	if errors.Is(err, sessions.ErrPreferences) {
		err = fmt.Errorf("%w (press esc, then a and u to withdraw answers, or e to edit the prior)", err)
	}
	return message, err
}

// NewObjectivesMode makes the list with its first objective selected.
func NewObjectivesMode() mode.Mode {
	return &ObjectivesMode{WholeSide: mode.WholeSide{Rest: 11, Flex: 9, Max: 64}}
}

// objectiveTurn is one call of the mode.
type objectiveTurn struct {
	*ObjectivesMode
	*mode.Turn
}

var objectiveCommands = append(widget.List[objectiveTurn]{Shown: "up/down", Does: "choose", Up: "up k shift+tab",
	Down: "down j tab", Round: true, Only: "there is only one objective; press insert to add another",
	Row: func(t objectiveTurn) (*int, int) { return &t.selected, len(t.State.Problem.Objectives) },
}.Commands(), []widget.Command[objectiveTurn]{
	widget.NewCommand(widget.Bind("enter", "edit range and noise", "enter"), nil, objectiveTurn.expect).
		Long("edit the expected range and the noise"),
	widget.NewCommand(widget.Bind("insert", "add an objective", "insert", "A"), nil, objectiveTurn.add),
	widget.NewCommand(widget.Bind("left/right", "reverse direction", "left", "right"), nil, func(
		t objectiveTurn) tea.Cmd {
		return t.want(acts.ObjectiveArgs{Change: acts.ReverseObjective, Name: t.name()})
	}).Long("reverse the direction: minimize or maximize"),
	{Binding: widget.Bind("delete", "drop", "delete", "backspace"), DisabledReason: objectiveTurn.last,
		Do: objectiveTurn.drop},
	widget.NewCommand(widget.Bind("esc", "leave", "esc"), nil, func(t objectiveTurn) tea.Cmd {
		return t.Request(mode.Leave{})
	}),
}...)

// ObjectiveBindings are the keys of the list.
func ObjectiveBindings() []key.Binding { return widget.Bindings(objectiveCommands) }

// FormBindings are the keys of its form.
func FormBindings() []key.Binding { return widget.Bindings(fieldCommands) }

// Title names the mode.
func (l *ObjectivesMode) Title() string { return "the objectives" }

// Typing reports whether the form has the keys.
func (l *ObjectivesMode) Typing() bool { return l.form != nil }

// Keys are the current keys.
func (l *ObjectivesMode) Keys(s mode.Scene) []widget.Key {
	t := objectiveTurn{l, &mode.Turn{Scene: s}}
	if l.form != nil {
		return widget.Keys(t, fieldCommands)
	}
	return widget.Keys(t, objectiveCommands)
}

// Advice says when a change applies.
func (l *ObjectivesMode) Advice() string {
	return "a change applies from this step on; all results are kept"
}

// Start shows the list.
func (l *ObjectivesMode) Start(s mode.Scene) (tea.Cmd, []widget.Action) {
	if s.State.Config.Experiment == nil {
		return nil, []widget.Action{mode.Say{Text: sessions.ErrFixedObjectives.Error()}}
	}
	l.form = nil
	l.saving = false
	l.confirm = widget.Confirmation{}
	l.selected = min(l.selected, len(s.State.Problem.Objectives)-1)
	return nil, []widget.Action{mode.Enter{Mode: l}}
}

// Update takes a key, pasted text, and the result of a change.
func (l *ObjectivesMode) Update(s mode.Scene, msg tea.Msg) (tea.Cmd, []widget.Action) {
	t := objectiveTurn{l, &mode.Turn{Scene: s}}
	return t.take(msg), t.Actions
}

func (t objectiveTurn) take(msg tea.Msg) (cmd tea.Cmd) {
	t.selected = min(t.selected, len(t.State.Problem.Objectives)-1)
	switch msg := msg.(type) {
	case mode.Changed:
		if t.saving && msg.Err == nil {
			t.form = nil
		}
		t.saving = false
	case tea.KeyPressMsg:
		if t.form != nil {
			return t.key(msg)
		}
		t.confirm.Pressed(msg)
		cmd, _ = mode.Press(t.Turn, t, objectiveCommands, msg)
	case tea.PasteMsg:
		if t.form != nil {
			return t.write(msg)
		}
	}
	return cmd
}

// objective is the selected one.
func (t objectiveTurn) objective() functions.Objective { return t.State.Problem.Objectives[t.selected] }

func (t objectiveTurn) name() string { return t.objective().Name }

func (t objectiveTurn) last() string {
	if len(t.State.Problem.Objectives) == 1 {
		return t.name() + " is the only objective; press insert to add another one first"
	}
	return ""
}

// want requests a change, unless one is being made.
func (t objectiveTurn) want(o acts.ObjectiveArgs) tea.Cmd {
	if t.saving {
		return nil
	}
	t.saving = true
	return t.Request(ChangeObjective{o})
}

// drop drops the selected objective when the key is pressed twice.
func (t objectiveTurn) drop(msg tea.KeyPressMsg) tea.Cmd {
	if !t.confirm.Confirmed(msg) {
		return t.Say(fmt.Sprintf("press %s again to drop %s; its results stay in the record", msg, t.name()))
	}
	return t.want(acts.ObjectiveArgs{Change: acts.DropObjective, Name: t.name()})
}

// add opens the form of a new objective.
func (t objectiveTurn) add() tea.Cmd {
	o := acts.ObjectiveArgs{Change: acts.AddObjective, Direction: string(functions.Minimize), Scale: acts.Linear,
		Method: t.State.Spec.Name}
	if n := len(t.State.Problem.Objectives) + 1; !t.State.Spec.Supports(n, t.State.Problem.LimitedOutputs() != nil) {
		o.Method = registry.Default(n)
	}
	return t.open("new objective", o, fieldList(nameField, directionField, unitField, rangeField, scaleField,
		noiseField, worthwhileField, methodField))
}

// expect opens the form of the expected range and noise of the selected objective.
func (t objectiveTurn) expect() tea.Cmd {
	ob := t.objective()
	o := acts.ObjectiveArgs{Change: acts.ExpectObjective, Name: ob.Name, Range: acts.None, Scale: acts.Linear,
		Noise: acts.None, Worthwhile: acts.None}
	if ob.Scale == functions.Log {
		o.Scale = acts.Log
	}
	if ob.Range != nil {
		o.Range = acts.Range(widget.Number(ob.Range[0]) + ", " + widget.Number(ob.Range[1]))
	}
	if ob.Noise > 0 {
		o.Noise = acts.Bound(widget.Number(ob.Noise))
	}
	if ob.Worthwhile > 0 {
		o.Worthwhile = acts.Bound(widget.Number(ob.Worthwhile))
	}
	return t.open("expected range of "+ob.Name, o, fieldList(rangeField, scaleField, noiseField, worthwhileField))
}

// matchingMethods are the methods for n objectives, with or without limits.
func matchingMethods(n int, limited bool) (names []string) {
	for _, m := range registry.All() {
		if m.Supports(n, limited) {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return names
}

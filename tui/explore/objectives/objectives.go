// Package objectives is the mode in which a person changes the objectives of an experiment midway: adds one, drops one, turns one into the other
// direction, or says what is expected of one. The list and the form for that are drawn here; how a change is read and done is sessions/change's, and
// what it means for data, range and method the session's. They are no table of Bubbles, since each row is a box with its description.
package objectives

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/functions"
	"bandscope/optimizers/methods"
	"bandscope/sessions"
	"bandscope/sessions/change"
	"bandscope/tui/explore/mode"
	"bandscope/tui/screen"
)

// List is the list of the objectives, with a form while one is changed or added.
type List struct {
	selected int
	form     *form // nil while the list has the keys
	sure     screen.Sure
	saving   bool // a change is being made
}

// Alter changes an objective, as an event of the session.
type Alter struct{ change.Objective }

// Doing says what is done.
func (Alter) Doing() string { return "changing the objectives" }

// Do changes it. What holds the objectives is said with the keys that let them go.
func (a Alter) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	said, err := a.Make(s)
	if errors.Is(err, sessions.ErrHeld) {
		err = fmt.Errorf("%w (esc, then a and u take answers back, e edits the prior)", err)
	}
	return said, err
}

// New makes the list with its first objective selected.
func New() mode.Mode { return &List{} }

// turn is one call of the mode.
type turn struct {
	*List
	*mode.Turn
}

var commands = []screen.Command[turn]{
	screen.Do(screen.Bind("up/down", "choose", "up", "k", "shift+tab"), turn.only, func(t turn) tea.Cmd { return t.choose(-1) }),
	screen.Do(screen.Bind("", "choose", "down", "j", "tab"), turn.only, func(t turn) tea.Cmd { return t.choose(+1) }),
	screen.Do(screen.Bind("enter", "what is expected", "enter"), nil, turn.expect).Long("range and noise that are expected"),
	screen.Do(screen.Bind("+", "add one", "+", "="), nil, turn.add),
	screen.Do(screen.Bind("left/right", "turn", "left", "right"), nil, func(t turn) tea.Cmd { return t.want(change.Objective{Verb: change.Turn, Name: t.name()}) }).Long("turn: minimize or maximize"),
	{Binding: screen.Bind("delete", "drop it", "delete", "backspace"), Off: turn.last, Do: turn.drop},
	screen.Do(screen.Bind("esc, O", "leave", "esc", "O"), nil, func(t turn) tea.Cmd { return t.Want(mode.Leave{}) }),
}

// Bindings are the keys of the list.
func Bindings() []key.Binding { return screen.Bindings(commands) }

// FormBindings are the keys of its form.
func FormBindings() []key.Binding { return screen.Bindings(fieldCommands) }

// Title names the mode.
func (l *List) Title() string { return "the objectives" }

// Typing reports whether the form has the keys.
func (l *List) Typing() bool { return l.form != nil }

// Keys are the keys as they stand.
func (l *List) Keys(s mode.Scene) []screen.Key {
	t := turn{l, &mode.Turn{Scene: s}}
	if l.form != nil {
		return screen.Keys(t, fieldCommands)
	}
	return screen.Keys(t, commands)
}

// Advice says what a change does.
func (l *List) Advice() string {
	return "a change holds from here on; all data stay"
}

// Start shows the list.
func (l *List) Start(s mode.Scene) (tea.Cmd, []screen.Action) {
	if s.State.Config.Experiment == nil {
		return nil, []screen.Action{mode.Say{Text: sessions.ErrFixed.Error()}}
	}
	l.form, l.saving, l.sure = nil, false, screen.Sure{}
	l.selected = min(l.selected, len(s.State.Problem.Objectives)-1)
	return nil, []screen.Action{mode.Enter{Mode: l}}
}

// Update takes a key, pasted text, and what became of a change.
func (l *List) Update(s mode.Scene, msg tea.Msg) (tea.Cmd, []screen.Action) {
	t := turn{l, &mode.Turn{Scene: s}}
	return t.take(msg), t.Actions
}

func (t turn) take(msg tea.Msg) (cmd tea.Cmd) {
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
		t.sure.Pressed(msg)
		cmd, _ = mode.Press(t.Turn, t, commands, msg)
	case tea.PasteMsg:
		if t.form != nil {
			return t.write(msg)
		}
	}
	return cmd
}

// objective is the one that is selected.
func (t turn) objective() functions.Objective { return t.State.Problem.Objectives[t.selected] }

func (t turn) name() string { return t.objective().Name }

func (t turn) only() string {
	if len(t.State.Problem.Objectives) == 1 {
		return "there is one objective: + adds another one"
	}
	return ""
}

func (t turn) last() string {
	if len(t.State.Problem.Objectives) == 1 {
		return t.name() + " is the only objective: + adds another one first"
	}
	return ""
}

func (t turn) choose(by int) tea.Cmd {
	n := len(t.State.Problem.Objectives)
	t.selected = (t.selected + by + n) % n
	return nil
}

// want wants a change made; a second one waits for what came of the first.
func (t turn) want(o change.Objective) tea.Cmd {
	if t.saving {
		return nil
	}
	t.saving = true
	return t.Want(Alter{o})
}

// drop drops the selected objective when that was said twice.
func (t turn) drop(msg tea.KeyPressMsg) tea.Cmd {
	if !t.sure.Of(msg) {
		return t.Say(fmt.Sprintf("%s again drops %s; what was observed of it stays on record", msg, t.name()))
	}
	return t.want(change.Objective{Verb: change.Drop, Name: t.name()})
}

// add opens the form of a new objective.
func (t turn) add() tea.Cmd {
	o := change.Objective{Verb: change.Add, Direction: string(functions.Minimize), Scale: change.Linear, Method: t.State.Spec.Name}
	if n := len(t.State.Problem.Objectives) + 1; !t.State.Spec.Fits(n, t.State.Problem.Limited() != nil) {
		o.Method = methods.Default(n)
	}
	return t.open("another objective", o, fieldsOf(nameField, directionField, unitField, rangeField, scaleField, noiseField, methodField))
}

// expect opens the form of what is expected of the selected objective.
func (t turn) expect() tea.Cmd {
	ob := t.objective()
	o := change.Objective{Verb: change.Expect, Name: ob.Name, Range: change.None, Scale: change.Linear, Noise: change.None}
	if ob.Scale == functions.Log {
		o.Scale = change.Log
	}
	if ob.Range != nil {
		o.Range = screen.Number(ob.Range[0]) + ", " + screen.Number(ob.Range[1])
	}
	if ob.Noise > 0 {
		o.Noise = screen.Number(ob.Noise)
	}
	return t.open("what is expected of "+ob.Name, o, fieldsOf(rangeField, scaleField, noiseField))
}

// fitting are the methods that take so many objectives, with limits on what is measured or without.
func fitting(n int, limited bool) (names []string) {
	for _, m := range methods.All() {
		if m.Fits(n, limited) {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return names
}

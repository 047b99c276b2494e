package modes

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/functions"
	"bandscope/sessions/acts"
	"bandscope/tui/explore/mode"
	"bandscope/tui/widget"
)

// field is a field of the form.
type field struct {
	label   string
	help    string
	of      func(*acts.ObjectiveArgs) *string
	choices func(t objectiveTurn) []string // nil for text
}

// The fields.
var (
	nameField = field{"name", "letters, digits and _, for use in expressions and on command lines",
		func(o *acts.ObjectiveArgs) *string { return &o.Name }, nil}
	unitField = field{"unit", "optional; another unit makes another objective",
		func(o *acts.ObjectiveArgs) *string { return &o.Unit }, nil}
	directionField = field{"direction", "minimize or maximize; change it with left and right",
		func(o *acts.ObjectiveArgs) *string { return &o.Direction },
		func(objectiveTurn) []string { return []string{string(functions.Minimize), string(functions.Maximize)} }}
	rangeField = field{"range", "the smallest and largest expected value, for example 0, 10; none if unknown",
		func(o *acts.ObjectiveArgs) *string { return (*string)(&o.Range) }, nil}
	scaleField = field{"scale", "linear or log (needs a range above 0); change it with left and right",
		func(o *acts.ObjectiveArgs) *string { return &o.Scale },
		func(objectiveTurn) []string { return []string{acts.Linear, acts.Log} }}
	noiseField = field{"noise sd", "the standard deviation of a measurement; none if unknown",
		func(o *acts.ObjectiveArgs) *string { return (*string)(&o.Noise) }, nil}
	worthwhileField = field{"worthwhile",
		"the smallest improvement that is worth an evaluation, on a log scale a factor; none if any",
		func(o *acts.ObjectiveArgs) *string { return (*string)(&o.Worthwhile) }, nil}
	methodField = field{"method", "the method for this number of objectives; change it with left and right",
		func(o *acts.ObjectiveArgs) *string { return &o.Method },
		func(t objectiveTurn) []string {
			return matchingMethods(len(t.State.Problem.Objectives)+1, t.State.Problem.LimitedOutputs() != nil)
		}}
)

func fieldList(list ...field) []field { return list }

// form is the form of one change.
type form struct {
	title  string
	fields []field
	at     int
	draft  acts.ObjectiveArgs
	input  mode.Field
	tried  bool // the change was requested; errors are shown from then on
}

var fieldCommands = []widget.Command[objectiveTurn]{
	widget.NewCommand(widget.Bind("enter", "next field, apply after the last", "enter"), nil, objectiveTurn.enter),
	widget.NewCommand(widget.Bind("tab, down", "next field", "tab", "down"), objectiveTurn.oneField,
		func(t objectiveTurn) tea.Cmd { return t.move(+1) }),
	widget.NewCommand(widget.Bind("shift+tab, up", "previous field", "shift+tab", "up"), objectiveTurn.oneField,
		func(t objectiveTurn) tea.Cmd { return t.move(-1) }),
	widget.NewCommand(widget.Bind("ctrl+s", "apply", "ctrl+s"), nil, objectiveTurn.make),
	widget.NewCommand(widget.Bind("esc", "back to the list", "esc", "ctrl+c"), nil, objectiveTurn.back),
	{Binding: widget.Bind("f1", "help")},
}

// open opens the form.
func (t objectiveTurn) open(title string, o acts.ObjectiveArgs, fields []field) tea.Cmd {
	t.form = &form{title: title, fields: fields, draft: o, input: mode.NewField(1000)}
	return t.show(0)
}

// show goes to a field.
func (t objectiveTurn) show(index int) tea.Cmd {
	f := t.form
	f.at = index
	return f.input.Begin(*f.fields[index].of(&f.draft))
}

func (t objectiveTurn) oneField() string {
	return widget.Why(len(t.form.fields) == 1, "there is only one field")
}

func (t objectiveTurn) move(delta int) tea.Cmd {
	n := len(t.form.fields)
	return t.show((t.form.at + delta + n) % n)
}

// enter goes to the next field, and makes the change after the last.
func (t objectiveTurn) enter() tea.Cmd {
	if t.form.at == len(t.form.fields)-1 {
		return t.make()
	}
	return t.move(+1)
}

// make requests the change, unless it is invalid.
func (t objectiveTurn) make() tea.Cmd {
	t.form.tried = true
	if _, err := t.form.draft.Declaration(t.State); err != nil {
		return t.Fail(err)
	}
	return t.want(t.form.draft)
}

func (t objectiveTurn) back() tea.Cmd {
	t.form = nil
	return nil
}

// key takes a key of the form: a command, a choice, or text.
func (t objectiveTurn) key(msg tea.KeyPressMsg) tea.Cmd {
	if cmd, taken := mode.Press(t.Turn, t, fieldCommands, msg); taken {
		return cmd
	}
	if t.form.fields[t.form.at].choices == nil {
		return t.write(msg)
	}
	switch msg.String() {
	case "left", "-":
		return t.pick(-1)
	case "right", "+", "space":
		return t.pick(+1)
	}
	return nil
}

// pick selects the next choice.
func (t objectiveTurn) pick(delta int) tea.Cmd {
	f := t.form
	word := f.fields[f.at].of(&f.draft)
	list := f.fields[f.at].choices(t)
	*word = list[(max(slices.Index(list, *word), 0)+delta+len(list))%len(list)]
	return f.input.Begin(*word)
}

// write passes a key or pasted text to the field.
func (t objectiveTurn) write(msg tea.Msg) tea.Cmd {
	f := t.form
	if f.fields[f.at].choices != nil {
		return nil
	}
	cmd, _ := f.input.Take(msg, func(string) error { return nil })
	*f.fields[f.at].of(&f.draft) = strings.TrimSpace(f.input.Text())
	return cmd
}

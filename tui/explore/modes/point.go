package modes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/sessions"
	"bandscope/tui/explore/mode"
	"bandscope/tui/picture"
	"bandscope/tui/widget"
)

// PointMode chooses a point.
type PointMode struct {
	at    []float64  // in the problem's units, length d
	field mode.Field // the point that is typed
	asked bool       // it is being added as a pending point
}

// EvaluatePoint evaluates a point that a person chose, as an event of the session.
type EvaluatePoint struct{ X []float64 }

// AskPoint adds a pending point that a person chose and will evaluate.
type AskPoint struct{ X []float64 }

// NewPointMode makes a cursor without a position.
func NewPointMode() mode.Mode { return newPointMode() }

func newPointMode() *PointMode { return &PointMode{field: mode.NewField(4096)} }

// pointTurn is one call of the mode.
type pointTurn struct {
	*PointMode
	*mode.Turn
}

var pointCommands = []widget.Command[pointTurn]{
	{Binding: widget.Bind("left/right", "move (shift: faster)", "left", "shift+left"), Do: moves(0, -1)},
	{Binding: widget.Bind("", "move (shift: faster)", "right", "shift+right"), Do: moves(0, +1)},
	{Binding: widget.Bind("up/down", "move along the other variable", "up", "shift+up"),
		DisabledReason: pointTurn.noOther,
		Do:             moves(1, +1)},
	{Binding: widget.Bind("", "move along the other variable", "down", "shift+down"), DisabledReason: pointTurn.noOther,
		Do: moves(1, -1)},
	widget.NewCommand(widget.Bind("tab", "go to the next point", "tab"), pointTurn.noNext, func(t pointTurn) tea.Cmd {
		return t.put(t.Next)
	}),
	{Binding: widget.Bind("0-9", "type a value", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "-"),
		Do: func(t pointTurn, msg tea.KeyPressMsg) tea.Cmd { return t.field.Begin(msg.Text) }},
	widget.NewCommand(widget.Bind("e", "edit the point", "e"), nil, pointTurn.typeAll),
	widget.NewCommand(widget.Bind("enter", "evaluate", "enter", "x"), nil, pointTurn.choose),
	widget.NewCommand(widget.Bind("esc", "leave", "esc"), nil, func(t pointTurn) tea.Cmd {
		return t.Request(mode.Leave{})
	}),
}

// PointBindings are the keys of the mode.
func PointBindings() []key.Binding { return widget.Bindings(pointCommands) }

// Title names the mode.
func (c *PointMode) Title() string { return "a query" }

// Typing reports whether the point is typed.
func (c *PointMode) Typing() bool { return c.field.Open() }

// Keys are the current keys.
func (c *PointMode) Keys(s mode.Scene) []widget.Key {
	return widget.Keys(pointTurn{c, &mode.Turn{Scene: s}}, pointCommands)
}

// Hints omits the keys of a second variable if one variable is shown.
func (c *PointMode) Hints(s mode.Scene) []key.Binding {
	if len(s.Axes) == 2 {
		return PointBindings()
	}
	return widget.BindingsFor(pointCommands, "left/right tab 0-9 enter esc")
}

// Overlay is the cursor on the plot.
func (c *PointMode) Overlay(mode.Scene) mode.Overlay { return mode.Overlay{Cursor: c.at} }

// Start puts the cursor at its last position, as far as that is visible, or at the anchor of the slice.
func (c *PointMode) Start(s mode.Scene) (tea.Cmd, []widget.Action) {
	c.field.Close()
	c.asked = false
	anchor := picture.Anchor(s.State)
	if len(c.at) == len(anchor) && s.State.Problem.Domain.Check(c.at) == nil {
		if len(s.Axes) == 2 {
			anchor = c.at
		} else {
			anchor = s.State.Problem.WithValue(anchor, s.Axes[0].Variable, c.at[s.Axes[0].Variable])
		}
	}
	c.at = anchor
	return nil, []widget.Action{mode.Enter{Mode: c}, mode.Recompute{}}
}

// Update takes a key, pasted text or a click on the plot.
func (c *PointMode) Update(s mode.Scene, msg tea.Msg) (tea.Cmd, []widget.Action) {
	t := pointTurn{c, &mode.Turn{Scene: s}}
	return t.take(msg), t.Actions
}

func (t pointTurn) take(msg tea.Msg) tea.Cmd {
	hit, _ := msg.(widget.Hit)
	_, clicked := hit.MouseMsg.(tea.MouseClickMsg)
	if t.field.Open() && !clicked {
		cmd, entered := t.field.Take(msg, t.goTo)
		t.field.Offer(t.names(t.field.Text()))
		if entered {
			t.Request(mode.Recompute{})
		}
		return cmd
	}
	switch msg := msg.(type) {
	case mode.Changed:
		if t.asked && msg.Err == nil {
			t.Request(mode.Leave{})
			t.Request(mode.Results{})
		}
		t.asked = false
	case tea.KeyPressMsg:
		cmd, _ := mode.Press(t.Turn, t, pointCommands, msg)
		return cmd
	case widget.Hit:
		_, values := msg.Value()
		if !clicked || len(values) != len(t.Axes) {
			return nil
		}
		return t.put(t.PointAt(t.at, values))
	}
	return nil
}

func (t pointTurn) noOther() string {
	switch {
	case len(t.Axes) == 2:
		return ""
	case t.State.Problem.Dim() == 1:
		return "this problem has one variable; move with left and right"
	}
	return "the slice shows one variable; move with left and right"
}

func (t pointTurn) noNext() string { return widget.Why(t.Next == nil, "the next point is not known") }

// put puts the cursor at a point.
func (t pointTurn) put(point []float64) tea.Cmd {
	t.at = slices.Clone(point)
	return t.Request(mode.Recompute{})
}

// moves makes a command that moves the cursor along an axis by one cell, or with shift by ten.
func moves(axis int, sign float64) func(pointTurn, tea.KeyPressMsg) tea.Cmd {
	return func(t pointTurn, msg tea.KeyPressMsg) tea.Cmd {
		cells := sign
		if strings.HasPrefix(msg.String(), "shift+") {
			cells *= 10
		}
		position := t.Moved(t.at, axis, cells)
		if slices.Equal(position, t.at) {
			edge := "the domain"
			if len(t.Axes) == 2 {
				edge = "the plot"
			}
			return t.Say("the cursor is at the edge of " + edge)
		}
		return t.put(position)
	}
}

// choose takes the point.
func (t pointTurn) choose() tea.Cmd {
	if err := t.State.Problem.CheckConstraints(t.at); err != nil && !t.Asking {
		return t.Say("this point violates " + err.Error() + "; choose another one")
	}
	if t.ByHand && !t.Asking {
		t.asked = true
		return t.Request(AskPoint{slices.Clone(t.at)})
	}
	t.Request(mode.Leave{})
	if t.Asking {
		return t.Request(mode.Guess{X: slices.Clone(t.at)})
	}
	return t.Request(EvaluatePoint{slices.Clone(t.at)})
}

// goTo puts the cursor at the typed point, or returns why it is invalid.
func (t pointTurn) goTo(text string) error {
	x, err := t.parse(text)
	if err == nil {
		t.at = x
	}
	return err
}

// typeAll opens the field with the current point.
func (t pointTurn) typeAll() tea.Cmd {
	return t.field.Begin(encoding.FormatRow(t.State.Problem.Domain, t.at))
}

// names are the completions of a text that ends in the name of a choice.
func (t pointTurn) names(text string) (list []string) {
	domain := t.State.Problem.Domain
	items := functions.SplitList(text, ',')
	last := items[len(items)-1]
	done, variables := text[:len(text)-len(last)], []int{len(items) - 1}
	if blanks := last; done != "" {
		done += blanks[:len(blanks)-len(strings.TrimLeft(blanks, " "))]
	} else {
		variables = append(variables, t.Axes[0].Variable)
	}
	for _, j := range variables {
		if j < len(domain) {
			for _, name := range domain[j].Choices {
				list = append(list, done+functions.Quote(name))
			}
		}
	}
	return list
}

// parse reads one value for the variable along x, or one value per variable, separated by commas, or by spaces if no
// variable is a choice.
func (t pointTurn) parse(text string) ([]float64, error) {
	domain, along := t.State.Problem.Domain, t.Axes[0].Variable
	fields := functions.SplitList(text, ',')
	switch {
	case !slices.ContainsFunc(domain, func(v functions.Variable) bool { return v.Kind == functions.Choice }):
		fields = strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	case slices.Contains(domain[along].Choices, strings.TrimSpace(text)): // a name with commas
		fields = []string{text}
	}
	x, variables := slices.Clone(t.at), domain
	switch len(fields) {
	case len(x):
	case 1:
		variables = domain[along : along+1]
	default:
		return nil, fmt.Errorf("type one value for %s, or %d values separated by commas", domain[along].Name, len(x))
	}
	for i, f := range fields {
		v, err := variables[i].Parse(encoding.Complete(variables[i], f))
		if err != nil {
			return nil, err
		}
		if len(variables) < len(x) {
			x = t.State.Problem.WithValue(x, along, v)
		} else {
			x[i] = v
		}
	}
	return x, domain.Check(x)
}

// Doing names the change.
func (AskPoint) Doing() string { return "adding your point" }

// Do adds the point.
func (a AskPoint) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	it, err := s.AskPoint(a.X)
	if err != nil {
		return "", err
	}
	return widget.DescribeNewPoints(s.State().Problem, it), nil
}

// Doing names the change.
func (e EvaluatePoint) Doing() string { return "evaluating" }

// Do evaluates the point.
func (e EvaluatePoint) Do(ctx context.Context, s *sessions.Session, progress sessions.Progress) (string, error) {
	if progress != nil {
		ctx = functions.WithListener(ctx, func(line string) { progress("your point: "+line, 0, 0) })
	}
	it, err := s.Query(ctx, e.X)
	switch problem := s.State().Problem; {
	case err == nil:
		return widget.DescribeIteration(problem, it), nil
	case it.ID != "" && ctx.Err() == nil:
		return widget.DescribePending(problem, it), err
	}
	return "", err
}

// Package query is the mode in which a person chooses the next point: with a cursor on the plot, by keys or the mouse, or typed. What is known at the
// cursor is told in the status line by whoever draws the plot, and drawn there. The point is evaluated by a change of the session, or in a lesson
// answers the question where to query.
package query

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/functions"
	"bandscope/functions/setting"
	"bandscope/sessions"
	"bandscope/tui/belief"
	"bandscope/tui/explore/mode"
	"bandscope/tui/screen"
)

// Cursor chooses a point.
type Cursor struct {
	at    []float64  // in the problem's units, length d
	field mode.Field // the point that is typed
	asked bool       // it is being given out, to a person
}

// Evaluate evaluates a point that a person chose, as an event of the session.
type Evaluate struct{ X []float64 }

// Ask gives out a point that a person chose, who will say what came of it.
type Ask struct{ X []float64 }

// New makes a cursor that is nowhere yet.
func New() mode.Mode { return newCursor() }

func newCursor() *Cursor { return &Cursor{field: mode.NewField(4096)} }

// turn is one call of the mode.
type turn struct {
	*Cursor
	*mode.Turn
}

var commands = []screen.Command[turn]{
	{Binding: screen.Bind("left/right", "move (shift: faster)", "left", "shift+left"), Do: moves(0, -1)},
	{Binding: screen.Bind("", "move (shift: faster)", "right", "shift+right"), Do: moves(0, +1)},
	{Binding: screen.Bind("up/down", "move along the other variable", "up", "shift+up"), Off: turn.noOther, Do: moves(1, +1)},
	{Binding: screen.Bind("", "move along the other variable", "down", "shift+down"), Off: turn.noOther, Do: moves(1, -1)},
	screen.Do(screen.Bind("tab", "to the next point", "tab"), turn.noNext, func(t turn) tea.Cmd { return t.put(t.Next) }),
	{Binding: screen.Bind("0-9", "type a value", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "-"), Do: func(t turn, msg tea.KeyPressMsg) tea.Cmd { return t.field.Begin(msg.Text) }},
	screen.Do(screen.Bind("e", "edit the point", "e"), nil, turn.typeAll),
	screen.Do(screen.Bind("enter", "evaluate", "enter", "x"), nil, turn.choose),
	screen.Do(screen.Bind("esc", "leave", "esc"), nil, func(t turn) tea.Cmd { return t.Want(mode.Leave{}) }),
}

// Bindings are the keys of the mode.
func Bindings() []key.Binding { return screen.Bindings(commands) }

// Title names the mode.
func (c *Cursor) Title() string { return "a query" }

// Typing reports whether the point is typed.
func (c *Cursor) Typing() bool { return c.field.Open() }

// Keys are the keys as they stand.
func (c *Cursor) Keys(s mode.Scene) []screen.Key {
	return screen.Keys(turn{c, &mode.Turn{Scene: s}}, commands)
}

// Hints leaves out the keys of a second variable where one is shown.
func (c *Cursor) Hints(s mode.Scene) []key.Binding {
	if len(s.Axes) == 2 {
		return Bindings()
	}
	return screen.Named(commands, "left/right tab 0-9 enter esc")
}

// Overlay is the cursor on the plot.
func (c *Cursor) Overlay(mode.Scene) mode.Overlay { return mode.Overlay{Cursor: c.at} }

// Start puts the cursor where it was left, as far as that is shown, or at the anchor of the slice.
func (c *Cursor) Start(s mode.Scene) (tea.Cmd, []screen.Action) {
	c.field.Close()
	c.asked = false
	at := belief.Anchor(s.State)
	if len(c.at) == len(at) && s.State.Problem.Domain.Check(c.at) == nil {
		if len(s.Axes) == 2 {
			at = c.at
		} else {
			at[s.Axes[0].Variable] = c.at[s.Axes[0].Variable]
		}
	}
	c.at = at
	return nil, []screen.Action{mode.Enter{Mode: c}, mode.Look{}}
}

// Update takes a key, pasted text or a click on the plot.
func (c *Cursor) Update(s mode.Scene, msg tea.Msg) (tea.Cmd, []screen.Action) {
	t := turn{c, &mode.Turn{Scene: s}}
	return t.take(msg), t.Actions
}

func (t turn) take(msg tea.Msg) tea.Cmd {
	hit, _ := msg.(screen.Hit)
	_, clicked := hit.MouseMsg.(tea.MouseClickMsg)
	if t.field.Open() && !clicked {
		cmd, entered := t.field.Take(msg, t.goTo)
		t.field.Offer(t.names(t.field.Text()))
		if entered {
			t.Want(mode.Look{})
		}
		return cmd
	}
	switch msg := msg.(type) {
	case mode.Changed:
		if t.asked && msg.Err == nil {
			t.Want(mode.Leave{})
			t.Want(mode.Results{})
		}
		t.asked = false
	case tea.KeyPressMsg:
		cmd, _ := mode.Press(t.Turn, t, commands, msg)
		return cmd
	case screen.Hit:
		_, values := msg.Value()
		if !clicked || len(values) != len(t.Axes) {
			return nil
		}
		at := slices.Clone(t.at)
		for i, v := range values {
			at[t.Axes[i].Variable] = t.State.Problem.Domain[t.Axes[i].Variable].Snap(v)
		}
		return t.put(at)
	}
	return nil
}

func (t turn) noOther() string {
	switch {
	case len(t.Axes) == 2:
		return ""
	case t.State.Problem.Dim() == 1:
		return "this problem has one variable: left and right move"
	}
	return "a slice along one variable is shown: left and right move"
}

func (t turn) noNext() string {
	if t.Next == nil {
		return "no next point is known here"
	}
	return ""
}

// put puts the cursor at a point.
func (t turn) put(at []float64) tea.Cmd {
	t.at = slices.Clone(at)
	return t.Want(mode.Look{})
}

// moves moves the cursor along an axis of the plot by a cell, or with shift by ten.
func moves(axis int, by float64) func(turn, tea.KeyPressMsg) tea.Cmd {
	return func(t turn, msg tea.KeyPressMsg) tea.Cmd {
		cells := by
		if strings.HasPrefix(msg.String(), "shift+") {
			cells *= 10
		}
		a := t.Axes[axis]
		at := slices.Clone(t.at)
		x := &at[a.Variable]
		if *x = a.Moved(t.State.Problem.Domain[a.Variable], *x, cells); *x == t.at[a.Variable] {
			edge := "the domain"
			if len(t.Axes) == 2 {
				edge = "what is shown"
			}
			return t.Say("this is the edge of " + edge)
		}
		return t.put(at)
	}
}

// choose takes the point.
func (t turn) choose() tea.Cmd {
	if err := t.State.Problem.Allows(t.at); err != nil && !t.Asking {
		return t.Say(err.Error() + ": it is not evaluated there")
	}
	if t.ByHand && !t.Asking {
		t.asked = true
		return t.Want(Ask{slices.Clone(t.at)})
	}
	t.Want(mode.Leave{})
	if t.Asking {
		return t.Want(mode.Guess{X: slices.Clone(t.at)})
	}
	return t.Want(Evaluate{slices.Clone(t.at)})
}

// goTo puts the cursor at the point that a text says, or says why it is none.
func (t turn) goTo(text string) error {
	x, err := t.parse(text)
	if err == nil {
		t.at = x
	}
	return err
}

// typeAll types the point from the values as they stand.
func (t turn) typeAll() tea.Cmd {
	return t.field.Begin(setting.List(t.State.Problem.Domain, t.at))
}

// names are the texts that end in a choice where one is typed.
func (t turn) names(text string) (list []string) {
	domain := t.State.Problem.Domain
	done, variables := text[:strings.LastIndexByte(text, ',')+1], []int{strings.Count(text, ",")}
	if blanks := text[len(done):]; done != "" {
		done += blanks[:len(blanks)-len(strings.TrimLeft(blanks, " "))]
	} else {
		variables = append(variables, t.Axes[0].Variable)
	}
	for _, j := range variables {
		if j < len(domain) {
			for _, name := range domain[j].Choices {
				list = append(list, done+name)
			}
		}
	}
	return list
}

// parse reads one value for the variable along x, or one a variable, separated by commas, or by spaces where no choice may have any.
func (t turn) parse(text string) ([]float64, error) {
	domain, along := t.State.Problem.Domain, t.Axes[0].Variable
	apart := func(r rune) bool { return r == ',' }
	if !slices.ContainsFunc(domain, func(v functions.Variable) bool { return v.Kind == functions.Choice }) {
		apart = func(r rune) bool { return r == ',' || r == ' ' }
	}
	fields := strings.FieldsFunc(text, apart)
	x, of := slices.Clone(t.at), domain
	switch len(fields) {
	case len(x):
	case 1:
		of = domain[along : along+1]
	default:
		return nil, fmt.Errorf("type one value for %s, or %d values separated by commas", domain[along].Name, len(x))
	}
	for i, f := range fields {
		v, err := of[i].Parse(setting.Complete(of[i], f))
		if err != nil {
			return nil, err
		}
		if len(of) < len(x) {
			x[along] = v
		} else {
			x[i] = v
		}
	}
	return x, domain.Check(x)
}

// Doing says what is done.
func (Ask) Doing() string { return "giving out your point" }

// Do gives the point out.
func (a Ask) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	it, err := s.AskFor(a.X)
	if err != nil {
		return "", err
	}
	return screen.Asked(s.State().Problem, it), nil
}

// Doing says what is done.
func (e Evaluate) Doing() string { return "evaluating" }

// Do evaluates the point.
func (e Evaluate) Do(ctx context.Context, s *sessions.Session, progress sessions.Progress) (string, error) {
	if progress != nil {
		ctx = functions.WithListener(ctx, func(line string) { progress("your point: "+line, 0, 0) })
	}
	it, err := s.Query(ctx, e.X)
	switch problem := s.State().Problem; {
	case err == nil:
		return screen.Iteration(problem, it), nil
	case it.ID != "" && ctx.Err() == nil:
		return screen.Out(problem, it), err
	}
	return "", err
}

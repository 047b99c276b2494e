// Package aim is the mode in which boxes of wanted outcomes are moved, by keys or the mouse: the prior over weights aims into them. What a box does to
// the weights is computed off the update loop and shown while it moves; nothing is recorded before it is taken, by a change of the session. What a prior
// is, and how outcomes are drawn, lies elsewhere.
package aim

import (
	"context"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/model/preference"
	"bandscope/optimizers"
	"bandscope/optimizers/weights"
	"bandscope/sessions"
	"bandscope/tui/belief/several"
	"bandscope/tui/explore/mode"
	"bandscope/tui/screen"
)

// Boxes moves the boxes of a prior.
type Boxes struct {
	prior preference.Prior // as it would be
	part  int              // of the prior, that is moved
	shown int              // which of the boxes that is
	box   box
	grip  grip
	jobs  screen.Jobs // computes the weights under a prior that is not taken yet
	stale bool        // the prior is another one by now
}

// Steer makes a text the prior over weights, as an event of the session.
type Steer struct{ Text, Said string }

// New makes a mode that moves no box yet.
func New() mode.Mode { return &Boxes{} }

// turn is one call of the mode.
type turn struct {
	*Boxes
	*mode.Turn
}

var commands = []screen.Command[turn]{
	{Binding: screen.Bind("arrows", "move the box (shift: finer)", "left", "shift+left"), Do: shifts(0, -1)},
	{Binding: screen.Bind("", "move the box (shift: finer)", "right", "shift+right"), Do: shifts(0, +1)},
	{Binding: screen.Bind("", "move the box (shift: finer)", "up", "shift+up"), Do: shifts(1, +1)},
	{Binding: screen.Bind("", "move the box (shift: finer)", "down", "shift+down"), Do: shifts(1, -1)},
	screen.Do(screen.Bind("+ -", "larger, smaller", "+", "="), nil, grows(coarse/2, coarse/2)),
	screen.Do(screen.Bind("", "larger, smaller", "-", "_"), nil, grows(-coarse/2, -coarse/2)),
	screen.Do(screen.Bind(") (", "wider, narrower", ")"), nil, grows(coarse/2, 0)),
	screen.Do(screen.Bind("", "wider, narrower", "("), nil, grows(-coarse/2, 0)),
	screen.Do(screen.Bind("enter", "aim there", "enter"), nil, turn.take),
	screen.Do(screen.Bind("esc", "leave", "esc"), nil, turn.leave),
	screen.Do(screen.Bind("B", "another box", "B"), nil, func(t turn) tea.Cmd { return t.add(false) }),
	screen.Do(screen.Bind("tab", "next box", "tab"), turn.onlyBox, turn.holdNext),
	screen.Do(screen.Bind("delete", "remove it", "delete", "backspace"), nil, turn.remove),
	screen.Do(screen.Bind("F", "flat prior again", "F"), nil, turn.flatten),
}

// Bindings are the keys of the mode, and what the mouse does.
func Bindings() []key.Binding {
	return append(screen.Bindings(commands), screen.Bind("mouse", "drag the box or a side of it"))
}

// Title names the mode.
func (b *Boxes) Title() string { return "a box" }

// Typing reports that no text is typed.
func (b *Boxes) Typing() bool { return false }

// Busy reports whether the weights under a prior are being computed.
func (b *Boxes) Busy() bool { return b.jobs.Busy() }

// Stop gives up what is computed.
func (b *Boxes) Stop() { b.jobs.Stop() }

// Keys are the keys as they stand.
func (b *Boxes) Keys(s mode.Scene) []screen.Key {
	return screen.Keys(turn{b, &mode.Turn{Scene: s}}, commands)
}

// Start takes the prior's first box to be moved, or a new one.
func (b *Boxes) Start(s mode.Scene) (tea.Cmd, []screen.Action) {
	t := turn{b, &mode.Turn{Scene: s}}
	return t.start(), t.Actions
}

func (t turn) start() tea.Cmd {
	switch o, st := t.Outcomes, t.State; {
	case o == nil:
		return t.Say("boxes are for problems of several objectives, where outcomes are shown (d)")
	case !st.Weighed():
		return t.Say(st.Spec.Title + " has no prior over weights to steer")
	case o.Held == nil || st.Range == nil && len(st.Iterations) < 2:
		return t.Say("the box needs the first points, which say what good and bad outcomes are: space")
	}
	prior, err := weights.PriorOf(t.State.Input())
	if err != nil {
		return t.Fail(err)
	}
	t.prior, t.grip = prior, grip{}
	t.Want(mode.Enter{Mode: t.Boxes})
	t.Want(mode.Preview{Outcomes: t.Outcomes.Held})
	for i, part := range prior {
		if part.Law == preference.Boxed {
			t.hold(i)
			return nil
		}
	}
	return t.add(true)
}

// Update takes a key, the mouse, the weights under a prior, and a new picture, on which they are computed anew.
func (b *Boxes) Update(s mode.Scene, msg tea.Msg) (tea.Cmd, []screen.Action) {
	t := turn{b, &mode.Turn{Scene: s}}
	return t.message(msg), t.Actions
}

func (t turn) message(msg tea.Msg) (cmd tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd, _ = mode.Press(t.Turn, t, commands, msg)
	case screen.Hit:
		switch msg.MouseMsg.(type) {
		case tea.MouseClickMsg:
			cmd = t.grab(msg)
		case tea.MouseMotionMsg:
			cmd = t.drag(msg)
		case tea.MouseReleaseMsg:
			t.grip = grip{}
		}
	case mode.Looked:
		cmd = t.preview()
	case screen.DoneMsg:
		if inner, ok := t.jobs.Take(msg); ok {
			cmd = t.weighed(inner)
		}
	}
	return cmd
}

// preview shows the weights under a prior that is not taken yet, beside those of the one that holds. It is computed off the update loop, one at a
// time: while a box is dragged, the newest prior is the next.
func (t turn) preview() tea.Cmd {
	if t.stale = t.jobs.Busy(); t.stale {
		return nil
	}
	held := t.Outcomes.Held
	st, err := t.State.Edited(priorKey(t.State), t.prior.String())
	if err != nil || held == nil {
		return nil
	}
	return t.jobs.Start("weighing", func(context.Context, func(string, int, int)) tea.Msg { return held.Reweigh(st) })
}

// weighed takes what preview computed, and goes on with what was wanted meanwhile.
func (t turn) weighed(msg tea.Msg) tea.Cmd {
	t.jobs.Finish()
	if o, ok := msg.(*several.Outcomes); ok {
		t.Want(mode.Preview{Outcomes: o})
	}
	if t.stale {
		return t.preview()
	}
	return nil
}

// priorKey is what the method calls its prior over weights.
func priorKey(st sessions.State) string {
	d, _ := st.Params.Of(optimizers.RolePrior)
	return d.Key
}

// take makes the prior the one that holds, with what is shown of it.
func (t turn) take() tea.Cmd {
	t.jobs.Stop()
	t.Want(Steer{t.prior.String(), "the prior now aims into the box"})
	return t.Want(mode.Leave{})
}

// leave leaves the prior as it was.
func (t turn) leave() tea.Cmd {
	t.jobs.Stop()
	return t.Want(mode.Leave{})
}

func (t turn) flatten() tea.Cmd {
	t.leave()
	return t.Want(Steer{string(preference.Flat), "the prior is flat again"})
}

func (t turn) onlyBox() string {
	if len(t.prior.Boxes()) < 2 {
		return "there is one box: B adds another"
	}
	return ""
}

// fine and coarse are the steps of a box, as outcomes.
const fine, coarse = 0.01, 0.05

// shifts is what a key does that moves the box along an axis; it goes where the axis goes, whichever way the objective is better.
func shifts(axis int, by float64) func(turn, tea.KeyPressMsg) tea.Cmd {
	return func(t turn, msg tea.KeyPressMsg) tea.Cmd {
		step := by * coarse
		if strings.HasPrefix(msg.String(), "shift+") {
			step = by * fine
		}
		t.box.shift(axis, -step*t.State.Problem.Objectives[t.axes()[axis]].Gauge().Sign)
		return t.moved()
	}
}

// grows is what a key does that moves the sides apart by as much each, along x and along y.
func grows(x, y float64) func(turn) tea.Cmd {
	return func(t turn) tea.Cmd {
		t.box.grow(0, x)
		t.box.grow(1, y)
		return t.moved()
	}
}

// Doing says what is done.
func (c Steer) Doing() string { return "steering" }

// Do makes the text the prior, if it is not already.
func (c Steer) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	st := s.State()
	key := priorKey(st)
	if st.Params.Text(key) == c.Text {
		return c.Said, nil
	}
	if err := s.Edit(key, c.Text); err != nil {
		return "", err
	}
	return c.Said, nil
}

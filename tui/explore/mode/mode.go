// Package mode says what a mode of the explorer is: keys that for a while do something else than step, such as editing
// parameters or writing a note. The modes live in packages modes, note and results and know nothing of the explorer.
// Each is given a scene, what it sees of the explorer at this moment, with a message, and gives back actions, what it
// wants done, as values; the explorer has one switch over them, to which a new mode adds nothing. No mode lives here,
// nor anything that is drawn.
package mode

import (
	"fmt"
	"math"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/layout"
	"bandscope/tui/picture/front"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Scene is what a mode sees of the explorer: a value, made for each call.
type Scene struct {
	State  sessions.State
	Params Params // that can be edited
	Notes  Notes  // that are written where the session stands
	Style  theme.Style
	Legend optimizers.Legend // what the belief that is shown says of itself
	Next   []float64         // the next point; nil where it is unknown, or asked for
	Asking bool              // a lesson asks where to query
	ByHand bool              // nobody is attached who evaluates: a person does, and enters the results
	// how long what is out has been, by the IDs of the iterations; nothing of what nobody knows
	Ages map[string]time.Duration

	// what is being evaluated, by the IDs of the iterations: the last line that was heard of it, empty for none
	Running map[string]string

	// of the picture: one variable, or two, or the one that was shown last where outcomes are shown
	Axes       []Axis
	ReadingsAt func([]float64) []Reading // what the picture says of an input

	Outcomes *Outcomes // nil where another picture is shown
}

// Axis is a variable along an axis of the picture: from where to where it is shown, and in how many cells.
type Axis struct {
	Variable  int
	Low, High float64
	Scale     functions.Scale
	Cells     func() int
}

// Moved is a value of the variable so many cells farther along the axis, not beyond its ends; of one that takes levels,
// so many levels.
func (a Axis) Moved(of functions.Variable, x, cells float64) float64 {
	if n := of.Levels(); n > 0 {
		for i := min(max(of.Nearest(x)+int(cells), 0), n-1); cells != 0; i -= int(math.Copysign(1, cells)) {
			// back to what is shown
			if to := of.Level(i); to >= a.Low && to <= a.High || to == x {
				return to
			}
		}
		return x
	}
	shown := float64(max(a.Cells(), 10))
	if v := (functions.Variable{Low: a.Low, High: a.High, Scale: a.Scale}); a.Scale == functions.Log {
		return v.FromUnit(v.ToUnit(x) + cells/shown)
	}
	return min(max(x+cells*(a.High-a.Low)/shown, a.Low), a.High)
}

// Outcomes is what a mode sees of the picture of outcomes.
type Outcomes struct {
	Displayed *front.Outcomes // nil while the first is computed
	Current   *front.Outcomes // under the prior that holds, where another is previewed
	I, J      int             // the objectives along x and y
}

// Reading is a value with its name.
type Reading struct {
	Name  string
	Value float64
}

// Mode is what the keys do for a while. One is made when it is wanted first and started anew each time, so that it may
// remember what was done in it.
type Mode interface {
	Title() string                          // as in "… does nothing in the editor"
	Start(Scene) (tea.Cmd, []widget.Action) // wants Enter, or to say why not
	Keys(Scene) []widget.Key                // as they stand, for help and footer
	Typing() bool                           // whether keys are text
	// takes keys, pasted text, the mouse as a widget.Hit, Changed and Looked; its own messages also after it was left
	Update(scene Scene, msg tea.Msg) (tea.Cmd, []widget.Action)
}

// What a mode draws, if it draws any of it.
type (
	// SidePanel has a panel at the side: in place of all that stands there, or above the traces.
	SidePanel interface {
		// of the panel in cells, given that of the window and that which the side has otherwise
		Width(window, side int) int
		Whole() bool                             // it has all of the side
		Panel(scene Scene, w, h int) *layout.Box // with its border
	}
	// Overlayer draws over the picture, which asks for it: what the picture says is not in the scene.
	Overlayer interface{ Overlay(Scene) Overlay }
	// LowerPanel has the part of the panel under the outcomes, in place of the prior over the weights.
	LowerPanel interface {
		Below(scene Scene, w, h int) *layout.Box // what describes it describes the part
		BelowTitles(Scene) []string              // the longest that fits is shown
	}
	// StatusDrawer has the status line, of w columns, where nothing else was said.
	StatusDrawer interface {
		Status(scene Scene, w int) *layout.Box
	}
	// Stopper computes something by itself.
	Stopper interface {
		Busy() bool
		Stop()
	}
	// TextInput takes some keys as text though not all are.
	TextInput interface {
		Text(Scene, tea.KeyPressMsg) bool
		Pastes(Scene) bool // whether pasted text is taken
	}
	// Hinter has other keys in the bottom line than all that it has.
	Hinter interface{ Hints(Scene) []key.Binding }
	// Adviser says in the status line what to do, where nothing else is to be said.
	Adviser interface{ Advice() string }
)

// Overlay is what a mode draws over the picture.
type Overlay struct {
	Cursor []float64 // an input that is being chosen; nil for none
	// in place of the prior's: from and to along x, from and to along y, as outcomes; nil for none
	Boxes     [][4]float64
	MovingBox int         // which of them is moved
	Question  [][]float64 // outcomes that are to be compared, a row each in the objectives' units
}

// Key differs where anything of it does.
func (o Overlay) Key() string { return fmt.Sprint(o.Cursor, o.Boxes, o.MovingBox, o.Question) }

// Turn is one call of a mode: the scene and what comes of it.
type Turn struct {
	Scene
	Actions []widget.Action
}

// Request adds an action to those that are wanted. It gives no command, so that a command can end with it.
func (t *Turn) Request(a widget.Action) tea.Cmd {
	t.Actions = append(t.Actions, a)
	return nil
}

// Say wants a sentence to be said.
func (t *Turn) Say(text string) tea.Cmd { return t.Request(Say{Text: text}) }

// Fail wants an error to be said.
func (t *Turn) Fail(err error) tea.Cmd { return t.Request(Say{Text: err.Error(), Bad: true}) }

// Press does what a key press asks for by the commands of a mode; where its command can do nothing, it says why. It is
// false where no command has the key.
func Press[M any](t *Turn, m M, commands []widget.Command[M], msg tea.KeyPressMsg) (tea.Cmd, bool) {
	cmd, off, taken := widget.Press(m, commands, msg)
	if off != "" {
		t.Say(off)
	}
	return cmd, taken
}

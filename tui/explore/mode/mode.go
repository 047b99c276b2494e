// Package mode says what a mode of the explorer is: keys that for a while do something else than step, such as editing parameters or writing a note.
// Each mode lives in a room of its own beside this one and knows nothing of the explorer. It is given a scene, what it sees of the explorer at this
// moment, with a message, and gives back actions, what it wants done, as values; the explorer has one switch over them, to which a new mode adds
// nothing. No mode lives here, nor anything that is drawn.
package mode

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// Scene is what a mode sees of the explorer: a value, made for each call.
type Scene struct {
	State  sessions.State
	Style  theme.Style
	Legend optimizers.Legend // what the belief that is shown says of itself
}

// Mode is what the keys do for a while. One is made when it is wanted first and started anew each time, so that it may remember what was done in it.
type Mode interface {
	Title() string                                              // as in "… does nothing in the editor"
	Start(Scene) (tea.Cmd, []screen.Action)                     // wants Enter, or to say why not
	Keys(Scene) []screen.Key                                    // as they stand, for help and footer
	Typing() bool                                               // whether keys are text
	Update(scene Scene, msg tea.Msg) (tea.Cmd, []screen.Action) // takes keys, pasted text, the mouse, Changed, and messages of its own; of its own also after it was left
}

// What a mode draws, if it draws any of it.
type (
	// Paneled has a panel at the side: in place of all that stands there, or above the traces.
	Paneled interface {
		Room(window, side int) (w int, whole bool) // columns of the panel, given those of the window and those that the side has otherwise
		Panel(scene Scene, w, h int) []string      // with its frame
	}
	// Advising says in the status line what to do, where nothing else is to be said.
	Advising interface{ Advice() string }
)

// Turn is one call of a mode: the scene and what comes of it.
type Turn struct {
	Scene
	Actions []screen.Action
}

// Want adds an action to those that are wanted. It gives no command, so that a command can end with it.
func (t *Turn) Want(a screen.Action) tea.Cmd {
	t.Actions = append(t.Actions, a)
	return nil
}

// Say wants a sentence to be said.
func (t *Turn) Say(text string) tea.Cmd { return t.Want(Say{Text: text}) }

// Fail wants an error to be said.
func (t *Turn) Fail(err error) tea.Cmd { return t.Want(Say{Text: err.Error(), Bad: true}) }

// Press does what a key press asks for by the commands of a mode; where its command can do nothing, it says why. It is false where no command has
// the key.
func Press[M any](t *Turn, m M, commands []screen.Command[M], msg tea.KeyPressMsg) (tea.Cmd, bool) {
	cmd, off, taken := screen.Press(m, commands, msg)
	if off != "" {
		t.Say(off)
	}
	return cmd, taken
}

// Package panel says what a view of a training is, and has the view that fits any training: its columns over the
// updates, a small plot each. A view declares its keys as data, computes what it draws off the update loop as a value
// that never changes, and draws boxes from it.
package panel

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/training"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Scene is what a picture sees of the screen: a value, made for each call.
type Scene struct {
	State    training.State // where the training stands, without its models; the traces reach to State.Step
	Style    theme.Style
	W, H     int // of the picture, in cells
	Computed any // what was computed last, of the picture's own type; nil while there is nothing
	// Known is of another place than State, or of another choice of the picture's: it is being computed anew
	Stale  bool
	Axes   sessions.Axes // that the pages of a lesson share
	Asking bool          // a lesson asks what will come: nothing is to be drawn that tells
}

// Progress takes reports of a computation: what is done now, and how far it is (done of total, 0 of 0 where that is not
// known).
type Progress = func(what string, done, total int)

// ComputeFunc computes what a picture draws: at is where the training stands, with its models, which are only read;
// before is what was computed last, of whatever place, or nil. What it gives is never changed any more. It ends soon
// after its context.
type ComputeFunc func(ctx context.Context, at training.State, before any, progress Progress) (any, error)

// Picture is the picture of a lab. It is used from the update loop only; what it computes there, besides drawing, is
// nothing.
type Picture interface {
	// Commands are its keys, which must not be the screen's. Their order is that of the help; Hints names those of the
	// bottom line as they are shown, the most needed first.
	Commands() []widget.Command[*Turn]
	Hints() string

	// Look is how what it draws is computed, with the choices that hold now: the closure must not see the picture
	// itself, which goes on changing.
	Compute(Scene) ComputeFunc

	// Draw draws Place.W×Place.H cells: panels with their frames, and what describes them.
	Draw(Scene) *layout.Box
}

// ViewSelector is a picture of which a page of a lesson can show one view, by its name.
type ViewSelector interface {
	// View shows a view; false where there is none of that name, and nothing changes.
	View(name string) bool
}

// Turn is one call of a key of a picture: the place, and what comes of it.
type Turn struct {
	Scene
	Said  string
	Again bool // what is drawn is to be computed anew
}

// Say says something. It gives no command, so that a key's can end with it.
func (t *Turn) Say(text string) tea.Cmd {
	t.Said = text
	return nil
}

// Recompute wants what is drawn computed anew, as another choice holds now.
func (t *Turn) Recompute() tea.Cmd {
	t.Again = true
	return nil
}

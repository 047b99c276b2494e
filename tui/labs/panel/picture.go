// Package panel defines the picture of a training. A picture declares its keys as data, computes an immutable value off
// the update loop, and draws boxes from it. It knows no lab: packages retrievalview and hierarchyview have the pictures.
package panel

import (
	"context"

	"bandscope/sessions"
	"bandscope/sessions/training"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Scene is the part of the screen that a picture sees: a value, made for each call.
type Scene struct {
	State    training.State // without its models; the traces reach to State.Step
	Style    theme.Style
	W, H     int // of the picture, in cells
	Computed any // the last result of Compute, of the picture's own type; nil while there is none
	// Computed belongs to another state or to other choices in the picture, and is being computed again
	Stale  bool
	Axes   sessions.Axes // that the pages of a lesson share
	Asking bool          // a lesson asks a question: nothing may be drawn that answers it
}

// Progress takes reports of a computation: its current part, and how much is done (done of total, 0 of 0 if unknown).
type Progress = func(stage string, done, total int)

// ComputeFunc computes the value that a picture draws, from the state of the training with its models, which it only
// reads; before is the last result, of any state, or nil. Its result never changes. It ends soon after its context.
type ComputeFunc func(ctx context.Context, state training.State, before any, progress Progress) (any, error)

// Picture is the picture of a lab. It is used from the update loop only, where it draws but computes nothing.
type Picture interface {
	// Commands are its keys, in the order of the help; they must differ from the screen's. Hints names those of the
	// bottom line, the most needed first.
	Commands() []widget.Command[*Turn]
	Hints() string

	// Compute returns the function that computes the drawn value with the current choices. The closure must not use
	// the picture itself, which may change.
	Compute(Scene) ComputeFunc

	// Draw draws Scene.W×Scene.H cells: panels with their frames and descriptions.
	Draw(Scene) *layout.Box
}

// ViewSelector is a picture with named views, which pages of lessons can show.
type ViewSelector interface {
	// View shows the view of that name; it returns false and changes nothing if there is none.
	View(name string) bool
}

// Turn is one call of a key of a picture: the scene, and its effects.
type Turn struct {
	Scene
	widget.Effects
}

package mode

import (
	"context"

	"bandscope/sessions"
	"bandscope/tui/picture/front"
	"bandscope/tui/widget"
)

// The actions that modes request from the explorer, with Change; the window does all others.
type (
	// Enter makes a mode the active one. A running search pauses.
	Enter struct{ Mode Mode }
	// Leave ends the active mode.
	Leave struct{}
	// Say shows a sentence in the status line.
	Say struct {
		Text string
		Bad  bool
	}
	// Recompute computes the slices through the cursor again.
	Recompute struct{}
	// Work computes off the update loop, in place of the current computation, and then does the actions it returns.
	Work struct {
		Doing string // for the status line
		Do    func(context.Context) []widget.Action
	}
	// Preview shows outcomes under another prior than the current one. A change of the session keeps the preview,
	// leaving the mode without one drops it.
	Preview struct{ Outcomes *front.Outcomes }
	// Results opens the results form.
	Results struct{}
	// Guess is the reader's point, if a lesson asks for one.
	Guess struct{ X []float64 }
)

// Change is an action on the session, as a value: it is done off the update loop, its result is saved and drawn, and
// the mode gets a Changed message.
type Change interface {
	Doing() string // for the status line, as in "stepping"
	Do(context.Context, *sessions.Session, sessions.Progress) (text string, err error)
}

// PictureChanged informs a mode that another picture is shown.
type PictureChanged struct{}

// Changed informs a mode that a change of the session is done, or why it failed.
type Changed struct{ Err error }

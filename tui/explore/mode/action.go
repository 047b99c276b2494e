package mode

import (
	"context"

	"bandscope/sessions"
	"bandscope/tui/picture/front"
	"bandscope/tui/widget"
)

// The actions that modes want of the explorer beside a Change; any other is for the window.
type (
	// Enter makes a mode the one that has the keys. A search that was running stands still.
	Enter struct{ Mode Mode }
	// Leave gives the keys back to the explorer.
	Leave struct{}
	// Say puts a sentence into the status line.
	Say struct {
		Text string
		Bad  bool
	}
	// Recompute looks anew along the cursor.
	Recompute struct{}
	// Work computes off the update loop, in place of whatever is computed, and then wants what came of it.
	Work struct {
		Doing string // as the status line says it
		Do    func(context.Context) []widget.Action
	}
	// Preview shows outcomes under a prior that is not taken, in place of those under the one that holds. A change that
	// is wanted takes what is shown; to leave without one drops it.
	Preview struct{ Outcomes *front.Outcomes }
	// Results lets the results be entered of what is out.
	Results struct{}
	// Guess is the point of the person whom a lesson asks where to query.
	Guess struct{ X []float64 }
)

// Change is an action on the session, as a value: it is done off the update loop, what comes of it is kept on disk and
// looked at, and the mode is told by Changed.
type Change interface {
	Doing() string // as the status line says it while it is done: "stepping"
	Do(context.Context, *sessions.Session, sessions.Progress) (said string, err error)
}

// PictureChanged tells a mode that another picture is shown.
type PictureChanged struct{}

// Changed tells a mode that a change of the session was done, or why it was not.
type Changed struct{ Err error }

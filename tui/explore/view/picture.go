// Package view says what a kind of picture of the explorer is: the belief along one variable, over two, or the space of
// objectives. The kinds live in package views and know nothing of the explorer. Each says how it is
// computed, a job off the update loop that goes from one snapshot of the session to an image, takes that, and draws it
// from a scene, what it sees of the explorer at this moment. No picture lives here; what the keys of a mode do is the
// mode's, and what it draws over a picture comes in the scene.
package view

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/chart"
	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
)

// Scene is what a picture sees of the explorer: a value, made for each call.
type Scene struct {
	State     sessions.State // where the session stands
	Style     theme.Style
	W, H      int               // of the panel, with its frame
	View      picture.View      // what the person chose to look at
	Reveal    bool              // the true function is shown
	Lesson    bool              // a lesson is read, which is about the belief
	RangeMode picture.RangeMode // of its y axis, as its pages are compared
	Axes      sessions.Axes     // that the pages of the lesson share
	Asking    bool              // and asks for the next point: what tells it is hidden
	Quiz      bool              // or it asks for a choice: what is told of the picture leaves the answer to the eye
	// and leaves out what the next point is chosen by: the weights of objectives, or the acquisition
	Bare bool
	// a picture has been in the making for so long that one of another place would mislead
	Late     bool
	Report   *Report               // by the picture before this one, of whatever kind; nil for none
	Marks    []chart.Layer         // that the explorer draws on the plot besides
	Outliers []diagnostics.Outlier // results that the model does not understand, to be marked
	Overlay  mode.Overlay          // what a mode draws over it
	Below    *Below                // what a mode has in place of what stands below the outcomes; nil for nothing
}

// Below is what stands below the outcomes: its titles, of which the first that fits is shown, and what is drawn.
type Below struct {
	Titles []string
	Box    func(w, h int) *layout.Box
}

// Axis is the variable of the view along the columns of a plot over the whole width.
func (s Scene) Axis() mode.Axis {
	v := s.State.Problem.Domain[s.View.Variable]
	return mode.Axis{Variable: s.View.Variable, Low: v.Low, High: v.High, Scale: v.Scale, Cells: func() int {
		return max(s.W-2-picture.Gutter, 1)
	}}
}

// Report is what a picture tells beside what it draws.
type Report struct {
	Head   string // the place in the session that it belongs to
	Legend optimizers.Legend
	Theory *optimizers.Theory // nil where it was not asked for, or there is none
	picture.NextPoints
	Partial bool // the rest is still being computed
	Enough  bool // to step on from, where steps are as fast as they go
}

// Image is what a picture is drawn from; each kind has its own.
type Image any

// ComputeFunc computes an image of a place of the session off the update loop. What it shows meanwhile may be drawn
// until the whole is there.
type ComputeFunc func(ctx context.Context, at sessions.Snapshot, progress sessions.Progress, show func(Image)) (Image,
	error)

// Picture is one kind of picture.
type Picture interface {
	Compute(Scene) ComputeFunc // how it is computed
	// how is computed what moves with the cursor; nil where that is there
	Follow(Scene) (doing string, look ComputeFunc)
	// takes an image; nil where that tells nothing of where the session stands
	SetImage(Scene, Image) *Report
	// shows another variable or pair of objectives, and reports whether it is to be computed anew
	Turn(s Scene, by int) bool

	// with its frame; its plots know the values along their axes under a cell
	Panel(Scene) *layout.Box
	Axes(Scene) []mode.Axis                         // the variables along the axes of the plot
	ReadingsAt(s Scene, x []float64) []mode.Reading // what it shows at an input
	Warning(Scene) string                           // what the person should know of it besides; empty for nothing
	// the keys of the hint line as they are shown, the most needed first
	Hints() string
}

// Turn is one call of a key of a picture: the scene, and what comes of it.
type Turn struct {
	Scene
	Said  string
	Again bool // the picture is to be computed anew
}

// Say says something. It gives no command, so that a key's can end with it.
func (t *Turn) Say(text string) tea.Cmd {
	t.Said = text
	return nil
}

// Recompute wants the picture computed anew.
func (t *Turn) Recompute() tea.Cmd {
	t.Again = true
	return nil
}

// Package view defines a picture of the explorer: the surrogate along one variable or over two, or the objective space.
// The pictures themselves are in package views; they do not import the explorer. A picture computes an image of a
// snapshot of the session off the update loop, takes it, and draws it from a scene, the part of the explorer that it
// needs. The scene also has the marks of a mode.
package view

import (
	"context"
	"fmt"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/chart"
	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Scene is the part of the explorer that a picture needs: a value, made for each call.
type Scene struct {
	State      sessions.State // of the current step
	Style      theme.Style
	W, H       int               // of the panel, with its frame
	View       picture.View      // the person's choices
	Zoom       picture.Zoom      // of the vertical axis along a variable
	Reveal     bool              // the true function is shown
	BandBefore bool              // the edges of the band of the step before are shown
	Lesson     bool              // a lesson is read, so that the posterior needs more rows
	RangeMode  picture.RangeMode // of the y axis of a lesson, whose pages are compared
	Axes       sessions.Axes     // that the pages of the lesson share
	Asking     bool              // a lesson asks for the next point, which is hidden
	Quiz       bool              // a lesson asks a multiple-choice question, whose answer descriptions must not reveal
	Bare       bool              // a lesson hides the acquisition, or the weights of the objectives
	Late       bool              // no new picture is expected at once, so that the old one says of which step it is
	Report     *Report           // of the previous picture, of any kind; nil for none
	Marks      []chart.Layer     // further marks of the explorer
	Outliers   []diagnostics.Outlier
	Overlay    mode.Overlay // the marks of a mode
	Below      *Below       // the part below the outcomes that a mode draws; nil for none
}

// Stale marks a picture of another place in the session, with so many steps, which is drawn until the new one is there:
// " (step 9)", or empty if it is the current one, or if that is expected at once.
func (s Scene) Stale(head string, step int) string {
	switch {
	case head == s.State.Head || !s.Late:
		return ""
	case step == len(s.State.Iterations):
		return " (before the change)"
	}
	return fmt.Sprintf(" (step %d)", step)
}

// DescribeStale says in a sentence what Stale marks; empty for nothing.
func (s Scene) DescribeStale(head string, step int) string {
	switch s.Stale(head, step) {
	case "":
		return ""
	case " (before the change)":
		return " It is the one before the last change; the current one is not computed yet."
	}
	return fmt.Sprintf(" It is the one of step %d; the current one is not computed yet.", step)
}

// Below is the part below the outcomes: its titles, of which the first that fits is shown, and its box.
type Below struct {
	Titles []string
	Box    func(w, h int) *layout.Box
}

// Axis is the variable of the view along the columns of a plot over the whole width.
func (s Scene) Axis() mode.Axis {
	v := s.State.Problem.Domain[s.View.X]
	return mode.Axis{Variable: s.View.X, Low: v.Low, High: v.High, Scale: v.Scale, Cells: func() int {
		return max(s.W-2-picture.Gutter, 1)
	}}
}

// Report has the results of a picture that other panels need.
type Report struct {
	Head   string // the event of the session that it belongs to
	Legend optimizers.Legend
	Theory *optimizers.Theory // nil if it was not requested, or if the method has none
	picture.NextPoints
	Partial bool // the rest is still being computed
	Enough  bool // a run without delay can take the next step
}

// Image is the data of a picture; each kind has its own type.
type Image any

// ComputeFunc computes an image of a snapshot off the update loop. It may show incomplete images before it returns.
type ComputeFunc func(ctx context.Context, snapshot sessions.Snapshot, progress sessions.Progress, show func(Image)) (Image,
	error)

// Picture is one kind of picture.
type Picture interface {
	Compute(Scene) ComputeFunc
	// computes the parts that depend on the cursor; nil if they are computed
	Follow(Scene) (doing string, look ComputeFunc)
	// takes an image; nil if that is no image of the whole picture
	SetImage(Scene, Image) *Report
	// shows another variable or pair of objectives, and reports whether the picture must be computed again
	Turn(s Scene, delta int) bool

	// with its frame; its plots know the values along their axes under a cell
	Panel(Scene) *layout.Box
	Axes(Scene) []mode.Axis                         // the variables along the axes of the plot
	ReadingsAt(s Scene, x []float64) []mode.Reading // the values at an input
	Warning(s Scene, w int) string                  // a warning for the status line of w columns; empty for none
	// the keys of the footer, the most useful first
	Hints() string
}

// Turn is one call of a key of a picture: the scene, and its effects.
type Turn struct {
	Scene
	widget.Effects
}

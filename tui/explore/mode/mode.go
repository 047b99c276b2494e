// Package mode defines a mode of the explorer: a state in which the keys have another meaning than stepping, such as
// editing parameters or writing a note. The modes themselves are in packages modes, note and results; they do not
// import the explorer. Each gets a message with a scene, the part of the explorer that it needs, and returns actions as
// values. The explorer does the actions in one switch, which a new mode does not extend.
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
	"bandscope/tui/rights"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Scene is the part of the explorer that a mode needs: a value, made for each call.
type Scene struct {
	State  sessions.State
	Params Params // that can be edited
	Notes  Notes  // on the current step
	Style  theme.Style
	Rights rights.Rights
	Legend optimizers.Legend // of the picture
	Next   []float64         // the next point; nil if it is unknown, or if a lesson asks for it
	Asking bool              // a lesson asks for a point
	ByHand bool              // manual evaluation: a person reports the results
	// when the pending points were suggested by the IDs of the iterations, as far as they are known; and the present
	Asked map[string]time.Time
	Now   time.Time

	// points that are being evaluated, by the IDs of the iterations: the last line of output, empty for none
	Running map[string]string

	// of the picture: one variable, or two; with the outcomes view the variable that was shown last
	Axes       []Axis
	Triangle   Triangle                  // nil unless the picture is a triangle of mixtures
	ReadingsAt func([]float64) []Reading // the values of the picture at an input

	Outcomes *Outcomes // nil in other views
}

// Axis is a variable along an axis of the picture: the range that is shown, and the number of cells.
type Axis struct {
	Variable  int
	Low, High float64
	Scale     functions.Scale
	Cells     func() int
}

// Moved moves a value of the variable by so many cells along the axis, or by so many levels if it is discrete. The
// result stays on the axis.
func (a Axis) Moved(variable functions.Variable, x, cells float64) float64 {
	if n := max(variable.Levels(), variable.Steps()); n > 0 {
		if variable.Steps() > 0 && a.Cells() > 0 { // of a fine grid as many as a cell has
			cells *= max(math.Round((a.High-a.Low)/float64(a.Cells())/variable.Step), 1)
		}
		for i := min(max(variable.Nearest(x)+int(cells), 0), n-1); cells != 0; i -= int(math.Copysign(1, cells)) {
			// back to the visible range
			if level := variable.Level(i); level >= a.Low && level <= a.High || level == x {
				return level
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

// Triangle is a picture of the mixtures of three components, in which a point moves as on the screen.
type Triangle interface {
	// PointAt is the point at a place of the plot, as its box has it, with the other variables of another point.
	PointAt(other []float64, x, y float64) []float64
	// Moved is a point moved by so many cells across, axis 0, or up, axis 1; it stays in the triangle.
	Moved(point []float64, axis int, cells float64) []float64
}

// Moved is a point moved by so many cells along an axis of the picture; in a mixture the other components keep their
// ratio.
func (s Scene) Moved(point []float64, axis int, cells float64) []float64 {
	if s.Triangle != nil {
		return s.Triangle.Moved(point, axis, cells)
	}
	a := s.Axes[axis]
	return s.State.Problem.WithValue(point, a.Variable, a.Moved(s.State.Problem.Domain[a.Variable], point[a.Variable], cells))
}

// PointAt is the point at a place of the plot, as its box has it, with the other variables of another point.
func (s Scene) PointAt(other, values []float64) []float64 {
	if s.Triangle != nil && len(values) == 2 {
		return s.Triangle.PointAt(other, values[0], values[1])
	}
	point := other
	for i, v := range values {
		point = s.State.Problem.WithValue(point, s.Axes[i].Variable, s.State.Problem.Domain[s.Axes[i].Variable].Snap(v))
	}
	return point
}

// Outcomes is the outcomes view as a mode needs it.
type Outcomes struct {
	Displayed *front.Outcomes // nil while the first is computed
	Current   *front.Outcomes // under the current prior, if another is previewed
	I, J      int             // the objectives along x and y
}

// Reading is a value with its name.
type Reading struct {
	Name  string
	Value float64
}

// Mode is a meaning of the keys. The screen makes a mode once and starts it each time, so that it can keep its state.
type Mode interface {
	Title() string                          // as in "… does nothing in the editor"
	Start(Scene) (tea.Cmd, []widget.Action) // requests Enter, or says why not
	Keys(Scene) []widget.Key                // the current ones, for help and footer
	Typing() bool                           // whether keys are text
	// takes keys, pasted text, the mouse as a widget.Hit, Changed and PictureChanged; its own messages also after it
	// was left
	Update(scene Scene, msg tea.Msg) (tea.Cmd, []widget.Action)
}

// Optional interfaces of a mode.
type (
	// SidePanel has a panel at the side: in place of all side panels, or above the traces.
	SidePanel interface {
		// of the panel in cells, given the width of the window and of the other side panels
		Width(window, side int) int
		Whole() bool                             // it replaces all side panels
		Panel(scene Scene, w, h int) *layout.Box // with its border
	}
	// Overlayer draws over the picture. Its scene has no Axes and no ReadingsAt.
	Overlayer interface{ Overlay(Scene) Overlay }
	// LowerPanel draws the part of the panel below the outcomes, in place of the prior over the weights.
	LowerPanel interface {
		Below(scene Scene, w, h int) *layout.Box // its description describes the part
		BelowTitles(Scene) []string              // the longest that fits is shown
	}
	// StatusDrawer draws the status line, of w columns, if there is no message.
	StatusDrawer interface {
		Status(scene Scene, w int) *layout.Box
	}
	// Stopper has jobs of its own.
	Stopper interface {
		Busy() bool
		Stop()
	}
	// TextInput takes some keys as text while Typing is false.
	TextInput interface {
		Text(Scene, tea.KeyPressMsg) bool
		Pastes(Scene) bool // whether pasted text is taken
	}
	// Hinter selects the keys of the footer.
	Hinter interface{ Hints(Scene) []key.Binding }
	// Adviser says in the status line what to do, if there is no message.
	Adviser interface{ Advice() string }
)

// WholeSide is the width of a panel that replaces all side panels: so many parts of the window beside the rest, and at
// most so many cells.
type WholeSide struct{ Rest, Flex, Max int }

// Width is the width of the panel in a window, at least that of the other side panels.
func (w WholeSide) Width(window, side int) int {
	return layout.Split(window, layout.Rule{Flex: w.Rest}, layout.Rule{Min: side, Flex: w.Flex, Max: w.Max})[1]
}

// Whole reports that the panel replaces all side panels.
func (WholeSide) Whole() bool { return true }

// Overlay has the marks that a mode draws over the picture.
type Overlay struct {
	Cursor []float64 // the input that is being chosen; nil for none
	// in place of the boxes of the prior: from and to along x, from and to along y, as outcomes; nil for none
	Boxes     [][4]float64
	MovingBox int         // index of the box that is moved
	Question  [][]float64 // outcomes to compare, a row each, in the objectives' units
	Weights   bool        // the prior over weights is drawn by hand, on its plot
}

// Key identifies the overlay, for caches.
func (o Overlay) Key() string {
	return fmt.Sprint(o.Cursor, o.Boxes, o.MovingBox, o.Question, o.Weights)
}

// Turn is one call of a mode: the scene and the actions it requests.
type Turn struct {
	Scene
	Actions []widget.Action
}

// Request adds an action. It returns nil, so that a command can end with it.
func (t *Turn) Request(a widget.Action) tea.Cmd {
	t.Actions = append(t.Actions, a)
	return nil
}

// Say requests to show a sentence.
func (t *Turn) Say(text string) tea.Cmd { return t.Request(Say{Text: text}) }

// Fail requests to show an error.
func (t *Turn) Fail(err error) tea.Cmd { return t.Request(Say{Text: err.Error(), Bad: true}) }

// Press runs the command of a key, or says why it is disabled. It returns false if no command has the key.
func Press[M any](t *Turn, m M, commands []widget.Command[M], msg tea.KeyPressMsg) (tea.Cmd, bool) {
	cmd, off, taken := widget.Press(m, commands, msg)
	if off != "" {
		t.Say(off)
	}
	return cmd, taken
}

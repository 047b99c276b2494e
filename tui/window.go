package tui

import (
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"bandscope/sessions"
	"bandscope/tui/layout"
	"bandscope/tui/palette"
	"bandscope/tui/placement"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Window is the window as a model of Bubble Tea, for a terminal that is not that of the process: the program around it
// has the input, the output and the end. A terminal of another person can show the same window in its own size and
// colors: see Draw.
type Window struct{ app *app }

// NewWindow makes the window. Its session is closed by Close.
func NewWindow(o Options) *Window {
	app := newApp(o)
	app.following = true
	return &Window{app}
}

// Init starts the first screen.
func (w *Window) Init() tea.Cmd { return widget.Permit(w.app.options.Rights, w.app.Init()) }

// Update takes a message.
func (w *Window) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, cmd := w.app.Update(msg)
	return w, widget.Permit(w.app.options.Rights, cmd)
}

// View draws the window.
func (w *Window) View() tea.View { return w.app.View() }

// SetSizeAndColors is what a terminal says first, without a message: its size in cells, whether its background is dark,
// and its colors.
func (w *Window) SetSizeAndColors(width, height int, dark bool, tier theme.Tier) {
	w.app.width = width
	w.app.height = height
	w.app.dark = dark
	w.app.tier = tier
	w.app.current.Resize(width, height)
	w.app.restyle()
}

// Say shows a message in the last line of the current page.
func (w *Window) Say(text string, problem bool) { w.app.current.Say(text, problem) }

// Session is the session of the explorer.
func (w *Window) Session() *sessions.Session { return w.app.explore.Session() }

// SetAuthor sets who records in the window from now on.
func (w *Window) SetAuthor(author sessions.Author) {
	a := w.app
	a.options.Author = author
	a.explore.Session().SetAuthor(author)
	if a.layer != nil {
		a.layer.SetAuthor(author)
	}
}

// Refresh takes a snapshot of the session, in which others have recorded.
func (w *Window) Refresh() { w.app.explore.Refresh() }

// Close ends all computations and closes all sessions. Recorded events are on disk already.
func (w *Window) Close() error { return w.app.close() }

// Viewer is another terminal that shows a window. It is used from the update loop of the window only.
type Viewer struct {
	Width, Height int
	Dark          bool
	Tier          theme.Tier
	ASCII         bool
	Pictures      bool             // its plots are pictures
	Plots         []placement.Plot // of the frame that was drawn last

	canvas  *lipgloss.Canvas
	encoder layout.Encoder
}

// Draw draws the window as a viewer shows it: the same page with the same content, in the size and the colors of the
// viewer's terminal.
func (w *Window) Draw(v *Viewer) string {
	a := w.app
	before := *a
	a.width = v.Width
	a.height = v.Height
	a.canvas = v.canvas
	a.encoder = v.encoder
	a.pointer = pointer{}
	a.current.Resize(v.Width, v.Height)
	a.style = theme.New(v.Dark, v.Tier, v.ASCII)
	a.style.Pictures = v.Pictures && !a.covered()
	a.pass(a.style)
	text := a.draw()
	v.Plots = placement.Find(a.drawn, a.canvas)
	v.canvas, v.encoder = a.canvas, a.encoder

	a.width = before.width
	a.height = before.height
	a.canvas = before.canvas
	a.encoder = before.encoder
	a.pointer = before.pointer
	a.style = before.style
	a.drawn = before.drawn
	a.mouseFrame = before.mouseFrame
	a.current.Resize(a.width, a.height)
	a.pass(a.style)
	return text
}

// pass passes a style on to the screens.
func (a *app) pass(st theme.Style) {
	a.explore.Restyle(st)
	a.current.Restyle(st)
}

// offered are the entries of the palette that the program around the window adds.
func (a *app) offered() []palette.Entry {
	if a.options.Entries == nil {
		return nil
	}
	return a.options.Entries()
}

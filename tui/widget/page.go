package widget

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/layout"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
)

// Page is one screen of the window. One that must be closed when another replaces it is also an io.Closer.
type Page interface {
	Init() tea.Cmd
	Update(tea.Msg) tea.Cmd // takes a key press that the window leaves to it, or a result of its jobs
	Resize(w, h int)
	Restyle(theme.Style)
	Permit(rights.Rights) // what the person may use; until then, nothing
	Frame() *layout.Box   // the screen, for a window of the size of the last Resize
	KeyMap() KeyMap       // the keys with what they do now
	Say(text string, bad bool)
	Reset() tea.Cmd // closes the prompt or the mode that is open
	Stop()          // stops its computations
}

// SessionPage is a page about the session of the explorer, with the key of the explorer that opens it. As an action it
// asks the window for that page.
type SessionPage struct {
	key.Binding
	About  string         // a longer description of the page than the binding has
	Groups func() []Group // the keys of the page, for the help
	New    func(*sessions.Session) (Page, error)
}

var sessionPages []*SessionPage

// Register adds a page to the keys of the explorer and to the help; packages call it when the program starts.
func Register(p SessionPage) { sessionPages = append(sessionPages, &p) }

// SessionPages lists the registered pages by their keys.
func SessionPages() []*SessionPage {
	return slices.SortedFunc(slices.Values(sessionPages), func(a, b *SessionPage) int {
		return cmp.Compare(a.Help().Key, b.Help().Key)
	})
}

// Base is what every page has: its window, its colours, and a status line. A page embeds it, and has methods of its own
// in place of these where it does more.
type Base struct {
	Style         theme.Style
	Width, Height int
	Status        Status
	Rights        rights.Rights // of the person
}

// NewBase makes the base of a page that has no window yet.
func NewBase() Base { return Base{Status: NewStatus()} }

// Init starts nothing.
func (b *Base) Init() tea.Cmd { return nil }

// Resize sets the size of the window, in cells.
func (b *Base) Resize(w, h int) { b.Width, b.Height = w, h }

// Restyle sets the colours and glyphs.
func (b *Base) Restyle(s theme.Style) { b.Style = s }

// Permit sets what the person may use.
func (b *Base) Permit(r rights.Rights) { b.Rights = r }

// Say puts a sentence into the status line.
func (b *Base) Say(text string, bad bool) { b.Status.Say(text, bad) }

// Notify puts a sentence into the status line that is no failure.
func (b *Base) Notify(text string) { b.Say(text, false) }

// Reset closes the prompt.
func (b *Base) Reset() tea.Cmd {
	b.Status.Cancel()
	return nil
}

// Stop does nothing: the base computes nothing.
func (b *Base) Stop() {}

// KeyMap is the keys of the current screen with what they do.
type KeyMap struct {
	Title    string // as in "… does nothing in the editor"
	Keys     []Key
	Typing   bool                       // keys are text, or answer a question
	Choosing bool                       // keys answer a question of the status line
	Text     func(tea.KeyPressMsg) bool // which keys are text though not all are; nil for none
}

// Takes reports whether a key press is text here, rather than a command.
func (h KeyMap) Takes(msg tea.KeyPressMsg) bool { return h.Typing || h.Text != nil && h.Text(msg) }

// Hit is a mouse message with the boxes under it in the frame that the terminal shows, the root first.
type Hit struct {
	tea.MouseMsg
	Path []layout.PlacedBox
}

// On is the box of a name under the mouse, the innermost of that, with where in it the mouse is; false where it is not
// over one.
func (h Hit) On(name string) (box layout.PlacedBox, col, row int, ok bool) {
	mouse := h.Mouse()
	for _, p := range slices.Backward(h.Path) {
		if p.Name == name {
			return p, mouse.X - p.Area.Min.X, mouse.Y - p.Area.Min.Y, true
		}
	}
	return layout.PlacedBox{}, 0, 0, false
}

// Value is the values at the mouse in the innermost box that has values, with the name of that box; nil outside of
// any.
func (h Hit) Value() (name string, values []float64) {
	mouse := h.Mouse()
	for _, p := range slices.Backward(h.Path) {
		if p.Value != nil {
			return p.Name, p.Value(float64(mouse.X-p.Area.Min.X)+0.5, float64(mouse.Y-p.Area.Min.Y)+0.5)
		}
	}
	return "", nil
}

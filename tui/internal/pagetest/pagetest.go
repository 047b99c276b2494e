// Package pagetest runs a page of the window without a terminal, for tests.
package pagetest

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/internal/screentest"
	"bandscope/tui/layout"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Driver runs a page: its commands run on goroutines, and their messages are fed back until nothing is computed.
type Driver[P widget.Page] struct {
	T       testing.TB
	M       P
	Msgs    chan tea.Msg
	Actions []widget.Action // that the page wanted of the window

	w, h int
	busy func() bool
}

// New starts a page in a window of w×h cells; busy reports whether it computes something.
func New[P widget.Page](t testing.TB, m P, w, h int, st theme.Style, busy func() bool) *Driver[P] {
	t.Helper()
	d := &Driver[P]{T: t, M: m, Msgs: make(chan tea.Msg, 256), busy: busy}
	d.Resize(w, h)
	m.Restyle(st)
	d.Run(m.Init())
	d.Settle()
	return d
}

// Resize gives the page a window of w×h cells.
func (d *Driver[P]) Resize(w, h int) {
	d.w, d.h = w, h
	d.M.Resize(w, h)
}

// Run runs a command.
func (d *Driver[P]) Run(cmd tea.Cmd) {
	if cmd != nil {
		go func() { d.Msgs <- widget.Perform(rights.Rights{}, cmd) }()
	}
}

// Settle takes messages until nothing is computed.
func (d *Driver[P]) Settle() {
	for d.busy() {
		d.Take(<-d.Msgs)
	}
}

// Take gives a message to the page, as the window does.
func (d *Driver[P]) Take(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			d.Run(c)
		}
	case widget.ActionMsg:
		d.Actions = append(d.Actions, msg.Action)
	default:
		d.Run(d.M.Update(msg))
	}
}

// Press presses keys: single characters, or names such as enter, esc, left, space.
func (d *Driver[P]) Press(names ...string) {
	for _, n := range names {
		d.Run(d.M.Update(screentest.Key(n)))
		d.Settle()
	}
}

// Write types a text and enter.
func (d *Driver[P]) Write(text string) {
	for _, k := range screentest.Text(text) {
		d.Run(d.M.Update(k))
	}
	d.Press("enter")
}

// Arranged is the current frame, with the places of its boxes.
func (d *Driver[P]) Arranged() *layout.Frame { return layout.Arrange(d.M.Frame(), d.w, d.h) }

// Mouse gives a message of the mouse to the page, as the window does.
func (d *Driver[P]) Mouse(msg tea.MouseMsg) {
	mouse := msg.Mouse()
	d.Run(d.M.Update(widget.Hit{MouseMsg: msg, Path: d.Arranged().PathAt(mouse.X, mouse.Y)}))
	d.Settle()
}

// Screen is the drawn frame.
func (d *Driver[P]) Screen() string { return layout.Render(d.M.Frame(), d.w, d.h) }

// Text is the drawn frame without colours.
func (d *Driver[P]) Text() string { return ansi.Strip(d.Screen()) }

// Shows fails the test unless a text is shown.
func (d *Driver[P]) Shows(want string) {
	d.T.Helper()
	if text := d.Text(); !strings.Contains(text, want) {
		d.T.Errorf("the screen does not show %q:\n%s", want, text)
	}
}

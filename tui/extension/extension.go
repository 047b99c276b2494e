// Package extension is the seam between the window and the parts of the program that its core does not import: labs and
// studies. An extension is a value that says which screens, palette entries and keys it adds. The command line lists the
// extensions and passes them to Use; the window asks All. The package opens and draws nothing.
package extension

import (
	"context"
	"io"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/tui/palette"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// Extension is a part of the program that adds screens to the window. Entries, Saved, File and
// Lesson may be nil.
type Extension struct {
	Groups func() []widget.Group // the keys of its screens, for the help
	// what the palette offers at once, and what it offers after reading the folders of a person
	Entries func() []Entry
	Saved   func(context.Context, rights.Rights) []Entry

	// Open returns a function that opens the thing that an action asks for, with a text for the meantime; nil for actions
	// of others.
	Open func(widget.Action, rights.Rights) (subject string, open func(context.Context) (io.Closer, error))
	// File opens a saved session of a kind of its own, Lesson a lesson with one.
	File   func(ctx context.Context, path string) (io.Closer, error)
	Lesson func(name string) (io.Closer, error)
	// Page makes the screen of something that was opened, a Layer or a Companion; nil for things of others.
	Page func(opened io.Closer, r rights.Rights) widget.Page
}

// Entry is an entry of the palette that asks the window for an action.
type Entry struct {
	palette.Entry
	Action widget.Action
}

// Layer is a screen with a session of its own over the explorer: other screens lead back to it, and it leads back to the
// explorer, whose session stays.
type Layer interface {
	widget.Page
	Path() string // of the session; empty if it has no file
	SetAuthor(sessions.Author)
	Offer(last *library.Entry)
	Follow() tea.Cmd
	CloseSession() error
}

// Companion is a screen that stays open while others are shown, until another companion replaces it.
type Companion interface {
	widget.Page
	Name() string
	Stays() string   // that it stays open
	Parting() string // the work that it ends when the window closes; empty for none
	End() error      // ends the work
}

// Exporter is a screen that writes itself to a file.
type Exporter interface{ ExportTo(path string) tea.Cmd }

var used []Extension

// Use sets the extensions of the program.
func Use(list []Extension) { used = list }

// All returns the extensions of the program.
func All() []Extension { return used }

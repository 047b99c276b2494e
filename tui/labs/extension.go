package labs

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/sessions/training"
	"bandscope/tui/export"
	"bandscope/tui/extension"
	"bandscope/tui/palette"
	"bandscope/tui/player"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// Extension adds labs to the window.
var Extension = extension.Extension{
	Groups: Groups,
	Entries: func() (list []extension.Entry) {
		for _, l := range training.Specs() {
			list = append(list, extension.Entry{Action: widget.Training{Name: l.Name}, Entry: palette.Entry{
				Kind: palette.Training, Name: l.Name, Also: l.Title + " lab training", About: l.Title + ": " + l.About}})
		}
		return list
	},
	Open: func(want widget.Action, _ rights.Rights) (string, func(context.Context) (io.Closer, error)) {
		lab, ok := want.(widget.Training)
		if !ok {
			return "", nil
		}
		return "opening the lab " + lab.Name, func(context.Context) (io.Closer, error) {
			l, err := training.Find(lab.Name)
			if err != nil {
				return nil, err
			}
			return training.New(l, nil)
		}
	},
	File: func(ctx context.Context, path string) (io.Closer, error) {
		return training.OpenProtected(ctx, path)
	},
	Lesson: func(name string) (io.Closer, error) { return library.OpenTrainingLesson(name) },
	Page: func(opened io.Closer, r rights.Rights) widget.Page {
		if s, ok := opened.(*training.Session); ok {
			return New(s, r.Sessions)
		}
		return nil
	},
}

// Path is the file of the session; empty if it has none.
func (m *Model) Path() string { return m.session.Path() }

// SetAuthor sets who records on the screen.
func (m *Model) SetAuthor(a sessions.Author) { m.session.SetAuthor(a) }

// CloseSession closes the session.
func (m *Model) CloseSession() error { return m.session.Close() }

// ExportTo writes the current state of the session off the update loop, in the format of the file's extension.
func (m *Model) ExportTo(path string) tea.Cmd {
	return player.Export(m, path, func(context.Context, sessions.Progress) error {
		return export.New(path, func(w io.Writer) error {
			return training.Export(w, m.session.State(), strings.TrimPrefix(filepath.Ext(path), "."))
		})
	})
}

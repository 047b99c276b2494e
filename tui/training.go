package tui

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/library"
	"bandscope/sessions/training"
	"bandscope/tui/export"
	"bandscope/tui/labs"
)

// A lab or a playground is above the explorer: while one is open, other screens lead back to it, and it leads back to the
// explorer, whose session stays.

// home is the screen that others lead back to: the lab or the playground, if one is open, else the explorer.
func (a *app) home() display {
	switch {
	case a.training != nil:
		return a.training
	case a.playground != nil:
		return a.playground
	}
	return a.explore
}

// below is the screen that the current one leads back to.
func (a *app) below() display {
	if a.current == display(a.training) || a.current == display(a.playground) {
		return a.explore
	}
	home := a.home()
	if a.study != nil && a.current == display(a.study) {
		home.Say(a.study.Stays(), false)
	}
	return home
}

// path is the file of the open session; empty if it has none.
func (a *app) path() string {
	if a.training != nil {
		return a.training.Session().Path()
	}
	if a.playground != nil {
		return a.playground.Session().Path()
	}
	return a.explore.Session().Path()
}

// newTraining opens a lab before its first update.
func (a *app) newTraining(name string) tea.Cmd {
	return a.open("opening the lab "+name, func(context.Context) (io.Closer, error) {
		l, err := training.Find(name)
		if err != nil {
			return nil, err
		}
		return training.New(l, nil)
	})
}

// reopenTraining opens a saved session of a lab.
func reopenTraining(ctx context.Context, path string) (*training.Session, error) {
	s, err := training.Open(ctx, path)
	if err == nil && s.State().Saved {
		library.Touch(path)
	}
	return s, err
}

// takeTraining shows a session of a lab over the explorer, and closes the previous one.
func (a *app) takeTraining(s *training.Session) tea.Cmd {
	dropped := tea.Batch(a.dropTraining(), a.dropPlayground())
	a.explore.Stop()
	s.SetAuthor(a.options.Author)
	a.training = labs.New(s, a.options.Rights.Sessions)
	a.offerPage()
	return tea.Batch(dropped, a.show(a.training))
}

// exportTraining writes the state of a session of a lab to a new file, in the format of its extension.
func exportTraining(path string, st training.State) error {
	return export.New(path, func(w io.Writer) error {
		return training.Export(w, st, strings.TrimPrefix(filepath.Ext(path), "."))
	})
}

// dropTraining closes the session of the open lab, if there is one.
func (a *app) dropTraining() tea.Cmd {
	if a.training == nil {
		return nil
	}
	before := a.training.Session()
	a.training.Stop()
	a.training = nil
	return a.drop(before)
}

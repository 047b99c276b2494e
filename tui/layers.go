package tui

import (
	"context"
	"errors"
	"fmt"
	"io"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/tui/extension"
	"bandscope/tui/palette"
	"bandscope/tui/playground"
	"bandscope/tui/widget"
)

// home is the screen that others lead back to: the layer over the explorer, if there is one, else the explorer.
func (a *app) home() display {
	if a.layer != nil {
		return a.layer
	}
	return a.explore
}

// below is the screen that the current one leads back to.
func (a *app) below() display {
	if a.layer != nil && a.current == display(a.layer) {
		return a.explore
	}
	home := a.home()
	if a.companion != nil && a.current == display(a.companion) {
		home.Say(a.companion.Stays(), false)
	}
	return home
}

// path is the file of the open session; empty if it has none.
func (a *app) path() string {
	if a.layer != nil {
		return a.layer.Path()
	}
	return a.explore.Session().Path()
}

// newPlayground opens an empty playground with a belief of the list of presets, by its title, or the first.
func (a *app) newPlayground(preset string) tea.Cmd {
	return a.open("opening a playground", func(ctx context.Context) (io.Closer, error) {
		list := registry.Presets()
		if preset == "" {
			preset = list[0].Title
		}
		for _, p := range list {
			if p.Title == preset {
				belief := sessions.BeliefConfig{Optimizer: p.Method, Params: p.Set}
				return sessions.New(ctx, sessions.PlaygroundConfig(belief, 1))
			}
		}
		return nil, fmt.Errorf("there is no belief %q", preset)
	})
}

// takePlayground shows a playground over the explorer.
func (a *app) takePlayground(s *sessions.Session) tea.Cmd {
	return a.takeLayer(playground.New(s, a.options.Rights.Sessions))
}

// takeLayer shows a layer over the explorer, and closes the previous one.
func (a *app) takeLayer(l extension.Layer) tea.Cmd {
	dropped := a.dropLayer()
	a.explore.Stop()
	l.SetAuthor(a.options.Author)
	a.layer = l
	a.offerPage()
	return tea.Batch(dropped, a.show(a.layer))
}

// layerCloser closes the session of a layer.
type layerCloser struct{ extension.Layer }

// Close closes the session.
func (c layerCloser) Close() error { return c.CloseSession() }

// dropLayer closes the session of the open layer, if there is one.
func (a *app) dropLayer() tea.Cmd {
	if a.layer == nil {
		return nil
	}
	before := a.layer
	before.Stop()
	a.layer = nil
	return a.drop(layerCloser{before})
}

// takeCompanion shows a companion that was opened, and ends the previous one.
func (a *app) takeCompanion(c extension.Companion) tea.Cmd {
	var ended tea.Cmd
	if a.companion != nil {
		a.companion.Stop()
		ended = a.drop(companionCloser{a.companion})
	}
	a.companion = c
	return tea.Batch(ended, a.show(c))
}

// companionCloser is a companion as an io.Closer.
type companionCloser struct{ extension.Companion }

// Close ends the companion.
func (c companionCloser) Close() error { return c.End() }

// showCompanion shows the open companion; false if it does not have the name, unless the name is empty.
func (a *app) showCompanion(name string) (tea.Cmd, bool) {
	switch {
	case a.companion != nil && (name == "" || name == a.companion.Name()):
		return a.show(a.companion), true
	case name == "":
		a.current.Say("no study is open; press o to choose one", false)
		return nil, true
	}
	return nil, false
}

// pageFor makes the screen that an extension has for something that was opened; nil if none has one.
func (a *app) pageFor(opened io.Closer) widget.Page {
	for _, e := range extension.All() {
		if p := e.Page(opened, a.options.Rights); p != nil {
			return p
		}
	}
	return nil
}

// extend performs an action that an extension takes.
func (a *app) extend(want widget.Action) tea.Cmd {
	for _, e := range extension.All() {
		if subject, open := e.Open(want, a.options.Rights); open != nil {
			return a.open(subject, open)
		}
	}
	return nil
}

// openLesson opens a lesson, with a session of the explorer or of an extension.
func openLesson(name string) (io.Closer, error) {
	s, err := library.OpenLesson(name)
	if !errors.Is(err, sessions.ErrTraining) {
		return s, err
	}
	for _, e := range extension.All() {
		if e.Lesson != nil {
			return e.Lesson(name)
		}
	}
	return nil, err
}

// openExtensionFile opens a saved session that is none of the explorer's.
func openExtensionFile(ctx context.Context, path string) (io.Closer, error) {
	for _, e := range extension.All() {
		if e.File != nil {
			return e.File(ctx, path)
		}
	}
	return nil, sessions.ErrTraining
}

// made makes a session off the update loop, which esc stops, and shows it; until then, the current page stays.
func (a *app) made(want widget.MakeSession) tea.Cmd {
	belongs := a.companion != nil && a.current == display(a.companion)
	return a.opening(want.What, true, func(ctx context.Context, progress func(string, int, int)) (io.Closer, error) {
		s, err := want.Make(ctx, progress)
		if err != nil || !belongs {
			return s, err
		}
		return cell{s}, nil
	})
}

// cell is a session that belongs to the open companion.
type cell struct{ io.Closer }

// extensionEntries are palette entries of extensions.
func (a *app) extensionEntries(list []extension.Entry) (entries []palette.Entry) {
	for _, e := range list {
		entries = append(entries, a.asking(e.Kind, e.Name, e.Also, e.About, e.Action))
	}
	return entries
}

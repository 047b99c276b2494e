package tui

import (
	"context"
	"fmt"
	"io"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/tui/playground"
)

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

// takePlayground shows a playground over the explorer, and closes the previous one.
func (a *app) takePlayground(s *sessions.Session) tea.Cmd {
	dropped := tea.Batch(a.dropTraining(), a.dropPlayground())
	a.explore.Stop()
	s.SetAuthor(a.options.Author)
	a.playground = playground.New(s, a.options.Rights.Sessions)
	a.offerPage()
	return tea.Batch(dropped, a.show(a.playground))
}

// playgroundCloser closes the session of a playground after its acts are recorded.
type playgroundCloser struct{ *playground.Model }

// Close closes the session.
func (c playgroundCloser) Close() error { return c.CloseSession() }

// dropPlayground closes the session of the open playground, if there is one.
func (a *app) dropPlayground() tea.Cmd {
	if a.playground == nil {
		return nil
	}
	before := a.playground
	before.Stop()
	a.playground = nil
	return a.drop(playgroundCloser{before})
}

package explore

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/palette"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// Entries are the parameters and the methods of the session, for the palette.
func (m *Model) Entries() []palette.Entry {
	return append(player.Entries(m),
		palette.Methods(m.state.Problem, m.state.Spec.Name, "continue with", m.switchMethod)...)
}

// switchMethod continues the search with another method: a new session if there is no step yet, a branch otherwise.
func (m *Model) switchMethod(spec optimizers.Spec) tea.Cmd {
	if len(m.state.Iterations)+len(m.state.Pending)+m.state.Ahead == 0 && m.session.Lesson() == nil && m.sheet == nil {
		cfg := m.state.Config
		cfg.Optimizer, cfg.Params = spec.Name, nil
		return player.Leave(m, widget.Start{Config: cfg})
	}
	m.Stop()
	step := len(m.state.Iterations)
	return m.Apply(player.Act{Doing: "switching the method", Records: true,
		Do: func(context.Context, sessions.Progress) (string, error) {
			return m.fork(fmt.Sprintf("%s from step %d: %s", spec.Name, step, spec.Name))
		}})
}

package diagnostics

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/widget"
)

// explainCommands are what the keys do here.
func explainCommands() []widget.Command[*ExplainPage] {
	of, last := func(m *ExplainPage) *page[diagnostics.Explanation] { return &m.page }, func(m *ExplainPage) int {
		return len(m.report.RunnersUp)
	}
	const turn = "draw the acquisition over other variables"
	return slices.Concat(move(of, last, 1, "another place",
		"tell another of the places that were nearly chosen beside the point"), []widget.Command[*ExplainPage]{
		widget.NewCommand(widget.Bind("H", "what would change it", "H"), (*ExplainPage).noChanges,
			(*ExplainPage).change).
			Long("look for the smallest change of every parameter that moves the point elsewhere"),
		widget.NewCommand(widget.Bind("L", "leave out by training again", "L"), (*ExplainPage).noRefit,
			(*ExplainPage).refit).
			Long("leave every result out and fit anew to the others, with hyper-parameters of their own, in place of " +
				"what was fitted to all"),
		widget.NewCommand(widget.Bind("[", "previous variable", "["), (*ExplainPage).onePicture,
			func(m *ExplainPage) tea.Cmd {
				return m.turn(-1)
			}).Long(turn),
		widget.NewCommand(widget.Bind("]", "next variable", "]"), (*ExplainPage).onePicture,
			func(m *ExplainPage) tea.Cmd {
				return m.turn(1)
			}).Long(turn),
		{Binding: widget.Bind("esc", "leave", "esc", "W"), Do: func(m *ExplainPage, press tea.KeyPressMsg) tea.Cmd {
			return m.leave(press)
		}},
	}, widget.GlobalCommands[*ExplainPage]())
}

// noReport is why nothing can be asked of the report.
func (m *ExplainPage) noReport() string {
	if why := m.busy("there is nothing to tell"); why != "" {
		return why
	}
	return m.report.Unavailable
}

func (m *ExplainPage) noChanges() string {
	switch {
	case m.noReport() != "":
		return m.noReport()
	case m.report.Searched:
		return "it was looked for"
	}
	return m.report.NoInfluence
}

func (m *ExplainPage) noRefit() string {
	switch {
	case m.noReport() != "":
		return m.noReport()
	case m.report.NoInfluence != "":
		return m.report.NoInfluence
	case m.report.Refit:
		return "each result was left out of a fit already"
	case len(m.state.Iterations) == 0:
		return "there is no result to leave out"
	}
	return ""
}

func (m *ExplainPage) onePicture() string {
	if m.noReport() == "" && len(m.pairs()) == 1 {
		return "there is one picture of these variables"
	}
	return m.noReport()
}

func (m *ExplainPage) change() tea.Cmd {
	o := m.options
	o.Counterfactuals = true
	return m.ask(o)
}

func (m *ExplainPage) refit() tea.Cmd {
	o := m.options
	o.Refit = true
	return m.ask(o)
}

func init() {
	widget.Register(widget.SessionPage{
		Binding: widget.Bind("W", "why this point?", "W"),
		About: "tell why the next point is the one it is: what was weighed, " +
			"what was nearly chosen, which results hold it, what would change it",
		Groups: func() []widget.Group {
			return []widget.Group{widget.NewGroup("Why this point (W)", explainCommands())}
		},
		New: func(s *sessions.Session) (widget.Page, error) { return NewExplain(s) },
	})
}

// KeyMap tells what the keys do now.
func (m *ExplainPage) KeyMap() widget.KeyMap {
	return widget.KeyMap{Title: "why this point", Keys: widget.Keys(m, explainCommands())}
}

package modelcheck

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/widget"
)

// explainCommands are the keys of the screen.
func explainCommands() []widget.Command[*ExplainPage] {
	pageFor, last := func(m *ExplainPage) *page[diagnostics.Explanation] { return &m.page }, func(m *ExplainPage) int {
		return len(m.report.RunnersUp)
	}
	const turn = "draw the acquisition over other variables"
	choose := entries(pageFor, last, widget.List[*ExplainPage]{ShowsDown: true, Does: "another runner-up",
		Long: "compare another runner-up with the chosen point"})
	return slices.Concat(choose, turnView(pageFor, explainViews), []widget.Command[*ExplainPage]{
		widget.NewCommand(widget.Bind("e", changeChoice, "e"), (*ExplainPage).noChanges,
			(*ExplainPage).change).
			Long("search for the smallest change of each parameter that moves the choice to another point"),
		widget.NewCommand(widget.Bind("r", refitEach, "r"), (*ExplainPage).noRefit,
			(*ExplainPage).refit).
			Long("leave out each result and fit the others again, with new hyperparameters"),
		widget.NewCommand(widget.Bind("[", "previous variable", "["), (*ExplainPage).onePicture,
			func(m *ExplainPage) tea.Cmd {
				return m.turn(-1)
			}).Long(turn),
		widget.NewCommand(widget.Bind("]", "next variable", "]"), (*ExplainPage).onePicture,
			func(m *ExplainPage) tea.Cmd {
				return m.turn(1)
			}).Long(turn),
		{Binding: widget.Bind("esc", "leave", "esc", "w", "W"), Do: func(m *ExplainPage, press tea.KeyPressMsg) tea.Cmd {
			return m.leave(press)
		}},
	}, widget.GlobalCommands[*ExplainPage]())
}

// noReport is why a command of the report is disabled; empty where there is a report.
func (m *ExplainPage) noReport() string {
	if why := m.busy("there is no report yet"); why != "" {
		return why
	}
	return m.report.Unavailable
}

func (m *ExplainPage) noChanges() string {
	switch {
	case m.noReport() != "":
		return m.noReport()
	case m.report.Searched:
		return "the search is done"
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
		return "the model was already refitted without each result"
	case len(m.state.Iterations) == 0:
		return "there is no result to leave out"
	}
	return ""
}

func (m *ExplainPage) onePicture() string {
	if m.noReport() == "" && len(m.pairs()) == 1 {
		return "there is only one picture of these variables"
	}
	return m.noReport()
}

func (m *ExplainPage) change() tea.Cmd {
	o := m.options
	o.Counterfactuals = true
	m.view = otherChoicesView
	return m.add(o)
}

func (m *ExplainPage) refit() tea.Cmd {
	o := m.options
	o.Refit = true
	m.view = otherChoicesView
	return m.add(o)
}

func init() {
	widget.Register(widget.SessionPage{
		Binding: widget.Bind("w", "why", "w", "W"),
		About:   "explain why the next point is this one: the acquisition, runners-up, influential results, and what would change the choice",
		Groups: func() []widget.Group {
			return []widget.Group{widget.NewGroup("Explain the choice (w)", explainCommands()).Through("w")}
		},
		New: func(s *sessions.Session) (widget.Page, error) { return NewExplain(s) },
	})
}

// KeyMap describes the current keys.
func (m *ExplainPage) KeyMap() widget.KeyMap {
	return widget.KeyMap{Title: "the explanation of the choice", Keys: widget.Keys(m, explainCommands())}
}

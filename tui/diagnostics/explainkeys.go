package diagnostics

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/screen"
)

// commands are what the keys do here.
func explainCommands() []screen.Command[*ExplainPage] {
	return append([]screen.Command[*ExplainPage]{
		screen.Do(screen.Bind("up/down", "another place", "down", "j"), (*ExplainPage).atBottom, func(m *ExplainPage) tea.Cmd { m.chosen++; return nil }).Long("tell another of the places that were nearly chosen beside the point"),
		screen.Do(screen.Bind("", "another place", "up", "k"), (*ExplainPage).atTop, func(m *ExplainPage) tea.Cmd { m.chosen--; return nil }),
		screen.Do(screen.Bind("H", "what would change it", "H"), (*ExplainPage).noChanges, (*ExplainPage).change).Long("look for the smallest change of every parameter that moves the point elsewhere"),
		screen.Do(screen.Bind("L", "leave out by training again", "L"), (*ExplainPage).noRefit, (*ExplainPage).refit).Long("leave every result out and fit anew to the others, with hyper-parameters of their own, in place of what was fitted to all"),
		screen.Do(screen.Bind("[", "previous variable", "["), (*ExplainPage).onePicture, func(m *ExplainPage) tea.Cmd { return m.turn(-1) }).Long("draw the acquisition over other variables"),
		screen.Do(screen.Bind("]", "next variable", "]"), (*ExplainPage).onePicture, func(m *ExplainPage) tea.Cmd { return m.turn(1) }).Long("draw the acquisition over other variables"),
		{Binding: screen.Bind("esc", "leave", "esc", "W"), Do: (*ExplainPage).leave},
	}, screen.Anywhere[*ExplainPage]()...)
}

// busy is why nothing else is asked meanwhile.
func (m *ExplainPage) busy() string {
	switch {
	case m.jobs.Busy():
		return "the model is being asked: esc stops that"
	case m.report == nil:
		return "there is nothing to tell"
	}
	return m.report.Unavailable
}

func (m *ExplainPage) noChanges() string {
	switch {
	case m.busy() != "":
		return m.busy()
	case m.report.Searched:
		return "it was looked for"
	}
	return m.report.NoInfluence
}

func (m *ExplainPage) noRefit() string {
	switch {
	case m.busy() != "":
		return m.busy()
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
	if m.busy() == "" && len(m.pairs()) == 1 {
		return "there is one picture of these variables"
	}
	return m.busy()
}

func (m *ExplainPage) atTop() string {
	if m.report == nil || m.chosen == 0 {
		return "there is none above"
	}
	return ""
}

func (m *ExplainPage) atBottom() string {
	if m.report == nil || m.chosen >= len(m.report.RunnersUp) {
		return "there is none below"
	}
	return ""
}

func (m *ExplainPage) change() tea.Cmd {
	o := m.asked
	o.Counterfactuals = true
	return m.ask(o)
}

func (m *ExplainPage) refit() tea.Cmd {
	o := m.asked
	o.Refit = true
	return m.ask(o)
}

// Groups lists the bindings of this screen for the help.
func ExplainGroups() []screen.Group {
	return []screen.Group{screen.GroupOf("Why this point (W)", explainCommands())}
}

// Here tells what the keys do now.
func (m *ExplainPage) Here() screen.Here {
	return screen.Here{Title: "why this point", Keys: screen.Keys(m, explainCommands())}
}

// leave goes back to the explorer; esc first stops what is asked, where something is shown already.
func (m *ExplainPage) leave(press tea.KeyPressMsg) tea.Cmd {
	if press.String() == "esc" && m.jobs.Stop() && m.report != nil {
		m.Say("stopped", false)
		return nil
	}
	return screen.Want(screen.Close{})
}

package diagnostics

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/safe"
	"bandscope/tui/screen"
)

// commands are what the keys do here.
func checkCommands() []screen.Command[*CheckPage] {
	return append([]screen.Command[*CheckPage]{
		screen.Do(screen.Bind("enter", "take it", "enter"), (*CheckPage).noAlternative, (*CheckPage).adopt).Long("take the chosen assumption: it becomes the parameter's value, as by e in the explorer, and can be taken back there"),
		screen.Do(screen.Bind("H", "other assumptions", "H"), (*CheckPage).noTries, (*CheckPage).try).Long("hold other values of the method's parameters against the results: by how much the log predictive density of each, left out, is greater"),
		screen.Do(screen.Bind("L", "leave out by training again", "L"), (*CheckPage).noRetraining, (*CheckPage).retrain).Long("train again without each result, for methods that have no closed form, or in its place"),
		screen.Do(screen.Bind("up/down", "choose an assumption", "up", "k"), (*CheckPage).atTop, func(m *CheckPage) tea.Cmd { m.chosen--; return nil }),
		screen.Do(screen.Bind("", "choose an assumption", "down", "j"), (*CheckPage).atBottom, func(m *CheckPage) tea.Cmd { m.chosen++; return nil }),
		screen.Do(screen.Bind("v", "another objective", "v"), (*CheckPage).oneObjective, func(m *CheckPage) tea.Cmd { m.shown = (m.shown + 1) % len(m.report.Objectives); return nil }),
		{Binding: screen.Bind("esc", "leave", "esc", "U"), Do: (*CheckPage).leave},
	}, screen.Anywhere[*CheckPage]()...)
}

// busy is why nothing else is asked meanwhile.
func (m *CheckPage) busy() string {
	if m.jobs.Busy() {
		return "the model is being asked: esc stops that"
	}
	return ""
}

func (m *CheckPage) noTries() string {
	switch {
	case m.busy() != "":
		return m.busy()
	case m.report == nil:
		return "there is nothing to compare with"
	case m.report.Unavailable != "" && m.report.Refittable:
		return "results have to be left out first: L"
	case m.report.Unavailable != "":
		return m.report.Unavailable
	case m.report.Compared:
		return "all of them were tried"
	}
	return ""
}

func (m *CheckPage) noRetraining() string {
	switch {
	case m.busy() != "":
		return m.busy()
	case m.report == nil:
		return "there is nothing to train again"
	case m.report.Refit:
		return "each result was left out of a training already"
	case m.report.Unavailable != "" && !m.report.Refittable:
		return m.report.Unavailable
	}
	return ""
}

func (m *CheckPage) noAlternative() string {
	switch {
	case m.busy() != "":
		return m.busy()
	case m.report == nil || !m.report.Compared:
		return "no other assumption was tried: H"
	case len(m.report.Alternatives) == 0:
		return "no other assumption says anything else"
	case m.state.ReadOnly:
		return "the session cannot be changed: its file is read only"
	}
	return ""
}

func (m *CheckPage) atTop() string {
	if m.report == nil || m.chosen == 0 {
		return "there is none above"
	}
	return ""
}

func (m *CheckPage) atBottom() string {
	if m.report == nil || m.chosen >= len(m.report.Alternatives)-1 {
		return "there is none below"
	}
	return ""
}

func (m *CheckPage) oneObjective() string {
	if len(m.state.Problem.Objectives) == 1 || m.report == nil {
		return "there is one objective"
	}
	return ""
}

func (m *CheckPage) try() tea.Cmd {
	o := m.asked
	o.Alternatives = true
	return m.ask(o)
}

func (m *CheckPage) retrain() tea.Cmd {
	o := m.asked
	o.Refit, o.Alternatives = true, false
	return m.ask(o)
}

// adopt makes the chosen alternative the parameter's value, and goes back to the explorer, which shows what is believed then.
func (m *CheckPage) adopt() tea.Cmd {
	a, s := m.report.Alternatives[m.chosen], m.session
	return m.jobs.Start("setting "+safe.Text(a.Label), func(context.Context, func(string, int, int)) tea.Msg { return doneMsg{a.Apply(s)} })
}

// Groups lists the bindings of this screen for the help.
func CheckGroups() []screen.Group {
	return []screen.Group{screen.GroupOf("Can it be believed (U)", checkCommands())}
}

// Here tells what the keys do now.
func (m *CheckPage) Here() screen.Here {
	return screen.Here{Title: "whether it can be believed", Keys: screen.Keys(m, checkCommands())}
}

// leave goes back to the explorer; esc first stops what is asked, where something is shown already.
func (m *CheckPage) leave(press tea.KeyPressMsg) tea.Cmd {
	if press.String() == "esc" && m.jobs.Stop() {
		if m.report != nil {
			m.asked = m.report.CheckOptions
		}
		m.Say("stopped", false)
		return nil
	}
	return screen.Want(screen.Close{})
}

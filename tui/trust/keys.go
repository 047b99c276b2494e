package trust

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/safe"
	"bandscope/tui/screen"
)

// commands are what the keys do here.
func commands() []screen.Command[*Model] {
	return append([]screen.Command[*Model]{
		screen.Do(screen.Bind("enter", "take it", "enter"), (*Model).noAlternative, (*Model).adopt).Long("take the chosen assumption: it becomes the parameter's value, as by e in the explorer, and can be taken back there"),
		screen.Do(screen.Bind("H", "other assumptions", "H"), (*Model).noTries, (*Model).try).Long("hold other values of the method's parameters against the results: by how much the log predictive density of each, left out, is greater"),
		screen.Do(screen.Bind("L", "leave out by training again", "L"), (*Model).noRetraining, (*Model).retrain).Long("train again without each result, for methods that have no closed form, or in its place"),
		screen.Do(screen.Bind("up/down", "choose an assumption", "up", "k"), (*Model).atTop, func(m *Model) tea.Cmd { m.chosen--; return nil }),
		screen.Do(screen.Bind("", "choose an assumption", "down", "j"), (*Model).atBottom, func(m *Model) tea.Cmd { m.chosen++; return nil }),
		screen.Do(screen.Bind("v", "another objective", "v"), (*Model).oneObjective, func(m *Model) tea.Cmd { m.shown = (m.shown + 1) % len(m.report.Objectives); return nil }),
		{Binding: screen.Bind("esc", "leave", "esc", "U"), Do: (*Model).leave},
	}, screen.Anywhere[*Model]()...)
}

// busy is why nothing else is asked meanwhile.
func (m *Model) busy() string {
	if m.jobs.Busy() {
		return "the model is being asked: esc stops that"
	}
	return ""
}

func (m *Model) noTries() string {
	switch {
	case m.busy() != "":
		return m.busy()
	case m.report == nil:
		return "there is nothing to compare with"
	case m.report.Lacking != "" && m.report.Retrainable:
		return "results have to be left out first: L"
	case m.report.Lacking != "":
		return m.report.Lacking
	case m.report.Tried:
		return "all of them were tried"
	}
	return ""
}

func (m *Model) noRetraining() string {
	switch {
	case m.busy() != "":
		return m.busy()
	case m.report == nil:
		return "there is nothing to train again"
	case m.report.Retrain:
		return "each result was left out of a training already"
	case m.report.Lacking != "" && !m.report.Retrainable:
		return m.report.Lacking
	}
	return ""
}

func (m *Model) noAlternative() string {
	switch {
	case m.busy() != "":
		return m.busy()
	case m.report == nil || !m.report.Tried:
		return "no other assumption was tried: H"
	case len(m.report.Alternatives) == 0:
		return "no other assumption says anything else"
	case m.state.ReadOnly:
		return "the session cannot be changed: its file is read only"
	}
	return ""
}

func (m *Model) atTop() string {
	if m.report == nil || m.chosen == 0 {
		return "there is none above"
	}
	return ""
}

func (m *Model) atBottom() string {
	if m.report == nil || m.chosen >= len(m.report.Alternatives)-1 {
		return "there is none below"
	}
	return ""
}

func (m *Model) oneObjective() string {
	if len(m.state.Problem.Objectives) == 1 || m.report == nil {
		return "there is one objective"
	}
	return ""
}

func (m *Model) try() tea.Cmd {
	o := m.asked
	o.Alternatives = true
	return m.ask(o)
}

func (m *Model) retrain() tea.Cmd {
	o := m.asked
	o.Retrain, o.Alternatives = true, false
	return m.ask(o)
}

// adopt makes the chosen alternative the parameter's value, and goes back to the explorer, which shows what is believed then.
func (m *Model) adopt() tea.Cmd {
	a, s := m.report.Alternatives[m.chosen], m.session
	return m.jobs.Start("setting "+safe.Text(a.Label), func(context.Context, func(string, int, int)) tea.Msg { return doneMsg{a.Take(s)} })
}

func init() {
	screen.Register(screen.SessionPage{
		Binding: screen.Bind("U", "can it be believed?", "U"),
		About: "judge the model: each result left out, the coverage of its " +
			"bands, other assumptions, what it depends on",
		Groups: groups,
		New:    func(s *sessions.Session) (screen.Page, error) { return New(s), nil },
	})
}

// groups lists the bindings of this screen for the help.
func groups() []screen.Group {
	return []screen.Group{screen.GroupOf("Can it be believed (U)", commands())}
}

// Here tells what the keys do now.
func (m *Model) Here() screen.Here {
	return screen.Here{Title: "whether it can be believed", Keys: screen.Keys(m, commands())}
}

// leave goes back to the explorer; esc first stops what is asked, where something is shown already.
func (m *Model) leave(press tea.KeyPressMsg) tea.Cmd {
	if press.String() == "esc" && m.jobs.Stop() {
		if m.report != nil {
			m.asked = m.report.Options
		}
		m.Say("stopped", false)
		return nil
	}
	return screen.Want(screen.Close{})
}

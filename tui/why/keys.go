package why

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/screen"
)

// commands are what the keys do here.
func commands() []screen.Command[*Model] {
	return append([]screen.Command[*Model]{
		screen.Do(screen.Bind("up/down", "another place", "down", "j"), (*Model).atBottom, func(m *Model) tea.Cmd { m.chosen++; return nil }).Long("tell another of the places that were nearly chosen beside the point"),
		screen.Do(screen.Bind("", "another place", "up", "k"), (*Model).atTop, func(m *Model) tea.Cmd { m.chosen--; return nil }),
		screen.Do(screen.Bind("H", "what would change it", "H"), (*Model).noChanges, (*Model).change).Long("look for the smallest change of every parameter that moves the point elsewhere"),
		screen.Do(screen.Bind("L", "leave out by training again", "L"), (*Model).noRefit, (*Model).refit).Long("leave every result out and fit anew to the others, with hyper-parameters of their own, in place of what was fitted to all"),
		screen.Do(screen.Bind("[", "previous variable", "["), (*Model).onePicture, func(m *Model) tea.Cmd { return m.turn(-1) }).Long("draw the acquisition over other variables"),
		screen.Do(screen.Bind("]", "next variable", "]"), (*Model).onePicture, func(m *Model) tea.Cmd { return m.turn(1) }).Long("draw the acquisition over other variables"),
		{Binding: screen.Bind("esc", "leave", "esc", "W"), Do: (*Model).leave},
	}, screen.Anywhere[*Model]()...)
}

// busy is why nothing else is asked meanwhile.
func (m *Model) busy() string {
	switch {
	case m.jobs.Busy():
		return "the model is being asked: esc stops that"
	case m.report == nil:
		return "there is nothing to tell"
	}
	return m.report.Lacking
}

func (m *Model) noChanges() string {
	switch {
	case m.busy() != "":
		return m.busy()
	case m.report.Tried:
		return "it was looked for"
	}
	return m.report.Fixed
}

func (m *Model) noRefit() string {
	switch {
	case m.busy() != "":
		return m.busy()
	case m.report.Fixed != "":
		return m.report.Fixed
	case m.report.Refit:
		return "each result was left out of a fit already"
	case len(m.state.Iterations) == 0:
		return "there is no result to leave out"
	}
	return ""
}

func (m *Model) onePicture() string {
	if m.busy() == "" && len(m.pairs()) == 1 {
		return "there is one picture of these variables"
	}
	return m.busy()
}

func (m *Model) atTop() string {
	if m.report == nil || m.chosen == 0 {
		return "there is none above"
	}
	return ""
}

func (m *Model) atBottom() string {
	if m.report == nil || m.chosen >= len(m.report.Others) {
		return "there is none below"
	}
	return ""
}

func (m *Model) change() tea.Cmd {
	o := m.asked
	o.Change = true
	return m.ask(o)
}

func (m *Model) refit() tea.Cmd {
	o := m.asked
	o.Refit = true
	return m.ask(o)
}

func init() {
	screen.Register(screen.SessionPage{
		Binding: screen.Bind("W", "why this point?", "W"),
		About: "tell why the next point is the one it is: what was weighed, " +
			"what was nearly chosen, which results hold it, what would change it",
		Groups: groups,
		New:    func(s *sessions.Session) (screen.Page, error) { return New(s) },
	})
}

// groups lists the bindings of this screen for the help.
func groups() []screen.Group {
	return []screen.Group{screen.GroupOf("Why this point (W)", commands())}
}

// Here tells what the keys do now.
func (m *Model) Here() screen.Here {
	return screen.Here{Title: "why this point", Keys: screen.Keys(m, commands())}
}

// leave goes back to the explorer; esc first stops what is asked, where something is shown already.
func (m *Model) leave(press tea.KeyPressMsg) tea.Cmd {
	if press.String() == "esc" && m.jobs.Stop() && m.report != nil {
		m.Say("stopped", false)
		return nil
	}
	return screen.Want(screen.Close{})
}

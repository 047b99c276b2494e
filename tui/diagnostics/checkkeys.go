package diagnostics

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/widget"
)

// checkCommands are what the keys do here.
func checkCommands() []widget.Command[*CheckPage] {
	last := func(m *CheckPage) int { return len(m.report.Alternatives) - 1 }
	return slices.Concat([]widget.Command[*CheckPage]{
		widget.NewCommand(widget.Bind("enter", "take it", "enter"), (*CheckPage).noAlternative, (*CheckPage).adopt).
			Long("take the chosen assumption: it becomes the parameter's value, as by e in the explorer, and can be " +
				"taken back there"),
		widget.NewCommand(widget.Bind("H", "other assumptions", "H"), (*CheckPage).noTries, (*CheckPage).compare).
			Long("hold other values of the method's parameters against the results: by how much the log predictive " +
				"density of each, left out, is greater"),
		widget.NewCommand(widget.Bind("L", "leave out by training again", "L"), (*CheckPage).noRefit,
			(*CheckPage).refit).
			Long("train again without each result, for methods that have no closed form, or in its place"),
	}, move(func(m *CheckPage) *page[diagnostics.Check] { return &m.page }, last, -1, "choose an assumption", ""),
		[]widget.Command[*CheckPage]{
			widget.NewCommand(widget.Bind("v", "another objective", "v"), (*CheckPage).oneObjective,
				(*CheckPage).nextObjective),
			{Binding: widget.Bind("esc", "leave", "esc", "U"), Do: func(m *CheckPage, press tea.KeyPressMsg) tea.Cmd {
				return m.leave(press)
			}},
		}, widget.GlobalCommands[*CheckPage]())
}

func (m *CheckPage) noTries() string {
	switch busy := m.busy("there is nothing to compare with"); {
	case busy != "":
		return busy
	case m.report.Unavailable != "" && m.report.Refittable:
		return "results have to be left out first: L"
	case m.report.Unavailable != "":
		return m.report.Unavailable
	case m.report.Compared:
		return "all of them were tried"
	}
	return ""
}

func (m *CheckPage) noRefit() string {
	switch busy := m.busy("there is nothing to train again"); {
	case busy != "":
		return busy
	case m.report.Refit:
		return "each result was left out of a training already"
	case m.report.Unavailable != "" && !m.report.Refittable:
		return m.report.Unavailable
	}
	return ""
}

func (m *CheckPage) noAlternative() string {
	switch busy := m.busy("no other assumption was tried: H"); {
	case busy != "":
		return busy
	case !m.report.Compared:
		return "no other assumption was tried: H"
	case len(m.report.Alternatives) == 0:
		return "no other assumption says anything else"
	case m.state.ReadOnly:
		return "the session cannot be changed: its file is read only"
	}
	return ""
}

func (m *CheckPage) oneObjective() string {
	if len(m.state.Problem.Objectives) == 1 || m.report == nil {
		return "there is one objective"
	}
	return ""
}

func (m *CheckPage) nextObjective() tea.Cmd {
	m.objectiveIndex = (m.objectiveIndex + 1) % len(m.report.Objectives)
	return nil
}

func (m *CheckPage) compare() tea.Cmd {
	o := m.report.CheckOptions
	o.Alternatives = true
	return m.ask(o)
}

func (m *CheckPage) refit() tea.Cmd { return m.ask(diagnostics.CheckOptions{Refit: true}) }

// adopt makes the chosen alternative the parameter's value, and goes back to the explorer, which shows what is believed
// then.
func (m *CheckPage) adopt() tea.Cmd {
	a, s := m.report.Alternatives[m.chosen], m.session
	return m.start("setting "+sanitize.Text(a.Label), func(context.Context, sessions.Progress) (func() tea.Cmd, error) {
		return func() tea.Cmd { return widget.Request(widget.Close{}) }, a.Apply(s)
	})
}

func init() {
	widget.Register(widget.SessionPage{
		Binding: widget.Bind("U", "can it be believed?", "U"),
		About: "judge the model: each result left out, the coverage of its " +
			"bands, other assumptions, what it depends on",
		Groups: func() []widget.Group {
			return []widget.Group{widget.NewGroup("Can it be believed (U)", checkCommands())}
		},
		New: func(s *sessions.Session) (widget.Page, error) { return NewCheck(s), nil },
	})
}

// KeyMap tells what the keys do now.
func (m *CheckPage) KeyMap() widget.KeyMap {
	return widget.KeyMap{Title: "whether it can be believed", Keys: widget.Keys(m, checkCommands())}
}

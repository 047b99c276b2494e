package modelcheck

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/widget"
)

// What some commands do, which texts name.
const (
	tryAlternatives = "try alternatives"
	refitEach       = "refit without each result"
	changeChoice    = "what would change the choice"
)

// checkCommands are the keys of the screen.
func checkCommands() []widget.Command[*CheckPage] {
	last := func(m *CheckPage) int { return len(m.report.Alternatives) - 1 }
	pageFor := func(m *CheckPage) *page[diagnostics.Check] { return &m.page }
	return slices.Concat([]widget.Command[*CheckPage]{
		widget.NewCommand(widget.Bind("enter", "take this value", "enter"), (*CheckPage).noAlternative,
			(*CheckPage).adopt).
			Long("take the selected alternative: it becomes the parameter's value, as with e in the explorer, where it can be undone"),
		widget.NewCommand(widget.Bind("e", tryAlternatives, "e"), (*CheckPage).noTries, (*CheckPage).compare).
			Long("try other values of the method's parameters, and compare the log predictive density of their leave-one-out predictions"),
	}, turnView(pageFor, checkViews), []widget.Command[*CheckPage]{
		widget.NewCommand(widget.Bind("r", refitEach, "r"), (*CheckPage).noRefit,
			(*CheckPage).refit).
			Long("train again without each result; needed for methods without exact leave-one-out predictions"),
	}, entries(pageFor, last, widget.List[*CheckPage]{Does: "choose an alternative"}),
		[]widget.Command[*CheckPage]{
			widget.NewCommand(widget.Bind("d", "scatter", "d"), (*CheckPage).noScatter,
				(*CheckPage).toggleScatter).
				Long("draw the leave-one-out predictions against the results instead of the residuals, or these again"),
			widget.NewCommand(widget.Bind("v", "another objective", "v"), (*CheckPage).oneObjective,
				(*CheckPage).nextObjective),
			{Binding: widget.Bind("esc", "leave", "esc", "u", "U"), Do: func(m *CheckPage, press tea.KeyPressMsg) tea.Cmd {
				return m.leave(press)
			}},
		}, widget.GlobalCommands[*CheckPage]())
}

func (m *CheckPage) noTries() string {
	switch busy := m.busy("there is no report to compare with"); {
	case busy != "":
		return busy
	case m.report.Unavailable != "" && m.report.Refittable:
		return fmt.Sprintf("leave-one-out predictions are missing: press %s first", keyFor(checkCommands(), refitEach))
	case m.report.Unavailable != "":
		return m.report.Unavailable
	case m.report.Compared:
		return "all alternatives were tried"
	}
	return ""
}

func (m *CheckPage) noRefit() string {
	switch busy := m.busy("there is no report yet"); {
	case busy != "":
		return busy
	case m.report.Refit:
		return "the model was already retrained without each result"
	case m.report.Unavailable != "" && !m.report.Refittable:
		return m.report.Unavailable
	}
	return ""
}

func (m *CheckPage) noAlternative() string {
	untried := "no alternative was tried yet: press " + keyFor(checkCommands(), tryAlternatives)
	switch busy := m.busy(untried); {
	case busy != "":
		return busy
	case !m.report.Compared:
		return untried
	case len(m.report.Alternatives) == 0:
		return "no alternative changes the predictions"
	case m.state.ReadOnly:
		return "the session cannot be changed: its file is read-only"
	}
	return ""
}

func (m *CheckPage) noScatter() string {
	if m.report == nil {
		return "there is no report yet"
	}
	return m.noResiduals()
}

func (m *CheckPage) oneObjective() string {
	if len(m.state.Problem.Objectives) == 1 || m.report == nil {
		return "there is only one objective"
	}
	return ""
}

func (m *CheckPage) nextObjective() tea.Cmd {
	m.objectiveIndex = (m.objectiveIndex + 1) % len(m.report.Objectives)
	return nil
}

func (m *CheckPage) compare() tea.Cmd {
	o := m.report.CheckOptions
	o.Alternatives, o.Brief = true, false
	m.view = alternativesView
	return m.ask(o)
}

func (m *CheckPage) refit() tea.Cmd {
	m.view = 0
	return m.ask(diagnostics.CheckOptions{Refit: true})
}

// adopt makes the selected alternative the parameter's value, and goes back to the explorer.
func (m *CheckPage) adopt() tea.Cmd {
	a, s := m.report.Alternatives[m.chosen], m.session
	return m.start("setting "+sanitize.Text(a.Label), func(context.Context, sessions.Progress) (func() tea.Cmd, error) {
		return func() tea.Cmd { return widget.Request(widget.Close{}) }, a.Apply(s)
	})
}

func init() {
	widget.Register(widget.SessionPage{
		Binding: widget.Bind("u", "check", "u", "U"),
		About:   "check the model: leave-one-out predictions, coverage of its bands, alternatives, sensitivity",
		Groups: func() []widget.Group {
			return []widget.Group{widget.NewGroup("Check the model (u)", checkCommands()).Through("u")}
		},
		New: func(s *sessions.Session) (widget.Page, error) { return NewCheck(s), nil },
	})
}

// KeyMap describes the current keys.
func (m *CheckPage) KeyMap() widget.KeyMap {
	return widget.KeyMap{Title: "the model check", Keys: widget.Keys(m, checkCommands())}
}

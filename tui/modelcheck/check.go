package modelcheck

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
)

// CheckPage checks the model of a session.
type CheckPage struct {
	page[diagnostics.Check]
	objectiveIndex int  // the objective that is shown
	scatter        bool // the results against their predictions, in place of the residuals
}

// NewCheck makes the screen for the current state of a session.
func NewCheck(s *sessions.Session) *CheckPage { return &CheckPage{page: newPage[diagnostics.Check](s)} }

// Init computes the report.
func (m *CheckPage) Init() tea.Cmd {
	if m.report != nil {
		return nil
	}
	return m.ask(diagnostics.CheckOptions{})
}

// ask makes a report off the update loop: first the verdict with what it depends on, then the rest.
func (m *CheckPage) ask(o diagnostics.CheckOptions) tea.Cmd {
	if r := diagnostics.CachedCheck(m.state, o); r != nil {
		m.take(r)
		return m.forecast()
	}
	brief := o
	brief.Brief = true
	return m.check(brief, func() tea.Cmd { return m.check(o, m.forecast) })
}

// check makes a report off the update loop and shows it; then continues.
func (m *CheckPage) check(o diagnostics.CheckOptions, then func() tea.Cmd) tea.Cmd {
	snapshot := m.at
	return m.start("checking the model", func(ctx context.Context, progress sessions.Progress) (func() tea.Cmd, error) {
		r, err := diagnostics.CheckModel(ctx, snapshot, o, progress)
		return func() tea.Cmd {
			m.take(r)
			return then()
		}, err
	})
}

// take shows a report; the verdict's objective the first time.
func (m *CheckPage) take(r *diagnostics.Check) {
	if m.report == nil {
		m.objectiveIndex = r.Verdict.Objective
	}
	if m.report == nil || len(r.Alternatives) != len(m.report.Alternatives) {
		m.chosen = 0
	}
	m.report, m.failed = r, ""
}

// Update takes a message.
func (m *CheckPage) Update(msg tea.Msg) tea.Cmd { return update(m, &m.page, checkCommands(), msg) }

// objective is the one that is shown; nil where there is no report.
func (m *CheckPage) objective() *diagnostics.ObjectiveCheck {
	if m.report == nil {
		return nil
	}
	return &m.report.Objectives[m.objectiveIndex]
}

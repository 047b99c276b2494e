package diagnostics

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/screen"
)

// Model is the screen.
type CheckPage struct {
	screen.Base

	session *sessions.Session
	at      sessions.Snapshot
	state   sessions.State
	asked   diagnostics.CheckOptions
	report  *diagnostics.Check // nil while the first one is made
	failed  string             // why there is none
	shown   int                // which objective
	chosen  int                // which alternative
	jobs    screen.Jobs
}

// madeMsg brings a report, or why there is none; doneMsg says that a suggestion was taken.
type (
	checkMsg struct {
		report *diagnostics.Check
		err    error
	}
	doneMsg struct{ err error }
)

// New makes the screen of where a session stands.
func NewCheck(s *sessions.Session) *CheckPage {
	m := &CheckPage{Base: screen.NewBase(), session: s, at: s.Snapshot()}
	m.state = m.at.State()
	return m
}

// Init asks the model.
func (m *CheckPage) Init() tea.Cmd {
	if m.report != nil {
		return nil
	}
	return m.ask(m.asked)
}

// ask makes a report off the update loop.
func (m *CheckPage) ask(o diagnostics.CheckOptions) tea.Cmd {
	m.asked = o
	if r := diagnostics.CachedCheck(m.state, o); r != nil {
		m.take(r)
		return nil
	}
	at := m.at
	return m.jobs.Start("asking the model", func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		r, err := diagnostics.CheckModel(ctx, at, o, progress)
		return checkMsg{r, err}
	})
}

// take shows a report.
func (m *CheckPage) take(r *diagnostics.Check) {
	m.report, m.failed, m.chosen = r, "", 0
	m.shown = min(m.shown, len(r.Objectives)-1)
}

// Stop gives up what is asked.
func (m *CheckPage) Stop() { m.jobs.Stop() }

// Update takes a message.
func (m *CheckPage) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.DoneMsg:
		if inner, ok := m.jobs.Take(msg); ok {
			m.jobs.Finish()
			return m.done(inner)
		}
		return nil
	case screen.TickMsg:
		return m.jobs.Tick(msg)
	case tea.KeyPressMsg:
		cmd, _ := screen.Take(m, &m.Status, checkCommands(), msg)
		return cmd
	}
	return nil
}

// done takes what a job brought.
func (m *CheckPage) done(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case checkMsg:
		if msg.err != nil {
			m.failed = msg.err.Error()
			m.Status.Fail(msg.err)
			return nil
		}
		m.take(msg.report)
	case doneMsg:
		if msg.err != nil {
			m.Status.Fail(msg.err)
			return nil
		}
		return screen.Want(screen.Close{})
	case screen.PanicMsg:
		m.Status.Fail(fmt.Errorf("internal error: %s; nothing is lost", msg.Reason))
	}
	return nil
}

// objective is the one that is shown; nil where there is no report.
func (m *CheckPage) objective() *diagnostics.ObjectiveCheck {
	if m.report == nil {
		return nil
	}
	return &m.report.Objectives[m.shown]
}

// Package trust is the screen that says whether the model of a session can be believed: what it expected of each result without knowing it, how often its bands cover what they
// promise, whether other values of its parameters explain the results better, and what its mean depends on. A session goes in; a report, made off the update loop by
// sessions/trust, is drawn by the plots that all screens share. It computes nothing itself, and changes the session only where a person takes a suggestion.
package trust

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/trust"
	"bandscope/tui/screen"
)

// Model is the screen.
type Model struct {
	screen.Base

	session *sessions.Session
	at      sessions.Snapshot
	state   sessions.State
	asked   trust.Options
	report  *trust.Report // nil while the first one is made
	failed  string        // why there is none
	shown   int           // which objective
	chosen  int           // which alternative
	jobs    screen.Jobs
}

// madeMsg brings a report, or why there is none; doneMsg says that a suggestion was taken.
type (
	madeMsg struct {
		report *trust.Report
		err    error
	}
	doneMsg struct{ err error }
)

// New makes the screen of where a session stands.
func New(s *sessions.Session) *Model {
	m := &Model{Base: screen.NewBase(), session: s, at: s.Snapshot()}
	m.state = m.at.State()
	return m
}

// Init asks the model.
func (m *Model) Init() tea.Cmd {
	if m.report != nil {
		return nil
	}
	return m.ask(m.asked)
}

// ask makes a report off the update loop.
func (m *Model) ask(o trust.Options) tea.Cmd {
	m.asked = o
	if r := trust.Known(m.state, o); r != nil {
		m.take(r)
		return nil
	}
	at := m.at
	return m.jobs.Start("asking the model", func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		r, err := trust.Of(ctx, at, o, progress)
		return madeMsg{r, err}
	})
}

// take shows a report.
func (m *Model) take(r *trust.Report) {
	m.report, m.failed, m.chosen = r, "", 0
	m.shown = min(m.shown, len(r.Objectives)-1)
}

// Stop gives up what is asked.
func (m *Model) Stop() { m.jobs.Stop() }

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
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
		cmd, _ := screen.Take(m, &m.Status, commands(), msg)
		return cmd
	}
	return nil
}

// done takes what a job brought.
func (m *Model) done(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case madeMsg:
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
func (m *Model) objective() *trust.Objective {
	if m.report == nil {
		return nil
	}
	return &m.report.Objectives[m.shown]
}

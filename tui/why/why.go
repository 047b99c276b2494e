// Package why is the screen that says why the next point of a session is the one it is: the acquisition with that point and those that were nearly chosen, what it is made of at
// each of them, which results hold the choice and which change of a parameter would move it. A session goes in; a report, made off the update loop by sessions/why, is drawn by the
// plots that all screens share. It computes nothing itself, and changes the session in nothing. Its lists are rows of boxes, not a table of Lip Gloss: each entry, of one line or two, is
// described and lit by itself.
package why

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/why"
	"bandscope/tui/layout"
	"bandscope/tui/screen"
	"bandscope/tui/why/ground"
)

// Model is the screen.
type Model struct {
	screen.Base

	session *sessions.Session
	at      sessions.Snapshot
	state   sessions.State
	asked   why.Options
	report  *why.Report // nil while the first one is made
	ground  ground.Ground
	failed  string // why there is no report
	pair    int    // which variables the picture is over
	chosen  int    // which place is told: 0 is the point, and those that were nearly chosen are from 1
	jobs    screen.Jobs

	drawn   *layout.Box // the picture
	drawnOf drawnOf
}

// madeMsg brings a report and a picture, or why there is none.
type madeMsg struct {
	report *why.Report
	ground ground.Ground
	asked  why.Options
	err    error
}

// New makes the screen of where a session stands.
func New(s *sessions.Session) (*Model, error) {
	m := &Model{Base: screen.NewBase(), session: s, at: s.Snapshot()}
	m.state = m.at.State()
	taken, err := why.Taken(s)
	m.asked = why.Options{Influence: true, Taken: taken}
	return m, err
}

// Init asks the model.
func (m *Model) Init() tea.Cmd {
	if m.report != nil {
		return nil
	}
	return m.ask(m.asked)
}

// pairs are the variables that the picture can be over.
func (m *Model) pairs() (all [][2]int) {
	d := m.state.Problem.Dim()
	if d == 1 {
		return [][2]int{{0, -1}}
	}
	for i := range d {
		for j := i + 1; j < d; j++ {
			all = append(all, [2]int{i, j})
		}
	}
	return all
}

// ask makes a report and a picture off the update loop.
func (m *Model) ask(o why.Options) tea.Cmd {
	at, pair := m.at, m.pairs()[m.pair]
	return m.jobs.Start("asking the model", func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		r, err := why.Of(ctx, at, o, progress)
		if err != nil {
			return madeMsg{err: err}
		}
		g, err := ground.Over(ctx, at, r.Chosen.X, pair[0], pair[1], progress)
		return madeMsg{r, g, o, err}
	})
}

// turn draws another picture of the same report.
func (m *Model) turn(by int) tea.Cmd {
	m.pair = (m.pair + by + len(m.pairs())) % len(m.pairs())
	at, r, o, pair := m.at, m.report, m.asked, m.pairs()[m.pair]
	return m.jobs.Start("asking the model", func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		g, err := ground.Over(ctx, at, r.Chosen.X, pair[0], pair[1], progress)
		return madeMsg{r, g, o, err}
	})
}

// Stop gives up what is asked.
func (m *Model) Stop() { m.jobs.Stop() }

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.DoneMsg:
		if inner, ok := m.jobs.Take(msg); ok {
			m.jobs.Finish()
			m.done(inner)
		}
	case screen.TickMsg:
		return m.jobs.Tick(msg)
	case tea.KeyPressMsg:
		cmd, _ := screen.Take(m, &m.Status, commands(), msg)
		return cmd
	}
	return nil
}

// done takes what a job brought.
func (m *Model) done(msg tea.Msg) {
	switch msg := msg.(type) {
	case madeMsg:
		if msg.err != nil {
			if m.report == nil {
				m.failed = msg.err.Error()
			}
			m.Status.Fail(msg.err)
			return
		}
		m.report, m.ground, m.asked, m.failed = msg.report, msg.ground, msg.asked, ""
		m.chosen = min(m.chosen, len(m.report.Others))
	case screen.PanicMsg:
		m.Status.Fail(fmt.Errorf("internal error: %s; nothing is lost", msg.Reason))
	}
}

// place is the one that is told.
func (m *Model) place() why.Place {
	if m.chosen > 0 {
		return m.report.Others[m.chosen-1].Place
	}
	return m.report.Chosen
}

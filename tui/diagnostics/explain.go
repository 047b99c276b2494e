package diagnostics

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/belief"
	"bandscope/tui/layout"
	"bandscope/tui/screen"
)

// Model is the screen.
type ExplainPage struct {
	screen.Base

	session *sessions.Session
	at      sessions.Snapshot
	state   sessions.State
	asked   diagnostics.ExplainOptions
	report  *diagnostics.Explanation // nil while the first one is made
	ground  belief.AcquisitionGrid
	failed  string // why there is no report
	pair    int    // which variables the picture is over
	chosen  int    // which place is told: 0 is the point, and those that were nearly chosen are from 1
	jobs    screen.Jobs

	drawn   *layout.Box // the picture
	drawnOf drawnOf
}

// madeMsg brings a report and a picture, or why there is none.
type explainMsg struct {
	report *diagnostics.Explanation
	ground belief.AcquisitionGrid
	asked  diagnostics.ExplainOptions
	err    error
}

// New makes the screen of where a session stands.
func NewExplain(s *sessions.Session) (*ExplainPage, error) {
	m := &ExplainPage{Base: screen.NewBase(), session: s, at: s.Snapshot()}
	m.state = m.at.State()
	taken, err := diagnostics.NextOnRecord(s)
	m.asked = diagnostics.ExplainOptions{Influence: true, OnRecord: taken}
	return m, err
}

// Init asks the model.
func (m *ExplainPage) Init() tea.Cmd {
	if m.report != nil {
		return nil
	}
	return m.ask(m.asked)
}

// pairs are the variables that the picture can be over.
func (m *ExplainPage) pairs() (all [][2]int) {
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
func (m *ExplainPage) ask(o diagnostics.ExplainOptions) tea.Cmd {
	at, pair := m.at, m.pairs()[m.pair]
	return m.jobs.Start("asking the model", func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		r, err := diagnostics.ExplainNext(ctx, at, o, progress)
		if err != nil {
			return explainMsg{err: err}
		}
		g, err := belief.NewAcquisitionGrid(ctx, at, r.Chosen.X, pair[0], pair[1], progress)
		return explainMsg{r, g, o, err}
	})
}

// turn draws another picture of the same report.
func (m *ExplainPage) turn(by int) tea.Cmd {
	m.pair = (m.pair + by + len(m.pairs())) % len(m.pairs())
	at, r, o, pair := m.at, m.report, m.asked, m.pairs()[m.pair]
	return m.jobs.Start("asking the model", func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		g, err := belief.NewAcquisitionGrid(ctx, at, r.Chosen.X, pair[0], pair[1], progress)
		return explainMsg{r, g, o, err}
	})
}

// Stop gives up what is asked.
func (m *ExplainPage) Stop() { m.jobs.Stop() }

// Update takes a message.
func (m *ExplainPage) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.DoneMsg:
		if inner, ok := m.jobs.Take(msg); ok {
			m.jobs.Finish()
			m.done(inner)
		}
	case screen.TickMsg:
		return m.jobs.Tick(msg)
	case tea.KeyPressMsg:
		cmd, _ := screen.Take(m, &m.Status, explainCommands(), msg)
		return cmd
	}
	return nil
}

// done takes what a job brought.
func (m *ExplainPage) done(msg tea.Msg) {
	switch msg := msg.(type) {
	case explainMsg:
		if msg.err != nil {
			if m.report == nil {
				m.failed = msg.err.Error()
			}
			m.Status.Fail(msg.err)
			return
		}
		m.report, m.ground, m.asked, m.failed = msg.report, msg.ground, msg.asked, ""
		m.chosen = min(m.chosen, len(m.report.RunnersUp))
	case screen.PanicMsg:
		m.Status.Fail(fmt.Errorf("internal error: %s; nothing is lost", msg.Reason))
	}
}

// place is the one that is told.
func (m *ExplainPage) place() diagnostics.Candidate {
	if m.chosen > 0 {
		return m.report.RunnersUp[m.chosen-1].Candidate
	}
	return m.report.Chosen
}

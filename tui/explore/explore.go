// Package explore is the explorer, the first screen of the program: one session, stepped manually, with the surrogate
// of the method drawn beside the results. It passes keys to its commands, the active mode or the view, runs long
// computations as jobs, and draws their results. Packages views and summary draw the panels, packages modes, results
// and note hold the modes, and package player moves over the record.
package explore

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/results"
	"bandscope/tui/layout"
	"bandscope/tui/lessonpage"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// Model is the explorer. Each embedded part is declared beside its methods.
type Model struct {
	player.Player
	study string   // the study of which the session is a cell; empty for none
	large enlarged // the part that has the whole window

	sessionState // the current step
	pictureState // the views
	lessonView   // the view that a page of a lesson asks for
	exercise     // the exercise that the session belongs to

	copyJobs   widget.Jobs             // writes the command that repeats the session
	invitation func(w int) *layout.Box // a row below the plot; nil for none
}

// New makes the explorer of a session. Sessions are kept in dir.
func New(s *sessions.Session, dir string) *Model {
	m := &Model{sessionState: sessionState{session: s, snapshot: s.Snapshot, now: time.Now}}
	m.Player = player.New(s, dir, widget.DefaultSpeed, words)
	m.sessionState.setSnapshot(m.snapshot())
	m.pictureState = newPictureState(m.state)
	m.sheet = lessonpage.New(s)
	// an exercise is solved without the true function
	m.reveal = m.state.Problem.Truth != nil && !s.Lesson().Hides("truth") && m.sheet == nil
	m.Refresh()
	m.Notify(m.greeting())
	m.Open(m.state.Path, m.state.ReadOnly)
	return m
}

// greeting says what others have recorded since the user was last here, and that points are pending; empty for neither.
func (m *Model) greeting() string {
	var parts []string
	if news, ok := m.session.NewsFor(m.session.Author()); ok {
		parts = append(parts, sanitize.Text(news.Sentence(m.now())))
	}
	if waiting := results.Sentence(m.state); waiting != "" && m.session.ManualEvaluation() {
		parts = append(parts, waiting)
	}
	return strings.Join(parts, " · ")
}

// words are the explorer's texts in the player.
var words = player.Words{Title: "the explorer", Unit: "step", OpenAnswer: "press x to choose your point", Example: "run.svg",
	Endings:    ".svg .html .cast .csv .json .txt",
	ExportHint: "extension: .svg plot, .html notebook, .cast recording, .csv .json .txt data"}

// Invite shows a row below the plot; nil shows none.
func (m *Model) Invite(row func(w int) *layout.Box) { m.invitation = row }

// Inviting reports whether a row of Invite is shown.
func (m *Model) Inviting() bool { return m.invitation != nil }

// SetStudy sets the study of which the session is a cell; esc goes back to it.
func (m *Model) SetStudy(study string) {
	m.study = study
	m.Notify("this is a cell of the study " + study + "; press esc to go back")
}

// Session is the session that is explored.
func (m *Model) Session() *sessions.Session { return m.session }

// Busy reports whether something is being computed.
func (m *Model) Busy() bool {
	w, ok := m.Modes.Active.(mode.Stopper)
	return m.workers().Busy() || ok && w.Busy()
}

// workers are the jobs of the explorer, without those of modes.
func (m *Model) workers() widget.Workers {
	return widget.Workers{{&m.Jobs, m.done}, {&m.followJobs, m.followDone}, {&m.summaryJobs, m.summaryDone},
		{&m.goalJobs, m.measureDone}, {&m.copyJobs, m.copyDone}}
}

// Stop cancels whatever is being computed.
func (m *Model) Stop() {
	m.Halt()
	m.workers().Stop()
	if w, ok := m.Modes.Active.(mode.Stopper); ok {
		w.Stop()
	}
}

// Update takes a message, and shows what other programs have recorded.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	return m.CatchUp(m.update(msg), m.followPicture)
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case player.FollowMsg:
		if m.FollowTick(msg) && m.Quiet() && !m.Jobs.Busy() && !m.summaryJobs.Busy() {
			return m.startSummary()
		}
		return nil
	case widget.DoneMsg:
		if cmd, taken := m.workers().Take(msg); taken {
			return cmd
		}
	case widget.TickMsg:
		m.watch()
		return m.Jobs.Tick(msg)
	case widget.Hit:
		return m.mouse(msg)
	}
	return player.Update(m, steppingCommands, msg)
}

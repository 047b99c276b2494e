// Package explore is the explorer, the screen that opens first: one session, stepped by hand, with what the method
// believes drawn beside what happened. It gives keys to its commands, to the mode that is active or to the view, runs
// what takes time as a job, and draws from what came of it. What is drawn comes from the packages views and summary,
// what a person decides in a mode from modes, results and note; moving over the record is package player's.
package explore

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/explore/results"
	"bandscope/tui/lesson"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// Model is the explorer. What belongs together of it stands with what is done with it.
type Model struct {
	player.Player
	study string // the study of which the session is a cell; empty where it is none

	sessionState // where the session stands
	pictureState // what is looked at
	lessonView   // what a page of a lesson wants to be seen
	exercise     // what the course has of it
}

// New makes the explorer of a session. Sessions are kept in dir.
func New(s *sessions.Session, dir string) *Model {
	m := &Model{sessionState: sessionState{session: s, snapshot: s.Snapshot, now: time.Now}}
	m.Player = player.New(m, s, dir, widget.DefaultSpeed, words)
	m.sessionState.setSnapshot(m.snapshot())
	m.pictureState = newPictureState(m.state)
	m.sheet = lesson.New(s)
	// an exercise is done as a search is
	m.reveal = m.state.Problem.Truth != nil && !s.Lesson().Hides("truth") && m.sheet == nil
	m.Refresh()
	if m.session.ManualEvaluation() {
		m.Notify(results.Sentence(m.state))
	}
	m.Open(m.state.Path, m.state.ReadOnly)
	return m
}

// words are what the explorer says in its own words.
var words = player.Words{Title: "the explorer", Unit: "step", OpenAnswer: "x chooses your point", Example: "run.svg",
	Endings:    ".svg .html .cast .csv .json .txt",
	ExportHint: "the ending chooses: .svg the plot, .html a notebook, .cast a recording, .csv .json .txt what happened"}

// playerOf is the player of the explorer.
func playerOf(m *Model) *player.Player { return &m.Player }

// SetStudy says that the session is a cell of a study, to which esc goes back.
func (m *Model) SetStudy(study string) {
	m.study = study
	m.Notify("a cell of the study " + study + ", to which esc goes back")
}

// Session is the session that is explored.
func (m *Model) Session() *sessions.Session { return m.session }

// Busy reports whether something is being computed.
func (m *Model) Busy() bool {
	return m.Jobs.Busy() || m.followJobs.Busy() || m.summaryJobs.Busy() || m.goalJobs.Busy() || m.working()
}

// Stop cancels whatever is being computed.
func (m *Model) Stop() {
	m.Halt()
	m.Jobs.Stop()
	m.followJobs.Stop()
	m.summaryJobs.Stop()
	m.goalJobs.Stop()
	m.stopMode()
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case widget.DoneMsg:
		if inner, ok := m.Jobs.Take(msg); ok {
			return m.done(inner)
		}
		if inner, ok := m.followJobs.Take(msg); ok {
			m.followDone(inner)
			return nil
		}
		if inner, ok := m.summaryJobs.Take(msg); ok {
			return m.summaryDone(inner)
		}
		if inner, ok := m.goalJobs.Take(msg); ok {
			m.measureDone(inner)
			return nil
		}
		return m.SendToModes(msg)
	case widget.TickMsg:
		m.watch()
		return m.Jobs.Tick(msg)
	case widget.RunMsg:
		return m.RunTick(msg)
	case tea.KeyPressMsg:
		return player.Key(m, &m.Player, steppingCommands, msg)
	case tea.PasteMsg:
		return m.Paste(msg)
	case widget.Hit:
		return m.mouse(msg)
	}
	return m.SendToModes(msg)
}

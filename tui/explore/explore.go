// Package explore is the screen that opens first: one problem, one optimizer, one session, stepped by hand. Here is what holds its rooms together: the
// tables of its keys, the one way for what takes time (a key starts a job, which acts on the session, takes where that stands and computes the picture of
// it, and brings all of it as one message), and where the panels lie. The pictures, the modes, the acts and the panels live in rooms of their own below
// this one and know nothing of it: they are given scenes, and give back images, lines and actions. Nothing here fits, searches or evaluates; the session
// does, off the update loop.
package explore

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/shelf"
	"bandscope/tui/explore/exercise"
	"bandscope/tui/explore/lesson"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/results"
	"bandscope/tui/screen"
)

// Model is the explorer. What belongs together of it stands with what is done with it.
type Model struct {
	screen.Base
	dir     string       // where sessions are kept
	last    *shelf.Entry // the session that can be resumed, nil if none
	above   string       // the study of which the session is a cell; empty where it is none
	leaving bool         // what shows something else was asked for, and nobody looked at that yet

	standing           // where the session stands
	work               // what is being computed
	pace               // whether it runs, and how fast
	looks              // what is looked at
	modes    mode.Host // what the keys do for a while
	record             // what is read of the record
	taught             // what the course has of it
}

// New makes the explorer of a session. Sessions are kept in dir.
func New(s *sessions.Session, dir string) *Model {
	m := &Model{dir: dir, Base: screen.NewBase(), standing: standing{session: s, snapshot: s.Snapshot, now: time.Now}, pace: pace{speed: screen.Walking}, record: record{pause: true}}
	m.standing.stand(m.snapshot())
	m.looks = looksAt(m.state)
	m.taught = taught{placed: lesson.Opened(s.Lesson(), m.state.Path, m.line), sheet: exercise.New(s)}
	m.reveal = m.state.Problem.Truth != nil && !s.Lesson().Hides("truth") && m.sheet == nil // an exercise is done as a search is
	m.see()
	if m.session.Unattended() {
		m.say(results.Sentence(m.state))
	}
	if news := m.news(); m.state.ReadOnly {
		m.Say(news+"; w saves what can be read elsewhere", true)
	} else if news != "" {
		m.say(news)
	}
	return m
}

// Offer offers a saved session to be resumed; nil offers none.
func (m *Model) Offer(last *shelf.Entry) { m.last = last }

// Above says that the session is a cell of a study, to which esc goes back.
func (m *Model) Above(study string) {
	m.above = study
	m.say("a cell of the study " + study + ", to which esc goes back")
}

// Session is the session that is explored.
func (m *Model) Session() *sessions.Session { return m.session }

func (m *Model) say(text string) { m.Say(text, false) }
func (m *Model) fail(err error)  { m.Status.Fail(err) }

// Init starts the first picture.
func (m *Model) Init() tea.Cmd { return m.look() }

// Busy reports whether something is being computed.
func (m *Model) Busy() bool {
	return m.jobs.Busy() || m.following.Busy() || m.judging.Busy() || m.measuring.Busy() || m.working()
}

// Stop cancels whatever is being computed.
func (m *Model) Stop() {
	m.Halt()
	m.jobs.Stop()
	m.following.Stop()
	m.judging.Stop()
	m.measuring.Stop()
	m.stopMode()
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.DoneMsg:
		if inner, ok := m.jobs.Take(msg); ok {
			return m.done(inner)
		}
		if inner, ok := m.following.Take(msg); ok {
			m.followed(inner)
			return nil
		}
		if inner, ok := m.judging.Take(msg); ok {
			return m.judged(inner)
		}
		if inner, ok := m.measuring.Take(msg); ok {
			m.measured(inner)
			return nil
		}
		return m.pass(msg)
	case screen.TickMsg:
		m.watch()
		return m.jobs.Tick(msg)
	case screen.RunMsg:
		if m.Due(msg) {
			return m.step()
		}
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case screen.Hit:
		return m.mouse(msg)
	default:
		return m.pass(msg)
	}
	return nil
}

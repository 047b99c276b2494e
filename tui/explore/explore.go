// Package explore is the screen that opens first: one problem, one optimizer, one session, stepped by hand. It shows the
// belief and the acquisition along one input, the parameters and the regret. The session fits and searches,
// off the update loop.
package explore

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/shelf"
	"bandscope/tui/belief"
	"bandscope/tui/explore/lesson"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/note"
	"bandscope/tui/explore/picture"
	"bandscope/tui/explore/traces"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// Model is the explorer.
type Model struct {
	style  theme.Style
	width  int
	height int

	session  *sessions.Session
	snapshot func() sessions.Snapshot // takes where the session stands
	at       sessions.Snapshot        // where it stood when that was taken last
	state    sessions.State           // there
	dir      string                   // where sessions are kept
	last     *shelf.Entry             // the session that can be resumed, nil if none

	jobs      screen.Jobs
	pictures  []picture.Picture // that the problem has, in the order in which they follow each other
	shown     int               // which of them is shown
	told      *picture.Told     // by the latest, nil while there was none
	following screen.Jobs       // computes what moves with the cursor
	view      belief.View
	traces    traces.Panel
	reveal    bool // the true function is shown
	running   bool
	speed     int
	acting    bool // the job under way changes the session, rather than looks at it
	queued    int  // steps asked for while one was under way
	runs      int  // counts runs, so that the tick of an earlier one is dropped

	doing  mode.Mode            // what the keys do for a while; nil while they step
	begun  map[string]mode.Mode // those that were started once, by their titles
	status screen.Status
	mend   bool // what was typed into the prompt is being done; if it fails, it is asked for again

	record   record
	question lesson.Question // of a lesson: where the reader would query
	beside   note.Beside     // the notes that are read beside the plot
}

// runMsg is the time to step, of a run.
type runMsg struct{ run int }

// New makes the explorer of a session. Sessions are kept in dir.
func New(s *sessions.Session, dir string) *Model {
	m := &Model{session: s, snapshot: s.Snapshot, dir: dir, reveal: true, speed: 2}
	m.stand(m.snapshot())
	m.view = belief.View{Samples: 8}
	m.status = screen.NewStatus()
	m.pictures = m.picturesOf()
	m.record.pause = true
	m.reveal = m.state.Problem.Truth != nil && !s.Lesson().Hides("truth")
	if notices := s.Notices(); len(notices) > 0 {
		m.Say(strings.Join(notices, "; "), m.state.ReadOnly)
	}
	return m
}

// Offer offers a saved session to be resumed; nil offers none.
func (m *Model) Offer(last *shelf.Entry) { m.last = last }

// Session is the session that is explored.
func (m *Model) Session() *sessions.Session { return m.session }

// Say puts a sentence into the status line.
func (m *Model) Say(text string, bad bool) { m.status.Say(text, bad) }

func (m *Model) say(text string) { m.Say(text, false) }
func (m *Model) fail(err error)  { m.Say(err.Error(), true) }

// Resize tells the explorer its window.
func (m *Model) Resize(w, h int) {
	m.width, m.height = w, h
}

// Restyle tells the explorer its colours and glyphs.
func (m *Model) Restyle(s theme.Style) { m.style = s }

// Init starts the first picture.
func (m *Model) Init() tea.Cmd { return m.look() }

// Busy reports whether something is being computed.
func (m *Model) Busy() bool { return m.jobs.Busy() || m.following.Busy() || m.working() }

// Stop cancels whatever is being computed.
func (m *Model) Stop() {
	m.running, m.queued = false, 0
	m.jobs.Stop()
	m.following.Stop()
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
		return m.pass(msg)
	case screen.TickMsg:
		return m.jobs.Tick(msg)
	case runMsg:
		if m.running && msg.run == m.runs {
			return m.step()
		}
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case tea.MouseClickMsg:
		return m.click(msg)
	case tea.MouseMotionMsg, tea.MouseReleaseMsg:
		return m.tell(msg)
	default:
		return m.pass(msg)
	}
	return nil
}

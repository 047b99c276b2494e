// Package explore is the screen that opens first: one problem, one optimizer, one session, stepped by hand. It shows the
// belief and the acquisition along one input, the parameters and the regret. The session fits and searches,
// off the update loop.
package explore

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/shelf"
	"bandscope/tui/belief"
	"bandscope/tui/explore/mode"
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

	jobs     screen.Jobs
	known    *known
	pic      *belief.Picture // along one variable
	planar   bool            // two variables are shown
	plane    planeState
	steering bool // outcomes are shown
	steer    steerState
	truth    belief.Truth
	view     belief.View
	reveal   bool // the true function is shown
	trace    traceKind
	theory   belief.TheoryKind
	running  bool
	speed    int
	acting   bool // the job under way changes the session, rather than looks at it
	queued   int  // steps asked for while one was under way
	runs     int  // counts runs, so that the tick of an earlier one is dropped

	doing  mode.Mode            // what the keys do for a while; nil while they step
	begun  map[string]mode.Mode // those that were started once, by their titles
	prompt screen.Prompt
	mend   bool   // what was typed into the prompt is being done; if it fails, it is asked for again
	sure   string // the key that asks to be pressed again, empty for none
	again  bool   // it was pressed again
	notice notice

	record record
	guess  *guess // to the question of a lesson, nil if none was given
	asked  int    // the place whose question was pointed out, from 1; 0 for none

	cache drawCache
}

// notice is the last thing that the status line has to say.
type notice struct {
	text string
	bad  bool
}

// Messages of the explorer's own.
type (
	failedMsg struct{ err error }
	runMsg    struct{ run int }
)

// New makes the explorer of a session. Sessions are kept in dir.
func New(s *sessions.Session, dir string) *Model {
	m := &Model{session: s, snapshot: s.Snapshot, dir: dir, reveal: true, speed: 2}
	m.stand(m.snapshot())
	m.view = belief.View{Samples: 8}
	m.prompt = screen.NewPrompt()
	m.truth = belief.TruthAlong(m.state, m.view.Variable, belief.Anchor(m.state))
	if d := m.state.Problem.Dim(); d > 1 {
		m.planar, m.plane = true, newPlane()
	}
	if m.several() {
		m.steering, m.planar = true, false
	}
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
func (m *Model) Say(text string, bad bool) { m.notice = notice{sessions.Sanitize(text), bad} }

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
func (m *Model) Busy() bool { return m.jobs.Busy() || m.plane.jobs.Busy() || m.working() }

// Stop cancels whatever is being computed.
func (m *Model) Stop() {
	m.running, m.queued = false, 0
	m.jobs.Stop()
	m.plane.jobs.Stop()
	m.stopMode()
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.DoneMsg:
		if inner, ok := m.jobs.Take(msg); ok {
			return m.done(inner)
		}
		if inner, ok := m.plane.jobs.Take(msg); ok {
			m.plane.jobs.Finish()
			switch s := inner.(type) {
			case slicesMsg:
				m.plane.slices = s.slices
			case failedMsg:
				m.plane.slices, m.plane.blank = [2]*belief.Picture{}, s.err
			case screen.PanicMsg:
				m.plane.slices, m.plane.blank = [2]*belief.Picture{}, errors.New(s.Reason)
			}
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

// Package watch is the screen of a lab: one training, or two that are laid over each other, watched from inside. Here is what is the same for every lab: the
// heading with the traces, the keys, the pace, the one way for what takes time (a key starts a job, which acts on the session and tells where that stands; then
// the picture is computed, and both come back as messages), the editor, notes, the record. What is drawn of a lab is its picture's, in a room below. Nothing here
// trains or judges; the session does, off the update loop.
package watch

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/lab"
	"bandscope/sessions/recorder"
	"bandscope/sessions/shelf"
	"bandscope/tui/explore/lesson"
	"bandscope/tui/explore/mode"
	"bandscope/tui/screen"
	"bandscope/tui/watch/picture"
)

// Model is the screen.
type Model struct {
	screen.Base
	session *lab.Session
	dir     string       // where sessions are kept
	last    *shelf.Entry // the session that can be resumed, nil if none
	leaving bool         // what shows something else was asked for, and nobody looked at that yet

	state lab.State
	line  recorder.Timeline

	picture picture.Picture
	known   any    // what was computed of the picture last
	knownOf string // the place that it is of
	page    string // of a lesson, whose view is shown or was
	changes int    // of what the picture shows
	drawn   drawn
	other   bool // another choice holds in the picture than known was computed with

	jobs   screen.Jobs
	turn   chan struct{} // held by the job that acts: one that was stopped still records what it did
	acting bool          // the job changes the session
	mend   bool          // what was typed into the prompt is being done; if it fails, it is asked for again
	unkept string        // why the session is not on disk, as it was said last
	heard  int           // notices of the session that were shown
	idle   func()        // ends what is prepared while a page is read, nil if nothing is
	pace
	modes mode.Host // what the keys do for a while
	which int       // the run that is edited
	record
}

// New makes the screen of a session of a lab, which is kept in dir. The session is the screen's from now on.
func New(s *lab.Session, dir string) *Model {
	m := &Model{Base: screen.NewBase(), session: s, dir: dir, turn: make(chan struct{}, 1), pace: pace{size: usual, speed: screen.SpeedOf(10)}, record: record{pause: true}}
	m.picture = pictureOf(s.State().Lab)
	m.stand(s.State())
	m.placed = lesson.Opened(s.Lesson(), m.state.Path, m.line)
	if news := m.news(); news != "" && !m.state.Saved {
		m.Say(news+"; w saves what can be read elsewhere", true)
	} else if news != "" {
		m.say(news)
	}
	return m
}

// Offer offers a saved session to be resumed; nil offers none.
func (m *Model) Offer(last *shelf.Entry) { m.last = last }

// Session is the session that is watched.
func (m *Model) Session() *lab.Session { return m.session }

// news is what is to be known of the session's file and was not shown yet.
func (m *Model) news() string {
	notices := m.session.Notices()
	text := strings.Join(notices[m.heard:], "; ")
	m.heard = len(notices)
	return text
}

func (m *Model) say(text string) { m.Say(text, false) }
func (m *Model) fail(err error)  { m.Status.Fail(err) }

// stand takes where the session stands, and shows what a page is about that was turned.
func (m *Model) stand(st lab.State) {
	m.state, m.line = st, m.session.Timeline()
	m.changes++
	m.placed.Stand(m.line)
	page := st.LastNote()
	if m.session.Lesson() == nil || page.ID == m.page {
		return
	}
	m.page = page.ID
	if p, ok := m.picture.(picture.Viewed); ok && page.View != "" {
		p.View(page.View)
	}
}

// Init starts the first picture.
func (m *Model) Init() tea.Cmd { return m.look() }

// Stop cancels whatever is being computed.
func (m *Model) Stop() {
	m.Halt()
	m.jobs.Stop()
	m.disturb()
}

// Leaving reports, once, whether a key has asked for what shows something else since it was asked before.
func (m *Model) Leaving() bool {
	leaving := m.leaving
	m.leaving = false
	return leaving
}

// leave stops what is computed, and asks for what shows something else.
func (m *Model) leave(want screen.Action) tea.Cmd {
	m.Stop()
	m.leaving = true
	return screen.Want(want)
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.DoneMsg:
		if inner, ok := m.jobs.Take(msg); ok {
			return m.done(inner)
		}
		return m.pass(msg)
	case screen.TickMsg:
		return m.jobs.Tick(msg)
	case screen.RunMsg:
		if m.Due(msg) {
			m.queueRest()
			return m.step()
		}
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case screen.Hit:
		if _, ok := msg.MouseMsg.(tea.MouseClickMsg); ok {
			return m.click(msg)
		}
		return m.pass(msg)
	default:
		return m.pass(msg)
	}
	return nil
}

// act is something that is done to the session, off the update loop.
type act struct {
	doing string // as the status line says it
	keeps bool   // it may put something on record, which is to be on disk
	do    func(ctx context.Context, s *lab.Session, progress sessions.Progress) (said string, err error)
	typed bool // it was typed into the prompt: if it fails, the text stays to be mended
}

// looker computes a picture by the rest of a job.
type looker func(looking picture.Looking, before any) lookedMsg

// Messages of the jobs.
type (
	actedMsg struct {
		state  lab.State
		said   string
		err    error // nothing was done, or not all
		unkept error // what was done is not on disk
		look   looker
	}
	lookedMsg struct {
		of    string // the place
		known any
		err   error
		look  looker // once more
	}
)

// lookerOf looks at a session while a context lasts.
func lookerOf(ctx context.Context, s *lab.Session, progress sessions.Progress) (look looker) {
	return func(looking picture.Looking, before any) lookedMsg {
		at, err := s.Look(ctx, progress)
		if err != nil {
			return lookedMsg{err: err}
		}
		known, err := looking(ctx, at, before, progress)
		return lookedMsg{at.Head, known, err, lookerOf(ctx, s, progress)}
	}
}

// alter does something to the session, and computes the picture of what came of it.
func (m *Model) alter(a act) tea.Cmd {
	m.disturb()
	m.acting, m.mend = true, a.typed
	s, dir, turn := m.session, m.dir, m.turn
	return m.jobs.Start(a.doing, func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		look := lookerOf(ctx, s, progress)
		select {
		case turn <- struct{}{}:
			defer func() { <-turn }()
		case <-ctx.Done():
			return actedMsg{state: s.State(), err: ctx.Err(), look: look}
		}
		did := actedMsg{look: look}
		if did.said, did.err = a.do(ctx, s, progress); a.keeps {
			did.unkept = shelf.KeepLab(s, dir)
		}
		did.state = s.State()
		return did
	})
}

// look computes the picture of where the session stands, once what was stopped has recorded what it did.
func (m *Model) look() tea.Cmd {
	cmd := m.alter(act{doing: "looking", do: func(context.Context, *lab.Session, sessions.Progress) (string, error) { return "", nil }})
	m.acting = false
	return cmd
}

// follow computes the picture as the rest of the job under way.
func (m *Model) follow(look looker) tea.Cmd {
	looking, before := m.picture.Look(m.place()), m.known
	m.other = false
	return m.jobs.Continue(func() tea.Msg { return look(looking, before) })
}

// done takes the result of a job.
func (m *Model) done(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case actedMsg:
		return m.acted(msg)
	case lookedMsg:
		return m.looked(msg)
	case screen.PanicMsg:
		m.acting = false
		m.halt(errors.New("internal error: " + msg.Reason + "; the session is safe"))
	}
	return nil
}

// acted takes where the session stands now, tells the mode that has the keys, and has the picture computed.
func (m *Model) acted(msg actedMsg) tea.Cmd {
	m.acting = false
	m.stand(msg.state)
	mend := m.mend && m.modes.Doing == nil && !m.Status.Open()
	m.mend = false
	var cmd tea.Cmd
	switch {
	case msg.err == nil || errors.Is(msg.err, context.Canceled):
		cmd = m.tell(mode.Changed{})
	case mend:
		m.Halt()
		return tea.Batch(m.Status.Again(msg.err.Error()), m.follow(msg.look))
	default:
		m.Halt()
		m.fail(msg.err)
		cmd = m.tell(mode.Changed{Err: msg.err})
	}
	if msg.said != "" {
		m.say(msg.said)
	}
	m.sayUnkept(msg.unkept)
	if news := m.news(); news != "" {
		m.Halt()
		m.Say(news, true)
	}
	if m.Running && m.over() != "" {
		m.Running = false
		m.say(m.over())
	}
	return tea.Batch(cmd, m.follow(msg.look))
}

// sayUnkept says, once, why the session is not on disk.
func (m *Model) sayUnkept(err error) {
	if err == nil {
		m.unkept = ""
		return
	}
	if m.unkept != err.Error() {
		m.unkept = err.Error()
		m.Halt()
		m.fail(err)
	}
}

// looked takes what was computed of the picture, and goes on with what waited for it.
func (m *Model) looked(msg lookedMsg) tea.Cmd {
	if msg.err != nil {
		m.halt(msg.err)
		return nil
	}
	m.known, m.knownOf = msg.known, msg.of
	m.changes++
	if m.Running && m.pause && m.state.Ahead > 0 && m.standing().Note != "" {
		m.Running = false
		m.say("paused at a note; r goes on, ' plays past notes")
	}
	switch {
	case m.Next(), m.Running && m.speed == screen.Fastest:
		return m.step()
	case m.other:
		return m.follow(msg.look)
	}
	m.jobs.Finish()
	return tea.Batch(m.After(m.speed.Pause()), m.prepare())
}

// prepare trains what the next page of a lesson shows, while this one is read.
func (m *Model) prepare() tea.Cmd {
	if m.session.Lesson() == nil || m.state.Ahead == 0 || m.Running {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	m.disturb()
	s := m.session
	m.idle = cancel
	return func() tea.Msg {
		s.Prepare(ctx) // where it fails, looking there fails, and says why
		return nil
	}
}

// disturb ends what is prepared.
func (m *Model) disturb() {
	if m.idle != nil {
		m.idle()
		m.idle = nil
	}
}

// halt ends a job that failed, and what waited for it.
func (m *Model) halt(err error) {
	m.jobs.Finish()
	m.Halt()
	if !errors.Is(err, context.Canceled) {
		m.fail(err)
	}
}

// Package training is the screen of a lab: one training, or two that are laid over each other, watched from inside.
// Here is what is the same for every lab: the heading with the traces, the keys, the pace, the one way for what takes
// time (a key starts a job, which acts on the session and tells where that stands; then the picture is computed, and
// both come back as messages), the editor, notes, the record. What is drawn of a lab is a package below's.
// Nothing here trains or judges; the session does, off the update loop.
package training

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/sessions/training"
	"bandscope/tui/lesson"
	"bandscope/tui/player"
	"bandscope/tui/training/panel"
	"bandscope/tui/widget"
)

// Model is the screen.
type Model struct {
	player.Player
	session *training.Session

	state training.State

	picture      panel.Picture
	computed     any    // what was computed of the picture last
	computedHead string // the place that it is of
	page         string // of a lesson, whose view is shown or was
	changes      int    // of what the picture shows
	drawn        drawCache
	stale        bool // another choice holds in the picture than known was computed with

	actLock       chan struct{} // held by the job that acts: one that was stopped still records what it did
	cancelPrepare func()        // ends what is prepared while a page is read, nil if nothing is
	size          int           // of a step, among the sizes
	editedRun     int           // the run that is edited
}

// words are what the screen says in its own words.
var words = player.Words{Title: "a lab", Unit: "update", OpenAnswer: "what do you expect to see on the next page?",
	Example:    "trace.csv",
	Endings:    ".csv .json",
	ExportHint: "the ending chooses: .csv the trace, a row an update, .json with its parameters"}

// playerOf is the player of the screen.
func playerOf(m *Model) *player.Player { return &m.Player }

// New makes the screen of a session of a lab, which is kept in dir. The session is the screen's from now on.
func New(s *training.Session, dir string) *Model {
	m := &Model{session: s, actLock: make(chan struct{}, 1), size: defaultSize}
	m.Player = player.New(m, s, dir, widget.NewSpeed(10), words)
	m.picture = pictureFor(s.State().Spec)
	m.Refresh()
	m.Open(m.state.Path, !m.state.Saved)
	return m
}

// Session is the session that is watched.
func (m *Model) Session() *training.Session { return m.session }

// Refresh takes where the session stands.
func (m *Model) Refresh() { m.showState(m.session.State()) }

// showState takes where the session stands, and shows what a page is about that was turned.
func (m *Model) showState(st training.State) {
	m.state = st
	m.changes++
	m.Player.SetPage(lesson.Page{Note: st.LastNote(), Line: m.session.Timeline()}, st.Saved)
	page := st.LastNote()
	if m.session.Lesson() == nil || page.ID == m.page {
		return
	}
	m.page = page.ID
	if p, ok := m.picture.(panel.ViewSelector); ok && page.View != "" {
		p.View(page.View)
	}
}

// Stop cancels whatever is being computed.
func (m *Model) Stop() {
	m.Halt()
	m.Jobs.Stop()
	m.stopPreparing()
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case widget.DoneMsg:
		if inner, ok := m.Jobs.Take(msg); ok {
			return m.done(inner)
		}
		return m.SendToModes(msg)
	case widget.TickMsg:
		return m.Jobs.Tick(msg)
	case widget.RunMsg:
		return m.RunTick(msg)
	case tea.KeyPressMsg:
		return player.Key(m, &m.Player, m.commands, msg)
	case tea.PasteMsg:
		return m.Paste(msg)
	case widget.Hit:
		if _, ok := msg.MouseMsg.(tea.MouseClickMsg); ok {
			if m.Modes.Active == nil {
				cmd, _ := m.Click(msg, barName, m.bar())
				return cmd
			}
			return nil
		}
		return m.SendToModes(msg)
	}
	return m.SendToModes(msg)
}

// computePicture computes a picture by the rest of a job.
type computePicture func(looking panel.ComputeFunc, before any) pictureMsg

// Messages of the jobs.
type (
	actedMsg struct {
		state   training.State
		said    string
		err     error // nothing was done, or not all
		saveErr error // what was done is not on disk
		next    computePicture
	}
	pictureMsg struct {
		head     string // the place
		computed any
		err      error
		next     computePicture // once more
	}
)

// pictureComputer looks at a session while a context lasts.
func pictureComputer(ctx context.Context, s *training.Session, progress sessions.Progress) (look computePicture) {
	return func(looking panel.ComputeFunc, before any) pictureMsg {
		at, err := s.StateWithModels(ctx, progress)
		if err != nil {
			return pictureMsg{err: err}
		}
		known, err := looking(ctx, at, before, progress)
		return pictureMsg{at.Head, known, err, pictureComputer(ctx, s, progress)}
	}
}

// Apply does something to the session, and computes the picture of what came of it.
func (m *Model) Apply(a player.Act) tea.Cmd {
	m.stopPreparing()
	m.Begin(a)
	s, dir, turn := m.session, m.Dir, m.actLock
	return m.Jobs.Start(a.Doing, func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		look := pictureComputer(ctx, s, progress)
		select {
		case turn <- struct{}{}:
			defer func() { <-turn }()
		case <-ctx.Done():
			return actedMsg{state: s.State(), err: ctx.Err(), next: look}
		}
		did := actedMsg{next: look}
		if did.said, did.err = a.Do(ctx, progress); a.Records {
			did.saveErr = library.SaveTraining(s, dir)
		}
		did.state = s.State()
		return did
	})
}

// UpdatePicture computes the picture of where the session stands, once what was stopped has recorded what it did.
func (m *Model) UpdatePicture() tea.Cmd {
	m.Refresh()
	cmd := m.Apply(player.Act{Doing: "looking", Do: func(context.Context, sessions.Progress) (string, error) {
		return "", nil
	}})
	m.Acting = false
	return cmd
}

// follow computes the picture as the rest of the job under way.
func (m *Model) follow(look computePicture) tea.Cmd {
	looking, before := m.picture.Compute(m.place()), m.computed
	m.stale = false
	return m.Jobs.Continue(func() tea.Msg { return look(looking, before) })
}

// done takes the result of a job.
func (m *Model) done(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case actedMsg:
		return m.actDone(msg)
	case pictureMsg:
		return m.pictureDone(msg)
	case widget.PanicMsg:
		m.Panicked(msg)
	}
	return nil
}

// actDone takes where the session stands now, and has the picture computed.
func (m *Model) actDone(msg actedMsg) tea.Cmd {
	m.showState(msg.state)
	cmd := m.ActDone(msg.said, msg.err, msg.saveErr)
	if over := m.noNext(); m.Running && over != "" {
		m.Running = false
		m.Notify(over)
	}
	return tea.Batch(cmd, m.follow(msg.next))
}

// pictureDone takes what was computed of the picture, and goes on with what waited for it.
func (m *Model) pictureDone(msg pictureMsg) tea.Cmd {
	if msg.err != nil {
		m.Abandon(msg.err)
		return nil
	}
	m.computed, m.computedHead = msg.computed, msg.head
	m.changes++
	if step, taken := m.Next(true); taken {
		return step
	}
	if m.stale {
		return m.follow(msg.next)
	}
	m.Jobs.Finish()
	return tea.Batch(m.Wait(), m.prepare())
}

// prepare trains what the next page of a lesson shows, while this one is read.
func (m *Model) prepare() tea.Cmd {
	if m.session.Lesson() == nil || m.state.Ahead == 0 || m.Running {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	m.stopPreparing()
	s := m.session
	m.cancelPrepare = cancel
	return func() tea.Msg {
		s.PrefetchNext(ctx) // where it fails, looking there fails, and says why
		return nil
	}
}

// stopPreparing ends what is prepared.
func (m *Model) stopPreparing() {
	if m.cancelPrepare != nil {
		m.cancelPrepare()
		m.cancelPrepare = nil
	}
}

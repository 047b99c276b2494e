// Package labs is the screen of a lab: it shows the inside of one training, or of two runs in one picture. It
// contains what all labs share: the heading with the traces, the keys, the speed, the editor, notes and the record. A
// key starts a job, which acts on the session and reports its progress; then the picture is computed, and both results
// arrive as messages. Packages below draw the picture of each lab. The session trains and evaluates, off the update
// loop; this package does not.
package labs

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/sessions/training"
	"bandscope/tui/labs/panel"
	"bandscope/tui/lessonpage"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// Model is the screen.
type Model struct {
	player.Player
	session *training.Session

	state training.State

	picture      panel.Picture
	computed     any    // the last result of picture.Compute
	computedHead string // the event at which computed was computed
	page         string // the id of the page of the lesson whose view was shown last
	changes      int    // counts changes of the picture
	drawn        drawCache
	stale        bool // the choices in the picture have changed since computed was computed

	actLock       chan struct{} // held by the job that acts; a stopped job still records what it has done
	cancelPrepare func()        // stops preparing the next page; nil if none is being prepared
	size          int           // index of the size of a step in sizes
	editedRun     int           // index of the edited run
}

// words are the texts of the player that depend on the screen.
var words = player.Words{Title: "a lab", Unit: "update", OpenAnswer: "what do you expect to see on the next page?",
	Example:    "trace.csv",
	Endings:    ".csv .json",
	ExportHint: "the ending chooses the format: .csv, or .json with the parameters"}

// New makes the screen of a session of a lab, which is saved in dir. The screen owns the session from now on.
func New(s *training.Session, dir string) *Model {
	m := &Model{session: s, actLock: make(chan struct{}, 1), size: defaultSize}
	m.Player = player.New(s, dir, widget.NewSpeed(10), words)
	m.picture = pictures[s.State().Spec.Name]()
	m.Refresh()
	m.Open(m.state.Path, !m.state.Saved)
	return m
}

// Session is the session on the screen.
func (m *Model) Session() *training.Session { return m.session }

// Refresh shows the current state of the session.
func (m *Model) Refresh() { m.showState(m.session.State()) }

// showState shows a state of the session; on a new page of a lesson it shows the view that the page names.
func (m *Model) showState(st training.State) {
	m.state = st
	m.changes++
	m.Player.SetPage(lessonpage.Page{Note: st.LastNote(), Line: m.session.Timeline()}, st.Saved)
	page := st.LastNote()
	if m.session.Lesson() == nil || page.ID == m.page {
		return
	}
	m.page = page.ID
	if p, ok := m.picture.(panel.ViewSelector); ok && page.View != "" {
		p.View(page.View)
	}
}

// Stop cancels the running computation.
func (m *Model) Stop() {
	m.Halt()
	m.Jobs.Stop()
	m.stopPreparing()
}

// Update takes a message, and shows what other programs have recorded.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	return m.CatchUp(m.update(msg), m.UpdatePicture)
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case widget.DoneMsg:
		if inner, ok := m.Jobs.Take(msg); ok {
			return m.done(inner)
		}
	case widget.TickMsg:
		return m.Jobs.Tick(msg)
	case widget.Hit:
		if _, ok := msg.MouseMsg.(tea.MouseClickMsg); ok {
			if m.Modes.Active == nil {
				next, _ := m.Click(msg, barName, m.bar())
				return player.Do(m, next)
			}
			return nil
		}
	}
	return player.Update(m, m.commands, msg)
}

// computePicture computes a picture as the second part of a job.
type computePicture func(looking panel.ComputeFunc, before any) pictureMsg

// Messages of the jobs.
type (
	actedMsg struct {
		state   training.State
		said    string
		err     error // nothing or not everything was done
		saveErr error // the result is not on disk
		next    computePicture
	}
	pictureMsg struct {
		head     string // the event
		computed any
		err      error
		next     computePicture // computes it again
	}
)

// pictureComputer returns a function that computes a picture of a session until its context ends.
func pictureComputer(ctx context.Context, s *training.Session, progress sessions.Progress) (look computePicture) {
	return func(looking panel.ComputeFunc, before any) pictureMsg {
		state, err := s.StateWithModels(ctx, progress)
		if err != nil {
			return pictureMsg{err: err}
		}
		known, err := looking(ctx, state, before, progress)
		return pictureMsg{state.Head, known, err, pictureComputer(ctx, s, progress)}
	}
}

// Apply does an act on the session, then computes the picture of the result.
func (m *Model) Apply(a player.Act) tea.Cmd {
	if cmd, asks := player.Guard(m, a); asks {
		return cmd
	}
	m.stopPreparing()
	m.Begin(a)
	s := m.session
	dir := m.Dir
	turn := m.actLock
	author := m.session.Author()
	return m.Jobs.Start(a.Doing, func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		look := pictureComputer(ctx, s, progress)
		select {
		case turn <- struct{}{}:
			defer func() { <-turn }()
		case <-ctx.Done():
			return actedMsg{state: s.State(), err: ctx.Err(), next: look}
		}
		did := actedMsg{next: look}
		s.RecordAs(author, func() { did.said, did.err = a.Do(ctx, progress) })
		if a.Records {
			did.saveErr = library.SaveTraining(s, dir)
		}
		did.state = s.State()
		return did
	})
}

// UpdatePicture computes the picture of the current state, after a stopped job has recorded its result.
func (m *Model) UpdatePicture() tea.Cmd {
	m.Refresh()
	cmd := m.Apply(player.Act{Doing: "computing the picture",
		Do: func(context.Context, sessions.Progress) (string, error) { return "", nil }})
	m.Acting = false
	return cmd
}

// follow computes the picture as the second part of the running job.
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

// actDone shows the new state of the session and starts computing the picture.
func (m *Model) actDone(msg actedMsg) tea.Cmd {
	m.showState(msg.state)
	cmd := player.ActDone(m, msg.said, msg.err, msg.saveErr)
	if over := m.noNext(); m.Running && over != "" {
		m.Running = false
		m.Notify(over)
	}
	return tea.Batch(cmd, m.follow(msg.next))
}

// pictureDone takes the computed picture, and continues with the queued steps.
func (m *Model) pictureDone(msg pictureMsg) tea.Cmd {
	if msg.err != nil {
		m.Abandon(msg.err)
		return nil
	}
	m.computed, m.computedHead = msg.computed, msg.head
	m.changes++
	if step, taken := m.Next(true); taken {
		return player.Do(m, step)
	}
	if m.stale {
		return m.follow(msg.next)
	}
	m.Jobs.Finish()
	return tea.Batch(m.Wait(), m.prepare())
}

// prepare trains up to the next page of a lesson while the reader reads this one.
func (m *Model) prepare() tea.Cmd {
	if m.session.Lesson() == nil || m.state.Ahead == 0 || m.Running {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	m.stopPreparing()
	s := m.session
	m.cancelPrepare = cancel
	return func() tea.Msg {
		s.PrefetchNext(ctx) // an error comes again when the next page is shown
		return nil
	}
}

// stopPreparing stops preparing the next page.
func (m *Model) stopPreparing() {
	if m.cancelPrepare != nil {
		m.cancelPrepare()
		m.cancelPrepare = nil
	}
}

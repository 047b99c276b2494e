// Package playground is the screen on which a person moves results to see what a belief makes of them: a plot of one
// variable with the mean, the band and samples of one belief or two, handles on their hyperparameters, and the
// covariances of one input. It turns keys and the mouse into acts on a session and into previews, which are not
// recorded. Fits are jobs off the update loop; the session, the methods and the numbers are not here.
package playground

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/explore/view"
	"bandscope/tui/lessonpage"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// Model is the screen.
type Model struct {
	player.Player
	session *sessions.Session
	state   sessions.State

	items    []*item
	beliefs  []*belief // one, or two over each other
	active   int       // the belief that keys and handles change
	chosen   selection
	cursor   [2]float64 // where keys put a result, in the problem's units
	pointing bool       // the cursor is shown
	draft    draft      // the change that is previewed and not recorded yet
	drag     *drag      // what the mouse moves; nil for nothing
	chain    chain
	samples  samples
	row      row
	cache    view.Cache
}

// words are the texts of the player that depend on the screen.
var words = player.Words{Title: "the playground", Unit: "result", OpenAnswer: "what do you expect to see on the next page?",
	Example: "belief.svg", Endings: ".svg .html .cast .csv .json .txt",
	ExportHint: "extension: .svg plot, .html notebook, .cast recording, .csv .json .txt data"}

// New makes the screen of a playground, which is kept in dir. The session is the screen's from now on.
func New(s *sessions.Session, dir string) *Model {
	m := &Model{session: s, samples: samples{count: defaultSamples}}
	m.Player = player.New(s, dir, widget.DefaultSpeed, words)
	v := s.State().Problem.Domain[0]
	m.cursor = [2]float64{v.FromUnit(0.5), m.middle()}
	m.Refresh()
	m.Open(m.state.Path, m.state.ReadOnly)
	return m
}

// Session is the session on the screen.
func (m *Model) Session() *sessions.Session { return m.session }

// Path is the file of the session; empty if it has none.
func (m *Model) Path() string { return m.session.Path() }

// SetAuthor sets who records on the screen.
func (m *Model) SetAuthor(a sessions.Author) { m.session.SetAuthor(a) }

// middle is the value in the middle of the objective's range.
func (m *Model) middle() float64 {
	r := m.session.State().Problem.Objectives[0].Range
	return (r[0] + r[1]) / 2
}

// CloseSession waits for the acts that are being recorded, and closes the session.
func (m *Model) CloseSession() error {
	m.chain.wait()
	return m.session.Close()
}

// Busy reports whether something is being computed or recorded.
func (m *Model) Busy() bool { return m.workers().Busy() || m.chain.outstanding > 0 }

// workers are the jobs of the screen.
func (m *Model) workers() widget.Workers {
	return widget.Workers{{&m.Jobs, m.pictureDone}, {&m.row.jobs, m.rowDone}}
}

// Refresh shows the current state of the session.
func (m *Model) Refresh() {
	m.state = m.session.State()
	m.SetPage(lessonpage.Page{Note: m.state.LastNote(), Line: m.session.Timeline()}, m.state.Saved)
	if m.chain.outstanding == 0 && !m.draft.open() {
		m.takeItems()
	}
	m.takeBeliefs()
}

// Stop cancels the computations and the preview.
func (m *Model) Stop() {
	m.Halt()
	m.cancel()
	m.samples.moving = false
	m.workers().Stop()
}

// Resize sets the size of the window. It ends a drag, whose place in the window is not known any more.
func (m *Model) Resize(w, h int) {
	if m.drag != nil && (w != m.Width || h != m.Height) {
		m.cancel()
		m.Notify("the drag ended with the size of the window")
	}
	m.Base.Resize(w, h)
}

// Update takes a message, and shows what other programs have recorded.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	cmd := m.update(msg)
	if m.chain.outstanding > 0 || m.draft.open() {
		return cmd
	}
	return m.CatchUp(cmd, m.UpdatePicture)
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case widget.DoneMsg:
		if cmd, taken := m.workers().Take(msg); taken {
			return cmd
		}
	case widget.TickMsg:
		return tea.Batch(m.Jobs.Tick(msg), m.row.jobs.Tick(msg))
	case recordedMsg:
		return m.recorded(msg)
	case frameMsg:
		return m.nextFrame(msg)
	case settleMsg:
		if msg.of == m && msg.draft == m.draft.number && m.drag == nil {
			return m.commit()
		}
		return nil
	case tea.KeyPressMsg:
		return m.key(msg)
	case widget.Hit:
		return m.mouse(msg)
	}
	return player.Update(m, commands, msg)
}

// key takes a key press. A preview is recorded before any key that does not change it.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	var settled tea.Cmd
	m.row.hovered = nil
	if !adjusts(msg) && msg.String() != "esc" {
		settled = m.commit()
	}
	return tea.Batch(settled, player.Update(m, commands, msg))
}

// escape cancels a preview, gives up the selection, stops a computation, or leaves.
func (m *Model) escape(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case m.draft.open():
		m.cancel()
		m.Notify("not moved")
		return m.compute()
	case m.chosen.kind != nothing:
		m.chosen = selection{}
		return nil
	case m.Jobs.Late() || m.Running:
		m.Stop()
		m.Notify("stopped")
		return nil
	}
	if !m.Status.Confirmed(msg) {
		m.Notify("press esc again to leave the playground, " + m.SavedClause())
		return nil
	}
	return player.Leave(m, widget.Close{})
}

// panicked shows the error of a computation that panicked.
func (m *Model) panicked(msg widget.PanicMsg) {
	m.Jobs.Finish()
	m.Status.Fail(msg)
}

// Package compare is the screen that compares the posteriors of several methods on the same data, side by side or
// overlaid, and on which methods race from the same start. A pane is one method; all panes show the same quantity.
// Sessions and their alternatives fit and search, off the update loop; tui/picture computes and draws the posteriors.
package compare

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/tui/explore/view"
	"bandscope/tui/picture"
	"bandscope/tui/widget"
)

// arrangement is the layout of the panes.
type arrangement int

const (
	sideBySide arrangement = iota
	overlaid
	bandWidths
	racing
	arrangements
)

var arrangementNames = [arrangements]string{"side by side", "overlaid", "widths of two bands", "race: own data"}

// Model is the screen.
type Model struct {
	widget.Base

	comparison *library.Comparison
	base       *sessions.Session
	owned      bool   // the session was made for the comparison, and is closed with it
	dir        string // where the session is kept, if it is the explorer's

	panes       []*pane
	selected    int
	arrangement arrangement
	tuned       string // the parameter that the arrow keys change
	shown       viewState
	work        work
	decision    decisionState

	cache view.Cache // of parts of the frame
}

// viewState is the view of every posterior.
type viewState struct {
	view        picture.View // along one variable
	window      picture.View // over two
	zoom        picture.Zoom // of the vertical axes along a variable
	axis        picture.AxisMemory
	fits        int                // how often the axes were fitted
	unfitted    *picture.Posterior // of the view, with the truth
	reveal      bool               // the truth is drawn
	acquisition bool               // acquisitions are shown
	planar      bool               // two variables are shown
	quantity    picture.FieldKind  // of two variables, the field that is shown of each method
	first       int                // of several objectives, the one along x; the next one is along y
}

// work is the running computation, and what follows it.
type work struct {
	jobs widget.Jobs
	widget.Pace
	acting  bool        // the job under way steps
	results chan result // of the look under way
	waiting int         // how many of its panes are missing
}

// stop cancels the computation and what follows it.
func (w *work) stop() {
	w.Halt()
	w.acting = false
	w.jobs.Stop()
}

// New makes the screen of a built-in comparison, with its own session.
func New(c *library.Comparison) (*Model, error) {
	s, err := c.Start()
	if err != nil {
		return nil, err
	}
	m, err := build(c, s)
	if err != nil {
		return nil, err
	}
	m.owned = true
	return m, nil
}

// NewWithSession makes the screen of a session's data; steps go into the session, which is kept in dir.
func NewWithSession(s *sessions.Session, dir string) (*Model, error) {
	m, err := build(library.CompareWith(s), s)
	if err != nil {
		return nil, err
	}
	m.dir = dir
	return m, nil
}

func build(c *library.Comparison, s *sessions.Session) (*Model, error) {
	m := &Model{comparison: c, base: s, tuned: c.Knob, Base: widget.NewBase()}
	m.shown = viewState{reveal: s.State().Problem.Truth != nil, acquisition: c.Acquisition,
		view: picture.View{Samples: c.Samples}}
	switch {
	case c.Overlay:
		m.arrangement = overlaid
	case c.Widths:
		m.arrangement = bandWidths
		m.selected = 1
	}
	for _, p := range c.Panes {
		if err := m.add(p); err != nil {
			return nil, err
		}
	}
	if all := m.knobs(); m.arrangement == bandWidths && len(all) > 0 {
		last := all[len(all)-1]
		m.selected, m.tuned = last.pane, m.panes[last.pane].Knobs[0]
	}
	st := s.State()
	m.shown.unfitted = picture.Unfitted(st, picture.View{}, nil)
	if m.several() {
		m.shown.acquisition = false
		m.shown.window = picture.WholePlane(0, 0)
		return m, nil
	}
	m.shown.planar = st.Problem.Dim() > 1
	m.shown.quantity = picture.MeanField
	m.shown.window = picture.FirstPlane(st.Problem)
	return m, nil
}

// Stop cancels the computations.
func (m *Model) Stop() {
	m.work.stop()
	m.decision.jobs.Stop()
	m.decision.pendingKey = ""
}

// Close closes the session that was made for the screen, which waits for a step under way.
func (m *Model) Close() error {
	for _, p := range m.panes {
		p.leave()
	}
	if m.owned {
		return m.base.Close()
	}
	return nil
}

// Init starts the first pictures.
func (m *Model) Init() tea.Cmd { return m.updatePictures() }

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	cmd := m.update(msg)
	return tea.Batch(cmd, m.decide())
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case widget.DoneMsg:
		if inner, ok := m.work.jobs.Take(msg); ok {
			return m.done(inner)
		}
		if inner, ok := m.decision.jobs.Take(msg); ok {
			m.decided(inner)
		}
	case widget.TickMsg:
		return tea.Batch(m.work.jobs.Tick(msg), m.decision.jobs.Tick(msg))
	case widget.RunMsg:
		if m.work.IsCurrent(msg) && !m.work.jobs.Busy() {
			return m.step()
		}
	case tea.KeyPressMsg:
		cmd, _ := widget.Take(m, &m.Status, commands(), msg)
		return cmd
	case tea.PasteMsg:
		if m.Status.Open() {
			return m.Status.Type(msg)
		}
	}
	return nil
}

// done takes the result of a job.
func (m *Model) done(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case result:
		return m.take(msg)
	case steppedMsg:
		m.work.jobs.Finish()
		m.work.acting = false
		if msg.err != nil && !errors.Is(msg.err, context.Canceled) {
			m.work.Halt()
			m.Status.Fail(msg.err)
		} else if msg.said != "" {
			m.Notify(msg.said)
		}
		return m.updatePictures()
	case widget.PanicMsg:
		m.work.jobs.Finish()
		m.work.Halt()
		m.work.acting = false
		m.Status.Fail(msg)
	}
	return nil
}

// Package studypage is the screen of a study: its table of cells, the workers, their rate and the time left, and beside
// them the statistics, as curves with bands over seeds, ranks, shares of targets reached, profiles and tests. It asks a
// source, such as a database, for changes, off the update loop. Workers inside of the program are started and stopped
// here, and outlast the screen. Package stats computes the statistics, package worker runs the cells, and the window
// opens a cell as a session. Each panel is one file: what it draws, and what describes it. The bar of progress is drawn
// by hand because it has four parts, where that of Bubbles has one; tables are rows of boxes because each row is
// described, which a row of a table of Lip Gloss or Bubbles cannot be.
package studypage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/study/store"
	"bandscope/tui/layout"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// Model is the screen.
type Model struct {
	widget.Base

	opening *Opening
	board   *board // nil until the study was read
	failed  string // why it could not be read; empty if it could
	workers []store.Worker
	pace    pace
	now     func() time.Time
	self    struct { // this program among the workers
		host string
		pid  int
	}

	cursor  cursor
	shown   viewState
	work    work
	picture struct { // the statistics as they were drawn last
		figureKey
		box *layout.Box
	}
}

// cursor is a place in the table: a problem, a method and a seed. The first row is all problems together.
type cursor struct {
	problem int // −1 is all
	method  int
	seed    int // of the cell, from 0
	top     int // the first row of the table that is drawn
}

// viewState is the view beside the table.
type viewState struct {
	view  view
	words string // of the last search in the table
	// means with their intervals in place of medians with quartiles; data profiles in place of performance profiles
	other    bool
	figure   *figure
	request  figureRequest // of the figure that is being computed
	revision int64         // of the table, counted here
}

// work is the jobs off the update loop.
type work struct {
	reading  widget.Jobs // changes
	figures  widget.Jobs // statistics
	doing    widget.Jobs // the command of a key
	polls    int         // so that the time of an earlier loop is dropped
	revision int64       // the revision that is known
	stale    bool        // the declaration must be read again
	pool     *workerPool // nil where this program runs none
	ready    int         // how many a key starts
}

// Messages of this screen.
type (
	readMsg struct {
		board   *board // of the first reading
		rows    rowChanges
		workers []store.Worker
		err     error
	}
	pollMsg  struct{ poll int }
	poolMsg  struct{ pool *workerPool }
	begunMsg struct {
		opening *Opening
		err     error
	}
	saidMsg struct {
		text string
		err  error
	}
)

// New makes the screen of a study for a person.
func New(o *Opening, r rights.Rights) *Model {
	m := &Model{Base: widget.NewBase(), opening: o, now: time.Now}
	m.Rights = r
	m.self.host, _ = os.Hostname()
	m.self.pid = os.Getpid()
	m.work.ready = o.Ready
	if m.work.ready < 1 {
		m.work.ready = runtime.GOMAXPROCS(0)
	}
	m.work.ready = min(cmp.Or(o.Workers, m.work.ready), max(r.Workers, 1))
	if o.Work != nil && o.Workers > 0 && r.Workers > 0 {
		m.work.pool = startPool(r, o.Work, m.work.ready)
	}
	return m
}

// Name is the study's.
func (m *Model) Name() string { return m.opening.Name }

// Init reads the study, and goes on doing so as long as the screen is shown.
func (m *Model) Init() tea.Cmd {
	m.work.polls++
	return tea.Batch(m.read(), m.await())
}

// await brings the end of the workers of this program.
func (m *Model) await() tea.Cmd {
	c := m.work.pool
	if c == nil {
		return nil
	}
	return func() tea.Msg {
		<-c.ended
		return poolMsg{c}
	}
}

// Stop cancels the reads and computations of the screen. Workers go on: End ends them.
func (m *Model) Stop() {
	m.work.polls++
	m.work.reading.Stop()
	m.work.figures.Stop()
	m.work.doing.Stop()
}

// shutdownTimeout bounds how long the end of the program waits for workers to save their progress. Anything they do not
// save is computed again.
const shutdownTimeout = 20 * time.Second

// Working reports whether workers are running inside of this program.
func (m *Model) Working() bool { return m.work.pool != nil && !m.work.pool.hasEnded() }

// Stays says that the study stays open, and keeps running, while other screens are shown.
func (m *Model) Stays() string {
	if !m.Working() {
		return fmt.Sprintf("the study %s stays open; to return, press o and choose Studies", m.Name())
	}
	return fmt.Sprintf("the study %s keeps running (%s); to return, press o and choose Studies", m.Name(),
		widget.Count(m.work.pool.workers, "worker"))
}

// End stops the workers of this program, which save their progress, and closes the source.
func (m *Model) End() error {
	m.Stop()
	var err error
	if m.work.pool != nil {
		ctx, done := context.WithTimeout(context.Background(), shutdownTimeout)
		defer done()
		err = m.work.pool.shutdown(ctx)
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf(
				"the workers of the study %s did not save their progress within %v; up to a minute of it will be recomputed",
				m.Name(), shutdownTimeout)
		}
	}
	return errors.Join(err, m.opening.Close())
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case widget.DoneMsg:
		return m.take(msg)
	case widget.TickMsg:
		return tea.Batch(m.work.reading.Tick(msg), m.work.figures.Tick(msg), m.work.doing.Tick(msg))
	case pollMsg:
		if msg.poll == m.work.polls {
			return m.read()
		}
	case poolMsg:
		return m.poolEnded(msg.pool)
	case tea.KeyPressMsg:
		cmd, _ := widget.Take(m, &m.Status, commands(), msg)
		return tea.Batch(cmd, m.figure())
	case tea.PasteMsg:
		if m.Status.Open() {
			return m.Status.Type(msg)
		}
	}
	return nil
}

// take takes the result of a job.
func (m *Model) take(msg widget.DoneMsg) tea.Cmd {
	if inner, ok := m.work.reading.Take(msg); ok {
		m.work.reading.Finish()
		return m.readDone(inner)
	}
	if inner, ok := m.work.figures.Take(msg); ok {
		m.work.figures.Finish()
		return m.figureDone(inner)
	}
	if inner, ok := m.work.doing.Take(msg); ok {
		m.work.doing.Finish()
		return m.did(inner)
	}
	return nil
}

// did takes the result of a key's command.
func (m *Model) did(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case begunMsg:
		if msg.err != nil {
			m.Status.Fail(msg.err)
			return nil
		}
		ready := m.work.ready
		m.opening = msg.opening
		m.board = nil
		m.work.revision = 0
		m.work.polls++
		return tea.Batch(m.read(), m.startWorkers(ready))
	case saidMsg:
		if msg.err != nil {
			m.Status.Fail(msg.err)
			return nil
		}
		m.Say(msg.text, false)
	case widget.PanicMsg:
		m.Status.Fail(fmt.Errorf("internal error: %s; nothing is lost", msg.Reason))
	}
	return nil
}

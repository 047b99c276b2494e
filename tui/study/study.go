// Package study is the screen of a study: how its table of cells fills up, who works at it, how fast and for how long
// yet, and beside it what the numbers say, as curves with bands over seeds, ranks, parts of targets reached, profiles
// and tests. A source, which a database is, is asked for what changed, off the update loop; workers inside of the
// program are begun and stopped here, and outlast the screen. Statistics are package stats's, cells are run by package
// engine; a cell is opened as a session by the window. Each panel is one file: what is drawn, and what describes it.
// The bar of progress is drawn by hand because it has four parts, where that of Bubbles has one; tables are rows of
// boxes because each of them is described, which a row of a table of Lip Gloss or Bubbles cannot be.
package study

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/study/store"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// Model is the screen.
type Model struct {
	widget.Base

	opening *Opening
	board   *board // nil until the study was read
	failed  string // why it could not be; empty where it could
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
	picture struct { // what the numbers say, as it was drawn last
		figureKey
		box *layout.Box
	}
}

// cursor is where one is in the table: a problem, a method and a seed; the row above all problems stands for all of
// them.
type cursor struct {
	problem int // −1 is all
	method  int
	seed    int // of the cell, from 0
	top     int // the first row of the table that is drawn
}

// viewState is what is looked at beside the table.
type viewState struct {
	view  view
	words string // that were looked for last in the table
	// means with their intervals in place of medians with quartiles; data profiles in place of performance profiles
	other    bool
	figure   *figure
	request  figureRequest // what made shall be of
	revision int64         // of the table, counted here
}

// work is what is done off the update loop.
type work struct {
	reading  widget.Jobs // what changed
	figures  widget.Jobs // statistics
	doing    widget.Jobs // what a key asked for
	polls    int         // so that the time of an earlier loop is dropped
	revision int64       // the revision that is known
	pool     *workerPool // nil where none is at work in this program
	ready    int         // how many are put to work by a key
}

// Messages of the screen's own.
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

// New makes the screen of a study.
func New(o *Opening) *Model {
	m := &Model{Base: widget.NewBase(), opening: o, now: time.Now}
	m.self.host, _ = os.Hostname()
	m.self.pid = os.Getpid()
	m.work.ready = o.Ready
	if m.work.ready < 1 {
		m.work.ready = runtime.GOMAXPROCS(0)
	}
	if o.Work != nil && o.Workers > 0 {
		m.work.ready = o.Workers
		m.work.pool = startPool(o.Work, o.Workers)
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

// Stop gives up what is read and computed for the screen. Workers go on: End ends them.
func (m *Model) Stop() {
	m.work.polls++
	m.work.reading.Stop()
	m.work.figures.Stop()
	m.work.doing.Stop()
}

// shutdownTimeout bounds how long the end of the program waits for workers to hand over what is in hand. Whatever they
// do not is done again.
const shutdownTimeout = 20 * time.Second

// Working reports whether workers are at work inside of this program.
func (m *Model) Working() bool { return m.work.pool != nil && !m.work.pool.hasEnded() }

// Stays says that the study stays open while other screens are looked at, and what goes on.
func (m *Model) Stays() string {
	if !m.Working() {
		return fmt.Sprintf("the study %s stays open: o, and there studies, leads back to it", m.Name())
	}
	return fmt.Sprintf("the study %s goes on (%s): o, and there studies, leads back to it", m.Name(),
		widget.Count(m.work.pool.workers, "worker"))
}

// End stops the workers of this program, which hand over what they have in hand, and closes the source.
func (m *Model) End() error {
	m.Stop()
	var err error
	if m.work.pool != nil {
		ctx, done := context.WithTimeout(context.Background(), shutdownTimeout)
		defer done()
		if err = m.work.pool.shutdown(ctx); errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("the workers of the study %s did not hand over what they had in hand within %v: its "+
				"last minute is done again", m.Name(), shutdownTimeout)
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

// take takes what a job brought.
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

// did takes what a key had done.
func (m *Model) did(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case begunMsg:
		if msg.err != nil {
			m.Status.Fail(msg.err)
			return nil
		}
		ready := m.work.ready
		m.opening, m.board, m.work.revision = msg.opening, nil, 0
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

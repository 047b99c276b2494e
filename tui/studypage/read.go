package studypage

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/tui/widget"
)

// pollEvery is how often a study that is shown is read again, and retryEvery how often after an error.
const pollEvery, retryEvery = time.Second, 5 * time.Second

// rowChanges are the rows that changed since a revision, and the one that is known then.
type rowChanges struct {
	rows     []study.Row
	revision int64
}

// read asks the source for the changes, off the update loop; the first time for everything.
func (m *Model) read() tea.Cmd {
	source := m.opening.Source
	name := m.opening.Name
	after := m.work.revision
	first := m.board == nil || m.work.stale
	return m.work.reading.Start("reading the study "+sanitize.Text(name),
		func(ctx context.Context, _ func(string, int, int)) tea.Msg {
			var msg readMsg
			if first {
				d, err := source.Declaration(ctx, name)
				if err == nil {
					msg.board, err = newBoard(d)
				}
				if err != nil {
					return readMsg{err: err}
				}
				after = -1
			}
			msg.rows.rows, msg.rows.revision, msg.err = source.Changes(ctx, name, after)
			if msg.err == nil {
				msg.workers, msg.err = source.Workers(ctx)
			}
			if msg.board != nil && msg.err == nil {
				msg.board.fold(msg.rows.rows)
			}
			return msg
		})
}

// readDone takes the rows that were read, and reads again after a while.
func (m *Model) readDone(msg tea.Msg) tea.Cmd {
	if p, ok := msg.(widget.PanicMsg); ok {
		msg = readMsg{err: fmt.Errorf("internal error: %s", p.Reason)}
	}
	read, ok := msg.(readMsg)
	if !ok {
		return nil
	}
	if read.err != nil {
		m.failed = read.err.Error()
		return m.again(retryEvery)
	}
	m.failed = ""
	if c := m.work.pool; c != nil {
		if text := c.takeError(); text != "" {
			m.Say(text, true)
		}
	}
	m.workers, m.work.revision = read.workers, read.rows.revision
	changed := read.board != nil
	m.work.stale = !changed && m.board != nil && m.board.hasNew(read.rows.rows)
	if changed {
		m.board = read.board
		m.begin()
	} else if m.board != nil {
		changed = m.board.fold(read.rows.rows)
	}
	m.pace = m.board.pace(m.now(), m.board.count[study.Running])
	if changed {
		m.shown.revision++
	}
	if m.work.stale { // another declaration
		return tea.Batch(m.read(), m.figure())
	}
	return tea.Batch(m.again(pollEvery), m.figure())
}

// begin puts the cursor to the first problem of a study that was read.
func (m *Model) begin() {
	m.cursor.problem = min(max(m.cursor.problem, 0), len(m.board.problems)-1)
	m.cursor.method = min(m.cursor.method, len(m.board.methods)-1)
	m.cursor.seed = min(m.cursor.seed, max(len(m.seeds())-1, 0))
}

// again reads after a while.
func (m *Model) again(after time.Duration) tea.Cmd {
	if _, static := m.opening.Source.(staticSource); static {
		return nil
	}
	poll := m.work.polls
	return tea.Tick(after, func(time.Time) tea.Msg { return pollMsg{poll} })
}

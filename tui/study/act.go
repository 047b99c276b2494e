package study

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/tui/widget"
)

// toggle puts workers to work, or stops them.
func (m *Model) toggle() tea.Cmd {
	if !m.Working() {
		return m.start()
	}
	if m.work.pool.stopping {
		m.Say("the workers are handing over what they have in hand", false)
		return nil
	}
	m.work.pool.stopping = true
	m.work.pool.stop()
	m.Say("the workers stop, and hand over what they have in hand; r goes on", false)
	return nil
}

// start puts workers to work, for which a study that is in no database yet gets one.
func (m *Model) start() tea.Cmd {
	begin := m.opening.Begin
	if begin == nil {
		return m.startWorkers(m.work.ready)
	}
	return m.work.doing.Start("beginning the study "+sanitize.Text(m.Name()),
		func(ctx context.Context, _ func(string, int, int)) tea.Msg {
			o, err := begin(ctx)
			return begunMsg{o, err}
		})
}

// startWorkers puts so many workers to work.
func (m *Model) startWorkers(workers int) tea.Cmd {
	if m.opening.Work == nil {
		return nil
	}
	m.work.pool = startPool(m.opening.Work, workers)
	m.Say(fmt.Sprintf("%s at work here; they go on while you look elsewhere, and r stops them",
		widget.Count(workers, "worker")), false)
	return m.await()
}

// changeWorkers changes how many workers there are; those at work make room for as many as are wanted.
func (m *Model) changeWorkers(by int) tea.Cmd {
	m.work.ready = max(m.work.ready+by, 1)
	if !m.Working() {
		m.Say(fmt.Sprintf("r puts %s to work", widget.Count(m.work.ready, "worker")), false)
		return nil
	}
	m.work.pool.stopping, m.work.pool.restart = true, true
	m.work.pool.stop()
	m.Say(fmt.Sprintf("%s from now on: those at work hand over what they have in hand first",
		widget.Count(m.work.ready, "worker")), false)
	return nil
}

// askAgain has cells begin anew that failed or are another version's, once that is sure.
func (m *Model) askAgain(msg tea.KeyPressMsg) tea.Cmd {
	n := m.board.count[study.Failed] + m.board.count[study.OtherVersion]
	if !m.Status.Confirmed(msg) {
		m.Say(fmt.Sprintf("what came of %s is dropped, and they begin anew: @ once more does it",
			widget.Count(n, "cell")), false)
		return nil
	}
	again := m.opening.Again
	return m.work.doing.Start("having cells begin anew", func(ctx context.Context, _ func(string, int, int)) tea.Msg {
		n, err := again(ctx)
		return saidMsg{text: widget.Count(n, "cell") + " to begin anew; r puts workers to work", err: err}
	})
}

// poolEnded takes note that workers have ended, and puts others to work where that was wanted.
func (m *Model) poolEnded(c *workerPool) tea.Cmd {
	if c != m.work.pool {
		return nil
	}
	m.work.pool = nil
	m.work.polls++
	read := m.read()
	switch {
	case c.err != nil:
		m.Status.Fail(fmt.Errorf("the workers stopped: %w", c.err))
	case c.restart:
		return tea.Batch(read, m.startWorkers(m.work.ready))
	case c.stopping:
		m.Say("the workers have handed over what they had in hand; r goes on", false)
	default:
		m.Say("nothing is left to do here", false)
	}
	return read
}

// askExport asks for the file to export to.
func (m *Model) askExport() tea.Cmd {
	cmd := m.Status.Ask("export to", m.Name()+".html", func(text string) tea.Cmd {
		path, err := widget.TypedPath(text, m.Name()+".html")
		if err != nil {
			return m.Status.Again(err.Error())
		}
		return widget.Request(widget.Export{Path: path})
	})
	m.Status.Hint("the ending chooses what is written: .html, .csv or .json")
	return cmd
}

// Export writes the study as it is known here, off the update loop by a function of the window.
func (m *Model) Export(path string, write func(ctx context.Context, path string, t *study.Table) error) tea.Cmd {
	if m.board == nil {
		return nil
	}
	table := m.board.table()
	return m.work.doing.Start("exporting to "+sanitize.Text(path),
		func(ctx context.Context, _ func(string, int, int)) tea.Msg {
			if err := write(ctx, path, table); err != nil {
				return saidMsg{err: err}
			}
			return saidMsg{text: "exported to " + path}
		})
}

// open opens the chosen cell in the explorer.
func (m *Model) open() tea.Cmd {
	row := m.board.rows[m.seeds()[m.cursor.seed]]
	source, name, cell := m.opening.Source, m.Name(), row.Cell
	what := "opening " + sanitize.Text(title(cell))
	if row.Status == study.Failed {
		m.Say("this cell failed: "+sanitize.Text(row.Error)+"; it is computed anew as far as it goes", true)
	}
	return widget.Request(widget.MakeSession{What: what,
		Make: func(ctx context.Context, progress func(string, int, int)) (*sessions.Session, error) {
			log, err := source.Log(ctx, name, cell)
			if err != nil {
				return nil, err
			}
			if len(log) > 0 {
				return cell.Resume(ctx, log)
			}
			return recomputeCell(ctx, cell, row.Status, progress)
		}})
}

// recomputeCell computes a cell, which is a pure function of its declaration; one that has not ended is a session that
// has not begun.
func recomputeCell(ctx context.Context, c study.Cell, status study.Status,
	progress func(string, int, int)) (*sessions.Session,
	error) {
	s, err := c.Session(ctx)
	if err != nil {
		return nil, err
	}
	if status == study.Waiting || status == study.Running {
		return s, nil
	}
	for i := 0; s.State().StopReason() == ""; i++ {
		progress("computing "+sanitize.Text(title(c))+" anew, step", i+1, c.Budget)
		if _, err := s.Step(ctx, nil); err != nil {
			if ctx.Err() != nil || status != study.Failed {
				return nil, err
			}
			break // what there is of it is shown
		}
	}
	return s, nil
}

// title names a cell.
func title(c study.Cell) string { return fmt.Sprintf("%s, %s, seed %d", c.Problem, c.Method, c.Seed) }

package studypage

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/tui/widget"
)

// toggle starts workers, or stops them.
func (m *Model) toggle() tea.Cmd {
	if !m.Working() {
		return m.start()
	}
	if m.work.pool.stopping {
		m.Say("the workers are stopping; they save their progress first", false)
		return nil
	}
	m.work.pool.stopping = true
	m.work.pool.stop()
	m.Say("the workers save their progress and stop; press r to resume", false)
	return nil
}

// start starts workers; a study that has no database yet gets one.
func (m *Model) start() tea.Cmd {
	begin, folder := m.opening.Begin, m.Rights.Studies
	if begin == nil {
		return m.startWorkers(m.work.ready)
	}
	return m.work.doing.Start("starting the study "+sanitize.Text(m.Name()),
		func(ctx context.Context, _ func(string, int, int)) tea.Msg {
			o, err := begin(ctx, folder)
			return begunMsg{o, err}
		})
}

// startWorkers starts so many workers.
func (m *Model) startWorkers(workers int) tea.Cmd {
	workers = min(workers, m.Rights.Workers)
	if m.opening.Work == nil || workers < 1 {
		return nil
	}
	m.work.pool = startPool(m.Rights, m.opening.Work, workers)
	m.Say(fmt.Sprintf("%s started; they keep running while you use other screens, r stops them",
		widget.Count(workers, "worker")), false)
	return m.await()
}

// changeWorkers changes the number of workers; running ones are replaced.
func (m *Model) changeWorkers(delta int) tea.Cmd {
	m.work.ready = min(max(m.work.ready+delta, 1), m.Rights.Workers)
	if !m.Working() {
		m.Say(fmt.Sprintf("press r to start %s", widget.Count(m.work.ready, "worker")), false)
		return nil
	}
	m.work.pool.stopping, m.work.pool.restart = true, true
	m.work.pool.stop()
	m.Say(fmt.Sprintf("changing to %s; the current ones save their progress first",
		widget.Count(m.work.ready, "worker")), false)
	return nil
}

// askAgain restarts cells that failed or belong to another version, after a second key press.
func (m *Model) askAgain(msg tea.KeyPressMsg) tea.Cmd {
	n := m.board.count[study.Failed] + m.board.count[study.OtherVersion]
	if !m.Status.Confirmed(msg) {
		m.Say(fmt.Sprintf("this restarts %s and deletes the results so far; press @ again to confirm",
			widget.Count(n, "cell")), false)
		return nil
	}
	again := m.opening.Again
	return m.work.doing.Start("restarting cells", func(ctx context.Context, _ func(string, int, int)) tea.Msg {
		n, err := again(ctx)
		return saidMsg{text: widget.Count(n, "cell") + " queued again; press r to start workers", err: err}
	})
}

// poolEnded takes note that workers have ended, and starts others if that was requested.
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
		m.Say("the workers have saved their progress and stopped; press r to resume", false)
	default:
		m.Say("no cell is left to run", false)
	}
	return read
}

// askExport asks for the file to export to.
func (m *Model) askExport() tea.Cmd {
	cmd := m.Status.Ask("export to", m.Name()+".html", func(text string) tea.Cmd {
		path, err := m.Rights.Path(text, m.Name()+".html")
		if err != nil {
			return m.Status.Again(err.Error())
		}
		return widget.Request(widget.Export{Path: path})
	})
	m.Status.Hint("the extension sets the format: .html, .csv or .json")
	return cmd
}

// open opens the chosen cell in the explorer.
func (m *Model) open() tea.Cmd {
	row := m.board.rows[m.seeds()[m.cursor.seed]]
	source := m.opening.Source
	name := m.Name()
	cell := row.Cell
	files := m.board.declaration.Own
	if m.board.imported(cell) {
		m.Say("this run of "+sanitize.Text(row.Program)+" was imported: the study has its numbers, not its points", true)
		return nil
	}
	subject := "opening " + sanitize.Text(title(cell))
	if row.Status == study.Failed {
		m.Say("this cell failed: "+sanitize.Text(row.Error)+"; recomputing it up to the failure", true)
	}
	return widget.Request(widget.MakeSession{What: subject,
		Make: func(ctx context.Context, progress func(string, int, int)) (*sessions.Session, error) {
			log, err := source.Log(ctx, name, cell)
			if err != nil {
				return nil, err
			}
			if len(log) > 0 {
				return cell.Resume(ctx, log, files...)
			}
			return recomputeCell(ctx, cell, files, row.Status, progress)
		}})
}

// recomputeCell computes a cell, which is a pure function of its declaration. For a cell that has not ended it returns
// a session before its first step.
func recomputeCell(ctx context.Context, c study.Cell, ownFiles []study.OwnFile, status study.Status,
	progress func(string, int, int)) (*sessions.Session,
	error) {
	s, err := c.Session(ctx, ownFiles...)
	if err != nil {
		return nil, err
	}
	if s.ManualEvaluation() && status != study.Waiting {
		return nil, errors.Join(fmt.Errorf(
			"a program evaluated %s, and its sessions are not kept; keep = \"sessions\" in the study keeps them",
			c.Problem), s.Close())
	}
	if status == study.Waiting || status == study.Running {
		return s, nil
	}
	for i := 0; s.State().StopReason() == ""; i++ {
		progress("recomputing "+sanitize.Text(title(c))+", step", i+1, c.Budget)
		if _, err := s.Step(ctx, nil); err != nil {
			if ctx.Err() != nil || status != study.Failed {
				return nil, err
			}
			break // show the steps before the failure
		}
	}
	return s, nil
}

// title names a cell.
func title(c study.Cell) string { return fmt.Sprintf("%s, %s, seed %d", c.Problem, c.Method, c.Seed) }

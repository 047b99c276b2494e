package explore

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// stepCommands move forwards and backwards.
func stepCommands() []command {
	return append([]command{
		can(widget.Bind("space", "step", "space"), (*Model).stepForward).
			Long("take one step, or go forward one recorded step"),
		player.Answers[*Model](),
		unless((*Model).noAsking, widget.Bind("p", "several points", "p"), (*Model).askBatch).
			Long("suggest several points at once if you evaluate them yourself; they can share a value or keep apart"),
	}, append(player.Moves((*Model).noRun, map[string]string{"b": "go back one step"}),
		unless((*Model).nothingToStop, widget.Bind("esc", "stop", "esc"), (*Model).escape).
			Long("stop the computation; in a cell of a study, go back to the study"))...)
}

// nothingToStop returns why esc is disabled.
func (m *Model) nothingToStop() string {
	if m.study != "" {
		return ""
	}
	return m.idle()
}

// escape stops the computation; if there is none, it goes from a cell back to its study.
func (m *Model) escape() tea.Cmd {
	if m.study != "" && m.idle() != "" {
		return player.Leave(m, widget.Study{})
	}
	return m.stop()
}

func (m *Model) idle() string {
	if m.Busy() || m.Running || m.Queued > 0 {
		return ""
	}
	return "no computation is running"
}

// stop stops the running computation, and says so.
func (m *Model) stop() tea.Cmd {
	busy, acting := m.Jobs.Busy(), m.Acting
	m.Stop()
	if busy {
		m.Notify("stopped; press space to continue")
	}
	m.Refresh()
	if busy && acting { // the session is unchanged
		return m.startSummary()
	}
	return nil
}

// stepForward takes a step, or goes to the next place on record.
func (m *Model) stepForward() tea.Cmd { return player.Do(m, m.StepForward(m.upToDate())) }

// Advance does one iteration.
func (m *Model) Advance() tea.Cmd {
	if over := m.state.StopReason(); m.Running && m.state.Ahead == 0 && over != "" {
		partial := m.report != nil && m.report.Partial
		if !m.state.Exhausted() {
			over += "; press space to continue anyway"
		}
		m.End(over)
		if partial {
			return m.UpdatePicture()
		}
		return nil
	}
	if m.Running && m.state.Ahead == 0 && m.sheet != nil {
		if goal := m.sheet.CountReached(m.state); goal != "" {
			m.End("paused at a goal: " + goal + "; press space to continue anyway")
			return m.measure()
		}
	}
	if m.stepAsks() {
		m.Running = false
		return m.alter(Ask{})
	}
	act := m.actOf(Step{})
	act.Records = m.state.Ahead == 0
	return m.Apply(act)
}

// upToDate reports whether the picture is of the current step, so far that the next point is found: a step before that
// would search for it again.
func (m *Model) upToDate() bool {
	return m.report != nil && m.report.Head == m.state.Head && (m.report.Found() || !m.report.Partial)
}

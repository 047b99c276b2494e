package explore

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// stepCommands go on, back and along.
func stepCommands() []command {
	return append([]command{
		can(widget.Bind("space", "step", "space"), (*Model).StepForward).
			Long("one iteration on, or one place of what is on record"),
		{Binding: player.AnswerKey, DisabledReason: (*Model).NoQuestion, Do: (*Model).Answer},
		unless((*Model).noAsking, widget.Bind("S", "ask for several", "S"), (*Model).askBatch).
			Long("ask for several points at once, which share a value or are apart, where a person evaluates"),
	}, append(player.Moves(playerOf, map[string]string{"b": "one back"}),
		unless((*Model).nothingToStop, widget.Bind("esc", "stop", "esc"), (*Model).escape).
			Long("stop what is being computed; of a cell of a study go back to that"))...)
}

// nothingToStop is why esc does nothing.
func (m *Model) nothingToStop() string {
	if m.study != "" {
		return ""
	}
	return m.idle()
}

// escape stops what is being computed; where nothing is, a cell is left for its study.
func (m *Model) escape() tea.Cmd {
	if m.study != "" && m.idle() != "" {
		return m.Leave(widget.Study{})
	}
	return m.stop()
}

func (m *Model) idle() string {
	if m.Busy() || m.Running || m.Queued > 0 {
		return ""
	}
	return "nothing is being computed: there is nothing to stop"
}

// stop ends the computation under way, and says so.
func (m *Model) stop() tea.Cmd {
	busy, acting := m.Jobs.Busy(), m.Acting
	m.Stop()
	if busy {
		m.Notify("stopped; space goes on")
	}
	m.Refresh()
	if busy && acting { // the model stands where it stood before
		return m.startSummary()
	}
	return nil
}

// Advance does one iteration.
func (m *Model) Advance() tea.Cmd {
	if over := m.state.StopReason(); m.Running && m.state.Ahead == 0 && over != "" {
		partial := m.report != nil && m.report.Partial
		m.End(over + "; space goes on all the same")
		if partial {
			return m.UpdatePicture()
		}
		return nil
	}
	if m.stepAsks() {
		m.Running = false
		return m.alter(Ask{})
	}
	return m.alter(Step{Problem: m.state.Problem})
}

// UpToDate reports whether the picture is of where the session stands.
func (m *Model) UpToDate() bool { return m.report != nil && m.report.Head == m.state.Head }

package explore

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// stepCommands go on, back and along.
func stepCommands() []command {
	return append([]command{
		can(widget.Bind("space", "step", "space"), (*Model).Onward).
			Long("one iteration on, or one place of what is on record"),
		{Binding: player.AnswerKey, Off: (*Model).NoQuestion, Do: (*Model).Answer},
		unless((*Model).noAsking, widget.Bind("S", "ask for several", "S"), (*Model).askTogether).
			Long("ask for several points at once, which share a value or are apart, where a person evaluates"),
	}, append(player.Moves(played, map[string]string{"b": "one back"}),
		unless((*Model).nothingToStop, widget.Bind("esc", "stop", "esc"), (*Model).escape).
			Long("stop what is being computed; of a cell of a study go back to that"))...)
}

// nothingToStop is why esc does nothing.
func (m *Model) nothingToStop() string {
	if m.above != "" {
		return ""
	}
	return m.idle()
}

// escape stops what is being computed; where nothing is, a cell is left for its study.
func (m *Model) escape() tea.Cmd {
	if m.above != "" && m.idle() != "" {
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
		m.Tell("stopped; space goes on")
	}
	m.Refresh()
	if busy && acting { // the model stands where it stood before
		return m.judge()
	}
	return nil
}

// Advance does one iteration.
func (m *Model) Advance() tea.Cmd {
	if over := m.state.Over(); m.Running && m.state.Ahead == 0 && over != "" {
		partial := m.told != nil && m.told.Partial
		m.End(over + "; space goes on all the same")
		if partial {
			return m.Look()
		}
		return nil
	}
	if m.asksForNext() {
		m.Running = false
		return m.alter(Ask{})
	}
	return m.alter(Step{Problem: m.state.Problem})
}

// Shown reports whether the picture is of where the session stands.
func (m *Model) Shown() bool { return m.told != nil && m.told.Head == m.state.Head }

package explore

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explore/aim"
	"bandscope/tui/screen"
)

// key takes a key press: the prompt while it is open, the mode that has the keys, or a command.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if m.modes.Doing != nil && !m.Status.Open() {
		return m.modeKey(msg)
	}
	cmd, _ := screen.Take(m, &m.Status, steppingCommands(), msg)
	return cmd
}

// paste takes pasted text wherever text is being entered.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	if m.Status.Open() {
		return m.Status.Type(msg)
	}
	if m.modes.Pastes(m.scene) {
		return m.tell(msg)
	}
	m.say("pasted text goes nowhere here: open a field first, as n does for a note")
	return nil
}

// mouse takes what the mouse does: the mode that has the keys does; otherwise a click goes to a place on the timeline, or puts what is chosen on the plot under it.
func (m *Model) mouse(hit screen.Hit) tea.Cmd {
	_, clicked := hit.MouseMsg.(tea.MouseClickMsg)
	if m.modes.Doing != nil || !clicked {
		return m.tell(hit)
	}
	if cmd, taken := m.clickTimeline(hit); taken {
		return cmd
	}
	_, values := hit.Value()
	switch {
	case values == nil:
		return nil
	case m.steering():
		return tea.Batch(m.start(aim.New), m.tell(hit))
	}
	return tea.Batch(m.startQuery(), m.tell(hit))
}

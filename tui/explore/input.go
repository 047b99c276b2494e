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

// click goes to a place on the timeline, or puts what is chosen on the plot under the mouse.
func (m *Model) click(msg tea.MouseClickMsg) tea.Cmd {
	mouse := msg.Mouse()
	if m.modes.Doing != nil {
		return m.tell(msg)
	}
	if cmd, taken := m.clickTimeline(mouse); taken {
		return cmd
	}
	if o := m.scene().Outcomes; o != nil {
		if _, _, ok := o.Under(mouse); !ok {
			return nil
		}
		return tea.Batch(m.start(aim.New), m.tell(msg))
	}
	if m.scene().Under(mouse) == nil {
		return nil
	}
	return tea.Batch(m.startQuery(), m.tell(msg))
}

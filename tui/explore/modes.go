package explore

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/note"
	"bandscope/tui/screen"
)

// scene is what a mode sees of the explorer.
func (m *Model) scene() mode.Scene {
	s := mode.Scene{State: m.state, Style: m.style}
	if m.known != nil {
		s.Legend = m.known.legend
	}
	return s
}

// start begins a mode, as it was left if it was begun before.
func (m *Model) start(make func() mode.Mode) tea.Cmd {
	next := make()
	if m.begun == nil {
		m.begun = map[string]mode.Mode{}
	}
	if before, ok := m.begun[next.Title()]; ok {
		next = before
	}
	m.begun[next.Title()] = next
	cmd, actions := next.Start(m.scene())
	return tea.Batch(cmd, m.do(actions))
}

// startNote begins a note. What runs is stopped, so that the note stays with the step that it is about.
func (m *Model) startNote() tea.Cmd {
	m.Stop()
	return tea.Batch(m.look(), m.start(note.New))
}

// do does what a mode wants. A new mode adds nothing to it.
func (m *Model) do(actions []screen.Action) tea.Cmd {
	var cmds []tea.Cmd
	for _, a := range actions {
		switch a := a.(type) {
		case mode.Enter:
			m.doing, m.running = a.Mode, false
		case mode.Leave:
			m.doing = nil
		case mode.Say:
			m.Say(a.Text, a.Bad)
		case mode.Change:
			cmds = append(cmds, m.alter(a))
		default:
			cmds = append(cmds, screen.Want(a))
		}
	}
	return tea.Batch(cmds...)
}

// alter does a change of the session.
func (m *Model) alter(c mode.Change) tea.Cmd {
	s, dir := m.session, m.dir
	return m.change(c.Doing(), func(ctx context.Context, progress func(string, int, int)) (string, error) {
		said, err := c.Do(ctx, s, progress)
		if err != nil {
			return "", err
		}
		return said, s.Keep(dir)
	})
}

// tell gives a message to the mode that has the keys.
func (m *Model) tell(msg tea.Msg) tea.Cmd {
	if m.doing == nil {
		return nil
	}
	cmd, actions := m.doing.Update(m.scene(), msg)
	return tea.Batch(cmd, m.do(actions))
}

// pass gives a message that is not the explorer's to the modes: one knows its own, which can come when it was left.
func (m *Model) pass(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, begun := range m.begun {
		cmd, actions := begun.Update(m.scene(), msg)
		cmds = append(cmds, cmd, m.do(actions))
	}
	return tea.Batch(cmds...)
}

// modeKey gives a key to the mode that has them.
func (m *Model) modeKey(msg tea.KeyPressMsg) tea.Cmd {
	m.notice = notice{}
	if !m.doing.Typing() {
		if cmd, _, taken := screen.Press(m, anywhere(), msg); taken {
			return cmd
		}
	}
	return m.tell(msg)
}

// modeHere tells what the keys do in a mode.
func (m *Model) modeHere() screen.Here {
	h := screen.Here{Title: m.doing.Title(), Keys: m.doing.Keys(m.scene()), Typing: m.Typing()}
	if !h.Typing {
		h.Keys = append(h.Keys, screen.Keys(m, anywhere())...)
	}
	return h
}

// modeHints are the keys of the bottom line in a mode.
func (m *Model) modeHints() []key.Binding {
	standing := m.doing.Keys(m.scene())
	list := make([]key.Binding, len(standing))
	for i, k := range standing {
		list[i] = k.Binding
	}
	return list
}

// panel is the mode that has a panel at the side, nil if none has one; whole says that it takes all of the side.
func (m *Model) panel() (p mode.Paneled, whole bool) {
	p, _ = m.doing.(mode.Paneled)
	if p != nil {
		_, whole = p.Room(0, 0)
	}
	return p, whole
}

func (m *Model) paneled() bool {
	p, _ := m.panel()
	return p != nil
}

// stepping reports whether no mode has the keys.
func (m *Model) stepping() bool { return m.doing == nil && m.mode == stepping }

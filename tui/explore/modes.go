package explore

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explore/claims"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/note"
	"bandscope/tui/explore/picture"
	"bandscope/tui/explore/query"
	"bandscope/tui/explore/results"
	"bandscope/tui/screen"
)

// scene is what a mode sees of the explorer.
func (m *Model) scene() mode.Scene {
	s := m.around()
	s.Axes = m.picture().Axes(m.stage())
	s.Tell = m.tellAt
	return s
}

// around is what a mode sees without the picture, on which it may draw itself.
func (m *Model) around() mode.Scene {
	s := mode.Scene{State: m.state, Params: mode.ParamsOf(m.state), Notes: mode.NotesOf(m.state), Style: m.Style, Asking: m.asking(), ByHand: m.session.Unattended(), Ages: m.ages()}
	if p := m.outcomes(); m.steering() {
		s.Outcomes = &mode.Outcomes{Shown: p.Shown(), Held: p.Held()}
		s.Outcomes.I, s.Outcomes.J = p.Pair(picture.Scene{State: m.state})
	}
	if m.told != nil {
		s.Legend = m.told.Legend
		if len(m.told.Next) > 0 && !s.Asking {
			s.Next = m.told.Next[0]
		}
	}
	return s
}

// tellAt tells what the picture says of an input, and what the truth there is.
func (m *Model) tellAt(at []float64) []mode.Reading {
	told := m.picture().Tell(m.stage(), at)
	if m.reveal && !m.asking() {
		if y, err := m.state.Problem.TrueValues(at); err == nil {
			told = append(told, mode.Reading{Name: "truth", Value: y[0]})
		}
	}
	return told
}

// overlay is what the mode draws over the picture.
func (m *Model) overlay() mode.Overlay {
	if o, ok := m.modes.Doing.(mode.Overlaying); ok {
		return o.Overlay(m.around())
	}
	return mode.Overlay{Asked: m.page().Pair()}
}

// start begins a mode, as it was left if it was begun before.
func (m *Model) start(fresh func() mode.Mode) tea.Cmd {
	cmd, actions := m.modes.Begin(m.scene, fresh)
	return tea.Batch(cmd, m.do(actions))
}

// begins is what the key of a mode does.
func begins(fresh func() mode.Mode) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.start(fresh) }
}

// startNote begins a note. What runs is stopped, so that the note stays with the step that it is about.
func (m *Model) startNote() tea.Cmd {
	m.Stop()
	return tea.Batch(m.look(), m.start(note.New))
}

// startQuery begins to choose a point; steps that wait are not taken.
func (m *Model) startQuery() tea.Cmd {
	m.Queued = 0
	return m.start(query.New)
}

// do does what a mode wants, in that order. A new mode adds nothing to it.
func (m *Model) do(actions []screen.Action) tea.Cmd {
	var cmds []tea.Cmd
	for _, a := range actions {
		switch a := a.(type) {
		case mode.Enter:
			m.outcomes().DropPreview()
			m.modes.Doing, m.Running = a.Mode, false
		case mode.Leave:
			m.modes.Doing = nil
			m.outcomes().DropPreview()
			cmds = append(cmds, m.followCursor())
		case mode.Say:
			m.Say(a.Text, a.Bad)
		case mode.Look:
			cmds = append(cmds, m.followCursor())
		case mode.Work:
			m.Running = false
			cmds = append(cmds, m.jobs.Start(a.Doing, func(ctx context.Context, _ func(string, int, int)) tea.Msg { return workedMsg{a.Do(ctx)} }))
		case mode.Results:
			cmds = append(cmds, m.start(results.New))
		case mode.Guess:
			cmds = append(cmds, m.answerWith(a.X))
		case note.Write:
			cmds = append(cmds, m.alter(claims.Noted{Write: a}))
		case mode.Preview:
			m.outcomes().Preview(a.Outcomes)
		case mode.Change:
			m.outcomes().TakePreview()
			cmds = append(cmds, m.alter(a))
		default:
			cmds = append(cmds, screen.Want(a))
		}
	}
	return tea.Batch(cmds...)
}

// workedMsg brings what a mode wants after it computed.
type workedMsg struct{ actions []screen.Action }

// tell gives a message to the mode that has the keys.
func (m *Model) tell(msg tea.Msg) tea.Cmd {
	cmd, actions := m.modes.Tell(m.scene, msg)
	return tea.Batch(cmd, m.do(actions))
}

// pass gives a message that is not the explorer's to the modes: one knows its own, which can come when it was left.
func (m *Model) pass(msg tea.Msg) tea.Cmd {
	cmd, actions := m.modes.Pass(m.scene, msg)
	return tea.Batch(cmd, m.do(actions))
}

// modeKey gives a key to the mode that has them.
func (m *Model) modeKey(msg tea.KeyPressMsg) tea.Cmd {
	m.Say("", false)
	if !m.modes.Text(m.scene, msg) {
		if cmd, _, taken := screen.Press(m, screen.Anywhere[*Model](), msg); taken {
			return cmd
		}
	}
	return m.tell(msg)
}

// panel is the mode that has a panel at the side, nil if none has one.
func (m *Model) panel() mode.Paneled {
	p, _ := m.modes.Doing.(mode.Paneled)
	return p
}

// lower is the mode that has the part of the panel under the outcomes, nil if none has it.
func (m *Model) lower() mode.Lower {
	l, _ := m.modes.Doing.(mode.Lower)
	return l
}

// working reports whether the mode computes something.
func (m *Model) working() bool {
	w, ok := m.modes.Doing.(mode.Working)
	return ok && w.Busy()
}

// stopMode stops what the mode computes.
func (m *Model) stopMode() {
	if w, ok := m.modes.Doing.(mode.Working); ok {
		w.Stop()
	}
}

// stepping reports whether no mode has the keys.
func (m *Model) stepping() bool { return m.modes.Doing == nil }

// Here tells what the keys do now.
func (m *Model) Here() screen.Here {
	if m.modes.Doing == nil {
		return screen.Here{Title: "the explorer", Keys: screen.Keys(m, steppingCommands()), Typing: m.Typing()}
	}
	return screen.Here{Title: m.modes.Doing.Title(), Keys: m.modes.Keys(m.scene, screen.Keys(m, screen.Anywhere[*Model]())), Typing: m.Typing(),
		Text: func(msg tea.KeyPressMsg) bool { return m.modes.Text(m.scene, msg) }}
}

package watch

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/lab"
	"bandscope/sessions/lab/claims"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/note"
	"bandscope/tui/explore/parameters"
	"bandscope/tui/screen"
)

// scene is what a mode sees of the screen.
func (m *Model) scene() mode.Scene {
	return mode.Scene{Style: m.Style, Params: m.params(), Notes: m.notesHere(), Asking: m.asking()}
}

// edited is the run whose parameters the editor has.
func (m *Model) edited() int { return min(m.which, len(m.state.Runs)-1) }

// params are the parameters of the run that is edited.
func (m *Model) params() mode.Params {
	st, run := m.state, m.state.Runs[m.edited()]
	p := mode.Params{Set: run.Params, Name: "lab " + st.Lab.Name, Title: "the lab " + st.Lab.Name, Try: func(d param.Decl) []string { return d.Choices }}
	if len(st.Runs) > 1 {
		p.Name += fmt.Sprintf(", run %d of %d", m.edited()+1, len(st.Runs))
	}
	p.Judge = func(key, text string) error {
		p, err := run.Params.WithText(key, text)
		if err == nil {
			err = st.Lab.Check(p)
		}
		return err
	}
	p.Effect = func(d param.Decl) string {
		if slices.Contains(st.Lab.Live, d.Key) {
			return "another value acts from here on"
		}
		return "another value begins the training anew"
	}
	return p
}

// edit gives the run that is edited another value of a parameter.
func (m *Model) edit(e parameters.Edit) act {
	run := m.edited()
	return act{doing: e.Doing(), keeps: true, do: func(_ context.Context, s *lab.Session, _ sessions.Progress) (string, error) {
		d, err := s.State().Runs[run].Params.Decl(e.Key)
		if err != nil {
			return "", err
		}
		v, err := d.Parse(e.Text)
		if err != nil {
			return "", err
		}
		return s.Edit(run, map[string]any{e.Key: v})
	}}
}

// write records notes in their order, as note.Write does with a session of the explorer, and says what they claim that is not true.
func write(w note.Write) act {
	return act{doing: w.Doing(), keeps: true, do: func(_ context.Context, s *lab.Session, _ sessions.Progress) (string, error) {
		said, err := w.On(s)
		if err != nil {
			return said, err
		}
		st := s.State()
		var wrong []string
		for _, claim := range st.LastNote().Claims {
			if err := claims.Holds(st, claim); err != nil {
				wrong = append(wrong, claim+" ("+err.Error()+")")
			}
		}
		if wrong != nil {
			said += "; but not true here: " + strings.Join(wrong, "; ")
		}
		return said, nil
	}}
}

// start begins a mode, as it was left if it was begun before.
func (m *Model) start(fresh func() mode.Mode) tea.Cmd {
	cmd, actions := m.modes.Begin(m.scene, fresh)
	return tea.Batch(cmd, m.do(actions))
}

// startEditor edits parameters, while training stands still.
func (m *Model) startEditor() tea.Cmd {
	m.Halt()
	return m.start(parameters.New)
}

// startNote begins a note. What runs is stopped, so that the note stays with the place that it is about.
func (m *Model) startNote() tea.Cmd {
	m.Stop()
	return tea.Batch(m.look(), m.start(note.New))
}

// do does what a mode wants, in that order.
func (m *Model) do(actions []screen.Action) tea.Cmd {
	var cmds []tea.Cmd
	for _, a := range actions {
		switch a := a.(type) {
		case mode.Enter:
			m.modes.Doing, m.Running = a.Mode, false
		case mode.Leave:
			m.modes.Doing = nil
		case mode.Say:
			m.Say(a.Text, a.Bad)
		case parameters.Edit:
			cmds = append(cmds, m.alter(m.edit(a)))
		case note.Write:
			cmds = append(cmds, m.alter(write(a)))
		default:
			cmds = append(cmds, screen.Want(a))
		}
	}
	return tea.Batch(cmds...)
}

// tell gives a message to the mode that has the keys.
func (m *Model) tell(msg tea.Msg) tea.Cmd {
	cmd, actions := m.modes.Tell(m.scene, msg)
	return tea.Batch(cmd, m.do(actions))
}

// pass gives a message that is not the screen's to the modes.
func (m *Model) pass(msg tea.Msg) tea.Cmd {
	cmd, actions := m.modes.Pass(m.scene, msg)
	return tea.Batch(cmd, m.do(actions))
}

// modeKey gives a key to the mode that has them.
func (m *Model) modeKey(msg tea.KeyPressMsg) tea.Cmd {
	m.say("")
	if !m.modes.Text(m.scene, msg) {
		if cmd, _, taken := screen.Press(m, screen.Anywhere[*Model](), msg); taken {
			return cmd
		}
	}
	return m.tell(msg)
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

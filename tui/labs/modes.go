package labs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/modes"
	"bandscope/tui/explore/note"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// Scene is the part of the screen that a mode sees.
func (m *Model) Scene() mode.Scene {
	return mode.Scene{Style: m.Style, Rights: m.Rights, Params: m.params(), Notes: m.notesHere(), Asking: m.Asks()}
}

// edited is the index of the run whose parameters the editor changes.
func (m *Model) edited() int { return min(m.editedRun, len(m.state.Runs)-1) }

// params are the parameters of the run that is edited.
func (m *Model) params() mode.Params {
	st, run := m.state, m.state.Runs[m.edited()]
	p := mode.Params{Set: run.Params, Name: "lab " + st.Spec.Name, Title: "the lab " + st.Spec.Name,
		Try: func(d param.Decl) []string { return d.Choices }}
	if len(st.Runs) > 1 {
		p.Name += fmt.Sprintf(", run %d of %d", m.edited()+1, len(st.Runs))
	}
	p.Judge = func(key, text string) error {
		p, err := run.Params.WithText(key, text)
		if err == nil {
			err = st.Spec.Check(p)
		}
		return err
	}
	p.Effect = func(d param.Decl) string {
		if slices.Contains(st.Spec.Live, d.Key) {
			return "a new value takes effect from here on"
		}
		return "a new value restarts the training"
	}
	return p
}

// edit sets a parameter of the edited run.
func (m *Model) edit(e modes.SetParameter) player.Act {
	run, s := m.edited(), m.session
	return player.Act{Doing: e.Doing(), Records: true, Do: func(context.Context, sessions.Progress) (string, error) {
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

// write records notes in their order, as note.Write does for a session of the explorer, and lists the claims in them
// that are not true.
func (m *Model) write(w note.Write) player.Act {
	s := m.session
	return player.Act{Doing: w.Doing(), Records: true, Do: func(context.Context, sessions.Progress) (string, error) {
		text, err := w.WriteTo(s)
		if err != nil {
			return text, err
		}
		st := s.State()
		var wrong []string
		for _, claim := range st.LastNote().Claims {
			if err := lesson.CheckClaim(st, claim); err != nil {
				wrong = append(wrong, claim+" ("+err.Error()+")")
			}
		}
		if wrong != nil {
			text += "; these claims are not true here: " + strings.Join(wrong, "; ")
		}
		return text, nil
	}}
}

// Request does what a mode requests.
func (m *Model) Request(a widget.Action) tea.Cmd {
	switch a := a.(type) {
	case mode.Enter, mode.Leave:
		return nil
	case modes.SetParameter:
		return m.Apply(m.edit(a))
	case note.Write:
		return m.Apply(m.write(a))
	}
	return widget.Request(a)
}

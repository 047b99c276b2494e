package training

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// sizes are the updates that a step can have, and usual is the one that it has first: that of the updates between which
// models are judged. A step of more is taken in places of so many, each of which is seen.
var sizes = [...]int{1, 2, 5, 10, 20, 50, 100}

const defaultSize = 3

// stepCommands go on, back and along.
func stepCommands() []command {
	return append([]command{
		can(widget.Bind("space", "step", "space"), (*Model).StepForward).
			Long("so many updates on, or one place of what is on record"),
		unless((*Model).smallest, widget.Bind("- +", "fewer, more updates a step", "-", "_"), func(m *Model) tea.Cmd {
			return m.resize(-1)
		}).Long("fewer, more updates a step, each ten of which are a place on record"),
		unless((*Model).largest, widget.Bind("", "fewer, more updates a step", "+", "="), func(m *Model) tea.Cmd {
			return m.resize(+1)
		}),
	}, append(player.Moves(playerOf, map[string]string{"b": "one place back"}),
		command{Binding: widget.Bind("esc", "stop, or leave", "esc"), Do: (*Model).escape})...)
}

// NoRun is why it does not train on.
func (m *Model) NoRun() string {
	if m.Running {
		return ""
	}
	return m.noNext()
}

// UpToDate reports whether the picture is of where the session stands.
func (m *Model) UpToDate() bool { return m.computedHead == m.state.Head }

// Advance trains, or goes to the next place on record.
func (m *Model) Advance() tea.Cmd {
	if over := m.noNext(); over != "" {
		return m.End(over)
	}
	m.NotesPanel.Rewind()
	n, trains := min(sizes[m.size], sizes[defaultSize]), m.state.Ahead == 0
	return m.Apply(player.Act{Doing: "training", Records: trains,
		Do: func(ctx context.Context, progress sessions.Progress) (string, error) {
			_, err := m.session.Step(ctx, n, progress)
			return "", err
		}})
}

// noNext says why there is no next place; empty where there is one.
func (m *Model) noNext() string {
	if m.state.Ahead > 0 {
		return ""
	}
	return m.state.Ended()
}

func (m *Model) smallest() string {
	if m.size == 0 {
		return "a step is one update: there is no smaller one"
	}
	return ""
}

func (m *Model) largest() string {
	if m.size == len(sizes)-1 {
		return fmt.Sprintf("a step is %d updates at most; r runs", sizes[m.size])
	}
	return ""
}

// resize gives a step another size.
func (m *Model) resize(by int) tea.Cmd {
	m.size += by
	m.Places = sizes[m.size] / sizes[defaultSize]
	m.Notify("a step: " + updates(sizes[m.size]))
	return nil
}

func updates(n int) string { return widget.Count(n, "update") }

// escape stops what is computed; if nothing is, it leaves for the explorer, when it is asked to again.
func (m *Model) escape(msg tea.KeyPressMsg) tea.Cmd {
	if m.Jobs.Busy() || m.Running || m.Queued > 0 {
		m.Stop()
		m.Notify("stopped; space goes on")
		return m.UpdatePicture()
	}
	if !m.Status.Confirmed(msg) {
		m.Notify("esc again leaves this lab, " + m.SavedClause() + ", for the explorer; else it stays")
		return nil
	}
	return m.Leave(widget.Close{})
}

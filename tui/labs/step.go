package labs

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// sizes are the possible sizes of a step, in updates. defaultSize is the index of the first one used: the number of
// updates between evaluations of the model. A larger step is recorded and shown in pieces of this size.
var sizes = [...]int{1, 2, 5, 10, 20, 50, 100}

const defaultSize = 3

// stepCommands train, and move along the record.
func stepCommands() []command {
	return append([]command{
		can(widget.Bind("space", "step", "space"), (*Model).stepForward).
			Long("train by one step, or go to the next recorded one"),
		unless((*Model).smallest, widget.Bind("( )", "fewer, more updates per step", "("), func(m *Model) tea.Cmd {
			return m.resize(-1)
		}).Long("fewer, more updates per step; every 10 updates are recorded as one step"),
		unless((*Model).largest, widget.Bind("", "fewer, more updates per step", ")"), func(m *Model) tea.Cmd {
			return m.resize(+1)
		}),
	}, append(player.Moves((*Model).noRun, map[string]string{"b": "go back by one recorded step"}),
		command{Binding: widget.Bind("esc", "stop, or leave", "esc"), Do: (*Model).escape})...)
}

// noRun says why the training cannot go on; it is empty if it can.
func (m *Model) noRun() string {
	if m.Running {
		return ""
	}
	return m.noNext()
}

// upToDate reports whether the picture shows the current state of the session.
func (m *Model) upToDate() bool { return m.computedHead == m.state.Head }

// stepForward takes a step, or goes to the next place on record.
func (m *Model) stepForward() tea.Cmd { return player.Do(m, m.StepForward(m.upToDate())) }

// Advance trains, or goes to the next recorded step.
func (m *Model) Advance() tea.Cmd {
	if over := m.noNext(); over != "" {
		m.End(over)
		return nil
	}
	m.NotesPanel.Rewind()
	n, trains := min(sizes[m.size], sizes[defaultSize]), m.state.Ahead == 0
	return m.Apply(player.Act{Doing: "training", Records: trains,
		Do: func(ctx context.Context, progress sessions.Progress) (string, error) {
			_, err := m.session.Step(ctx, n, progress)
			return "", err
		}})
}

// noNext says why there is no next step; it is empty if there is one.
func (m *Model) noNext() string {
	if m.state.Ahead > 0 {
		return ""
	}
	return m.state.Ended()
}

func (m *Model) smallest() string {
	if m.size == 0 {
		return "a step has at least 1 update"
	}
	return ""
}

func (m *Model) largest() string {
	if m.size == len(sizes)-1 {
		return fmt.Sprintf("a step has at most %d updates; r runs the training", sizes[m.size])
	}
	return ""
}

// resize makes a step larger or smaller.
func (m *Model) resize(delta int) tea.Cmd {
	m.size += delta
	m.Places = sizes[m.size] / sizes[defaultSize]
	m.Notify("a step now has " + updates(sizes[m.size]))
	return nil
}

func updates(n int) string { return widget.Count(n, "update") }

// escape stops the running computation; if there is none, a second esc leaves for the explorer.
func (m *Model) escape(msg tea.KeyPressMsg) tea.Cmd {
	if m.Jobs.Busy() || m.Running || m.Queued > 0 {
		m.Stop()
		m.Notify("stopped; space continues")
		return m.UpdatePicture()
	}
	if !m.Status.Confirmed(msg) {
		m.Notify("press esc again to leave this lab, " + m.SavedClause())
		return nil
	}
	return player.Leave(m, widget.Close{})
}

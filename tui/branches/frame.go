package branches

import (
	"strings"

	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// The marks of the two branches that are compared, in lists and plots.
const (
	markBase     = "a"
	markSelected = "b"
)

// Frame is the screen: the tree above, the two traces and the differences below.
func (m *Model) Frame() *layout.Box {
	height := m.Height - 2
	upper := min(max(len(m.rows)+4, 6), height/2)
	lower, left := height-upper, m.Width*2/5
	return layout.Column(m.tree(m.Width, upper), layout.Row(m.traces(left, lower), m.decisions(m.Width-left, lower)),
		m.status(), m.hints())
}

// status is a question, a message or the progress, or how to make a second branch.
func (m *Model) status() *layout.Box {
	st, own, painted, said := m.Style, "", "", "The status line: "
	if len(m.rows) == 1 {
		own = "there is one branch; press f to create another, or go back and take a step"
		painted = st.Paint(st.Dim, own)
	}
	line := m.Status.Box(st, m.Width, m.jobs.Status(st.ASCII), painted)
	text, _ := m.Status.Message()
	switch {
	case m.jobs.Busy():
		said = "The file of another session is being read; esc stops it"
	case m.Status.Open():
		said += "the file of the session to compare with"
	case text != "":
		said += layout.Excerpt(text, 50)
	case own != "":
		said += own
	default:
		return line
	}
	return line.Prose("status", "", strings.TrimSuffix(said, ".")+".")
}

// hints are the keys or, while a question is open, the valid answers.
func (m *Model) hints() *layout.Box {
	if m.Status.Open() {
		return layout.Text(m.Width, m.Status.Explain(m.Style)).
			Prose("hint", "", "The valid answers, or why the last one was not accepted.")
	}
	return widget.KeysBox(m.Style, widget.Bindings(commands()), m.Width)
}

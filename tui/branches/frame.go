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

// status says what is asked, read or went wrong, or how a second branch comes about.
func (m *Model) status() *layout.Box {
	st, own, painted, said := m.Style, "", "", "What is said or asked here: "
	if len(m.rows) == 1 {
		own = "one branch: f forks where the session stands, and so does going back and doing something else"
		painted = st.Paint(st.Dim, own)
	}
	line := m.Status.Box(st, m.Width, m.jobs.Status(st.ASCII), painted)
	text, _ := m.Status.Message()
	switch {
	case m.jobs.Busy():
		said = "Another session's file is being read; esc stops that"
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

// hints are the keys or, while text is asked for, what may be entered.
func (m *Model) hints() *layout.Box {
	if m.Status.Open() {
		return layout.Text(m.Width, m.Status.Explain(m.Style)).
			Prose("hint", "", "What may be entered, or why what was entered is not taken.")
	}
	return widget.KeysBox(m.Style, widget.Bindings(commands()), m.Width)
}

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

// minBeside is the width of a window from which on the differences are beside the tree, and not below it.
const minBeside = 110

// Frame is the screen: the tree above the two traces, and the differences beside them or, in a narrow window, below the
// tree. A single branch differs from none.
func (m *Model) Frame() *layout.Box {
	w, h := m.Width, m.Height-2
	upper := min(max(len(m.rows)+len(m.others)+3, 5), h/2)
	var body *layout.Box
	switch left := layout.Split(w, layout.Rule{Flex: 5}, layout.Rule{Min: 40, Flex: 3, Max: 80})[0]; {
	case len(m.rows) == 1:
		body = layout.Column(m.tree(w, upper), m.traces(w, h-upper))
	case w >= minBeside:
		body = layout.Row(layout.Column(m.tree(left, upper), m.traces(left, h-upper)), m.decisions(w-left, h))
	default:
		left = w * 2 / 5
		body = layout.Column(m.tree(w, upper), layout.Row(m.traces(left, h-upper), m.decisions(w-left, h-upper)))
	}
	return layout.Column(body, m.status(), m.hints())
}

// status is a question, a message or the progress, or how to make a second branch.
func (m *Model) status() *layout.Box {
	st := m.Style
	label := ""
	painted := ""
	message := "The status line: "
	if len(m.rows) == 1 {
		label = "there is one branch; press f to create another, or go back and take a step"
		painted = st.Paint(st.Dim, label)
	}
	line := m.Status.Box(st, m.Width, m.jobs.Status(st.ASCII), painted)
	text, _ := m.Status.Message()
	switch {
	case m.jobs.Busy():
		message = "The file of another session is being read; esc stops it"
	case m.Status.Open():
		message += "the file of the session to compare with"
	case text != "":
		message += layout.Excerpt(text, 50)
	case label != "":
		message += label
	default:
		return line
	}
	return line.Prose("status", "", strings.TrimSuffix(message, ".")+".")
}

// hints are the keys or, while a question is open, the valid answers.
func (m *Model) hints() *layout.Box {
	if m.Status.Open() {
		return layout.Text(m.Width, m.Status.Explain(m.Style)).
			Prose("hint", "", "The valid answers, or why the last one was not accepted.")
	}
	return widget.KeysBox(m.Style, widget.Bindings(commands()), m.Width)
}

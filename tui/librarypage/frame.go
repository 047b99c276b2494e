package librarypage

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// formWidth is how wide the form is, and labelEnd where the values begin in it.
const formWidth, labelEnd = 37, 18

// previewFrom is the width of the window from which on there is a preview beside the list.
const previewFrom = 110

// Frame is the screen: the form at the left, the list of the current field in the middle, and a preview at the right in
// a wide window.
func (m *Model) Frame() *layout.Box {
	preview := 0
	if m.Width >= previewFrom {
		preview = m.Width / 3
	}
	list, height := m.listPanel, m.Height-1
	if m.field == fieldLessons || m.field == fieldGallery {
		list = m.lessonsPanel
	}
	panels := layout.Row(m.formPanel(formWidth, height), list(m.Width-formWidth-preview, height))
	if preview > 0 {
		panels.Beside(m.previewPanel(preview, height))
	}
	return layout.Column(panels, m.hints())
}

// hints are the keys, the prompt, or the operation that is running.
func (m *Model) hints() *layout.Box {
	st := m.Style
	if m.Status.Open() {
		return m.Status.Box(st, m.Width, "", "").
			Prose("status", "", "The input line: enter confirms it, esc cancels.")
	}
	if m.folder.jobs.Late() {
		return layout.Text(m.Width, layout.Fit(" "+st.Paint(st.Accent, m.folder.jobs.Status(st.ASCII)), m.Width)).
			Prose("status", "", "The operation that is running; esc stops it.")
	}
	bindings := Groups()[0].Bindings
	switch groups := Groups()[1].Bindings; m.field {
	case fieldSessions:
		bindings = append(slices.Clone(groups), bindings...)
	case fieldStudies:
		bindings = append(slices.Clone(groups[len(groups)-2:]), bindings...) // to delete, and to bring back
	}
	if !fields[m.field].list {
		bindings = fieldBindings(bindings)
	}
	return widget.KeysBox(st, bindings, m.Width)
}

// fieldBindings are the keys of the form on a field without a list.
func fieldBindings(all []key.Binding) []key.Binding {
	enter := slices.IndexFunc(all, func(b key.Binding) bool { return b.Help().Key == "enter" })
	return append([]key.Binding{widget.Bind("type", "a value"), widget.Bind("up/down", "previous or next field")},
		all[enter:]...)
}

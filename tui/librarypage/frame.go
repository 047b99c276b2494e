package librarypage

import (
	"slices"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// formWidth is how wide the form is, and labelEnd where the values begin in it.
const formWidth, labelEnd = 37, 18

// previewFrom is the width of the window from which on there is a preview beside the list.
const previewFrom = 110

// minPreview is the least width of the preview, which is also at least a quarter of the window.
const minPreview = 36

// Frame is the screen: the form at the left, the list of the current field in the middle, and a preview at the right in
// a wide window.
func (m *Model) Frame() *layout.Box {
	preview, height := 0, m.Height-1
	if m.Width >= previewFrom {
		preview = min(max(m.Width-formWidth-m.listWidth(), minPreview, m.Width/4), m.Width/3)
	}
	panels := layout.Row(m.formPanel(formWidth, height), m.listPanel(m.Width-formWidth-preview, height))
	if preview > 0 {
		panels.Beside(m.previewPanel(preview, height))
	}
	return layout.Column(panels, m.hints())
}

// listWidth is the width in which the list of the current field shows its names in full.
func (m *Model) listWidth() (width int) {
	for _, it := range m.matches(m.field) {
		name := nameEnd
		if m.field != fieldSessions { // whose text has the name
			name = max(name, ansi.StringWidth(it.value)+6)
		}
		width = max(width, name+ansi.StringWidth(it.about)+3)
	}
	return width
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

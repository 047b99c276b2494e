package experimentform

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions/experiment"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// minSplitWidth is the least width of a window with the file beside the form; minForm and maxForm bound the width of
// the form in one.
const minSplitWidth, minForm, maxForm = 118, 80, 110

// Frame is the screen: the form, in a wide window the file beside it, and the description of the current field below.
func (m *Model) Frame() *layout.Box {
	w, h := m.Width, m.Height-2
	form := w
	if w >= minSplitWidth {
		form = layout.Split(w, layout.Rule{Flex: 9}, layout.Rule{Min: minForm, Flex: 11, Max: maxForm})[1]
	}
	panels := layout.Row(m.formPanel(form, h))
	if form < w {
		panels.Beside(m.filePanel(w-form, h))
	}
	last := widget.KeysBox(m.Style, hints(), w)
	if m.Status.Open() {
		last = layout.Text(w, layout.Fit(m.Status.Explain(m.Style), w)).
			Prose("error", "", "The error in the typed file name, if there is one.")
	}
	doing := cmp.Or(m.jobs.Status(m.Style.ASCII), m.cost.Status(m.Style.ASCII))
	status := m.Status.Box(m.Style, w, doing, m.hint()).Describe(layout.Prose, "status", "", m.statusSays)
	return layout.Column(panels, status, last)
}

// statusSays describes the line above the keys.
func (m *Model) statusSays() string {
	switch said, _ := m.Status.Message(); {
	case m.Status.Open():
		return "The input line: enter confirms it, esc cancels."
	case said != "":
		return "The result of the last command: " + strings.TrimSuffix(said, ".") + "."
	case m.jobs.Busy() || m.cost.Busy():
		return "The operation that is running; you can keep typing."
	}
	f, ok := m.field(m.at)
	if !ok {
		return "Press enter to add " + strings.TrimSuffix(one(m.at.table), ".") + "."
	}
	return "The current field, " + f.Key + ": " + strings.TrimSuffix(f.About, ".") + "."
}

// exampleFor is the example of a field as it is typed in the form: without the quotes, and the brackets around a list,
// that it has in the file.
func exampleFor(f experiment.Field) string {
	text := f.Example
	if f.List {
		text = strings.Trim(text, "[]")
	}
	return strings.Trim(strings.ReplaceAll(text, `"`, ""), "{ }")
}

// hint describes the current field.
func (m *Model) hint() string {
	st := m.Style
	f, ok := m.field(m.at)
	if !ok {
		return st.Paint(st.Text, "enter adds "+one(m.at.table)+", tab goes to the next field")
	}
	text := f.About
	switch {
	case f.Choices != nil:
		text += ": " + strings.Join(f.Choices, ", ") + " (left, right)"
	case m.text(m.at) == "":
		text += ", such as " + exampleFor(f)
		if !f.Required {
			text += "; optional"
		}
	}
	return st.PaintBold(st.Text, f.Key) + "  " +
		st.Paint(st.Dim, layout.ShortenIn(st, st.Plain(text), max(m.Width-4-ansi.StringWidth(f.Key), 1)))
}

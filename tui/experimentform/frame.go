package experimentform

import (
	"cmp"
	"fmt"
	"strings"

	"bandscope/functions/experiment"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// minSplitWidth is the least width of a window with the whole file beside the form; minForm and maxForm bound the width
// of the form in one.
const minSplitWidth, minForm, maxForm = 118, 80, 110

// helpRows is the height of the help for the current field, below the form.
const helpRows = 6

// Frame is the screen: the form, below it the help for the current field, and the file: in a wide window all of it
// beside the form, else the lines around the field beside the help.
func (m *Model) Frame() *layout.Box {
	w, h := m.Width, m.Height-2
	var panels *layout.Box
	if w >= minSplitWidth {
		form := layout.Split(w, layout.Rule{Flex: 9}, layout.Rule{Min: minForm, Flex: 11, Max: maxForm})[1]
		panels = layout.Row(layout.Column(m.formPanel(form, h-helpRows), m.helpPanel(form, helpRows)), m.filePanel(w-form, h))
	} else {
		help := w * 11 / 20
		panels = layout.Column(m.formPanel(w, h-helpRows),
			layout.Row(m.helpPanel(help, helpRows), m.filePanel(w-help, helpRows)))
	}
	last := widget.KeysBox(m.Style, hints(), w)
	if m.Status.Open() {
		last = layout.Text(w, layout.Fit(m.Status.Explain(m.Style), w)).
			Prose("error", "", "The error in the typed file name, if there is one.")
	}
	doing := cmp.Or(m.jobs.Status(m.Style.ASCII), m.cost.Status(m.Style.ASCII))
	status := m.Status.Box(m.Style, w, doing, "").Describe(layout.Prose, "status", "", m.statusSays)
	return layout.Column(panels, status, last)
}

// statusSays describes the line above the keys.
func (m *Model) statusSays() string {
	switch message, _ := m.Status.Message(); {
	case m.Status.Open():
		return "The input line: enter confirms it, esc cancels."
	case message != "":
		return "The result of the last command: " + strings.TrimSuffix(message, ".") + "."
	case m.jobs.Busy() || m.cost.Busy():
		return "The operation that is running; you can keep typing."
	}
	return ""
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

// helpPanel explains the current field: the errors of its row, its meaning, and the texts that it takes.
func (m *Model) helpPanel(w, h int) *layout.Box {
	st := m.Style
	title, about, extra := m.help()
	var lines []string
	for i := range m.fieldsOf(m.at.table, m.at.row) { // of the row, beginning with the field
		s := spot{m.at.table, m.at.row, (m.at.field + i) % len(m.fieldsOf(m.at.table, m.at.row))}
		if m.at.table == experiment.Root && s != m.at {
			continue
		}
		for _, text := range m.faultLines(m.place(s)) {
			lines = append(lines, layout.Paragraph(st, st.Error, st.Plain(st.Glyph(theme.GlyphCross)+" "+
				sanitize.Text(text)), w-4)...)
		}
	}
	lines = append(lines, layout.Paragraph(st, st.Text, about, w-4)...)
	lines = append(lines, layout.Paragraph(st, st.Dim, extra, w-4)...)
	body := layout.Text(w-2, lines[:min(len(lines), h-2)]...).Prose("help", "", about+" "+extra)
	return layout.Panel(st, st.Plain(sanitize.Text(title)), body, w, h, false).
		Section(title, "", "The field with the cursor: what it is, and what can be typed.").Important(layout.ImportanceMain)
}

// help describes the current field: its name, what it is, and what can be typed, in sentences.
func (m *Model) help() (title, about, usage string) {
	f, ok := m.field(m.at)
	if !ok {
		return "add " + one(m.at.table), "Press enter to add " + one(m.at.table) + ".",
			"Press tab to go to the next field."
	}
	title = f.Key
	if name := m.draft.Row(m.at.table, m.at.row)["name"]; m.at.table != experiment.Root && name != "" {
		title += " of " + layout.Excerpt(name, maxBrief)
	}
	about = strings.ToUpper(f.About[:1]) + strings.TrimSuffix(f.About[1:], ".") + "."
	need := "Optional"
	if f.Required {
		need = "Required"
	}
	if f.Choices != nil {
		return title, about, fmt.Sprintf("Left and right choose: %s.", strings.Join(f.Choices, ", "))
	}
	return title, about, fmt.Sprintf("%s. For example: %s.", need, exampleFor(f))
}

package librarypage

import (
	"fmt"
	"strings"

	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// formPanel shows the choices, a row per field, and below them the message of the last command.
func (m *Model) formPanel(w, h int) *layout.Box {
	st := m.Style
	body := layout.New(layout.Inner(w, h))
	for f := range fieldCount {
		body.Add(m.fieldRow(f, w-2).At(0, formRow(f)))
	}
	body.Add(layout.Text(w-2, " "+st.Paint(st.Title, "new session")).At(0, formRow(fieldOptimizer)-1))
	if message, bad := m.Status.Message(); message != "" {
		color, top := st.Text, formRow(fieldCount)+1
		if bad {
			color = st.Error
		}
		lines := layout.Wrap(message, w-4)
		for i, l := range lines {
			lines[i] = " " + st.PaintBold(color, l)
		}
		body.Add(layout.Text(w-2, lines[:min(len(lines), max(body.H-top, 0))]...).At(0, top).
			Prose("said", "", "The result of the last command: "+strings.TrimSuffix(message, ".")+"."))
	}
	return layout.Panel(st, "open", body, w, h, true).Describe(layout.Section, "open", "", func() string {
		function, _ := m.chosen(fieldFunction)
		optimizer, _ := m.chosen(fieldOptimizer)
		return fmt.Sprintf(
			"What can be opened: the course, your own experiment, test functions, saved sessions and more. Below are the settings of a new session: now %s with %s. Tab moves from row to row; type to change one.",
			function, optimizer)
	})
}

// formRow is the row of a field in the form; a blank one is above each group.
func formRow(f field) int {
	row := int(f)
	for _, first := range []field{fieldOptimizer, fieldStart} {
		if f >= first {
			row++
		}
	}
	return row
}

// fieldRow is a field with its name and its value.
func (m *Model) fieldRow(f field, w int) *layout.Box {
	st := m.Style
	mark, label := "  ", st.Paint(st.Dim, fields[f].name)
	if f == m.field {
		mark, label = st.PaintBold(st.Accent, st.Pointer()+" "), st.PaintBold(st.Text, fields[f].name)
	}
	name := layout.Line(" " + mark + label)
	if f != fieldStart && !leadsElsewhere(f) {
		name.Sized(labelEnd, 1)
	} else {
		name.Sized(name.W+2, 1)
	}
	row := layout.Row(name)
	if room := w - name.W; f == m.field && f != fieldStart {
		row.Beside(m.typed(f, room-1))
	} else {
		row.Beside(layout.Text(room, layout.ShortenIn(st, m.fieldValue(f), room)))
	}
	if !m.Status.Open() {
		row.Focus = func() { m.focus(f) }
	}
	return row.Describe(layout.Number, fields[f].name, terms[f], func() string { return m.fieldSays(f) })
}

// typed is the current field; one with a list shows the choice until something is typed.
func (m *Model) typed(f field, w int) *layout.Box {
	st, empty := m.Style, ""
	switch {
	case !fields[f].list:
		empty = st.Paint(st.Dim, m.inputs[f].Placeholder)
	case !leadsElsewhere(f):
		empty = m.fieldValue(f)
	}
	b := widget.InputBox(m.inputs[f], w, layout.ShortenIn(st, empty, w))
	if m.Status.Open() { // the prompt has the cursor
		b.Cursor = nil
	}
	return b
}

// fieldValue is the value of a field in its row of the form.
func (m *Model) fieldValue(f field) string {
	st, text := m.Style, m.inputs[f].Value()
	switch {
	case f == fieldStart:
		return st.Paint(st.Dim, "press enter")
	case f == fieldSessions && m.folder.failed != "":
		return st.Paint(st.Error, "cannot be read")
	case f == fieldSessions && !m.folder.loaded:
		return st.Paint(st.Dim, st.Plain("…"))
	case f == fieldExperiment:
		return ""
	case leadsElsewhere(f):
		return st.Paint(st.Dim, fmt.Sprint(len(m.lists[f])))
	case fields[f].list:
		if name, err := m.chosen(f); err == nil {
			return st.Paint(st.Accent, name)
		}
		return st.Paint(st.Error, text)
	case text == "":
		return st.Paint(st.Dim, m.inputs[f].Placeholder)
	}
	return st.Paint(st.Accent, text)
}

// terms are the words of the glossary for fields.
var terms = map[field]string{fieldSeed: "seed", fieldNoise: "observation noise", fieldBudget: "initial design",
	fieldCost: "cost", fieldCostBudget: "cost"}

// fieldSays describes a row of the form: the field and its value.
func (m *Model) fieldSays(f field) string {
	name, n := fields[f].name, len(m.lists[f])
	it, ok := m.on(f)
	switch f {
	case fieldFunction, fieldOptimizer:
		labels := map[field]string{fieldFunction: "The objective function",
			fieldOptimizer: "The method that optimizes the function"}[f]
		if !ok {
			return labels + ": no entry matches this text."
		}
		return fmt.Sprintf("%s: %s, one of %d. %s.", labels, it.value, n, layout.Excerpt(it.about, maxAbout))
	case fieldStart:
		return fields[f].about + " Press enter here, or ctrl+s in any row."
	case fieldExperiment:
		return "A form to declare your own experiment: its variables and measurements. It starts empty" +
			map[bool]string{true: ".", false: ", or filled with the experiment of this session."}[n == 1]
	case fieldSessions:
		switch {
		case m.folder.failed != "":
			return "The saved sessions: the folder cannot be read."
		case !m.folder.loaded:
			return "The saved sessions: the folder is being read."
		case !ok:
			return "The saved sessions: there are none, or none matches this text."
		}
		return fmt.Sprintf("The %s in the folder, newest first: enter opens the chosen one where you left it.",
			strings.Replace(widget.Count(n, "saved session"), "1 saved", "one saved", 1))
	case fieldComparisons:
		return fmt.Sprintf("The %d built-in comparisons of methods on the same data.", n)
	case fieldPlayground:
		return fmt.Sprintf(
			"A playground: an empty plot in which you put results and see what a belief makes of them. It can begin with one of %d beliefs.",
			n)
	case fieldTrainings:
		return fmt.Sprintf("The %d labs: the training of small models, step by step.", n)
	case fieldStudies:
		return fmt.Sprintf(
			"The %s: tables of runs over problems, methods and seeds. Started studies come first, then the built-in ones.",
			widget.Count(n, "study"))
	case fieldGallery:
		return fmt.Sprintf(
			"The gallery: %d recorded sessions on test problems, with notes on their important steps.",
			n)
	case fieldLessons:
		return fmt.Sprintf("The %d lessons of the course: sessions with pages and questions.", n)
	}
	value := m.inputs[f].Value()
	if value == "" {
		value = m.inputs[f].Placeholder
	}
	return fmt.Sprintf("The %s, %s. %s", name, value, fields[f].about)
}

// maxAbout is the number of words of an entry's text in its explanation.
const maxAbout = 40

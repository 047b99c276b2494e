package library

import (
	"fmt"
	"strings"

	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// formPanel shows what is chosen, a row a field, and below it the answer to the last key.
func (m *Model) formPanel(w, h int) *layout.Box {
	st := m.Style
	body := layout.New(layout.Inner(w, h))
	for f := range fieldCount {
		body.Add(m.fieldRow(f, w-2).At(0, formRow(f)))
	}
	if said, bad := m.Status.Message(); said != "" {
		color, top := st.Text, formRow(fieldCount)+1
		if bad {
			color = st.Error
		}
		lines := layout.Wrap(said, w-4)
		for i, l := range lines {
			lines[i] = " " + st.PaintBold(color, l)
		}
		body.Add(layout.Text(w-2, lines[:min(len(lines), max(body.H-top, 0))]...).At(0, top).
			Prose("said", "", "The answer to the last key: "+strings.TrimSuffix(said, ".")+"."))
	}
	return layout.Panel(st, "new session", body, w, h, true).Describe(layout.Section, "new session", "", func() string {
		function, _ := m.chosen(fieldFunction)
		optimizer, _ := m.chosen(fieldOptimizer)
		return fmt.Sprintf("What a new session begins with: now %s with %s. Below it are other things that can be "+
			"opened: sessions, comparisons, labs, lessons. Tab goes from row to row, typing changes one.", function,
			optimizer)
	})
}

// formRow is the row of the form that a field has: a blank one is above what begins a group.
func formRow(f field) int {
	row := int(f)
	for _, first := range []field{fieldStart, fieldExperiment} {
		if f >= first {
			row++
		}
	}
	return row
}

// fieldRow is a field with its name and what stands in it.
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

// typed is the field that is typed into; one of the form that is chosen from a list shows what is chosen until
// something is typed.
func (m *Model) typed(f field, w int) *layout.Box {
	st, empty := m.Style, ""
	switch {
	case !fields[f].list:
		empty = st.Paint(st.Dim, m.inputs[f].Placeholder)
	case !leadsElsewhere(f):
		empty = m.fieldValue(f)
	}
	b := widget.InputBox(m.inputs[f], w, layout.ShortenIn(st, empty, w))
	if m.Status.Open() { // what is typed is asked for elsewhere
		b.Cursor = nil
	}
	return b
}

// fieldValue is what a row of the form shows beside its name.
func (m *Model) fieldValue(f field) string {
	st, text := m.Style, m.inputs[f].Value()
	switch {
	case f == fieldStart:
		return st.Paint(st.Dim, "enter explores it")
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

// fieldSays describes a row of the form: what it is, and what stands in it.
func (m *Model) fieldSays(f field) string {
	name, n := fields[f].name, len(m.lists[f])
	it, ok := m.on(f)
	switch f {
	case fieldFunction, fieldOptimizer:
		what := map[field]string{fieldFunction: "The function that is minimized or maximized",
			fieldOptimizer: "The method that looks for its best value"}[f]
		if !ok {
			return what + ": of what was typed nothing is known."
		}
		return fmt.Sprintf("%s: %s, one of %d. %s.", what, it.value, n, layout.Excerpt(it.about, maxAbout))
	case fieldStart:
		return fields[f].about + " Enter does it, and ctrl+s from any row."
	case fieldExperiment:
		return fmt.Sprintf("A form for an experiment of one's own: what is set, what is measured. There %s.",
			map[bool]string{true: "is one way into it", false: fmt.Sprintf("are %d ways into it", n)}[n == 1])
	case fieldSessions:
		switch {
		case m.folder.failed != "":
			return "Sessions that were saved: the folder cannot be read."
		case !m.folder.loaded:
			return "Sessions that were saved: the folder is being read."
		case !ok:
			return "Sessions that were saved: none is here, or none fits what was typed."
		}
		return fmt.Sprintf("The %s in the folder, the newest first: enter opens the chosen one again where it stands.",
			strings.Replace(widget.Count(n, "saved session"), "1 saved", "one saved", 1))
	case fieldComparisons:
		return fmt.Sprintf("The %d built-in comparisons of methods on the same data.", n)
	case fieldTrainings:
		return fmt.Sprintf("The %d labs: trainings of small models that are watched from inside.", n)
	case fieldStudies:
		return fmt.Sprintf("The %s: tables of runs over problems, methods and seeds, those that were begun before "+
			"those that are built in.", widget.Count(n, "study"))
	case fieldLessons:
		return fmt.Sprintf("The %d lessons of the course: sessions with pages and questions.", n)
	}
	value := m.inputs[f].Value()
	if value == "" {
		value = m.inputs[f].Placeholder
	}
	return fmt.Sprintf("The %s, %s. %s", name, value, fields[f].about)
}

// maxAbout is how many words of what stands beside an entry are told.
const maxAbout = 40

package librarypage

import (
	"fmt"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// listPanel shows the entries of the current field, filtered by the typed text; for a field without a list, its
// description.
func (m *Model) listPanel(w, h int) *layout.Box {
	st, name := m.Style, fields[m.field].name
	if !fields[m.field].list {
		about := layout.Sentence(st, st.Text, fields[m.field].about, w-2, h-3).
			Prose("about "+name, terms[m.field], m.fieldSays(m.field))
		return layout.Panel(st, name, layout.Column(layout.Space(1, 1), about), w, h, false).
			Section(name, terms[m.field], fmt.Sprintf("The current field, %s, and the values that it accepts.", name))
	}
	found, room := m.matches(m.field), h-2
	if len(found) == 0 {
		return m.listed(layout.Panel(st, m.filterTitle(), m.nothing(w, h), w, h, false), 0)
	}
	selected := min(m.selected[m.field], len(found)-1)
	parts := []*layout.Part{{Title: m.filterTitle()}}
	if below := m.below(found[selected], w-2); below != nil && room > below.H+minListed {
		parts = append(parts, &layout.Part{Title: m.nameOf(found[selected]), Body: below})
		room -= 1 + below.H
	}
	rows, current := m.listRows(found, selected, w-2, room)
	top := widget.Top(current, len(rows), room)
	parts[0].Body = layout.Column(rows[top:min(top+room, len(rows))]...).Filled(room)
	panel := layout.SplitPanel(st, w, h, false, parts...)
	m.listed(parts[0].Box, len(found))
	if len(parts) > 1 {
		m.previewed(parts[1].Box, parts[1].Body, found[selected])
	}
	return panel
}

// minListed is the number of rows of a list that a description below it leaves.
const minListed = 5

// below describes the selected entry below the list where there is no preview beside it; nil for none.
func (m *Model) below(it item, w int) *layout.Box {
	switch {
	case m.Width >= previewFrom || m.field == fieldSessions || it.about == "":
		return nil
	case m.hasLessons():
		return m.lessonBelow(it.value, w)
	}
	return layout.Sentence(m.Style, m.Style.Text, it.about, w, 3)
}

// listRows are the entries below the headings of their groups, and the row of the selected one. A blank row separates
// the groups if there is space.
func (m *Model) listRows(found []item, selected, w, room int) (rows []*layout.Box, current int) {
	groups := 0
	begins := func(i int) bool { return found[i].group != "" && (i == 0 || found[i-1].group != found[i].group) }
	for i := range found {
		if begins(i) {
			groups++
		}
	}
	for i, it := range found {
		if begins(i) {
			if i > 0 && room >= len(found)+2*groups {
				rows = append(rows, layout.Space(w, 1))
			}
			rows = append(rows, m.groupRow(it.group, w))
		}
		if i == selected {
			current = len(rows)
		}
		row := m.itemRow(it, i == selected, w)
		if m.hasLessons() {
			row = layout.Text(w, m.lessonRow(m.lesson(it.value), i == selected, w))
		}
		rows = append(rows, m.entry(row, it, i, len(found), i == selected))
	}
	return rows, current
}

// groupRow is the heading of a group.
func (m *Model) groupRow(title string, w int) *layout.Box {
	if m.hasLessons() {
		return m.partRow(title, w)
	}
	return layout.Text(w, " "+m.Style.Paint(m.Style.Title, m.Style.Plain(title))).
		Prose(title, "", "The heading of the entries below it: "+title+".")
}

// hasLessons reports whether the current field lists sessions to read: lessons, or the gallery.
func (m *Model) hasLessons() bool { return m.field == fieldLessons || m.field == fieldGallery }

// filterTitle is the title of a list.
func (m *Model) filterTitle() string { return fields[m.field].name + ": type to filter" }

// listed describes the panel of a list, of which so many entries match the typed text.
func (m *Model) listed(panel *layout.Box, found int) *layout.Box {
	whole := fmt.Sprintf("The list for the field %s: %d of %d entries", fields[m.field].name, found,
		len(m.lists[m.field]))
	if typed := m.inputs[m.field].Value(); typed != "" {
		whole += fmt.Sprintf(" match %q", typed)
	}
	panel.Wheel = [2]string{"up", "down"}
	return panel.Section(m.filterTitle(), "", whole+". Type to filter it, up and down to move, enter to choose.")
}

// entry describes the row of an entry, the one at an index of so many.
func (m *Model) entry(row *layout.Box, it item, index, total int, chosen bool) *layout.Box {
	name := m.nameOf(it)
	if !m.Status.Open() {
		row.Focus = func() { m.selected[m.field] = index }
		row.Actions = []layout.Action{{Key: "enter"}, {Key: "ctrl+s"}}
		if m.field == fieldSessions || m.field == fieldStudies {
			row.Actions = []layout.Action{{Key: "enter"}, {Key: "ctrl+r"}, {Key: "ctrl+y"}, {Key: "ctrl+d"}, {Key: "ctrl+u"}}
		}
	}
	return row.Describe(layout.Number, name, "", func() string {
		says := layout.Excerpt(it.about, maxAbout)
		if m.field != fieldSessions {
			says = it.value + ", " + says
		}
		if chosen {
			return fmt.Sprintf("The chosen entry, %d of %d: %s.", index+1, total, says)
		}
		return fmt.Sprintf("Another entry, %d of %d: %s.", index+1, total, says)
	})
}

// nameEnd is the column of a list in which the texts begin, behind names of usual length.
const nameEnd = 22

// nameOf is the name of an entry.
func (m *Model) nameOf(it item) string {
	if m.field == fieldSessions {
		return nameFor(it.value)
	}
	return it.value
}

// itemRow is an entry of the list with the text beside it.
func (m *Model) itemRow(it item, chosen bool, w int) *layout.Box {
	st := m.Style
	name := it.value
	about := it.about
	if m.field == fieldSessions {
		name, about = it.about, ""
	}
	line := " " + st.Paint(st.Text, "  "+name)
	if chosen {
		line = " " + st.PaintBold(st.Accent, st.Pointer()+" "+name)
	}
	if about != "" {
		line = layout.Fit(line, max(nameEnd, ansi.StringWidth(line)+2)) + st.Paint(st.Dim, about)
	}
	return layout.Text(w, layout.Fit(line, w))
}

// nothing says why the list is empty.
func (m *Model) nothing(w, h int) *layout.Box {
	st := m.Style
	why, color := "no entry matches this text", st.Dim
	if unlisted := m.unlisted(); m.field == fieldSessions && unlisted != "" {
		why = unlisted
	}
	if m.field == fieldSessions && m.folder.failed != "" {
		color = st.Error
	}
	return layout.Sentence(st, color, why, w-2, h-2).
		Prose("empty list", "", "Why the list is empty: there are no entries, or none matches the text.")
}

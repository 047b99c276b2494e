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
	selected := min(m.selected[m.field], max(len(found)-1, 0))
	rows, current := grouped(found, selected)
	top := widget.Top(current, len(rows), room)
	body := layout.New(w-2, 0)
	for _, r := range rows[top:min(top+room, len(rows))] {
		if r < 0 {
			title := found[-r-1].group
			body.Below(layout.Text(w-2, " "+st.Paint(st.Title, st.Plain(title))).
				Prose(title, "", "The heading of the entries below it: "+title+"."))
			continue
		}
		body.Below(m.entry(m.itemRow(found[r], r == selected, w-2), found[r], r, len(found), r == selected))
	}
	if len(found) == 0 {
		body = m.nothing(w, h)
	}
	return m.listed(layout.Panel(st, m.filterTitle(), body, w, h, false), len(found))
}

// grouped are the rows of a list: the index of an entry or, for the heading above entry i, −i−1; and the row of the
// selected entry.
func grouped(found []item, selected int) (rows []int, current int) {
	for i, it := range found {
		if it.group != "" && (i == 0 || found[i-1].group != it.group) {
			rows = append(rows, -i-1)
		}
		if i == selected {
			current = len(rows)
		}
		rows = append(rows, i)
	}
	return rows, current
}

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
	name := it.value
	if m.field == fieldSessions {
		name = nameFor(it.value)
	}
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
		line = layout.Fit(line, max(22, ansi.StringWidth(line)+2)) + st.Paint(st.Dim, about)
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

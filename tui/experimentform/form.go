package experimentform

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bandscope/functions/experiment"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// line is a line of the form, and the line of spots that it belongs to; -1 for none.
type line struct {
	box *layout.Box
	of  int
}

// formPanel shows the part of the form around the cursor that fits, and how complete it is.
func (m *Model) formPanel(w, h int) *layout.Box {
	spots, room := m.lines(), h-2
	body := m.body(w-2, room)
	cursorRow, _ := m.find(spots)
	first, last := 0, 0 // of the lines that belong to where the cursor is
	for i, l := range body {
		if l.of == cursorRow {
			last = i
			if body[max(i-1, 0)].of != cursorRow {
				first = i
			}
		}
	}
	top := max(min(first-room/3, len(body)-room), 0)
	top = max(top, last-room+1)
	shown := layout.New(w-2, 0)
	for i, end := top, min(top+room, len(body)); i < end; {
		row, group := body[i].of, layout.New(w-2, 0)
		for ; i < end && body[i].of == row && (row >= 0 || group.H == 0); i++ {
			group.Below(body[i].box)
		}
		if row >= 0 {
			group.Describe(layout.Number, m.rowName(spots[row]), "", func() string { return m.rowSays(spots[row]) })
		}
		shown.Below(group)
	}
	title := "a new experiment"
	if m.source != "" {
		title += " like " + sanitize.Text(m.source)
	}
	panel := layout.Panel(m.Style, title, shown, w, h, true).Describe(layout.Section, title, "", func() string {
		count := func(table string) string {
			return widget.Count(len(*m.draft.Rows(table)), strings.TrimSuffix(table, "s"))
		}
		return fmt.Sprintf("The declaration of the experiment: %s, %s and %s. Each field is checked while you type.",
			count(experiment.Variables), count(experiment.Objectives), count(experiment.Limits))
	})
	m.state(panel)
	return panel
}

// state says in the lower edge of the form how complete it is.
func (m *Model) state(panel *layout.Box) {
	st := m.Style
	missing, wrong := 0, 0
	for _, f := range m.written.Faults {
		if m.missing(f) {
			missing++
		} else {
			wrong++
		}
	}
	text, says := st.PaintBold(st.Good, "complete: ctrl+s writes the file and starts"),
		"The form is complete. Press ctrl+s to write the file and start a session on it."
	switch {
	case wrong > 0:
		text = st.PaintBold(st.Error, st.Plain(st.Glyph(theme.GlyphCross)+" "+widget.Count(wrong, "error")))
		says = fmt.Sprintf("The form has %s, explained below the rows, and %s to fill in.",
			widget.Count(wrong, "error"), widget.Count(missing, "field"))
	case missing > 0:
		text = st.Paint(st.Dim, widget.Count(missing, "field")+" to fill in")
		says = fmt.Sprintf("The form has %s to fill in, marked as required, before the file can be written.",
			widget.Count(missing, "field"))
	}
	layout.Foot(st, panel, text).Number("state of the form", "", says)
}

// body are the lines of the form, with blank ones between the tables if they fit that many rows.
func (m *Model) body(w, rows int) (body []line) {
	n, c := 0, columnsFor(w)
	put := func(row int, b *layout.Box) { body = append(body, line{b.Sized(w, 1), row}) }
	faults := func(row, x int, position experiment.Place) {
		x = max(min(x, w-minFault), markWidth)
		for _, text := range m.faultLines(position) {
			for i, l := range layout.Wrap(m.Style.Plain(sanitize.Text(text)), w-x-3) {
				mark := "  "
				if i == 0 {
					mark = m.Style.Glyph(theme.GlyphCross) + " "
				}
				put(row, layout.Line(strings.Repeat(" ", x)+m.Style.PaintBold(m.Style.Error, mark+l)))
			}
		}
	}
	for _, spots := range m.lines()[:len(rootLines)] {
		put(n, m.rootLine(spots, w))
		for i, s := range spots {
			faults(n, markWidth+labelWidth+i*(w-rootSecond(w)), m.place(s))
		}
		n++
	}
	faults(0, markWidth, experiment.Place{})
	for _, table := range tables {
		if len(*m.draft.Rows(table)) > 0 {
			put(-1, m.head(table, c))
		}
		faults(n, markWidth, experiment.Place{Table: table, Index: -1})
		for row := range *m.draft.Rows(table) {
			put(n, m.row(table, row, c))
			faults(n, markWidth, experiment.Place{Table: table, Index: row})
			for _, f := range m.fieldsOf(table, row) {
				x, _ := c.at(f.Key)
				faults(n, x, experiment.Place{Table: table, Index: row, Key: f.Key})
			}
			n++
		}
		put(n, m.another(table))
		n++
	}
	if spare := rows - len(body); spare >= len(tables) {
		body = spaced(body, w, m.lines())
	}
	return body
}

// spaced puts a blank line before each table.
func spaced(body []line, w int, spots [][]spot) (all []line) {
	table := experiment.Root
	for i, l := range body {
		row := l.of
		if row < 0 && i+1 < len(body) { // a heading belongs to the row below
			row = body[i+1].of
		}
		if next := spots[row][0].table; next != table {
			table = next
			all = append(all, line{layout.Space(w, 1), -1})
		}
		all = append(all, l)
	}
	return all
}

// rootSecond is how far from the right the second field of a line of the experiment begins, with its label.
func rootSecond(w int) int { return max(min(w/3, 30), secondLabel+12) }

// rootLine is a line of one field or two of the experiment, each behind its label.
func (m *Model) rootLine(spots []spot, w int) *layout.Box {
	all, fields := layout.Row(), m.fieldsOf(experiment.Root, 0)
	for i, s := range spots {
		f := fields[s.field]
		wide := w
		label := labelWidth
		switch {
		case i > 0:
			wide, label = rootSecond(w), secondLabel
		case len(spots) > 1:
			wide = w - rootSecond(w)
		}
		all.Beside(layout.Line(m.mark(s) + layout.Fit(m.label(s, f.Key), label))).
			Beside(m.cell(s, f, wide-markWidth-label-1)).Beside(layout.Space(1, 1))
	}
	return all
}

// another is the line on which another row of a kind is added.
func (m *Model) another(table string) *layout.Box {
	s := spot{table, len(*m.draft.Rows(table)), 0}
	add, color := "+ another "+table, m.Style.Faint
	if s.row == 0 {
		add = "+ " + one(table)
	}
	text := m.Style.Paint(color, add)
	if m.at == s {
		text = m.Style.PaintBold(m.Style.Accent, add)
	}
	b := layout.Line(m.mark(s) + text)
	b.Focus = m.entering(s)
	return b
}

// faultLines are the errors at a place, each beginning with the key if the text does not name it.
func (m *Model) faultLines(place experiment.Place) []string {
	list := m.wrong(place)
	for i, text := range list {
		if !strings.Contains(text, strings.TrimSuffix(place.Key, "s")) {
			list[i] = place.Key + ": " + text
		}
	}
	return list
}

// mark is the beginning of a line: a pointer where the cursor is.
func (m *Model) mark(s spot) string {
	if m.at.table == s.table && m.at.row == s.row && (s.table != experiment.Root || m.at == s) {
		return " " + m.Style.PaintBold(m.Style.Accent, m.Style.Pointer()) + " "
	}
	return "   "
}

// label is the name of a field beside it, or above it.
func (m *Model) label(s spot, text string) string {
	if m.at == s {
		return m.Style.PaintBold(m.Style.Accent, text)
	}
	return m.Style.Paint(m.Style.Dim, text)
}

// head is the heading over the rows of a kind: that of the row in which the cursor is.
func (m *Model) head(table string, c columns) *layout.Box {
	row := 0
	if m.at.table == table && !m.adds(m.at) {
		row = m.at.row
	}
	var keys []string
	all := layout.New(0, 1, layout.Text(c[0].width, m.Style.PaintBold(m.Style.Title, table+"s")).At(c[0].x, 0))
	for i, f := range m.fieldsOf(table, row) {
		if x, w := c.at(f.Key); i > 0 {
			all.Add(layout.Text(w, m.label(spot{table, m.at.row, i}, layout.ShortenIn(m.Style, f.Key, w))).At(x, 0))
			all.W, keys = x+w, append(keys, f.Key)
		}
	}
	return all.Number(table+"s", "",
		fmt.Sprintf("The columns of the rows below, after the name: %s.", strings.Join(keys, ", ")))
}

// row is a row with its fields in their columns.
func (m *Model) row(table string, row int, c columns) *layout.Box {
	all := layout.New(0, 1, layout.Line(m.mark(spot{table: table, row: row})))
	for i, f := range m.fieldsOf(table, row) {
		x, w := c.at(f.Key)
		all.Add(m.cell(spot{table, row, i}, f, w).At(x, 0))
		all.W = x + w
	}
	return all
}

// cell is the field of a spot in w columns.
func (m *Model) cell(s spot, f experiment.Field, w int) *layout.Box {
	st := m.Style
	text, color := st.Plain(sanitize.Text(m.draft.Row(s.table, s.row)[f.Key])), st.Accent
	if len(m.wrong(experiment.Place{Table: s.table, Index: s.row, Key: f.Key})) > 0 {
		color = st.Error
	}
	empty := st.Paint(st.Faint, strings.Repeat("_", max(w, 0)))
	switch {
	case m.at == s && f.Choices != nil:
		left, right := "‹", "›"
		if st.ASCII {
			left, right = "<", ">"
		}
		text = layout.Fit(st.PaintBold(color, left+st.Plain(m.choice(s, f))+right), w)
	case m.at == s && !m.Status.Open():
		return widget.InputBox(m.input, w, empty) // which has the keys
	case text == "" && m.choice(s, f) == "":
		text = empty
	case text == "":
		text = st.Paint(st.Dim, layout.ShortenIn(st, st.Plain(m.choice(s, f)), w))
	default:
		text = st.Paint(color, layout.ShortenIn(st, text, w))
	}
	b := layout.Text(w, text)
	b.Name, b.Focus = f.Key, m.entering(s)
	return b
}

// required is shown in an empty field that must be filled in.
const required = "required"

// choice is the text of a field: its value, else its default, or required if a value is.
func (m *Model) choice(s spot, f experiment.Field) string {
	place := experiment.Place{Table: s.table, Index: s.row, Key: f.Key}
	switch text := m.draft.Row(s.table, s.row)[f.Key]; {
	case text != "":
		return sanitize.Text(text)
	case slices.ContainsFunc(m.written.Faults, func(f experiment.Fault) bool { return f.Place == place }):
		return required
	case f.Choices != nil:
		return f.Choices[0]
	}
	return ""
}

// rowName is the name of a line of the form.
func (m *Model) rowName(spots []spot) string {
	s := spots[0]
	if m.adds(s) {
		return "another " + s.table
	}
	if s.table != experiment.Root {
		return cmp.Or(m.text(s), s.table)
	}
	var keys []string
	for _, s := range spots {
		f, _ := m.field(s)
		keys = append(keys, f.Key)
	}
	return strings.Join(keys, ", ")
}

// rowSays describes a line of the form: a field, a row with all of its fields, or the line that adds a row; with its
// errors.
func (m *Model) rowSays(spots []spot) string {
	s := spots[0]
	if m.adds(s) {
		return "Press enter to add " + one(s.table) + "."
	}
	var faults []string
	for _, s := range spots {
		faults = append(faults, m.faultLines(m.place(s))...)
	}
	wrong := ""
	if len(faults) > 0 {
		wrong = fmt.Sprintf(" It has %s, explained below it.", widget.Count(len(faults), "error"))
	}
	if s.table != experiment.Root {
		return fmt.Sprintf("The %s: %s.%s", strings.TrimSpace(s.table+" "+brief(m.text(s))), m.fieldsSay(spots), wrong)
	}
	var all []string
	for _, s := range spots {
		all = append(all, m.rootSays(s))
	}
	return strings.Join(all, " ") + wrong
}

// rootSays describes a field of the experiment.
func (m *Model) rootSays(s spot) string {
	f, _ := m.field(s)
	value := m.text(s)
	switch {
	case value == "" && f.Choices != nil:
		value = f.Choices[0] + ", the default"
	case value == "" && f.Required:
		value = required
	case value == "":
		value = "empty (optional)"
	}
	return fmt.Sprintf("The field %s, %s: %s.", f.Key, strings.TrimSuffix(f.About, "."), brief(value))
}

// fieldsSay describes the fields of a row: the values, the defaults and the missing ones.
func (m *Model) fieldsSay(spots []spot) string {
	var filled, usual, missing, parts []string
	for i, s := range spots {
		f, _ := m.field(s)
		switch text := m.choice(s, f); {
		case m.text(s) != "" && i == 0: // the name, which comes before all this
		case m.text(s) != "":
			filled = append(filled, f.Key+" "+brief(m.text(s)))
		case f.Choices != nil && text == f.Choices[0]:
			usual = append(usual, f.Key+" "+text)
		case text != "":
			missing = append(missing, f.Key)
		}
	}
	if filled != nil {
		parts = append(parts, strings.Join(filled, ", "))
	}
	if usual != nil {
		parts = append(parts, strings.Join(usual, " and ")+" by default")
	}
	if missing != nil {
		parts = append(parts, "required: "+strings.Join(missing, ", "))
	}
	if parts == nil {
		return "only the name is filled in"
	}
	return strings.Join(parts, "; ")
}

// maxBrief is the number of words of a typed text in an explanation.
const maxBrief = 12

// brief is the beginning of a typed text.
func brief(text string) string { return layout.Excerpt(text, maxBrief) }

package declare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions/experiment"
	"bandscope/functions/experiment/draft"
	"bandscope/sessions/safe"
	"bandscope/tui/explain"
	"bandscope/tui/layout"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// besideWidth is the least width of a window in which the file stands beside the form, mostForm the most that the form takes of one.
const besideWidth, leastForm, mostForm = 118, 80, 110

// Render draws the screen: the form, beside it the file that comes of it where there is room, and below what the field is about.
func (m *Model) Render() []string {
	w, h := m.Width, m.Height-2
	form := w
	if w >= besideWidth {
		form = min(max(w*11/20, leastForm), mostForm)
	}
	lines := m.formPanel(form, h)
	if form < w {
		lines = screen.Beside(lines, m.filePanel(w-form, h))
	}
	last := " " + screen.Footer(m.Style, hints(), m.Width-2)
	if m.Status.Open() {
		last = m.Status.Explain(m.Style)
	}
	doing := cmp.Or(m.jobs.Status(m.Style.ASCII), m.cost.Status(m.Style.ASCII))
	return append(lines, m.Status.Line(m.Style, doing, m.hint()), last)
}

// line is a line of the form, and the line of spots that it belongs to; -1 for none.
type line struct {
	text string
	of   int
}

func (m *Model) formPanel(w, h int) []string {
	st := m.Style
	body := m.body(w - 2)
	at, _ := m.find(m.lines())
	first, last := 0, 0 // of the lines that belong to where the cursor is
	for i, l := range body {
		if l.of == at {
			if last = i; body[max(i-1, 0)].of != at {
				first = i
			}
		}
	}
	room := h - 2
	top := max(min(first-room/3, len(body)-room), 0)
	if len(body) <= room {
		top = 0
	}
	top = max(top, last-room+1)
	var shown []string
	for i := top; i < len(body) && len(shown) < room; i++ {
		shown = append(shown, body[i].text)
	}
	title := "a new experiment"
	if m.like != "" {
		title += " like " + safe.Text(m.like)
	}
	lines := screen.Panel(st, title, shown, w, h, true)
	lines[len(lines)-1] = screen.Bottom(st, m.state(), w)
	return lines
}

// state says how far the form is.
func (m *Model) state() string {
	st := m.Style
	missing, wrong := 0, 0
	for _, f := range m.written.Faults {
		if m.missing(f) {
			missing++
		} else {
			wrong++
		}
	}
	switch {
	case wrong > 0:
		return st.PaintBold(st.Error, st.Plain(fmt.Sprintf("%s %d wrong", st.Glyph(theme.GlyphCross), wrong)))
	case missing > 0:
		return st.Paint(st.Dim, fmt.Sprintf("%d to be filled in yet", missing))
	}
	return st.PaintBold(st.Good, "complete: ctrl+s writes the file and begins")
}

// body are the lines of the form.
func (m *Model) body(w int) (body []line) {
	n, name := 0, m.nameWidth(w)
	put := func(of int, text string) { body = append(body, line{text, of}) }
	faults := func(of int, at draft.Place) {
		for _, text := range m.told(at) {
			for i, l := range layout.Wrap(m.Style.Plain(safe.Text(text)), w-10) {
				mark := "  "
				if i == 0 {
					mark = m.Style.Glyph(theme.GlyphCross) + " "
				}
				put(of, "      "+m.Style.PaintBold(m.Style.Error, mark+l))
			}
		}
	}
	for i, f := range m.fieldsOf(experiment.Root, 0) {
		s := spot{experiment.Root, 0, i}
		put(n, m.mark(s)+layout.Fit(m.label(s, f.Key), 11)+" "+m.cell(s, w-17))
		faults(n, m.place(s))
		n++
	}
	faults(0, draft.Place{})
	for _, table := range tables {
		put(-1, "")
		if len(*m.draft.Rows(table)) > 0 {
			put(-1, m.head(table, name))
		}
		faults(n, draft.Place{Table: table, Index: -1})
		for row := range *m.draft.Rows(table) {
			put(n, m.row(table, row, name))
			faults(n, draft.Place{Table: table, Index: row})
			for i := range m.fieldsOf(table, row) {
				faults(n, m.place(spot{table, row, i}))
			}
			n++
		}
		s := spot{table, len(*m.draft.Rows(table)), 0}
		add := "+ another " + table
		if len(*m.draft.Rows(table)) == 0 {
			add = "+ " + one(table)
		}
		if m.at == s {
			add = m.Style.PaintBold(m.Style.Accent, add)
		} else {
			add = m.Style.Paint(m.Style.Faint, add)
		}
		put(n, m.mark(s)+add)
		n++
	}
	return body
}

// told is what is wrong at a place, each beginning with the key where the words do not name it.
func (m *Model) told(at draft.Place) []string {
	list := m.wrong(at)
	for i, text := range list {
		if !strings.Contains(text, strings.TrimSuffix(at.Key, "s")) {
			list[i] = at.Key + ": " + text
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

// label is the name of a field beside it.
func (m *Model) label(s spot, text string) string {
	if m.at == s {
		return m.Style.PaintBold(m.Style.Text, text)
	}
	return m.Style.Paint(m.Style.Dim, text)
}

// width is how wide a field of a row is that is no name.
func width(table string, f experiment.Field) int {
	w := 8 // a number
	switch {
	case f.Choices != nil:
		for _, c := range f.Choices {
			w = max(w-2, len(c)) + 2 // between the signs around it
		}
	case f.List && table == experiment.Variables:
		w = 17 // two numbers, the bounds of others
	case f.List:
		w = 11
	case f.Text, f.Key == "noise": // a unit, or a number of few digits
		w = 6
	}
	return max(w, len(f.Key))
}

// leastName and mostName are the widths between which the name of a row is.
const leastName, mostName = 10, 26

// nameWidth is how wide the names of rows are, in all of them.
func (m *Model) nameWidth(w int) int {
	name := mostName
	for _, table := range tables {
		for row := range max(len(*m.draft.Rows(table)), 1) {
			rest := w - 4
			for _, f := range m.fieldsOf(table, row)[1:] {
				rest -= width(table, f) + 1
			}
			name = min(name, rest)
		}
	}
	return max(name, leastName)
}

// head is the heading over the rows of a kind: that of the row in which the cursor is.
func (m *Model) head(table string, name int) string {
	row := 0
	if m.at.table == table && !m.adds(m.at) {
		row = m.at.row
	}
	text := "   " + layout.Fit(m.Style.PaintBold(m.Style.Title, table+"s"), name+1)
	for i, f := range m.fieldsOf(table, row) {
		if i > 0 {
			text += layout.Fit(m.label(spot{table, m.at.row, i}, f.Key), width(table, f)+1)
		}
	}
	return text
}

// row is a row with its fields beside each other.
func (m *Model) row(table string, row, name int) string {
	text := m.mark(spot{table: table, row: row})
	for i, f := range m.fieldsOf(table, row) {
		w := name
		if i > 0 {
			w = width(table, f)
		}
		text += m.cell(spot{table, row, i}, w) + " "
	}
	return text
}

// cell is a field in w columns.
func (m *Model) cell(s spot, w int) string {
	st := m.Style
	f, _ := m.field(s)
	text := m.text(s)
	color := st.Accent
	if len(m.wrong(m.place(s))) > 0 {
		color = st.Error
	}
	switch {
	case m.at == s && f.Choices != nil:
		left, right := "‹", "›"
		if st.ASCII {
			left, right = "<", ">"
		}
		return layout.Fit(st.PaintBold(color, left+st.Plain(m.choice(s, f))+right), w)
	case m.at == s && !m.Status.Open():
		in := m.input
		in.SetWidth(max(w-1, 1))
		in.SetCursor(in.Position())
		return layout.Fit(in.View(), w)
	case text == "":
		return layout.Fit(st.Paint(st.Faint, layout.ShortenIn(st, st.Plain(m.choice(s, f)), w)), w)
	}
	return layout.Fit(st.Paint(color, layout.ShortenIn(st, st.Plain(safe.Text(text)), w)), w)
}

// choice is what stands in a field: what is chosen, or where nothing is, what is so then, or that something is needed.
func (m *Model) choice(s spot, f experiment.Field) string {
	at := m.place(s)
	switch text := m.text(s); {
	case text != "":
		return safe.Text(text)
	case slices.ContainsFunc(m.written.Faults, func(f draft.Fault) bool { return f.Place == at }):
		return "······"
	case f.Choices != nil:
		return f.Choices[0]
	}
	return ""
}

// exampleOf is the example of a field as it is typed in the form: without the quotes, and the brackets around a list, that it has in the file.
func exampleOf(f experiment.Field) string {
	text := f.Example
	if f.List {
		text = strings.Trim(text, "[]")
	}
	return strings.Trim(strings.ReplaceAll(text, `"`, ""), "{ }")
}

// hint says what the field is about in which the cursor is.
func (m *Model) hint() string {
	st := m.Style
	f, ok := m.field(m.at)
	if !ok {
		return st.Paint(st.Text, "enter adds "+one(m.at.table)+", tab goes on")
	}
	text := f.About
	switch {
	case f.Choices != nil:
		text += ": " + strings.Join(f.Choices, ", ") + " (left, right)"
	case m.text(m.at) == "":
		text += ", such as " + exampleOf(f)
		if !f.Required {
			text += "; may stay empty"
		}
	}
	return st.PaintBold(st.Text, f.Key) + "  " + st.Paint(st.Dim, layout.ShortenIn(st, st.Plain(text), max(m.Width-4-ansi.StringWidth(f.Key), 1)))
}

// Frame is the screen as a tree of boxes.
func (m *Model) Frame() *layout.Box { return explain.Old(m.Width, m.Render(), m.Elements) }

package experimentform

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/functions/experiment"
)

// spot is a place of the form where the cursor can be: a field of a row, from 0, or behind the last row where another
// one is added.
type spot struct {
	table string
	row   int
	field int
}

// tables are the kinds of rows of which there are several.
var tables = []string{experiment.Variables, experiment.Mixtures, experiment.Objectives, experiment.Limits}

// fieldsOf are the fields of a row that apply to its kind, in the order of their columns.
func (m *Model) fieldsOf(table string, row int) (list []experiment.Field) {
	values := m.draft.Row(table, row)
	for _, f := range experiment.Fields(table) {
		if f.AppliesTo(table, values["kind"]) {
			list = append(list, f)
		}
	}
	if table != experiment.Root {
		slices.SortStableFunc(list, func(a, b experiment.Field) int { return slot(a.Key) - slot(b.Key) })
	}
	return list
}

// lines are the spots of the form, those beside each other in one line.
func (m *Model) lines() (lines [][]spot) {
	fields := m.fieldsOf(experiment.Root, 0)
	for _, keys := range rootLines {
		var line []spot
		for _, key := range keys {
			i := slices.IndexFunc(fields, func(f experiment.Field) bool { return f.Key == key })
			line = append(line, spot{experiment.Root, 0, i})
		}
		lines = append(lines, line)
	}
	for _, table := range tables {
		n := len(*m.draft.Rows(table))
		for row := range n {
			var line []spot
			for i := range m.fieldsOf(table, row) {
				line = append(line, spot{table, row, i})
			}
			lines = append(lines, line)
		}
		lines = append(lines, []spot{{table, n, 0}})
	}
	return lines
}

// adds reports whether a spot adds another row.
func (m *Model) adds(s spot) bool {
	return s.table != experiment.Root && s.row >= len(*m.draft.Rows(s.table))
}

// field is the field of a spot; false where a row is added.
func (m *Model) field(s spot) (experiment.Field, bool) {
	if m.adds(s) {
		return experiment.Field{}, false
	}
	return m.fieldsOf(s.table, s.row)[s.field], true
}

// place is the place of a spot in the draft.
func (m *Model) place(s spot) experiment.Place {
	f, _ := m.field(s)
	return experiment.Place{Table: s.table, Index: s.row, Key: f.Key}
}

// text is the typed text of a spot.
func (m *Model) text(s spot) string {
	f, ok := m.field(s)
	if !ok {
		return ""
	}
	return m.draft.Row(s.table, s.row)[f.Key]
}

// find is the place of the cursor in the lines.
func (m *Model) find(lines [][]spot) (line, within int) {
	for i, l := range lines {
		if j := slices.Index(l, m.at); j >= 0 {
			return i, j
		}
	}
	return 0, 0
}

// enter puts the cursor on a spot; on the nearest that there is.
func (m *Model) enter(s spot) tea.Cmd {
	if rows := m.draft.Rows(s.table); rows != nil {
		s.row = min(max(s.row, 0), len(*rows))
	}
	if m.adds(s) {
		s.field = 0
	} else {
		s.field = min(max(s.field, 0), len(m.fieldsOf(s.table, s.row))-1)
	}
	m.at, m.letters = s, ""
	m.input.SetValue(m.text(s))
	m.input.CursorEnd()
	return m.input.Focus()
}

// entering puts the cursor on a spot, unless a prompt is open.
func (m *Model) entering(s spot) func() {
	if m.Status.Open() {
		return nil
	}
	return func() { m.enter(s) }
}

// next goes to the next field, or the one before, around the end.
func (m *Model) next(delta int) tea.Cmd {
	all := slices.Concat(m.lines()...)
	return m.enter(all[(slices.Index(all, m.at)+delta+len(all))%len(all)])
}

// line goes to the line above or below.
func (m *Model) line(delta int) tea.Cmd {
	lines := m.lines()
	line, within := m.find(lines)
	target := lines[min(max(line+delta, 0), len(lines)-1)]
	return m.enter(target[min(within, len(target)-1)])
}

// forward goes on to the next field, or adds a row.
func (m *Model) forward() tea.Cmd {
	if m.adds(m.at) {
		return m.add()
	}
	return m.next(+1)
}

// add adds a row where the cursor is.
func (m *Model) add() tea.Cmd {
	rows := m.draft.Rows(m.at.table)
	*rows = append(*rows, experiment.Row{})
	m.check()
	return m.enter(m.at)
}

// noRow is why there is no row to move or remove.
func (m *Model) noRow() string {
	if m.at.table == experiment.Root || m.adds(m.at) {
		return "no row is selected; up and down go to one"
	}
	return ""
}

// remove removes the row in which the cursor is.
func (m *Model) remove() tea.Cmd {
	m.pushUndo()
	rows := m.draft.Rows(m.at.table)
	*rows = slices.Delete(*rows, m.at.row, m.at.row+1)
	m.check()
	m.Say("removed; ctrl+u restores it", false)
	return m.enter(m.at)
}

// move moves the row in which the cursor is.
func (m *Model) move(delta int) tea.Cmd {
	rows, target := *m.draft.Rows(m.at.table), m.at.row+delta
	if target < 0 || target >= len(rows) {
		m.Say("the row cannot move further", false)
		return nil
	}
	rows[m.at.row], rows[target] = rows[target], rows[m.at.row]
	m.check()
	return m.enter(spot{m.at.table, target, m.at.field})
}

// edit passes a key or pasted text to the field in which the cursor is; behind the last row it begins another one.
func (m *Model) edit(msg tea.Msg) tea.Cmd {
	press, pressed := msg.(tea.KeyPressMsg)
	if _, pasted := msg.(tea.PasteMsg); m.adds(m.at) &&
		(pasted || press.Text != "" && strings.TrimSpace(press.Text) != "") {
		m.add()
	}
	f, ok := m.field(m.at)
	switch {
	case !ok && pressed:
		m.Say("press enter to add "+one(m.at.table), false)
		return nil
	case !ok:
		return nil
	case f.Choices != nil:
		if pressed {
			m.choose(f, press)
		}
		return nil
	}
	before, position := m.input.Value(), m.input.Position()
	var cmd tea.Cmd
	m.input, cmd = m.input.Update(msg)
	if m.input.Value() != before {
		m.put(f, m.input.Value())
	} else if pressed && m.input.Position() == position {
		m.Say(press.String()+" has no effect here", false)
	}
	return cmd
}

// put puts a text into the field in which the cursor is.
func (m *Model) put(f experiment.Field, text string) {
	row := m.draft.Row(m.at.table, m.at.row)
	row[f.Key] = text
	if text == "" {
		delete(row, f.Key)
	}
	m.done = false
	m.check()
}

// choose takes a choice by its first letters, or the next one with a first letter; backspace and delete remove it.
func (m *Model) choose(f experiment.Field, press tea.KeyPressMsg) {
	switch press.String() {
	case "delete", "backspace":
		m.letters = ""
		m.put(f, "")
		return
	}
	now, letter := slices.Index(f.Choices, m.choice(m.at, f)), strings.ToLower(press.Text)
	for _, letters := range []string{m.letters + letter, letter} {
		for i := range f.Choices {
			if len(letters) <= len(letter) { // another one, if there is one
				i += now + 1
			}
			if c := f.Choices[i%len(f.Choices)]; letter != "" && strings.HasPrefix(c, letters) {
				m.letters = letters
				m.put(f, chosen(f, c))
				return
			}
		}
	}
	m.Say(press.String()+" is not a choice; left and right go through "+strings.Join(f.Choices, ", "), false)
}

// chosen is a choice as text; empty for the default.
func chosen(f experiment.Field, choice string) string {
	if !f.Required && choice == f.Choices[0] {
		return ""
	}
	return choice
}

// sideways goes to another choice, or moves the cursor in the text, and beyond its ends to the next field.
func (m *Model) sideways(press tea.KeyPressMsg) tea.Cmd {
	step := 1
	if press.String() == "left" {
		step = -1
	}
	f, ok := m.field(m.at)
	if !ok || f.Choices == nil {
		if end := (step + 1) / 2 * len([]rune(m.input.Value())); m.input.Position() == end {
			return m.next(step)
		}
		return m.edit(press)
	}
	i := slices.Index(f.Choices, m.text(m.at))
	if i < 0 && f.Required { // nothing is chosen yet
		i = min(-step, 0)
	} else if i < 0 {
		i = 0
	}
	n := len(f.Choices)
	m.put(f, chosen(f, f.Choices[(i+step+n)%n]))
	return nil
}

// one is a row of a kind in words.
func one(table string) string {
	switch table {
	case experiment.Objectives:
		return "an objective"
	case experiment.Limits:
		return "a limit on another measurement"
	case experiment.Mixtures:
		return "a mixture: variables with a fixed sum"
	}
	return "a variable"
}

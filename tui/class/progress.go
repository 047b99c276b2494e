package class

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/classroom"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Progress is the page of what the class has done in the lessons: lessons by people, and the hardest questions.
type Progress struct {
	page
	row, col int // the first person and the first lesson that are shown
}

// NewProgress makes the page.
func NewProgress(st classroom.State) *Progress { return &Progress{page: newPage(st)} }

// Update takes a message.
func (m *Progress) Update(msg tea.Msg) tea.Cmd {
	if cmd, taken := m.take(msg); taken {
		return cmd
	}
	if press, ok := msg.(tea.KeyPressMsg); ok {
		cmd, _ := widget.Take(m, &m.Status, progressCommands, press)
		return cmd
	}
	return nil
}

// scrolls makes a command that shows other people and lessons.
func scrolls(rows, cols int) func(*Progress) tea.Cmd {
	return func(m *Progress) tea.Cmd {
		m.row = max(min(m.row+rows, len(m.state.People)-1), 0)
		m.col = max(min(m.col+cols, len(m.state.Progress().Lessons)-1), 0)
		return nil
	}
}

var progressCommands = append([]widget.Command[*Progress]{
	widget.NewCommand(widget.Bind("up/down", "other people", "up"), nil, scrolls(-1, 0)),
	widget.NewCommand(widget.Bind("", "other people", "down"), nil, scrolls(1, 0)),
	widget.NewCommand(widget.Bind("left/right", "other lessons", "left"), nil, scrolls(0, -1)),
	widget.NewCommand(widget.Bind("", "other lessons", "right"), nil, scrolls(0, 1)),
	widget.NewRequestCommand[*Progress](widget.Bind("esc", "back to the class", "esc"), widget.Close{}),
}, widget.GlobalCommands[*Progress]()...)

// KeyMap describes the current keys.
func (m *Progress) KeyMap() widget.KeyMap {
	return widget.KeyMap{Title: "the progress of the class", Keys: widget.Keys(m, progressCommands)}
}

// Frame is the table over the hardest questions.
func (m *Progress) Frame() *layout.Box {
	return m.frame("", func(w, h int) *layout.Box {
		p := m.state.Progress()
		if len(p.Lessons) == 0 {
			return layout.EmptyPanel(m.Style, "progress", "Nobody has opened a lesson yet.", w, h, "",
				"Who has read which lesson.", "nobody has opened a lesson yet")
		}
		below := 0
		if n := len(p.Questions); n > 0 {
			below = min(n+2, max(h/3, 4))
		}
		table := m.table(p, w, h-below)
		if below == 0 {
			return table
		}
		return layout.Column(table, m.questions(p, w, below))
	}, keys(&m.page, progressCommands, "up/down left/right esc : ? q"))
}

// lessonWidth is the width of the column of a lesson.
const lessonWidth = 14

// table is the lessons by people.
func (m *Progress) table(p classroom.Progress, w, h int) *layout.Box {
	st, inner := m.Style, w-2
	readings := map[[2]string]classroom.Reading{}
	for _, r := range p.Readings {
		readings[[2]string{m.state.People[r.Person].ID, r.Lesson}] = r
	}
	lessons := p.Lessons[min(m.col, len(p.Lessons)-1):]
	lessons = lessons[:min(len(lessons), max((inner-20)/lessonWidth, 1))]
	head := cell(st, "", 18)
	for _, l := range lessons {
		head += " " + cell(st, l, lessonWidth-1)
	}
	all := layout.Column(number(st, inner, st.Dim, head, "lessons", fmt.Sprintf(
		"The lessons, %d in all. Each cell is the last page of the lesson that the person reached.", len(p.Lessons))))
	for _, person := range m.state.People[min(m.row, len(m.state.People)):] {
		if all.H >= h-3 {
			break
		}
		if person.Role == classroom.Student {
			all.Below(m.personRow(person, lessons, readings, inner))
		}
	}
	all = all.Filled(h - 3).Below(m.readCounts(p, lessons, inner))
	return panel(st, "progress", all, w, h, "", "Who has read which lesson: the last page reached, of how many.")
}

// personRow is the row of a person.
func (m *Progress) personRow(person classroom.Person, lessons []string, readings map[[2]string]classroom.Reading,
	w int) *layout.Box {
	st := m.Style
	text := cell(m.Style, person.Pseudonym, 18)
	read := 0
	done := 0
	for _, l := range lessons {
		r, ok := readings[[2]string{person.ID, l}]
		mark := "·"
		if ok {
			mark = fmt.Sprintf("%d/%d", r.Page, r.Pages)
			if r.Pages == 0 {
				mark = fmt.Sprint(r.Page)
			}
			if r.Read() {
				mark, read = mark+" ✓", read+1
			}
			if r.Exercise {
				mark, done = mark+" "+st.Glyph(theme.GlyphStar), done+1
			}
		}
		text += " " + cell(st, mark, lessonWidth-1)
	}
	return number(st, w, st.Text, text, person.Pseudonym, fmt.Sprintf(
		"%s has read %d of the %d lessons shown to the end, and done %s.", person.Pseudonym, read, len(lessons),
		widget.Count(done, "exercise")))
}

// readCounts is how many have read each lesson, and done its exercise.
func (m *Progress) readCounts(p classroom.Progress, lessons []string, w int) *layout.Box {
	text, says := cell(m.Style, "read ✓, exercise "+m.Style.Glyph(theme.GlyphStar), 18), ""
	for _, l := range lessons {
		read, done := 0, 0
		for _, r := range p.Readings {
			if r.Lesson == l && r.Read() {
				read++
			}
			if r.Lesson == l && r.Exercise {
				done++
			}
		}
		text += " " + cell(m.Style, fmt.Sprintf("%d ✓ %d %s", read, done, m.Style.Glyph(theme.GlyphStar)),
			lessonWidth-1)
		if says == "" {
			says = fmt.Sprintf(" The first one shown was read by %d, and its exercise done by %d.", read, done)
		}
	}
	return number(m.Style, w, m.Style.Accent, text, "totals",
		"How many have read each lesson to the end and done its exercise."+says)
}

// questions is the list of the questions that were answered wrongly most often.
func (m *Progress) questions(p classroom.Progress, w, h int) *layout.Box {
	st, inner := m.Style, w-2
	all := layout.Column(layout.Space(inner, 0))
	for _, q := range p.Questions {
		if all.H >= h-2 || q.Wrong == 0 {
			break
		}
		share := float64(q.Wrong) / float64(q.Answered)
		text := cell(st, fmt.Sprintf("%s, page %d", q.Lesson, q.Page), 30) + " " + bar(st, share, max(min(inner-60,
			30), 4)) +
			fmt.Sprintf(" %d of %d wrong", q.Wrong, q.Answered)
		all.Below(number(st, inner, st.Text, text, fmt.Sprintf("%s %d", q.Lesson, q.Page), fmt.Sprintf(
			"The question on page %d of %s: %d of %d first answers were wrong.", q.Page, quote(q.Lesson, 8), q.Wrong,
			q.Answered)))
	}
	return panel(st, "answered wrongly most often", all, w, h, "",
		"The questions of the lessons whose first answers were wrong most often.")
}

package explore

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/safe"
	"bandscope/tui/explore/lesson"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/note"
	"bandscope/tui/explore/parameters"
)

// page is where the reader of a lesson stands.
func (m *Model) page() lesson.Page { return lesson.Page{State: m.state, Line: m.line} }

// asking reports whether the reader is asked where to query, and has not said yet. Meanwhile what would give the answer away is hidden.
func (m *Model) asking() bool { return m.session.Lesson() != nil && m.question.Open(m.page()) }

// readOn goes on in a lesson or a replay: past a question only when it was answered, or passed over.
func (m *Model) readOn() tea.Cmd {
	if m.asking() && !m.question.Pass(m.page()) {
		m.say("x chooses your point; space again passes over")
		return nil
	}
	return m.turnPage()
}

// answerWith takes the reader's point, and shows what the record did.
func (m *Model) answerWith(x []float64) tea.Cmd {
	var next []float64
	if m.told != nil && len(m.told.Next) > 0 {
		next = m.told.Next[0]
	}
	if err := m.question.Answer(m.page(), m.along().Image().Picture, x, next); err != nil {
		m.fail(err)
		return nil
	}
	return m.turnPage()
}

// notes are what is written at the place where the session stands: of a lesson the page that was turned last, otherwise every note on the step.
func (m *Model) notes() string {
	if m.session.Lesson() != nil {
		text := m.state.LastNote().Text
		if said := m.question.Verdict(m.page(), m.Style); said != "" {
			text = said + "\n\n" + text
		}
		return text
	}
	return note.On(mode.NotesOf(m.state))
}

// notesShown reports whether notes are shown beside the plot.
func (m *Model) notesShown() bool {
	return !m.beside.Hidden && m.panel() == nil && m.lower() == nil && m.notes() != ""
}

// sidePanels are the panels at the right: notes where there are some, the parameters, the regret.
func (m *Model) sidePanels(l layout) []string {
	switch p := m.panel(); {
	case p != nil && p.Whole():
		return p.Panel(m.scene(), l.side, l.height)
	case p != nil:
		return append(p.Panel(m.scene(), l.side, l.params), m.lowerPanels(l)...)
	}
	if !m.notesShown() && l.params == 0 {
		return m.lowerPanels(l)
	}
	if !m.notesShown() {
		return append(parameters.Panel(m.scene(), m.factLines(l.side-4), l.side, l.params), m.lowerPanels(l)...)
	}
	if m.notesHeight(l) == l.height {
		return m.notesPanel(l)
	}
	return append(m.notesPanel(l), m.lowerPanels(l)...)
}

// notesHeight is the height of the panel of notes.
func (m *Model) notesHeight(l layout) int {
	if m.session.Lesson().Hides("regret") {
		return l.height
	}
	return l.params
}

// scrollable is how many lines the notes can be scrolled by, 0 where all of them are shown.
func (m *Model) scrollable() int {
	l := m.layout()
	return note.Over(m.Style, m.notes(), l.side, m.notesHeight(l))
}

// notesPanel shows the notes.
func (m *Model) notesPanel(l layout) []string {
	title := fmt.Sprintf("notes on step %d", len(m.state.Iterations))
	if lesson := m.session.Lesson(); lesson != nil {
		title = safe.Text(lesson.Title)
	}
	return m.beside.Panel(m.Style, title, m.notes(), l.side, m.notesHeight(l))
}

package explore

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/sanitize"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/note"
	"bandscope/tui/explore/view"
	"bandscope/tui/explore/views"
	"bandscope/tui/lessonpage"
	"bandscope/tui/player"
)

// asking reports whether a lesson asks for a point and the reader has not chosen one yet. Everything that would reveal
// the answer is hidden until then.
func (m *Model) asking() bool { return m.session.Lesson() != nil && m.Reader.Asking(m.Page()) }

// showLessonView shows the view that the page of a lesson asks for, or the default view.
func (m *Model) showLessonView() {
	if m.session.Lesson() == nil {
		return
	}
	v, ok, err := m.Reader.View(m.Page())
	if err != nil {
		m.Status.Fail(fmt.Errorf("the view of this page does not exist: %w", err))
	}
	if !ok {
		return
	}
	m.pictureIndex = 0
	m.view.X = v.Variable
	m.view.Theory = v.Theory
	m.lowerPanel = v.Theory || v.Traces || v.Summary
	m.traces.Show(v.Trace)
	m.showNext = v.Next
	if v.Summary != m.showSummary {
		m.showSummary = v.Summary
		m.reveal = m.state.Problem.Truth != nil && !m.session.Lesson().Hides("truth") && !v.Summary
	}
	for i, p := range m.pictures {
		switch p := p.(type) {
		case *views.Line:
			if v.Picture == "line" {
				m.pictureIndex = i
			}
		case *views.Plane:
			p.Enlarge(v.Field)
			if v.Picture == "plane" {
				m.pictureIndex = i
			}
		}
	}
}

// withoutTraces reports whether a lesson hides the traces while its page is shown.
func (m *Model) withoutTraces() bool { return m.session.Lesson().Hides("regret") && !m.lowerPanel }

// answerWith takes the reader's point, and goes on to the recorded step.
func (m *Model) answerWith(x []float64) tea.Cmd {
	var next []float64
	if m.report != nil && len(m.report.Next) > 0 {
		next = m.report.Next[0]
	}
	posterior := m.along().Posterior()
	if m.planeShown() {
		posterior = m.plane().VisiblePlane(view.Scene{})
	}
	promised := lessonpage.NewRelativeEI(m.state, posterior)
	if err := m.Reader.Point.Answer(m.Page(), promised, x, next); err != nil {
		m.Status.Fail(err)
		return nil
	}
	return player.Do(m, m.Turn())
}

// Notes are the texts of the current step: in a lesson the current page, otherwise every note on the step.
func (m *Model) Notes() note.Page {
	notes := mode.NotesFor(m.state)
	switch l := m.session.Lesson(); {
	case l != nil:
		page := note.LessonPage(sanitize.Text(l.Title), m.Reader.Text(m.Page(), m.Style), m.Reader.Asks(m.Page()))
		return m.ReadingPosition.PageWithNext(page, m.Line)
	case m.sheet != nil:
		return m.sheet.Page(m.Style).WithNotes(notes)
	}
	return note.NotesPage(notes)
}

// NotesSize is the size of the notes panel.
func (m *Model) NotesSize() (w, h int) {
	l := m.layout()
	return l.side, l.text
}

package watch

import (
	"bandscope/tui/explain"
	"bandscope/tui/explore/mode"
	"bandscope/tui/watch/told"
)

// Elements tells what is seen.
func (m *Model) Elements() []explain.Element {
	lines := m.Render()
	said, _ := m.Status.Said()
	s := told.Screen{Seen: explain.See(lines), Style: m.Style, State: m.state, Line: m.line, Lesson: m.session.Lesson() != nil, Asking: m.asking(), Bar: m.barWidth(), W: m.Width, Rows: m.Height, Asked: m.Status.Open(), Said: said, Doing: m.jobs.Status(true)}
	list := append(s.Above(), m.picture.Elements(m.place(), s.Seen)...)
	if doing, ok := m.modes.Doing.(mode.Explaining); ok {
		at := mode.Seen{Lines: lines, Status: -1}
		if _, tells := m.modes.Doing.(mode.Telling); tells && said == "" {
			at.Status, s.Silent = m.Height-2, true
		}
		if side := m.side(); m.panel() != nil {
			at.Left, at.Top, at.W, at.H = m.Width-side, headRows, side, m.pictureRows()
		}
		list = append(list, doing.Elements(m.scene(), at)...)
	}
	for _, p := range s.Parts() {
		if m.side() > 0 && p.Left >= m.Width-m.side() && m.panel() == nil {
			beside := m.beside.Elements(m.Style, m.notes(), s.Lesson, m.notesHere(), p)
			if s.Lesson {
				beside[0].Says = s.Page()
			}
			list = append(list, beside...)
		}
	}
	return append(list, s.Below()...)
}

package diagnostics

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"bandscope/sessions/safe"
	"bandscope/tui/layout"
	"bandscope/tui/screen"
)

// Frame is the screen: the picture and the results that hold the choice at the left, at the right what it is made of, what was nearly chosen, and what would change it.
func (m *ExplainPage) Frame() *layout.Box {
	h := m.Height - 2
	right := layout.Split(m.Width, layout.Rule{Flex: 3}, layout.Rule{Min: 38, Flex: 2, Max: 80})[1]
	left := m.Width - right
	upper := max(h*6/10, h-16)
	made := 8
	if m.report != nil {
		upper = max(min(upper, h-4), h-max(len(m.report.Influence), 2)-3) // what the list does not need is the picture's
		made = min(m.needs(right), h/2)
	}
	nearly := min(max((h-made)/2, 5), 9)
	side := layout.Column(m.parts(right, made), m.nearly(right, nearly), m.changes(right, h-made-nearly))
	return layout.Column(layout.Row(layout.Column(m.picture(left, upper), m.holding(left, h-upper)), side),
		m.status(), screen.KeysBox(m.Style, m.hinted(), m.Width))
}

// hinted are the keys that do something at the moment.
func (m *ExplainPage) hinted() []key.Binding {
	return screen.Bindings(slices.DeleteFunc(explainCommands(), func(c screen.Command[*ExplainPage]) bool { return c.Off != nil && c.Off(m) != "" }))
}

// status says what is asked, what went wrong, or what the point is.
func (m *ExplainPage) status() *layout.Box {
	st := m.Style
	own, says := "", "Nothing is known of a point yet."
	if r := m.report; r != nil {
		text := m.point() + ": " + r.Origin
		says = "The point that all of this is about, " + m.point() + ", and where it comes from: " + r.Origin + "."
		if r.Note != "" {
			text += "; " + r.Note
		}
		own = st.Paint(st.Dim, st.Plain(safe.Text(text)))
	}
	switch said, _ := m.Status.Said(); {
	case said != "":
		says = "The answer to the last key: " + said + "."
	case m.jobs.Busy():
		says = "The model is being asked meanwhile; esc stops that, and what is shown stays."
	case own == "":
		says = ""
	}
	return layout.Text(m.Width, m.Status.Line(st, m.jobs.Status(st.ASCII), own)).Prose("status", "", says)
}

// point is the chosen point as it is written.
func (m *ExplainPage) point() string { return screen.Point(m.state.Problem.Domain, m.report.Chosen.X) }

// lacking is why there is nothing to tell; empty where there is.
func (m *ExplainPage) lacking() string {
	switch {
	case m.failed != "":
		return safe.Text(m.failed)
	case m.report == nil:
		return "asking the model…"
	}
	return m.report.Unavailable
}

// mostWords is how many words of a reason are told.
const mostWords = 50

// empty is a panel in which nothing is listed: what would be, and why it is not.
func (m *ExplainPage) empty(title, term, what, text string, w, h int) *layout.Box {
	body := layout.Space(0, 0)
	if text != "" {
		why := layout.Excerpt(strings.TrimSuffix(text, "…"), mostWords)
		body = layout.Sentence(m.Style, m.Style.Dim, text, w-2, h-2).Prose("what is missing", "", "Why nothing is listed here: "+why+".")
	}
	return layout.Panel(m.Style, m.Style.Plain(title), body, w, h, false).Section(title, term, what)
}

// list collects the rows of a panel of w×h cells, each a box, as far as there is room for them.
type list struct {
	*layout.Box
	w, room int
}

func rows(w, h int) list { return list{layout.New(w-2, 0), w - 2, h - 2} }

// add adds lines below the others, as one box to be described; of no height where there is no room.
func (l list) add(lines ...string) *layout.Box {
	b := layout.Text(l.w, lines[:min(len(lines), max(l.room-l.H, 0))]...)
	l.Below(b)
	return b
}

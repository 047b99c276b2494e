package modelcheck

import (
	"fmt"
	"strings"

	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// Frame is the screen: the answer above, below it the picture and the influential results on the left; on the right the
// parts of the acquisition, the runners-up and the counterfactuals. A small window has one view of them.
func (m *ExplainPage) Frame() *layout.Box {
	answer := m.reason()
	body := m.wholeView
	switch {
	case m.report != nil && m.report.Unavailable != "":
		body = m.picture // which says why there is no more
	case m.small():
		body = []func(w, h int) *layout.Box{m.choiceView, m.otherChoices}[m.view]
	}
	status, says := m.status()
	return frame(m, &m.page, explainCommands(), layout.Column(answer, body(m.Width, m.Height-2-answer.H)), status, says,
		"")
}

// explainViews is the number of views of a small window; otherChoicesView is the one of what would change the choice.
const explainViews, otherChoicesView = 2, 1

// reason is the answer why the point is the next one or, while it is not known, the running computation.
func (m *ExplainPage) reason() *layout.Box {
	const title, term = "why this point?", "acquisition"
	if m.report == nil {
		return m.noAnswer(title, fmt.Sprintf("Finding what decides the choice of %s after %s.", m.state.Spec.Title,
			widget.Count(len(m.state.Iterations), "step")), term)
	}
	return m.answer("why this point: "+m.point(), m.report.Reason.Text, m.Style.Next, term,
		"Why the point is the next one. "+sanitize.Text(m.report.Reason.Text))
}

// choiceView shows the picture, the parts of the acquisition and the runners-up.
func (m *ExplainPage) choiceView(w, h int) *layout.Box {
	right := layout.Split(w, layout.Rule{Flex: 1}, layout.Rule{Min: 38, Preferred: 38, Max: 44})[1]
	made := h / 2
	if m.report != nil {
		made = min(m.termRows(right), h-5)
	}
	return layout.Row(m.picture(w-right, h), layout.Column(m.terms(right, made), m.runnersUp(right, h-made)))
}

// otherChoices shows what would change the choice: other results, and other parameters.
func (m *ExplainPage) otherChoices(w, h int) *layout.Box {
	return layout.Row(m.influence(w/2, h), m.counterfactuals(w-w/2, h))
}

// counterfactualRows is how many rows the list of counterfactuals has at least where everything is shown.
const counterfactualRows = 6

// wholeView shows everything: in a high window all lists beside the picture, else the influential results below it.
func (m *ExplainPage) wholeView(w, h int) *layout.Box {
	right := layout.Split(w, layout.Rule{Flex: 3}, layout.Rule{Min: 38, Flex: 2, Max: 80})[1]
	left := w - right
	made, moving := h/3, 2
	if m.report != nil {
		made = min(m.termRows(right), h/2)
		moving = max(len(m.report.Influence)-m.unchangedCount(), 2)
	}
	ups := min(max(h-made-counterfactualRows, 5), m.runnersUpRows(right))
	if rest := h - made - ups - (moving + 4); rest >= counterfactualRows {
		return layout.Row(m.picture(left, h), layout.Column(m.terms(right, made), m.runnersUp(right, ups),
			m.influence(right, moving+4), m.counterfactuals(right, rest)))
	}
	if m.report != nil && m.report.Searched {
		ups = min(max((h-made)/2, 5), ups)
	}
	// the picture has the rows that the list does not need
	upper := max(min(max(h*6/10, h-16), h-4), h-moving-4)
	side := layout.Column(m.terms(right, made), m.runnersUp(right, ups), m.counterfactuals(right, h-made-ups))
	return layout.Row(layout.Column(m.picture(left, upper), m.influence(left, h-upper)), side)
}

// status says which point it is and where it comes from, and describes that; empty before there is a report.
func (m *ExplainPage) status() (text, says string) {
	r := m.report
	if r == nil {
		return "", ""
	}
	text = r.DescribeOrigin(m.point())
	says = "The point that this screen explains, and where it comes from: " + text + "."
	if r.Note != "" {
		text += "; " + r.Note
	}
	return m.Style.Paint(m.Style.Dim, m.Style.Plain(sanitize.Text(text))), says
}

// point writes the chosen point.
func (m *ExplainPage) point() string { return widget.Point(m.state.Problem.Domain, m.report.Chosen.X) }

// noAcquisition is why there is no explanation; empty where there is one.
func (m *ExplainPage) noAcquisition() string {
	if why := m.missingReason(); why != "" {
		return why
	}
	return m.report.Unavailable
}

// maxWords is how many words of a reason are shown.
const maxWords = 50

// empty is a panel without entries, which says what it would list and why it is empty.
func (m *ExplainPage) empty(title, term, subject, text string, w, h int) *layout.Box {
	body := layout.Space(0, 0)
	if text != "" {
		why := layout.Excerpt(strings.TrimSuffix(text, "…"), maxWords)
		body = layout.Sentence(m.Style, m.Style.Dim, text, w-2, h-2).
			Prose("why it is empty", "", "Why nothing is listed here: "+why+".")
	}
	return layout.Panel(m.Style, m.Style.Plain(title), body, w, h, false).Section(title, term, subject)
}

// list collects the rows of a panel of w×h cells, each a box, as far as they fit.
type list struct {
	*layout.Box
	w, height int
}

func rows(w, h int) list { return list{layout.New(w-2, 0), w - 2, h - 2} }

// add adds lines below the others, as one box to be described; without height where they do not fit.
func (l list) add(lines ...string) *layout.Box {
	b := layout.Text(l.w, lines[:min(len(lines), max(l.height-l.H, 0))]...)
	l.Below(b)
	return b
}

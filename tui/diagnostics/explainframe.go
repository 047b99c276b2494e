package diagnostics

import (
	"strings"

	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// Frame is the screen: the picture and the influential results on the left; on the right the parts of the acquisition,
// the runners-up and the counterfactuals.
func (m *ExplainPage) Frame() *layout.Box {
	h := m.Height - 2
	right := layout.Split(m.Width, layout.Rule{Flex: 3}, layout.Rule{Min: 38, Flex: 2, Max: 80})[1]
	left := m.Width - right
	upper := max(h*6/10, h-16)
	made := 8
	if m.report != nil {
		// the picture has the rows that the list does not need
		upper = max(min(upper, h-4), h-max(len(m.report.Influence), 2)-3)
		made = min(m.termRows(right), h/2)
	}
	nearly := min(max((h-made)/2, 5), 9)
	side := layout.Column(m.terms(right, made), m.runnersUp(right, nearly), m.counterfactuals(right, h-made-nearly))
	own, says := m.status()
	return frame(m, &m.page, explainCommands(),
		layout.Row(layout.Column(m.picture(left, upper), m.influence(left, h-upper)), side), own, says, "")
}

// status says which point it is and where it comes from, and describes that; empty before there is a report.
func (m *ExplainPage) status() (own, says string) {
	r := m.report
	if r == nil {
		return "", ""
	}
	text := r.DescribeOrigin(m.point())
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
func (m *ExplainPage) empty(title, term, what, text string, w, h int) *layout.Box {
	body := layout.Space(0, 0)
	if text != "" {
		why := layout.Excerpt(strings.TrimSuffix(text, "…"), maxWords)
		body = layout.Sentence(m.Style, m.Style.Dim, text, w-2, h-2).
			Prose("why it is empty", "", "Why nothing is listed here: "+why+".")
	}
	return layout.Panel(m.Style, m.Style.Plain(title), body, w, h, false).Section(title, term, what)
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

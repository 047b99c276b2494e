package modelcheck

import (
	"fmt"
	"strings"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// panel is a panel on the right: how many rows of a height it needs, none where it is empty, and its drawing.
type panel struct {
	rows func(m *CheckPage, h int) layout.Rule
	draw func(m *CheckPage, w, h int) *layout.Box
}

// panels are on the right, below each other.
var panels = []panel{
	{func(_ *CheckPage, h int) layout.Rule { return layout.Fixed(min(max(h*2/5, 9), 14)) }, (*CheckPage).coverage},
	{func(*CheckPage, int) layout.Rule { return layout.Rule{Min: 3, Flex: 1} }, (*CheckPage).histogram},
	{(*CheckPage).dependenceRows, (*CheckPage).dependence},
}

// Frame is the screen: the answer above, below it the residuals and the alternatives on the left, the panels on the
// right; a small window has one view of them.
func (m *CheckPage) Frame() *layout.Box {
	answer := m.verdict()
	body := m.wholeView
	switch {
	case m.report != nil && m.report.Verdict.Kind == diagnostics.VerdictNoModel:
		body = m.residuals // which says why there is no more
	case m.small():
		body = []func(w, h int) *layout.Box{m.fitView, m.panelsView, m.alternatives}[m.view]
	}
	status, says := m.status()
	return frame(m, &m.page, checkCommands(), layout.Column(answer, body(m.Width, m.Height-2-answer.H)), status, says,
		"leave-one-out")
}

// checkViews is the number of views of a small window; alternativesView is the one that lists the alternatives.
const checkViews, alternativesView = 3, 2

// verdict is the answer whether the model can be believed or, while it is not known, the running computation.
func (m *CheckPage) verdict() *layout.Box {
	const title, term = "can the model be believed?", "calibration"
	st := m.Style
	if m.report == nil {
		return m.noAnswer(title, fmt.Sprintf("Checking %s on %s: each result is compared with a prediction from the others.",
			m.state.Spec.Title, widget.Count(len(diagnostics.Results(m.state)), "result")), term)
	}
	v := m.report.Verdict
	color := st.Warn
	switch {
	case strings.HasPrefix(v.Text, "Yes"):
		color = st.Good
	case strings.HasPrefix(v.Text, "No:"), strings.HasPrefix(v.Text, "No for"):
		color = st.Error
	}
	return m.answer(title, v.Text, color, term, "Whether the model can be believed. "+sanitize.Text(v.Text))
}

// wholeView shows everything.
func (m *CheckPage) wholeView(w, h int) *layout.Box {
	across := layout.Split(w, layout.Rule{Flex: 3}, layout.Rule{Min: 34, Flex: 2, Max: 76})
	left, right := across[0], across[1]
	upper := h * 11 / 20
	if m.report != nil { // the plot has the rows that the list does not need
		upper = max(upper, h-max(len(m.report.Alternatives)+4, 6))
	}
	rules := make([]layout.Rule, len(panels))
	for i, p := range panels {
		rules[i] = p.rows(m, h)
	}
	side := layout.New(right, 0)
	for i, rows := range layout.Split(h, rules...) {
		if rows > 0 {
			side.Below(panels[i].draw(m, right, rows))
		}
	}
	return layout.Row(layout.Column(m.residuals(left, upper), m.alternatives(left, h-upper)), side)
}

// fitView shows the residuals and the coverage.
func (m *CheckPage) fitView(w, h int) *layout.Box {
	across := layout.Split(w, layout.Rule{Flex: 1}, layout.Rule{Min: 34, Preferred: 34, Max: 40})
	return layout.Row(m.residuals(across[0], h), m.coverage(across[1], h))
}

// panelsView shows the panels on the right of a large window, except the coverage, beside each other.
func (m *CheckPage) panelsView(w, h int) *layout.Box {
	var shown []panel
	for _, p := range panels[1:] {
		if p.rows(m, h) != (layout.Rule{}) {
			shown = append(shown, p)
		}
	}
	all := layout.Row()
	for i, p := range shown {
		all.Beside(p.draw(m, w*(i+1)/len(shown)-w*i/len(shown), h))
	}
	return all
}

// status says how the predictions were made, or the warning about the band, and describes that.
func (m *CheckPage) status() (text, says string) {
	st := m.Style
	r := m.report
	o := m.objective()
	switch {
	case o != nil && o.Alarm != "":
		return st.Paint(st.Warn, st.Plain("! "+o.Alarm)),
			"A warning, which the explorer also shows: " + o.Alarm + "."
	case o == nil || r.Unavailable != "":
		return "", ""
	}
	n := widget.Count(len(o.Data), "result")
	text, says = "exact", fmt.Sprintf(
		"How the %s were left out: a formula gives the exact predictions of fits without each of them, with the same hyperparameters.",
		n)
	if r.Integration != "" {
		text = "exact, " + r.Integration
		if m.small() {
			text = "exact, " + strings.TrimSuffix(r.Integration, " of the hyperparameters")
		}
		says = fmt.Sprintf(
			"How the %s were left out: a formula gives the exact predictions of fits without each of them, for each draw of the hyperparameters; the draws are weighted by how well they predict the others.",
			n)
	}
	if r.Inference != "" {
		text, says = r.Inference, fmt.Sprintf(
			"How the %s were left out: a formula gives the predictions of the approximate model without each of them, with the same inducing points and hyperparameters.",
			n)
	}
	if r.Refit {
		text, says = "retrained",
			fmt.Sprintf("How the %s were left out: the model was trained again once without each of them.", n)
	}
	return st.Paint(st.Dim, st.Plain("leave-one-out predictions ("+text+")")), says
}

// noResiduals is why there are no leave-one-out predictions; empty where there are.
func (m *CheckPage) noResiduals() string {
	switch why := m.missingReason(); {
	case why != "":
		return why
	case m.report.Refittable:
		return fmt.Sprintf("%s. Press %s to do this", m.report.Unavailable, keyFor(checkCommands(), refitEach))
	}
	return m.report.Unavailable
}

// drawn is a chart in a panel below its legend, with their descriptions.
func (m *CheckPage) drawn(title string, c chart.Chart, w, h int, term, says string,
	description chart.Description) *layout.Box {
	return layout.Panel(m.Style, m.Style.Plain(title), c.WithLegend(w-2, h-2, 2, m.Style, description), w, h, false).
		Section(title, term, says)
}

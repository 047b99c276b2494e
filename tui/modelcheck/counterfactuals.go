package modelcheck

import (
	"fmt"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// counterfactuals lists changes of parameters that would change the choice.
func (m *ExplainPage) counterfactuals(w, h int) *layout.Box {
	st, title := m.Style, changeChoice
	empty := func(text string) *layout.Box {
		return m.empty(title, "acquisition",
			"The smallest change of each parameter of the method that moves the choice to another point.",
			text, w, h)
	}
	switch {
	case m.noAcquisition() != "":
		return empty("")
	case m.report.NoInfluence != "":
		return empty("no parameter: " + m.report.NoInfluence)
	case !m.report.Searched:
		return empty(keyFor(explainCommands(), changeChoice) +
			" searches for the smallest change of each parameter that moves the choice")
	case len(m.report.Counterfactuals) == 0:
		return empty("the search found no change of one parameter within its range; not tried: " +
			sanitize.Text(diagnostics.SkippedValues(m.state)))
	}
	body := rows(w, h)
	for _, c := range m.report.Counterfactuals {
		then := widget.Point(m.state.Problem.Domain, c.NewX)
		body.add(" "+st.Paint(st.Text, layout.ShortenIn(st, st.Plain(sanitize.Text(c.Text())), w-4)),
			"   "+st.Paint(st.Dim, layout.ShortenIn(st, st.Plain("moves the choice to "+sanitize.Text(then)), w-6))).
			Number(c.Decl.Label, "acquisition", fmt.Sprintf("A change of %s moves the next point from %s to %s.",
				c.Text(), m.point(), then))
	}
	untried := diagnostics.SkippedValues(m.state)
	body.add(layout.Paragraph(st, st.Faint, "not tried: "+sanitize.Text(untried), w-4)...).
		Prose("not tried", "acquisition", "These parameters were not tried: "+untried+".")
	return layout.Panel(st, title, body.Box, w, h, false).Section(title, "acquisition",
		fmt.Sprintf(
			"What would change the choice: for %s, the smallest change that moves it to another point while the other parameters stay the same.",
			widget.Count(len(m.report.Counterfactuals), "parameter")))
}

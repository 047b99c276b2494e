package diagnostics

import (
	"fmt"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// counterfactuals lists what would change the choice.
func (m *ExplainPage) counterfactuals(w, h int) *layout.Box {
	st, title := m.Style, "what would change it"
	empty := func(text string) *layout.Box {
		return m.empty(title, "acquisition", "The smallest change of every parameter of the method that moves the "+
			"choice elsewhere.", text, w, h)
	}
	switch {
	case m.noAcquisition() != "":
		return empty("")
	case m.report.NoInfluence != "":
		return empty("no parameter of the method does: " + m.report.NoInfluence)
	case !m.report.Searched:
		return empty("H looks for the smallest change of every parameter that moves it")
	case len(m.report.Counterfactuals) == 0:
		return empty("no change of one parameter that is found, within the ranges that the method declares; not " +
			"tried: " + sanitize.Text(diagnostics.SkippedValues(m.state)))
	}
	body := rows(w, h)
	for _, c := range m.report.Counterfactuals {
		then := widget.Point(m.state.Problem.Domain, c.NewX)
		body.add(" "+st.Paint(st.Text, layout.ShortenIn(st, st.Plain(sanitize.Text(c.Text())), w-4)),
			"   "+st.Paint(st.Dim, layout.ShortenIn(st, st.Plain("moves it to "+sanitize.Text(then)), w-6))).
			Number(c.Decl.Label, "acquisition", fmt.Sprintf("With %s the next point would be %s in place of %s.",
				c.Text(), then, m.point()))
	}
	untried := diagnostics.SkippedValues(m.state)
	body.add(layout.Paragraph(st, st.Faint, "not tried: "+sanitize.Text(untried), w-4)...).
		Prose("not tried", "acquisition", "No change was looked for among these: "+untried+".")
	return layout.Panel(st, title, body.Box, w, h, false).Section(title, "acquisition",
		fmt.Sprintf("What would change the choice: of %s the smallest change that moves it elsewhere, the others as "+
			"they are.", widget.Count(len(m.report.Counterfactuals), "parameter")))
}

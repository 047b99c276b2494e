package diagnostics

import (
	"fmt"

	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// runnersUp lists the other local optima of the acquisition.
func (m *ExplainPage) runnersUp(w, h int) *layout.Box {
	st, title := m.Style, "runners-up"
	empty := func(text string) *layout.Box {
		return m.empty(title, "acquisition", "The next best points: other local optima of the acquisition.", text, w, h)
	}
	switch {
	case m.noAcquisition() != "":
		return empty("")
	case len(m.report.RunnersUp) == 0:
		return empty("the acquisition has no other local optimum")
	}
	body := rows(w, h)
	from, to := m.listed(h)
	for i := from; i < to; i++ {
		o, color, pointer := m.report.RunnersUp[i], st.Text, "  "
		if m.chosen == i+1 {
			color, pointer = st.Accent, layout.Fit(st.Pointer(), 2)
		}
		place, value := widget.Point(m.state.Problem.Domain, o.X), widget.Number(o.Acquisition.Value)
		says := fmt.Sprintf("Runner-up %d, %s. The acquisition is %s there and %s at the chosen point.", i+1, place,
			value, widget.Number(m.report.Chosen.Acquisition.Value))
		says += fmt.Sprintf(" It has %s.", o.Deficit)
		at := layout.ShortenIn(st, st.Plain(fmt.Sprintf("%d  %s", i+1, sanitize.Text(place))), w-8-len(value))
		body.add(layout.Fit(st.PaintBold(st.Accent, pointer)+st.Paint(color, at), w-3-len(value))+
			st.Paint(color, value),
			"     "+st.Paint(st.Dim, layout.ShortenIn(st, st.Plain(sanitize.Text(o.Deficit)), w-8))).
			Number(fmt.Sprintf("runner-up %d", i+1), "acquisition", says)
	}
	return layout.Panel(st, title, body.Box, w, h, true).Section(title, "acquisition",
		fmt.Sprintf("The %s, the best first. Up and down compare one with the chosen point, part by part.",
			widget.Count(len(m.report.RunnersUp), "next best point")))
}

// listed is the range of runners-up that a panel of h rows shows, at two rows each.
func (m *ExplainPage) listed(h int) (from, to int) {
	n, room := len(m.report.RunnersUp), max((h-2)/2, 0)
	from = min(max(m.chosen-room, 0), max(n-room, 0))
	return from, min(from+room, n)
}

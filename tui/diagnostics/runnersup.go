package diagnostics

import (
	"fmt"
	"strings"

	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// runnersUp lists the places that were nearly chosen.
func (m *ExplainPage) runnersUp(w, h int) *layout.Box {
	st, title := m.Style, "nearly chosen"
	empty := func(text string) *layout.Box {
		return m.empty(title, "acquisition", "Places where the acquisition is better than all around them, and not "+
			"as good as at the point.", text, w, h)
	}
	switch {
	case m.noAcquisition() != "":
		return empty("")
	case len(m.report.RunnersUp) == 0:
		return empty("nowhere else is the acquisition better than around it")
	}
	body := rows(w, h)
	from, to := m.listed(h)
	for i := from; i < to; i++ {
		o, color, pointer := m.report.RunnersUp[i], st.Text, "  "
		if m.chosen == i+1 {
			color, pointer = st.Accent, layout.Fit(st.Pointer(), 2)
		}
		place, value := widget.Point(m.state.Problem.Domain, o.X), widget.Number(o.Acquisition.Value)
		says := fmt.Sprintf("Place %d, %s: the acquisition is %s there, at the point %s.", i+1, place, value,
			widget.Number(m.report.Chosen.Acquisition.Value))
		if name, values, ok := strings.Cut(o.Deficit, ": "); ok {
			says += fmt.Sprintf(" What it lacks most is %s: it has %s.", name, values)
		}
		at := layout.ShortenIn(st, st.Plain(fmt.Sprintf("%d  %s", i+1, sanitize.Text(place))), w-8-len(value))
		body.add(layout.Fit(st.PaintBold(st.Accent, pointer)+st.Paint(color, at), w-3-len(value))+
			st.Paint(color, value),
			"     "+st.Paint(st.Dim, layout.ShortenIn(st, st.Plain("lacks "+sanitize.Text(o.Deficit)), w-8))).
			Number(fmt.Sprintf("place %d", i+1), "acquisition", says)
	}
	return layout.Panel(st, title, body.Box, w, h, true).Section(title, "acquisition",
		fmt.Sprintf("The %s that nearly were chosen, the best first: up and down set one beside the point, part by "+
			"part.", widget.Count(len(m.report.RunnersUp), "place")))
}

// listed is the range of places that a panel of h rows has room for, at two rows each.
func (m *ExplainPage) listed(h int) (from, to int) {
	n, room := len(m.report.RunnersUp), max((h-2)/2, 0)
	from = min(max(m.chosen-room, 0), max(n-room, 0))
	return from, min(from+room, n)
}

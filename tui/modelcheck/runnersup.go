package modelcheck

import (
	"fmt"

	"bandscope/sessions/diagnostics"
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
	from, end := m.listed(w, h)
	for i := from; i < end; i++ {
		o := m.report.RunnersUp[i]
		color := st.Text
		pointer := "  "
		if m.chosen == i+1 {
			color, pointer = st.Accent, layout.Fit(st.Pointer(), 2)
		}
		place, value := widget.Point(m.state.Problem.Domain, o.X), widget.Number(o.Acquisition.Value)
		says := fmt.Sprintf("Runner-up %d, %s. The acquisition is %s there and %s at the chosen point.", i+1, place,
			value, widget.Number(m.report.Chosen.Acquisition.Value))
		says += fmt.Sprintf(" It has %s.", o.Deficit)
		entry := layout.ShortenIn(st, st.Plain(fmt.Sprintf("%d  %s", i+1, sanitize.Text(place))), w-8-len(value))
		lines := []string{layout.Fit(st.PaintBold(st.Accent, pointer)+st.Paint(color, entry), w-3-len(value)) +
			st.Paint(color, value)}
		for _, l := range m.deficitLines(o, w) {
			lines = append(lines, "     "+st.Paint(st.Dim, l))
		}
		body.add(lines...).Number(fmt.Sprintf("runner-up %d", i+1), "acquisition", says).
			Focus = func() { m.chosen = i + 1 }
	}
	return layout.Panel(st, title, body.Box, w, h, true).Section(title, "acquisition",
		fmt.Sprintf("The %s, the best first. Up and down compare one with the chosen point, part by part.",
			widget.Count(len(m.report.RunnersUp), "next best point")))
}

// deficitLines say why a runner-up is worse.
func (m *ExplainPage) deficitLines(o diagnostics.RunnerUp, w int) []string {
	return layout.Wrap(m.Style.Plain(sanitize.Text(o.Deficit)), max(w-8, 1))
}

// runnersUpRows is how many rows a panel with all runners-up has.
func (m *ExplainPage) runnersUpRows(w int) int {
	if m.report == nil {
		return 3
	}
	rows := 2
	for _, o := range m.report.RunnersUp {
		rows += 1 + len(m.deficitLines(o, w))
	}
	return max(rows, 3)
}

// listed is the range of runners-up that a panel of h rows shows whole, with the selected one.
func (m *ExplainPage) listed(w, h int) (from, end int) {
	all := m.report.RunnersUp
	rows := func(i int) int { return 1 + len(m.deficitLines(all[i], w)) }
	free := h - 2
	for end = min(max(m.chosen, 1), len(all)); from < end; from++ { // as many before the selected one as fit
		sum := 0
		for i := from; i < end; i++ {
			sum += rows(i)
		}
		if sum <= free {
			free -= sum
			break
		}
	}
	for end < len(all) && rows(end) <= free {
		free -= rows(end)
		end++
	}
	return from, end
}

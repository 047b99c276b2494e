package diagnostics

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// termRows is how many lines the parts need.
func (m *ExplainPage) termRows(w int) int {
	n := 2 * len(diagnostics.TermLines(m.report.Chosen.Acquisition))
	if m.report.DrawRank != nil {
		n += len(layout.Wrap(diagnostics.DescribeDraw(m.report.DrawRank), w-4))
	}
	return n + 3
}

// terms draws what the acquisition is made of, at the point, and at the place that is told beside it.
func (m *ExplainPage) terms(w, h int) *layout.Box {
	st, title := m.Style, "what it is made of"
	if lacks := m.noAcquisition(); lacks != "" {
		return m.empty(title, "acquisition", "The acquisition at the point, taken apart into what it is made of.",
			lacks, w, h)
	}
	whole := "The acquisition at the point, " + m.point() +
		", taken apart into what it is made of; bars are as long as the parts are great."
	here, there := diagnostics.TermLines(m.report.Chosen.Acquisition), []diagnostics.TermLine(nil)
	if m.chosen > 0 {
		title = fmt.Sprintf("the point, and place %d", m.chosen)
		whole = fmt.Sprintf("The acquisition at the point, and in the second column at place %d, %s, which was "+
			"nearly chosen: what one has and the other lacks.", m.chosen,
			widget.Point(m.state.Problem.Domain, m.selectedPoint().X))
		there = diagnostics.TermLines(m.selectedPoint().Acquisition)
	}
	body := rows(w, h)
	least, most := reach(here, there)
	for i, l := range here {
		name, beside := diagnostics.TermName(m.state, l.Term), ""
		says := m.describeTerm(l, name, here[0].Value)
		if i < len(there) {
			beside = widget.Number(there[i].Value)
			says += fmt.Sprintf(" At place %d it is %s.", m.chosen, beside)
		}
		body.add(m.part(l, name, beside, len(here) > 1, least, most, w)...).Number(name, "acquisition", says)
	}
	if d := m.report.DrawRank; d != nil && m.chosen == 0 {
		body.add(layout.Paragraph(st, st.Dim, diagnostics.DescribeDraw(d), w-4)...).
			Number("among other draws", "Thompson sampling",
				fmt.Sprintf("How usual the drawn function is: of %d drawn from the same law %d are less at the point, "+
					"and %s would have chosen a place near it.", d.Total, d.Below, diagnostics.Percent(d.Least)))
	}
	return layout.Panel(st, st.Plain(title), body.Box, w, h, false).Section(title, "acquisition", whole)
}

// reach is from the least to the greatest of 0 and what has a bar.
func reach(all ...[]diagnostics.TermLine) (least, most float64) {
	for _, lines := range all {
		for i, l := range lines {
			if (i > 0 || len(lines) == 1) && chart.Finite(l.Value) {
				least, most = min(least, l.Value), max(most, l.Value)
			}
		}
	}
	return least, most
}

// part are the lines of a part of the acquisition in a panel of w columns, with its value, and that of the place beside
// it.
func (m *ExplainPage) part(l diagnostics.TermLine, name, beside string, several bool, least, most float64,
	w int) []string {
	st := m.Style
	name = strings.TrimSpace(l.Sign + " " + name)
	if l.Binds {
		name += ", the least, which counts"
	}
	color := st.Text
	if l.Depth == 0 {
		color = st.Accent
	}
	indent := " " + strings.Repeat("  ", l.Depth)
	numbers := st.Paint(color, fmt.Sprintf(" %10s", widget.Number(l.Value)))
	if beside != "" {
		numbers += st.Paint(st.Warn, fmt.Sprintf(" %10s", beside))
	}
	room := w - 3 - ansi.StringWidth(indent) - ansi.StringWidth(numbers)
	told := st.Paint(color, layout.ShortenIn(st, st.Plain(sanitize.Text(name)), w-3-ansi.StringWidth(indent)))
	switch {
	case l.Depth > 0 || !several:
		return []string{indent + told, indent + m.bar(l.Value, least, most, room) + numbers}
	case ansi.StringWidth(told) <= room:
		return []string{indent + layout.Fit(told, room) + numbers}
	}
	return []string{indent + told, indent + strings.Repeat(" ", max(room, 0)) + numbers}
}

// describeTerm describes a part of the acquisition.
func (m *ExplainPage) describeTerm(l diagnostics.TermLine, name string, whole float64) string {
	value := widget.Number(l.Value)
	switch {
	case l.Depth == 0:
		return fmt.Sprintf("The whole of it, %s: %s at the point; %s is better.", name, value, m.better())
	case l.Binds:
		return fmt.Sprintf("A part of it, %s: %s. Of several it is the least, and the least counts.", name, value)
	case l.Sign == "×":
		return fmt.Sprintf("A factor of it, %s: %s.", name, value)
	case l.Depth == 1 && whole != 0 && !math.IsInf(l.Value/whole, 0) && math.Abs(l.Value/whole) <= 2:
		return fmt.Sprintf("A part of it, %s: %s, %.0f %% of the whole.", name, value, 100*l.Value/whole)
	}
	return fmt.Sprintf("A part of it, %s: %s.", name, value)
}

// bar is a value in so many cells, from 0 to it: over what goes from least to most, which are at the ends. Where
// something is below 0 a line stands at 0.
func (m *ExplainPage) bar(v, least, most float64, room int) string {
	st := m.Style
	if least < 0 {
		room--
	}
	if room < 1 || !(most > least) {
		return ""
	}
	cells := func(v float64) int {
		part := min(math.Abs(v)/(most-least), 1)
		if math.IsNaN(part) {
			return 0
		}
		return int(math.Round(part * float64(room)))
	}
	piece := func(color theme.Color, n int) string { return st.Paint(color, strings.Repeat(st.Plain("━"), n)) }
	if least >= 0 {
		return layout.Fit(piece(st.Acquisition, cells(v)), room)
	}
	below, zero := cells(least), st.Paint(st.Border, st.Plain("│"))
	if v < 0 {
		n := cells(v)
		return layout.Fit(strings.Repeat(" ", max(below-n, 0))+piece(st.Warn, n)+zero, room+1)
	}
	return layout.Fit(strings.Repeat(" ", below)+zero+piece(st.Acquisition, cells(v)), room+1)
}

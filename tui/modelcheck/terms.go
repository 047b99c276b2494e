package modelcheck

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

// termRows is how many rows the panel of the parts needs.
func (m *ExplainPage) termRows(w int) int {
	n := 2 * len(diagnostics.TermLines(m.report.Chosen.Acquisition))
	if m.report.DrawRank != nil {
		n += len(layout.Wrap(diagnostics.DescribeDraw(m.report.DrawRank), w-4))
	}
	for _, text := range []string{m.report.Integration, m.report.Inference} {
		if text != "" {
			n += len(layout.Wrap(text, w-4))
		}
	}
	return n + 3
}

// terms draws the parts of the acquisition at the chosen point and at the selected runner-up.
func (m *ExplainPage) terms(w, h int) *layout.Box {
	st, title := m.Style, "parts of the acquisition"
	if reason := m.noAcquisition(); reason != "" {
		return m.empty(title, "acquisition", "The acquisition at the chosen point and its parts.", reason, w, h)
	}
	whole := "The acquisition at the chosen point, " + m.point() +
		", and its parts. The length of a bar is the value of the part."
	here, there := diagnostics.TermLines(m.report.Chosen.Acquisition), []diagnostics.TermLine(nil)
	if m.chosen > 0 {
		title = fmt.Sprintf("chosen point and runner-up %d", m.chosen)
		whole = fmt.Sprintf(
			"The acquisition and its parts at the chosen point and, in the second column, at runner-up %d, %s.",
			m.chosen, widget.Point(m.state.Problem.Domain, m.selectedPoint().X))
		there = diagnostics.TermLines(m.selectedPoint().Acquisition)
	}
	body := rows(w, h)
	least, most := reach(here, there)
	for i, l := range here {
		name, beside := diagnostics.TermName(m.state, l.Term), ""
		says := m.describeTerm(l, name, here[0].Value)
		if i < len(there) {
			beside = widget.Number(there[i].Value)
			says += fmt.Sprintf(" At runner-up %d it is %s.", m.chosen, beside)
		}
		lines := m.part(l, name, beside, len(here) > 1, least, most, w)
		if m.termRows(w) > h { // without bars, so that all parts fit
			lines = m.part(l, name, beside, len(here) > 1, 0, 0, w)
		}
		body.add(lines...).Number(name, "acquisition", says)
	}
	if d := m.report.DrawRank; d != nil && m.chosen == 0 {
		body.add(layout.Paragraph(st, st.Dim, diagnostics.DescribeDraw(d), w-4)...).
			Number("among other draws", "Thompson sampling",
				fmt.Sprintf(
					"How typical the drawn function is: of %d draws from the same distribution, %d are lower at the chosen point, and %s have their minimum there.",
					d.Total, d.Below, diagnostics.Percent(d.Least)))
	}
	if text := m.report.Integration; text != "" {
		body.add(layout.Paragraph(st, st.Dim, text, w-4)...).Number("averaged over", "posterior",
			"The predictions and the acquisition are "+text+".")
	}
	if text := m.report.Inference; text != "" {
		body.add(layout.Paragraph(st, st.Dim, text, w-4)...).Number("approximation", "inducing point",
			"The predictions and the acquisition are "+text+".")
	}
	return layout.Panel(st, st.Plain(title), body.Box, w, h, false).Section(title, "acquisition", whole)
}

// reach is the range of 0 and the values that have a bar.
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

// part are the lines of a part of the acquisition in a panel of w columns, with its value, and that of the runner-up in
// beside; its bar has the scale from least to most, and is left out where these are equal.
func (m *ExplainPage) part(l diagnostics.TermLine, name, beside string, several bool, least, most float64,
	w int) []string {
	st := m.Style
	name = strings.TrimSpace(l.Sign + " " + name)
	if l.Binds {
		name += " (the minimum)"
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
	label := st.Paint(color, layout.ShortenIn(st, st.Plain(sanitize.Text(name)), w-3-ansi.StringWidth(indent)))
	switch {
	case least == most && l.Depth > 0:
		label = st.Paint(color, layout.ShortenIn(st, st.Plain(sanitize.Text(name)), room))
		return []string{indent + layout.Fit(label, room) + numbers}
	case l.Depth > 0 || !several:
		return []string{indent + label, indent + m.bar(l.Value, least, most, room) + numbers}
	case ansi.StringWidth(label) <= room:
		return []string{indent + layout.Fit(label, room) + numbers}
	}
	return []string{indent + label, indent + strings.Repeat(" ", max(room, 0)) + numbers}
}

// describeTerm describes a part of the acquisition.
func (m *ExplainPage) describeTerm(l diagnostics.TermLine, name string, whole float64) string {
	value := widget.Number(l.Value)
	switch {
	case l.Depth == 0:
		return fmt.Sprintf("The acquisition, %s, is %s at the chosen point; %s is better.", name, value, m.better())
	case l.Binds:
		return fmt.Sprintf(
			"Part of the acquisition: %s is %s. It is the minimum of several, which is the one that counts.",
			name, value)
	case l.Sign == "×":
		return fmt.Sprintf("Factor of the acquisition: %s is %s.", name, value)
	case l.Depth == 1 && whole != 0 && !math.IsInf(l.Value/whole, 0) && math.Abs(l.Value/whole) <= 2:
		return fmt.Sprintf("Part of the acquisition: %s is %s, %.0f %% of the whole.", name, value, 100*l.Value/whole)
	}
	return fmt.Sprintf("Part of the acquisition: %s is %s.", name, value)
}

// bar draws a value as a bar from 0, scaled from least to most. If least is below 0, a line marks 0.
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

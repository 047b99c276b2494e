package branches

import (
	"fmt"
	"slices"
	"strings"

	"bandscope/sessions/report"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// decisions tells what was decided otherwise on the two branches. It scrolls by hand, for a viewport holds drawn text,
// and what both share is described apart from what differs.
func (m *Model) decisions(w, h int) *layout.Box {
	st, diff := m.Style, report.Diff(m.left, m.right)
	lines, colors := diff.Lines(markBase, markSelected), []theme.Color{st.Text}
	for _, s := range diff.Steps {
		if s.Same {
			colors = append(colors, st.Text)
			continue
		}
		colors = append(append(colors, slices.Repeat([]theme.Color{st.Mean}, len(s.A))...),
			slices.Repeat([]theme.Color{st.Used}, len(s.B))...)
	}
	var rows []string
	shared := 0 // rows of what both have in common
	for i, line := range lines {
		color := st.Text
		if i < len(colors) {
			color = colors[i]
		}
		rows = append(rows, layout.Paragraph(st, color, line, w-4)...)
		if i == 0 {
			shared = len(rows)
		}
	}
	m.overflow = max(len(rows)-(h-2), 0)
	m.scroll = min(m.scroll, m.overflow)
	rows = rows[m.scroll:max(min(m.scroll+h-2, len(rows)), m.scroll)]
	shared = min(max(shared-m.scroll, 0), len(rows))
	body := layout.New(w-2, 0)
	if shared > 0 {
		body.Below(layout.Text(w-2, rows[:shared]...).
			Prose("shared", "", "How much both have in common, before and between what differs: "+
				strings.TrimSuffix(lines[0], ".")+"."))
	}
	if shared < len(rows) {
		body.Below(layout.Text(w-2, rows[shared:]...).
			Prose("differences", "", fmt.Sprintf(
				"What differs, step by step; a and b are the branches. The last of it: %s.",
				strings.TrimSuffix(lines[len(lines)-1], "."))))
	}
	return layout.Panel(st, "decisions", body, w, h, false).
		Section("decisions", "", fmt.Sprintf(
			"What was decided otherwise on a, %q, and on b, %q: points, parameters, answers and corrections, in %s.",
			m.rows[m.base].branch.Name, m.rows[m.selected].branch.Name, widget.Count(len(lines), "line")))
}

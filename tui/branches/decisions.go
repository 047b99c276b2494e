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

// decisions lists the different decisions of the two branches. It implements its own scrolling, as a viewport holds
// drawn text, and the shared part has another description than the differences.
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
	shared := 0 // rows about the shared part
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
			Prose("shared", "", "The decisions that both branches share: "+
				strings.TrimSuffix(lines[0], ".")+"."))
	}
	if shared < len(rows) {
		body.Below(layout.Text(w-2, rows[shared:]...).
			Prose("differences", "", fmt.Sprintf(
				"The differences, step by step; a and b are the branches. The last line: %s.",
				strings.TrimSuffix(lines[len(lines)-1], "."))))
	}
	return layout.Panel(st, "decisions", body, w, h, false).
		Section("decisions", "", fmt.Sprintf(
			"The different decisions on branch a, %q, and branch b, %q: points, parameters, answers and corrections, "+
				"in %s.",
			m.rows[m.base].branch.Name, m.rows[m.selected].branch.Name, widget.Count(len(lines), "line")))
}

package branches

import (
	"fmt"
	"slices"
	"strings"

	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// decisions lists the different decisions of the two branches below their names. It implements its own scrolling, as a
// viewport holds drawn text, and the shared part has another description than the differences.
func (m *Model) decisions(w, h int) *layout.Box {
	st := m.Style
	diff := report.Diff(m.left, m.right)
	title := "differences"
	head := m.names(w - 2)
	shared := fmt.Sprintf("the first %s the same", widget.Count(diff.Shared, "decision")+" are")
	if diff.Shared == 1 {
		shared = "the first decision is the same"
	}
	if len(diff.Steps) == 0 {
		shared = "no differences: " + widget.Count(diff.Shared, "decision")
	}
	head = append(head, layout.Paragraph(st, st.Dim, shared, w-4)...)
	rows := m.differences(diff, w-2)
	room := max(h-2-len(head), 0)
	m.overflow = max(len(rows)-room, 0)
	m.scroll = min(m.scroll, m.overflow)
	rows = rows[m.scroll:min(m.scroll+room, len(rows))]
	body := layout.Column(layout.Text(w-2, head[:min(len(head), h-2)]...).
		Prose("shared", "", fmt.Sprintf("The branches that are compared, a and b, and the decisions that they share: %s.",
			shared)))
	if len(rows) > 0 {
		body.Below(layout.Text(w-2, rows...).Prose("differences", "",
			"The different decisions, step by step; a and b are the branches."))
	}
	return layout.Panel(st, title, body, w, h, false).Section(title, "", fmt.Sprintf(
		"The different decisions on branch a, %q, and branch b, %q: points, parameters, answers and corrections, in %s.",
		m.rows[m.base].branch.Name, m.rows[m.selected].branch.Name, widget.Count(len(diff.Steps), "step")))
}

// stepWidth is the width of the steps before the decisions.
const stepWidth = 9

// differences are the lines of the different decisions in w columns: each step with the decisions of either side.
func (m *Model) differences(diff report.Difference, w int) (rows []string) {
	st := m.Style
	for _, s := range diff.Steps {
		label := fmt.Sprintf(" step %d", s.Step)
		add := func(mark, text string, color theme.Color) {
			for i, l := range layout.Wrap(st.Plain(sanitize.Text(text)), max(w-stepWidth-4, 8)) {
				begin := mark
				if i > 0 {
					begin = strings.Repeat(" ", len(mark))
				}
				rows = append(rows, layout.Fit(st.Paint(st.Dim, label), stepWidth)+" "+st.PaintBold(color, begin)+" "+
					st.Paint(color, l))
				label = ""
			}
		}
		if s.Same {
			add("=", "the same decision", st.Dim)
			continue
		}
		for _, text := range s.A {
			add(markBase, text, st.Mean)
		}
		for _, text := range s.B {
			add(markSelected, text, st.Used)
		}
	}
	return slices.Clip(rows)
}

package branches

import (
	"cmp"
	"fmt"
	"strings"

	"charm.land/lipgloss/v2/tree"

	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// grow puts a branch of a session into the list, and below it its descendants.
func (m *Model) grow(session *sessions.Session, list []sessions.Branch, i int) {
	first := len(m.rows)
	var add func(i, parent int) *tree.Tree
	add = func(i, parent int) *tree.Tree {
		node := tree.Root(cmp.Or(sanitize.Text(list[i].Name), "?"))
		here := len(m.rows)
		m.rows = append(m.rows, row{of: session, branch: list[i], parent: parent})
		for j, b := range list {
			if b.Parent == i {
				node.Child(add(j, here))
			}
		}
		return node
	}
	root := add(i, -1).Enumerator(func(nodes tree.Children, i int) string {
		if i < nodes.Length()-1 {
			return "├─"
		}
		return "└─"
	}).Indenter(func(nodes tree.Children, i int) string {
		if i < nodes.Length()-1 {
			return "│ "
		}
		return "  "
	})
	for i, label := range strings.Split(root.String(), "\n") { // one a branch
		m.rows[first+i].label = label
	}
}

// tree draws the branches: each with its line from the step where it leaves its parent to its end.
func (m *Model) tree(w, h int) *layout.Box {
	st, state := m.Style, m.session.State()
	body, rest := layout.New(w-2, h-2), layout.New(w-2, h-2)
	c := m.columns(w - 3) // a blank before the edge
	body.Add(layout.Text(w-2, m.heading(c)).Prose("columns", "", "The columns: the branch; its line, from the step where it leaves its parent to its last one; its steps and its method; and its result."))
	rows := m.branchRows(h - 3)
	var spans []layout.Span
	for i, r := range m.rows {
		if r.title != "" && rows[i] > 0 && rows[i] <= h-3 {
			body.Add(layout.Text(w-2, " "+st.Paint(st.Title, st.Plain(sanitize.Text(r.title)))).At(0, rows[i]).
				Prose(r.title, "", "The file of another session, which is read-only here; its branches are below."))
		}
		if rows[i] < 0 || rows[i] >= h-3 {
			continue
		}
		line := layout.Text(w-2, m.branchLine(i, c)).At(0, rows[i]+1)
		if len(m.rows) > maxListed && m.mark(i) == "" && !r.branch.Current {
			spans = append(spans, layout.Span{Row: rows[i] + 1, To: w - 2})
		} else {
			line.Describe(layout.Number, r.branch.Name, "", func() string { return m.describeBranch(i, r) })
			if r.branch.Current {
				line.Important(layout.ImportanceMain)
			}
		}
		line.Focus = func() { list.Choose(m, i) }
		line.Actions = []layout.Action{{Key: "enter"}, {Key: "c"}, {Key: "C"}}
		line.Wheel = [2]string{"up", "down"}
		body.Add(line)
	}
	if len(spans) > 0 {
		rest.Cells = func() []layout.Span { return spans }
		body.Add(rest.Number("other branches", "",
			fmt.Sprintf("The other %d branches, each with its line, its number of steps, its method and its best result.",
				len(spans))))
	}
	title := fmt.Sprintf("branches of %s", state.Title())
	panel := layout.Panel(st, st.Plain(title), body, w, h, true).
		Section(title, "", fmt.Sprintf("The tree of the session on %s with %s: %s. A different step after going back begins a new branch, and the old one is kept.",
			state.Problem.Name, state.Spec.Name, widget.Count(len(m.rows), "branch")))
	layout.Foot(st, panel, st.Paint(st.Dim, fmt.Sprintf("%s you are here  %s best  %s end", st.Glyph(theme.GlyphTarget),
		st.Glyph(theme.GlyphStar), st.Glyph(theme.GlyphHollow))))
	return panel
}

// branchRows are the rows of the branches in a list of height rows, relative to the first visible row: negative, or
// height and more, for branches that are not visible.
func (m *Model) branchRows(height int) []int {
	rows, n := make([]int, len(m.rows)), 0
	for i, r := range m.rows {
		if r.title != "" {
			n++
		}
		rows[i], n = n, n+1
	}
	top := 0
	if len(rows) > 0 {
		top = widget.Top(rows[m.selected], n, height)
	}
	for i := range rows {
		rows[i] -= top
	}
	return rows
}

func steps(n int) string { return widget.Count(n, "step") }

// mark is the letter of a compared branch, or both letters.
func (m *Model) mark(i int) string {
	switch {
	case i == m.selected && i == m.base:
		return markBase + markSelected
	case i == m.base:
		return markBase
	case i == m.selected:
		return markSelected
	}
	return ""
}

// maxListed is up to how many branches each has its own description; of more, only the compared ones and the current
// one.
const maxListed = 8

// describeBranch describes one branch.
func (m *Model) describeBranch(i int, r row) string {
	b := r.branch.State
	text := fmt.Sprintf("The branch %q with %s: %s", r.branch.Name, b.Spec.Name, steps(len(b.Iterations)))
	if r.branch.Parent >= 0 {
		text += fmt.Sprintf(", of which the first %d are shared with its parent", r.branch.From)
	}
	if x, y, _, ok := b.Best(); ok && len(b.Problem.Objectives) == 1 {
		text += fmt.Sprintf("; its best result is %s at %s", widget.Number(y), widget.Point(b.Problem.Domain, x))
		if r.regret != "" {
			text += ", with a simple regret of " + r.regret
		}
	}
	if r.branch.Current {
		text += fmt.Sprintf(". You are here, after step %d", len(m.session.State().Iterations))
	}
	if mark := m.mark(i); mark != "" {
		text += ". In the comparison below it is " + strings.Join(strings.Split(mark, ""), " and ")
	}
	return text + "."
}

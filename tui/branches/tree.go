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
func (m *Model) grow(of *sessions.Session, list []sessions.Branch, i int) {
	first := len(m.rows)
	var add func(i int) *tree.Tree
	add = func(i int) *tree.Tree {
		node := tree.Root(cmp.Or(sanitize.Text(list[i].Name), "?"))
		m.rows = append(m.rows, row{of: of, branch: list[i]})
		for j, b := range list {
			if b.Parent == i {
				node.Child(add(j))
			}
		}
		return node
	}
	root := add(i).Enumerator(func(nodes tree.Children, i int) string {
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

// tree lists the branches.
func (m *Model) tree(w, h int) *layout.Box {
	st, state := m.Style, m.session.State()
	body, rest := layout.New(w-2, h-2), layout.New(w-2, h-2)
	rows := m.branchRows(h - 2)
	var spans []layout.Span
	for i, r := range m.rows {
		if r.title != "" && rows[i] > 0 && rows[i] <= h-2 {
			body.Add(layout.Text(w-2, " "+st.Paint(st.Title, st.Plain(sanitize.Text(r.title)))).At(0, rows[i]-1).
				Prose(r.title, "", "The file of another session, which is read-only here; its branches are below."))
		}
		if rows[i] < 0 || rows[i] >= h-2 {
			continue
		}
		line := layout.Text(w-2, m.branchLine(i, r)).At(0, rows[i])
		if len(m.rows) > maxListed && m.mark(i) == "" && !r.branch.Current {
			spans = append(spans, layout.Span{Row: rows[i], To: w - 2})
		} else {
			line.Describe(layout.Number, r.branch.Name, "", func() string { return m.describeBranch(i, r) })
		}
		body.Add(line)
	}
	if len(spans) > 0 {
		rest.Cells = func() []layout.Span { return spans }
		body.Add(rest.Number("other branches", "",
			fmt.Sprintf("The other %d branches, each with its method, its number of steps, the step where it begins, "+
				"and its best result.", len(spans))))
	}
	title := fmt.Sprintf("branches of %s", state.Title())
	return layout.Panel(st, st.Plain(title), body, w, h, true).
		Section(title, "", fmt.Sprintf("The tree of the session on %s with %s: %s. A different step after going back "+
			"begins a new branch, and the old one is kept.",
			state.Problem.Name, state.Spec.Name, widget.Count(len(m.rows), "branch")))
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
		top = min(max(rows[m.selected]-height/2, 0), max(n-height, 0))
	}
	for i := range rows {
		rows[i] -= top
	}
	return rows
}

// branchLine is one branch: its name, method, number of steps, first step and best result.
func (m *Model) branchLine(i int, r row) string {
	st := m.Style
	mark := layout.Fit(m.mark(i), 2)
	pointer, color := " ", st.Text
	if i == m.selected {
		pointer, color = st.PaintBold(st.Accent, st.Pointer()), st.Accent
	}
	line := layout.Fit(pointer+st.PaintBold(st.Used, mark)+" "+st.Paint(color, st.Plain(r.label)), 36) + " "
	b, from := r.branch.State, ""
	if r.branch.Parent >= 0 {
		from = fmt.Sprintf("from step %d", r.branch.From)
	}
	facts := []string{st.Paint(st.Text, layout.Fit(b.Spec.Name, 16)),
		st.Paint(st.Dim, layout.Fit(steps(len(b.Iterations)), 10)), st.Paint(st.Dim, layout.Fit(from, 13))}
	if _, y, _, ok := b.Best(); ok && len(b.Problem.Objectives) == 1 {
		facts = append(facts, st.Paint(st.Dim, "best ")+st.Paint(st.Best, widget.Number(y)))
	}
	if r.branch.Current {
		facts = append(facts, st.PaintBold(st.Good, st.Glyph(theme.GlyphFilled)+" here"))
	}
	return line + strings.Join(facts, " ")
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
	}
	if r.branch.Current {
		text += ". It is the current branch"
	}
	if mark := m.mark(i); mark != "" {
		text += ". In the comparison below it is " + strings.Join(strings.Split(mark, ""), " and ")
	}
	return text + "."
}

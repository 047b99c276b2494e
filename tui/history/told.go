package history

import (
	"fmt"
	"strings"

	"bandscope/sessions/report"
	"bandscope/tui/explain"
	"bandscope/tui/screen"
)

// Elements tells what is seen: the branches, how the two that are compared went, and what was decided otherwise on them.
func (m *Model) Elements() []explain.Element {
	lines := m.Render()
	seen := explain.See(lines)
	parts := seen.Parts()
	if len(parts) < 3 {
		return nil
	}
	list := append(m.tellTree(&parts[0]), m.tellTraces(&parts[1])...)
	list = append(list, m.tellDecisions(&parts[2])...)
	if row := m.Height - 2; seen.Text(row) != "" {
		says := "What is said or asked here: " + strings.TrimSuffix(seen.Text(row), ".") + "."
		if m.jobs.Busy() {
			says = "Another session's file is being read; esc stops that."
		}
		list = append(list, explain.Element{Kind: explain.Prose, Name: "status", Says: says, Where: seen.Row(row)})
	}
	return append(list, seen.Keys(m.Height-1))
}

// mark is the letter of a branch that is compared.
func (m *Model) mark(i int) string {
	switch {
	case i == m.selected && i == m.base:
		return markBase + " and " + markSelected
	case i == m.base:
		return markBase
	case i == m.selected:
		return markSelected
	}
	return ""
}

// mostTold is how many branches are told one by one; of more those that are compared, and the one that goes on.
const mostTold = 8

func (m *Model) tellTree(p *explain.Part) []explain.Element {
	st := m.session.State()
	list := []explain.Element{p.Panel("", fmt.Sprintf("The tree of the session on %s with %s: %s. Whoever goes back and does something else begins another; nothing that was done is lost.", st.Problem.Name, st.Spec.Name, screen.Counted(len(m.rows), "branch")))}
	var others []explain.Element
	rows := m.branchRows(p.H - 2)
	for i, r := range m.rows {
		row := rows[i]
		if row < 0 || row >= p.H-2 {
			continue
		}
		e := p.Prose(r.branch.Name, "", m.tellBranch(i, r), row, row+1)
		e.Kind = explain.Number
		if len(m.rows) > mostTold && m.mark(i) == "" && !r.branch.Current {
			others = append(others, e)
			continue
		}
		list = append(list, e)
	}
	if len(others) > 0 {
		whole := others[0]
		whole.Name, whole.Says = "other branches", fmt.Sprintf("The other %d branches, each with its method, how many steps it has, where it left which, and its best result.", len(others))
		for _, e := range others[1:] {
			first := whole.Where
			whole.Where = explain.Both(first, e.Where)
		}
		list = append(list, whole)
	}
	return list
}

// tellBranch tells one branch.
func (m *Model) tellBranch(i int, r row) string {
	b := r.branch.State
	text := fmt.Sprintf("The branch %q, on which %s goes on: %s", r.branch.Name, b.Spec.Name, steps(len(b.Iterations)))
	if r.depth > 0 {
		text += fmt.Sprintf(", the first %d of them shared with the one that it left", r.branch.From)
	}
	if x, y, _, ok := b.Best(); ok && len(b.Problem.Objectives) == 1 {
		text += fmt.Sprintf("; its best result is %s at %s", screen.Number(y), screen.Point(b.Problem.Domain, x))
	}
	if r.branch.Current {
		text += ". The session stands on it"
	}
	if mark := m.mark(i); mark != "" {
		text += ". It is " + mark + " in what is compared below"
	}
	return text + "."
}

func (m *Model) tellTraces(p *explain.Part) []explain.Element {
	term := map[bool]string{true: "simple regret"}[strings.HasPrefix(p.Title, "simple")]
	end := func(i int) string {
		values, _, _ := traced(m.rows[i].branch.State, m.trace)
		if len(values) == 0 {
			return "nothing yet"
		}
		return fmt.Sprintf("%s after %s", screen.Number(values[len(values)-1]), steps(len(values)))
	}
	text := fmt.Sprintf("The %s of both branches, step by step: a, %q, has %s", p.Title, m.rows[m.base].branch.Name, end(m.base))
	if m.selected != m.base {
		text += fmt.Sprintf(", and b, %q, %s", m.rows[m.selected].branch.Name, end(m.selected))
	}
	course := p.Prose("courses", term, "Values at the left, by factors where they fall over many of them; steps from left to right. Each course ends at the letter of its branch; where only one is seen they are the same.", 0, len(p.Lines))
	course.Kind = explain.Axis
	return []explain.Element{p.Panel(term, text+"."), course}
}

func (m *Model) tellDecisions(p *explain.Part) []explain.Element {
	lines := report.Diff(m.left, m.right).Lines(markBase, markSelected)
	if len(lines) == 0 {
		return []explain.Element{p.Panel("", "What was decided otherwise on the two branches: nothing.")}
	}
	list := []explain.Element{p.Panel("", fmt.Sprintf("What was decided otherwise on a, %q, and on b, %q: points, parameters, answers and corrections, in %s.", m.rows[m.base].branch.Name, m.rows[m.selected].branch.Name, screen.Counted(len(lines), "line")))}
	first := 0
	if m.scroll == 0 && len(lines) > 1 {
		first = 1
		list = append(list, p.Prose("shared", "", "How much both have in common, before and between what differs: "+strings.TrimSuffix(lines[0], ".")+".", 0, 1))
	}
	rest := p.Prose("differences", "", fmt.Sprintf("What differs, step by step; a and b are the branches. The last of it: %s.", strings.TrimSuffix(lines[len(lines)-1], ".")), first, len(p.Lines))
	if len(rest.Where()) > 0 {
		list = append(list, rest)
	}
	return list
}

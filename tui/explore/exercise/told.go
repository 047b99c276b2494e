package exercise

import (
	"fmt"
	"slices"
	"strings"

	"bandscope/tui/explain"
	"bandscope/tui/theme"
)

// mostQuoted is how many words of the task are told.
const mostQuoted = 30

// Elements tells the task and each of its goals, where they stand in their part of the window.
func (s *Sheet) Elements(st theme.Style, p explain.Part) []explain.Element {
	marks := []string{st.Glyph(theme.GlyphHollow) + " ", st.Glyph(theme.GlyphFilled) + " "}
	begins := func(line string) bool {
		line = strings.TrimSpace(line)
		return slices.ContainsFunc(marks, func(m string) bool { return strings.HasPrefix(line, m) })
	}
	first := slices.IndexFunc(p.Lines, begins)
	if first < 0 {
		first = len(p.Lines)
	}
	list := []explain.Element{
		p.Panel("", "What is to be done in this session, and the goals that show when it is done: they are measured after every step. Enter goes back to the lesson."),
		p.Prose("task", "", fmt.Sprintf("The task, “%s”.", explain.Brief(s.task.Text, mostQuoted)), 0, first),
	}
	next := first
	for _, g := range s.told() {
		from := next
		for next = from + 1; next < len(p.Lines) && strings.TrimSpace(p.Lines[next]) != "" && !begins(p.Lines[next]); next++ {
		}
		says := fmt.Sprintf("A goal, %s, which all goals have to do at once: %s.", g.Words, g.Said())
		list = append(list, p.Prose("goal", "", says, min(from, len(p.Lines)), min(next, len(p.Lines))))
		for next < len(p.Lines) && !begins(p.Lines[next]) {
			next++
		}
	}
	return list
}

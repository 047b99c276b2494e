package branches

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// columns are the widths of the columns of the tree; 0 for one that is left out.
type columns struct {
	name, line, method, result, regret int
	last                               int // the last step of the longest branch
}

// The widths of the marks before the names, and of the column of the steps; the least width of the lines, and the widths
// that names and methods have at most.
const (
	markWidth, stepsWidth = 4, 6
	minLine               = 10
	maxName, maxMethod    = 30, 18
)

// columns divides w columns. In a narrow window the regret gives way first, then the lines, then the methods.
func (m *Model) columns(w int) columns {
	c := columns{name: len("branch"), method: len("method"), result: len(m.resultName())}
	for _, r := range m.rows {
		c.name = min(max(c.name, ansi.StringWidth(r.label)), maxName, max(w/3, 6))
		c.method = min(max(c.method, len(r.branch.State.Spec.Name)), maxMethod)
		c.result, c.regret = max(c.result, len(r.result)), max(c.regret, len(r.regret))
		c.last = max(c.last, len(r.branch.State.Iterations))
	}
	if c.regret > 0 {
		c.regret = max(c.regret, len("regret"))
	}
	room := func() int { // for the lines, with the blanks between columns
		rest := w - markWidth - c.name - stepsWidth - 3
		for _, n := range []int{c.method, c.result, c.regret} {
			if n > 0 {
				rest -= n + 2
			}
		}
		return rest
	}
	for _, give := range []*int{&c.regret, &c.method} {
		if room() < minLine {
			*give = 0
		}
	}
	c.line = room()
	if c.line < minLine {
		c.line = 0
	}
	return c
}

// resultName is the heading of the results: of several objectives these are counted.
func (m *Model) resultName() string {
	if len(m.session.State().Problem.Objectives) > 1 {
		return "front"
	}
	return "best"
}

// results are the best result of a state and its simple regret, as far as they are known; of several objectives the
// number of results on the front.
func results(st sessions.State) (result, regret string) {
	if len(st.Problem.Objectives) > 1 {
		return fmt.Sprint(len(report.Front(st, len(st.Iterations)))), ""
	}
	if _, y, _, ok := st.Best(); ok {
		result = widget.Number(y)
	}
	if t := report.TracesFor(st).SimpleRegret; len(t) > 0 {
		regret = widget.Number(t[len(t)-1])
	}
	return result, regret
}

// heading are the names of the columns, with the steps at the ends of the lines.
func (m *Model) heading(c columns) string {
	line := strings.Repeat(" ", markWidth) + layout.Fit("branch", c.name)
	if c.line > 0 {
		last := fmt.Sprint(c.last)
		line += "  " + layout.Fit("step 0", c.line-len(last)) + last
	}
	line += fmt.Sprintf(" %*s", stepsWidth, "steps")
	if c.method > 0 {
		line += "  " + layout.Fit("method", c.method)
	}
	line += fmt.Sprintf("  %*s", c.result, m.resultName())
	if c.regret > 0 {
		line += fmt.Sprintf("  %*s", c.regret, "regret")
	}
	return m.Style.Paint(m.Style.Dim, line)
}

// branchLine is one branch: its name, its line, its number of steps, its method and its results.
func (m *Model) branchLine(i int, c columns) string {
	st, r := m.Style, m.rows[i]
	pointer, color := " ", st.Text
	if i == m.selected {
		pointer, color = st.PaintBold(st.Accent, st.Pointer()), st.Accent
	}
	name := layout.ShortenIn(st, st.Plain(r.label), c.name)
	line := layout.Fit(pointer+st.PaintBold(m.color(i), m.mark(i)), markWidth) + layout.Fit(st.Paint(color, name), c.name)
	if c.line > 0 {
		line += "  " + m.line(i, c)
	}
	line += st.Paint(st.Dim, fmt.Sprintf(" %*d", stepsWidth, len(r.branch.State.Iterations)))
	if c.method > 0 {
		line += "  " + st.Paint(st.Text, layout.Fit(layout.ShortenIn(st, r.branch.State.Spec.Name, c.method), c.method))
	}
	line += "  " + st.Paint(st.Best, fmt.Sprintf("%*s", c.result, r.result))
	if c.regret > 0 {
		line += "  " + st.Paint(st.Dim, fmt.Sprintf("%*s", c.regret, r.regret))
	}
	return line
}

// color is that of a branch in the lines and the traces.
func (m *Model) color(i int) theme.Color {
	switch {
	case i == m.base:
		return m.Style.Mean
	case i == m.selected:
		return m.Style.Used
	}
	return m.Style.Dim
}

// line draws a branch along its steps: from the step where it leaves its parent, with a corner below that step, to its
// end. The lines of branches that leave later pass it.
func (m *Model) line(i int, c columns) string {
	st, r := m.Style, m.rows[i]
	cells, colors := []rune(strings.Repeat(" ", c.line)), make([]theme.Color, c.line)
	put := func(index int, glyph rune, color theme.Color) { cells[index], colors[index] = glyph, color }
	column := func(step int) int { return min(step, c.last) * (c.line - 1) / max(c.last, 1) }
	from, end := 0, column(len(r.branch.State.Iterations))
	if r.parent >= 0 {
		from = column(r.branch.From)
	}
	for index := from; index <= end; index++ {
		put(index, '─', m.color(i))
	}
	if r.parent >= 0 {
		put(from, '└', m.color(i))
	}
	for j, other := range m.rows {
		index := column(other.branch.From)
		switch {
		case j == i || other.parent < 0:
		case r.parent >= 0 && index == from && j > i && (other.parent == i || other.parent == r.parent):
			put(index, '├', m.color(i)) // both leave their parents at this step
		case other.parent == i && index >= from && index < end:
			put(index, '┬', m.color(i))
		case other.parent < i && i < j && cells[index] == ' ':
			put(index, '│', m.color(j))
		}
	}
	put(end, st.Rune(theme.GlyphHollow), m.color(i))
	if _, _, step, ok := r.branch.State.Best(); ok && column(step) >= from && step > r.branch.From {
		put(column(step), st.Rune(theme.GlyphStar), st.Best)
	}
	if r.branch.Current && r.of == m.session {
		put(column(len(m.session.State().Iterations)), st.Rune(theme.GlyphTarget), st.Good)
	}
	text := ""
	for index, glyph := range cells {
		if glyph == ' ' {
			text += " "
		} else {
			text += st.Paint(colors[index], st.Plain(string(glyph)))
		}
	}
	return text
}

// names are the branches that are compared, as lines in their colours.
func (m *Model) names(w int) []string {
	st, list := m.Style, []int{m.base}
	if m.selected != m.base {
		list = append(list, m.selected)
	}
	var lines []string
	for k, i := range list {
		name := fmt.Sprintf("%s  %s", []string{markBase, markSelected}[k], sanitize.Text(m.rows[i].branch.Name))
		lines = append(lines, " "+st.PaintBold(m.color(i), layout.ShortenIn(st, st.Plain(name), w-2)))
	}
	return lines
}

package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/safe"
	"bandscope/tui/explain"
	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// headRows are the lines above the panes.
const headRows = 1

// footRows are the lines below the panes: what to look for, which a tall window has two lines for, the status and the hints.
func (m *Model) footRows() int {
	if m.Height >= 36 {
		return 4
	}
	return 3
}

// letter names a pane.
func letter(i int) string { return string(rune('A' + i)) }

// lines tell the means of laid-over beliefs apart where there is no colour.
var lines = [maxPanes]theme.Line{theme.Solid, theme.Dashed, theme.Dotted, theme.Fine}

// Render draws the screen: as many lines as the window is high.
func (m *Model) Render() []string {
	out := []string{m.header()}
	room := m.Height - headRows - m.footRows()
	lower := 0
	switch {
	case m.arranged == racing || m.shown.view.Theory:
		lower = max(room*2/5, 9)
	case m.deciding.shown:
		lower = max(room/2, 10)
	}
	switch {
	case m.several() && m.arranged != sideBySide:
		out = append(out, m.frontsPanel(m.Width, room-lower)...)
	case m.arranged == overlaid:
		out = append(out, m.overlay(m.Width, room-lower)...)
	default:
		out = append(out, m.grid(m.Width, room-lower)...)
	}
	switch {
	case lower == 0:
	case m.deciding.shown && m.arranged != racing:
		out = append(out, m.agreement(m.Width, lower)...)
	case m.shown.view.Theory:
		out = append(out, m.theoryPanel(m.Width, lower)...)
	default:
		out = append(out, m.racePanel(m.Width, lower)...)
	}
	return append(append(out, m.aboutLines()...), m.statusLine(), m.hints())
}

// header says what is compared.
func (m *Model) header() string {
	st := m.Style
	state := m.base.State()
	dot := st.Paint(st.Dim, " "+st.Dot()+" ")
	name := state.Problem.Name
	if !strings.Contains(name, ":") {
		name = fmt.Sprintf("%s %d-D", name, state.Problem.Dim())
	}
	steps := len(state.Iterations)
	if m.arranged == racing {
		steps = len(m.panes[m.selected].racer.State().Iterations)
	}
	parts := []string{st.PaintBold(st.Accent, " bandscope"), st.PaintBold(st.Text, "compare"), st.Paint(st.Text, m.comparison.Title),
		st.Paint(st.Text, name), st.Paint(st.Text, fmt.Sprintf("step %d", steps))}
	right := st.Paint(st.Dim, arrangementNames[m.arranged]) + " "
	for drop := 2; drop >= 0; drop-- {
		left := strings.Join(parts, dot)
		if gap := m.Width - ansi.StringWidth(left) - ansi.StringWidth(right); gap > 0 {
			return left + strings.Repeat(" ", gap) + right
		}
		parts = append(parts[:drop:drop], parts[drop+1:]...)
	}
	return strings.Join(parts, dot)
}

// grid is the panes side by side, in two rows where that leaves more room for each.
func (m *Model) grid(w, h int) []string {
	n := len(m.panes)
	rows := 1
	if n == 4 && h >= 16 || n > 1 && w/n < 44 && h/2 >= 8 {
		rows = 2
	}
	perRow := (n + rows - 1) / rows
	panel := m.panel()
	var out []string
	for r := range rows {
		top := h * r / rows
		height := h*(r+1)/rows - top
		var blocks [][]string
		from, to := r*perRow, min((r+1)*perRow, n)
		for i := from; i < to; i++ {
			left := w * (i - from) / (to - from)
			blocks = append(blocks, panel(i, w*(i-from+1)/(to-from)-left, height))
		}
		out = append(out, screen.Beside(blocks...)...)
	}
	return out
}

// panel is how a pane is drawn.
func (m *Model) panel() func(i, w, h int) []string {
	if m.several() {
		x, y := m.sharedAxes()
		return func(i, w, h int) []string { return m.outcomesPanel(i, w, h, x, y) }
	}
	span := m.sharedRange()
	return func(i, w, h int) []string { return m.panePanel(i, w, h, span) }
}

// framed is a pane around what is drawn of it below its head in so many lines, or the reason why there is nothing, or what it waits for.
func (m *Model) framed(i, w, h int, head []string, waiting string, draw func(rows int) []string) []string {
	p, st := m.panes[i], m.Style
	body := slices.Clone(head)
	switch {
	case p.reason != "":
		body = append(body, layout.Paragraph(st, st.Error, p.reason, w-4)...)
	case waiting != "":
		body = append(body, "", " "+st.Paint(st.Dim, st.Plain(waiting)))
	default:
		body = append(body, draw(h-2-len(body))...)
	}
	title := st.PaintBold(st.Series[i], letter(i)) + " " + st.Plain(m.paneTitle(p))
	return screen.Panel(st, title, body, w, h, i == m.selected && len(m.panes) > 1)
}

// charted is a chart below its legend, in so many columns and lines.
func (m *Model) charted(c plot.Chart, w, rows int) []string {
	body := m.legend(c.Layers, w)
	return append(body, m.book.Draw(c, w, rows-len(body), m.Style)...)
}

// paneTitle is the title of a pane with the value of the parameter that the arrow keys change.
func (m *Model) paneTitle(p *pane) string {
	title := p.Title
	if title == "" {
		title = p.alt.Spec().Title
	}
	if d, err := p.alt.Params().Decl(m.knob); err == nil && p.Params[m.knob] != nil {
		value := d.Format(p.alt.Params().Value(d.Key))
		if x, ok := p.alt.Params().Value(d.Key).(float64); ok {
			value = screen.Number(x)
		}
		title += fmt.Sprintf(" · %s %s", firstWord(d.Label), value)
	}
	return title
}

// firstWord is the symbol that a label begins with, or the whole label.
func firstWord(label string) string {
	word, rest, ok := strings.Cut(label, "  ")
	if !ok {
		return label
	}
	if word == "" {
		return rest
	}
	return word
}

// paneRows is how many rows the legend of a pane has at most where shorter names do it.
const paneRows = 2

// legend names what a chart draws, in rows that fit into w columns.
func (m *Model) legend(layers []plot.Layer, w int) []string {
	rows := screen.Legend(m.Style, plot.LegendOf(m.Style, layers), w-2, paneRows)
	for i := range rows {
		rows[i] = " " + rows[i]
	}
	return rows
}

// aboutLines tell what to look for, and the distance of the first two beliefs where that is the point.
func (m *Model) aboutLines() []string {
	st := m.Style
	rows := m.footRows() - 2
	var out []string
	if m.comparison.Distance && m.arranged != racing && len(m.panes) > 1 {
		if text, ok := m.distance(); ok {
			out = append(out, " "+st.PaintBold(st.Text, ansi.Truncate(st.Plain(text), m.Width-2, "")))
		}
	}
	about := layout.Wrap(st.Plain(m.comparison.About), m.Width-2)
	for i := 0; len(out) < rows; i++ {
		line := ""
		if i < len(about) {
			line = about[i]
		}
		if len(out) == rows-1 && i < len(about)-1 {
			line = ansi.Truncate(line, m.Width-3, "") + st.Plain("…")
		}
		out = append(out, " "+st.Paint(st.Text, line))
	}
	return out
}

func (m *Model) statusLine() string {
	st := m.Style
	text := fmt.Sprintf("pane %s: %s", letter(m.selected), m.panes[m.selected].alt.Spec().Name)
	if changed := m.panes[m.selected].Params; len(changed) > 0 {
		text += " " + assignments(changed)
	}
	if m.comparison.Source != "" {
		text += "   after " + m.comparison.Source
	}
	return m.Status.Line(st, cmp.Or(m.work.jobs.Status(st.ASCII), m.deciding.jobs.Status(st.ASCII)), st.Paint(st.Dim, ansi.Truncate(st.Plain(text), m.Width-2, st.Plain("…"))))
}

// hints is the bottom line: as many keys as fit.
func (m *Model) hints() string {
	if m.Status.Open() {
		return m.Status.Explain(m.Style)
	}
	bindings := screen.Named(commands(), footer)
	for i, b := range bindings {
		switch shown := b.Help().Key; {
		case shown == "left/right" && m.knob != "":
			bindings[i].SetHelp(shown, m.knob)
		case shown == "D" && m.arranged == racing:
			bindings[i].SetHelp(shown, "end the race")
		}
	}
	return " " + screen.Footer(m.Style, bindings, m.Width-2)
}

// assignments writes parameters as --set takes them, "key=value", in the order of their keys.
func assignments(params map[string]any) string {
	parts := make([]string, 0, len(params))
	for _, k := range slices.Sorted(maps.Keys(params)) {
		parts = append(parts, fmt.Sprintf("%s=%v", k, params[k]))
	}
	return safe.Text(strings.Join(parts, " "))
}

// Frame is the screen as a tree of boxes.
func (m *Model) Frame() *layout.Box { return explain.Old(m.Width, m.Render(), m.Elements) }

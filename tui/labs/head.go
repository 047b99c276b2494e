package labs

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/progress"
	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/labs/panel"
	"bandscope/tui/layout"
	"bandscope/tui/player"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// heading is the top line: the training at the left, whether it is on disk at the right. A narrow window shows less of
// the left.
func (m *Model) heading() *layout.Box {
	st := m.Style
	right := m.saved() + " "
	left := ""
	for less := range 4 {
		left = m.subject(less)
		if ansi.StringWidth(left)+ansi.StringWidth(right) < m.Width {
			break
		}
	}
	gap := m.Width - ansi.StringWidth(left) - ansi.StringWidth(right)
	if gap < 1 {
		left, gap = layout.ShortenIn(st, left, m.Width-ansi.StringWidth(right)-1), 1
		gap = max(m.Width-ansi.StringWidth(left)-ansi.StringWidth(right), 1)
	}
	return layout.Text(m.Width, left+strings.Repeat(" ", gap)+right).
		Describe(layout.Number, "heading", "", m.headingSays)
}

// headingSays describes the training.
func (m *Model) headingSays() string {
	st := m.state
	text := fmt.Sprintf("The lab on %s; %d of %d updates are done", st.Spec.Title, st.Step, st.Total)
	if st.Ahead > 0 {
		text += fmt.Sprintf(" (%s recorded after this one)", widget.Count(st.Ahead, "step"))
	}
	if len(st.Runs) > 1 {
		text += fmt.Sprintf(". It has two runs, %s and %s", panel.Name(st, 0), panel.Name(st, 1))
	}
	return text + map[bool]string{true: ". It is saved to its file.", false: ". It is not saved yet."}[st.Saved]
}

// subject names the training, the shorter the narrower the window is.
func (m *Model) subject(less int) string {
	st, state := m.Style, m.state
	name := state.Spec.Title
	steps := fmt.Sprintf("update %d/%d", state.Step, state.Total)
	if less > 1 {
		name, steps = "lab "+state.Spec.Name, fmt.Sprintf("%d/%d", state.Step, state.Total)
	}
	if state.Ahead > 0 {
		steps += fmt.Sprintf(" (+%d)", state.Ahead)
	}
	parts := []string{st.PaintBold(st.Text, name), st.Paint(st.Text, steps)}
	for i := range state.Runs {
		parts = append(parts, st.Paint(panel.Color(st, i), st.Glyph(panel.Glyph(i))+" "+m.name(i)))
	}
	if less < 1 {
		parts = append(parts, st.Paint(st.Dim, fmt.Sprintf("seed %d", state.Runs[0].Params.Int(state.Spec.Seed))))
	}
	line := " " + strings.Join(parts, st.Paint(st.Dim, " "+st.Dot()+" "))
	if less < 3 {
		line = st.PaintBold(st.Accent, " bandscope") + " " + line
	}
	return line
}

// name names a run by the parameters that differ from the other one; a single run by the parameters that are suggested
// to differ in a second one.
func (m *Model) name(run int) string {
	if len(m.state.Runs) > 1 {
		return panel.Name(m.state, run)
	}
	var parts []string
	p := m.state.Runs[0].Params
	for _, d := range p.Decls() {
		if _, ok := m.state.Spec.SecondRun[d.Key]; ok {
			parts = append(parts, d.Label+" "+d.Format(p.Value(d.Key)))
		}
	}
	return strings.Join(parts, ", ")
}

// saved says whether every event is on disk.
func (m *Model) saved() string {
	st := m.Style
	mark := st.Glyph(theme.GlyphFilled)
	word := " saved"
	color := st.Good
	switch {
	case m.state.Path != "" && !m.state.Saved:
		mark = st.Glyph(theme.GlyphHollow)
		word = " read-only"
		color = st.Warn
	case !m.state.Saved:
		mark = st.Glyph(theme.GlyphHollow)
		word = " not saved"
		color = st.Dim
	}
	if m.Width < wide {
		word = ""
	}
	return st.Paint(color, mark+word)
}

// barWidth is the width of the progress bar in the second line, in columns.
func (m *Model) barWidth() int {
	least := 18
	if m.session.Lesson() != nil {
		least = 24 // so that the pages fit behind their number
	}
	return min(max(m.Width/4, least), 40)
}

// bar is the timeline.
func (m *Model) bar() player.Bar { return m.Bar(m.barWidth() + 4) }

// traces is the second line: the progress, and the last measurements, each with a sparkline of the earlier ones.
func (m *Model) traces() *layout.Box {
	w, bar := m.barWidth(), m.bar().Box()
	if bar == nil {
		bar = layout.Line(m.progress(w))
	}
	line := layout.Row(layout.Space(1, 1), bar.Sized(w, 1).Describe(layout.Number, barName, "", m.describeBar),
		layout.Space(1, 1))
	room := (m.Width - line.W) / len(m.state.Runs)
	for i := range m.state.Runs {
		line.Beside(m.measured(i, room-1)).Beside(layout.Space(1, 1))
	}
	return line
}

// barName is the name of the box with the progress bar.
const barName = "progress"

// describeBar describes the bar.
func (m *Model) describeBar() string {
	stops := len(m.Line.Stops)
	if m.session.Lesson() != nil {
		return fmt.Sprintf(
			"The pages of the lesson; this is page %d of %d. ¶ marks a page, ? a question. Press space for the next page, or click on one.",
			m.Line.At+1, stops)
	}
	if stops > 1 && m.Line.At < stops-1 {
		return fmt.Sprintf(
			"The recorded training, up to update %d; this is update %d. Press b and space to move along it without training.",
			m.Line.Stops[stops-1].Step, m.state.Step)
	}
	return fmt.Sprintf("The progress of the training: %d of %d updates, %.0f %%.", m.state.Step, m.state.Total,
		100*float64(m.state.Step)/float64(max(m.state.Total, 1)))
}

// progress is a bar of w cells, which is full at the last update and not before.
func (m *Model) progress(w int) string {
	st := m.Style
	char := func(c string) rune { return []rune(st.Plain(c))[0] }
	bar := progress.New(progress.WithWidth(w), progress.WithoutPercentage(),
		progress.WithFillCharacters(char("━"), char("┄")), progress.WithColors(st.Color(st.Accent)))
	bar.EmptyColor = st.Color(st.Faint)
	return bar.ViewAs(float64(w*m.state.Step/max(m.state.Total, 1)) / float64(w))
}

// sparks are the widths of a sparkline, in cells; the widest that fits is used.
var sparks = [...]int{10, 6, 3}

// maxMeasured bounds the description of the measurements, in words.
const maxMeasured = 34

// measured is the last measurements of a run, in the order of the columns, as many as fit.
func (m *Model) measured(run, w int) *layout.Box {
	st, r := m.Style, m.state.Runs[run]
	line, name := layout.Row(), "last measurements"
	if len(m.state.Runs) > 1 {
		line.Beside(layout.Line(st.Paint(panel.Color(st, run), st.Glyph(panel.Glyph(run))) + " "))
		name += ", " + panel.Name(m.state, run)
	}
	room, says := w-line.W, ""
	switch {
	case r.Failed != "":
		line.Beside(layout.Text(room, st.PaintBold(st.Error,
			st.Plain(st.Glyph(theme.GlyphCross)+" "+sanitize.Text(r.Failed)))))
		says = "This run ended early: " + strings.TrimSuffix(r.Failed, ".") + "."
	case len(r.Trace) == 0:
		line.Beside(layout.Text(room, st.Paint(st.Dim, "before the first update")))
		says = "Measurements appear here from the first update on. Press space to train."
	default:
		for _, cells := range sparks {
			values, described, first := m.values(run, room, cells)
			says = "The measurements of the last update, each with a sparkline: " + described + "."
			if first ||
				cells == sparks[len(sparks)-1] {
				line.Beside(values)
				break
			}
		}
	}
	return line.Sized(w, 1).Number(name, "", says)
}

// values are the last measurements of a run that fit into w columns, each with a sparkline of so many cells; described
// is their description. First reports whether the first column is among them.
func (m *Model) values(run, w, cells int) (line *layout.Box, described string, first bool) {
	st, line := m.Style, layout.Row()
	for i, c := range m.state.Spec.Columns {
		values := panel.Values(m.state.Runs[run], i)
		last := widget.Number(values[len(values)-1])
		entry := layout.Line(st.Paint(st.Dim, c.Label+" ") + st.Paint(st.Text, last) + " " +
			st.Paint(panel.Color(st, run), chart.Spark(values, cells, c.Log, st)))
		between := min(line.W, 2)
		if line.W+between+entry.W > w {
			continue
		}
		line.Beside(layout.Space(between, 1)).Beside(entry)
		first = first || i == 0
		if strings.Count(described, " ") < maxMeasured {
			described += fmt.Sprintf("%s is %s; ", strings.TrimSuffix(c.Label+", "+c.Help, ", ")+
				map[bool]string{true: ",", false: ""}[c.Help != ""], last)
		}
	}
	return line, strings.TrimSuffix(described, "; "), first
}

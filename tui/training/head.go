package training

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/progress"
	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/player"
	"bandscope/tui/theme"
	"bandscope/tui/training/panel"
	"bandscope/tui/widget"
)

// heading is the top line: what is trained at the left, whether it is on disk at the right. A narrow window shows less
// of the left.
func (m *Model) heading() *layout.Box {
	st := m.Style
	right := m.saved() + " "
	left := ""
	for less := range 4 {
		if left = m.subject(less); ansi.StringWidth(left)+ansi.StringWidth(right) < m.Width {
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

// headingSays tells what is trained.
func (m *Model) headingSays() string {
	st := m.state
	text := fmt.Sprintf("What is trained: %s, %d of %d updates done", st.Spec.Title, st.Step, st.Total)
	if st.Ahead > 0 {
		text += fmt.Sprintf(" (%s on record after this)", widget.Count(st.Ahead, "place"))
	}
	if len(st.Runs) > 1 {
		text += fmt.Sprintf(", by two runs, %s and %s", panel.Name(st, 0), panel.Name(st, 1))
	}
	return text + map[bool]string{true: ". All of it is in its file.", false: ". It is not in a file yet."}[st.Saved]
}

// subject says what is trained, the less the narrower the window is.
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

// name tells a run by what it has otherwise than the other one; one that is alone by that in which a second run would
// be offered to differ.
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
	mark, word, color := st.Glyph(theme.GlyphFilled), " saved", st.Good
	switch {
	case m.state.Path != "" && !m.state.Saved:
		mark, word, color = st.Glyph(theme.GlyphHollow), " read-only", st.Warn
	case !m.state.Saved:
		mark, word, color = st.Glyph(theme.GlyphHollow), " not saved", st.Dim
	}
	if m.Width < wide {
		word = ""
	}
	return st.Paint(color, mark+word)
}

// barWidth is how many columns of the second line show how far the training is.
func (m *Model) barWidth() int {
	least := 18
	if m.session.Lesson() != nil {
		least = 24 // so that the pages have room behind their number
	}
	return min(max(m.Width/4, least), 40)
}

// bar is the timeline.
func (m *Model) bar() player.Bar { return m.Bar(m.barWidth() + 4) }

// traces is the second line: how far the training is, and what was measured last, with a row of what was measured
// before.
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

// barName is the box of the bar, which tells how far the training is.
const barName = "how far"

// describeBar tells the bar.
func (m *Model) describeBar() string {
	stops := len(m.Line.Stops)
	if m.session.Lesson() != nil {
		return fmt.Sprintf("The pages of the lesson, on page %d of %d: ¶ is a page, ? one that asks; space turns it, "+
			"a click goes there.", m.Line.At+1, stops)
	}
	if stops > 1 && m.Line.At < stops-1 {
		return fmt.Sprintf("The training on record, from its beginning to update %d; this is update %d. What is "+
			"behind the mark is still ahead: b and space go there without training.", m.Line.Stops[stops-1].Step,
			m.state.Step)
	}
	return fmt.Sprintf("How much of the training is done: %d of %d updates, %.0f %%.", m.state.Step, m.state.Total,
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

// sparks are how many cells a row of values has, where there is room for them.
var sparks = [...]int{10, 6, 3}

// maxMeasured is how many words of what was measured are told.
const maxMeasured = 34

// measured tells what was measured of a run last, in the order of the columns, as much as there is room for.
func (m *Model) measured(run, w int) *layout.Box {
	st, r := m.Style, m.state.Runs[run]
	line, name := layout.Row(), "measured last"
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
		says = "What the updates measure stands here from the first one on: space does it."
	default:
		for _, cells := range sparks {
			values, told, first := m.values(run, room, cells)
			if says = "What the last update measured, each with a row of bars for how it went: " + told + "."; first ||
				cells == sparks[len(sparks)-1] {
				line.Beside(values)
				break
			}
		}
	}
	return line.Sized(w, 1).Number(name, "", says)
}

// values are what was measured of a run last, each with so many cells of what was before, as many as have room; told
// are those, in words. First reports whether the first is among them.
func (m *Model) values(run, w, cells int) (line *layout.Box, told string, first bool) {
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
		if first = first || i == 0; strings.Count(told, " ") < maxMeasured {
			told += fmt.Sprintf("%s is %s; ", strings.TrimSuffix(c.Label+", "+c.Help, ", ")+
				map[bool]string{true: ",", false: ""}[c.Help != ""], last)
		}
	}
	return line, strings.TrimSuffix(told, "; "), first
}

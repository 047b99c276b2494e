package watch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/safe"
	"bandscope/tui/explain"
	"bandscope/tui/explore/mode"
	explorer "bandscope/tui/explore/picture"
	"bandscope/tui/explore/timeline"
	"bandscope/tui/layout"
	"bandscope/tui/plot/trace"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
	"bandscope/tui/watch/picture"
)

// headRows and footRows are the lines of the window above and below the picture; the bar stands in the second one.
const headRows, footRows, barRow = 2, 2, 1

// barShift is how many columns farther to the right a timeline stands on the edge of a panel than here.
const barShift = 2

// wide is the width from which there is room for what is only good to know.
const wide = 100

// pictureRows is the height of the picture.
func (m *Model) pictureRows() int { return m.Height - headRows - footRows }

// side is the width of the panel beside the picture; 0 where there is none.
func (m *Model) side() int {
	usual := explorer.Side(m.Width, m.session.Lesson() != nil)
	switch p := m.panel(); {
	case p != nil:
		return p.Width(m.Width, usual)
	case m.notesShown():
		return usual
	}
	return 0
}

// panel is the mode that has a panel at the side, nil if none has one.
func (m *Model) panel() mode.Paneled {
	p, _ := m.modes.Doing.(mode.Paneled)
	return p
}

// place is what the picture sees.
func (m *Model) place() picture.Place {
	return picture.Place{State: m.state, Style: m.Style, W: m.Width - m.side(), H: m.pictureRows(), Known: m.known, Stale: m.other || m.knownOf != m.state.ID, Asking: m.asking()}
}

// Render draws the screen: as many lines as the window is high.
func (m *Model) Render() []string {
	lines := []string{m.heading(), m.traces()}
	body := m.picture.Draw(m.place())
	if side := m.side(); side > 0 {
		body = screen.Beside(body, m.besides(side))
	}
	lines = append(lines, body...)
	return append(lines, m.statusLine(), m.footer())
}

// besides is the panel beside the picture.
func (m *Model) besides(side int) []string {
	if p := m.panel(); p != nil {
		return p.Panel(m.scene(), side, m.pictureRows())
	}
	title := "notes on update " + fmt.Sprint(m.state.Step)
	if lesson := m.session.Lesson(); lesson != nil {
		title = safe.Text(lesson.Title)
	}
	return m.beside.Panel(m.Style, title, m.notes(), side, m.pictureRows())
}

// heading is the top line: what is trained at the left, whether it is on disk at the right. A narrow window shows less of the left.
func (m *Model) heading() string {
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
	return left + strings.Repeat(" ", gap) + right
}

// subject says what is trained, the less the narrower the window is.
func (m *Model) subject(less int) string {
	st, state := m.Style, m.state
	name := state.Lab.Title
	steps := fmt.Sprintf("update %d/%d", state.Step, state.Of)
	if less > 1 {
		name, steps = "lab "+state.Lab.Name, fmt.Sprintf("%d/%d", state.Step, state.Of)
	}
	if state.Ahead > 0 {
		steps += fmt.Sprintf(" (+%d)", state.Ahead)
	}
	parts := []string{st.PaintBold(st.Text, name), st.Paint(st.Text, steps)}
	for i := range state.Runs {
		parts = append(parts, st.Paint(picture.Color(st, i), st.Glyph(picture.Glyph(i))+" "+m.name(i)))
	}
	if less < 1 {
		parts = append(parts, st.Paint(st.Dim, fmt.Sprintf("seed %d", state.Runs[0].Params.Int(state.Lab.Seed))))
	}
	line := " " + strings.Join(parts, st.Paint(st.Dim, " "+st.Dot()+" "))
	if less < 3 {
		line = st.PaintBold(st.Accent, " bandscope") + " " + line
	}
	return line
}

// name tells a run by what it has otherwise than the other one; one that is alone by that in which a second run would be offered to differ.
func (m *Model) name(run int) string {
	if len(m.state.Runs) > 1 {
		return picture.Name(m.state, run)
	}
	var parts []string
	p := m.state.Runs[0].Params
	for _, d := range p.Decls() {
		if _, ok := m.state.Lab.Contrast[d.Key]; ok {
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
func (m *Model) bar() timeline.Bar {
	return timeline.Bar{Timeline: m.line, Style: m.Style, Read: m.replay || m.session.Lesson() != nil, Pages: m.session.Lesson() != nil, Playing: m.Running, W: m.barWidth() + 4}
}

// traces is the second line: how far the training is, and what was measured last, with a row of what was measured before.
func (m *Model) traces() string {
	w := m.barWidth()
	left := ""
	if bar := m.bar(); bar.Telling() {
		left = bar.Text()
	}
	if left == "" {
		left = m.progress(w)
	}
	line := " " + layout.Fit(left, w) + " "
	room := (m.Width - ansi.StringWidth(line)) / len(m.state.Runs)
	for i := range m.state.Runs {
		line += layout.Fit(m.measured(i, room-1), room-1) + " "
	}
	return line
}

// progress is a bar of w cells.
func (m *Model) progress(w int) string {
	st := m.Style
	n := 0
	if m.state.Of > 0 {
		n = w * m.state.Step / m.state.Of
	}
	return st.Paint(st.Accent, strings.Repeat("━", n)) + st.Paint(st.Faint, strings.Repeat("┄", w-n))
}

// sparks are how many cells a row of values has, where there is room for them.
var sparks = [...]int{10, 6, 3}

// measured tells what was measured of a run last, in the order of the columns, as much as there is room for.
func (m *Model) measured(run, w int) string {
	st, r := m.Style, m.state.Runs[run]
	mark := ""
	if len(m.state.Runs) > 1 {
		mark = st.Paint(picture.Color(st, run), st.Glyph(picture.Glyph(run))) + " "
	}
	if r.Failed != "" {
		return mark + st.PaintBold(st.Error, st.Plain(st.Glyph(theme.GlyphCross)+" "+safe.Text(r.Failed)))
	}
	if len(r.Trace) == 0 {
		return mark + st.Paint(st.Dim, "before the first update")
	}
	w -= ansi.StringWidth(mark)
	line := ""
	for _, cells := range sparks {
		var entries []string
		for i, c := range m.state.Lab.Columns {
			values := picture.Values(r, i)
			entries = append(entries, st.Paint(st.Dim, c.Label+" ")+st.Paint(st.Text, screen.Number(values[len(values)-1]))+" "+
				st.Paint(picture.Color(st, run), trace.Spark(values, cells, c.Log, st)))
		}
		if line = layout.FitEntries(entries, "  ", w); ansi.StringWidth(entries[0]) <= w {
			break
		}
	}
	return mark + line
}

// statusLine is the line above the hints: what is being entered, what runs, what was last said, or what to do next.
func (m *Model) statusLine() string {
	if t, ok := m.modes.Doing.(mode.Telling); ok && !m.Status.Open() {
		if said, _ := m.Status.Said(); said == "" {
			return " " + t.Status(m.scene())
		}
	}
	st := m.Style
	line := m.Status.Line(st, m.jobs.Status(st.ASCII), st.Paint(st.Dim, st.Plain(m.advice())))
	if m.Status.Open() {
		return line // the window has the part of it that it has room for
	}
	return layout.ShortenIn(st, line, m.Width)
}

// advice tells a newcomer what to press next.
func (m *Model) advice() string {
	if a, ok := m.modes.Doing.(mode.Advising); ok {
		return a.Advice()
	}
	if m.modes.Doing != nil {
		return ""
	}
	second := "c lays a second run over it"
	if len(m.state.Runs) > 1 {
		second = "c takes the second run away"
	}
	switch over := m.over(); {
	case m.placed.Advice() != "":
		return m.placed.Advice()
	case m.asking():
		return m.askingSays()
	case m.reading():
		return "space turns the page, b goes back, r plays"
	case m.placed.NoNext(m.line) == "" && len(m.line.Stops)-1 == m.line.At:
		return "this is the last page: space trains on from here, ctrl+n opens the next lesson"
	case m.session.Lesson() != nil && len(m.line.Stops)-1 == m.line.At:
		return "this is the last page: space trains on from here, o opens another lesson, or a lab"
	case m.state.Step == 0 && m.last != nil:
		return fmt.Sprintf("space trains %s, r runs · R resumes %s", updates(sizes[m.size]), safe.Text(m.last.Name))
	case m.state.Step == 0:
		return fmt.Sprintf("space trains %s, r runs, e edits, %s", updates(sizes[m.size]), second)
	case m.Running:
		return fmt.Sprintf("running, %s a step, %s: r pauses, , and . change the speed, - and + the step", updates(sizes[m.size]), m.speed)
	case over != "":
		if len(m.state.Runs) > 1 { // which fits into 80 columns
			return over + ": b goes back, c takes one away"
		}
		return over + ": b goes back, c lays a run over"
	}
	return fmt.Sprintf("space trains %s; e edits a parameter, %s", updates(sizes[m.size]), second)
}

// footer is the bottom line: as many keys as fit.
func (m *Model) footer() string {
	st := m.Style
	if m.Status.Open() {
		return m.Status.Explain(st)
	}
	if m.modes.Doing != nil {
		return " " + screen.Footer(st, m.modes.Hints(m.scene), m.Width-2)
	}
	shown := slices.Clone(m.hinted())
	for i, b := range shown {
		if b.Help().Key == runKey.Help().Key && m.Running {
			shown[i].SetHelp(b.Help().Key, "pause")
		}
	}
	return " " + screen.Footer(st, shown, m.Width-2)
}

// Frame is the screen as a tree of boxes.
func (m *Model) Frame() *layout.Box { return explain.Old(m.Width, m.Render(), m.Elements) }

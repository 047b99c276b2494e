package study

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/safe"
	"bandscope/sessions/study"
	"bandscope/tui/layout"
	"bandscope/tui/screen"
	"bandscope/tui/study/charts"
	"bandscope/tui/theme"
)

// standings are the marks of how cells stand, with their words.
var standings = [...]struct {
	glyph theme.Glyph
	words string
}{
	idle:    {theme.GlyphDot, "to come"},
	begun:   {theme.GlyphHollow, "begun"},
	full:    {theme.GlyphFilled, "done"},
	running: {theme.GlyphTarget, "running"},
	foreign: {theme.GlyphStrange, "another version's"},
	broken:  {theme.GlyphCross, "failed"},
}

func (m *Model) standingColor(s standing) theme.Color {
	st := m.Style
	return [...]theme.Color{idle: st.Faint, begun: st.Sample, full: st.Good, running: st.Newest, foreign: st.Warn, broken: st.Error}[s]
}

// table is how the table lies in its panel.
type table struct {
	label int // columns of the problems' names
	per   int // marks of a cell
	shown int // methods
	from  int // the first of them
}

// leastLabel and mostLabel bound the room of the problems' names.
const leastLabel, mostLabel = 12, 28

// tableWidth is what the table needs, up to a part of the window.
func (m *Model) tableWidth() int {
	need := m.labels() + len(m.board.methods)*(m.board.most()+1) + 5
	return min(max(need, 34), m.Width*40/100)
}

// labels is how wide the problems' names are.
func (m *Model) labels() int {
	widest := leastLabel
	for _, p := range m.board.problems {
		widest = max(widest, ansi.StringWidth(p))
	}
	return min(widest, mostLabel, max(m.Width/6, leastLabel))
}

// most is how many cells there are of a problem and a method at most.
func (b *board) most() (most int) {
	for _, row := range b.groups {
		for _, g := range row {
			most = max(most, len(g.rows))
		}
	}
	return most
}

// layout lays the table into w columns: as many marks a cell as there are seeds, or as there is room; where not even one a cell has room, the methods around the cursor.
func (m *Model) layout(w int) table {
	n := max(len(m.board.methods), 1)
	l := table{label: m.labels(), shown: n}
	room := w - 4 - l.label - 1
	l.per = min(max(room/n-1, 1), max(m.board.most(), 1))
	l.shown = min(n, max(room/(l.per+1), 1))
	l.from = min(max(m.cursor.method-l.shown/2, 0), n-l.shown)
	return l
}

// tablePanel draws the table: problems down, methods across, a mark a seed.
func (m *Model) tablePanel(w, h int) []string {
	st, l := m.Style, m.layout(w)
	body := []string{m.tableHead(l), m.tableRow(-1, l)}
	marks := m.marksLines(l, w-3)
	rows := h - 2 - len(body) - len(marks)
	m.cursor.top = min(max(m.cursor.top, m.cursor.problem-rows+1, 0), max(m.cursor.problem, 0), max(len(m.board.problems)-rows, 0))
	for p := m.cursor.top; p < len(m.board.problems) && p < m.cursor.top+rows; p++ {
		body = append(body, m.tableRow(p, l))
	}
	for len(body) < h-2-len(marks) {
		body = append(body, "")
	}
	body = append(body, marks...)
	heading := "cells"
	if n := len(m.board.problems); n > rows && rows > 0 {
		heading += fmt.Sprintf(": problems %d to %d of %d", m.cursor.top+1, m.cursor.top+rows, n)
	}
	return screen.Panel(st, heading, body, w, h, true)
}

// tableHead names the methods by their letters.
func (m *Model) tableHead(l table) string {
	st := m.Style
	left := "  "
	if l.from > 0 {
		left = " " + st.Plain("…")
	}
	line := layout.Fit(left, l.label+3)
	for k := l.from; k < l.from+l.shown; k++ {
		name := layout.Fit(charts.Letter(k), l.per)
		if k == m.cursor.method {
			line += " " + st.PaintBold(st.Accent, name)
		} else {
			line += " " + st.Paint(m.telling().Color(k), name)
		}
	}
	if l.from+l.shown < len(m.board.methods) {
		line += st.Paint(st.Dim, "…")
	}
	return line
}

// tableRow is a problem with its cells; −1 is all problems.
func (m *Model) tableRow(problem int, l table) string {
	st := m.Style
	name := "all problems"
	if problem >= 0 {
		name = safe.Text(m.board.problems[problem])
	}
	line := "   " + st.Paint(st.Text, layout.Fit(layout.ShortenIn(st, st.Plain(name), l.label), l.label))
	if problem == m.cursor.problem {
		line = " " + st.PaintBold(st.Accent, st.Pointer()+" "+layout.Fit(layout.ShortenIn(st, st.Plain(name), l.label), l.label))
	}
	var b strings.Builder
	b.WriteString(line)
	for k := l.from; k < l.from+l.shown; k++ {
		before := " "
		switch {
		case problem == m.cursor.problem && k == m.cursor.method:
			before = st.PaintBold(st.Accent, "[")
		case problem == m.cursor.problem && k == m.cursor.method+1:
			before = st.PaintBold(st.Accent, "]")
		}
		b.WriteString(before)
		b.WriteString(m.marks(m.rowsOf(problem, k), l.per))
	}
	if problem == m.cursor.problem && m.cursor.method == l.from+l.shown-1 {
		b.WriteString(st.PaintBold(st.Accent, "]"))
	}
	return b.String()
}

// rowsOf are the rows of a method on a problem, or on all.
func (m *Model) rowsOf(problem, method int) []int {
	if problem >= 0 {
		return m.board.groups[problem][method].rows
	}
	return m.board.every[method]
}

// marks draws cells into so many marks.
func (m *Model) marks(of []int, per int) string {
	st := m.Style
	var b strings.Builder
	for list := m.standings(of, per); len(list) > 0; {
		s, n := list[0], 1
		for n < len(list) && list[n] == s {
			n++
		}
		b.WriteString(st.Paint(m.standingColor(s), strings.Repeat(st.Glyph(standings[s].glyph), n)))
		list = list[n:]
	}
	return b.String()
}

// standings are how cells stand that share so many marks, each of which stands for as many of them as all others, or one more.
func (m *Model) standings(of []int, per int) []standing {
	list := make([]standing, min(per, len(of)))
	for i := range list {
		list[i] = standingOf(m.board.rows, of[i*len(of)/len(list):(i+1)*len(of)/len(list)])
	}
	return list
}

// marksLines tell the marks that the table has, whatever part of it is seen, in w columns.
func (m *Model) marksLines(l table, w int) []string {
	st := m.Style
	var has [len(standings)]bool
	for k := range m.board.methods {
		for p := -1; p < len(m.board.problems); p++ {
			for _, s := range m.standings(m.rowsOf(p, k), l.per) {
				has[s] = true
			}
		}
	}
	var entries []string
	for _, s := range []standing{full, running, begun, idle, broken, foreign} {
		if has[s] {
			entries = append(entries, st.Paint(m.standingColor(s), st.Glyph(standings[s].glyph))+" "+st.Paint(st.Dim, standings[s].words))
		}
	}
	rows := layout.Flow(entries, "  ", w)
	for i := range rows {
		rows[i] = " " + rows[i]
	}
	return rows
}

// cellPanel tells the chosen cell, or a method on all problems.
func (m *Model) cellPanel(w, h int) []string {
	st := m.Style
	var body []string
	say := func(color theme.Color, text string) {
		body = append(body, layout.Paragraph(st, color, safe.Text(text), w-4)...)
	}
	method := m.board.methods[m.cursor.method]
	name := charts.Letter(m.cursor.method) + " " + method
	of := m.seeds()
	if len(of) == 0 {
		say(st.Text, name+" on all problems")
		say(st.Dim, m.tally(m.board.every[m.cursor.method]))
		return screen.Panel(st, "method", append(body, m.about(w, h-2-len(body))...), w, h, false)
	}
	r := &m.board.rows[of[m.cursor.seed]]
	say(st.Text, fmt.Sprintf("%s, %s, seed %d", r.Problem, name, r.Seed))
	say(m.standingColor(standingOf(m.board.rows, of[m.cursor.seed:m.cursor.seed+1])), m.standing(r))
	if text := m.reached(r); text != "" {
		say(st.Text, text)
	}
	if r.Error != "" {
		say(st.Error, r.Error)
	}
	if len(of) > 1 {
		say(st.Dim, m.tally(of))
	}
	return screen.Panel(st, "cell", append(body, m.about(w, h-2-len(body))...), w, h, false)
}

// about is where the study comes from and what it notes, where there is room for it.
func (m *Model) about(w, h int) (lines []string) {
	st, d := m.Style, m.board.declared
	for _, text := range []string{d.Source, d.Note} {
		if text == "" {
			continue
		}
		more := append([]string{""}, layout.Paragraph(st, st.Faint, safe.Text(text), w-4)...)
		if len(lines)+len(more) <= h {
			lines = append(lines, more...)
		}
	}
	return lines
}

// standing tells how a cell stands.
func (m *Model) standing(r *study.Row) string {
	steps := fmt.Sprintf("%d of %s", r.Steps, screen.Counted(r.Budget, "step"))
	switch r.Status {
	case study.Done:
		return fmt.Sprintf("done: %s in %s", screen.Counted(r.Steps, "step"), took(r.Seconds))
	case study.Running:
		return "running: " + steps + " at " + r.Worker
	case study.Failed:
		return fmt.Sprintf("failed %s, at step %d", screen.Counted(r.Attempts, "time"), r.Steps+1)
	case study.Foreign:
		return "begun by " + r.Program + ", which alone goes on with it: " + steps
	}
	if r.Steps > 0 {
		return "waits for a worker: " + steps
	}
	return "to come"
}

// took is a number of seconds in words.
func took(seconds float64) string {
	if seconds < 60 {
		return screen.NumberIn(seconds, 5) + " s"
	}
	return lasting(time.Duration(seconds * float64(time.Second)))
}

// reached tells what a cell has reached.
func (m *Model) reached(r *study.Row) string {
	what := m.board.measures[m.cursor.problem]
	values := r.Trace.Of(what)
	if len(values) == 0 || math.IsNaN(values[len(values)-1]) {
		return ""
	}
	return fmt.Sprintf("%s %s", what, screen.Number(values[len(values)-1]))
}

// tally counts cells that belong together.
func (m *Model) tally(of []int) string {
	count := map[study.Status]int{}
	seconds := 0.0
	for _, i := range of {
		count[m.board.rows[i].Status]++
		if m.board.rows[i].Status == study.Done {
			seconds += m.board.rows[i].Seconds
		}
	}
	text := fmt.Sprintf("%d of %s done", count[study.Done], screen.Counted(len(of), "cell"))
	if n := count[study.Done]; n > 0 {
		text += ", " + took(seconds/float64(n)) + " each"
	}
	if n := count[study.Failed]; n > 0 {
		text += fmt.Sprintf(", %d failed", n)
	}
	return text
}

package studypage

import (
	"fmt"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/studyreport"
	"bandscope/tui/theme"
)

// cellStates are the marks of the states of cells, with their words.
var cellStates = [...]struct {
	glyph theme.Glyph
	words string
}{
	stateIdle:    {theme.GlyphDot, "not started"},
	stateStarted: {theme.GlyphHollow, "started"},
	stateDone:    {theme.GlyphFilled, "done"},
	stateRunning: {theme.GlyphTarget, "running"},
	stateForeign: {theme.GlyphOutlier, "by another version"},
	stateFailed:  {theme.GlyphCross, "failed"},
}

func (m *Model) stateColor(s cellState) theme.Color {
	st := m.Style
	return [...]theme.Color{stateIdle: st.Faint, stateStarted: st.Sample, stateDone: st.Good, stateRunning: st.Newest,
		stateForeign: st.Warn,
		stateFailed:  st.Error}[s]
}

// table is the layout of the table in its panel.
type table struct {
	label int // columns of the problems' names
	per   int // marks of a cell
	shown int // methods
	from  int // the first of them
}

// minLabel and maxLabel bound the columns of the problems' names.
const minLabel, maxLabel = 12, 28

// tableWidth is the width that the table needs, up to a part of the window.
func (m *Model) tableWidth() int {
	need := m.labels() + len(m.board.methods)*(m.board.maxSeeds()+1) + 5
	return min(max(need, 34), m.Width*40/100)
}

// labels is how wide the problems' names are.
func (m *Model) labels() int {
	widest := minLabel
	for _, p := range m.board.problems {
		widest = max(widest, ansi.StringWidth(p))
	}
	return min(widest, maxLabel, max(m.Width/6, minLabel))
}

// maxSeeds is how many cells there are of a problem and a method at most.
func (b *board) maxSeeds() (most int) {
	for _, row := range b.groups {
		for _, g := range row {
			most = max(most, len(g.rows))
		}
	}
	return most
}

// layout fits the table into w columns: as many marks per cell as there are seeds, or fewer; if not even one fits, only
// the methods around the cursor.
func (m *Model) layout(w int) table {
	n := max(len(m.board.methods), 1)
	l := table{label: m.labels(), shown: n}
	room := w - 4 - l.label - 1
	l.per = min(max(room/n-1, 1), max(m.board.maxSeeds(), 1))
	l.shown = min(n, max(room/(l.per+1), 1))
	l.from = min(max(m.cursor.method-l.shown/2, 0), n-l.shown)
	return l
}

// tablePanel draws the table, a row per problem and a column per method, and below it the legend of the marks.
func (m *Model) tablePanel(w, h int, marks *layout.Box) *layout.Box {
	l := m.layout(w)
	body := layout.Column(m.tableHead(l, w-2).
		Prose("methods", "", "The letters of the methods. The legend of the chart and the chosen cell have their names."),
		m.tableRows(-1, 0, l, w-2).Prose("all problems", "",
			"All problems together: with the cursor on this row, the charts are over all problems."))
	rows, n := h-2-body.H-marks.H, len(m.board.problems)
	m.cursor.top = min(max(m.cursor.top, m.cursor.problem-rows+1, 0), max(m.cursor.problem, 0), max(n-rows, 0))
	if last := min(n, m.cursor.top+rows); last > m.cursor.top {
		body.Below(m.tableRows(m.cursor.top, last, l, w-2).
			Prose("problems", "", fmt.Sprintf("The visible problems, of %d in all, with the state of each method's cells.", n)))
	}
	body.Filled(h - 2 - marks.H).Below(marks)
	heading := "cells"
	if n > rows && rows > 0 {
		heading += fmt.Sprintf(": problems %d to %d of %d", m.cursor.top+1, m.cursor.top+rows, n)
	}
	return layout.Panel(m.Style, heading, body, w, h, true).
		Section(heading, "", fmt.Sprintf("The table of cells: a row per problem and a column per method. A mark is one seed or several. The chosen method is %s; the arrow keys choose another.",
			sanitize.Text(m.board.methods[m.cursor.method])))
}

// tableHead is the letters of the methods.
func (m *Model) tableHead(l table, w int) *layout.Box {
	st := m.Style
	left := "  "
	if l.from > 0 {
		left = " " + st.Plain("…")
	}
	line := layout.Fit(left, l.label+3)
	for k := l.from; k < l.from+l.shown; k++ {
		name := layout.Fit(studyreport.Letter(k), l.per)
		if k == m.cursor.method {
			line += " " + st.PaintBold(st.Accent, name)
		} else {
			line += " " + st.Paint(m.methodStyle().Color(k), name)
		}
	}
	if l.from+l.shown < len(m.board.methods) {
		line += st.Paint(st.Dim, "…")
	}
	return layout.Text(w, line)
}

// tableRows are problems from one to before another with their cells, which are drawn into one box: a study has
// thousands of them. −1 is all problems.
func (m *Model) tableRows(from, end int, l table, w int) *layout.Box {
	st := m.Style
	b := layout.New(w, end-from)
	for p := from; p < end; p++ {
		name := "all problems"
		if p >= 0 {
			name = sanitize.Text(m.board.problems[p])
		}
		name = layout.Fit(layout.ShortenIn(st, st.Plain(name), l.label), l.label)
		if p == m.cursor.problem {
			name = " " + st.PaintBold(st.Accent, st.Pointer()+" "+name)
		} else {
			name = "   " + st.Paint(st.Text, name)
		}
		b.Add(layout.Text(l.label+3, name).At(0, p-from))
	}
	b.Draw = func(scr uv.Screen, area uv.Rectangle) {
		var looks [len(cellStates)]uv.Cell
		for s := range looks {
			looks[s] = uv.Cell{Content: st.Glyph(cellStates[s].glyph), Width: 1,
				Style: uv.Style{Fg: st.Color(m.stateColor(cellState(s)))}}
		}
		bracket := uv.Cell{Width: 1, Style: uv.Style{Fg: st.Color(st.Accent), Attrs: uv.AttrBold}}
		for p := from; p < end; p++ {
			y := area.Min.Y + p - from
			for i := range l.shown {
				x := area.Min.X + l.label + 4 + i*(l.per+1)
				for n, s := range m.states(m.rowsOf(p, l.from+i), l.per) {
					scr.SetCell(x+n, y, &looks[s])
				}
				if p == m.cursor.problem && l.from+i == m.cursor.method {
					bracket.Content = "["
					scr.SetCell(x-1, y, &bracket)
					bracket.Content = "]"
					scr.SetCell(x+l.per, y, &bracket)
				}
			}
		}
	}
	return b
}

// rowsOf are the rows of a method on a problem, or on all.
func (m *Model) rowsOf(problem, method int) []int {
	if problem >= 0 {
		return m.board.groups[problem][method].rows
	}
	return m.board.methodRows[method]
}

// states are the states that at most per marks show for cells; each mark is for the same number of cells, or one more.
func (m *Model) states(indices []int, per int) []cellState {
	list := make([]cellState, min(per, len(indices)))
	for i := range list {
		list[i] = combinedState(m.board.rows, indices[i*len(indices)/len(list):(i+1)*len(indices)/len(list)])
	}
	return list
}

// legendOfMarks explains the marks of the whole table, in w columns.
func (m *Model) legendOfMarks(l table, w int) *layout.Box {
	st := m.Style
	var has [len(cellStates)]bool
	for k := range m.board.methods {
		for p := -1; p < len(m.board.problems); p++ {
			for _, s := range m.states(m.rowsOf(p, k), l.per) {
				has[s] = true
			}
		}
	}
	var entries []*layout.Box
	for _, s := range []cellState{stateDone, stateRunning, stateStarted, stateIdle, stateFailed, stateForeign} {
		if has[s] {
			entries = append(entries, layout.Line(st.Paint(m.stateColor(s), st.Glyph(cellStates[s].glyph))+" "+
				st.Paint(st.Dim, cellStates[s].words)))
		}
	}
	rows := layout.FlowBoxes(w-1, 2, entries...)
	return layout.New(w, rows.H, rows.At(1, 0)).
		Prose("marks", "", "The meaning of the marks in the table. A mark for several cells shows a failure if any of them failed.")
}

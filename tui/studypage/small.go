package studypage

import (
	"fmt"

	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/studyreport"
)

// smallCharts draws the curves of as many problems as fit beside and below each other.
func (m *Model) smallCharts(f *figure, w, h int) *layout.Box {
	st := m.Style
	body := m.methodsLine(w, 2)
	const least, low = 26, 7 // columns and rows of one
	across := max(w/least, 1)
	down := max((h-body.H-1)/low, 1)
	n := len(f.bands)
	for across > 1 && down*(across-1) >= n {
		across--
	}
	down = min(down, (n+across-1)/across)
	if n == 0 || down < 1 {
		return body.Below(layout.Text(w, " "+st.Paint(st.Dim, "no results yet")))
	}
	cw, rows := w/across, (h-body.H-1)/down
	first := 0
	if p := m.cursor.top; p > 0 && n > across*down {
		first = min(p, n-across*down)
	}
	last := min(first+across*down, n)
	for from := first; from < last; from += across {
		row := layout.Row()
		for p := from; p < min(from+across, last); p++ {
			row.Beside(m.smallChart(f, p, cw, rows))
		}
		body.Below(row)
	}
	note := map[bool]string{true: "means", false: "medians"}[m.shown.other] + " of each measure over evaluations"
	if last-first < len(f.runs.Problems) {
		note += fmt.Sprintf("; problems %d to %d of %d", first+1, last, len(f.runs.Problems))
	}
	return body.Filled(h-1).Below(layout.Text(w, " "+st.Paint(st.Dim, st.Plain(note)))).
		Number("numbers", "", "The curves of as many problems as fit, each with its own axes. Horizontal axis: evaluations; vertical axis: the measure of the problem.")
}

// smallChart is one problem among others: its name above its curves.
func (m *Model) smallChart(f *figure, problem, w, h int) *layout.Box {
	st := m.Style
	name := layout.Text(w, " "+st.Paint(st.Text,
		layout.ShortenIn(st, st.Plain(sanitize.Text(f.runs.Problems[problem].Name)), w-2)))
	c, ok := m.curves(f, problem, false)
	if !ok {
		return layout.Column(name, layout.Text(w, " "+st.Paint(st.Dim, "no value yet"))).Sized(w, h)
	}
	return layout.Column(name, c.Box(w-1, h-1, st, chart.Description{}))
}

// methodsLine names the methods by their letters and lines, in at most so many rows.
func (m *Model) methodsLine(w, most int) *layout.Box {
	st := m.Style
	var names []*layout.Box
	for k := range m.board.methods {
		names = append(names, layout.Line(st.Paint(m.methodStyle().Color(k), studyreport.Letter(k))+" "+
			st.Paint(st.Dim, layout.ShortenIn(st, st.Plain(sanitize.Text(m.board.labels[k])), 24))))
	}
	rows := layout.FlowBoxes(w-2, 2, names...)
	rows.H = min(rows.H, most)
	return layout.New(w, rows.H, rows.At(1, 0))
}

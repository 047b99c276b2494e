package studypage

import (
	"fmt"
	"math"
	"strings"

	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/studyreport"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// critical is the critical-difference diagram: methods by their mean ranks, and groups of which no two differ.
func (m *Model) critical(f *figure, w, h int) *layout.Box {
	st, t := m.Style, f.friedman
	shows, rests := studyreport.About(studyreport.Differences)
	n, body := len(f.runs.Methods), newListing(st, w, h)
	body.Number("numbers", "", firstWords(rests))
	if math.IsNaN(t.Nemenyi) || len(t.Order) == 0 {
		body.line("")
		body.say(st.Dim, "There is no test yet: it needs at least two methods and two blocks (a problem and a seed) that every method has finished; "+fmt.Sprintf("%d of %s are complete.", f.blocks,
			widget.Count(f.all, "block")))
		return body.Box
	}
	name := min(m.longest()+2, max(w/2, 12))
	cols := w - name - 10
	col := func(rank float64) int {
		return min(max(int(math.Round((rank-1)/float64(max(n-1, 1))*float64(cols-1))), 0), cols-1)
	}
	bar, end := "━", "┃"
	if st.ASCII {
		bar, end = "=", "|"
	}
	wide := min(max(col(1+t.Nemenyi), 1), cols-1)
	body.line(" " + layout.Fit(st.Paint(st.Dim, "critical difference "+fmt.Sprintf("%.2f", t.Nemenyi)), name+8) + " " +
		st.Paint(st.Accent, end+strings.Repeat(bar, max(wide-1, 0))+end))
	scale := []rune(strings.Repeat(" ", cols+2))
	for r := 1; r <= n; r++ {
		copy(scale[col(float64(r)):], []rune(fmt.Sprint(r)))
	}
	body.line(" " + layout.Fit(st.Paint(st.Dim, "mean rank"), name+8) + " " +
		st.Paint(st.Dim, strings.TrimRight(string(scale), " ")))
	for _, r := range studyreport.CriticalRows(t, m.methodName) {
		k := r.Method
		if k < 0 {
			a, b := col(r.From), col(r.To)
			body.line(" " + layout.Fit(st.Paint(st.Dim, layout.ShortenIn(st, r.Label, name+7)), name+9) +
				strings.Repeat(" ", a) + st.PaintBold(st.Text, strings.Repeat(bar, max(b-a+1, 1))))
			continue
		}
		pointer, color := " ", m.methodStyle().Color(k)
		if k == m.cursor.method {
			pointer = st.PaintBold(st.Accent, st.Pointer())
		}
		column := col(r.To)
		line := pointer + layout.Fit(st.Paint(color, layout.ShortenIn(st, st.Plain(r.Label), name-1)), name) +
			st.Paint(st.Text, layout.Fit(fmt.Sprintf("%.2f", r.To), 9))
		body.line(line+st.Paint(st.Border, strings.Repeat(st.Dot(), column))+
			st.PaintBold(color, st.Glyph(theme.GlyphFilled))).
			Number(r.Label, "mean rank",
				fmt.Sprintf("%s: the mean rank over the blocks is %.2f of %d.", sanitize.Text(f.runs.Methods[k]),
					r.To, n))
	}
	body.line("")
	body.say(st.Text, t.Describe())
	body.say(st.Dim, shows)
	body.say(st.Dim, rests)
	return body.Box
}

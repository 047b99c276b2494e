package studypage

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/studyreport"
	"bandscope/tui/widget"
)

// critical is the critical-difference diagram: methods by their mean ranks, and groups of which no two differ.
func (m *Model) critical(f *figure, w, h int) *layout.Box {
	st := m.Style
	t := f.friedman
	body := newListing(st, w, h)
	shows, rests := studyreport.About(studyreport.Differences)
	body.Number("numbers", "", firstWords(rests))
	diagram, ok := m.methodStyle().Critical(t)
	if !ok {
		body.line("")
		body.say(st.Dim, fmt.Sprintf("There is no test yet: it needs at least two methods and two blocks (a problem and a seed) that every method has finished; %d of %s are complete.",
			f.blocks, widget.Count(f.all, "block")))
		return body.Box
	}
	const axes = "Horizontal axis: the mean rank over the blocks, 1 is the best. Rows: the methods in the order of their mean ranks, then groups of methods that do not differ."
	diagram.X.Label = ""
	diagram.X.Max += 0.15 * float64(len(t.Order)-1) // the last mean rank is written behind its mark
	for _, mark := range diagram.Y.Marks {
		diagram.Gutter = max(diagram.Gutter, min(ansi.StringWidth(mark.Label)+3, w/2))
	}
	for i, k := range t.Order {
		color := st.Text
		if k == m.cursor.method {
			color = st.Accent
		}
		diagram.Layers = append(diagram.Layers, chart.Label{X: t.Ranks[k], Y: float64(i + 1),
			Text: fmt.Sprintf("  %.2f", t.Ranks[k]), Color: color})
	}
	high := max(min(len(t.Order)+len(t.Cliques)+3, h-4), 0)
	body.Below(diagram.Box(w, high, st, chart.Description{X: axes, Y: axes,
		Marks: func(name string) (says, term string) {
			k := slices.IndexFunc(t.Order, func(k int) bool { return m.methodName(k) == name })
			if k < 0 {
				return "", ""
			}
			method := t.Order[k]
			return fmt.Sprintf("%s: the mean rank over the blocks is %.2f of %d.", sanitize.Text(f.runs.Methods[method]),
				t.Ranks[method], len(t.Order)), "mean rank"
		}}))
	body.say(st.Text, t.Describe())
	body.say(st.Dim, shows)
	body.say(st.Dim, rests)
	return body.Box
}

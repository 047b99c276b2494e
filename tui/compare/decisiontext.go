package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// words is a panel that tells where they agree, and how far apart they are without each result.
func (m *decisions) words(st theme.Style, title string, w, h int) *layout.Box {
	said := m.Sentences()
	var lines []string
	for _, text := range said {
		lines = append(lines, layout.Paragraph(st, st.Text, text, w-4)...)
	}
	room := max(h-2, 0)
	body := layout.Column(layout.Text(w-2, lines[:min(len(lines), room)]...).Number("in words", "acquisition",
		"The two next points and how far they are from each other; how far both rank places alike; and the result "+
			"without which they come nearest: "+strings.TrimSuffix(said[len(said)-1], ".")+"."))
	if len(m.Comparison.Distances) > 0 {
		lines = m.without(st, w-2)
		body.Below(layout.Text(w-2, lines[:min(len(lines), max(room-body.H, 0))]...).
			Number("apart, without", "leave-one-out",
				fmt.Sprintf("How far from each other the two next points are if one result is left out, the nearest "+
					"first; with all of them they are %s apart.", widget.Number(m.Comparison.Distance))))
	}
	return layout.Panel(st, title, body, w, h, false).Section(title, "acquisition",
		fmt.Sprintf("Whether %s and %s would evaluate the same next, and which result makes the difference.",
			m.Sides[0].Letter, m.Sides[1].Letter))
}

// without lists how far apart they are without each result, in lines of w columns.
func (m *decisions) without(st theme.Style, w int) []string {
	lines := []string{" " + st.Paint(st.Title, "apart, without")}
	results := diagnostics.Results(m.State)
	order := make([]int, len(results))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(m.Comparison.Distances[a], m.Comparison.Distances[b])
	})
	for _, i := range order {
		far := widget.Number(m.Comparison.Distances[i])
		text := fmt.Sprintf("no. %s  %s", results[i].Label,
			sanitize.Text(widget.Point(m.State.Problem.Domain, results[i].X)))
		color := st.Dim
		if m.Comparison.Distances[i] < m.Comparison.Distance {
			color = st.Text
		}
		lines = append(lines, " "+layout.Fit(st.Paint(color, layout.ShortenIn(st, st.Plain(text), w-4-len(far))),
			w-3-len(far))+st.Paint(color, far))
	}
	return lines
}

// Sentences are what is told in words.
func (m *decisions) Sentences() []string {
	domain, b, a, other := m.State.Problem.Domain, m.Comparison, m.Sides[0].Letter, m.Sides[1].Letter
	point := func(x []float64) string { return sanitize.Text(widget.Point(domain, x)) }
	said := []string{fmt.Sprintf("%s goes to %s, %s to %s: %s apart in the unit cube.", a, point(m.Report.Chosen.X),
		other, point(b.Other.Chosen.X), widget.Number(b.Distance))}
	if b.Same {
		said[0] = fmt.Sprintf("%s goes to %s and %s to %s, which is as good as the same point.", a,
			point(m.Report.Chosen.X), other, point(b.Other.Chosen.X))
	}
	if !math.IsNaN(b.Correlation) {
		said = append(said, fmt.Sprintf("They rank places with a correlation of %.2f; of the best tenth of each, "+
			"%.0f %% are of both.", b.Correlation, 100*b.Overlap))
	}
	switch s := b.Separating; {
	case b.SeparationUnavailable != "":
		said = append(said, "Which result separates them is not known: "+sanitize.Text(b.SeparationUnavailable)+
			map[bool]string{true: " (L)"}[m.MissingReason() != ""]+".")
	case s != nil:
		said = append(said, fmt.Sprintf("No. %s at %s separates them most: without it they go to %s and %s, %s apart.",
			s.Label, point(s.X), point(s.XWithout[0]), point(s.XWithout[1]), widget.Number(s.Distance)))
	case !b.Same:
		said = append(said, "No single result separates them: without any one they are at least as far apart.")
	}
	return said
}

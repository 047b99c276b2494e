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

// words is a panel that describes where they agree, and how far apart they are without each result.
func (m *decisions) words(st theme.Style, title string, w, h int) *layout.Box {
	sentences := m.Sentences()
	var lines []string
	for _, text := range sentences {
		lines = append(lines, layout.Paragraph(st, st.Text, text, w-4)...)
	}
	room := max(h-2, 0)
	body := layout.Column(layout.Text(w-2, lines[:min(len(lines), room)]...).Number("summary", "acquisition",
		"The two next points and their distance, the correlation of the ranks, and the result without which the points are the closest: "+
			strings.TrimSuffix(sentences[len(sentences)-1], ".")+"."))
	if len(m.Comparison.Distances) > 0 {
		lines = m.without(st, w-2)
		body.Below(layout.Text(w-2, lines[:min(len(lines), max(room-body.H, 0))]...).
			Number("distance without a result", "leave-one-out",
				fmt.Sprintf(
					"The distance between the two next points if one result is left out, the smallest first. With all results it is %s.",
					widget.Number(m.Comparison.Distance))))
	}
	return layout.Panel(st, title, body, w, h, false).Section(title, "acquisition",
		fmt.Sprintf("Whether %s and %s choose the same next point, and which result makes the difference.",
			m.Sides[0].Letter, m.Sides[1].Letter))
}

// without lists their distance without each result, in lines of w columns.
func (m *decisions) without(st theme.Style, w int) []string {
	lines := []string{" " + st.Paint(st.Title, "distance without a result")}
	results := diagnostics.Results(m.State)
	order := make([]int, len(results))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(m.Comparison.Distances[a], m.Comparison.Distances[b])
	})
	for _, i := range order {
		number := widget.Number(m.Comparison.Distances[i])
		text := fmt.Sprintf("no. %s  %s", results[i].Label,
			sanitize.Text(widget.Point(m.State.Problem.Domain, results[i].X)))
		color := st.Dim
		if m.Comparison.Distances[i] < m.Comparison.Distance {
			color = st.Text
		}
		lines = append(lines, " "+layout.Fit(st.Paint(color, layout.ShortenIn(st, st.Plain(text), w-4-len(number))),
			w-3-len(number))+st.Paint(color, number))
	}
	return lines
}

// Sentences are the summary.
func (m *decisions) Sentences() []string {
	domain := m.State.Problem.Domain
	b := m.Comparison
	a := m.Sides[0].Letter
	other := m.Sides[1].Letter
	point := func(x []float64) string { return sanitize.Text(widget.Point(domain, x)) }
	texts := []string{fmt.Sprintf("%s chooses %s and %s chooses %s. Their distance in the unit cube is %s.", a,
		point(m.Report.Chosen.X), other, point(b.Other.Chosen.X), widget.Number(b.Distance))}
	if b.Same {
		texts[0] = fmt.Sprintf("%s chooses %s and %s chooses %s, practically the same point.", a,
			point(m.Report.Chosen.X), other, point(b.Other.Chosen.X))
	}
	if !math.IsNaN(b.Correlation) {
		texts = append(texts, fmt.Sprintf("Their rank correlation is %.2f. Their top 10 %% of points overlap by %.0f %%.",
			b.Correlation, 100*b.Overlap))
	}
	switch s := b.Separating; {
	case b.SeparationUnavailable != "":
		texts = append(texts, "It is not known which result separates them: "+sanitize.Text(b.SeparationUnavailable)+
			map[bool]string{true: " (press enter)"}[m.MissingReason() != ""]+".")
	case s != nil:
		texts = append(texts, fmt.Sprintf("Result %s at %s separates them most: without it they choose %s and %s, at a distance of %s.",
			s.Label, point(s.X), point(s.XWithout[0]), point(s.XWithout[1]), widget.Number(s.Distance)))
	case !b.Same:
		texts = append(texts, "No single result separates them: without any one of them the distance is not smaller.")
	}
	return texts
}

package modelcheck

import (
	"fmt"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// unchangedCount is the number of results without which the choice would be the same.
func (m *ExplainPage) unchangedCount() (n int) {
	for _, i := range m.report.Influence {
		if i.Same {
			n++
		}
	}
	return n
}

// influence lists the results that the choice depends on.
func (m *ExplainPage) influence(w, h int) *layout.Box {
	st := m.Style
	r := m.report
	title := "influential results"
	empty := func(text string) *layout.Box {
		return m.empty(title, "leave-one-out",
			"The results that the choice depends on: each is left out, and the choice is made again.", text, w, h)
	}
	switch {
	case r == nil || r.Unavailable != "":
		return empty("")
	case r.NoInfluence != "":
		return empty("no result: " + r.NoInfluence)
	case r.InfluenceUnavailable != "" && len(m.state.Iterations) > 0:
		return empty(fmt.Sprintf("%s. Press %s to do this", r.InfluenceUnavailable, keyFor(explainCommands(), refitEach)))
	case r.Influence == nil && m.jobs.Busy():
		return empty("leaving out each result…")
	case r.Influence == nil && len(diagnostics.Results(m.state)) > 0:
		return empty(stoppedText)
	case r.Influence == nil:
		return empty("there is no result to leave out yet")
	}
	n := len(r.Influence)
	refit := ""
	method := "exact, same hyperparameters"
	if r.Refit {
		refit, method = " (refitted)", "refitted"
	}
	moving := n - m.unchangedCount()
	if moving == 0 {
		return empty("the choice is the same without any one of the results" + refit)
	}
	title = fmt.Sprintf("the choice depends on %d of %d results", moving, n) + refit
	if len(title) > w-layout.TitleRoom {
		title = fmt.Sprintf("depends on %d of %d results", moving, n) + refit
	}
	body := rows(w, h)
	if body.height > 2 {
		body.add(m.influenceRow(w, "without", "next point", "moved by", st.Dim)).
			Prose("columns", "leave-one-out", "The columns: the result that is left out, the point that the method would choose without it, and how far that is from the chosen one in the unit cube.")
	}
	shown := shownFor(moving, body.height-body.H)
	for _, influence := range diagnostics.SortInfluences(r.Influence)[:shown] {
		then, number := widget.Point(m.state.Problem.Domain, influence.XWithout), widget.Number(influence.Distance)
		body.add(m.influenceRow(w, influence.Label, sanitize.Text(then), number, st.Text)).
			Number("without "+influence.Label, "leave-one-out",
				fmt.Sprintf("Without result %s the next point would be %s: it moves by %s in the unit cube (sides of length 1).", influence.Label, then, number))
	}
	if rest := moving - shown; rest > 0 {
		body.add(" "+st.Paint(st.Dim, st.Plain(fmt.Sprintf("and %d more, which move it less", rest)))).
			Number("others", "leave-one-out", fmt.Sprintf(
				"The other %d results that move the choice. They move it less than those above.", rest))
	}
	return layout.Panel(st, st.Plain(title), body.Box, w, h, false).Section(title, "leave-one-out",
		fmt.Sprintf("The results that the choice depends on. Each of %d was left out in turn (%s); %d of them move the choice.", n, method, moving))
}

// influenceRow is a row of the list in a panel of w columns.
func (m *ExplainPage) influenceRow(w int, label, then, distance string, color theme.Color) string {
	st := m.Style
	line := " " + layout.Fit(st.Plain(label), 8) + " "
	return st.Paint(color, line+layout.Fit(layout.ShortenIn(st, st.Plain(then), w-23), w-23)) +
		st.Paint(st.Dim, fmt.Sprintf(" %9s", distance))
}

// shownFor is how many of n entries a list of so many rows shows: the last row counts the others where not all fit.
func shownFor(n, rows int) int {
	if n <= rows || rows < 1 {
		return n
	}
	return rows - 1
}

package diagnostics

import (
	"fmt"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
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
	st, r, title := m.Style, m.report, "influential results"
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
		return empty(r.InfluenceUnavailable + ". Press r to do this")
	case r.Influence == nil:
		return empty("there is no result to leave out yet")
	}
	n, refit, how := len(r.Influence), "", "exact, same hyperparameters"
	if r.Refit {
		refit, how = " (refitted)", "refitted"
	}
	moving := n - m.unchangedCount()
	if moving == 0 {
		return empty("the choice is the same without any one of the results" + refit)
	}
	title = fmt.Sprintf("the choice depends on %d of %d results", moving, n) + refit
	body := rows(w, h)
	shown := shownFor(moving, h-2)
	for _, of := range diagnostics.SortInfluences(r.Influence)[:shown] {
		then, far := widget.Point(m.state.Problem.Domain, of.XWithout), widget.Number(of.Distance)
		text, moved := fmt.Sprintf("without %s: %s", of.Label, sanitize.Text(then)), "moved by "+far
		body.add(" "+layout.Fit(st.Paint(st.Text, layout.ShortenIn(st, st.Plain(text), w-6-len(moved))),
			w-5-len(moved))+" "+st.Paint(st.Dim, moved)).
			Number("without "+of.Label, "leave-one-out",
				fmt.Sprintf("Without result %s the next point would be %s: it moves by %s in the unit cube (sides of "+
					"length 1).", of.Label, then, far))
	}
	if rest := moving - shown; rest > 0 {
		body.add(" "+st.Paint(st.Dim, st.Plain(fmt.Sprintf("and %d more, which move it less", rest)))).
			Number("others", "leave-one-out", fmt.Sprintf(
				"The other %d results that move the choice. They move it less than those above.", rest))
	}
	return layout.Panel(st, st.Plain(title), body.Box, w, h, false).Section(title, "leave-one-out",
		fmt.Sprintf("The results that the choice depends on. Each of %d was left out in turn (%s); %d of them "+
			"move the choice.", n, how, moving))
}

// shownFor is how many of n entries a list of so many rows shows: the last row counts the others where not all fit.
func shownFor(n, rows int) int {
	if n <= rows || rows < 1 {
		return n
	}
	return rows - 1
}

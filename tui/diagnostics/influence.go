package diagnostics

import (
	"fmt"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// unchangedCount is how many results leave the choice where it is.
func (m *ExplainPage) unchangedCount() (n int) {
	for _, i := range m.report.Influence {
		if i.Same {
			n++
		}
	}
	return n
}

// influence lists the results that hold the choice.
func (m *ExplainPage) influence(w, h int) *layout.Box {
	st, r, title := m.Style, m.report, "what holds it"
	empty := func(text string) *layout.Box {
		return m.empty(title, "leave-one-out",
			"Which results the choice hangs on: each is left out in its turn, and the choice made again.", text, w, h)
	}
	switch {
	case r == nil || r.Unavailable != "":
		return empty("")
	case r.NoInfluence != "":
		return empty("no result does: " + r.NoInfluence)
	case r.InfluenceUnavailable != "" && len(m.state.Iterations) > 0:
		return empty(r.InfluenceUnavailable + ": L does")
	case r.Influence == nil:
		return empty("there is no result yet that could be left out")
	}
	n, anew, how := len(r.Influence), "", "by the closed form, hyper-parameters kept"
	if r.Refit {
		anew, how = ", fitted anew", "by a fit of its own to the others"
	}
	moving := n - m.unchangedCount()
	if moving == 0 {
		return empty("without any one of the results it is the same point" + anew)
	}
	title = fmt.Sprintf("what holds it: %d of %d results", moving, n) + anew
	body := rows(w, h)
	shown := shownFor(moving, h-2)
	for _, of := range diagnostics.SortInfluences(r.Influence)[:shown] {
		then, far := widget.Point(m.state.Problem.Domain, of.XWithout), widget.Number(of.Distance)
		text, moved := fmt.Sprintf("without %s: %s", of.Label, sanitize.Text(then)), "moved "+far
		body.add(" "+layout.Fit(st.Paint(st.Text, layout.ShortenIn(st, st.Plain(text), w-6-len(moved))),
			w-5-len(moved))+" "+st.Paint(st.Dim, moved)).
			Number("without "+of.Label, "leave-one-out",
				fmt.Sprintf("Without result %s the next point would be %s: %s from where it is, in the unit cube, of "+
					"which a side is 1.", of.Label, then, far))
	}
	if rest := moving - shown; rest > 0 {
		body.add(" "+st.Paint(st.Dim, st.Plain(fmt.Sprintf("and %d more, less far", rest)))).
			Number("others", "leave-one-out", fmt.Sprintf(
				"The other results that move the choice, %d of them, less far than those above.", rest))
	}
	return layout.Panel(st, st.Plain(title), body.Box, w, h, false).Section(title, "leave-one-out",
		fmt.Sprintf("Which results the choice hangs on: each of %d was left out in its turn, %s, and %d of them move "+
			"it.", n, how, moving))
}

// shownFor is how many of n entries a list of so many rows shows: the last row counts the others where not all have
// room.
func shownFor(n, rows int) int {
	if n <= rows || rows < 1 {
		return n
	}
	return rows - 1
}

package explore

import (
	"time"

	"bandscope/tui/explore/results"
)

// Where nobody is attached who evaluates, a person does: space asks for the next point, the points that are out stand in a list, and a form takes their
// results.

// asksForNext reports whether a step gives out another point, rather than evaluate one or go on to one on record.
func (m *Model) asksForNext() bool { return m.session.Unattended() && m.state.Ahead == 0 }

// noResults is why there are no results to be entered.
func (m *Model) noResults() string {
	switch {
	case len(results.Waiting(m.state)) > 0:
		return ""
	case m.session.Unattended():
		return results.Nothing
	}
	return "the points are evaluated by themselves: space"
}

// noRun is why it does not step by itself.
func (m *Model) noRun() string {
	if m.asksForNext() && !m.ahead() && !m.Running {
		return "nobody evaluates by itself here: space asks for the next point, enter takes the results"
	}
	return ""
}

// The least heights of the panels of parameters and traces where the list of what is out stands with them.
const (
	leastParams = 8
	leastTraces = 8
)

// outHeight is how high the list of what is out is; 0 where there is none.
func (m *Model) outHeight(l layout) int {
	if len(results.Waiting(m.state)) == 0 || !m.session.Unattended() {
		return 0
	}
	return results.Height(m.around(), l.side, max(l.height*2/5, leastTraces))
}

// lowerPanels stand under the parameters, or the notes: what is out, and the traces, as far as there is room.
func (m *Model) lowerPanels(l layout) (lines []string) {
	if l.out > 0 {
		lines = results.Panel(m.around(), l.side, l.out)
	}
	if l.regret > 0 {
		lines = append(lines, m.lowPanel()...)
	}
	return lines
}

// ages are how long what is out has been.
func (m *Model) ages() map[string]time.Duration {
	ages := map[string]time.Duration{}
	for id, since := range m.asked {
		ages[id] = m.now().Sub(since)
	}
	return ages
}

package explore

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/results"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// In manual evaluation a person evaluates the points: space suggests the next point, a list shows the pending points,
// and a form takes their results.

// stepAsks reports whether a step suggests a point, rather than evaluates one or goes to a recorded one.
func (m *Model) stepAsks() bool { return m.session.ManualEvaluation() && m.state.Ahead == 0 }

// noResults returns why no results can be reported.
func (m *Model) noResults() string {
	switch {
	case len(results.Pending(m.state)) > 0:
		return ""
	case m.session.ManualEvaluation():
		return results.NonePending
	}
	return "points are evaluated automatically; there are no results to report"
}

// noAsking returns why several points cannot be suggested.
func (m *Model) noAsking() string {
	switch {
	case !m.session.ManualEvaluation():
		return "points are evaluated automatically, one at a time; press space"
	case m.state.Ahead > 0:
		return "this is not the last step; press G to go there"
	}
	return ""
}

// askBatch asks how many points to suggest at once and what they have in common, starting from the last such request.
func (m *Model) askBatch() tea.Cmd {
	m.Stop()
	words := ""
	for _, it := range slices.Concat(m.state.Iterations, m.state.Pending) {
		if it.Batch != nil {
			words = BatchText(*it.Batch)
		}
	}
	name := m.state.Problem.Domain[0].Name
	return player.Do(m, player.AskFor("points", words, "8 · 8 same "+name+
		" · 8 apart 0.1 (fraction of a variable's range) · 8 same "+name+" apart 0.1",
		func(text string) player.Act { return m.actOf(AskBatch{Text: text}) }))
}

// noRun returns why the session cannot run automatically.
func (m *Model) noRun() string {
	return widget.Why(m.stepAsks() && !m.Ahead() && !m.Running, "evaluation is manual: press space for a point, enter to report results")
}

// pendingHeight is the height of the list of pending points; 0 for none.
func (m *Model) pendingHeight(l panelSizes) int {
	if len(results.Pending(m.pendingState())) == 0 {
		return 0
	}
	return results.Height(m.pendingScene(), l.side, max(l.height*2/5, minTraces))
}

// pendingState is the state for the list of pending points; if a program evaluates, it has the points that are being
// evaluated.
func (m *Model) pendingState() sessions.State {
	st := m.state
	switch {
	case m.session.ManualEvaluation():
	case m.Acting && m.hasLongPending():
		st.Pending, st.Iterations = m.live, nil
	case st.Problem.Truth != nil: // it is evaluated at once, unless another program asked for it
		st.Pending, st.Iterations = foreign(st), nil
	}
	return st
}

// foreign are the pending suggestions that other programs asked for while the session was open here.
func foreign(st sessions.State) (list []sessions.Iteration) {
	for _, it := range st.Pending {
		if it.Foreign {
			list = append(list, it)
		}
	}
	return list
}

// noTakeOver returns why no points can be taken over.
func (m *Model) noTakeOver() string {
	switch {
	case m.session.ManualEvaluation():
		return "evaluation is manual: press enter to report results"
	case len(foreign(m.state)) == 0:
		return "no points of other programs are pending"
	}
	return ""
}

// takeOver makes the next steps evaluate the pending points of other programs.
func (m *Model) takeOver() tea.Cmd {
	m.Notify("the next step evaluates the oldest of " + widget.Count(m.session.TakeOver(), "pending point"))
	return m.UpdatePicture()
}

// minPendingAge is the age from which a point that this program evaluates is listed, so that the list does not flicker.
const minPendingAge = time.Second

// hasLongPending reports whether an evaluation takes longer than minPendingAge, or runs in another program.
func (m *Model) hasLongPending() bool {
	if m.state.Problem.BuiltinEvaluator == nil {
		return m.live != nil
	}
	return slices.ContainsFunc(m.live, func(it sessions.Iteration) bool {
		return m.now().Sub(m.asked[it.ID]) >= minPendingAge
	})
}

// pendingScene is the scene of the list of pending points.
func (m *Model) pendingScene() mode.Scene {
	s := m.sceneWithoutPicture()
	s.State = m.pendingState()
	if m.Acting && m.hasLongPending() {
		s.Running = map[string]string{}
		doing := m.Jobs.Doing()
		for _, it := range m.live {
			if line, ok := strings.CutPrefix(doing, fmt.Sprintf("point %d: ", it.Number)); ok || len(m.live) == 1 {
				if !ok {
					line = ""
				}
				s.Running[it.ID] = line
			}
		}
	}
	return s
}

// watch updates the points that a program is evaluating during a step.
func (m *Model) watch() {
	if !m.Acting || m.session.ManualEvaluation() {
		return
	}
	live := m.session.State().Pending
	if slices.EqualFunc(live, m.live, func(a, b sessions.Iteration) bool { return a.ID == b.ID }) {
		return
	}
	m.live, m.asked = live, map[string]time.Time{}
	for _, it := range live {
		m.asked[it.ID] = m.session.RecordedAt(it.ID)
	}
}

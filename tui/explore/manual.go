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
)

// Where nobody is attached who evaluates, a person does: space asks for the next point, the points that are out stand
// in a list, and a form takes their results.

// stepAsks reports whether a step gives out another point, rather than evaluate one or go on to one on record.
func (m *Model) stepAsks() bool { return m.session.ManualEvaluation() && m.state.Ahead == 0 }

// noResults is why there are no results to be entered.
func (m *Model) noResults() string {
	switch {
	case len(results.Pending(m.state)) > 0:
		return ""
	case m.session.ManualEvaluation():
		return results.NonePending
	}
	return "the points are evaluated by themselves: space"
}

// noAsking is why there is nobody to be asked for several points.
func (m *Model) noAsking() string {
	switch {
	case !m.session.ManualEvaluation():
		return "the points are evaluated by themselves, one after the other: space"
	case m.state.Ahead > 0:
		return "there are steps on record ahead: G goes to the last place"
	}
	return ""
}

// askBatch asks how many points are to go out at once, and what they have in common; first in the words in which it
// was asked last.
func (m *Model) askBatch() tea.Cmd {
	m.Stop()
	words := ""
	for _, it := range slices.Concat(m.state.Iterations, m.state.Pending) {
		if it.Batch != nil {
			words = BatchText(*it.Batch)
		}
	}
	name := m.state.Problem.Domain[0].Name
	return m.Ask("ask for", words, "8 · 8 same "+name+
		" · 8 apart 0.1: in some variable, as a share of its range · 8 same "+name+" apart 0.1",
		func(text string) player.Act { return m.actOf(AskBatch{Text: text}) })
}

// NoRun is why it does not step by itself.
func (m *Model) NoRun() string {
	if m.stepAsks() && !m.Ahead() && !m.Running {
		return "nobody evaluates by itself here: space asks for the next point, enter takes the results"
	}
	return ""
}

// The least heights of the panels of parameters and traces where the list of what is out stands with them.
const (
	minParams = 8
	minTraces = 8
)

// pendingHeight is how high the list of what is out is; 0 where there is none.
func (m *Model) pendingHeight(l panelSizes) int {
	if len(results.Pending(m.pendingState())) == 0 {
		return 0
	}
	return results.Height(m.pendingScene(), l.side, max(l.height*2/5, minTraces))
}

// pendingState is the state as the list of what is out shows it: where a program evaluates, with what is being
// evaluated at the moment.
func (m *Model) pendingState() sessions.State {
	st := m.state
	switch {
	case m.session.ManualEvaluation():
	case m.Acting && m.hasLongPending():
		st.Pending, st.Iterations = m.live, nil
	case st.Problem.Truth != nil: // it is evaluated at once
		st.Pending, st.Iterations = nil, nil
	}
	return st
}

// minPendingAge is how long a point is out that this program evaluates by itself, as a training does, before it is
// listed: panels that come and go are restless.
const minPendingAge = time.Second

// hasLongPending reports whether something is being evaluated for longer than a glance, or by a program of its own.
func (m *Model) hasLongPending() bool {
	if m.state.Problem.BuiltinEvaluator == nil {
		return m.live != nil
	}
	return slices.ContainsFunc(m.live, func(it sessions.Iteration) bool {
		return m.now().Sub(m.asked[it.ID]) >= minPendingAge
	})
}

// pendingScene is what the list of what is out sees.
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

// watch takes what a program is evaluating, while a step is under way.
func (m *Model) watch() {
	if !m.Acting || m.session.ManualEvaluation() {
		return
	}
	live := m.session.State().Pending
	if slices.EqualFunc(live, m.live, func(a, b sessions.Iteration) bool { return a.ID == b.ID }) {
		return
	}
	m.live, m.asked = live, map[string]time.Time{}
	for _, a := range m.session.SuggestionTimes() {
		m.asked[a.ID] = a.At
	}
}

// ages are how long what is out has been.
func (m *Model) ages() map[string]time.Duration {
	ages := map[string]time.Duration{}
	for id, since := range m.asked {
		ages[id] = m.now().Sub(since)
	}
	return ages
}

package explore

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/diagnostics"

	"bandscope/tui/explore/summary"
	"bandscope/tui/widget"
)

// Where no truth is shown, what the model says stands in the place of the regret.

// unjudged reports whether nothing is judged by a truth here: there is none, or it is hidden, in a lesson by a page
// that has the outlook.
func (m *Model) unjudged() bool {
	return (m.state.Problem.Truth == nil || !m.reveal) && (m.session.Lesson() == nil || m.weighed)
}

// hasOutlook reports whether the panel of the traces has what the model says.
func (m *Model) hasOutlook() bool {
	return m.unjudged() && !m.away && !m.view.Theory && !m.traces.Coordinates
}

// judge asks the model what it says of where the session stands, beside whatever else is computed.
func (m *Model) judge() tea.Cmd {
	if !m.unjudged() || !summary.Asks(m.state) || len(m.state.Iterations) == 0 {
		return nil
	}
	s, at := m.session, m.at
	return m.judging.Start("asking the model", func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		return summary.Ask(ctx, s, at, progress)
	})
}

// judged takes what the model was asked for, and asks for what it expected before.
func (m *Model) judged(msg tea.Msg) tea.Cmd {
	m.judging.Finish()
	switch msg := msg.(type) {
	case summary.AskedMsg:
		if msg.Err == nil {
			return m.judge()
		}
		if !errors.Is(msg.Err, context.Canceled) {
			m.Status.Fail(msg.Err)
		}
	case widget.PanicMsg:
		m.Say("internal error: "+msg.Reason+"; the session is safe", true)
	}
	return nil
}

// strangers are the results that the model does not understand, where that is told.
func (m *Model) strangers() []diagnostics.Outlier {
	if a := diagnostics.CachedSummary(m.state); a != nil && a.Validated && m.unjudged() {
		return a.Outliers
	}
	return diagnostics.CachedOutliers(m.state) // where that was asked for
}

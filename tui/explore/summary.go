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

// truthHidden reports whether nothing is judged by a truth here: there is none, or it is hidden, in a lesson by a page
// that has the outlook.
func (m *Model) truthHidden() bool {
	return (m.state.Problem.Truth == nil || !m.reveal) && (m.session.Lesson() == nil || m.showSummary)
}

// hasSummary reports whether the panel of the traces has what the model says.
func (m *Model) hasSummary() bool {
	return m.truthHidden() && !m.showTraces && !m.view.Theory && !m.traces.Coordinates
}

// startSummary asks the model what it says of where the session stands, beside whatever else is computed.
func (m *Model) startSummary() tea.Cmd {
	if !m.truthHidden() || !summary.CanSummarize(m.state) || len(m.state.Iterations) == 0 {
		return nil
	}
	s, at := m.session, m.at
	return m.summaryJobs.Start("asking the model", func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		return summary.Compute(ctx, s, at, progress)
	})
}

// summaryDone takes what the model was asked for, and asks for what it expected before.
func (m *Model) summaryDone(msg tea.Msg) tea.Cmd {
	m.summaryJobs.Finish()
	switch msg := msg.(type) {
	case summary.ComputedMsg:
		if msg.Err == nil {
			return m.startSummary()
		}
		if !errors.Is(msg.Err, context.Canceled) {
			m.Status.Fail(msg.Err)
		}
	case widget.PanicMsg:
		m.Say("internal error: "+msg.Reason+"; the session is safe", true)
	}
	return nil
}

// outliers are the results that the model does not understand, where that is told.
func (m *Model) outliers() []diagnostics.Outlier {
	if a := diagnostics.CachedSummary(m.state); a != nil && a.Validated && m.truthHidden() {
		return a.Outliers
	}
	return diagnostics.CachedOutliers(m.state) // where that was asked for
}

package explore

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/diagnostics"

	"bandscope/tui/explore/summary"
	"bandscope/tui/widget"
)

// If the truth is not shown, the outlook of the model replaces the regret.

// truthHidden reports whether the truth is unknown or hidden; a lesson hides it on a page that shows the outlook.
func (m *Model) truthHidden() bool {
	return (m.state.Problem.Truth == nil || !m.reveal) && (m.session.Lesson() == nil || m.showSummary)
}

// hasSummary reports whether the outlook replaces the traces.
func (m *Model) hasSummary() bool {
	return m.truthHidden() && !m.showTraces && !m.view.Theory && !m.traces.Coordinates
}

// startSummary computes the outlook of the current step, in a job of its own.
func (m *Model) startSummary() tea.Cmd {
	if !m.truthHidden() || !summary.CanSummarize(m.state) || len(m.state.Iterations) == 0 {
		return nil
	}
	s, snapshot := m.session, m.at
	return m.summaryJobs.Start("computing the outlook",
		func(ctx context.Context, progress func(string, int, int)) tea.Msg {
			return summary.Compute(ctx, s, snapshot, progress)
		})
}

// summaryDone takes the outlook, and starts to compute the missing parts of its trace.
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
		m.Status.Fail(msg)
	}
	return nil
}

// outliers are the results that the model does not explain, if they are known.
func (m *Model) outliers() []diagnostics.Outlier {
	if a := diagnostics.CachedSummary(m.state); a != nil && a.Validated && m.truthHidden() {
		return a.Outliers
	}
	return diagnostics.CachedOutliers(m.state) // computed by another screen
}

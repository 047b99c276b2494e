package explore

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/widget"
)

// lookCommands change what is looked at, whatever is shown.
func lookCommands() []command {
	return []command{
		unless((*Model).noTruth, widget.Bind("t", "truth", "t"), func(m *Model) tea.Cmd {
			m.reveal = !m.reveal
			return m.startSummary()
		}).Long("hide and reveal the true function"),
		unless((*Model).noSamples, widget.Bind("s", "samples", "s"), func(m *Model) tea.Cmd {
			return m.resample(m.view.Samples, m.view.Draw+1)
		}).Long("other surrogate samples"),
		unless((*Model).noSamples, widget.Bind("-", "fewer samples", "-", "_"), func(m *Model) tea.Cmd {
			return m.resample(m.view.Samples-1, m.view.Draw)
		}),
		unless((*Model).noSamples, widget.Bind("+", "more samples", "+", "="), func(m *Model) tea.Cmd {
			return m.resample(m.view.Samples+1, m.view.Draw)
		}),
		unless((*Model).oneTrace, widget.Bind("v", "other view of the regret, the outlook or the theory", "v"),
			(*Model).otherTrace).
			Long("another trace: simple and cumulative regret, the best value, over the cost; without a truth what " +
				"the model says, its best value beside the observed, what depends on what; hypervolume, Bayes " +
				"regret, the share in the box; or another part of the theory"),
		unless((*Model).noTheory, widget.Bind("i", "theory", "i"), func(m *Model) tea.Cmd {
			if m.view.Theory = !m.view.Theory; m.view.Theory {
				return m.UpdatePicture()
			}
			return nil
		}).Long("theory: information gain, eigenvalues of the kernel matrix, the evidence of γ or of the lengthscale"),
		unless((*Model).noTurn, widget.Bind("[", "previous variable", "["), func(m *Model) tea.Cmd {
			return m.turn(-1)
		}),
		unless((*Model).noTurn, widget.Bind("]", "next variable", "]"), func(m *Model) tea.Cmd { return m.turn(+1) }),
	}
}

// otherTrace draws the next trace in the panel of the regret.
func (m *Model) otherTrace() tea.Cmd {
	switch s := m.traceScene(); {
	case m.hasSummary():
		m.showTraces = m.modelSummary.Next(m.state) && m.several()
	case m.traces.Next(s) && m.truthHidden() && m.several():
		m.showTraces = false
	}
	return nil
}

func (m *Model) noTruth() string {
	switch {
	case m.state.Problem.Truth == nil:
		return "there is no true function to show: the problem is known by its evaluations alone"
	case m.asking():
		return "the true function stays hidden until you have chosen a point: x"
	}
	return ""
}

func (m *Model) noSamples() string {
	switch {
	case m.frontShown():
		return "samples are drawn over the inputs: d shows them"
	case m.report != nil && m.report.Legend.Samples == "" && m.report.Legend.Used == "":
		return m.state.Spec.Title + " has no surrogate samples to draw"
	}
	return ""
}

func (m *Model) oneTrace() string {
	switch {
	case m.withoutTraces() && m.NotesShown():
		return "this lesson leaves the regret and the theory out while its notes are shown: h"
	case m.view.Theory && (m.report == nil || m.report.Theory == nil):
		return m.state.Spec.Title + " has no theory to show: i shows the regret again"
	case !m.view.Theory && !m.several() && m.state.Problem.Dim() > 1 && m.traces.Coordinates:
		return "all variables are shown in place of the regret: p"
	case !m.view.Theory && !m.several() && !m.hasSummary() && m.asking():
		return "the regret would tell of the truth, which the lesson hides while it asks"
	case !m.view.Theory && !m.several() && !m.hasSummary() && !m.reveal:
		return "the regret would tell of the truth, which is hidden: t"
	}
	return ""
}

func (m *Model) noTheory() string {
	switch {
	case m.frontShown():
		return "theory is told of a single objective"
	case m.withoutTraces() && m.NotesShown():
		return "this lesson leaves the regret and the theory out while its notes are shown: h"
	}
	return ""
}

func (m *Model) noTurn() string {
	switch {
	case m.frontShown() && len(m.state.Problem.Objectives) < 3:
		return "both objectives are shown"
	case !m.frontShown() && m.state.Problem.Dim() == 1:
		return "this problem has one variable"
	}
	return ""
}

// maxSamples bounds how many surrogate samples are drawn at once.
const maxSamples = 64

func (m *Model) resample(count int, draw uint64) tea.Cmd {
	m.view.Samples, m.view.Draw = min(max(count, 0), maxSamples), draw
	if m.planeShown() {
		m.Notify(fmt.Sprintf("sample %d; 0 is the function that chooses, where there is one", draw))
		return m.UpdatePicture()
	}
	m.Notify(fmt.Sprintf("%s, draw %d", widget.Count(m.view.Samples, "surrogate sample"), draw+1))
	return m.UpdatePicture()
}

// turn shows another variable, or pair of objectives.
func (m *Model) turn(by int) tea.Cmd {
	if !m.picture().Turn(m.stage(), by) {
		return nil
	}
	d := m.state.Problem.Dim()
	m.view.Variable = (m.view.Variable + by + d) % d
	return m.UpdatePicture()
}

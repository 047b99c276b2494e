package explore

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/picture"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// lookCommands change what the panels show, in every view.
func lookCommands() []command {
	return []command{
		unless((*Model).noTruth, widget.Bind("t", "truth", "t"), func(m *Model) tea.Cmd {
			m.reveal = !m.reveal
			return m.startSummary()
		}).Long("show or hide the true function"),
		unless((*Model).noSamples, widget.Bind("s", "samples", "s"), func(m *Model) tea.Cmd {
			return m.resample(m.view.Samples, m.view.Draw+1)
		}).Long("draw other samples of the surrogate"),
		unless((*Model).noSamples, widget.Bind("(", "fewer samples", "("), func(m *Model) tea.Cmd {
			return m.resample(m.view.Samples-1, m.view.Draw)
		}),
		unless((*Model).noSamples, widget.Bind(")", "more samples", ")"), func(m *Model) tea.Cmd {
			return m.resample(m.view.Samples+1, m.view.Draw)
		}),
		unless((*Model).noZoom, widget.Bind("+", "zoom in", "+", "="), func(m *Model) tea.Cmd { return m.zoomBy(+1) }).
			Long("zoom the vertical axis in, towards the band and the data; zoom the fields in, on the cursor or the best point"),
		unless((*Model).noZoom, widget.Bind("-", "zoom out", "-", "_"), func(m *Model) tea.Cmd { return m.zoomBy(-1) }),
		unless((*Model).noZoom, widget.Bind("0", "fit the axes", "0"), (*Model).fitAxes).
			Long("fit the axes to all that is drawn"),
		widget.NewChange(widget.Bind("v", "next plot: regret, outlook or theory", "v"), (*Model).oneTrace, (*Model).otherTrace).
			Long("next plot: simple regret, cumulative regret, best value or regret over cost; without a true function the outlook, the best values or the sensitivity; with several objectives hypervolume, Bayes regret or the share in the target box; or another part of the theory"),
		unless((*Model).noTheory, widget.Bind("ctrl+t", "theory", "ctrl+t"), func(m *Model) tea.Cmd {
			m.view.Theory = !m.view.Theory
			if !m.view.Theory {
				return nil
			}
			return m.UpdatePicture()
		}).Long("theory: information gain, eigenvalues of the kernel matrix, evidence for γ or the lengthscale"),
		command{Binding: widget.Bind("1-3", "enlarge a panel", "1", "2", "3"),
			DisabledReason: (*Model).noPanels, Do: func(m *Model, msg tea.KeyPressMsg) tea.Cmd {
				m.enlarge(enlarged(msg.String()[0] - '0'))
				return nil
			}}.Long("enlarge a panel to the whole window: the plot, the parameters or the text of a lesson, the traces; again for all panels"),
		can(widget.Named("band of the step before"), (*Model).toggleBandBefore).
			Long("show the edges of the band of the step before, or hide them: where the newest result narrowed the band"),
		widget.NewChange(widget.Named("large plot"), nil, func(m *Model) { m.enlarge(plotLarge) }).
			Long("show the plot in the whole window, or beside the other panels again"),
		widget.NewChange(widget.Named("large traces"), nil, func(m *Model) { m.enlarge(tracesLarge) }).
			Long("show the regret, the outlook or the theory in the whole window, or beside the plot again"),
		unless((*Model).noTurn, widget.Bind("[", "previous variable", "["), func(m *Model) tea.Cmd {
			return m.turn(-1)
		}),
		unless((*Model).noTurn, widget.Bind("]", "next variable", "]"), func(m *Model) tea.Cmd { return m.turn(+1) }),
	}
}

// otherTrace shows the next plot in the traces panel.
func (m *Model) otherTrace() {
	switch s := m.traceScene(); {
	case m.hasSummary():
		m.showTraces = m.modelSummary.Next(m.state) && m.several()
	case m.traces.Next(s) && m.truthHidden() && m.several():
		m.showTraces = false
	}
}

func (m *Model) noTruth() string {
	switch {
	case m.state.Problem.Truth == nil:
		return "the true function of this problem is unknown"
	case m.asking():
		return "the true function stays hidden until you choose a point (x)"
	}
	return ""
}

func (m *Model) noSamples() string {
	switch {
	case m.frontShown():
		return "the outcomes view has no samples; press d to show the inputs"
	case m.report != nil && m.report.Legend.Samples == "" && m.report.Legend.Used == "":
		return m.state.Spec.Title + " has no surrogate samples"
	}
	return ""
}

func (m *Model) oneTrace() string {
	switch {
	case m.withoutTraces() && player.NotesShown(m):
		return "this lesson hides the regret and the theory while its text is shown; press h to hide the text"
	case len(m.state.Iterations) == 0 && !m.view.Theory && !m.hasText():
		return "the plots of the search start with the first step"
	case m.view.Theory && (m.report == nil || m.report.Theory == nil):
		return m.state.Spec.Title + " has no theory plots; press ctrl+t to show the regret again"
	case !m.view.Theory && !m.several() && m.state.Problem.Dim() > 1 && m.traces.Coordinates:
		return "the panel shows all variables; find \"all variables\" with : to show the regret"
	case !m.view.Theory && !m.several() && !m.hasSummary() && m.asking():
		return "the regret would reveal the true function, which is hidden until you answer"
	case !m.view.Theory && !m.several() && !m.hasSummary() && !m.reveal:
		return "the regret would reveal the true function; press t to show it"
	}
	return ""
}

func (m *Model) noTheory() string {
	switch {
	case m.frontShown():
		return "the theory plots need a single objective; press d to leave the outcomes view"
	case m.withoutTraces() && player.NotesShown(m):
		return "this lesson hides the regret and the theory while its text is shown; press h to hide the text"
	}
	return ""
}

// noPanels returns why digits enlarge no panel.
func (m *Model) noPanels() string {
	switch {
	case m.planeShown():
		return "the digits choose a field; press d for another view"
	case m.session.Lesson() != nil && m.Reader.Asks(m.Page()):
		return "the digits answer the question"
	}
	return ""
}

func (m *Model) noTurn() string {
	switch {
	case m.frontShown() && len(m.state.Problem.Objectives) < 3:
		return "the plot already shows both objectives"
	case !m.frontShown() && m.state.Problem.Dim() == 1:
		return "this problem has one variable"
	}
	return ""
}

// toggleBandBefore hides the edges of the band of the step before, or shows them.
func (m *Model) toggleBandBefore() tea.Cmd {
	m.hideBefore = !m.hideBefore
	if m.hideBefore {
		m.Notify("the band of the step before is hidden")
	} else {
		m.Notify("after a step along a variable, the band of the step before is shown where it was wider")
	}
	return nil
}

func (m *Model) noZoom() string {
	return widget.Why(m.frontShown(), "the view of the outcomes shows all of them; press d to show the inputs")
}

// zoomBy zooms the fields, or the vertical axis, in or out.
func (m *Model) zoomBy(steps picture.Zoom) tea.Cmd {
	if m.planeShown() {
		t := m.planeTurn()
		if steps > 0 {
			return m.endTurn(t, t.ZoomIn())
		}
		return m.endTurn(t, t.ZoomOut(false))
	}
	zoom, ok := m.zoom.In(steps)
	if !ok {
		m.Notify("this is the end of the zoom; 0 fits the axis")
	}
	m.zoom = zoom
	return nil
}

// fitAxes ends the zoom.
func (m *Model) fitAxes() tea.Cmd {
	if m.planeShown() {
		t := m.planeTurn()
		return m.endTurn(t, t.ZoomOut(true))
	}
	m.zoom = 0
	m.along().FitAxis()
	m.Notify("the axis fits this step, and stays from here on")
	return nil
}

// maxSamples bounds how many surrogate samples are drawn at once.
const maxSamples = 64

func (m *Model) resample(count int, draw uint64) tea.Cmd {
	m.view.Samples, m.view.Draw = min(max(count, 0), maxSamples), draw
	if m.planeShown() {
		m.Notify(fmt.Sprintf("sample %d; sample 0 picks the next point if the method uses samples", draw))
		return m.UpdatePicture()
	}
	m.Notify(fmt.Sprintf("%s, draw %d", widget.Count(m.view.Samples, "surrogate sample"), draw+1))
	return m.UpdatePicture()
}

// turn shows another variable, or pair of objectives.
func (m *Model) turn(delta int) tea.Cmd {
	if !m.picture().Turn(m.stage(), delta) {
		return nil
	}
	d := m.state.Problem.Dim()
	m.view.X = (m.view.X + delta + d) % d
	return m.UpdatePicture()
}

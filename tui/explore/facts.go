package explore

import (
	"slices"
	"strings"

	"bandscope/optimizers"
	"bandscope/tui/explore/modes"
	"bandscope/tui/explore/summary"
	"bandscope/tui/widget"
)

// facts are the fitted values, with the cost of the next evaluation.
func (m *Model) facts() []optimizers.Fact {
	if m.report == nil {
		return nil
	}
	facts := slices.Clone(m.report.Legend.Facts)
	if m.state.Problem.Cost != nil && len(m.report.Next) > 0 && !m.asking() {
		sum := 0.0
		for _, x := range m.report.Next {
			sum += m.state.CostAt(x)
		}
		facts = append([]optimizers.Fact{{Name: "cost of next point", Value: widget.Number(sum)}}, facts...)
	}
	for i, f := range facts {
		if m.several() && f.Name == optimizers.FactWeights { // weights carry the names of their objectives
			names := make([]string, 0, len(m.state.Problem.Objectives))
			for _, o := range m.state.Problem.Objectives {
				names = append(names, o.Name)
			}
			facts[i].Name = "λ of " + strings.Join(names, ", ")
		}
	}
	return facts
}

// belief is what the side panel shows of the fit: while a lesson asks a question, nothing, as it may answer it.
func (m *Model) belief() (b modes.Belief) {
	if m.report == nil || m.session.Lesson() != nil && m.Reader.Asks(m.Page()) {
		return b
	}
	b.Facts = m.facts()
	acquisition, _, _ := strings.Cut(m.report.Legend.Acquisition, ", ")
	for _, f := range []optimizers.Fact{{Name: optimizers.FactKernel, Value: m.report.Legend.Kernel},
		{Name: optimizers.FactAcquisition, Value: acquisition}} {
		if f.Value != "" {
			b.Choices = append(b.Choices, f)
		}
	}
	return b
}

// traceScene is the scene of the traces panel.
func (m *Model) traceScene() summary.Scene {
	s, l := m.stage(), m.layout()
	s.W, s.H = l.side, l.regret
	return summary.Scene{Scene: s, Outcomes: m.frontOutcomes(), Traces: m.shownTraces(), Objectives: m.frontShown()}
}

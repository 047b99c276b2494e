package explore

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/optimizers"
	"bandscope/tui/explore/traces"
	"bandscope/tui/layout"
	"bandscope/tui/screen"
)

// facts are what the fit found, with what the next evaluation costs.
func (m *Model) facts() []optimizers.Fact {
	if m.told == nil {
		return nil
	}
	facts := slices.Clone(m.told.Legend.Facts)
	if m.state.Problem.Cost != nil && len(m.told.Next) > 0 && !m.asking() {
		sum := 0.0
		for _, x := range m.told.Next {
			sum += m.state.CostAt(x)
		}
		facts = append([]optimizers.Fact{{Name: "cost of the next", Value: screen.Number(sum)}}, facts...)
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

// factLines are the facts, one line each.
func (m *Model) factLines(w int) []string {
	st := m.Style
	var lines []string
	for _, f := range m.facts() {
		value := layout.ShortenIn(st, st.Plain(f.Value), max(w-12, 0))
		label := layout.ShortenIn(st, st.Plain(f.Name), max(w-3-ansi.StringWidth(value), 4))
		lines = append(lines, layout.Fit("  "+st.Paint(st.Faint, label), w-ansi.StringWidth(value))+st.Paint(st.Dim, value))
	}
	return lines
}

// traceScene is what the panel of the traces sees.
func (m *Model) traceScene() traces.Scene {
	s, l := m.stage(), m.layout()
	s.W, s.H = l.side, l.regret
	return traces.Scene{Scene: s, Outcomes: m.known(), Objectives: m.steering()}
}

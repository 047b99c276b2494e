package compare

import (
	"fmt"
	"math"

	"bandscope/tui/belief/told/fronts"
	"bandscope/tui/explain"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// tellOutcomes tells what one method believes of the outcomes of several objectives.
func (m *Model) tellOutcomes(p *pane, charts []explain.Shown) (list []explain.Element) {
	for _, c := range charts {
		list = append(list, m.outcomesTold(p, c, here(fronts.Of(m.outcomeDrawing(p), nil).Says))...)
	}
	return list
}

// outcomesTold tells a chart of outcomes, with the words of one pane for what is not another's.
func (m *Model) outcomesTold(p *pane, c explain.Shown, says func(string) (string, string)) []explain.Element {
	f := fronts.Of(m.outcomeDrawing(p), nil)
	i, j := m.pair()
	return append(c.Layers(says), c.Axes(f.Axis(j, c.Chart.Y.Min, c.Chart.Y.Max, true), f.Axis(i, c.Chart.X.Min, c.Chart.X.Max, false))...)
}

// tellFronts tells fronts of all methods that are laid over each other.
func (m *Model) tellFronts(p *explain.Part, charts []explain.Shown) []explain.Element {
	whole := fmt.Sprintf("The fronts that %s draw from the same results: a line is what half of the draws attain, its band what a quarter and three quarters do.", screen.Counted(len(m.panes), "model"))
	if m.arranged == racing {
		whole = fmt.Sprintf("The fronts that %s have found, each with results of its own.", screen.Counted(len(m.panes), "method"))
	}
	list := []explain.Element{p.Panel("Pareto front", whole)}
	if row := p.Find(" draws no fronts"); row >= 0 {
		list = append(list, p.Prose("without fronts", "Pareto front", "A method among these that believes nothing of outcomes, and so has no fronts to draw.", row, row+1))
	}
	for _, c := range charts {
		if m.panes[0].outcomes == nil {
			list = append(list, p.Prose("what is missing", "", "Nothing is drawn yet but axes: the models are being fitted.", 0, len(p.Lines)))
			continue
		}
		others := here(fronts.Of(m.outcomeDrawing(m.panes[0]), nil).Says)
		list = append(list, m.outcomesTold(m.panes[0], c, func(name string) (string, string) {
			for k, pane := range m.panes {
				if name == letter(k)+" "+m.paneTitle(pane) {
					return m.tellFront(k, pane, c.Chart), "Pareto front"
				}
			}
			return others(name)
		})...)
	}
	return list
}

// tellFront tells the front of one method among others: how far it goes, and what it dominates.
func (m *Model) tellFront(k int, p *pane, c plot.Chart) string {
	name := letter(k) + " " + m.paneTitle(p)
	least, most := math.Inf(1), math.Inf(-1)
	for _, l := range c.Layers {
		if curve, ok := l.(plot.Curve); ok && curve.Name == name {
			for _, y := range curve.Y {
				if !math.IsNaN(y) {
					least, most = min(least, y), max(most, y)
				}
			}
		}
	}
	_, j := m.pair()
	text := fmt.Sprintf("%s, %s: ", letter(k), m.paneTitle(p))
	if n := len(m.fronts(p)); m.arranged != racing {
		text += fmt.Sprintf("of %s that it draws half attain this line; ", screen.Counted(n, "front"))
	} else {
		text += "what it has found so far; "
	}
	text += fmt.Sprintf("along it %s goes from %s to %s", m.base.State().Problem.Objectives[j].Name, screen.Number(least), screen.Number(most))
	if v := last(p.outcomes.Traces.Hypervolume); v != "" {
		text += fmt.Sprintf(". The results dominate a hypervolume of%s", v)
	}
	return text + "."
}

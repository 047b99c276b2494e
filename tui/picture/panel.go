package picture

import (
	"fmt"

	"bandscope/tui/chart"
	"bandscope/tui/widget"
)

// Panel is one chart of a posterior, with its descriptions. Screens and files are made of panels.
type Panel struct {
	Kind   FieldKind
	Name   string
	Titles []string // the longest first
	Chart  chart.Chart
	Axes   chart.Description // of the axes and the marks
	Help   func() (sentence, term string)
}

// Panel is the panel of a field. Along one variable that of the mean has the truth, the band, the samples and the data.
func (s Description) Panel(kind FieldKind) Panel {
	s.Kind = kind
	p := Panel{Kind: kind, Chart: s.Chart(kind)}
	if !s.line() {
		scale := s.Scale(kind)
		p.Name, p.Titles = s.Posterior.Name(kind), []string{s.Posterior.Title(kind, scale), ShortFieldTitle(kind, scale)}
		p.Axes, p.Help = s.Axes(p.Chart), func() (string, string) { return s.DescribeField(kind) }
		return p
	}
	p.Axes = chart.Description{X: DescribeVariable(s.variable(0)), Y: s.describeAxisBelow(kind, p.Chart.Y)}
	switch kind {
	case AcquisitionField:
		name := s.AcquisitionScale().Title(s.Posterior.Legend)
		p.Name, p.Titles = "acquisition", s.AcquisitionScale().Titles(s.Posterior.Legend)
		for i := range p.Titles {
			p.Titles[i] += s.Posterior.Unused()
		}
		p.Axes.Marks = func(mark string) (sentence, term string) {
			switch mark {
			case name:
				_, sentence = s.describeAcquisition()
			case AllowedName:
				sentence = s.describeAllowed()
			}
			return sentence, "acquisition"
		}
		p.Help = func() (string, string) { part, _ := s.describeAcquisition(); return part, "acquisition" }
	case CostField:
		p.Name, p.Titles = "cost", []string{"cost: " + s.State.Problem.Cost.Text, "cost"}
		p.Help = func() (string, string) { return s.describeCost(), "cost" }
	case FeasibleField:
		p.Name, p.Titles = "probability of feasibility", []string{"probability of feasibility"}
		p.Help = func() (string, string) { return s.describeLimits(), "limit" }
	default:
		p.Name, p.Titles, p.Axes = "surrogate", []string{"surrogate"}, s.Axes(p.Chart)
	}
	return p
}

// describeAxisBelow describes the axis of values of a plot below that of the mean; empty without labels.
func (s Description) describeAxisBelow(kind FieldKind, y chart.Axis) string {
	switch {
	case y.HideTicks:
		return ""
	case kind == CostField:
		return fmt.Sprintf("Vertical axis: the cost of an evaluation, 0 to %s here.", widget.Number(y.Max))
	case kind == FeasibleField:
		return "Vertical axis: the probability, from 0 to 1."
	}
	log := ""
	if y.Log {
		log = " on a logarithmic scale"
	}
	return fmt.Sprintf("Vertical axis: the acquisition%s, %s to %s here. Only the location of its best value matters.", log,
		widget.Number(y.Min), widget.Number(y.Max))
}

package picture

import (
	"fmt"

	"bandscope/tui/chart"
	"bandscope/tui/widget"
)

// Panel is one chart of a posterior, with its descriptions. Screens and files are made of panels.
type Panel struct {
	Kind   FieldKind
	Titles []string // the longest first
	Chart  chart.Chart
	Axes   chart.Description // of the axes and the marks
}

// PanelName names the panel of a field along one variable.
func PanelName(kind FieldKind) string {
	switch kind {
	case AcquisitionField, CostField:
		return ShortFieldName(kind)
	case FeasibleField:
		return "probability of feasibility"
	}
	return "surrogate"
}

// Titles are the titles of the panel of a field, the longest first.
func (s Description) Titles(kind FieldKind) []string {
	if !s.line() {
		scale := s.Scale(kind)
		return []string{s.Posterior.Title(kind, scale), ShortFieldTitle(kind, scale)}
	}
	switch name := PanelName(kind); kind {
	case AcquisitionField:
		titles := s.AcquisitionScale().Titles(s.Posterior.Legend)
		for i := range titles {
			titles[i] += s.Posterior.Unused()
		}
		return titles
	case CostField:
		return []string{name + ": " + s.State.Problem.Cost.Text, name}
	default:
		return []string{name}
	}
}

// Help says what the panel of a field shows, with the term of the glossary for it.
func (s Description) Help(kind FieldKind) (sentence, term string) {
	switch {
	case !s.line():
		return s.DescribeField(kind)
	case kind == AcquisitionField:
		sentence, _ = s.describeAcquisition()
		return sentence, "acquisition"
	case kind == CostField:
		return s.describeCost(), "cost"
	case kind == FeasibleField:
		return s.describeLimits(), "limit"
	}
	return s.Describe(s.Posterior.Legend.Mean)
}

// Panel is the panel of a field. Along one variable that of the mean has the truth, the band, the samples and the data.
func (s Description) Panel(kind FieldKind) Panel {
	s.Kind = kind
	p := Panel{Kind: kind, Titles: s.Titles(kind), Chart: s.Chart(kind)}
	if !s.line() || PanelName(kind) == PanelName(MeanField) {
		p.Axes = s.Axes(p.Chart)
		return p
	}
	p.Axes = chart.Description{X: DescribeVariable(s.variable(0)), Y: s.describeAxisBelow(kind, p.Chart.Y),
		Marks: func(name string) (sentence, term string) {
			switch {
			case kind != AcquisitionField:
			case name == s.AcquisitionScale().Title(s.Posterior.Legend):
				_, sentence = s.describeAcquisition()
			case name == AllowedName:
				sentence = s.describeAllowed()
			}
			return sentence, "acquisition"
		}}
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

package picture

import (
	"fmt"
	"math"
	"strings"

	"bandscope/functions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/widget"
)

// Descriptions of the axes, and of the plots below the posterior.

// describeValues describes the axis of the objective.
func (s Description) describeValues(y chart.Axis) string {
	text := fmt.Sprintf("Values of %s, from %s to %s", s.name(), widget.Number(y.Min), s.Value(y.Max))
	if s.gauge().Sign < 0 {
		text += ". Higher is better, so good values are at the top."
	} else {
		text += ". Lower is better, so good values are at the bottom."
	}
	if y.Log {
		text += " The axis is logarithmic."
	}
	for _, end := range []struct{ label, way string }{{y.Above, "up"}, {y.Below, "down"}} {
		if _, value, ok := strings.Cut(end.label, " "); ok {
			text += fmt.Sprintf(" Some of the plot is beyond it, %s to %s; 0 fits the axis.", end.way, value)
		}
	}
	if r := s.State.Problem.Objectives[0].Range; r != nil {
		text += fmt.Sprintf(" The declared range is %s to %s.", widget.Number(r[0]), s.Value(r[1]))
	}
	return text
}

// DescribeVariable describes an axis with the whole domain of a variable.
func DescribeVariable(v functions.Variable) string {
	unit := ""
	if v.Unit != "" {
		unit = " in " + sanitize.Text(v.Unit)
	}
	switch {
	case v.Kind == functions.Choice:
		return fmt.Sprintf(
			"The %d choices of %s, side by side. Their order has no meaning, and there are no values between them.",
			v.Levels(), v.Name)
	case v.Levels() > 0:
		return fmt.Sprintf("The %d levels of %s%s, %s to %s. There are no values between them.", v.Levels(), v.Name,
			unit, v.Text(v.Low), v.Text(v.High))
	case v.Scale == functions.Log:
		return fmt.Sprintf("Values of %s%s, the whole domain from %s to %s, on a logarithmic axis.",
			v.Name, unit, v.Text(v.Low), v.Text(v.High))
	}
	return fmt.Sprintf("Values of %s%s, the whole domain from %s to %s.", v.Name, unit,
		v.Text(v.Low), v.Text(v.High))
}

// describeAcquisition describes the part of the panel with the acquisition function, and its curve.
func (s Description) describeAcquisition() (part, area string) {
	name, better := AcquisitionWords(s.Posterior.Legend)
	if name == "" {
		return noAcquisition, ""
	}
	turned := ""
	if s.Posterior.Legend.LowerIsBetter {
		turned = " Lower is better, so the axis is reversed: the best value is at the top."
	}
	part = fmt.Sprintf(
		"The acquisition function along %s: %s. The method chooses the point where it is %s, over the whole domain.%s",
		s.variable(0).Name, name, better, turned)
	p := s.Posterior
	f := p.Fields[AcquisitionField]
	if f.Empty() {
		return noAcquisition, ""
	}
	lo, hi := chart.Extent(f.Z)
	if widget.Number(lo) == widget.Number(hi) {
		return part, fmt.Sprintf(
			"The acquisition function (%s) is %s everywhere along this axis: all points here are equally good.",
			name, widget.Number(lo))
	}
	x, named := s.place()
	area = fmt.Sprintf("The acquisition function (%s) is %s %s. Along this axis it goes from %s to %s; %s is better.",
		name, widget.Number(f.Along(x)), named, widget.Number(lo), widget.Number(hi),
		map[bool]string{true: "lower", false: "higher"}[s.Posterior.Legend.LowerIsBetter])
	area += s.AcquisitionScale().Describe()
	if s.Posterior.ByStart && len(p.Next) > 0 {
		area += " It is not used yet: the next point belongs to the initial design."
	}
	return part, area
}

// noAcquisition describes the plot of the acquisition function while there is none.
const noAcquisition = "The acquisition function: the method has none, or it is not shown yet."

// describeAllowed describes where the method allows the next point.
func (s Description) describeAllowed() string {
	return fmt.Sprintf(
		"Where the method allows the next point: %s of this axis. Elsewhere its own constraint excludes points, however good the acquisition is.",
		share(s.Posterior.Fields[AllowedField].Z, func(z float64) bool { return z > 0 }))
}

// describeCost describes the cost of an evaluation.
func (s Description) describeCost() string {
	text := "The cost of an evaluation: " + brief(s.State.Problem.Cost.Text)
	f := s.Posterior.Fields[CostField]
	if f.Empty() {
		return text + "."
	}
	lo, hi := chart.Extent(f.Z)
	x, named := s.place()
	return fmt.Sprintf("%s. It is %s %s; along this axis it goes from %s to %s. The total cost so far is %s.", text,
		widget.Number(f.Along(x)), named, widget.Number(lo), widget.Number(hi), widget.Number(s.State.TotalCost()))
}

// describeLimits describes the probability that all limits are met.
func (s Description) describeLimits() string {
	f := s.Posterior.Fields[FeasibleField]
	x, named := s.place()
	probability := f.Along(x)
	if math.IsNaN(probability) {
		return ""
	}
	lo, hi := chart.Extent(f.Z)
	return fmt.Sprintf("The probability that all limits are met, according to the model: %s %s; along this axis %s to %s. Where it is below 1/2, the plot above is dotted along its bottom.",
		widget.Number(probability), named, widget.Number(lo), widget.Number(hi))
}

// DescribeAxes adds what the axes or the corners are of to a description.
func (p *Posterior) DescribeAxes(d chart.Description) chart.Description {
	switch domain := p.problem.Domain; p.View.Axes {
	case OneVariable:
		d.X = DescribeVariable(domain[p.View.X])
	case TwoVariables:
		d.X, d.Y = DescribeVariable(domain[p.View.X]), DescribeVariable(domain[p.View.Y])
	case Ternary:
		d.Corners = p.describeCorners()
	}
	return d
}

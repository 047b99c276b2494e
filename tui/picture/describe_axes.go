package picture

import (
	"fmt"
	"math"

	"bandscope/functions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/widget"
)

// What is told of the axes, and of the plots that stand below the belief.

// DescribeAxis tells the axis of the objective.
func (a LineDescription) DescribeAxis(y chart.Axis) string {
	text := fmt.Sprintf("Values of %s, from %s to %s", a.name(), widget.Number(y.Min), a.Value(y.Max))
	if a.gauge().Sign < 0 {
		text += ": more is better, so what is good stands high."
	} else {
		text += ": less is better, so what is good stands low."
	}
	if y.Log {
		text += " Equal factors are equally far apart."
	}
	if r := a.State.Problem.Objectives[0].Range; r != nil {
		text += fmt.Sprintf(" Expected are %s to %s.", widget.Number(r[0]), a.Value(r[1]))
	}
	return text
}

// DescribeVariable tells the axis of the variable.
func (a LineDescription) DescribeVariable() string { return DescribeVariable(a.variable()) }

// DescribeVariable tells an axis with the whole domain of a variable.
func DescribeVariable(v functions.Variable) string {
	unit := ""
	if v.Unit != "" {
		unit = " in " + sanitize.Text(v.Unit)
	}
	switch {
	case v.Kind == functions.Choice:
		return fmt.Sprintf("The %d choices of %s, one beside the other: their order means nothing, and between them "+
			"there is nothing.", v.Levels(), v.Name)
	case v.Levels() > 0:
		return fmt.Sprintf("The %d levels of %s%s, %s to %s: it takes no value between them.", v.Levels(), v.Name,
			unit, v.Text(v.Low), v.Text(v.High))
	case v.Scale == functions.Log:
		return fmt.Sprintf("Values of %s%s, the whole domain from %s to %s: equal factors are equally far apart.",
			v.Name, unit, v.Text(v.Low), v.Text(v.High))
	}
	return fmt.Sprintf("Values of %s%s, the whole domain from %s to %s: what may be evaluated.", v.Name, unit,
		v.Text(v.Low), v.Text(v.High))
}

// DescribeAcquisition tells the part of the panel with the acquisition, and what is drawn in it.
func (a LineDescription) DescribeAcquisition() (part, area string) {
	name, better := AcquisitionWords(a.Legend)
	if name == "" {
		return "The acquisition, what the method asks of every point: none is drawn here, or it is not to be seen " +
			"yet.", ""
	}
	turned := ""
	if a.Legend.LowerIsBetter {
		turned = " Less is better, and so the axis is turned over: what is best stands highest here too."
	}
	part = fmt.Sprintf("What the method asks of every %s before it chooses: %s. The next point is where it is %s, of "+
		"all that may be suggested.%s", a.variable().Name, name, better, turned)
	p := a.Drawing.Picture
	if p == nil || len(p.Acquisition) == 0 {
		return "The acquisition, what the method asks of every point: none is drawn here, or it is not to be seen " +
			"yet.", ""
	}
	lo, hi := chart.Extent(p.Acquisition)
	if widget.Number(lo) == widget.Number(hi) {
		return part, fmt.Sprintf("The acquisition, %s: %s everywhere along this axis, since all points promise the "+
			"same.", name, widget.Number(lo))
	}
	x, named := a.place()
	area = fmt.Sprintf("The acquisition, %s: %s %s; along this axis it goes from %s to %s, and %s is better.", name,
		widget.Number(p.At(p.Acquisition, x)), named, widget.Number(lo), widget.Number(hi),
		map[bool]string{true: "less", false: "more"}[a.Legend.LowerIsBetter])
	if a.Aim.ByStart && len(p.Next) > 0 {
		area += " It does not choose yet: the next point is of the initial design."
	}
	return part, area
}

// DescribeFeasible tells where the next point may lie.
func (a LineDescription) DescribeFeasible() string {
	p, count := a.Drawing.Picture, 0
	for _, ok := range p.FeasibleMask {
		if ok {
			count++
		}
	}
	return fmt.Sprintf("Where the method lets the next point lie, %.0f %% of this axis: elsewhere its own constraint "+
		"forbids it, however good the acquisition is.", 100*float64(count)/float64(max(len(p.FeasibleMask), 1)))
}

// DescribeCost tells what an evaluation costs.
func (a LineDescription) DescribeCost() string {
	text := "What an evaluation costs: " + brief(a.State.Problem.Cost.Text)
	p := a.Drawing.Picture
	if p == nil || len(p.Cost) == 0 {
		return text + "."
	}
	lo, hi := chart.Extent(p.Cost)
	x, named := a.place()
	return fmt.Sprintf("%s; %s %s, along this axis %s to %s. What is spent so far is %s.", text,
		widget.Number(p.At(p.Cost, x)), named, widget.Number(lo), widget.Number(hi), widget.Number(a.State.TotalCost()))
}

// DescribeLimits tells how probable it is to be within all limits.
func (a LineDescription) DescribeLimits() string {
	p := a.Drawing.Picture
	x, named := a.place()
	at := p.At(p.Feasible, x)
	if math.IsNaN(at) {
		return ""
	}
	lo, hi := chart.Extent(p.Feasible)
	return fmt.Sprintf("How probable it is, to what the model believes of them, that all limits are met: %s %s; "+
		"along this axis from %s to %s. Where it is below 1/2 the upper plot is dotted along its bottom.",
		widget.Number(at), named, widget.Number(lo), widget.Number(hi))
}

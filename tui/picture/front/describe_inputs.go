package front

import (
	"fmt"
	"math"

	"bandscope/functions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/picture"
	"bandscope/tui/widget"
)

// Descriptions of the space of inputs.

// inputs describes where the points of the model's front are.
func (t Description) inputs() string {
	list, domain := t.Outcomes.Inputs, t.State.Problem.Domain
	if len(list) == 0 {
		return ""
	}
	text := ""
	for j := range min(len(domain), 2) {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, x := range list {
			lo, hi = min(lo, x[j]), max(hi, x[j])
		}
		if j > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s %s to %s", domain[j].Name, number(domain[j], lo), number(domain[j], hi))
	}
	return sanitize.Text(fmt.Sprintf(
		"The inputs of %s of the expected Pareto front (%s): the inputs worth evaluating, whatever the weights.",
		widget.Count(len(list), "point"), text))
}

// number is a value of a variable in few digits.
func number(v functions.Variable, x float64) string {
	if v.Levels() > 0 {
		return v.Text(x)
	}
	return widget.Number(x)
}

// describeBelief describes the predictions of the objectives along a single variable.
func (t Description) describeBelief(name string) (sentence, term string) {
	if t.Outcomes.Objectives == nil {
		return "", ""
	}
	v := t.State.Problem.Domain[0]
	if name == "±2 sd" {
		p := t.Outcomes.Objectives[t.I]
		_, node, _ := p.Extremes(picture.SDField)
		sd := p.Fields[picture.SDField]
		return fmt.Sprintf("The bands of the objectives, ±2 standard deviations around the means, scaled from 0 (worst) to 1 (best). The band of %s is widest at %s = %s: %.2g.",
				sanitize.Text(t.objective(t.I).Name), v.Name, number(v, sd.X[node]),
				4*sd.Z[node]/(t.Outcomes.Hi[t.I]-t.Outcomes.Lo[t.I])),
			"confidence band"
	}
	for k, p := range t.Outcomes.Objectives {
		if name != "mean of "+t.objective(k).Name {
			continue
		}
		best, _ := p.Best(picture.MeanField)
		mean := p.Fields[picture.MeanField]
		y := mean.Values()[best]
		return fmt.Sprintf(
			"What the model expects of %s along %s, scaled from 0 (worst) to 1 (best). It is best, %.2g (%s), at %s = %s.",
			sanitize.Text(t.objective(k).Name), v.Name, t.Outcome(k, y), t.named(k, y), v.Name, widget.Number(mean.X[best])), "posterior"
	}
	return "", ""
}

// DescribeInputs describes the plot of the inputs.
func (t Description) DescribeInputs() string {
	domain := t.State.Problem.Domain
	if len(domain) == 1 {
		return fmt.Sprintf("The objectives along the input %s, each scaled from 0 (worst) to 1 (best), so that they share one axis. Where one line rises and another falls, the objectives conflict.",
			sanitize.Text(domain[0].Name))
	}
	return fmt.Sprintf(
		"The inputs %s and %s of the results in the plot of outcomes. Points that are close together here can have very different outcomes.",
		sanitize.Text(domain[0].Name), sanitize.Text(domain[1].Name))
}

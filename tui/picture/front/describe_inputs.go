package front

import (
	"fmt"
	"math"

	"bandscope/functions"
	"bandscope/sessions/sanitize"
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
	line, domain := t.Outcomes.Line, t.State.Problem.Domain
	if line == nil {
		return "", ""
	}
	if name == "±2 sd" {
		node, widest := 0, 0.0
		for i := range line.Low[t.I] {
			if w := line.High[t.I][i] - line.Low[t.I][i]; w > widest {
				node, widest = i, w
			}
		}
		return fmt.Sprintf("The bands of the objectives, ±2 standard deviations around the means, scaled from 0 (worst) to 1 (best). The band of %s is widest at %s = %s: %.2g.",
				sanitize.Text(t.objective(t.I).Name), domain[0].Name, number(domain[0], line.X[node]), widest),
			"confidence band"
	}
	for k, o := range t.State.Problem.Objectives {
		if name != "mean of "+o.Name {
			continue
		}
		best := 0
		for i, u := range line.Mean[k] {
			if u > line.Mean[k][best] {
				best = i
			}
		}
		return fmt.Sprintf(
			"What the model expects of %s along %s, scaled from 0 (worst) to 1 (best). It is best, %.2g (%s), at %s = %s.",
			sanitize.Text(o.Name), domain[0].Name, line.Mean[k][best],
			t.named(k, t.Value(k, line.Mean[k][best])), domain[0].Name, widget.Number(line.X[best])), "posterior"
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

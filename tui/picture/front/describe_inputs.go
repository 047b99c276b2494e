package front

import (
	"fmt"
	"math"

	"bandscope/functions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/widget"
)

// What is told of the space of inputs.

// inputs tells where the points of the model's front lie.
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
	return sanitize.Text(fmt.Sprintf("Where %s of the front that the model expects come from (%s): the inputs that "+
		"are worth looking at, whatever the weights.", widget.Count(len(list), "point"), text))
}

// number is a value of a variable in few digits.
func number(v functions.Variable, x float64) string {
	if v.Levels() > 0 {
		return v.Text(x)
	}
	return widget.Number(x)
}

// describeBelief tells what is believed of the objectives along a single variable.
func (t Description) describeBelief(name string) (sentence, term string) {
	line, domain := t.Outcomes.Line, t.State.Problem.Domain
	if line == nil {
		return "", ""
	}
	if name == "±2 sd" {
		at, widest := 0, 0.0
		for i := range line.Low[t.I] {
			if w := line.High[t.I][i] - line.Low[t.I][i]; w > widest {
				at, widest = i, w
			}
		}
		return fmt.Sprintf("The bands of the objectives, two standard deviations on either side of the means, as "+
				"parts of the range from worst, 0, to best, 1: that of %s is widest at %s = %s, %.2g.",
				sanitize.Text(t.objective(t.I).Name), domain[0].Name, number(domain[0], line.X[at]), widest),
			"confidence band"
	}
	for k, o := range t.State.Problem.Objectives {
		if name != "mean of "+o.Name {
			continue
		}
		at := 0
		for i, u := range line.Mean[k] {
			if u > line.Mean[k][at] {
				at = i
			}
		}
		return fmt.Sprintf("What the model expects of %s along %s, as a part of the range, 1 being best: it is best, "+
			"%.2g, which is %s, at %s = %s.", sanitize.Text(o.Name), domain[0].Name, line.Mean[k][at],
			t.named(k, t.Value(k, line.Mean[k][at])), domain[0].Name, widget.Number(line.X[at])), "posterior"
	}
	return "", ""
}

// DescribeInputs tells the plot of the inputs.
func (t Description) DescribeInputs() string {
	domain := t.State.Problem.Domain
	if len(domain) == 1 {
		return fmt.Sprintf("The inputs, along %s: every objective as a part of its range, so that they share one "+
			"axis, 1 being best. Where the lines cross, what is good for one is bad for another.",
			sanitize.Text(domain[0].Name))
	}
	return fmt.Sprintf("The inputs, %s and %s: where the results beside it come from. Points that lie close together "+
		"here can have very different outcomes.", sanitize.Text(domain[0].Name), sanitize.Text(domain[1].Name))
}

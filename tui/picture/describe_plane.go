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

// describeContour describes an entry of the legend of a field that other drawings do not have.
func (s Description) describeContour(name string) (sentence, term string) {
	switch name {
	case contourName:
		return s.contours(), ""
	case allowedEdgeName:
		return fmt.Sprintf("The line around the region where the method allows the next point: %s of the plot. Elsewhere the model expects that a limit is violated%s.",
			share(s.Posterior.Fields[AllowedField].Z, func(z float64) bool { return z >= 0.5 }), map[bool]string{
				true: ", or the method does not search there"}[s.Posterior.Regions != nil]), "limit"
	case limitContourName:
		return fmt.Sprintf("The dashed line: all limits are met with a probability of 1/2 there. %s of the plot is on the feasible side.",
			share(s.Posterior.Fields[FeasibleField].Z, func(z float64) bool { return z >= 0.5 })), "limit"
	}
	return "", ""
}

// variable is that along x, 0, or along y, 1; the components at the right corner and at the top.
func (s Description) variable(k int) functions.Variable {
	return s.State.Problem.Domain[[2]int{s.Posterior.View.X, s.Posterior.View.Y}[k]]
}

// share is the share of the values of a field for which something is true.
func share(z []float64, condition func(float64) bool) string {
	n := 0
	for _, v := range z {
		if condition(v) {
			n++
		}
	}
	return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(max(len(z), 1)))
}

// NodeText is the place of a node of the field: "x1 = 2.5, x2 = 7 °C".
func (s Description) NodeText(i int) string { return s.placeText(s.Posterior.Node(s.Kind, i)) }

// placeText is the place of a point on the axes.
func (s Description) placeText(point []float64) string {
	var parts []string
	for _, j := range s.Posterior.View.Variables() {
		v := s.State.Problem.Domain[j]
		parts = append(parts, strings.TrimSpace(v.Name+" = "+v.Text(point[j])+" "+v.Unit))
	}
	return sanitize.Text(strings.Join(parts, ", "))
}

// valueText is a value of a field, as its colour bar has it, in the unit of the objective where it is one.
func (s Description) valueText(kind FieldKind, z float64) string {
	switch kind {
	case TrueField, MeanField, SampleField:
		return s.Value(s.gauge().FromScale(z))
	case SDField:
		return s.deviation(z)
	}
	return widget.Number(z)
}

// deviation is a standard deviation of the objective: of its logarithm a factor.
func (s Description) deviation(sd float64) string {
	if s.gauge().IsLog() {
		return "a factor of " + strings.TrimPrefix(s.gauge().FormatDifference(sd, widget.Number), "×")
	}
	return s.Value(sd)
}

// DescribeField describes a field, with its extremes in the window, and returns the term of the glossary for it.
func (s Description) DescribeField(kind FieldKind) (sentence, term string) {
	p, name := s.Posterior, s.name()
	least, greatest, ok := p.Extremes(kind)
	switch {
	case kind == TrueField && !s.Reveal:
		return "The true function is hidden, as in a real experiment; t shows it.", ""
	case !ok && p.Known[kind]:
		return fmt.Sprintf("The place of the %s. %s has none.", p.Name(kind), s.State.Spec.Title), ""
	case !ok:
		return fmt.Sprintf("The place of the %s, which is not drawn yet.", p.Name(kind)), ""
	}
	z := p.Fields[kind].Z
	lo, hi := s.valueText(kind, z[least]), s.valueText(kind, z[greatest])
	if lo == hi {
		return fmt.Sprintf("The %s is %s everywhere here: the data do not distinguish one point from another.",
			p.Name(kind), lo), ""
	}
	lo, hi = lo+" at "+s.placeText(p.Node(kind, least)), hi+" at "+s.placeText(p.Node(kind, greatest))
	best, worst := lo, hi
	if s.gauge().Sign < 0 {
		best, worst = hi, lo
	}
	switch kind {
	case TrueField:
		return fmt.Sprintf(
			"The true function %s, which no method sees: best %s, worst %s. Where the mean (2) differs from it, the model is wrong or has no data yet.",
			name, best, worst), "regret"
	case MeanField:
		return fmt.Sprintf(
				"The mean: what the model expects of %s at every point. Best %s, worst %s. The standard deviation (3) shows how uncertain it is.",
				name, best, worst),
			"posterior"
	case SDField:
		near := s.describeNearest(p.Node(kind, greatest))
		if near != "" {
			near = " (" + near + ")"
		}
		text := fmt.Sprintf(
			"How uncertain the model is about %s at every point, as a standard deviation: largest, %s%s; smallest, %s. Evaluations reduce it.",
			name, hi, near, lo)
		if meaning := p.Legend.Meaning; meaning != "" {
			text += " " + meaning
		}
		return text, "confidence band"
	case AcquisitionField:
		return s.acquisition(lo, hi, least, greatest), "acquisition"
	case SampleField:
		subject := p.Name(kind)
		return fmt.Sprintf(
			"%s: a complete function that the model considers possible. Best %s, worst %s. s draws others.",
			upper(subject), best, worst), "sample"
	case CostField:
		return fmt.Sprintf("The cost of an evaluation at every point, known in advance: from %s to %s.", lo, hi), "cost"
	}
	return fmt.Sprintf(
		"The probability that all limits are met, according to the model: from %s to %s. It is above 1/2 in %s of the plot.",
		lo, hi, share(z, func(z float64) bool { return z >= 0.5 })), "feasible"
}

// acquisition describes the acquisition function, from the texts of its extremes and their nodes.
func (s Description) acquisition(lo, hi string, least, greatest int) string {
	p := s.Posterior
	name, better := AcquisitionWords(p.Legend)
	best, worst, node := hi, lo, greatest
	if better == "lowest" {
		best, worst, node = lo, hi, least
	}
	text := fmt.Sprintf(
		"The acquisition function (%s): how useful an evaluation at each point is to the method. Best %s, worst %s.",
		name, best, worst)
	text += acquisitionScale(AcquisitionField, s.Scale(AcquisitionField)).Describe()
	if len(p.Next) == 1 && !p.Pending && !p.ByStart {
		u, v := p.Place(p.Next[0])
		nu, nv := p.Place(p.Node(AcquisitionField, node))
		if math.Abs(u-nu) < 0.03 && math.Abs(v-nv) < 0.03 {
			text += " The best point is the next point."
		}
	}
	return text
}

// DescribeColorBar describes the colour bar of a field, from the bottom to the top, as drawn by a scale.
func (s Description) DescribeColorBar(kind FieldKind) string {
	scale := s.Scale(kind)
	top, bottom := scale.Ends()
	valued := kind == TrueField || kind == MeanField || kind == SampleField
	tell := func(v float64) string {
		switch {
		case scale.Log && kind == AcquisitionField:
			return widget.Number(scale.DisplayValue(v))
		case scale.Log:
			return s.Value(scale.DisplayValue(v))
		}
		return s.valueText(kind, v)
	}
	text := fmt.Sprintf("The colour scale, from %s at the bottom to %s at the top", tell(bottom), tell(top))
	switch {
	case scale.Log:
		text += ", logarithmic"
	case scale.Flip:
		text += ". The scale is reversed, because lower is better here"
	}
	if scale.Clipped {
		text += ". Worse values have the same colour as the one at the bottom"
	}
	switch {
	case valued && s.Shared:
		text += ". Truth, mean and sample share this scale, so that you can compare their colours; press y to give each its own scale"
	case valued:
		text += ". Each field has its own scale, from its minimum to its maximum; press y to give truth, mean and sample the same scale"
	}
	return text + "."
}

// contours describes the lines of equal values.
func (s Description) contours() string {
	scale := s.Scale(s.Kind)
	levels := chart.ContourLevels(scale, 6)
	if len(levels) == 0 {
		return ""
	}
	texts := make([]string, len(levels))
	for i, l := range levels {
		texts[i] = widget.Number(scale.DisplayValue(l))
	}
	return fmt.Sprintf(
		"Contour lines, along which the field has the same value: %s. Where they are close together, it changes fast; closed lines surround peaks or valleys.",
		strings.Join(texts, ", "))
}

// describeCorners describes the corners of a triangle at the top, the left and the right; empty of another plane.
func (p *Posterior) describeCorners() (says [3]string) {
	if p.View.Axes != Ternary {
		return says
	}
	t := p.ternary()
	for i, edges := range [3]string{"horizontally, on the right edge", "parallel to the right edge, on the left edge",
		"parallel to the left edge, on the base"} {
		v := p.problem.Domain[t.of[i]]
		says[i] = sanitize.Text(fmt.Sprintf("%s rises from %s on the opposite edge to %s at this corner. Read it %s.",
			v.Name, strings.TrimSpace(widget.Number(t.low[i])+" "+v.Unit),
			strings.TrimSpace(widget.Number(t.low[i]+t.size)+" "+v.Unit), edges))
	}
	return says
}

// describeWindow describes the axis of the variable along x, 0, or along y, 1.
func (s Description) describeWindow(k int) string {
	view, v := s.Posterior.View, s.variable(k)
	if view.High[k]-view.Low[k] > 1-1e-9 {
		return DescribeVariable(v)
	}
	low, high := NearestAxisValue(v, view.Low[k]), NearestAxisValue(v, view.High[k])
	return sanitize.Text(fmt.Sprintf("Values of %s from %s to %s; the whole domain goes from %s to %s. - zooms out.", v.Name, strings.TrimSpace(widget.Number(low)), strings.TrimSpace(widget.Number(high)+" "+v.Unit),
		v.Text(v.Low), v.Text(v.High)))
}

// upper is a text with a capital first letter.
func upper(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

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

// extrema are the minimum and the maximum of a field along its scale, and the values of the two variables there.
type extrema struct {
	argMin, argMax [2]float64
	lo, hi         float64
}

func (s Description) extremes(kind FieldKind) (e extrema, ok bool) {
	field := s.Posterior.Fields[kind].Field
	e.lo, e.hi = math.Inf(1), math.Inf(-1)
	for i, z := range field.Z {
		if math.IsNaN(z) || math.IsInf(z, 0) {
			continue
		}
		if z < e.lo {
			e.lo, e.argMin = z, s.node(field, i)
		}
		if z > e.hi {
			e.hi, e.argMax = z, s.node(field, i)
		}
	}
	return e, e.lo <= e.hi
}

// NodeText is the place of a node of the field: "x1 = 2.5, x2 = 7 °C".
func (s Description) NodeText(i int) string {
	return s.inputText(s.node(s.Posterior.Fields[s.Kind].Field, i))
}

// node are the values of the two variables at a node of a field.
func (s Description) node(field chart.Field, i int) (point [2]float64) {
	view := s.Posterior.View
	if field.Simplex {
		v := float64(i/field.Cols) / float64(field.Rows-1)
		return [2]float64{v/2 + (1-v)*float64(i%field.Cols)/float64(field.Cols-1), v}
	}
	for k, n := range [2]int{i % field.Cols, i / field.Cols} {
		part := 0.5
		cuts := field.Cuts[k]
		count := [2]int{field.Cols, field.Rows}[k]
		switch {
		case cuts != nil:
			lo, hi := 0.0, 1.0
			if n > 0 {
				lo = cuts[n-1]
			}
			if n < len(cuts) {
				hi = cuts[n]
			}
			part = (lo + hi) / 2
		case count > 1:
			part = float64(n) / float64(count-1)
		}
		point[k] = NearestAxisValue(s.variable(k), view.Low[k]+part*(view.High[k]-view.Low[k]))
	}
	return point
}

// inputText is a place of the plane: "x1 = 2.5, x2 = 7 °C".
func (s Description) inputText(point [2]float64) string {
	if p := s.Posterior; p.View.Axes == Ternary {
		t := p.ternary()
		x, parts := t.at(p.Anchor, point[0], point[1]), make([]string, len(t.of))
		for i, j := range t.of {
			v := s.State.Problem.Domain[j]
			parts[i] = strings.TrimSpace(v.Name + " = " + widget.Number(x[j]) + " " + v.Unit)
		}
		return sanitize.Text(strings.Join(parts, ", "))
	}
	parts := make([]string, 2)
	for k := range parts {
		v := s.variable(k)
		text := widget.Number(point[k])
		if v.Levels() > 0 {
			text = v.Text(point[k])
		}
		parts[k] = strings.TrimSpace(v.Name + " = " + text + " " + v.Unit)
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
	e, ok := s.extremes(kind)
	name := s.name()
	switch {
	case kind == TrueField && !s.Reveal:
		return "The true function is hidden, as in a real experiment; t shows it.", ""
	case !ok && s.Posterior.Known[kind]:
		return fmt.Sprintf("The place of the %s. %s has none.", s.Posterior.Name(kind), s.State.Spec.Title), ""
	case !ok:
		return fmt.Sprintf("The place of the %s, which is not drawn yet.", s.Posterior.Name(kind)), ""
	}
	lo, hi := s.valueText(kind, e.lo)+" at "+s.inputText(e.argMin), s.valueText(kind, e.hi)+" at "+s.inputText(e.argMax)
	if s.valueText(kind, e.lo) == s.valueText(kind, e.hi) {
		return fmt.Sprintf("The %s is %s everywhere here: the data do not distinguish one point from another.",
			s.Posterior.Name(kind), s.valueText(kind, e.lo)), ""
	}
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
		text := fmt.Sprintf(
			"How uncertain the model is about %s at every point, as a standard deviation: largest, %s%s; smallest, %s. Evaluations reduce it.",
			name, hi, s.describeSingleNode(e.argMax), lo)
		if meaning := s.Posterior.Legend.Meaning; meaning != "" {
			text += " " + meaning
		}
		return text, "confidence band"
	case AcquisitionField:
		return s.acquisition(lo, hi, e), "acquisition"
	case SampleField:
		subject := s.Posterior.Name(kind)
		return fmt.Sprintf(
			"%s: a complete function that the model considers possible. Best %s, worst %s. s draws others.",
			upper(subject), best, worst), "sample"
	case CostField:
		return fmt.Sprintf("The cost of an evaluation at every point, known in advance: from %s to %s.", lo, hi), "cost"
	}
	return fmt.Sprintf(
		"The probability that all limits are met, according to the model: from %s to %s. It is above 1/2 in %s of the plot.",
		lo, hi, share(s.Posterior.Fields[kind].Z, func(z float64) bool { return z >= 0.5 })), "feasible"
}

// describeSingleNode says how far a place is from the nearest result, as a share of the two variables' ranges, where
// all variables are shown.
func (s Description) describeSingleNode(node [2]float64) string {
	if s.sliced() {
		return ""
	}
	best := math.Inf(1)
	for _, p := range s.points(func(point, bool) bool { return true }) {
		sum := 0.0
		for k, j := range [2]int{s.Posterior.View.X, s.Posterior.View.Y} {
			v := s.variable(k)
			d := AxisFraction(v, node[k]) - AxisFraction(v, p.x()[j])
			sum += d * d
		}
		best = min(best, math.Sqrt(sum))
	}
	if math.IsInf(best, 1) {
		return ""
	}
	return fmt.Sprintf(", at a distance of %.2g in the unit square from the nearest result", best)
}

// acquisition describes the acquisition function.
func (s Description) acquisition(lo, hi string, e extrema) string {
	name, better := AcquisitionWords(s.Posterior.Legend)
	best := hi
	worst := lo
	position := e.argMax
	if better == "lowest" {
		best = lo
		worst = hi
		position = e.argMin
	}
	text := fmt.Sprintf(
		"The acquisition function (%s): how useful an evaluation at each point is to the method. Best %s, worst %s.",
		name, best, worst)
	text += acquisitionScale(AcquisitionField, s.Scale(AcquisitionField)).Describe()
	if a := s.Posterior; len(a.Next) == 1 && !a.Pending && !a.ByStart {
		u, v := s.Posterior.Place(a.Next[0])
		nu, nv := s.part(0, position[0]), s.part(1, position[1])
		if math.Abs(u-nu) < 0.03 && math.Abs(v-nv) < 0.03 {
			text += " The best point is the next point."
		}
	}
	return text
}

// part is where in the window a value of a variable lies.
func (s Description) part(k int, v float64) float64 {
	view := s.Posterior.View
	return (AxisFraction(s.variable(k), v) - view.Low[k]) / (view.High[k] - view.Low[k])
}

// DescribeColorBar describes the colour bar of a field, from the bottom to the top, as drawn by a scale.
func (s Description) DescribeColorBar(kind FieldKind) string {
	scale := s.Scale(kind)
	top, bottom := scale.Ends()
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
	valued := kind == TrueField || kind == MeanField || kind == SampleField
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
	return sanitize.Text(fmt.Sprintf("Values of %s from %s to %s; the whole domain goes from %s to %s. Z zooms out.", v.Name, strings.TrimSpace(widget.Number(low)), strings.TrimSpace(widget.Number(high)+" "+v.Unit),
		v.Text(v.Low), v.Text(v.High)))
}

// upper is a text with a capital first letter.
func upper(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

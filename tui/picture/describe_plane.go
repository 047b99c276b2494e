package picture

import (
	"fmt"
	"math"
	"strings"

	"bandscope/functions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/widget"
)

// PlaneDescription is what a drawing of fields over two variables shows.
type PlaneDescription struct {
	Description
	Drawing PlaneDrawing
	Kind    FieldKind // the one whose marks are described: the large one
}

// DescribePlane describes a drawing whose field of a kind is large, with the outliers among the results.
func DescribePlane(d PlaneDrawing, kind FieldKind, strange []diagnostics.Outlier) PlaneDescription {
	p := d.Posterior
	f := PlaneDescription{Description: Description{State: d.State, Legend: p.Legend, Aim: p.NextPoints,
		Reveal: d.Reveal, Outliers: strange, Regions: p.Regions,
		Cursor: d.Cursor}, Drawing: d, Kind: kind}
	f.BandText = func(x []float64) string {
		mean, sd := p.At(MeanField, x), p.At(SDField, x)
		if math.IsNaN(mean) || math.IsNaN(sd) {
			return ""
		}
		return widget.Number(mean) + f.gauge().FormatSD(mean, sd, widget.Number)
	}
	if domain := d.State.Problem.Domain; len(domain) > len(p.View.Variables()) {
		f.SliceDistance = func(x []float64) float64 { return unitDistance(domain, x, p.Anchor, p.View.Variables()...) }
	}
	return f
}

// Describe describes an entry of the legend of the large field, and returns the term of the glossary for it.
func (f PlaneDescription) Describe(name string) (sentence, term string) {
	switch name {
	case "data":
		if f.SliceDistance == nil {
			return f.data(), "observation"
		}
		return f.describeOffPlane(), "observation"
	case contourName:
		return f.contours(), ""
	case allowedEdgeName:
		return fmt.Sprintf("The line around the region where the method allows the next point: %s of the plot. Elsewhere the model expects that a limit is violated%s.",
			share(f.Drawing.Posterior.Fields[AllowedField].Z, func(z float64) bool { return z >= 0.5 }), map[bool]string{
				true: ", or the method does not search there"}[f.Regions != nil]), "limit"
	case limitContourName:
		return fmt.Sprintf("The dashed line: all limits are met with a probability of 1/2 there. %s of the plot is on the feasible side.",
			share(f.Drawing.Posterior.Fields[FeasibleField].Z, func(z float64) bool { return z >= 0.5 })), "limit"
	}
	return f.Description.Describe(name)
}

// describeOffPlane describes results whose other variables have other values than the plane.
func (f PlaneDescription) describeOffPlane() string {
	list := f.points(func(p point, last bool) bool { return f.counts(p) && !last })
	if len(list) == 0 {
		return ""
	}
	near := list[0]
	for _, p := range list {
		if f.SliceDistance(p.x()) < f.SliceDistance(near.x()) {
			near = p
		}
	}
	return fmt.Sprintf("%s before the newest (%s %s), drawn at their %s. Their other variables differ from this plane: the nearest, of step %d, is %.2g away from it in the unit cube.",
		widget.Count(len(list), "result"), f.name(), f.span(list), f.place(), near.it.Step, f.SliceDistance(near.x()))
}

// place names what places results in the plane.
func (f PlaneDescription) place() string {
	if f.Drawing.Posterior.View.Axes == Ternary {
		return "shares of the three components"
	}
	return f.variable(0).Name + " and " + f.variable(1).Name
}

// variable is that along x, 0, or along y, 1; the components at the right corner and at the top.
func (f PlaneDescription) variable(k int) functions.Variable {
	return f.State.Problem.Domain[[2]int{f.Drawing.Posterior.View.X, f.Drawing.Posterior.View.Y}[k]]
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

func (f PlaneDescription) extremes(kind FieldKind) (e extrema, ok bool) {
	field := f.Drawing.Posterior.Fields[kind].Field
	e.lo, e.hi = math.Inf(1), math.Inf(-1)
	for i, z := range field.Z {
		if math.IsNaN(z) || math.IsInf(z, 0) {
			continue
		}
		if z < e.lo {
			e.lo, e.argMin = z, f.node(field, i)
		}
		if z > e.hi {
			e.hi, e.argMax = z, f.node(field, i)
		}
	}
	return e, e.lo <= e.hi
}

// NodeText is the place of a node of the field: "x1 = 2.5, x2 = 7 °C".
func (f PlaneDescription) NodeText(i int) string {
	return f.inputText(f.node(f.Drawing.Posterior.Fields[f.Kind].Field, i))
}

// node are the values of the two variables at a node of a field.
func (f PlaneDescription) node(field chart.Field, i int) (point [2]float64) {
	view := f.Drawing.Posterior.View
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
		point[k] = NearestAxisValue(f.variable(k), view.Low[k]+part*(view.High[k]-view.Low[k]))
	}
	return point
}

// inputText is a place of the plane: "x1 = 2.5, x2 = 7 °C".
func (f PlaneDescription) inputText(point [2]float64) string {
	if p := f.Drawing.Posterior; p.View.Axes == Ternary {
		t := p.ternary()
		x, parts := t.at(p.Anchor, point[0], point[1]), make([]string, len(t.of))
		for i, j := range t.of {
			v := f.State.Problem.Domain[j]
			parts[i] = strings.TrimSpace(v.Name + " = " + widget.Number(x[j]) + " " + v.Unit)
		}
		return sanitize.Text(strings.Join(parts, ", "))
	}
	parts := make([]string, 2)
	for k := range parts {
		v := f.variable(k)
		text := widget.Number(point[k])
		if v.Levels() > 0 {
			text = v.Text(point[k])
		}
		parts[k] = strings.TrimSpace(v.Name + " = " + text + " " + v.Unit)
	}
	return sanitize.Text(strings.Join(parts, ", "))
}

// valueText is a value of a field, as its colour bar has it, in the unit of the objective where it is one.
func (f PlaneDescription) valueText(kind FieldKind, z float64) string {
	switch kind {
	case TrueField, MeanField, SampleField:
		return f.Value(f.gauge().FromScale(z))
	case SDField:
		return f.deviation(z)
	}
	return widget.Number(z)
}

// deviation is a standard deviation of the objective: of its logarithm a factor.
func (f PlaneDescription) deviation(sd float64) string {
	if f.gauge().IsLog() {
		return "a factor of " + strings.TrimPrefix(f.gauge().FormatDifference(sd, widget.Number), "×")
	}
	return f.Value(sd)
}

// DescribeField describes a field, with its extremes in the window, and returns the term of the glossary for it.
func (f PlaneDescription) DescribeField(kind FieldKind) (sentence, term string) {
	e, ok := f.extremes(kind)
	name := f.name()
	switch {
	case kind == TrueField && !f.Reveal:
		return "The true function is hidden, as in a real experiment; t shows it.", ""
	case !ok && f.Drawing.Posterior.Known[kind]:
		return fmt.Sprintf("The place of the %s. %s has none.", f.Drawing.Posterior.Name(kind), f.State.Spec.Title), ""
	case !ok:
		return fmt.Sprintf("The place of the %s, which is not drawn yet.", f.Drawing.Posterior.Name(kind)), ""
	}
	lo, hi := f.valueText(kind, e.lo)+" at "+f.inputText(e.argMin), f.valueText(kind, e.hi)+" at "+f.inputText(e.argMax)
	if f.valueText(kind, e.lo) == f.valueText(kind, e.hi) {
		return fmt.Sprintf("The %s is %s everywhere here: the data do not distinguish one point from another.",
			f.Drawing.Posterior.Name(kind), f.valueText(kind, e.lo)), ""
	}
	best, worst := lo, hi
	if f.gauge().Sign < 0 {
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
			name, hi, f.describeSingleNode(e.argMax), lo)
		if meaning := f.Drawing.Posterior.Legend.Meaning; meaning != "" {
			text += " " + meaning
		}
		return text, "confidence band"
	case AcquisitionField:
		return f.acquisition(lo, hi, e), "acquisition"
	case SampleField:
		subject := f.Drawing.Posterior.Name(kind)
		return fmt.Sprintf(
			"%s: a complete function that the model considers possible. Best %s, worst %s. s draws others.",
			upper(subject), best, worst), "sample"
	case CostField:
		return fmt.Sprintf("The cost of an evaluation at every point, known in advance: from %s to %s.", lo, hi), "cost"
	}
	return fmt.Sprintf(
		"The probability that all limits are met, according to the model: from %s to %s. It is above 1/2 in %s of the plot.",
		lo, hi, share(f.Drawing.Posterior.Fields[kind].Z, func(z float64) bool { return z >= 0.5 })), "feasible"
}

// describeSingleNode says how far a place is from the nearest result, as a share of the two variables' ranges, where
// all variables are shown.
func (f PlaneDescription) describeSingleNode(node [2]float64) string {
	if f.SliceDistance != nil {
		return ""
	}
	best := math.Inf(1)
	for _, p := range f.points(func(point, bool) bool { return true }) {
		sum := 0.0
		for k, j := range [2]int{f.Drawing.Posterior.View.X, f.Drawing.Posterior.View.Y} {
			v := f.variable(k)
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
func (f PlaneDescription) acquisition(lo, hi string, e extrema) string {
	name, better := AcquisitionWords(f.Legend)
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
	text += acquisitionScale(AcquisitionField, f.Drawing.Scale(AcquisitionField)).Describe()
	if a := f.Aim; len(a.Next) == 1 && !a.Pending && !a.ByStart {
		u, v := f.Drawing.Posterior.Place(a.Next[0])
		nu, nv := f.part(0, position[0]), f.part(1, position[1])
		if math.Abs(u-nu) < 0.03 && math.Abs(v-nv) < 0.03 {
			text += " The best point is the next point."
		}
	}
	return text
}

// part is where in the window a value of a variable lies.
func (f PlaneDescription) part(k int, v float64) float64 {
	view := f.Drawing.Posterior.View
	return (AxisFraction(f.variable(k), v) - view.Low[k]) / (view.High[k] - view.Low[k])
}

// DescribeColorBar describes the colour bar of a field, from the bottom to the top, as drawn by a scale.
func (f PlaneDescription) DescribeColorBar(kind FieldKind, s chart.ColorScale) string {
	top, bottom := s.Ends()
	tell := func(v float64) string {
		switch {
		case s.Log && kind == AcquisitionField:
			return widget.Number(s.DisplayValue(v))
		case s.Log:
			return f.Value(s.DisplayValue(v))
		}
		return f.valueText(kind, v)
	}
	text := fmt.Sprintf("The colour scale, from %s at the bottom to %s at the top", tell(bottom), tell(top))
	switch {
	case s.Log:
		text += ", logarithmic"
	case s.Flip:
		text += ". The scale is reversed, because lower is better here"
	}
	valued := kind == TrueField || kind == MeanField || kind == SampleField
	switch {
	case valued && f.Drawing.Shared:
		text += ". Truth, mean and sample share this scale, so that you can compare their colours; press y to give each its own scale"
	case valued:
		text += ". Each field has its own scale, from its minimum to its maximum; press y to give truth, mean and sample the same scale"
	}
	return text + "."
}

// contours describes the lines of equal values.
func (f PlaneDescription) contours() string {
	s := f.Drawing.Scale(f.Kind)
	levels := chart.ContourLevels(s, 6)
	if len(levels) == 0 {
		return ""
	}
	texts := make([]string, len(levels))
	for i, l := range levels {
		texts[i] = widget.Number(s.DisplayValue(l))
	}
	return fmt.Sprintf(
		"Contour lines, along which the field has the same value: %s. Where they are close together, it changes fast; closed lines surround peaks or valleys.",
		strings.Join(texts, ", "))
}

// DescribeCorners describes the corners of a triangle at the top, the left and the right; empty of another plane.
func (f PlaneDescription) DescribeCorners() (says [3]string) {
	return f.Drawing.Posterior.describeCorners()
}

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

// DescribeAxis describes the axis of the variable along x, 0, or along y, 1.
func (f PlaneDescription) DescribeAxis(k int) string {
	view, v := f.Drawing.Posterior.View, f.variable(k)
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

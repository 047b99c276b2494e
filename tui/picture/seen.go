package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions/transform"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/widget"
)

// Description describes a drawing.
type Description struct {
	Drawing
	Kind        FieldKind // that is drawn over two variables, and whose marks are described
	Outliers    []diagnostics.Outlier
	Asking      bool   // a question is open: where a curve is best, or the band widest, is for the reader to find
	CursorLabel string // names the place of the cursor; empty for "the cursor"
}

// Describe describes a drawing of a field, with the outliers among the results.
func Describe(d Drawing, kind FieldKind, strange []diagnostics.Outlier) Description {
	if d.Posterior == nil {
		d.Posterior = New(d.State, View{}, nil)
	}
	return Description{Drawing: d, Kind: kind, Outliers: strange}
}

// line reports whether the drawing is along one variable.
func (s Description) line() bool { return s.Posterior.View.Axes == OneVariable }

// sliced reports whether there are variables that are not drawn.
func (s Description) sliced() bool {
	return len(s.State.Problem.Domain) > len(s.Posterior.View.Variables())
}

// sliceDistance is how far a result is from the slice or plane, in the unit cube.
func (s Description) sliceDistance(x []float64) float64 {
	return unitDistance(s.State.Problem.Domain, x, s.Posterior.Anchor, s.Posterior.View.Variables()...)
}

// bandText is the prediction at an input, as "-6.1 to -5.8"; empty where none is drawn.
func (s Description) bandText(x []float64) string {
	p := s.Posterior
	mean, sd := p.At(MeanField, x), p.At(SDField, x)
	switch {
	case math.IsNaN(mean) || math.IsNaN(sd):
		return ""
	case !s.line():
		return widget.Number(mean) + s.gauge().FormatSD(mean, sd, widget.Number)
	case s.sliced() && s.sliceDistance(x) > 1e-9: // the band that is drawn is of another place
		return ""
	}
	return widget.Number(p.At(LowerField, x)) + " to " + s.Value(p.At(UpperField, x))
}

// Axes describes the axes and the marks of a chart of the field.
func (s Description) Axes(c chart.Chart) chart.Description {
	d := chart.Description{Marks: s.Describe}
	if s.line() {
		d.Y = s.describeValues(c.Y)
		if !c.X.HideTicks {
			d.X = DescribeVariable(s.variable(0))
		}
		return d
	}
	d.X, d.Y, d.Corners = s.describeWindow(0), s.describeWindow(1), s.Posterior.describeCorners()
	return d
}

// Describe describes an entry of the legend, and returns the term of the glossary for it; empty for a name that no
// drawing of data has.
func (s Description) Describe(name string) (sentence, term string) {
	if s.line() {
		sentence, term = s.describeCurve(name)
	} else {
		sentence, term = s.describeContour(name)
	}
	if term != "" || sentence != "" {
		return sentence, term
	}
	switch name {
	case "data", offSliceName:
		return s.data(), "observation"
	case "newest":
		return s.describeNewest()
	case "best":
		return s.best(), "incumbent"
	case "failed":
		return s.describeFailures(), "observation"
	case limitViolationName:
		return s.describeLimitViolations(), "limit"
	case "corrected":
		return s.describeCorrections(), "observation"
	case "discarded":
		return s.describeRejections(), "pending point"
	case "outlier":
		return DescribeOutliers(s.State.Problem, slices.DeleteFunc(slices.Clone(s.Outliers), func(r diagnostics.Outlier) bool {
			return r.Objective != 0
		})), "outlier"
	case "±2 SE":
		return s.errors(), "observation noise"
	case "mean of replicates", "replicates":
		return s.describeReplicates(), "observation noise"
	case candidatesName:
		n := len(unevaluatedRows(s.State))
		return fmt.Sprintf(
			"The rows of the table that are not measured, %s in all; several may lie at one place. Only these rows can be suggested.",
			widget.Count(n, "row")), "acquisition function"
	case "optimum":
		return s.optimum(), "regret"
	case "bounds":
		return s.describeBounds(), "constraint"
	case originalName:
		return "The bounds of the beginning: the domain became wider since. The model uses the results of both.", "constraint"
	case constraintName:
		return s.describeInfeasible(), "constraint"
	case halfName:
		return s.describeLimitHatch(), "limit"
	case LimitName:
		return describeLimitLines(s.State.Problem), "limit"
	case "cursor":
		return s.cursor(), "posterior"
	case "step":
		return fmt.Sprintf(
			"The number beside each result is the step in which it was evaluated, 1 to %d. The first steps are the initial design.",
			len(s.State.Iterations)), "initial design"
	case s.Posterior.NextPoints.Name():
		return s.describeNext()
	}
	if text := s.region(name); text != "" {
		return text, "trust region"
	}
	return "", ""
}

// point is one result.
type point struct {
	it sessions.Iteration
	i  int
}

func (p point) x() []float64 { return p.it.Points[p.i].X }
func (p point) y() float64   { return p.it.Points[p.i].Y[0] }

// points are the results for which which is true; last says whether a result is of the last step.
func (s Description) points(which func(p point, last bool) bool) (list []point) {
	for k, it := range s.State.Iterations {
		for i := range it.Points {
			if p := (point{it, i}); which(p, k == len(s.State.Iterations)-1) {
				list = append(list, p)
			}
		}
	}
	return list
}

func (s Description) counts(p point) bool { return s.State.Feasible(p.it, p.i) }

func (s Description) gauge() transform.Transform { return s.State.Problem.Objectives[0].Transform() }

// name is the first objective's.
func (s Description) name() string { return s.State.Problem.Objectives[0].Name }

// Value is a value of the first objective in its unit.
func (s Description) Value(v float64) string {
	return strings.TrimSpace(widget.Number(v) + " " + sanitize.Text(s.State.Problem.Objectives[0].Unit))
}

// At is an input.
func (s Description) At(x []float64) string {
	return sanitize.Text(widget.Point(s.State.Problem.Domain, x))
}

// resultText is a result: "x = 0.3 gave f = 1.2".
func (s Description) resultText(p point) string {
	return fmt.Sprintf("%s gave %s = %s", s.At(p.x()), s.name(), s.Value(p.y()))
}

// span is the range of the values.
func (s Description) valueSpan(list []point) string {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range list {
		lo, hi = min(lo, p.y()), max(hi, p.y())
	}
	if lo == hi {
		return s.Value(lo)
	}
	return widget.Number(lo) + " to " + s.Value(hi)
}

// better says which values of the objective are the best.
func (s Description) better() string {
	if s.gauge().Sign < 0 {
		return "highest"
	}
	return "lowest"
}

// data describes the results that are neither the newest nor marked otherwise.
func (s Description) data() string {
	list := s.points(func(p point, last bool) bool { return s.counts(p) && !last })
	if len(list) == 0 {
		return ""
	}
	text := fmt.Sprintf("%s before the newest (%s %s). ", widget.Count(len(list), "result"), s.name(), s.valueSpan(list))
	if s.sliced() {
		return text + s.describeOffSlice(list)
	}
	if s.Posterior.Legend.Band == "" && s.Posterior.Legend.Used == "" {
		return text + "No model is fitted to them here."
	}
	if n := s.noise(); n != "" {
		return text + "The model is fitted to them. They have noise with a standard deviation of " + n +
			", so the curves need not pass through them."
	}
	return text + "The model is fitted to them: it is certain near them and uncertain away from them."
}

// describeOffSlice describes where results are whose other variables differ from the slice or the plane.
func (s Description) describeOffSlice(list []point) string {
	list = slices.DeleteFunc(slices.Clone(list), func(p point) bool { return s.sliceDistance(p.x()) < 1e-9 })
	if len(list) == 0 {
		return "They lie on this slice."
	}
	near := slices.MinFunc(list, func(a, b point) int { return cmp.Compare(s.sliceDistance(a.x()), s.sliceDistance(b.x())) })
	if s.line() {
		return fmt.Sprintf(
			"They are not on this slice: the nearest, of step %d, is %.2g away in the unit cube. So the curves here need not pass through them.",
			near.it.Step, s.sliceDistance(near.x()))
	}
	place := s.variable(0).Name + " and " + s.variable(1).Name
	if s.Posterior.View.Axes == Ternary {
		place = "shares of the three components"
	}
	return fmt.Sprintf("They are drawn at their %s. Their other variables differ from this plane: the nearest, of step %d, is %.2g away from it in the unit cube.",
		place, near.it.Step, s.sliceDistance(near.x()))
}

// noise is the standard deviation of the noise that was added or declared; empty where there is none.
func (s Description) noise() string {
	switch {
	case s.State.Config.Noise > 0:
		return widget.Number(s.State.Config.Noise)
	case s.State.Problem.Objectives[0].Noise > 0:
		return s.Value(s.State.Problem.Objectives[0].Noise)
	}
	return ""
}

// describeNewest describes the last step, compared with its prediction.
func (s Description) describeNewest() (sentence, term string) {
	list := s.points(func(p point, last bool) bool { return s.counts(p) && last })
	switch {
	case len(list) == 0:
		return "", ""
	case len(list) > 1:
		return fmt.Sprintf(
			"The newest step, %d, is a batch of %d points: %s %s. They were chosen together, before any of their results was known.",
			list[0].it.Step, len(list), s.name(), s.valueSpan(list)), "batch size"
	}
	return fmt.Sprintf("The newest result, of step %d: %s%s", list[0].it.Step, s.resultText(list[0]),
			s.surprise(list[0])),
		"observation"
}

// surprise compares a result with its prediction when it was chosen.
func (s Description) surprise(p point) string {
	if math.IsNaN(p.it.Points[p.i].Mean) {
		switch p.it.By {
		case sessions.ByPerson:
			return ". A person chose the point. The model here is already fitted to it."
		case sessions.ByImport:
			return ". It comes from a file. The model here is already fitted to it."
		}
		return ". There was no prediction for it when it was chosen."
	}
	g := s.gauge()
	mean := p.it.Points[p.i].Mean
	sd := p.it.Points[p.i].SD
	if !(sd > 0) {
		return fmt.Sprintf(". The prediction was %s.", widget.Number(mean))
	}
	z := math.Abs(g.ToScale(g.Clamp(p.y()))-g.ToScale(mean)) / sd
	text := fmt.Sprintf(". The prediction was %s%s (1 sd)", widget.Number(mean), g.FormatSD(mean, sd, widget.Number))
	switch {
	case z < 1:
		return text + ", so this is no surprise."
	case z < 2:
		return text + fmt.Sprintf("; the error is %.1f standard deviations. 1 in 3 errors is larger than 1.", z)
	case z < 3:
		return text + fmt.Sprintf("; the error is %.1f standard deviations. 1 in 20 errors is larger than 2.", z)
	}
	return text + fmt.Sprintf(
		"; the error is %.1f standard deviations. If the model is right, 1 in 370 errors is larger than 3.",
		z)
}

// best describes the best result, and how far it is from the optimum where that is known and shown.
func (s Description) best() string {
	x, y, step, ok := s.State.Best()
	if !ok {
		return ""
	}
	text := fmt.Sprintf(
		"The best result so far, of step %d: %s = %s at %s. Only a better result is an improvement.",
		step, s.name(), s.Value(y), s.At(x))
	if o := s.State.Problem.Optimum(); o != nil && s.Reveal && s.State.Config.Noise == 0 {
		g := s.gauge()
		text += fmt.Sprintf(" The %s value of the true function is %s, better by %s.", s.better(), s.Value(o.Value),
			g.FormatDifference(math.Abs(g.ToScale(y)-g.ToScale(o.Value)), widget.Number))
	}
	return text
}

// optimum describes where the true function is best.
func (s Description) optimum() string {
	o := s.State.Problem.Optimum()
	if o == nil || len(o.X) == 0 || !s.Reveal {
		return ""
	}
	text := fmt.Sprintf("The optimum of the true function: %s = %s at %s", s.name(), s.Value(o.Value), s.At(o.X[0]))
	if n := len(o.X); n > 1 {
		text += fmt.Sprintf(", one of %d such points", n)
	}
	return text + ". No method knows it; it is drawn because the truth is shown."
}

package front

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/transform"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/picture"
	"bandscope/tui/widget"
)

// Description describes a drawing of several objectives.
type Description struct {
	Drawing
	outliers  []diagnostics.Outlier
	dominated [][]bool
}

// Describe describes a drawing, with the outliers among the results.
func Describe(d Drawing, strange []diagnostics.Outlier) Description {
	return Description{Drawing: d, outliers: strange, dominated: d.Dominated()}
}

// Describe describes an entry of the legend of any of the plots, and returns the term of the glossary for it; empty for
// a name that none has.
func (t Description) Describe(name string) (sentence, term string) {
	switch name {
	case "nondominated":
		return t.describeNondominated(), "Pareto front"
	case "dominated":
		return t.describeDominated(), "dominated"
	case "newest":
		return t.describeNewest(), "observation"
	case "beyond a limit":
		return t.describeLimitViolations(), "limit"
	case beyondName, picture.LimitName:
		return t.describeLimits(), "limit"
	case "outlier":
		return picture.DescribeOutliers(t.State.Problem, t.outliers), "outlier"
	case "±2 SE":
		return t.errors(), "standard error"
	case "attainable":
		return t.attainable(), "Pareto front"
	case ReferenceName:
		return t.reference(), "reference point"
	case "sampled fronts":
		return t.describeFrontSamples(), "sample"
	case "front", "front, computed", "front of the means":
		return t.front(), "Pareto front"
	case "asked about":
		return t.describeQuestion(), "question"
	case "model's front":
		return t.inputs(), "Pareto front"
	case t.Outcomes.NextPoints.Name():
		return t.describeNext()
	}
	if strings.HasPrefix(name, beyondAxesName) {
		return "Results beyond the edges of the plot, whose axes show the front: each arrow points at one.", "observation"
	}
	if says := t.describeEra(name); says != "" {
		return says, "prior over weights"
	}
	sentence, term = t.describePreference(name)
	if sentence == "" {
		sentence, term = t.describeBelief(name)
	}
	return sentence, term
}

func (t Description) gauge(k int) transform.Transform     { return t.objective(k).Transform() }
func (t Description) objective(k int) functions.Objective { return t.State.Problem.Objectives[k] }

// value is a value of an objective in its unit.
func (t Description) value(k int, v float64) string {
	if hi := t.Outcomes.Hi; hi != nil && !t.gauge(k).IsLog() && math.Abs(v) < 1e-12*(hi[k]-t.Outcomes.Lo[k]) {
		v = 0 // but for rounding
	}
	return strings.TrimSpace(widget.Number(v) + " " + sanitize.Text(t.objective(k).Unit))
}

// named is a value of an objective with its name.
func (t Description) named(k int, v float64) string {
	return sanitize.Text(t.objective(k).Name) + " = " + t.value(k, v)
}

// maxObjectives is up to how many objectives an outcome is written with all of them; with more, it is written with
// those along the axes.
const maxObjectives = 3

// describedObjectives are the objectives that outcomes are written with.
func (t Description) describedObjectives() []int {
	if n := len(t.State.Problem.Objectives); n <= maxObjectives {
		all := make([]int, n)
		for k := range all {
			all[k] = k
		}
		return all
	}
	return []int{t.I, t.J}
}

// outcome is an outcome in words: "f1 = 0.3, f2 = 1.2".
func (t Description) outcome(y []float64) string {
	var parts []string
	for _, k := range t.describedObjectives() {
		parts = append(parts, t.named(k, y[k]))
	}
	return strings.Join(parts, ", ")
}

// span is the range of the values of an objective.
func (t Description) span(k int, list [][]float64) string {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, y := range list {
		lo, hi = min(lo, y[k]), max(hi, y[k])
	}
	if from, end := t.value(k, lo), t.value(k, hi); end != from {
		return fmt.Sprintf("%s %s to %s", sanitize.Text(t.objective(k).Name), from, end)
	}
	return t.named(k, lo)
}

// spans are those of the objectives along the axes.
func (t Description) spans(list [][]float64) string {
	return t.span(t.I, list) + ", " + t.span(t.J, list)
}

// at is an input.
func (t Description) at(x []float64) string {
	return sanitize.Text(widget.Point(t.State.Problem.Domain, x))
}

// result is one evaluation.
type result struct {
	it        sessions.Iteration
	i         int
	last      bool
	dominated bool
}

func (r result) y() []float64 { return r.it.Points[r.i].Y }

// results are the successful evaluations for which which is true.
func (t Description) results(which func(result) bool) (list []result) {
	for n, it := range t.State.Iterations {
		for i, pt := range it.Points {
			if r := (result{it, i, n == len(t.State.Iterations)-1, t.dominated[n][i]}); !pt.Failed && which(r) {
				list = append(list, r)
			}
		}
	}
	return list
}

func (t Description) counts(r result) bool { return t.State.Feasible(r.it, r.i) }

func outcomes(list []result) (all [][]float64) {
	for _, r := range list {
		all = append(all, r.y())
	}
	return all
}

// volume is the hypervolume, and by how much the last step made it grow; NaN where that is not known.
func (t Description) volume() (now, growth float64) {
	trace := t.Outcomes.Traces.Hypervolume
	now, growth = math.NaN(), math.NaN()
	if n := len(trace); n > 0 {
		now = trace[n-1]
		if n > 1 {
			growth = now - trace[n-2]
		}
	}
	return now, growth
}

// describeNondominated describes the nondominated results before the newest.
func (t Description) describeNondominated() string {
	list := t.results(func(r result) bool { return t.counts(r) && !r.dominated && !r.last })
	if len(list) == 0 {
		return ""
	}
	text := fmt.Sprintf(
		"%s before the newest that no other result dominates: %s. Together they are the Pareto front so far, the best compromises.",
		widget.Count(len(list), "result"), t.spans(outcomes(list)))
	if v, _ := t.volume(); !math.IsNaN(v) {
		text += fmt.Sprintf(" With the newest their hypervolume is %s.", widget.Number(v))
	}
	return text
}

// describeDominated describes the dominated results.
func (t Description) describeDominated() string {
	list := t.results(func(r result) bool { return t.counts(r) && r.dominated && !r.last })
	if len(list) == 0 {
		return ""
	}
	last := list[len(list)-1]
	text := fmt.Sprintf("%s, the last of step %d (%s)", widget.Count(len(list), "dominated result"), last.it.Step,
		t.outcome(last.y()))
	for _, r := range t.results(func(r result) bool { return t.counts(r) && !r.dominated }) {
		if t.dominates(r.y(), last.y()) {
			text += fmt.Sprintf(", which step %d dominates (%s)", r.it.Step, t.outcome(r.y()))
			break
		}
	}
	return text + ". For each there is a better compromise, but the model learns from all of them."
}

// dominates reports whether an outcome is as good as another in everything, and better in something.
func (t Description) dominates(a, b []float64) bool {
	better := false
	for k := range t.State.Problem.Objectives {
		g := t.gauge(k)
		if g.Apply(a[k]) > g.Apply(b[k]) {
			return false
		}
		better = better || g.Apply(a[k]) < g.Apply(b[k])
	}
	return better
}

// describeNewest describes the last step, and how it changed the front.
func (t Description) describeNewest() string {
	list := t.results(func(r result) bool { return t.counts(r) && r.last })
	if len(list) == 0 {
		return ""
	}
	r := list[0]
	text := fmt.Sprintf("The newest result, of step %d at %s: %s", r.it.Step, t.at(r.it.Points[r.i].X),
		t.outcome(r.y()))
	if len(list) > 1 {
		text = fmt.Sprintf("The newest step, %d, is a batch of %d points: %s", r.it.Step, len(list),
			t.spans(outcomes(list)))
	}
	good := 0
	for _, r := range list {
		if !r.dominated {
			good++
		}
	}
	switch {
	case good == 0 && len(list) > 1:
		text += ". All of them are dominated"
	case good == 0:
		text += ". Another result dominates it"
	case len(list) > 1:
		text += fmt.Sprintf(". %d of them %s not dominated", good, map[bool]string{true: "is", false: "are"}[good == 1])
	default:
		text += ". No other result dominates it"
	}
	switch v, growth := t.volume(); {
	case math.IsNaN(growth):
	case growth > 0:
		text += fmt.Sprintf(". The hypervolume grew by %s to %s", widget.Number(growth), widget.Number(v))
	case good > 0:
		text += ". The hypervolume did not grow, because an objective is worse than at the reference point"
	default:
		text += ". The hypervolume did not grow"
	}
	return text + "."
}

// describeLimitViolations describes the results that violate a limit.
func (t Description) describeLimitViolations() string {
	list := t.results(func(r result) bool { return !t.counts(r) })
	if len(list) == 0 {
		return ""
	}
	var limits []string
	for _, o := range t.State.Problem.Outputs() {
		if o.HasLimits() && len(limits) < 3 {
			limits = append(limits, sanitize.Text(o.Name+" "+o.LimitText()))
		}
	}
	last := list[len(list)-1]
	return fmt.Sprintf("%s beyond a limit (%s), the last of step %d with %s. They do not count for the front.",
		widget.Count(len(list), "result"), strings.Join(limits, ", "), last.it.Step, t.outcome(last.y()))
}

// errors describes the bars of standard errors.
func (t Description) errors() string {
	count, most := 0, [2]float64{}
	for _, it := range t.State.Iterations {
		for _, pt := range it.Points {
			if pt.SE == nil || pt.Failed {
				continue
			}
			count++
			for n, k := range [2]int{t.I, t.J} {
				if se := pt.SE[k]; !math.IsNaN(se) {
					most[n] = max(most[n], se)
				}
			}
		}
	}
	return fmt.Sprintf(
		"Error bars of ±2 standard errors. %s %s a standard error, up to %s for %s and %s for %s. Results whose bars overlap may be in the opposite order.",
		widget.Count(count, "result"),
		map[bool]string{true: "has", false: "have"}[count == 1], t.value(t.I, most[0]), t.objective(t.I).Name,
		t.value(t.J, most[1]), t.objective(t.J).Name)
}

// describeNext describes the next points, or the pending ones, with their predicted outcomes.
func (t Description) describeNext() (sentence, term string) {
	o := t.Outcomes
	if len(o.NextPoints.Next) == 0 {
		return "", ""
	}
	n, text := len(o.NextPoints.Next), ""
	if len(o.Expected) > 0 && len(t.State.Iterations) > 0 {
		var parts []string
		for _, k := range t.describedObjectives() {
			parts = append(parts, sanitize.Text(t.objective(k).Name)+" = "+widget.Number(o.Expected[0][k])+
				t.gauge(k).FormatSD(o.Expected[0][k], o.ExpectedSD[0][k], widget.Number))
		}
		text = fmt.Sprintf(" The model predicts %s there.", strings.Join(parts, ", "))
	}
	where := t.at(o.NextPoints.Next[0])
	if n > 1 {
		where = fmt.Sprintf("%d points, the first at %s", n, where)
	}
	switch {
	case o.NextPoints.Pending:
		return fmt.Sprintf("%s, %s. %s not known yet.%s", map[bool]string{true: "The pending point",
			false: "The pending points"}[n == 1], where, map[bool]string{true: "Its result is",
			false: "Their results are"}[n == 1], text), "pending point"
	case o.NextPoints.ByStart:
		return fmt.Sprintf(
			"The next evaluation: %s. It belongs to the initial design, which spreads the first points over the domain.%s",
			where, text), "initial design"
	case o.Weights != nil:
		return fmt.Sprintf(
			"The next evaluation: %s. The model expects it to be the best for the weights of this step, %s.%s",
			where, t.weights(o.Weights), text), "random scalarization"
	}
	if o.Legend.Acquisition != "" {
		text += " w explains the choice."
	}
	return fmt.Sprintf("The next evaluation, which %s suggests: %s.%s", t.State.Spec.Title, where, text), "acquisition"
}

// attainable describes the shaded region of attainable outcomes.
func (t Description) attainable() string {
	if t.Attainable == nil || len(t.Attainable.Outcomes) == 0 {
		return ""
	}
	all := t.Attainable.Outcomes
	return fmt.Sprintf(
		"The shaded region: true outcomes of %d inputs from the whole domain (%s). No input gives outcomes outside of it. No method sees it.",
		len(all), t.spans(all))
}

// reference describes the reference point of the hypervolume.
func (t Description) reference() string {
	referencePoint := t.ReferencePoint()
	if referencePoint == nil {
		return ""
	}
	text := fmt.Sprintf(
		"The reference point, %s. The hypervolume is measured from it to the front so far; a result that is worse in one objective adds nothing.",
		t.outcome(referencePoint))
	if v, _ := t.volume(); !math.IsNaN(v) {
		text += fmt.Sprintf(" The hypervolume is %s now.", widget.Number(v))
	}
	if c := t.Chart(); referencePoint[t.I] < c.X.Min || referencePoint[t.I] > c.X.Max || referencePoint[t.J] < c.Y.Min || referencePoint[t.J] > c.Y.Max {
		text += " The point is outside of the plot."
	}
	return text
}

// describeFrontSamples describes the Pareto fronts of functions drawn from the model.
func (t Description) describeFrontSamples() string {
	all := t.Outcomes.FrontSamples
	if len(all) == 0 {
		return ""
	}
	text := fmt.Sprintf(
		"%s of functions drawn from the model. Where they differ, the model is uncertain about the front.",
		widget.Count(len(all), "Pareto front"))
	if len(t.State.Problem.Objectives) > 2 {
		return text + " In this projection they are clouds of points."
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, front := range all {
		for _, y := range front {
			lo, hi = min(lo, y[t.I]), max(hi, y[t.I])
		}
	}
	a := NewAttainment(all, t.State.Problem.Objectives, t.I, t.J, lo, hi)
	for _, i := range []int{len(a.X) / 2, len(a.X) / 3, 2 * len(a.X) / 3} {
		// the middle, where there are values
		if q, m := a.Quarter[i], a.ThreeQuarters[i]; !math.IsNaN(q) && !math.IsNaN(m) {
			return text + fmt.Sprintf(" At %s, a quarter of them attain %s, and three quarters attain %s.",
				t.named(t.I, a.X[i]), t.named(t.J, q), t.value(t.J, m))
		}
	}
	return text
}

// front describes the front that is drawn.
func (t Description) front() string {
	o := t.Outcomes
	if len(o.Front) == 0 {
		return ""
	}
	ends := fmt.Sprintf("from %s to %s", t.outcome(t.best(o.Front, t.I)), t.outcome(t.best(o.Front, t.J)))
	if len(t.State.Problem.Objectives) > 2 {
		ends += ", a surface seen from one side"
	}
	switch {
	case o.Computed:
		return fmt.Sprintf(
			"The true Pareto front, %s. It was computed by a search, as it has no closed form. No method sees it.",
			ends)
	case o.Known:
		return fmt.Sprintf("The true Pareto front, the best possible compromises, %s. No method sees it.", ends)
	}
	return fmt.Sprintf("The Pareto front of the model's means, %s. It is the best estimate of the true front.", ends)
}

// best is the outcome of a list that is best in an objective.
func (t Description) best(list [][]float64, k int) []float64 {
	g := t.gauge(k)
	return slices.MinFunc(list, func(a, b []float64) int { return cmp.Compare(g.Apply(a[k]), g.Apply(b[k])) })
}

// describeQuestion describes the two outcomes of a question.
func (t Description) describeQuestion() string {
	if len(t.Question) < 2 {
		return ""
	}
	text := fmt.Sprintf("The two outcomes of the question. A: %s. B: %s.", t.outcome(t.Question[0]),
		t.outcome(t.Question[1]))
	if !t.dominates(t.Question[0], t.Question[1]) && !t.dominates(t.Question[1], t.Question[0]) {
		text += " Neither dominates the other, so only you can say which is better."
	}
	return text
}

// DescribeAxis describes the axis of an objective, along x or, up, along y.
func (t Description) DescribeAxis(k int, lo, hi float64, up bool) string {
	end := map[[2]bool]string{{false, false}: "on the left", {false, true}: "on the right", {true, false}: "at the bottom",
		{true, true}: "at the top"}[[2]bool{up, t.gauge(k).Sign < 0}]
	text := fmt.Sprintf("Values of %s, %s to %s. %s is better, so good results are %s.",
		sanitize.Text(t.objective(k).Name), widget.Number(lo), t.value(k, hi),
		map[bool]string{true: "Higher", false: "Lower"}[t.gauge(k).Sign < 0], end)
	if t.gauge(k).IsLog() {
		text += " The axis is logarithmic."
	}
	return text
}

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
	"bandscope/tui/widget"
)

// Description is what a drawing of several objectives shows.
type Description struct {
	Drawing
	outliers  []diagnostics.Outlier
	dominated [][]bool
}

// Describe is what is seen of a drawing, with the results that the model does not understand.
func Describe(d Drawing, strange []diagnostics.Outlier) Description {
	return Description{Drawing: d, outliers: strange, dominated: d.Dominated()}
}

// Describe tells what stands under a name in the legend of any of its plots, and the term of the glossary for it; empty
// for a name that none has.
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
	case "not understood":
		return t.describeOutliers(), "stranger"
	case "±2 SE":
		return t.errors(), "standard error"
	case "attainable":
		return t.attainable(), "Pareto front"
	case ReferenceName:
		return t.reference(), "reference point"
	case "drawn fronts":
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
	if sentence, term = t.describePreference(name); sentence == "" {
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

// Most objectives that an outcome is told in: of more, those along the axes are.
const maxObjectives = 3

// describedObjectives are the objectives that outcomes are told in.
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

// span is from where to where values of an objective go.
func (t Description) span(k int, list [][]float64) string {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, y := range list {
		lo, hi = min(lo, y[k]), max(hi, y[k])
	}
	if from, to := t.value(k, lo), t.value(k, hi); to != from {
		return fmt.Sprintf("%s %s to %s", sanitize.Text(t.objective(k).Name), from, to)
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

// results are the evaluations with a value of everything of which something is true.
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
func (t Description) volume() (now, by float64) {
	trace := t.Outcomes.Traces.Hypervolume
	now, by = math.NaN(), math.NaN()
	if n := len(trace); n > 0 {
		now = trace[n-1]
		if n > 1 {
			by = now - trace[n-2]
		}
	}
	return now, by
}

// describeNondominated tells the results that nothing beats, but for the newest.
func (t Description) describeNondominated() string {
	list := t.results(func(r result) bool { return t.counts(r) && !r.dominated && !r.last })
	if len(list) == 0 {
		return ""
	}
	text := fmt.Sprintf("%s before the newest that no other beats in everything: %s. Together they are the front so "+
		"far, from which a person would choose.", widget.Count(len(list), "result"), t.spans(outcomes(list)))
	if v, _ := t.volume(); !math.IsNaN(v) {
		text += fmt.Sprintf(" With the newest their hypervolume is %s.", widget.Number(v))
	}
	return text
}

// describeDominated tells the results that another beats.
func (t Description) describeDominated() string {
	list := t.results(func(r result) bool { return t.counts(r) && r.dominated && !r.last })
	if len(list) == 0 {
		return ""
	}
	last := list[len(list)-1]
	text := fmt.Sprintf("%s that another beats in everything, the last of step %d (%s)",
		widget.Count(len(list), "result"), last.it.Step, t.outcome(last.y()))
	for _, r := range t.results(func(r result) bool { return t.counts(r) && !r.dominated }) {
		if t.dominates(r.y(), last.y()) {
			text += fmt.Sprintf(", beaten by step %d (%s)", r.it.Step, t.outcome(r.y()))
			break
		}
	}
	return text + ". Nobody would choose one of them, yet the model learns from all."
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

// describeNewest tells the last step, and what it did to the front.
func (t Description) describeNewest() string {
	list := t.results(func(r result) bool { return t.counts(r) && r.last })
	if len(list) == 0 {
		return ""
	}
	r := list[0]
	text := fmt.Sprintf("The newest result, of step %d at %s: %s", r.it.Step, t.at(r.it.Points[r.i].X),
		t.outcome(r.y()))
	if len(list) > 1 {
		text = fmt.Sprintf("The newest step, %d, a batch of %d points: %s", r.it.Step, len(list),
			t.spans(outcomes(list)))
	}
	good := 0
	for _, r := range list {
		if !r.dominated {
			good++
		}
	}
	switch {
	case good == 0:
		text += ". Another result beats it in everything"
	case len(list) > 1:
		text += fmt.Sprintf(". %d of them nothing beats", good)
	default:
		text += ". No other result beats it in everything"
	}
	switch v, by := t.volume(); {
	case math.IsNaN(by):
	case by > 0:
		text += fmt.Sprintf(", and the hypervolume grew by %s to %s", widget.Number(by), widget.Number(v))
	case good > 0:
		text += ", yet the hypervolume stayed as it was: it is worse than the reference point in something"
	default:
		text += ", and the hypervolume stayed as it was"
	}
	return text + "."
}

// describeLimitViolations tells the results that keep no limit.
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
	return fmt.Sprintf("%s beyond a limit (%s), the last of step %d with %s: however good, it counts for no front.",
		widget.Count(len(list), "result"), strings.Join(limits, ", "), last.it.Step, t.outcome(last.y()))
}

// describeOutliers tells the results that the model does not understand.
func (t Description) describeOutliers() string {
	if len(t.outliers) == 0 {
		return ""
	}
	r := t.outliers[0]
	side := map[bool]string{true: "above", false: "below"}[r.Z > 0]
	return fmt.Sprintf("%s that the model does not understand: no. %s, whose %s is %.1f standard deviations %s what "+
		"the others predict there. Look at it again: it is a mistake, a rare event, or the model is wrong.",
		widget.Count(len(t.outliers), "result"), r.Label, t.named(r.Objective, r.Y[r.Objective]), math.Abs(r.Z), side)
}

// errors tells the bars of standard errors.
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
	return fmt.Sprintf("Bars of two standard errors on either side of a result, of which %d have one: up to %s of "+
		"%s, %s of %s. What overlaps may as well be the other way round.", count,
		t.value(t.I, most[0]), t.objective(t.I).Name, t.value(t.J, most[1]), t.objective(t.J).Name)
}

// describeNext tells the points that come next, or that are out, where their outcomes are drawn, or where they lie.
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
		text = fmt.Sprintf(" Expected there is %s.", strings.Join(parts, ", "))
	}
	where := t.at(o.NextPoints.Next[0])
	if n > 1 {
		where = fmt.Sprintf("%d points, the first at %s", n, where)
	}
	switch {
	case o.NextPoints.Pending:
		return fmt.Sprintf("What is out, %s: its result is awaited.%s", where, text), "point that is out"
	case o.NextPoints.ByStart:
		return fmt.Sprintf("What comes next, %s, still of the initial design, which spreads the first points over "+
			"the domain.%s", where, text), "initial design"
	case o.Weights != nil:
		return fmt.Sprintf("What comes next, %s: best, to what the method believes, under the weights of this step, "+
			"%s.%s", where, t.weights(o.Weights), text), "random scalarization"
	}
	if o.Legend.Acquisition != "" {
		text += " W explains the choice."
	}
	return fmt.Sprintf("What comes next, %s, as %s has chosen it.%s", where, t.State.Spec.Title, text), "acquisition"
}

// attainable tells the shade of all outcomes.
func (t Description) attainable() string {
	if t.Attainable == nil || len(t.Attainable.Outcomes) == 0 {
		return ""
	}
	all := t.Attainable.Outcomes
	return fmt.Sprintf("The shade: outcomes of %d inputs from all over the domain (%s). Beyond its edge on the good "+
		"side nothing can be had; no method sees it.", len(all), t.spans(all))
}

// reference tells the point from which the hypervolume counts.
func (t Description) reference() string {
	at := t.ReferencePoint()
	if at == nil {
		return ""
	}
	text := fmt.Sprintf("The reference point, %s: from it the hypervolume counts to the front so far, and a result "+
		"that is worse than it in one objective adds nothing.", t.outcome(at))
	if v, _ := t.volume(); !math.IsNaN(v) {
		text += fmt.Sprintf(" That is %s now.", widget.Number(v))
	}
	if c := t.Chart(); at[t.I] < c.X.Min || at[t.I] > c.X.Max || at[t.J] < c.Y.Min || at[t.J] > c.Y.Max {
		text += " The point lies beyond the edge of what is drawn."
	}
	return text
}

// describeFrontSamples tells the fronts of functions that the model holds to be possible.
func (t Description) describeFrontSamples() string {
	all := t.Outcomes.FrontSamples
	if len(all) == 0 {
		return ""
	}
	text := fmt.Sprintf("%s, each of functions drawn from the model, one of every objective: as far as they lie "+
		"apart the model does not know the front.", widget.Count(len(all), "front"))
	if len(t.State.Problem.Objectives) > 2 {
		return text + " Seen from one side they are clouds."
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, front := range all {
		for _, y := range front {
			lo, hi = min(lo, y[t.I]), max(hi, y[t.I])
		}
	}
	a := NewAttainment(all, t.State.Problem.Objectives, t.I, t.J, lo, hi)
	for _, i := range []int{len(a.X) / 2, len(a.X) / 3, 2 * len(a.X) / 3} {
		// the middle, where they say something of it
		if q, m := a.Quarter[i], a.ThreeQuarters[i]; !math.IsNaN(q) && !math.IsNaN(m) {
			return text + fmt.Sprintf(" With %s a quarter of them attain %s, three quarters only %s.",
				t.named(t.I, a.X[i]), t.named(t.J, q), t.value(t.J, m))
		}
	}
	return text
}

// front tells the front that is drawn.
func (t Description) front() string {
	o := t.Outcomes
	if len(o.Front) == 0 {
		return ""
	}
	ends := fmt.Sprintf("from %s to %s", t.outcome(t.best(o.Front, t.I)), t.outcome(t.best(o.Front, t.J)))
	switch {
	case o.Computed:
		return fmt.Sprintf("The front of the problem, which was searched for as it has no closed form, %s. It is "+
			"shown with the truth; no method sees it.", ends)
	case o.Known:
		return fmt.Sprintf("The front of the problem, all that is worth having, %s. It is shown with the truth; no "+
			"method sees it.", ends)
	}
	return fmt.Sprintf("The front that the model expects, of its means alone, %s: the best guess of what can be had.",
		ends)
}

// best is the outcome of a list that is best in an objective.
func (t Description) best(list [][]float64, k int) []float64 {
	g := t.gauge(k)
	return slices.MinFunc(list, func(a, b []float64) int { return cmp.Compare(g.Apply(a[k]), g.Apply(b[k])) })
}

// describeQuestion tells the two outcomes of a question.
func (t Description) describeQuestion() string {
	if len(t.Question) < 2 {
		return ""
	}
	text := fmt.Sprintf("The two outcomes that you are asked about: A is %s, B is %s.", t.outcome(t.Question[0]),
		t.outcome(t.Question[1]))
	if !t.dominates(t.Question[0], t.Question[1]) && !t.dominates(t.Question[1], t.Question[0]) {
		text += " Neither beats the other in everything, so which is better only you can say."
	}
	return text
}

// DescribeAxis tells the axis of an objective, along x or, up, along y.
func (t Description) DescribeAxis(k int, lo, hi float64, up bool) string {
	end := map[[2]bool]string{{false, false}: "at the left", {false, true}: "at the right", {true, false}: "low",
		{true, true}: "high"}[[2]bool{up, t.gauge(k).Sign < 0}]
	text := fmt.Sprintf("Values of %s, %s to %s: %s is better, so good results are %s.",
		sanitize.Text(t.objective(k).Name), widget.Number(lo), t.value(k, hi),
		map[bool]string{true: "more", false: "less"}[t.gauge(k).Sign < 0], end)
	if t.gauge(k).IsLog() {
		text += " Equal factors are equally far apart."
	}
	return text
}

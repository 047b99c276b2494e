package picture

import (
	"fmt"
	"math"
	"strings"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// Descriptions of failures, corrections and outliers, and of points without results.

// describeFailures describes the evaluations without a value.
func (s Description) describeFailures() string {
	list := s.points(func(p point, _ bool) bool { return p.it.Points[p.i].Failed })
	if len(list) == 0 {
		return ""
	}
	last := list[len(list)-1]
	why := ""
	if last.it.Points[last.i].Reason != "" {
		why = fmt.Sprintf(" (“%s”)", brief(last.it.Points[last.i].Reason))
	}
	return fmt.Sprintf("%s without a value, the last at %s in step %d%s. The model does not fit them; later suggestions avoid the points that failed.",
		widget.Count(len(list), "evaluation"), s.At(last.x()), last.it.Step, why)
}

// describeLimitViolations describes the results that violate a limit.
func (s Description) describeLimitViolations() string {
	list := s.points(func(p point, _ bool) bool { return !p.it.Points[p.i].Failed && !s.counts(p) })
	if len(list) == 0 {
		return ""
	}
	var limits []string
	for _, o := range s.State.Problem.Outputs() {
		if o.HasLimits() {
			limits = append(limits, sanitize.Text(o.Name+" "+o.LimitText()))
		}
	}
	last := list[len(list)-1]
	return fmt.Sprintf("%s beyond a limit (%s), the last at %s in step %d. The model learns the limits from them, but none of them can be the best result.",
		widget.Count(len(list), "result"), strings.Join(limits, ", "), s.At(last.x()), last.it.Step)
}

// describeCorrections describes values before their correction.
func (s Description) describeCorrections() string {
	count, text := 0, ""
	for _, it := range s.State.Iterations {
		for _, c := range it.Corrections {
			count++
			now := "withdrawn"
			if c.New != nil {
				now = s.Value(c.New[0])
			}
			text = fmt.Sprintf("the result of step %d was %s and is now %s", it.Step, s.Value(c.Old[0]), now)
			if c.Reason != "" {
				text += fmt.Sprintf(" (“%s”)", brief(c.Reason))
			}
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%s, marked at the old value: %s. The model uses the new value; the session keeps both.",
		widget.Count(count, "correction"), text)
}

// describeRejections describes suggestions that were discarded.
func (s Description) describeRejections() string {
	n := len(s.State.Rejections)
	if n == 0 {
		return ""
	}
	last := s.State.Rejections[n-1]
	text := fmt.Sprintf("%s that a person discarded, the last (no. %d) at %s", widget.Count(n, "suggestion"),
		last.Number, s.At(last.X[0]))
	if last.Reason != "" {
		text += fmt.Sprintf(" (“%s”)", brief(last.Reason))
	}
	return text + ". No evaluation was made there."
}

// DescribeOutliers describes results that are outliers to the model; empty for none.
func DescribeOutliers(p *functions.Problem, all []diagnostics.Outlier) string {
	if len(all) == 0 {
		return ""
	}
	r, side := all[0], "above"
	if r.Z < 0 {
		side = "below"
	}
	o := p.Objectives[r.Objective]
	return sanitize.Text(fmt.Sprintf("%s: result %s, %s = %s, is %.1f standard deviations %s the model's prediction from the other results. Check it: it is a mistake, a rare event, or the model is wrong.",
		widget.Count(len(all), "outlier"), r.Label, o.Name, strings.TrimSpace(widget.Number(r.Y[r.Objective])+" "+o.Unit),
		math.Abs(r.Z), side))
}

// errors describes the bars of standard errors.
func (s Description) errors() string {
	count := 0
	lo := math.Inf(1)
	hi := 0.0
	for _, it := range s.State.Iterations {
		for _, pt := range it.Points {
			if pt.SE != nil && !pt.Failed && !math.IsNaN(pt.SE[0]) {
				count = count + 1
				lo = min(lo, pt.SE[0])
				hi = max(hi, pt.SE[0])
			}
		}
	}
	if count == 0 {
		return ""
	}
	span := s.Value(hi)
	if lo < hi {
		span = widget.Number(lo) + " to " + span
	}
	return fmt.Sprintf(
		"Error bars of ±2 standard errors. %s %s a standard error, %s. The model follows results with large errors less closely.",
		widget.Count(count, "result"), verb(count, "has", "have"), span)
}

// verb is the verb for a number of things.
func verb(n int, singular, plural string) string {
	if n == 1 {
		return singular
	}
	return plural
}

// replicates describes the points that were evaluated more than once.
func (s Description) describeReplicates() string {
	list := report.ReplicatesFor(s.State)
	if len(list) == 0 {
		return ""
	}
	r := list[len(list)-1]
	text := fmt.Sprintf("%s evaluated more than once. At %s the mean of %d results is %s",
		widget.Count(len(list), "point"), s.At(r.X), r.Count, s.Value(r.Mean[0]))
	if len(r.SE) > 0 && !math.IsNaN(r.SE[0]) {
		text += s.gauge().FormatSD(r.Mean[0], r.SE[0], widget.Number)
	}
	return text + ". Their spread shows how strong the noise is."
}

// bounds describes the bounds of the search.
func (s Description) describeBounds() string {
	var texts []string
	for j, v := range s.State.Bounds {
		if whole := s.State.Problem.Domain[j]; v.Low != whole.Low || v.High != whole.High {
			texts = append(texts, sanitize.Text(fmt.Sprintf("%s from %s to %s (of %s to %s)", whole.Name,
				whole.Text(v.Low), whole.Text(v.High), whole.Text(whole.Low), whole.Text(whole.High))))
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return "Bounds that a person set for the next points: " + few(texts) +
		". The model still uses the results outside of them."
}

// describeInfeasible describes the region that known constraints rule out.
func (s Description) describeInfeasible() string {
	var texts []string
	for _, c := range s.State.Problem.Constraints {
		if c.Text != "" {
			texts = append(texts, brief(c.Text))
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return "The region that violates a known constraint: " + few(texts) + ". No method suggests points there."
}

// cursor describes where the cursor is.
func (s Description) cursor() string {
	if s.Cursor == nil {
		return ""
	}
	text := "The cursor, at " + s.At(s.Cursor)
	if b := s.bandText(s.Cursor); b != "" {
		text += fmt.Sprintf(". The model predicts %s = %s there", s.name(), b)
	}
	return text + ". The arrow keys move it; enter takes the point."
}

// describeNext describes the next points, or the pending ones.
func (s Description) describeNext() (sentence, term string) {
	if len(s.Posterior.Next) == 0 {
		return "", ""
	}
	place, n := s.At(s.Posterior.Next[0]), len(s.Posterior.Next)
	if n > 1 {
		place = fmt.Sprintf("%d of them, the first at %s", n, place)
	}
	text := ""
	if b := s.bandText(s.Posterior.Next[0]); b != "" {
		text = fmt.Sprintf(" The model predicts %s = %s there.", s.name(), b)
	}
	switch {
	case s.Posterior.Pending && n > 1:
		return fmt.Sprintf(
			"Pending points: %s. Their results are not known yet; the method takes them into account when it chooses the next point.%s",
			place, text), "pending point"
	case s.Posterior.Pending:
		return fmt.Sprintf("The pending point, %s. Its result is not known yet.%s", place, text), "pending point"
	case s.Posterior.ByStart:
		return fmt.Sprintf(
			"The next point, %s. It belongs to the initial design, which spreads the first points over the domain before the model chooses.%s",
			place, text), "initial design"
	case n > 1:
		return fmt.Sprintf("The next points, %s. They are a batch and are evaluated together.%s", place, text), "batch size"
	}
	why := "The method has no acquisition function that could be drawn."
	if a, better := AcquisitionWords(s.Posterior.Legend); a != "" {
		why = fmt.Sprintf("The acquisition function (%s) is %s there.%s w explains the choice.", a, better, text)
	}
	return fmt.Sprintf("The next point, %s. %s", place, why), "acquisition"
}

// AcquisitionWords are the name of a belief's acquisition and which end of it is best; empty where it has none.
func AcquisitionWords(l optimizers.Legend) (name, better string) {
	better = "highest"
	if l.LowerIsBetter {
		better = "lowest"
	}
	return strings.NewReplacer(", higher is better", "", ", lower is better", "").Replace(l.Acquisition), better
}

// maxBrief is how many words of a text that a person wrote are shown.
const maxBrief = 10

// brief is the beginning of a text that a person wrote, on one line.
func brief(text string) string { return layout.Excerpt(text, maxBrief) }

// few are the first two of a list, and how many more there are.
func few(list []string) string {
	if len(list) <= 2 {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s, and %d more", strings.Join(list[:2], ", "), len(list)-2)
}

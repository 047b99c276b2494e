package picture

import (
	"fmt"
	"math"
	"strings"

	"bandscope/optimizers"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// What is told of results that are set apart, and of points without results.

// describeFailures tells the evaluations without a value.
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
	return fmt.Sprintf("%s without a value, marked where they were tried: the last at %s in step %d%s. They count as "+
		"no result, but a point that failed is not proposed again lightly.",
		widget.Count(len(list), "evaluation"), s.At(last.x()), last.it.Step, why)
}

// describeLimitViolations tells the results that keep no limit.
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
	return fmt.Sprintf("%s beyond a limit (%s), the last at %s in step %d. Such a result teaches the model where "+
		"limits are exceeded, but cannot be the best.",
		widget.Count(len(list), "result"), strings.Join(limits, ", "), s.At(last.x()), last.it.Step)
}

// describeCorrections tells values before their correction.
func (s Description) describeCorrections() string {
	count, text := 0, ""
	for _, it := range s.State.Iterations {
		for _, c := range it.Corrections {
			count++
			now := "withdrawn"
			if c.New != nil {
				now = s.Value(c.New[0])
			}
			text = fmt.Sprintf("that of step %d was %s and is now %s", it.Step, s.Value(c.Old[0]), now)
			if c.Reason != "" {
				text += fmt.Sprintf(" (“%s”)", brief(c.Reason))
			}
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%s where a value stood before it was corrected: %s. The model sees only what holds now; the "+
		"record keeps both.", widget.Count(count, "place"), text)
}

// describeRejections tells suggestions that nobody evaluated.
func (s Description) describeRejections() string {
	n := len(s.State.Rejections)
	if n == 0 {
		return ""
	}
	last := s.State.Rejections[n-1]
	text := fmt.Sprintf("%s that a person rejected: the last, no. %d, at %s", widget.Count(n, "suggestion"),
		last.Number, s.At(last.X[0]))
	if last.Reason != "" {
		text += fmt.Sprintf(" (“%s”)", brief(last.Reason))
	}
	return text + ". Nothing was evaluated there."
}

// describeOutliers tells the results that the model does not understand.
func (s Description) describeOutliers() string {
	var all []diagnostics.Outlier
	for _, r := range s.Outliers {
		if r.Objective == 0 {
			all = append(all, r)
		}
	}
	if len(all) == 0 {
		return ""
	}
	side := "above"
	if all[0].Z < 0 {
		side = "below"
	}
	return fmt.Sprintf("%s the model does not understand: no. %s, %s = %s, is %.1f standard deviations %s what the "+
		"others predict there. Look at it again: it is a mistake, a rare event, or the model is wrong.",
		widget.Count(len(all), "result")+" that", all[0].Label, s.name(), s.Value(all[0].Y[0]), math.Abs(all[0].Z),
		side)
}

// errors tells the bars of standard errors.
func (s Description) errors() string {
	count, lo, hi := 0, math.Inf(1), 0.0
	for _, it := range s.State.Iterations {
		for _, pt := range it.Points {
			if pt.SE != nil && !pt.Failed && !math.IsNaN(pt.SE[0]) {
				count, lo, hi = count+1, min(lo, pt.SE[0]), max(hi, pt.SE[0])
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
	return fmt.Sprintf("Bars of two standard errors on either side of a result: %s have one, of %s. What is known "+
		"less surely holds the curve less tightly.", widget.Count(count, "result"), span)
}

// replicates tells the places that were evaluated more than once.
func (s Description) replicates() string {
	list := report.ReplicatesFor(s.State)
	if len(list) == 0 {
		return ""
	}
	r := list[len(list)-1]
	text := fmt.Sprintf("%s evaluated more than once: at %s %d results have the mean %s",
		widget.Count(len(list), "place"), s.At(r.X), r.Count, s.Value(r.Mean[0]))
	if len(r.SE) > 0 && !math.IsNaN(r.SE[0]) {
		text += s.gauge().FormatSD(r.Mean[0], r.SE[0], widget.Number)
	}
	return text + ". How much they differ says how strong the noise is."
}

// bounds tells within what the search is kept.
func (s Description) bounds() string {
	var kept []string
	for j, v := range s.State.Bounds {
		if whole := s.State.Problem.Domain[j]; v.Low != whole.Low || v.High != whole.High {
			kept = append(kept, sanitize.Text(fmt.Sprintf("%s from %s to %s (of %s to %s)", whole.Name,
				whole.Text(v.Low), whole.Text(v.High), whole.Text(whole.Low), whole.Text(whole.High))))
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return "The next points are kept within bounds that a person set: " + few(kept) +
		". Results outside of them count all the same."
}

// describeInfeasible tells what is known to be ruled out.
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
	return "Where a known constraint does not hold: " + few(texts) +
		". Nothing is ever suggested there, whatever the model believes."
}

// cursor tells where the cursor is.
func (s Description) cursor() string {
	if s.Cursor == nil {
		return ""
	}
	text := "The cursor, at " + s.At(s.Cursor)
	if b := s.describeBand(s.Cursor); b != "" {
		text += fmt.Sprintf(": %s is believed to be %s there", s.name(), b)
	}
	return text + ". The arrow keys move it, and enter takes the point."
}

func (s Description) describeBand(x []float64) string {
	if s.BandText == nil {
		return ""
	}
	return s.BandText(x)
}

// describeNext tells the points that come next, or that are out.
func (s Description) describeNext() (sentence, term string) {
	if len(s.Aim.Next) == 0 {
		return "", ""
	}
	at, n := s.At(s.Aim.Next[0]), len(s.Aim.Next)
	if n > 1 {
		at = fmt.Sprintf("%d of them, the first at %s", n, at)
	}
	text := ""
	if b := s.describeBand(s.Aim.Next[0]); b != "" {
		text = fmt.Sprintf(" %s is believed to be %s there.", s.name(), b)
	}
	switch {
	case s.Aim.Pending && n > 1:
		return fmt.Sprintf("Points that are out: %s. Their results are awaited, and what comes next is chosen as if "+
			"something were known of them.%s", at, text), "point that is out"
	case s.Aim.Pending:
		return fmt.Sprintf("The point that is out, %s: its result is awaited.%s", at, text), "point that is out"
	case s.Aim.ByStart:
		return fmt.Sprintf("The next point, %s: still of the initial design, which spreads the first points over the "+
			"domain before the model chooses.%s", at, text), "initial design"
	case n > 1:
		return fmt.Sprintf("The next points, %s: a batch that is evaluated at once.%s", at, text), "batch size"
	}
	why := "chosen without an acquisition that could be drawn."
	if a, better := AcquisitionWords(s.Legend); a != "" {
		why = fmt.Sprintf("the %s acquisition of all that may be suggested (%s).%s W explains the choice.", better, a,
			text)
	}
	return fmt.Sprintf("The next point, %s: %s", at, why), "acquisition"
}

// AcquisitionWords is what a belief's acquisition is called, and which end of it is best; empty where it has none.
func AcquisitionWords(l optimizers.Legend) (name, better string) {
	better = "highest"
	if l.LowerIsBetter {
		better = "lowest"
	}
	return strings.NewReplacer(", higher is better", "", ", lower is better", "").Replace(l.Acquisition), better
}

// maxBrief is how many words of what a person wrote are told.
const maxBrief = 10

// brief is the beginning of what a person wrote, on one line.
func brief(text string) string { return layout.Excerpt(text, maxBrief) }

// few are the first two of a list, and how many more there are.
func few(list []string) string {
	if len(list) <= 2 {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s, and %d more", strings.Join(list[:2], ", "), len(list)-2)
}

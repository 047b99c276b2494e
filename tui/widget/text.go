package widget

import (
	"fmt"
	"math"
	"strings"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
)

// Number writes a measured or computed value, with at most four significant digits.
func Number(v float64) string { return numfmt.Format(v) }

// Count is a number of things, given the name of one.
func Count(n int, noun string) string { return numfmt.Count(n, noun) }

// Point writes an input: "x = 0.75", or "(0.1, 0.2, …)" cut after four values.
func Point(d functions.Domain, x []float64) string {
	if len(x) == 1 {
		return sanitize.Text(d[0].Name + " = " + d[0].Text(x[0]))
	}
	parts := make([]string, 0, 5)
	for i, v := range x {
		if i == 4 && len(x) > 5 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, d[i].Text(v))
	}
	return sanitize.Text("(" + strings.Join(parts, ", ") + ")")
}

// DescribePending describes a pending iteration.
func DescribePending(p *functions.Problem, it sessions.Iteration) string {
	s := fmt.Sprintf("step %d is pending:", it.Step)
	for _, pt := range it.Points {
		s += " " + Point(p.Domain, pt.X)
	}
	return s
}

// DescribeNewPoints describes the new pending points of an iteration.
func DescribeNewPoints(p *functions.Problem, it sessions.Iteration) string {
	points := make([]string, len(it.Points))
	for i, pt := range it.Points {
		points[i] = Point(p.Domain, pt.X)
	}
	return fmt.Sprintf("point %d is pending: %s; press enter to report its results", it.Number,
		strings.Join(points, "; "))
}

// whyFailed is the reason why a point of an iteration has no outcome.
func whyFailed(it sessions.Iteration, point int) string {
	if it.Points[point].Reason == "" {
		return "no finite value"
	}
	return sanitize.Text(it.Points[point].Reason)
}

// values are the outcomes of a point of an iteration, each behind a comma.
func values(p *functions.Problem, it sessions.Iteration, point int) (s string) {
	for k, o := range p.Outputs() {
		if y := it.Points[point].Y[k]; !math.IsNaN(y) {
			s += fmt.Sprintf(", %s = %s", o.Name, Number(y))
		}
	}
	return s
}

// DescribeIteration describes an iteration in one line.
func DescribeIteration(p *functions.Problem, it sessions.Iteration) string {
	who := "evaluated"
	if it.By == sessions.ByPerson {
		who = "you evaluated"
	}
	s := fmt.Sprintf("step %d: %s", it.Step, who)
	for i, pt := range it.Points {
		s += " " + Point(p.Domain, pt.X)
		switch {
		case it.IncompleteAt(i):
			s += values(p, it, i) + " (" + strings.Join(pt.Missing, ", ") + " not reported yet)"
		case pt.Failed:
			s += ", which failed: " + whyFailed(it, i)
		case !p.Feasible(pt.Y):
			s += values(p, it, i) + ", which violates a limit"
		default:
			s += values(p, it, i)
		}
		if p.Cost != nil {
			s += ", cost " + Number(pt.Cost)
		}
	}
	return s
}

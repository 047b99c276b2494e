package acts

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/functions/timefmt"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
)

// Text describes the state, a line for each part.
func (a StatusAnswer) Text() string { return textOf(a.lines()...) }

func (a StatusAnswer) lines() []string {
	st := a.state
	status := a
	lines := []string{st.Title(), fmt.Sprintf("%d of %d steps", status.Steps, status.Budget)}
	if status.Cost != nil {
		lines[1] += " · cost " + numfmt.Format(float64(*status.Cost))
	}
	if status.Repeats > 0 {
		lines[1] += " · " + numfmt.Count(status.Repeats, "repeated evaluation")
	}
	if status.Design != nil {
		lines = append(lines, "the next suggestion is "+status.Design.String())
	}
	if c, ok := st.PointCount(); ok {
		lines = append(lines, c.String())
	}
	if status.News != nil {
		lines = append(lines, status.News.Sentence(time.Now()))
	}
	if status.Best != nil {
		lines = append(lines, bestLine(st, "best observed", *status.Best, 0))
	}
	if status.BestMean != nil {
		lines = append(lines, bestLine(st, "best by the model", *status.BestMean, 0))
	}
	for _, c := range status.Clipped {
		lines = append(lines, c.text+"; if the evaluation failed, withdraw it with correct")
	}
	if status.Inference != "" {
		lines = append(lines, "the model is "+status.Inference)
	}
	if status.NoModel != "" {
		lines = append(lines, "the model failed: "+status.NoModel)
	}
	if status.Forecast != nil {
		lines = append(lines, status.Forecast.Lines()...)
	}
	for _, r := range status.Outliers {
		lines = append(lines, fmt.Sprintf("outlier: point %s (%s is %s standard deviations from what the other results predict)", r.Point, r.Objective, numfmt.Format(math.Abs(float64(r.Z)))))
	}
	for _, c := range status.Clusters {
		lines = append(lines, bestLine(st, "on the Pareto front", status.Front[c.Index], c.Count-1))
	}
	if len(status.Clusters) < len(status.Front) {
		lines = append(lines, fmt.Sprintf("%d results are on the Pareto front; --json prints all", len(status.Front)))
	}
	lines = append(append(lines, modelFrontLines(st, status)...), authorLines(status.Authors)...)
	if len(status.Pending) == 0 {
		return append(lines, "no pending points")
	}
	lines = append(lines, numfmt.Count(len(status.Pending), "pending point"))
	for _, p := range status.Pending {
		lines = append(lines, pointLine(st, p, functions.Variable.Text))
	}
	return lines
}

// maxAuthorLines bounds how many authors are printed as text.
const maxAuthorLines = 8

// authorLines say who recorded what, unless only the person who reads it did.
func authorLines(authors []Contribution) (lines []string) {
	if !slices.ContainsFunc(authors, func(c Contribution) bool { return !isUser(c.Author) }) {
		return nil
	}
	for _, c := range authors[:min(len(authors), maxAuthorLines)] {
		parts := []string{numfmt.Count(c.Suggestions, "suggestion"), numfmt.Count(c.Results, "result")}
		if c.Others > 0 {
			parts = append(parts, numfmt.Count(c.Others, "other change"))
		}
		lines = append(lines, fmt.Sprintf("by %v: %s; last %s", c.Author, strings.Join(parts, ", "),
			timefmt.Clock(c.Last, time.Now())))
	}
	if extra := len(authors) - len(lines); extra > 0 {
		lines = append(lines, fmt.Sprintf("by %s; --json prints all", numfmt.Count(extra, "other author")))
	}
	return lines
}

// bestLine is the line of a result, or of a prediction, with the number of similar results that it represents.
func bestLine(st sessions.State, subject string, b BestPoint, similar int) string {
	for _, o := range st.Problem.Outputs() {
		if _, ok := b.Value[o.Name]; !ok {
			continue
		}
		subject += " " + o.Name + " = " + strings.TrimSpace(numfmt.Format(float64(b.Value[o.Name]))+" "+o.Unit)
	}
	if sd := cmp.Or(b.SD, b.Log10); sd != nil {
		o := st.Problem.Objectives[0]
		subject += o.Transform().FormatSD(float64(b.Value[o.Name]), float64(*sd), numfmt.Format)
	}
	if b.Feasible != nil {
		if p := diagnostics.ProbablyFeasible(float64(*b.Feasible)); p != "" {
			subject += " (" + p + ")"
		}
	}
	subject += " at " + inputText(st, b.input, functions.Variable.Text)
	switch {
	case similar > 0:
		return subject + fmt.Sprintf("  (step %d, and %s)", b.Step, numfmt.Count(similar, "similar result"))
	case b.Step > 0:
		return subject + fmt.Sprintf("  (step %d)", b.Step)
	case b.Extrapolation != "":
		return subject + "  (an extrapolation: " + b.Extrapolation + ")"
	}
	return subject
}

// modelFrontLines describes the front that the model expects, or says why it cannot be trusted.
func modelFrontLines(st sessions.State, status StatusAnswer) (lines []string) {
	switch {
	case len(status.ModelFront) == 0:
		return nil
	case status.FrontCaveat != "":
		return []string{"the model's Pareto front cannot be trusted (--json prints it): " + status.FrontCaveat}
	}
	for _, c := range status.ModelClusters {
		e := status.ModelFront[c.Index]
		line := "on the model's Pareto front"
		for _, o := range st.Problem.Objectives {
			v, sd := float64(e.Value[o.Name]), float64(e.SD[o.Name]+e.Log10[o.Name])
			line += fmt.Sprintf(" %s = %s%s", o.Name, strings.TrimSpace(numfmt.Format(v)+" "+o.Unit),
				o.Transform().FormatSD(v, sd, numfmt.Format))
		}
		line += " at " + inputText(st, e.input, functions.Variable.Text)
		if c.Count > 1 {
			line += fmt.Sprintf("  (and %s)", numfmt.Count(c.Count-1, "similar point"))
		}
		lines = append(lines, line)
	}
	if len(status.ModelClusters) < len(status.ModelFront) {
		lines = append(lines, fmt.Sprintf("%d points are on the model's Pareto front; --json prints all",
			len(status.ModelFront)))
	}
	return lines
}

// pointLine is a pending point as text, each value as valueText writes it.
func pointLine(st sessions.State, p Point, valueText func(functions.Variable, float64) string) string {
	about := p.By
	if p.Row > 0 {
		about = strings.TrimSpace(fmt.Sprintf("row %d %s", p.Row, p.Label)) + ", " + about
	}
	if p.Batch != nil {
		about += fmt.Sprintf(", point %d of %d", p.Batch.Place, p.Batch.Points)
	}
	if p.Design != nil {
		about += ", " + p.Design.String()
	}
	if p.Plate != "" {
		about += ", well " + p.Well + " of " + p.Plate
	}
	if p.AskedBy != nil && !isUser(*p.AskedBy) {
		about += ", asked by " + p.AskedBy.String()
	}
	text := fmt.Sprintf("%-5v %s  (%s, %s)", p.Name, inputText(st, p.Input(), valueText), about, p.Waiting(time.Now()))
	if len(p.Missing) > 0 {
		text += "  still missing: " + strings.Join(p.Missing, ", ")
	}
	if p.Reason != "" {
		text += "  # " + p.Reason
	}
	return text
}

// isUser reports whether an author is the system's user, whose own name needs no mention.
func isUser(author sessions.Author) bool {
	return author.Kind == sessions.AuthorPerson && author.Name == sessions.UserName()
}

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/functions/timefmt"
	"bandscope/sessions"
	"bandscope/sessions/asktell"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
)

// printStatus prints the state of a session, with the news for a reader. It does not write to the session's file.
func printStatus(ctx context.Context, out, errs io.Writer, path string, reader sessions.Author, asJSON bool) error {
	s, err := readSession(ctx, path, errs)
	if errors.Is(err, sessions.ErrTraining) {
		return printTrainingStatus(ctx, out, errs, path, asJSON)
	}
	if err != nil {
		return err
	}
	s.SetAuthor(reader)
	bar := newBar(errs)
	status, err := asktell.StatusFor(ctx, s, func(subject string, done, total int) {
		bar.Show(0, 1, progressText(subject, done, total))
	})
	bar.Clear()
	if err != nil {
		return err
	}
	if asJSON {
		return sanitize.JSON(out, status)
	}
	st := s.State()
	if err := printLines(out, statusLines(st, status, path)...); err != nil {
		return err
	}
	return printPoints(out, st, status.Pending, false, functions.Variable.Text)
}

func statusLines(st sessions.State, status asktell.Status, path string) []string {
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
		lines = append(lines, fmt.Sprintf("%v; if the evaluation failed, run bandscope correct %s '%s'", c, path,
			c.Remedy))
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
	return append(lines, numfmt.Count(len(status.Pending), "pending point"))
}

// maxAuthorLines bounds how many authors are printed as text.
const maxAuthorLines = 8

// authorLines say who recorded what, unless only the person who reads it did.
func authorLines(authors []asktell.Contribution) (lines []string) {
	if !slices.ContainsFunc(authors, func(c asktell.Contribution) bool { return !isUser(c.Author) }) {
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
func bestLine(st sessions.State, subject string, b asktell.Best, similar int) string {
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
	subject += " at " + inputText(st, b.Input(), functions.Variable.Text)
	switch {
	case similar > 0:
		return subject + fmt.Sprintf("  (step %d, and %s)", b.Step, numfmt.Count(similar, "similar result"))
	case b.Step > 0:
		return subject + fmt.Sprintf("  (step %d)", b.Step)
	}
	return subject
}

// modelFrontLines describes the front that the model expects, or says why it cannot be trusted.
func modelFrontLines(st sessions.State, status asktell.Status) (lines []string) {
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
		line += " at " + inputText(st, e.Input(), functions.Variable.Text)
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

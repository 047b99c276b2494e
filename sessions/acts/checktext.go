package acts

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"bandscope/functions/numfmt"
	"bandscope/optimizers/inspection"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
)

// Text is the verdict in a sentence, and the numbers behind it.
func (a CheckAnswer) Text() string {
	return strings.TrimRight(modelCheckText(a.state, a.check)+stoppingText(a.Stopping), "\n")
}

func modelCheckText(st sessions.State, r *diagnostics.Check) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n", sanitize.Text(r.Verdict.Text), sanitize.Text(st.Title()))
	switch {
	case r.Unavailable != "" && r.Refittable:
		fmt.Fprintf(&b, "%s; retrain does this\n", r.Unavailable)
	case r.Unavailable != "":
		fmt.Fprintln(&b, r.Unavailable)
	default:
		fmt.Fprintf(&b, "leave-one-out predictions of %s (%s)\n", numfmt.Count(len(r.Objectives[0].Data), "result"),
			leaveOutText(r))
	}
	if r.Meaning != "" {
		fmt.Fprintln(&b, r.Meaning)
	}
	for _, o := range r.Objectives {
		objectiveText(&b, st, o)
	}
	if r.Compared {
		alternativesText(&b, r)
	}
	return b.String()
}

// leaveOutText says how results were left out.
func leaveOutText(r *diagnostics.Check) string {
	if r.Refit {
		return "retrained without each"
	}
	if r.Integration != "" {
		return "exact, " + r.Integration
	}
	if r.Inference != "" {
		return r.Inference + ", with hyperparameters fitted to a sample"
	}
	return "exact, with hyperparameters fitted to all"
}

// tableLine writes cells of a table, without empty ones at its end.
func tableLine(t io.Writer, cells ...string) {
	for len(cells) > 0 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	fmt.Fprintln(t, "  "+strings.Join(cells, "\t"))
}

func objectiveText(b *strings.Builder, st sessions.State, o diagnostics.ObjectiveCheck) {
	fmt.Fprintf(b, "\n%s\n", sanitize.Text(o.Name))
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	if o.Coverage != nil || o.DomainCoverage != nil {
		tableLine(t, "nominal", "results inside", "coverage", "95 % interval",
			map[bool]string{true: "truth inside"}[o.DomainCoverage != nil])
	}
	for l, p := range inspection.Levels {
		if o.Coverage == nil && o.DomainCoverage == nil {
			break
		}
		cells := []string{percent(p), "", "", "", ""}
		if o.Coverage != nil {
			c := o.Coverage[l]
			cells[1] = fmt.Sprintf("%d of %d", c.Inside, c.Total)
			cells[2] = percent(c.Share())
			cells[3] = percent(c.Low) + " to " + percent(c.High)
		}
		if o.DomainCoverage != nil {
			cells[4] = percent(o.DomainCoverage[l].Share())
		}
		tableLine(t, cells...)
	}
	t.Flush()
	if o.Data != nil {
		fmt.Fprintf(b, "  residuals are %s times as large as the model expects\n", numfmt.Format(o.RMSZ))
		fmt.Fprintf(b, "  log predictive density %s (%s per result)\n", numfmt.Format(o.LogScore),
			numfmt.Format(o.LogScore/float64(len(o.Data))))
		fmt.Fprintf(b, "  histogram of the probability integral transform (10 bins): %s\n",
			strings.Trim(fmt.Sprint(o.Histogram), "[]"))
	}
	if !math.IsNaN(o.LogEvidence) {
		fmt.Fprintf(b, "  log evidence %s\n", numfmt.Format(o.LogEvidence))
	}
	for _, d := range o.Data {
		if d.Outlier {
			fmt.Fprintf(b, "  ? result %s = %s is an outlier: the others predict %s (z = %s)\n", d.Label,
				numfmt.Format(d.Value), numfmt.Format(d.Prediction.Mean), numfmt.Format(d.Z))
		}
	}
	if o.Alarm != "" {
		fmt.Fprintf(b, "  ! %s\n", o.Alarm)
	}
	sensitivityText(b, st, o)
	blocksText(b, o)
}

// blocksText lists the shifts of the blocks.
func blocksText(b *strings.Builder, o diagnostics.ObjectiveCheck) {
	if o.NoBlocks != "" {
		fmt.Fprintf(b, "  %s\n", sanitize.Text(o.NoBlocks))
	}
	if o.Blocks == nil {
		return
	}
	fmt.Fprintf(b, "  shifts of the blocks, relative to %s\n", o.Blocks.Reference())
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	tableLine(t, "block", "results", "shift")
	for _, s := range o.Blocks.Shifts {
		tableLine(t, sanitize.Text(s.Name), fmt.Sprint(s.Results), sanitize.Text(o.Blocks.Format(s, o.Unit)))
	}
	t.Flush()
}

func sensitivityText(b *strings.Builder, st sessions.State, o diagnostics.ObjectiveCheck) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	if few := diagnostics.TooFewForImportances(st); few != "" {
		fmt.Fprintf(b, "  %s\n", few)
	}
	if o.First != nil || o.Lengthscales != nil {
		tableLine(t, "variable", map[bool]string{true: "Sobol' index"}[o.First != nil],
			map[bool]string{true: "total index"}[o.Total != nil],
			map[bool]string{true: "importance (90 % interval)"}[o.Importances != nil],
			map[bool]string{true: "lengthscale"}[o.Lengthscales != nil])
		for j, v := range st.Problem.Domain {
			cells := []string{sanitize.Text(v.Name), "", "", "", ""}
			if o.First != nil {
				cells[1] = percent(o.First[j])
			}
			if o.Total != nil {
				cells[2] = percent(o.Total[j])
			}
			if o.Importances != nil {
				cells[3] = o.Importances[j].String()
			}
			if o.Lengthscales != nil {
				cells[4] = o.Lengthscales[j]
			}
			tableLine(t, cells...)
		}
	}
	t.Flush()
}

func alternativesText(b *strings.Builder, r *diagnostics.Check) {
	if len(r.Alternatives) == 0 {
		fmt.Fprintln(b, "\nno other value of a parameter changes the predictions")
		return
	}
	fmt.Fprintln(b, "\nalternatives, with their gain in log predictive density over all results")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, a := range r.Alternatives {
		cells := []string{"  " + sanitize.Text(a.Name) + "=" + a.Value,
			diagnostics.FormatGain(a.Gain) + " ± " + strings.TrimPrefix(diagnostics.FormatGain(a.SE), "+"), "", ""}
		if !math.IsNaN(a.Evidence) {
			cells[2] = "log evidence " + diagnostics.FormatGain(a.Evidence)
		}
		if a.Better {
			cells[3] = "better by more than 2 standard errors"
		}
		fmt.Fprintln(t, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
	}
	t.Flush()
	if a := r.Recommendation(); a != nil {
		fmt.Fprintf(b, "suggested: %s=%s (%s)\n", sanitize.Text(a.Name), a.Value, sanitize.Text(a.CommandLine()))
	} else {
		fmt.Fprintln(b, "no alternative is better by more than 2 standard errors")
	}
}

func percent(p float64) string { return fmt.Sprintf("%.0f %%", 100*p) }

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"bandscope/functions/numfmt"
	"bandscope/sessions/library"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/training"
)

// readTraining opens the session of a lab by its path or name without writing to its file.
func readTraining(ctx context.Context, path string, errs io.Writer) (*training.Session, error) {
	s, err := training.OpenReadOnly(ctx, sessionFile(path, library.DefaultDir()))
	if err != nil {
		return nil, err
	}
	printTrainingNotices(s, errs)
	return s, nil
}

// replayTraining prints the trace of a session as it is on record, or verifies it.
func replayTraining(ctx context.Context, out, errs io.Writer, path string, verify bool) error {
	s, err := readTraining(ctx, path, errs)
	if err != nil {
		return err
	}
	s.Last()
	if verify {
		progress, done := newProgress(errs)
		v, err := s.Verify(ctx, progress)
		done()
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("interrupted after %s without a difference", numfmt.Count(v.Updates, "update"))
		case err != nil:
			return err
		case v.FirstDifference != nil:
			return errors.New(v.String())
		}
		_, err = fmt.Fprintln(out, v)
		return err
	}
	st := s.State()
	t := newTrainingTable(out, st.Spec, false)
	if err := errors.Join(t.begin(st), t.rows(st, training.State{}, true)); err != nil {
		return err
	}
	for _, n := range st.Notes {
		if n.Text == "" {
			continue
		}
		if _, err := fmt.Fprintf(out, "note at update %d: %s\n", n.Step, sanitize.Text(n.Text)); err != nil {
			return err
		}
	}
	return nil
}

// printTrainingStatus prints the state of a lab's session.
func printTrainingStatus(ctx context.Context, out, errs io.Writer, path string, asJSON bool) error {
	s, err := readTraining(ctx, path, errs)
	if err != nil {
		return err
	}
	st := s.State()
	if asJSON {
		return sanitize.JSON(out, training.NewRecord(st, false))
	}
	lines := append([]string{sanitize.Text(st.Title())}, trainingStatusLines(st)...)
	if st.Ahead > 0 {
		lines = append(lines, numfmt.Count(st.Ahead, "place")+" recorded after this one")
	}
	_, err = fmt.Fprintln(out, strings.Join(lines, "\n"))
	return err
}

func listTrainings(out io.Writer, name string, asJSON bool) error {
	all := training.Specs()
	if name != "" {
		l, err := training.Find(name)
		if err != nil {
			return asUsage(err)
		}
		all = []*training.Spec{l}
	}
	if asJSON {
		return sanitize.JSON(out, all)
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, l := range all {
		fmt.Fprintf(w, "%s\t%s\n", l.Name, l.About)
	}
	if name != "" {
		describeTraining(w, all[0])
	}
	return w.Flush()
}

func describeTraining(w io.Writer, l *training.Spec) {
	fmt.Fprintf(w, "source: %s\nparameters that you can edit during the training: %s (editing another one restarts it)\n"+
		"suggested second run: %s\n\n", l.Source, strings.Join(l.Live, ", "), contrastText(l))
	describeParams(w, l.Decls)
	fmt.Fprintf(w, "\ncolumn\tquantity\n")
	for _, c := range l.Columns {
		when := "at every update"
		if c.Validation {
			when = fmt.Sprintf("at every %dth update", rowEvery)
		}
		fmt.Fprintf(w, "%s\t%s, %s\n", c.Key, c.Help, when)
	}
}

func contrastText(l *training.Spec) string {
	p, err := l.Defaults().WithAll(l.SecondRun)
	if err != nil {
		return err.Error()
	}
	return training.DescribeChanges(l.Defaults(), p)
}

type trainingTable struct {
	out     io.Writer
	spec    *training.Spec
	json    bool
	columns []int // the columns of the text table
}

func newTrainingTable(out io.Writer, l *training.Spec, asJSON bool) *trainingTable {
	t := &trainingTable{out: out, spec: l, json: asJSON}
	for i, c := range l.Columns {
		if c.InTable {
			t.columns = append(t.columns, i)
		}
	}
	return t
}

// columnWidth is the width of a column of numbers; its key and two spaces fit in it.
func columnWidth(key string) int { return max(11, len(key)+2) }

// begin prints the title and the head of the table.
func (t *trainingTable) begin(st training.State) error {
	if t.json {
		return nil
	}
	head := fmt.Sprintf("%7s", "update")
	for _, k := range t.columns {
		key := t.spec.Columns[k].Key
		head += fmt.Sprintf("%*s", columnWidth(key), key)
	}
	_, err := fmt.Fprintf(t.out, "%s\n%s\n", sanitize.Text(st.Title()), head)
	return err
}

// rows prints the measurements between two states at every tenth update and the last one, and how a run ended. It marks
// the lines of the second run.
func (t *trainingTable) rows(st, before training.State, whole bool) error {
	for i, r := range st.Runs {
		from, failed := 0, ""
		if i < len(before.Runs) && !whole {
			from, failed = len(before.Runs[i].Trace), before.Runs[i].Failed
		}
		for u := from + 1; u <= len(r.Trace); u++ {
			if u%rowEvery != 0 && u != len(r.Trace) {
				continue
			}
			if err := t.row(i, u, r.Trace[u-1]); err != nil {
				return err
			}
		}
		if r.Failed != failed {
			if err := t.failed(i, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// row prints one row.
func (t *trainingTable) row(run, update int, values []float64) error {
	if t.json {
		return sanitize.JSON(t.out, trainingRow(t.spec, run, update, values))
	}
	line := fmt.Sprintf("%7d", update)
	for _, k := range t.columns {
		text := ""
		if !math.IsNaN(values[k]) {
			text = numfmt.Format(values[k])
		}
		line += fmt.Sprintf("%*s", columnWidth(t.spec.Columns[k].Key), text)
	}
	_, err := fmt.Fprintln(t.out, line+runMark(run))
	return err
}

// runMark is the end of a line of the second run.
func runMark(run int) string { return strings.Repeat("  second run", min(run, 1)) }

func (t *trainingTable) failed(run int, r training.Run) error {
	if t.json {
		return sanitize.JSON(t.out, map[string]any{"run": run + 1, "step": len(r.Trace), "failed": r.Failed})
	}
	_, err := fmt.Fprintln(t.out, sanitize.Text(r.Failed)+runMark(run))
	return err
}

// trainingRow is a row for other programs.
func trainingRow(l *training.Spec, run, update int, values []float64) map[string]any {
	o := map[string]any{"run": run + 1, "step": update}
	for k, c := range l.Columns {
		o[c.Key] = report.Number(values[k])
	}
	return o
}

// end prints the last measurements and the time.
func (t *trainingTable) end(st training.State, took time.Duration) error {
	if t.json {
		for i, r := range st.Runs {
			o := trainingRow(st.Spec, i, len(r.Trace), r.Latest(len(st.Spec.Columns)))
			o["summary"] = true
			o["of"] = r.Total
			o["params"] = r.Params
			if r.Failed != "" {
				o["failed"] = r.Failed
			}
			if err := sanitize.JSON(t.out, o); err != nil {
				return err
			}
		}
		return nil
	}
	if err := printLines(t.out, trainingStatusLines(st)...); err != nil {
		return err
	}
	_, err := fmt.Fprintf(t.out, "%.1f s\n", took.Seconds())
	return err
}

// trainingStatusLines are the number of updates of each run and its last measurements.
func trainingStatusLines(st training.State) (lines []string) {
	for i, r := range st.Runs {
		line := fmt.Sprintf("update %d of %d%s", len(r.Trace), r.Total, runMark(i))
		if i > 0 {
			line += " (" + training.DescribeChanges(st.Runs[0].Params, r.Params) + ")"
		}
		for k, v := range r.Latest(len(st.Spec.Columns)) {
			if c := st.Spec.Columns[k]; c.InTable && !math.IsNaN(v) {
				line += " · " + c.Label + " " + numfmt.Format(v)
				if c.Unit != "" {
					line += " " + c.Unit
				}
			}
		}
		lines = append(lines, line)
		if r.Failed != "" {
			lines = append(lines, sanitize.Text(r.Failed))
		}
	}
	return lines
}

package cli

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"bandscope/functions/digits"
	"bandscope/sessions/lab"
	"bandscope/sessions/report"
	"bandscope/sessions/safe"
)

// table prints a trace, as lines for people or objects for programs.
type labTable struct {
	out   io.Writer
	lab   *lab.Lab
	json  bool
	brief []int // the columns that people are told
}

func newLabTable(out io.Writer, l *lab.Lab, asJSON bool) *labTable {
	t := &labTable{out: out, lab: l, json: asJSON}
	for i, c := range l.Columns {
		if c.Brief {
			t.brief = append(t.brief, i)
		}
	}
	return t
}

// width is that of a column of numbers: its key and two blanks have room.
func columnWidth(key string) int { return max(11, len(key)+2) }

// begin prints the title and the head of the table.
func (t *labTable) begin(st lab.State) error {
	if t.json {
		return nil
	}
	head := fmt.Sprintf("%7s", "update")
	for _, k := range t.brief {
		key := t.lab.Columns[k].Key
		head += fmt.Sprintf("%*s", columnWidth(key), key)
	}
	_, err := fmt.Fprintf(t.out, "%s\n%s\n", safe.Text(st.Title()), head)
	return err
}

// rows prints what was measured between two states at every tenth update and at the last, and how a run ended. Of the second run the lines are marked.
func (t *labTable) rows(st, before lab.State, whole bool) error {
	for i, r := range st.Runs {
		from, failed := 0, ""
		if i < len(before.Runs) && !whole {
			from, failed = len(before.Runs[i].Trace), before.Runs[i].Failed
		}
		for u := from + 1; u <= len(r.Trace); u++ {
			if u%labEvery != 0 && u != len(r.Trace) {
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

// row prints one.
func (t *labTable) row(run, update int, values []float64) error {
	if t.json {
		return safe.JSON(t.out, labRow(t.lab, run, update, values))
	}
	line := fmt.Sprintf("%7d", update)
	for _, k := range t.brief {
		text := ""
		if !math.IsNaN(values[k]) {
			text = digits.Of(values[k])
		}
		line += fmt.Sprintf("%*s", columnWidth(t.lab.Columns[k].Key), text)
	}
	_, err := fmt.Fprintln(t.out, line+runMark(run))
	return err
}

// mark is what stands behind the lines of the second run.
func runMark(run int) string { return strings.Repeat("  second run", min(run, 1)) }

func (t *labTable) failed(run int, r lab.Run) error {
	if t.json {
		return safe.JSON(t.out, map[string]any{"run": run + 1, "step": len(r.Trace), "failed": r.Failed})
	}
	_, err := fmt.Fprintln(t.out, safe.Text(r.Failed)+runMark(run))
	return err
}

// object is a row for other programs.
func labRow(l *lab.Lab, run, update int, values []float64) map[string]any {
	o := map[string]any{"run": run + 1, "step": update}
	for k, c := range l.Columns {
		o[c.Key] = report.Number(values[k])
	}
	return o
}

// end prints what came of it.
func (t *labTable) end(st lab.State, took time.Duration) error {
	if t.json {
		for i, r := range st.Runs {
			o := labRow(st.Lab, i, len(r.Trace), r.Latest(len(st.Lab.Columns)))
			o["summary"], o["of"], o["params"] = true, r.Of, r.Params
			if r.Failed != "" {
				o["failed"] = r.Failed
			}
			if err := safe.JSON(t.out, o); err != nil {
				return err
			}
		}
		return nil
	}
	for _, line := range labStatusLines(st) {
		if _, err := fmt.Fprintln(t.out, line); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(t.out, "%.1f s\n", took.Seconds())
	return err
}

// standing tells in a few lines how far the runs are and what was measured last.
func labStatusLines(st lab.State) (lines []string) {
	for i, r := range st.Runs {
		line := fmt.Sprintf("update %d of %d%s", len(r.Trace), r.Of, runMark(i))
		if i > 0 {
			line += " (" + lab.Changes(st.Runs[0].Params, r.Params) + ")"
		}
		for k, v := range r.Latest(len(st.Lab.Columns)) {
			if c := st.Lab.Columns[k]; c.Brief && !math.IsNaN(v) {
				line += " · " + c.Label + " " + digits.Of(v)
				if c.Unit != "" {
					line += " " + c.Unit
				}
			}
		}
		if lines = append(lines, line); r.Failed != "" {
			lines = append(lines, safe.Text(r.Failed))
		}
	}
	return lines
}
